// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loader/container.h"
#include "loader/format.h"
#include "loader/install.h"
#include "memmap/guest_addr.h"

namespace n6vp::sim {

/// One pool of the model that an install writes, with where it went.
struct PoolImage {
    std::string name;  ///< as in the file: hostile text
    std::uint32_t index = 0;
    loader::format::PoolType type{};
    AddressRange range;  ///< rounded up to 8 bytes, as written
};

/// Returns the COPY and RESET pools of the file, and the external RAM pool, that were in reach of
/// an install with this request. Reads the file only; empty for a file that cannot be opened.
[[nodiscard]] std::vector<PoolImage> pools_of(const loader::Container& container,
                                              const loader::InstallRequest& request);

}  // namespace n6vp::sim

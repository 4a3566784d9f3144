// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loader/ec_container.h"
#include "sim/platform/platform.h"

namespace n6vp::sim::fault_report {

/// A word of an epoch-controller blob that the model relocated.
struct BlobOrigin {
    std::uint32_t container = 0;    ///< file offset
    std::string symbol;             ///< raw text of the file
    std::uint32_t word = 0;         ///< counted from the blob's first instruction
    std::uint32_t file_offset = 0;  ///< of that word
    std::uint32_t file_value = 0;
    std::uint32_t installed_at = 0, now = 0;
    std::uint32_t distance = 0;  ///< of the address from `now`
};

/// A container in a model's file.
struct BlobPlace {
    std::uint32_t offset = 0;
    loader::ec::Container container;  ///< views the file's bytes
};

/// Looks in RAM for the copies of the containers' blobs that the model made, and in these for the
/// relocated word nearest below `address`, within `reach`. None if there is no such word.
[[nodiscard]] std::optional<BlobOrigin> find_blob_origin(Platform& platform,
                                                         const std::vector<BlobPlace>& places,
                                                         std::uint32_t address,
                                                         std::uint32_t reach);

}  // namespace n6vp::sim::fault_report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/npu/stream/stream_config.h"

namespace n6vp::models::npu {

/// Addresses from the first to the last byte that an engine may touch, gaps included. They wrap.
struct Extent {
    std::uint32_t first = 0;
    std::uint64_t bytes = 0;  ///< 2^32 is all of memory

    friend bool operator==(const Extent&, const Extent&) = default;
};

/// Returns the extent of all frames and loops, as far as the address limit allows. An engine
/// without a frame limit goes on to the address limit, or to the end of the address space, unless
/// all its frames are in one place; where its frames go downwards, that is all of memory. Requires
/// a configuration that computes (`judge`).
[[nodiscard]] Extent extent_of(const StreamConfig& config);

}  // namespace n6vp::models::npu

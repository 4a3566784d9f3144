// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace n6vp::models::npu {

/// A use of the NPU that its public description does not define. Units name these instead of
/// guessing; the caller decides whether that is an event or a fault.
struct Limit {
    const char* unit;     ///< as in the register names, "CONVACC"
    const char* feature;  ///< what was configured, by field name
    const char* unknown;  ///< what the description does not say

    friend bool operator==(const Limit&, const Limit&) = default;
};

}  // namespace n6vp::models::npu

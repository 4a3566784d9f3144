// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/parameter.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// What maintenance of the NPU cache (CACHEAXI) costs the core that waits for it. The cache itself
/// holds nothing yet: only the core accesses memory.
struct NpuCacheParameters {
    Parameter line_bytes{"line_bytes", 64, "B", Confidence::Documented, "vendor pool files"};
    Parameter entries{"entries", 4096, "", Confidence::Documented,
                      "vendor pool files: 512 sets of 8 ways"};
    Parameter entry_cycles{"entry_cycles", 1, "NIC cycles", Confidence::Assumed,
                           "range command: per line of the range or tag entry, whichever is more"};
    Parameter invalidate_cycles{"invalidate_cycles", 556, "NIC cycles", Confidence::Assumed,
                                "whole cache: 512 to 600"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.line_bytes);
        function(self.entries);
        function(self.entry_cycles);
        function(self.invalidate_cycles);
    }

    /// Returns the time of a clean or clean-and-invalidate by range.
    [[nodiscard]] Picoseconds range_ps(std::uint32_t bytes, double nic_hz) const {
        const double lines = static_cast<double>(bytes) / line_bytes.value;
        return cycles_to_ps(std::max(lines, entries.value) * entry_cycles.value, nic_hz);
    }
    [[nodiscard]] Picoseconds invalidate_ps(double nic_hz) const {
        return cycles_to_ps(invalidate_cycles.value, nic_hz);
    }
};

}  // namespace n6vp::models

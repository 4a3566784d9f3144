// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/parameter.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// Geometry, policy and times of the NPU cache (CACHEAXI). Cycles are those of its clock, which is
/// the NIC's (900 MHz in overdrive).
struct NpuCacheParameters {
    Parameter line_bytes{"line_bytes", 64, ParameterUnit{"B", {16, 64, true}},
                         Confidence::Documented, "vendor pool files"};
    Parameter entries{"entries", 4096, counts(65536), Confidence::Documented,
                      "vendor pool files: 512 sets of 8 ways"};
    Parameter ways{"ways", 8, counts(64), Confidence::Documented,
                   "vendor pool files; replacement is LRU "
                   "(assumed)"};
    Parameter lookup_cycles{"lookup_cycles", 10.8, "NIC cycles", Confidence::Measured,
                            "port busy before the first beat; 12 ns, fitted with latency_cycles to "
                            "twelve published convolution epochs"};
    Parameter beat_cycles{"beat_cycles", 2.25, "NIC cycles", Confidence::Documented,
                          "port busy per 8-byte beat of a hit; vendor pool files: 2.5 ns"};
    Parameter latency_cycles{"latency_cycles", 14.4, "NIC cycles", Confidence::Measured,
                             "from the cache to the NPU, port free; 16 ns, see lookup_cycles"};
    Parameter miss_cycles{"miss_cycles", 121.5, "NIC cycles", Confidence::Measured,
                          "port busy for a miss at most, look-up included; 135 ns, see "
                          "lookup_cycles"};
    Parameter beat_bytes{"beat_bytes", 8, counts(64, "B"), Confidence::Documented,
                         "64-bit NPU ports"};
    Parameter write_back{"write_back", 1, kSwitch, Confidence::Assumed,
                         "writes marked allocate stay in the line until it is cleaned or evicted; "
                         "0: every write goes through"};
    Parameter fetch_full_writes{"fetch_full_writes", 1, kSwitch, Confidence::Assumed,
                                "an allocating write fetches the line even if it covers all of it"};
    Parameter fetch_whole_lines{"fetch_whole_lines", 0, kSwitch, Confidence::Assumed,
                                "a read that does not allocate fetches 0: its own bytes, 1: the "
                                "line"};
    Parameter write_buffer{"write_buffer", 2, counts(64, "entries"), Confidence::Assumed,
                           "posted writes and evicted lines on the way to memory"};
    Parameter entry_cycles{"entry_cycles", 1, "NIC cycles", Confidence::Assumed,
                           "range command: per line of the range or tag entry, whichever is more"};
    Parameter invalidate_cycles{"invalidate_cycles", 556, "NIC cycles", Confidence::Assumed,
                                "whole cache: 512 to 600"};
    Parameter tag_clear_cycles{"tag_clear_cycles", 512, "NIC cycles", Confidence::Assumed,
                               "busy after reset: one cycle per set"};
    Parameter disable_invalidates{
        "disable_invalidates", 1, kSwitch, Confidence::Assumed,
        "clearing EN releases the RAM, so no line survives; drivers poll BUSYF after it"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.line_bytes);
        function(self.entries);
        function(self.ways);
        function(self.lookup_cycles);
        function(self.beat_cycles);
        function(self.latency_cycles);
        function(self.miss_cycles);
        function(self.beat_bytes);
        function(self.write_back);
        function(self.fetch_full_writes);
        function(self.fetch_whole_lines);
        function(self.write_buffer);
        function(self.entry_cycles);
        function(self.invalidate_cycles);
        function(self.tag_clear_cycles);
        function(self.disable_invalidates);
    }

    /// Returns the time of a clean or clean-and-invalidate by range, write-backs apart.
    [[nodiscard]] Picoseconds range_ps(std::uint32_t bytes, double nic_hz) const {
        const double lines = static_cast<double>(bytes) / line_bytes.value;
        return cycles_to_ps(std::max(lines, entries.value) * entry_cycles.value, nic_hz);
    }
    [[nodiscard]] Picoseconds invalidate_ps(double nic_hz) const {
        return cycles_to_ps(invalidate_cycles.value, nic_hz);
    }
};

}  // namespace n6vp::models

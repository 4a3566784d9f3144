// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Numbers of one NPU epoch for tables and reports, supplied by the simulation: no trace format
/// computes one.
namespace n6vp::traces {

/// What the engines moved from and to one memory.
struct EpochTraffic {
    std::string memory;
    std::uint64_t bytes_read = 0, bytes_written = 0;
};

/// A part of the time and what it went to.
struct EpochShare {
    std::string cause;
    double share = 0;  ///< of the time from start to end
};

/// A cause as charts show it.
struct EpochCause {
    std::string name, sentence;
    std::string light, dark;  ///< colour by theme: "#rrggbb"
};

struct EpochRecord {
    /// In the model: the epoch controller's label, or from the name of the phase; -1: not known.
    std::int64_t number = -1;
    bool by_controller = false;  ///< the epoch controller ran it
    bool ended = false;
    std::string phase;                 ///< innermost one of the program at its beginning
    std::uint64_t start = 0, end = 0;  ///< ps since reset
    double npu_cycles = 0;             ///< first engine on to last output engine done
    std::string engines;               ///< "0 3 > 8": those that read, those that write
    std::vector<EpochShare> bound;     ///< largest first
    std::uint64_t macs = 0;
    double utilisation = 0;                           ///< of all multipliers, in `npu_cycles`
    std::vector<EpochTraffic> traffic;                ///< memories that were used
    std::uint64_t bytes_read = 0, bytes_written = 0;  ///< of all memories
    std::uint64_t controller_bytes = 0;               ///< that the epoch controller fetched
    std::uint64_t cache_hits = 0, cache_misses = 0;   ///< of the NPU cache, reads and writes
    double waited_cycles = 0;         ///< of the critical path, for what others held
    std::uint64_t bursts_waited = 0;  ///< ps, sum over bursts, which may overlap
};

}  // namespace n6vp::traces

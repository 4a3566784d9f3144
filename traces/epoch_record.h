// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What one epoch of the NPU was, for tables and reports.
namespace n6vp::traces {

/// What the NPU moved from and to one memory.
struct EpochTraffic {
    std::string memory;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    std::uint64_t waited = 0;  ///< ps, for ports that others held
};

/// A part of the time and what it went to.
struct EpochShare {
    std::string cause;
    double share = 0;  ///< of the epoch
};

struct EpochRecord {
    /// In the model: the epoch controller's label, or from the name of the phase; -1: not known.
    std::int64_t number = -1;
    bool by_controller = false;  ///< the epoch controller ran it
    bool ended = false;
    std::string phase;                 ///< innermost one of the program at its beginning
    std::uint64_t start = 0, end = 0;  ///< ps since reset
    double cycles = 0;                 ///< of the NPU
    std::string engines;               ///< "0 3 > 8": those that read, those that write
    std::vector<EpochShare> bound;     ///< largest first
    std::uint64_t macs = 0;
    double utilisation = 0;             ///< of the multipliers of those units that worked
    std::vector<EpochTraffic> traffic;  ///< memories that were used
    std::uint64_t cache_hits = 0, cache_misses = 0;  ///< reads, of the NPU cache
    std::uint64_t waited = 0;                        ///< ps, sum over `traffic`
};

}  // namespace n6vp::traces

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace n6vp::test {

/// What a run of the probe printed.
struct ProbeRun {
    bool finished = false;
    std::uint64_t time = 0, cycles = 0, instructions = 0, hash = 0, in_use = 0, events = 0;
    std::vector<std::uint32_t> results;  ///< of the program
    std::vector<std::uint32_t> reads;    ///< what the other master read
    double host_seconds = 0;
};

/// Runs the probe in a process of its own: "visibility approx 1000 0 1". Fails with
/// std::runtime_error if it does not start.
[[nodiscard]] ProbeRun probe(const std::string& arguments);

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/host/junit.h"

namespace n6vp::sim {

/// Several scenarios, each in a process of its own: there is one platform per process.
struct ScenarioBatch {
    std::vector<std::string> scenarios;
    std::vector<std::string> options;  ///< of `n6vp run`, the same for all
    std::string dump;                  ///< folder: each scenario gets one in it; empty: none
    bool quiet = false;                ///< only failures are reported
};

struct ScenarioOutcome {
    std::string scenario;
    int exit_code = 0;  ///< of the tool; 128 + number if a signal ended it
    JunitCase junit;
};

/// Runs them one after the other and reports each on `out`: verdict and cause of failure. After
/// Ctrl-C, SIGTERM or SIGHUP the one that runs ends in order, the others are left out, and said so.
[[nodiscard]] std::vector<ScenarioOutcome> run_batch(const ScenarioBatch& batch, std::ostream& out);

/// Returns 0 if all went well; the code of a single scenario; else 130 if one was interrupted,
/// or 1.
[[nodiscard]] int exit_code_of(const std::vector<ScenarioOutcome>& outcomes);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <vector>

#include "sim/epoch/epoch_bench.h"
#include "sim/host/json_output.h"

/// Text and JSON of `n6vp epoch`.
namespace n6vp::sim {

struct EpochOutcome {
    std::string title;
    models::core::Timing timing = models::core::Timing::Approx;
    std::vector<EpochResult> epochs;
    std::size_t wanted = 0;   ///< epochs that ran, and those of the file that did not
    std::size_t checked = 0;  ///< buffers with an expectation
    std::vector<BufferDifference> differences;
};

void write_epoch_report(std::ostream& out, const EpochOutcome& outcome);
[[nodiscard]] Json epoch_json(const EpochOutcome& outcome);

}  // namespace n6vp::sim

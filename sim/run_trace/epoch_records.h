// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/console/phase_recorder.h"
#include "sim/platform/epoch_log.h"
#include "traces/epoch_record.h"

namespace n6vp::sim::trace {

/// Returns the epochs with work as tables and traces show them, with the phase of the program in
/// which each began and, where that says it, its number.
[[nodiscard]] std::vector<traces::EpochRecord> epoch_records(const EpochLog& log,
                                                             const Platform& platform,
                                                             const std::vector<Phase>& phases);

}  // namespace n6vp::sim::trace

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/debugger/machine.h"
#include "sim/run/run_session.h"

namespace n6vp::sim::debugger {

/// Returns the commands about a run on the STM32N6. They look and change nothing. The session must
/// outlive them, and log its epochs.
[[nodiscard]] std::vector<MonitorCommand> n6_monitor_commands(RunSession& session);

}  // namespace n6vp::sim::debugger

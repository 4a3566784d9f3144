// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/soc/register_block.h"
#include "sim/debugger/machine.h"
#include "sim/run/run_session.h"

namespace n6vp::sim::debugger {

/// Returns the commands about a run on the STM32N6. They look and change nothing. The session must
/// outlive them, and log its epochs.
[[nodiscard]] std::vector<MonitorCommand> n6_monitor_commands(RunSession& session);

[[nodiscard]] std::string upper_case(std::string text);

/// Returns a line for each register with a name in the words from `first` on: value and name.
/// `peek` answers for those that can be read without effect; `known` has names of the user's, or
/// is null.
[[nodiscard]] std::string register_lines(
    std::uint32_t first, std::uint32_t bytes,
    const std::function<std::optional<models::RegisterBlock::Answer>(std::uint32_t)>& peek,
    const RegisterNames* known);

}  // namespace n6vp::sim::debugger

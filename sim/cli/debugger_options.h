// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <iosfwd>
#include <memory>

#include "sim/debugger/debugger.h"

namespace n6vp::sim::cli {

void add_debugger_options(CLI::App& verb, debugger::DebuggerChoice& choice);

/// Returns true if the protocol has standard output and input for itself.
[[nodiscard]] bool takes_standard_streams(const debugger::DebuggerChoice& choice);

/// Fails with UserError for --gdb-wait without --gdb.
void require_place_to_wait(const debugger::DebuggerChoice& choice);

/// Opens the place for clients and says on `err` where it is. Returns null without --gdb. Fails
/// with UserError.
[[nodiscard]] std::unique_ptr<debugger::Debugger> open_debugger(
    const debugger::DebuggerChoice& choice, std::ostream& err);

}  // namespace n6vp::sim::cli

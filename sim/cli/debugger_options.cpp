// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/debugger_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "sim/host/errors.h"

namespace n6vp::sim::cli {

void add_debugger_options(CLI::App& verb, debugger::DebuggerChoice& choice) {
    verb.add_option("--gdb", choice.place,
                    "serve GDB at PORT of this host (0: any free one, which the first line on "
                    "standard error names), or on standard input and output: stdio")
        ->type_name("PORT");
    verb.add_flag(
        "--gdb-wait", choice.wait,
        "halt before the first instruction until a debugger continues; implied by --gdb stdio");
}

bool takes_standard_streams(const debugger::DebuggerChoice& choice) {
    return choice.place == "stdio";
}

void require_place_to_wait(const debugger::DebuggerChoice& choice) {
    if (choice.wait && choice.place.empty())
        throw UserError("--gdb-wait without --gdb", "name a port: --gdb 3333 --gdb-wait");
}

std::unique_ptr<debugger::Debugger> open_debugger(const debugger::DebuggerChoice& choice,
                                                  std::ostream& err) {
    require_place_to_wait(choice);
    if (choice.place.empty()) return nullptr;
    auto clients = std::make_unique<debugger::Debugger>(choice);
    err << fmt::format("gdb: {}\n", clients->link().place()) << std::flush;
    return clients;
}

}  // namespace n6vp::sim::cli

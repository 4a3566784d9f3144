// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <CLI/CLI.hpp>
#include <iosfwd>
#include <span>

#include "sim/host/exit_codes.h"

namespace n6vp::sim::cli {

/// What a verb writes to and leaves behind.
struct Session {
    std::ostream& out;
    std::ostream& err;
    int exit_code = kExitOk;
    bool output_lost = false;  ///< something could not be written: kExitOutput in place of kExitOk
};

/// A verb of the command line. `add` registers its subcommand, whose callback does the work and
/// sets `exit_code`. Errors of use or input are thrown as `UserError` and printed in one place.
struct Verb {
    void (*add)(CLI::App& app, Session& session);
};

/// Returns all verbs in the order of the help.
[[nodiscard]] std::span<const Verb> verbs();

}  // namespace n6vp::sim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <CLI/CLI.hpp>
#include <iosfwd>

namespace n6vp::sim::cli {

/// Exit codes of every verb.
enum ExitCode : int {
    kExitOk = 0,
    kExitExpectation = 1,  ///< an expectation failed, or `check` found errors
    kExitUsage = 2,        ///< usage, configuration or unreadable file
    kExitGuestFault = 3,
    kExitUnmodelled = 4,
    kExitLimit = 5,
    kExitRefused = 6,  ///< the loader refused the model
    kExitInternal = 70,
    kExitInterrupted = 130,
};

/// What a verb writes to and leaves behind.
struct Session {
    std::ostream& out;
    std::ostream& err;
    int exit_code = kExitOk;
};

/// Each verb registers its subcommand; its callback does the work and sets `exit_code`. Errors of
/// use or input are thrown as `UserError` and printed in one place.
void add_analyze(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_ecdump(CLI::App& app, Session& session);
void add_epoch(CLI::App& app, Session& session);
void add_exec(CLI::App& app, Session& session);
void add_generate(CLI::App& app, Session& session);
void add_info(CLI::App& app, Session& session);
void add_install(CLI::App& app, Session& session);
void add_map(CLI::App& app, Session& session);
void add_pack(CLI::App& app, Session& session);
void add_params(CLI::App& app, Session& session);
void add_run(CLI::App& app, Session& session);
void add_supported_ops(CLI::App& app, Session& session);
void add_validate(CLI::App& app, Session& session);

}  // namespace n6vp::sim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <CLI/CLI.hpp>
#include <iosfwd>

#include "sim/host/exit_codes.h"

namespace n6vp::sim::cli {

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

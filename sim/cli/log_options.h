// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cli/verb.h"

namespace n6vp::sim::cli {

/// Adds --log and --log-file to a verb that runs something; the log is open when its callback runs.
void add_log_options(CLI::App& verb, Session& session);

/// Fails with UserError if the log would overwrite a file that the command line names beside it.
void require_log_file_apart(int argc, char** argv);

}  // namespace n6vp::sim::cli

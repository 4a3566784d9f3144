// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cli/common_options.h"
#include "sim/cli/frame.h"
#include "sim/cli/run_model.h"
#include "sim/debugger/debugger.h"
#include "sim/run/run_config.h"
#include "sim/run_trace/trace_request.h"

namespace n6vp::sim::cli {

/// An option that sets a key of the configuration.
struct KeyOption {
    const char* names;  ///< parted by commas
    const char* key;
    const char* type;
};

/// The command line of `n6vp run`.
struct RunOptions {
    std::vector<std::string> files;  ///< models, or scenarios
    std::string scenario;            ///< the only one of them, or the first model
    ModelRunOptions model;
    std::vector<std::pair<const KeyOption*, std::unique_ptr<std::string>>> keys;
    std::vector<std::string> elf, uarts, masters, images, symbols, hex, srec, bin;
    ParameterOptions parameters;
    std::string report, junit;
    trace::TraceRequest trace;
    debugger::DebuggerChoice debugger;
    bool strict = false, csv = false, json = false, print_config = false, quiet = false;

    /// Returns what was typed for a key, "" for nothing.
    [[nodiscard]] std::string typed(std::string_view key) const;
};

void add_run_options(CLI::App& verb, RunOptions& options, Session& session);

/// Returns the settings of the scenario, unless the file is a model, and those of the command line,
/// which take precedence. Fails with UserError for what cannot be read.
[[nodiscard]] RunConfig configure(const RunOptions& options, bool has_model);

/// Returns the command line again, for each scenario of a batch.
[[nodiscard]] std::vector<std::string> options_for_each(const RunOptions& options);

}  // namespace n6vp::sim::cli

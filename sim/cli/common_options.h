// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "sim/model_file/model_source.h"
#include "sim/platform/platform_parameters.h"
#include "sim/run_trace/trace_request.h"

/// Options that several verbs have: one name, one meaning.
namespace n6vp::sim::cli {

/// Registers FILE and --params.
void add_file_options(CLI::App& verb, ModelOptions& options);
/// Registers --at, --params-at, --exec, --ext, --mode, --clear, --firmware, --instance and --grant.
void add_install_options(CLI::App& verb, ModelOptions& options);

/// Timing parameters as typed.
struct ParameterOptions {
    std::string file;                   ///< --params-file
    std::vector<std::string> settings;  ///< --set

    /// Changes parameters as the file says, then as the settings say. Fails with UserError for what
    /// cannot be read.
    void apply_to(PlatformParameters& parameters) const;
};
/// Registers --params-file and --set.
void add_parameter_options(CLI::App& verb, ParameterOptions& options);

/// Registers --trace, --trace-filter, --trace-limit and --trace-functions.
void add_trace_options(CLI::App& verb, trace::TraceRequest& request);

}  // namespace n6vp::sim::cli

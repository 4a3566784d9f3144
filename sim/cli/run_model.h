// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "sim/cli/frame.h"
#include "sim/model_run/model_run.h"
#include "sim/run_config.h"

/// The part of `n6vp run` that is about a model in place of a program.
namespace n6vp::sim::cli {

/// As typed.
struct ModelRunOptions {
    model_run::ModelChoice choice;
    std::string policy = "strict", input = "zero", range, clocks = "overdrive";
    std::vector<std::string> snapshots;    ///< EPOCH:ADDR:BYTES
    std::vector<const CLI::Option*> only;  ///< which mean nothing without a model
};

void add_model_run_options(CLI::App& verb, ModelRunOptions& options);

/// Fails with UserError if options were given that need a model.
void require_no_model_options(const ModelRunOptions& options);

/// Returns what the options ask for of the model in `file`; `exec_ram` as typed. Fails with
/// UserError for what cannot be read.
[[nodiscard]] model_run::ModelChoice model_choice(const ModelRunOptions& options,
                                                  const std::string& file,
                                                  const std::string& exec_ram);

/// Shows why a model would not install, with exit code 6. Returns false if it would. The vendor's
/// loader judges less: with its policy the model comes to the loader on the chip.
[[nodiscard]] bool refuse_model(const model_run::ModelRun& model, bool json, Session& session);

/// Sets the exit code of a run of a model, whose firmware has ended with what it found, and takes
/// the outputs.
void judge_model(model_run::ModelRun& model, const RunOutcome& outcome, Session& session);

}  // namespace n6vp::sim::cli

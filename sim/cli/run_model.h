// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/frame.h"
#include "sim/inference/model_run.h"
#include "sim/inference/model_set.h"
#include "sim/inference/program_epochs.h"
#include "sim/microcontroller/mcu_model_run.h"
#include "sim/run/run_config.h"

/// The part of `n6vp run` that is about a model in place of a program.
namespace n6vp::sim::cli {

/// As typed.
struct ModelRunOptions {
    model_run::ModelChoice choice;
    std::string policy = "strict", input = "zero", range, clocks = "overdrive";
    bool overlay = false;                ///< of several models
    std::vector<std::string> snapshots;  ///< EPOCH:ADDR:BYTES
    std::string clock;                   ///< of an older chip
    /// Which the older chips do not have.
    std::vector<const CLI::Option*> only_n6;
    std::vector<const CLI::Option*> only;  ///< which mean nothing without a model
};

/// What runs in place of a program of the user's: one model, or several.
struct InferenceTarget {
    std::optional<model_run::ModelRun> one;
    std::optional<model_run::ModelSet> several;
    model_run::ProgramEpochs program;  ///< of neither: of firmware of the user's

    [[nodiscard]] bool any() const { return one || several; }
    /// Returns the files of the inputs, and of what the outputs must be.
    [[nodiscard]] std::vector<std::string> tensor_files() const;
    void configure(RunConfig& config) const;
    /// Listens to a session, which outlives the run of the models.
    void attach(RunSession& session);
    void listen(RunSession::Streams& streams);
    /// Fails with UserError if one of them was not to be had: when the results are written.
    void write_snapshots() const;
};

/// A run of models that has ended.
struct EndedModels {
    InferenceTarget& subject;
    const PhaseRecorder& phases;
    const RunPlan& plan;
    const RunOutcome& outcome;
};

void add_model_run_options(CLI::App& verb, ModelRunOptions& options);

/// Fails with UserError if options were given that need a model.
void require_no_model_options(const ModelRunOptions& options);

/// Returns what the options ask for of the model in `file`; `exec_ram` as typed. Fails with
/// UserError for what cannot be read.
[[nodiscard]] model_run::ModelChoice model_choice(const ModelRunOptions& options,
                                                  const std::string& file,
                                                  const std::string& exec_ram);

/// Returns the same for a model of the older family on `chip`; `exec_ram` may be "heap". Fails with
/// UserError also for options that such a run does not have.
[[nodiscard]] McuModelChoice mcu_model_choice(const ModelRunOptions& options,
                                              const std::string& file, const std::string& exec_ram,
                                              const memmap::Chip& chip);

/// Fails with UserError for a model of the older family: it needs --chip.
void require_model_of_n6(const std::string& file);

/// Shows why a model would not install, with exit code 6. Returns false if all would. The vendor's
/// loader judges less: with its policy the model comes to the loader on the chip.
[[nodiscard]] bool refuse_models(const InferenceTarget& subject, bool json, Session& session);

/// Sets the exit code of a run whose firmware has ended with what it found, takes the outputs, and
/// adds what there is to tell to the document.
void judge_models(const EndedModels& ended, Json& document, Session& session);
void write_models(std::ostream& out, const EndedModels& ended);

}  // namespace n6vp::sim::cli

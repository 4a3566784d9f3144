// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/host/temp_folder.h"
#include "sim/inference/epoch_ends.h"
#include "sim/inference/firmware_lines.h"
#include "sim/inference/model_memory.h"
#include "sim/inference/model_tensors.h"
#include "sim/inference/npu_epochs.h"
#include "sim/inference/snapshots.h"
#include "sim/model_file/model_source.h"
#include "sim/run/run_config.h"
#include "sim/run/run_session.h"

/// `n6vp run MODEL`: a model instead of a program. The project's own firmware installs and runs it
/// on the simulated chip; inputs and outputs go through a folder of the run's own.
namespace n6vp::sim::model_run {

struct ModelChoice {
    ModelOptions model;
    loader::Policy policy = loader::Policy::Strict;
    InputChoice inputs;
    OutputDemand expect;
    std::string outputs;  ///< folder; empty: not kept
    std::uint32_t repeat = 1;
    std::vector<SnapshotPoint> snapshots;  ///< written to the folder `outputs`
    std::uint32_t clocks = 0;              ///< the firmware's word (loader/firmware/base/job.h)
};

/// Returns true if the file begins like a model. What cannot be read is none.
[[nodiscard]] bool is_model_file(const std::string& path);

/// Returns the firmware of a policy: beside the tool in a build folder, or below its prefix where
/// an installation has it. Fails with UserError, naming the places.
[[nodiscard]] std::filesystem::path find_firmware(loader::Policy policy);
/// The same for the program of that name.
[[nodiscard]] std::filesystem::path find_firmware(const std::string& name);

/// Returns the words that tell the firmware where a model is and what it was built for.
[[nodiscard]] std::string model_words(const InstallPlan& plan);

/// Returns the words that tell the firmware where buffers of a model's user may be: where nothing
/// of `taken` is.
[[nodiscard]] std::string user_words(std::vector<AddressRange> taken);

class ModelRun {
  public:
    /// Reads all files. Fails with UserError for one that cannot be read.
    explicit ModelRun(const ModelChoice& choice);

    [[nodiscard]] const ModelFiles& files() const { return files_; }
    [[nodiscard]] const InstallPlan& plan() const { return plan_; }

    /// Sets program, images, folder and words; words that the user set follow those.
    void configure(RunConfig& config) const;
    /// Listens to the NPU of the session, which outlives the run of the model.
    void attach(RunSession& session);
    /// Takes text of the firmware; fails with UserError if an input does not fit.
    void take(std::string_view text) { lines_.take(text); }
    /// Takes a phase of the firmware that begins or ends.
    void take_phase(const Phase& phase);
    /// Returns how far the firmware is, for people.
    [[nodiscard]] std::string activity() const;
    /// The session has run: returns true if all went well, and then has the outputs.
    [[nodiscard]] bool finish(const RunOutcome& outcome);
    /// Writes the outputs of a run that went well, if they are kept. Fails with UserError.
    void write_outputs();
    /// Writes the snapshots of a run that went well. To be called when its results are written:
    /// fails with UserError if one of them was not to be had.
    void write_snapshots() const;

    [[nodiscard]] const ModelChoice& choice() const { return choice_; }
    [[nodiscard]] const FirmwareLines& lines() const { return lines_; }
    [[nodiscard]] const std::vector<TensorFile>& inputs() const { return inputs_.files(); }
    [[nodiscard]] const std::vector<TensorFile>& outputs() const { return outputs_.files(); }
    /// Returns true if the outputs are what they must be.
    [[nodiscard]] bool as_expected() const { return outputs_.as_expected(); }
    [[nodiscard]] const ModelMemory& memory() const { return memory_; }
    /// Of the first inference; empty before `finish`.
    [[nodiscard]] const std::vector<NpuEpoch>& epochs() const { return epochs_; }
    /// Returns true if the loader on the chip refused the model.
    [[nodiscard]] bool refused() const { return lines_.install_code().value_or(0) != 0; }

  private:
    ModelChoice choice_;
    ModelFiles files_;
    InstallPlan plan_;
    ModelMemory memory_;
    TempFolder folder_{"run"};
    TensorFiles given_, demanded_;
    Inputs inputs_;
    Outputs outputs_;
    FirmwareLines lines_;
    EpochLog* log_ = nullptr;        ///< of the session
    Platform* platform_ = nullptr;   ///< of the session
    std::vector<BlockTime> blocks_;  ///< that the firmware marked: of the first inference
    std::vector<NpuEpoch> epochs_;
    Snapshots snapshots_;
    EpochEnds epoch_ends_;
    bool finished_ = false;     ///< and all went well
    std::string stage_, part_;  ///< of the firmware: phases of the first and second depth
};

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/host/temp_folder.h"
#include "sim/inference/model_run.h"

/// `n6vp run MODEL MODEL...`: several models in one run, by turns. Either each stays installed in a
/// part of the exec RAM, or each is installed into all of it before it runs, over the one before.
namespace n6vp::sim::model_run {

struct SetChoice {
    std::vector<std::string> models;
    /// Of each model, but for its file; files of inputs and outputs are those of the first model,
    /// then those of the second, and so on.
    ModelChoice each;
    bool overlay = false;
};

class ModelSet {
  public:
    struct Install {
        models::Picoseconds time = 0;
        std::uint64_t cycles = 0;
    };
    struct Member {
        Member(ModelSet& set, const std::string& file, const std::string& at, std::uint32_t number);

        std::uint32_t number;  ///< from 1
        ModelFiles files;
        InstallPlan plan;
        ModelMemory memory;
        std::filesystem::path folder;
        Inputs inputs;
        Outputs outputs;
        FirmwareLines lines;
        std::vector<Install> installs;
    };

    /// Reads all files. Fails with UserError for one that cannot be read, and for models that
    /// cannot be together.
    explicit ModelSet(const SetChoice& choice);

    /// Sets program, images, folder and words; words that the user set follow those.
    void configure(RunConfig& config) const;
    /// Takes text of the firmware; fails with UserError if an input does not fit.
    void take(std::string_view text);
    /// Takes a phase of the firmware that begins or ends.
    void take_phase(const Phase& phase);
    /// Returns how far the firmware is, for people.
    [[nodiscard]] std::string activity() const;
    /// Returns true if all went well, and then has the outputs.
    [[nodiscard]] bool finish(const RunOutcome& outcome);
    /// Writes the outputs of a run that went well, if they are kept. Fails with UserError.
    void write_outputs();

    [[nodiscard]] const SetChoice& choice() const { return choice_; }
    [[nodiscard]] const std::vector<std::unique_ptr<Member>>& members() const { return members_; }
    /// The model that the firmware works on, or worked on in the end.
    [[nodiscard]] const Member& current() const { return *members_[current_]; }
    /// Exec RAM that a model takes; 0 if it cannot be read.
    [[nodiscard]] static std::uint64_t exec_bytes(const Member& member);
    /// Returns true if the outputs are what they must be.
    [[nodiscard]] bool as_expected() const;
    /// Returns true if the chip refused a model.
    [[nodiscard]] bool refused() const;

  private:
    void listen(Member& member);
    void take_line(std::string_view line);
    void require_weights_apart() const;

    SetChoice choice_;
    TempFolder folder_{"run"};
    TensorFiles given_, demanded_;
    std::vector<std::unique_ptr<Member>> members_;
    std::size_t current_ = 0;
    std::string partial_, stage_;
};

}  // namespace n6vp::sim::model_run

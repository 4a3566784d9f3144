// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/core/ir/core_fault.h"
#include "sim/check/check_model.h"
#include "sim/host/temp_folder.h"
#include "sim/inference/model_tensors.h"
#include "sim/microcontroller/mcu_model_guest.h"
#include "sim/microcontroller/mcu_model_plan.h"
#include "sim/microcontroller/mcu_session.h"

/// A model of the older family in place of a program: the project's own firmware installs and runs
/// it on the chip, and tells what it does by events (loader/firmware/mcu/job.h).
namespace n6vp::sim {

struct McuModelChoice {
    ModelOptions model;
    model_run::InputChoice inputs;
    model_run::OutputDemand expect;
    std::string outputs;  ///< folder; empty: not kept
    std::uint32_t repeat = 1;
    std::uint32_t clock_hz = 0;  ///< 0: the chip's maximum
};

/// One layer, in core cycles.
struct McuNode {
    std::uint32_t c_idx = 0, type = 0, id = 0;
    std::uint32_t before = 0;  ///< since the node before, or since the inference began
    std::uint32_t cycles = 0;
};

struct McuInference {
    std::int32_t batches = 0;  ///< 1, or what `run` returned instead
    std::uint32_t cycles = 0, error = 0, output_crc = 0;
};

/// What became of one variant.
struct McuVariantRun {
    const McuVariant* variant = nullptr;
    struct Refusal {
        std::uint32_t rule = 0, offset = 0, address = 0, expected = 0, found = 0;
    };
    std::optional<Refusal> refusal;
    struct Load {
        std::uint32_t error = 0, handle = 0, cycles = 0, create_cycles = 0;
        std::array<std::uint32_t, 7> phases{};  ///< cycles, by loader::Phase
    };
    std::optional<Load> load;
    struct Image {
        std::uint32_t start = 0, bytes = 0, crc = 0;
        std::vector<std::uint8_t> content;
    };
    std::optional<Image> image;  ///< what the loader wrote, before `create`
    struct Init {
        bool done = false;
        std::uint32_t cycles = 0, error = 0;
    };
    std::optional<Init> init;
    std::optional<McuModelReport> report;
    std::vector<McuInference> inferences;
    std::optional<McuInference> observed;  ///< one more, with a call per node
    std::vector<McuNode> nodes;
    struct End {
        std::uint32_t result = 0, cycles = 0, heap_bytes = 0;
    };
    std::optional<End> end;  ///< of `destroy`
    /// Bytes below the stack pointer with which the model was entered, while it ran: by create,
    /// init and report; by an inference.
    std::uint32_t stack_set_up = 0, stack_run = 0;
    std::string failure;  ///< of the run, not of the loader

    [[nodiscard]] bool complete() const { return end && failure.empty(); }
};

/// A fault of core, and in which variant.
struct McuModelFault {
    models::core::CoreFault fault;
    std::size_t variant = 0;
};

class McuModelRun {
  public:
    /// Reads all files and judges the model. Fails with UserError for what cannot be read, for
    /// options that do not fit, and, with exit code 6, for missing weights.
    McuModelRun(const McuModelChoice& choice, const memmap::Chip& chip);

    /// Returns what the loader's Strict rules say: of the first variant with errors, else of the
    /// first one.
    [[nodiscard]] const CheckReport& check() const { return check_; }
    [[nodiscard]] const LegacyPlan& checked_plan() const { return *checked_plan_; }
    [[nodiscard]] const ModelFiles& files() const { return files_; }

    /// The model may be run. Sets program and images.
    void configure(RunConfig& config) const;
    /// Hands the job to the firmware and listens to it. The session outlives the run of the model.
    void attach(McuSession& session);
    /// The session has run. Fails with UserError if an input or a demanded output did not fit.
    void finish();
    /// Writes the outputs of a run that went well, if they are kept. Fails with UserError.
    void write_outputs();
    /// Writes what each variant's install left, before `create`, as image_0.bin, image_1.bin, ...,
    /// in the order of `variants`. Fails with UserError.
    void write_images(const std::filesystem::path& folder) const;

    [[nodiscard]] const McuModelChoice& choice() const { return choice_; }
    /// Of a model that passed the check.
    [[nodiscard]] const McuModelPlan& plan() const { return *plan_; }
    [[nodiscard]] const std::vector<McuVariantRun>& variants() const { return variants_; }
    [[nodiscard]] const std::optional<McuModelFault>& fault() const { return fault_; }
    [[nodiscard]] const std::vector<model_run::TensorFile>& inputs() const {
        return inputs_.files();
    }
    [[nodiscard]] const std::vector<model_run::TensorFile>& outputs() const {
        return outputs_.files();
    }
    [[nodiscard]] bool complete() const;
    [[nodiscard]] bool refused() const;
    [[nodiscard]] bool as_expected() const { return outputs_.as_expected(); }
    /// All inferences of all variants wrote the same bytes.
    [[nodiscard]] bool identical() const;

  private:
    using Words = std::array<std::uint32_t, firmware::mcu::kEventWords>;

    void judge();
    void answer(models::core::Core& core);
    [[nodiscard]] std::uint32_t take(const Words& words);
    [[nodiscard]] std::uint32_t describe(const Words& words);
    void keep_image(std::uint32_t static_base);
    void begin_inference(bool observed);
    void end_inference(const Words& words);
    void fail(const Words& words);
    void watch_stack(std::uint32_t& deepest);
    void end_watch();
    [[nodiscard]] McuVariantRun& now() { return variants_.back(); }

    McuModelChoice choice_;
    const memmap::Chip& chip_;
    ModelFiles files_;
    std::optional<McuModelPlan> plan_;
    std::optional<LegacyPlan> checked_plan_;
    CheckReport check_;
    TempFolder folder_{"run"};
    model_run::TensorFiles given_, demanded_;
    model_run::Inputs inputs_;
    model_run::Outputs outputs_;
    std::vector<std::string> input_bytes_;  ///< of all variants
    McuSession* session_ = nullptr;
    std::vector<McuVariantRun> variants_;
    std::optional<McuModelFault> fault_;
    struct Watch {
        std::uint32_t top = 0, lowest = 0;
        std::uint32_t* deepest = nullptr;
    };
    Watch watch_;
    std::exception_ptr failure_;
    bool collected_ = false;
};

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/model_run.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "loader/firmware/chip/cycles.h"
#include "sim/host/errors.h"
#include "sim/model_file/model_pools.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

/// End of a block that has not ended.
constexpr models::Picoseconds kOpen = ~models::Picoseconds{0};

[[nodiscard]] unsigned number_of(loader::Generation generation) {
    constexpr std::array kNumbers = {21U, 22U, 30U, 40U};
    return kNumbers[static_cast<std::size_t>(generation)];
}

/// The firmware's `build` word (loader/firmware/base/job.h).
[[nodiscard]] unsigned build_of(const loader::RuntimeProfile& profile) {
    return (profile.secure ? 1U : 0U) | (profile.dbg_info ? 2U : 0U) | (profile.async ? 4U : 0U) |
           (profile.ndebug ? 8U : 0U);
}

}  // namespace

bool is_model_file(const std::string& path) {
    std::error_code error;
    // A pipe would lose what is read of it.
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::vector<std::uint8_t> first(4);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(first.data()), static_cast<std::streamsize>(first.size()));
    return file && is_model(first);
}

std::filesystem::path find_firmware(loader::Policy policy) {
    return find_firmware(policy == loader::Policy::Compat ? "n6vp_firmware_chip_compat.elf"
                                                          : "n6vp_firmware_chip.elf");
}

std::filesystem::path find_firmware(const std::string& name) {
    std::error_code error;
    const std::filesystem::path tool = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path folder = tool.parent_path();
    const std::array places = {folder / "arm/loader/firmware" / name,
                               folder.parent_path() / "share/n6vp/firmware" / name};
    std::string looked;
    for (const std::filesystem::path& place : places) {
        if (std::filesystem::is_regular_file(place, error)) return place;
        looked += (looked.empty() ? "" : ", ") + traces::terminal_text(place.string());
    }
    throw UserError("the built-in firmware is missing: " + looked,
                    "build target n6vp_arm with arm-none-eabi-g++ before installing, or run other "
                    "firmware with --elf");
}

std::string model_words(const InstallPlan& plan) {
    const loader::InstallRequest& request = plan.request();
    return fmt::format("file=0x{:08x} params=0x{:08x} mode={} generation={} build={}",
                       to_word(request.file), to_word(request.params), request.mode,
                       number_of(request.profile.generation), build_of(request.profile));
}

std::string user_words(std::vector<AddressRange> taken) {
    const AddressRange room = free_psram(std::move(taken));
    return fmt::format("user=0x{:08x} user_bytes={}", to_word(room.start), room.bytes);
}

ModelRun::ModelRun(const ModelChoice& choice)
    : choice_(choice),
      files_(read_model(choice.model.file, choice.model.params)),
      plan_(choice.model, files_),
      memory_(files_, plan_),
      given_(choice.inputs.files, "input", "-i"),
      demanded_(choice.expect.files, "output", "--expect"),
      inputs_(choice.inputs, given_, folder_.path()),
      outputs_(choice.expect.tolerance, demanded_, choice.outputs),
      lines_(plan_.request().profile.generation),
      snapshots_(choice.snapshots),
      epoch_ends_([this](std::uint32_t epoch) { snapshots_.epoch_ended(epoch, *platform_); }) {
    lines_.on_tensor = [this](const Tensor& tensor) {
        if (tensor.input) {
            inputs_.add(tensor);
        } else {
            outputs_.add(tensor);
        }
    };
    lines_.on_all_tensors = [this] {
        given_.finish();
        demanded_.finish();
    };
}

void ModelRun::configure(RunConfig& config) const {
    const loader::InstallRequest& request = plan_.request();
    config.set("elf", find_firmware(choice_.policy).string(), "MODEL");
    config.set("boot", "reset", "MODEL");
    config.set("files", folder_.path().string(), "MODEL");
    config.set("exec_ram",
               fmt::format("0x{:08x}:{}", to_word(request.exec_ram), request.exec_ram_bytes),
               choice_.model.exec.empty() ? "default" : "--exec");
    std::string words = fmt::format(
        "infer files tensors table marks clocks={} repeat={} {} exec=0x{:08x} exec_bytes={} "
        "ext=0x{:08x} ext_bytes={} {}",
        choice_.clocks, choice_.repeat, model_words(plan_), to_word(request.exec_ram),
        request.exec_ram_bytes, to_word(request.ext_ram), request.ext_ram_bytes,
        user_words(memory_.taken()));
    if (const std::string& more = config.get("arguments").text; !more.empty()) words += " " + more;
    config.set("arguments", words, "MODEL");
    const auto place = [&config](AddressRange range, const std::string& file, const char* origin) {
        config.add_image({{fmt::format("0x{:08x}", to_word(range.start)), origin}, file, {}});
    };
    place(plan_.file(), files_.file_path, choice_.model.at.empty() ? "MODEL" : "--at");
    if (files_.params_path.empty()) return;
    place(plan_.params(), files_.params_path,
          choice_.model.params_at.empty() ? "--params" : "--params-at");
}

bool ModelRun::finish(const RunOutcome& outcome) {
    if (log_ != nullptr) {
        const std::vector<LoggedEpoch>& log = log_->epochs();
        // A block that the run's end cut off.
        if (!blocks_.empty() && blocks_.back().end == kOpen)
            blocks_.back().end = log.empty() ? blocks_.back().start : log.back().end;
        epochs_ = epochs_of(blocks_, log, memory_, platform_->parameters());
    }
    if (outcome.verdict != RunVerdict::Exit || outcome.exit_code != 0) return false;
    outputs_.collect(folder_.path());
    finished_ = true;
    return true;
}

void ModelRun::write_outputs() {
    if (finished_) outputs_.write();
}

void ModelRun::write_snapshots() const {
    if (finished_) snapshots_.write(choice_.outputs);
}

void ModelRun::attach(RunSession& session) {
    log_ = &session.log_epochs();
    platform_ = &session.platform();
    log_->on_next = [this](std::uint32_t label) {
        if (blocks_.empty() || blocks_.back().end != kOpen) return;
        epoch_ends_.begin_epoch(label);
    };
}

void ModelRun::take_phase(const Phase& phase) {
    constexpr unsigned kStage = 1, kPart = 2;
    if (phase.depth == kStage) {
        stage_ = phase.ended ? std::string() : phase.name;
        part_.clear();
    }
    if (phase.depth == kPart) part_ = phase.ended ? std::string() : phase.name;
    if (phase.id == firmware::chip::kPhaseInference && phase.ended) epoch_ends_.end_inference();
    const bool inserted = phase.id == firmware::chip::kPhaseInsertedBlock;
    if (phase.id != firmware::chip::kPhaseBlock && !inserted) return;
    if (!phase.ended) {
        blocks_.push_back({phase.start, kOpen});
        epoch_ends_.begin_block(inserted);
    } else if (!blocks_.empty()) {
        blocks_.back().end = phase.end;
        epoch_ends_.end_block();
    }
}

std::string ModelRun::activity() const {
    if (stage_ != "inference") {
        return traces::terminal_text(part_.empty() ? stage_ : stage_ + ", " + part_);
    }
    const std::size_t done = lines_.inferences().size();
    std::string text = fmt::format("inference {} of {}", done + 1, choice_.repeat);
    if (done != 0 || log_ == nullptr || blocks_.empty()) return text;
    if (const auto label = log_->label(); label && lines_.last_epoch() != 0) {
        return text + fmt::format(", epoch {} of {}", *label, lines_.last_epoch());
    }
    // Blocks that operators insert are not among those of the plan.
    return text + fmt::format(", block {}", blocks_.size());
}

}  // namespace n6vp::sim::model_run

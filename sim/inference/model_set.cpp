// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/model_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "loader/firmware/base/job.h"
#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/host/numbers.h"
#include "sim/install/install_run.h"
#include "sim/model_file/model_image.h"
#include "sim/model_file/model_pools.h"
#include "sim/model_file/pool_image.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

/// Models stand one behind the other in the flash, as if each were written by itself: erased in
/// blocks of 64 KiB.
constexpr std::uint64_t kFlashBlock = std::uint64_t{64} * 1024;

[[nodiscard]] std::uint64_t next_place(AddressRange file) {
    return (to_word(file.start) + std::uint64_t{file.bytes} + kFlashBlock - 1) & ~(kFlashBlock - 1);
}

[[nodiscard]] ModelOptions options_of(const SetChoice& choice, const std::string& file,
                                      const std::string& at) {
    ModelOptions options = choice.each.model;
    options.file = file;
    options.at = at;
    return options;
}

[[nodiscard]] std::string outputs_of(const SetChoice& choice, std::uint32_t number) {
    return choice.each.outputs.empty() ? "" : fmt::format("{}/{}", choice.each.outputs, number);
}

[[nodiscard]] std::string title_of(const std::string& file, std::uint32_t number) {
    return fmt::format("model {} ({})", number, traces::terminal_text(file));
}

[[nodiscard]] std::vector<PoolImage> pools_of_member(const ModelSet::Member& member) {
    const report::ModelImage image(member.files);
    if (!image.opened()) return {};
    std::vector<PoolImage> pools = pools_of(image.container(), member.plan.request());
    std::erase_if(
        pools, [](const PoolImage& pool) { return pool.type == loader::format::PoolType::Reloc; });
    return pools;
}

[[nodiscard]] std::string pool_text(const ModelSet::Member& member, const PoolImage& pool) {
    return fmt::format(
        "pool {} ({}) of {} at 0x{:08x}, {} bytes", pool.index, traces::terminal_text(pool.name),
        traces::terminal_text(member.files.file_path), to_word(pool.range.start), pool.range.bytes);
}

}  // namespace

ModelSet::Member::Member(ModelSet& set, const std::string& file, const std::string& at,
                         std::uint32_t own_number)
    : number(own_number),
      files(read_model(file, "")),
      plan(options_of(set.choice_, file, at), files),
      memory(files, plan),
      folder(set.folder_.path() / std::to_string(own_number)),
      inputs(set.choice_.each.inputs, set.given_, folder, title_of(file, own_number)),
      outputs(set.choice_.each.expect.tolerance, set.demanded_, outputs_of(set.choice_, own_number),
              title_of(file, own_number)),
      lines(plan.request().profile.generation) {
    std::filesystem::create_directory(folder);
}

ModelSet::ModelSet(const SetChoice& choice)
    : choice_(choice),
      given_(choice.each.inputs.files, "input", "-i"),
      demanded_(choice.each.expect.files, "output", "--expect") {
    if (choice.models.size() > firmware::chip::kMaxModels) {
        throw UserError(fmt::format("{} models in one run", choice.models.size()),
                        fmt::format("at most {} are supported", firmware::chip::kMaxModels));
    }
    if (!choice.each.model.params.empty()) {
        throw UserError("--params and several models",
                        "run models with a parameter file one at a time");
    }
    if (!choice.each.snapshots.empty()) {
        throw UserError("--snapshot and several models", "take snapshots of one model at a time");
    }
    // Six phases for each of them, and a report keeps 10,000.
    constexpr std::size_t kMaxInferences = 1600;
    const std::size_t inferences = choice.models.size() * choice.each.repeat;
    if (inferences > kMaxInferences) {
        throw UserError(fmt::format("{} inferences in one run", inferences),
                        fmt::format("the limit for all models together is {}", kMaxInferences));
    }
    members_.reserve(choice.models.size());
    std::string at = choice.each.model.at;
    for (const std::string& file : choice.models) {
        const auto number = static_cast<std::uint32_t>(members_.size() + 1);
        members_.push_back(std::make_unique<Member>(*this, file, at, number));
        listen(*members_.back());
        at = fmt::format("0x{:08x}", next_place(members_.back()->plan.file()));
    }
    if (!choice.overlay) require_weights_apart();
}

/// The models report their tensors one after the other: files continue from one to the next.
void ModelSet::listen(Member& member) {
    member.lines.on_tensor = [&member](const Tensor& tensor) {
        if (tensor.input) {
            member.inputs.add(tensor);
        } else {
            member.outputs.add(tensor);
        }
    };
    if (member.number != choice_.models.size()) return;
    member.lines.on_all_tensors = [this] {
        given_.finish();
        demanded_.finish();
    };
}

/// What an install copies to a fixed address must still be there when the model runs again.
/// Activations of models that run by turns may lie over each other.
void ModelSet::require_weights_apart() const {
    using loader::format::PoolType;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        for (std::size_t j = 0; j < members_.size(); ++j) {
            if (i == j) continue;
            for (const PoolImage& kept : pools_of_member(*members_[i])) {
                if (kept.type != PoolType::Copy) continue;
                for (const PoolImage& other : pools_of_member(*members_[j])) {
                    if (!share_memory(kept.range, other.range)) continue;
                    throw UserError(pool_text(*members_[i], kept) + " overlaps " +
                                        pool_text(*members_[j], other),
                                    "use --overlay to install each model before it runs, or build "
                                    "the models with separate pools",
                                    kExitRefused);
                }
            }
        }
    }
}

void ModelSet::configure(RunConfig& config) const {
    const loader::InstallRequest& first = members_.front()->plan.request();
    config.set("elf", find_firmware(choice_.each.policy).string(), "MODEL");
    config.set("boot", "reset", "MODEL");
    config.set("files", folder_.path().string(), "MODEL");
    config.set("exec_ram",
               fmt::format("0x{:08x}:{}", to_word(first.exec_ram), first.exec_ram_bytes),
               choice_.each.model.exec.empty() ? "default" : "--exec");
    std::vector<AddressRange> taken;
    for (const auto& member : members_) {
        const std::vector<AddressRange>& own = member->memory.taken();
        taken.insert(taken.end(), own.begin(), own.end());
    }
    std::string words = fmt::format(
        "infer files tensors noblocks{} clocks={} repeat={} exec=0x{:08x} exec_bytes={} "
        "ext=0x{:08x} ext_bytes={} {}",
        choice_.overlay ? " overlay" : "", choice_.each.clocks, choice_.each.repeat,
        to_word(first.exec_ram), first.exec_ram_bytes, to_word(first.ext_ram), first.ext_ram_bytes,
        user_words(std::move(taken)));
    for (const auto& member : members_) {
        words +=
            fmt::format("{} {}", member->number == 1 ? "" : " next", model_words(member->plan));
        config.add_image({{fmt::format("0x{:08x}", to_word(member->plan.file().start)), "MODEL"},
                          member->files.file_path,
                          {}});
    }
    if (const std::string& more = config.get("arguments").text; !more.empty()) words += " " + more;
    config.set("arguments", words, "MODEL");
}

void ModelSet::take(std::string_view text) {
    constexpr std::size_t kMaxLine = 4096;
    partial_ += text;
    std::size_t start = 0;
    for (std::size_t end = 0; (end = partial_.find('\n', start)) != std::string::npos;
         start = end + 1) {
        take_line(std::string_view(partial_).substr(start, end - start + 1));
    }
    partial_.erase(0, start);
    // What is no line has no model: the reader of lines says so.
    if (partial_.size() > kMaxLine) members_[current_]->lines.take(partial_);
}

void ModelSet::take_line(std::string_view line) {
    constexpr std::string_view kModel = "model ";
    if (!line.starts_with(kModel)) return members_[current_]->lines.take(line);
    const std::string_view word = line.substr(kModel.size());
    const std::size_t number =
        parse_digits<std::size_t>(word.substr(0, word.find_first_not_of("0123456789"))).value_or(0);
    if (number >= 1 && number <= members_.size()) current_ = number - 1;
}

void ModelSet::take_phase(const Phase& phase) {
    if (phase.depth != 1) return;
    stage_ = phase.ended ? std::string() : phase.name;
    if (!phase.ended || phase.name != "install") return;
    members_[current_]->installs.push_back({phase.duration(), phase.counted.cycles});
}

std::string ModelSet::activity() const {
    const std::size_t done = current().lines.inferences().size();
    std::string text = fmt::format("model {}, {}", current().number, traces::terminal_text(stage_));
    if (stage_ == "inference") text += fmt::format(" {} of {}", done + 1, choice_.each.repeat);
    return text;
}

bool ModelSet::finish(const RunOutcome& outcome) {
    if (outcome.verdict != RunVerdict::Exit || outcome.exit_code != 0) return false;
    for (const auto& member : members_) member->outputs.collect(member->folder);
    return true;
}

void ModelSet::write_outputs() {
    for (const auto& member : members_) member->outputs.write();
}

std::uint64_t ModelSet::exec_bytes(const Member& member) {
    const std::vector<MemoryUse>& uses = member.memory.uses();
    // Pools, which may have any name, stand before it.
    const auto found = std::find_if(uses.rbegin(), uses.rend(),
                                    [](const MemoryUse& use) { return use.name == "exec RAM"; });
    return found == uses.rend() ? 0 : found->used;
}

bool ModelSet::as_expected() const {
    return std::all_of(members_.begin(), members_.end(),
                       [](const auto& member) { return member->outputs.as_expected(); });
}

bool ModelSet::refused() const {
    return std::any_of(members_.begin(), members_.end(), [](const auto& member) {
        return member->lines.install_code().value_or(0) != 0;
    });
}

}  // namespace n6vp::sim::model_run

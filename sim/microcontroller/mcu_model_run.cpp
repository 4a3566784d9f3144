// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_model_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "loader/crc32.h"
#include "loader/format.h"
#include "sim/check/check_legacy.h"
#include "sim/host/errors.h"
#include "sim/host/output_file.h"
#include "sim/inference/model_run.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace fw = firmware::mcu;
namespace legacy = loader::legacy;

constexpr std::uint64_t kFindings = 20;  // of one rule, as `n6vp check` shows
constexpr std::size_t kMaxNodes = 4096;

[[nodiscard]] std::string firmware_of(const memmap::Chip& chip) {
    const std::string_view core = chip.core;
    return fmt::format("n6vp_firmware_mcu_{}.elf", core.substr(core.find('-') + 1));
}

[[nodiscard]] std::string failure_text(std::uint32_t number) {
    switch (static_cast<fw::Failure>(number)) {
        case fw::Failure::NoReport:
            return "the model returned no report";
        case fw::Failure::TooManyTensors:
            return fmt::format("the model has more than {} inputs or outputs", fw::kMaxTensors);
        case fw::Failure::NoRoom:
            return "no room for inputs and outputs; --exec and --ext leave more of the RAM";
        case fw::Failure::NoObserver:
            return "the model did not take an observer";
    }
    return "the firmware failed";
}

}  // namespace

McuModelRun::McuModelRun(const McuModelChoice& choice, const memmap::Chip& chip)
    : choice_(choice),
      chip_(chip),
      files_(read_model(choice.model.file, choice.model.params)),
      given_(choice.inputs.files, "input", "-i"),
      demanded_(choice.expect.files, "output", "--expect"),
      inputs_(choice.inputs, given_, folder_.path()),
      outputs_(choice.expect.tolerance, demanded_, choice.outputs) {
    judge();
    variants_.reserve(fw::kMaxVariants);
}

void McuModelRun::judge() {
    checked_plan_.emplace(plan_of_file(choice_.model, files_, chip_));
    check_ = check_legacy(files_, *checked_plan_, kFindings);
    if (!check_.passed()) return;
    plan_.emplace(choice_.model, files_, chip_, choice_.clock_hz);
    bool first = true;
    for (const McuVariant& variant : plan_->variants()) {
        LegacyPlan plan = plan_->legacy_plan(variant);
        CheckReport found = check_legacy(files_, plan, kFindings);
        if (!first && found.passed()) continue;
        first = false;
        checked_plan_.emplace(plan);
        check_ = std::move(found);
        if (!check_.passed()) return;
    }
}

void McuModelRun::configure(RunConfig& config) const {
    config.set("elf", model_run::find_firmware(firmware_of(chip_)).string(), "MODEL");
    std::vector<AddressRange> placed;
    const auto place = [&](AddressRange range, const std::string& file, const char* origin) {
        const auto same = [range](AddressRange other) { return other.start == range.start; };
        if (range.bytes == 0 || std::any_of(placed.begin(), placed.end(), same)) return;
        placed.push_back(range);
        config.add_image({{fmt::format("0x{:08x}", to_word(range.start)), origin}, file, {}});
    };
    for (const McuVariant& variant : plan_->variants()) {
        place(variant.file, files_.file_path, "MODEL");
        place(variant.weights, files_.params_path, "--params");
    }
}

void McuModelRun::attach(McuSession& session) {
    session_ = &session;
    const fw::Job job = plan_->job(choice_.repeat);
    std::array<std::uint8_t, sizeof job> bytes{};
    std::memcpy(bytes.data(), &job, sizeof job);
    if (!session.chip().store(GuestAddr{fw::kJobAddress}, bytes))
        throw UserError("the chip has no RAM for the firmware", "choose another chip");
    session.on_application_call = [this](models::core::Core& core) { answer(core); };
    session.chip().core_fault.listen(1, [this](const models::core::CoreFault& fault) {
        if (!fault_) fault_ = McuModelFault{fault, variants_.empty() ? 0 : variants_.size() - 1};
    });
}

/// Nothing may be thrown through the kernel: the run ends, and `finish` tells.
void McuModelRun::answer(models::core::Core& core) {
    constexpr std::uint32_t kStop = 1;
    std::array<std::uint8_t, sizeof(Words)> raw{};
    Words words{};
    std::uint32_t result = kStop;
    try {
        if (core.reg(0) == fw::kEventOperation &&
            session_->chip().fetch(GuestAddr{core.reg(1)}, raw)) {
            for (std::size_t i = 0; i < words.size(); ++i)
                words[i] = loader::format::load_word(raw.data() + 4 * i);
            result = take(words);
        }
    } catch (...) {
        failure_ = std::current_exception();
        session_->chip().core().stop();
    }
    core.set_reg(0, result);
}

std::uint32_t McuModelRun::take(const Words& words) {
    const auto event = static_cast<fw::Event>(words[0]);
    if (event == fw::Event::VariantBegins) {
        const std::size_t number = words[1];
        if (number != variants_.size() || number >= plan_->variants().size()) return 1;
        variants_.emplace_back().variant = &plan_->variants()[number];
        watch_stack(now().stack_set_up);
        return 0;
    }
    if (variants_.empty()) return 1;
    McuVariantRun& run = now();
    switch (event) {
        case fw::Event::Refused:
            run.refusal = {words[1], words[2], words[3], words[4], words[5]};
            break;
        case fw::Event::Installed:
            keep_image(words[1]);
            break;
        case fw::Event::Loaded:
            run.load = {words[1], words[2], words[3], words[4], {}};
            std::copy_n(words.begin() + 5, run.load->phases.size(), run.load->phases.begin());
            break;
        case fw::Event::Initialised:
            run.init = {words[1] != 0, words[2], words[3]};
            break;
        case fw::Event::Described:
            end_watch();
            return describe(words);
        case fw::Event::InferenceBegins:
            begin_inference(words[1] != 0);
            break;
        case fw::Event::InferenceEnds:
            end_inference(words);
            break;
        case fw::Event::Node:
            if (run.nodes.size() < kMaxNodes)
                run.nodes.push_back({words[1], words[2], words[3], words[4], words[5]});
            break;
        case fw::Event::Destroyed:
            run.end = {words[1], words[2], words[3]};
            break;
        default:
            fail(words);
            break;
    }
    return 0;
}

void McuModelRun::keep_image(std::uint32_t static_base) {
    McuVariantRun& run = now();
    const legacy::Header& header = plan_->model().header();
    const bool copies = run.variant->mode == legacy::kModeCopy;
    McuVariantRun::Image image;
    image.start = static_base - (copies ? legacy::align4(header.ro_bytes()) : 0);
    image.bytes = header.ram_bytes(copies);
    image.content.resize(image.bytes);
    if (!session_->chip().fetch(GuestAddr{image.start}, image.content)) return;
    image.crc = loader::crc32(0, image.content.data(), image.bytes);
    run.image = std::move(image);
}

void McuModelRun::fail(const Words& words) {
    now().failure = failure_text(words[1]);
}

/// The first variant says what the tensors are; the others must say the same.
std::uint32_t McuModelRun::describe(const Words& words) {
    const McuDescription at{words[1], words[2], words[3], words[4], words[5], words[6]};
    std::string why;
    McuVariantRun& run = now();
    run.report = read_report(session_->chip(), at, why);
    if (!run.report) {
        run.failure = "the model describes itself wrongly: " + why;
        return 1;
    }
    const McuModelReport& report = *run.report;
    if (inputs_.files().empty() && outputs_.files().empty()) {
        for (const McuTensor& each : report.inputs) inputs_.add(each.tensor);
        for (const McuTensor& each : report.outputs) outputs_.add(each.tensor);
        given_.finish();
        demanded_.finish();
        for (const McuTensor& each : report.inputs)
            input_bytes_.push_back(folder_.read(fmt::format("input_{}.bin", each.tensor.number)));
    }
    const auto same = [](const McuTensor& one, const model_run::TensorFile& other) {
        return one.tensor.bytes == other.tensor.bytes;
    };
    if (std::equal(report.inputs.begin(), report.inputs.end(), inputs_.files().begin(),
                   inputs_.files().end(), same) &&
        std::equal(report.outputs.begin(), report.outputs.end(), outputs_.files().begin(),
                   outputs_.files().end(), same))
        return 0;
    run.failure = "the model has other inputs or outputs than before";
    return 1;
}

void McuModelRun::begin_inference(bool observed) {
    McuVariantRun& run = now();
    if (!run.report) return;
    // Each time: a model may use the memory of its inputs while it runs.
    for (std::size_t i = 0; i < input_bytes_.size() && i < run.report->inputs.size(); ++i) {
        const std::string& bytes = input_bytes_[i];
        const std::span<const std::uint8_t> raw(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                bytes.size());
        if (!session_->chip().store(GuestAddr{run.report->inputs[i].address}, raw))
            run.failure = fmt::format("input {} has no memory", i);
    }
    // Without observer: its calls come from deeper frames of some models.
    if (!observed && run.inferences.empty()) watch_stack(run.stack_run);
}

void McuModelRun::end_inference(const Words& words) {
    end_watch();
    McuVariantRun& run = now();
    McuInference inference{static_cast<std::int32_t>(words[2]), words[3], words[4], 0};
    if (inference.batches > 0 && run.report) {
        for (const McuTensor& each : run.report->outputs) {
            std::vector<std::uint8_t> bytes(each.tensor.bytes);
            if (!session_->chip().fetch(GuestAddr{each.address}, bytes))
                run.failure = fmt::format("output {} has no memory", each.tensor.number);
            inference.output_crc = loader::crc32(inference.output_crc, bytes.data(),
                                                 static_cast<std::uint32_t>(bytes.size()));
            if (collected_) continue;
            folder_.write(fmt::format("output_{}.bin", each.tensor.number),
                          {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }
        if (!std::exchange(collected_, true)) outputs_.collect(folder_.path());
    }
    if (words[1] != 0) {
        run.observed = inference;
    } else {
        run.inferences.push_back(inference);
    }
}

/// The stack pointer while the core is in the model's code: the highest is that of its entry.
void McuModelRun::watch_stack(std::uint32_t& deepest) {
    watch_ = {0, 0xFFFFFFFF, &deepest};
    const legacy::Header& header = plan_->model().header();
    const std::uint32_t start = to_word(now().variant->bases(header).ro_base),
                        bytes = header.ro_bytes();
    session_->chip().core().core().set_trace(
        [this, start, bytes](const models::core::CpuState& cpu, std::uint32_t pc, std::uint32_t) {
            if (pc - start >= bytes) return;
            watch_.top = std::max(watch_.top, cpu.r[13]);
            watch_.lowest = std::min(watch_.lowest, cpu.r[13]);
        });
}

void McuModelRun::end_watch() {
    if (watch_.deepest == nullptr) return;
    session_->chip().core().core().set_trace({});
    if (watch_.top > watch_.lowest) *watch_.deepest = watch_.top - watch_.lowest;
    watch_.deepest = nullptr;
}

void McuModelRun::finish() {
    if (failure_) std::rethrow_exception(failure_);
}

void McuModelRun::write_outputs() {
    if (complete()) outputs_.write();
}

void McuModelRun::write_images(const std::filesystem::path& folder) const {
    for (std::size_t i = 0; i < variants_.size(); ++i) {
        const std::optional<McuVariantRun::Image>& image = variants_[i].image;
        if (!image) continue;
        OutputFile file(folder / fmt::format("image_{}.bin", i));
        file.stream().write(reinterpret_cast<const char*>(image->content.data()),
                            static_cast<std::streamsize>(image->content.size()));
        file.commit();
    }
}

bool McuModelRun::complete() const {
    return plan_ && variants_.size() == plan_->variants().size() &&
           std::all_of(variants_.begin(), variants_.end(),
                       [](const McuVariantRun& run) { return run.complete(); });
}

bool McuModelRun::refused() const {
    return std::any_of(variants_.begin(), variants_.end(),
                       [](const McuVariantRun& run) { return run.refusal.has_value(); });
}

bool McuModelRun::identical() const {
    std::optional<std::uint32_t> crc;
    const auto same = [&crc](const McuInference& one) {
        if (!crc) crc = one.output_crc;
        return *crc == one.output_crc;
    };
    for (const McuVariantRun& run : variants_) {
        if (!std::all_of(run.inferences.begin(), run.inferences.end(), same)) return false;
        if (run.observed && !same(*run.observed)) return false;
    }
    return true;
}

}  // namespace n6vp::sim

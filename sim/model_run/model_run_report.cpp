// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "sim/exec_run.h"
#include "sim/model_run/model_run.h"
#include "sim/model_run/npy.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

constexpr double kMsPerPs = 1e-9;

[[nodiscard]] bool is_inference(const Phase& phase) {
    return phase.name == "inference";
}

/// Milliseconds of a core cycle while the model ran, 0 if it did not.
[[nodiscard]] double ms_per_cycle(const PhaseReport& phases) {
    for (const Phase& phase : phases.phases()) {
        if (!is_inference(phase) || phase.counted.cycles == 0) continue;
        return static_cast<double>(phase.duration()) * kMsPerPs /
               static_cast<double>(phase.counted.cycles);
    }
    return 0;
}

/// As vendor reports name it: the epochs that a block covers.
[[nodiscard]] std::string name_of(const Block& block) {
    if (block.first_epoch < 0) return fmt::format("inserted {}", -block.first_epoch);
    if (block.last_epoch <= block.first_epoch) return fmt::format("epoch {}", block.first_epoch);
    return fmt::format("epochs {} to {}", block.first_epoch, block.last_epoch);
}

void write_phase_times(std::ostream& out, const PhaseReport& phases) {
    out << fmt::format("{:<20}{:>12}{:>14}\n", "phase", "ms", "CPU cycles");
    for (const Phase& phase : phases.phases()) {
        // The first is the run itself, in it are those of the firmware.
        if (phase.depth != 1) continue;
        out << fmt::format("{:<20}{:>12.3f}{:>14}{}\n", traces::terminal_text(phase.name),
                           static_cast<double>(phase.duration()) * kMsPerPs, phase.counted.cycles,
                           phase.ended ? "" : "  not ended");
    }
}

void write_nodes(std::ostream& out, const std::vector<Block>& blocks, double ms) {
    std::uint64_t all = 0, pre = 0, core = 0, post = 0, sum = 0;
    for (const Block& block : blocks) all += block.cycles();
    out << fmt::format(
        "\nInference time per node\n{:>5} {:>5}  {:<8} {:>10} {:>6} {:>6} {:>12}  [ "
        "{:>10} {:>12} {:>10} ]  name\n",
        "c_id", "m_id", "type", "dur (ms)", "%", "cumul", "CPU cycles", "pre", "core", "post");
    const double percent = all == 0 ? 0 : 100.0 / static_cast<double>(all);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& block = blocks[i];
        sum += block.cycles();
        pre += block.pre, core += block.core, post += block.post;
        const auto cycles = static_cast<double>(block.cycles());
        out << fmt::format(
            "{:>5} {:>5}  {:<8} {:>10.3f} {:>6.1f} {:>6.1f} {:>12}  [ {:>10} {:>12} {:>10} ]  {}\n",
            i, block.first_epoch < 0 ? "-" : fmt::format("{}", block.first_epoch),
            traces::terminal_text(block.kind), cycles * ms, cycles * percent,
            static_cast<double>(sum) * percent, block.cycles(), block.pre, block.core, block.post,
            name_of(block));
    }
    out << fmt::format(
        "{:>5} {:>5}  {:<8} {:>10.3f} {:>6} {:>6} {:>12}  [ {:>10} {:>12} {:>10} ]\n", "total", "",
        "", static_cast<double>(all) * ms, "", "", all, pre, core, post);
}

[[nodiscard]] bool identical(const std::vector<Inference>& inferences) {
    return std::all_of(inferences.begin(), inferences.end(), [&](const Inference& one) {
        return one.output_crc == inferences.front().output_crc;
    });
}

void write_inferences(std::ostream& out, const std::vector<Inference>& inferences, double ms) {
    double all = 0;
    out << '\n';
    for (std::size_t i = 0; i < inferences.size(); ++i) {
        const double taken = inferences[i].cycles * ms;
        all += taken;
        out << fmt::format("inference {}: {:.3f} ms, {} cycles, outputs 0x{:08x}\n", i + 1, taken,
                           inferences[i].cycles, inferences[i].output_crc);
    }
    if (all == 0) return;
    const auto count = static_cast<double>(inferences.size());
    out << fmt::format("{:.2f} inferences a second", count * 1000 / all);
    if (inferences.size() > 1) {
        out << (identical(inferences) ? "; all outputs identical" : "; OUTPUTS DIFFER");
    }
    out << '\n';
}

[[nodiscard]] std::string quantisation(const Tensor& tensor) {
    if (!tensor.quantised) return {};
    return fmt::format(", scale {:.9g}, zero point {}", tensor.scale, tensor.zero);
}

void write_tensors(std::ostream& out, const char* kind, const std::vector<TensorFile>& tensors,
                   const char* made) {
    for (const TensorFile& one : tensors) {
        const Tensor& tensor = one.tensor;
        const std::string type =
            tensor.type.empty() ? ""
                                : fmt::format(", {} of {}", shape_text(tensor.shape), tensor.type);
        out << fmt::format("{} {} {}: {} bytes{}{}, CRC 0x{:08x}, {}\n", kind, tensor.number,
                           traces::terminal_text(tensor.name), tensor.bytes, type,
                           quantisation(tensor), one.crc,
                           one.file.empty() ? made : traces::terminal_text(one.file));
    }
}

[[nodiscard]] Json tensors_json(const std::vector<TensorFile>& tensors) {
    Json list = Json::array();
    for (const TensorFile& one : tensors) {
        const Tensor& tensor = one.tensor;
        Json row = {{"number", tensor.number}, {"name", tensor.name},   {"bytes", tensor.bytes},
                    {"type", tensor.type},     {"shape", tensor.shape}, {"crc", hex_word(one.crc)},
                    {"file", one.file}};
        if (tensor.quantised) {
            row["scale"] = tensor.scale;
            row["zero_point"] = tensor.zero;
        }
        list.push_back(std::move(row));
    }
    return list;
}

}  // namespace

void write_model_run(std::ostream& out, const ModelRun& run, const PhaseReport& phases,
                     const RunPlan& plan, const RunOutcome& outcome) {
    const loader::InstallRequest& request = run.plan().request();
    const bool copies = (request.mode & loader::format::kModeCopy) != 0;
    out << fmt::format("{}: {}, {}, {} timing, {:.2f} s of CPU time\n\n",
                       traces::terminal_text(run.files().file_path),
                       generation_name(request.profile.generation), copies ? "COPY" : "XIP",
                       timing_name(plan.options.timing), outcome.host_seconds);
    const double ms = ms_per_cycle(phases);
    write_phase_times(out, phases);
    if (!run.lines().blocks().empty()) write_nodes(out, run.lines().blocks(), ms);
    if (!run.lines().inferences().empty()) write_inferences(out, run.lines().inferences(), ms);
    out << '\n';
    write_tensors(out, "input", run.inputs(), run.choice().inputs.random ? "random" : "zero");
    write_tensors(out, "output", run.outputs(), "not kept (-o DIR keeps it)");
}

Json model_run_json(const ModelRun& run) {
    const loader::InstallRequest& request = run.plan().request();
    Json document = {
        {"file", run.files().file_path},
        {"params_file", run.files().params_path},
        {"generation", generation_name(request.profile.generation)},
        {"mode", (request.mode & loader::format::kModeCopy) != 0 ? "copy" : "xip"},
        {"clear", (request.mode & loader::format::kModeClear) != 0},
        {"policy", run.choice().policy == loader::Policy::Compat ? "compat" : "strict"}};
    if (const auto& code = run.lines().install_code()) document["install_code"] = *code;
    document["inputs"] = tensors_json(run.inputs());
    Json& nodes = document["nodes"] = Json::array();
    for (const Block& block : run.lines().blocks()) {
        nodes.push_back({{"first_epoch", block.first_epoch},
                         {"last_epoch", block.last_epoch},
                         {"type", block.kind},
                         {"pre_cycles", block.pre},
                         {"core_cycles", block.core},
                         {"post_cycles", block.post}});
    }
    Json& inferences = document["inferences"] = Json::array();
    for (const Inference& one : run.lines().inferences()) {
        inferences.push_back({{"cycles", one.cycles}, {"output_crc", hex_word(one.output_crc)}});
    }
    document["identical"] = identical(run.lines().inferences());
    document["outputs"] = tensors_json(run.outputs());
    return document;
}

}  // namespace n6vp::sim::model_run

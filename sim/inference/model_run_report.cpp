// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/model_run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "sim/console/phase_times.h"
#include "sim/exec/exec_run.h"
#include "sim/host/npy.h"
#include "sim/host/table_limit.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

[[nodiscard]] double milliseconds(models::Picoseconds time) {
    return static_cast<double>(time) * kMsPerPs;
}

/// As vendor reports name it: the epochs that a block covers.
[[nodiscard]] std::string name_of(const Block& block) {
    if (block.first_epoch < 0) return fmt::format("inserted {}", -block.first_epoch);
    if (block.last_epoch <= block.first_epoch) return fmt::format("epoch {}", block.first_epoch);
    return fmt::format("epochs {} to {}", block.first_epoch, block.last_epoch);
}

void write_memory(std::ostream& out, const ModelMemory& memory) {
    if (memory.uses().empty()) return;
    out << fmt::format("{:<20}  {:<10}{:>12}{:>12}{:>8}\n", "memory", "address", "used", "of", "%");
    for (const MemoryUse& use : memory.uses()) {
        const double percent =
            use.room == 0 ? 0 : 100 * static_cast<double>(use.used) / static_cast<double>(use.room);
        out << fmt::format("{:<20}  0x{:08x}{:>12}{:>12}{:>8.1f}\n",
                           traces::terminal_text(use.name), to_word(use.start), use.used, use.room,
                           percent);
    }
    out << '\n';
}

void write_phase(std::ostream& out, const std::string& name, models::Picoseconds time,
                 std::uint64_t cycles, bool ended) {
    out << fmt::format("{:<24}{:>12.3f}{:>14}{}\n", name, milliseconds(time), cycles,
                       ended ? "" : "  not ended");
}

/// Phases that come once per inference are shown once, with the mean of all.
void write_phase_times(std::ostream& out, const PhaseRecorder& recorder) {
    const std::vector<Phase>& phases = recorder.phases();
    out << fmt::format("{:<24}{:>12}{:>14}\n", "phase", "ms", "CPU cycles");
    if (const std::optional<Phase>& start = recorder.start_up()) {
        write_phase(out, start->name, start->duration(), start->counted.cycles, true);
    }
    // The first is the run itself, in it are those of the firmware.
    for (std::size_t i = 1; i < phases.size(); ++i) {
        const Phase& phase = phases[i];
        const auto same = [&phase](const Phase& other) {
            return other.depth == 1 && other.name == phase.name;
        };
        const auto end_of_before = phases.begin() + static_cast<std::ptrdiff_t>(i);
        if (phase.depth != 1 || std::any_of(phases.begin(), end_of_before, same)) continue;
        PhasePart sum;
        std::uint64_t count = 0;
        for (const Phase& one : phases) {
            if (!same(one)) continue;
            ++count;
            sum.time += one.duration();
            sum.cycles += one.counted.cycles;
        }
        const std::string times = count > 1 ? fmt::format(", mean of {}", count) : "";
        write_phase(out, traces::terminal_text(phase.name) + times, sum.time / count,
                    sum.cycles / count, phase.ended);
        // Blocks of inferences have a table of their own.
        if (phase.name != "install") continue;
        for (const PhasePart& part : parts_of(phases, i)) {
            write_phase(out, "  " + traces::terminal_text(part.name), part.time, part.cycles, true);
        }
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
        if (i >= kMaxTableRows) continue;
        const auto cycles = static_cast<double>(block.cycles());
        out << fmt::format(
            "{:>5} {:>5}  {:<8} {:>10.3f} {:>6.1f} {:>6.1f} {:>12}  [ {:>10} {:>12} {:>10} ]  {}\n",
            i, block.first_epoch < 0 ? "-" : fmt::format("{}", block.first_epoch),
            traces::terminal_text(block.kind), cycles * ms, cycles * percent,
            static_cast<double>(sum) * percent, block.cycles(), block.pre, block.core, block.post,
            name_of(block));
    }
    out << hidden_rows(blocks.size());
    out << fmt::format(
        "{:>5} {:>5}  {:<8} {:>10.3f} {:>6} {:>6} {:>12}  [ {:>10} {:>12} {:>10} ]\n", "total", "",
        "", static_cast<double>(all) * ms, "", "", all, pre, core, post);
}

/// "flash 61 %, link 22 %": the largest two.
[[nodiscard]] std::string bound_text(const std::vector<BoundShare>& bound, std::size_t most) {
    std::string text;
    for (const BoundShare& part : bound) {
        if (most-- == 0 || part.share < 0.005) break;
        text +=
            fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", part.cause, 100 * part.share);
    }
    return text;
}

void write_epoch(std::ostream& out, const EpochRow& row) {
    const NpuEpoch& epoch = *row.epoch;
    const std::string start =
        fmt::format("{:>5} {:>5}  {:<8} {:>10.3f} {:>6.1f}",
                    row.number > 0 ? fmt::format("{}", row.number) : "-", epoch.block,
                    row.block == nullptr ? "?" : traces::terminal_text(row.block->kind),
                    milliseconds(epoch.end - epoch.start), 100 * row.core_share);
    if (!epoch.worked()) {
        out << fmt::format("{} {:>11} {:>6} {:>10} {:>10} {:>9} {:>9} {:>10}  {}\n", start, "-",
                           "-", "-", "-", "-", "-", "-", bound_text(row.bound, 1));
        return;
    }
    const EpochSummary& summary = epoch.summary;
    const EpochFlow moved = summary.engines();
    out << fmt::format("{} {:>11.0f} {:>6.1f} {:>10} {:>10} {:>9} {:>9} {:>10.0f}  {}\n", start,
                       summary.npu_cycles, 100 * summary.mac_utilisation(), moved.read,
                       moved.written, summary.cache_hits(), summary.cache_misses(),
                       summary.waited_cycles, bound_text(row.bound, 2));
}

}  // namespace

void write_epochs(std::ostream& out, const char* title, const std::vector<EpochRow>& rows) {
    out << fmt::format(
        "\n{}, one by one\n"
        "{:>5} {:>5}  {:<8} {:>10} {:>6} {:>11} {:>6} {:>10} {:>10} {:>9} {:>9} {:>10}  bound by\n",
        title, "epoch", "c_id", "type", "dur (ms)", "core %", "NPU cycles", "MAC %", "B read",
        "B written", "hits", "misses", "waited");
    for (const EpochRow& row : shown_rows(rows)) write_epoch(out, row);
    out << hidden_rows(rows.size())
        << "core %: share of dur without an NPU epoch; bound by: shares of the rest. NPU cycles: "
           "first engine start to last output end.\n"
           "MAC %: MACs over the capacity of all four CONVACC in the NPU cycles, padding included. "
           "B: by the engines. hits, misses: NPU cache, reads and writes.\n"
           "waited: stall cycles on the critical path due to contention for banks and ports.\n";
}

namespace {

void write_traffic(std::ostream& out, const Finished& finished) {
    std::map<std::size_t, PlaceTraffic> places;
    for (const NpuEpoch& epoch : finished.run.epochs()) {
        for (const auto& [place, traffic] : epoch.traffic) {
            places[place].read += traffic.read;
            places[place].written += traffic.written;
        }
    }
    if (places.empty()) return;
    out << fmt::format("\n{:<20}{:>14}{:>14}\n", "NPU and pool", "B read", "B written");
    for (const auto& [place, traffic] : places) {
        out << fmt::format("{:<20}{:>14}{:>14}\n",
                           traces::terminal_text(finished.run.memory().name_of(place)),
                           traffic.read, traffic.written);
    }
}

void write_inferences(std::ostream& out, const Finished& finished, double ms) {
    constexpr std::size_t kMaxShown = 10;
    const std::vector<Inference>& inferences = finished.run.lines().inferences();
    if (inferences.empty()) return;
    out << '\n';
    for (std::size_t i = 0; i < std::min(inferences.size(), kMaxShown); ++i) {
        out << fmt::format("inference {}: {:.3f} ms, {} cycles, outputs 0x{:08x}\n", i + 1,
                           inferences[i].cycles * ms, inferences[i].cycles,
                           inferences[i].output_crc);
    }
    std::uint32_t least = inferences.front().cycles, most = least;
    for (const Inference& one : inferences) {
        least = std::min(least, one.cycles);
        most = std::max(most, one.cycles);
    }
    if (inferences.size() > kMaxShown) {
        out << fmt::format("all {} of them: {:.3f} to {:.3f} ms\n", inferences.size(), least * ms,
                           most * ms);
    }
    const PhaseTimes all = ended_phases(finished.phases.phases(), "inference");
    if (all.time != 0) {
        out << fmt::format("{:.2f} inferences a second, by the phase's mean time",
                           all.per_second());
        if (inferences.size() > 1) {
            out << (identical_outputs(inferences) ? "; all outputs identical" : "; OUTPUTS DIFFER");
        }
        out << '\n';
    }
    const std::string bound = bound_text(inference_bound(finished), models::npu::kStallCauses + 2);
    if (!bound.empty()) out << fmt::format("time of the first one: {}\n", bound);
}

[[nodiscard]] std::string quantisation(const Tensor& tensor) {
    if (!tensor.quantised) return {};
    return fmt::format(", scale {:.9g}, zero point {}", tensor.scale, tensor.zero);
}

}  // namespace

void write_tensors(std::ostream& out, const char* kind, const std::vector<TensorFile>& tensors,
                   const char* made) {
    for (const TensorFile& one : tensors) {
        const Tensor& tensor = one.tensor;
        const std::string type =
            tensor.type.empty() ? ""
                                : fmt::format(", {} of {}", shape_text(tensor.shape), tensor.type);
        out << fmt::format("{} {} {}: {} bytes{}{}, ", kind, tensor.number,
                           traces::terminal_text(tensor.name), tensor.bytes, type,
                           quantisation(tensor));
        if (!one.crc) {
            out << "not computed\n";
            continue;
        }
        out << fmt::format("CRC 0x{:08x}, {}\n", *one.crc,
                           one.file.empty() ? made : traces::terminal_text(one.file));
        if (!one.compared || !one.compared->holds()) continue;
        out << fmt::format("  as in {}", traces::terminal_text(one.compared->file));
        if (one.compared->unequal != 0) {
            out << fmt::format(" within the tolerance: {} of {} numbers differ, by up to {:g}",
                               one.compared->unequal, one.compared->numbers, one.compared->largest);
        }
        out << '\n';
    }
}

void write_model_run(std::ostream& out, const Finished& finished) {
    const ModelRun& run = finished.run;
    const loader::InstallRequest& request = run.plan().request();
    const bool copies = (request.mode & loader::format::kModeCopy) != 0;
    out << fmt::format("{}: {}, {}, {} timing, {:.2f} s of CPU time\n\n",
                       traces::terminal_text(run.files().file_path),
                       generation_name(request.profile.generation), copies ? "COPY" : "XIP",
                       timing_name(finished.plan.options.timing), finished.outcome.host_seconds);
    const double ms = ms_per_cycle(finished.phases);
    write_memory(out, run.memory());
    write_phase_times(out, finished.phases);
    if (!run.lines().blocks().empty()) write_nodes(out, run.lines().blocks(), ms);
    if (!run.epochs().empty()) {
        write_epochs(out, "Epochs of the first inference",
                     epoch_rows(run.epochs(), run.lines().blocks()));
    }
    write_traffic(out, finished);
    write_inferences(out, finished, ms);
    out << '\n';
    write_tensors(out, "input", run.inputs(), run.choice().inputs.random ? "random" : "zero");
    write_tensors(out, "output", run.outputs(), "not kept (-o DIR keeps it)");
}

void write_differences(std::ostream& out, const std::vector<TensorFile>& outputs) {
    for (const TensorFile& one : outputs) {
        if (!one.compared || one.compared->holds()) continue;
        const Comparison& found = *one.compared;
        out << fmt::format(
            "n6vp: output {} {} differs from {}: number {} is {:g}, not {:g}; {} of {} exceed the "
            "tolerance, by up to {:g}\n",
            one.tensor.number, traces::terminal_text(one.tensor.name),
            traces::terminal_text(found.file), found.first, found.found, found.wanted,
            found.too_far, found.numbers, found.largest);
    }
}

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_model_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "sim/exec/exec_run.h"
#include "sim/host/table_limit.h"
#include "sim/inference/model_run_report.h"
#include "sim/microcontroller/mcu_report.h"
#include "traces/diagnosis/rule_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace legacy = loader::legacy;
using loader::Phase;
using loader::format::link_offset;

constexpr std::array kLoadPhases = {
    std::pair{Phase::Checks, "checks"},         std::pair{Phase::ReadOnlyCopy, "read-only copy"},
    std::pair{Phase::DataBss, "data and bss"},  std::pair{Phase::Got, "GOT"},
    std::pair{Phase::Relocation, "relocation"}, std::pair{Phase::Finish, "finish"}};

[[nodiscard]] std::uint32_t cycles_of(const McuVariantRun& run, Phase phase) {
    return run.load->phases[static_cast<std::size_t>(phase)];
}

/// Bytes that a phase writes.
[[nodiscard]] std::uint32_t bytes_of_phase(const legacy::Header& header, std::uint32_t mode,
                                           Phase phase) {
    switch (phase) {
        case Phase::ReadOnlyCopy:
            return mode == legacy::kModeCopy ? legacy::align4(header.ro_bytes()) : 0;
        case Phase::DataBss:
            return header.rw_bytes();
        case Phase::Got:
            return header.got_bytes();
        case Phase::Relocation:
            return header.rel_bytes();
        default:
            return 0;
    }
}

[[nodiscard]] std::uint32_t install_cycles(const McuVariantRun& run) {
    return run.load->cycles - run.load->create_cycles;
}

[[nodiscard]] double ms_of(const McuModelRun& model, std::uint64_t cycles) {
    return static_cast<double>(cycles) * 1e3 / model.plan().clocks().hz;
}

[[nodiscard]] double cycles_per_macc(const McuVariantRun& run) {
    if (!run.report || run.report->macc == 0 || run.inferences.empty()) return 0;
    return run.inferences.back().cycles / static_cast<double>(run.report->macc);
}

[[nodiscard]] std::string range_text(const memmap::Chip& chip, AddressRange range) {
    const memmap::ChipMemory* const memory = memmap::memory_at(chip, to_word(range.start));
    return fmt::format("0x{:08x}{:>12}  {}", to_word(range.start), range.bytes,
                       memory == nullptr ? "" : memory->name);
}

void write_places(std::ostream& out, const McuModelRun& model, const McuVariant& variant) {
    const memmap::Chip& chip = model.plan().chip();
    const auto line = [&](const char* name, AddressRange range) {
        if (range.bytes != 0) out << fmt::format("{:<24}  {}\n", name, range_text(chip, range));
    };
    line("model", variant.file);
    line("weights", variant.weights);
    line(variant.heap ? "RAM, from the heap" : "RAM", variant.ram);
    line("activations", variant.activations);
}

void write_phases(std::ostream& out, const McuModelRun& model, const McuVariantRun& run) {
    const legacy::Header& header = model.plan().model().header();
    out << fmt::format("\n{:<24}{:>12}{:>14}{:>12}\n", "phase", "ms", "CPU cycles", "bytes");
    const auto line = [&](std::string_view name, std::uint32_t cycles, std::uint32_t bytes) {
        out << fmt::format("{:<24}{:>12.3f}{:>14}{:>12}\n", name, ms_of(model, cycles), cycles,
                           bytes == 0 ? "" : fmt::format("{}", bytes));
    };
    line("install", install_cycles(run), 0);
    for (const auto& [phase, name] : kLoadPhases) {
        const std::uint32_t cycles = cycles_of(run, phase);
        if (cycles != 0)
            line(fmt::format("  {}", name), cycles,
                 bytes_of_phase(header, run.variant->mode, phase));
    }
    if (run.image)
        out << fmt::format("  image before create: 0x{:08x}, {} bytes, CRC 0x{:08x}\n",
                           run.image->start, run.image->bytes, run.image->crc);
    line("create", run.load->create_cycles, 0);
    if (run.init) line("init", run.init->cycles, 0);
    if (run.end) line("destroy", run.end->cycles, 0);
}

void write_mcu_nodes(std::ostream& out, const McuModelRun& model, const McuVariantRun& run) {
    if (run.nodes.empty() || !run.observed) return;
    std::uint64_t all = 0, before = 0, sum = 0;
    for (const McuNode& node : run.nodes) {
        all += node.cycles;
        before += node.before;
    }
    out << fmt::format(
        "\nInference time per node\n{:>5} {:>5}  {:<8} {:>10} {:>6} {:>6} {:>12}  [ "
        "{:>10} {:>12} {:>10} ]  name\n",
        "c_id", "m_id", "type", "dur (ms)", "%", "cumul", "CPU cycles", "pre", "core", "post");
    const double percent = all == 0 ? 0 : 100.0 / static_cast<double>(all);
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
        const McuNode& node = run.nodes[i];
        sum += node.cycles;
        if (i >= kMaxTableRows) continue;
        out << fmt::format(
            "{:>5} {:>5}  {:<8} {:>10.3f} {:>6.1f} {:>6.1f} {:>12}  [ {:>10} {:>12} {:>10} ]  "
            "node {}\n",
            node.c_idx, node.id, fmt::format("{}", node.type), ms_of(model, node.cycles),
            node.cycles * percent, static_cast<double>(sum) * percent, node.cycles, node.before,
            node.cycles, 0, i);
    }
    out << hidden_rows(run.nodes.size())
        << fmt::format(
               "{:>5} {:>5}  {:<8} {:>10.3f} {:>6} {:>6} {:>12}  [ {:>10} {:>12} {:>10} ]\n",
               "total", "", "", ms_of(model, all), "", "", all, before, all, 0)
        << "type: the model's number of the layer; pre: since the node before. "
        << fmt::format("Of an inference of {} cycles with an observer.\n", run.observed->cycles);
}

void write_mcu_inferences(std::ostream& out, const McuModelRun& model, const McuVariantRun& run) {
    constexpr std::size_t kMaxShown = 10;
    out << '\n';
    for (std::size_t i = 0; i < std::min(run.inferences.size(), kMaxShown); ++i) {
        const McuInference& one = run.inferences[i];
        out << fmt::format("inference {}: {:.3f} ms, {} cycles, outputs 0x{:08x}\n", i + 1,
                           ms_of(model, one.cycles), one.cycles, one.output_crc);
    }
    if (run.inferences.size() > kMaxShown) {
        const auto [least, most] =
            std::minmax_element(run.inferences.begin(), run.inferences.end(),
                                [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
        out << fmt::format("all {} of them: {:.3f} to {:.3f} ms\n", run.inferences.size(),
                           ms_of(model, least->cycles), ms_of(model, most->cycles));
    }
    if (const double ratio = cycles_per_macc(run); ratio != 0) {
        out << fmt::format("{:.2f} cycles per multiply-accumulate ({})\n", ratio, run.report->macc);
    }
    out << fmt::format("stack {} bytes in an inference, {} in create and init; heap {} bytes\n",
                       run.stack_run, run.stack_set_up, run.end ? run.end->heap_bytes : 0);
}

void write_comparison(std::ostream& out, const McuModelRun& model) {
    if (model.variants().size() < 2) return;
    std::size_t width = 4;
    for (const McuVariantRun& run : model.variants())
        width = std::max(width, run.variant->title.size());
    out << fmt::format("\n{:<{}}{:>12}{:>12}{:>14}{:>10}{:>12}\n", "mode", width, "install ms",
                       "inference", "CPU cycles", "per MACC", "RAM bytes");
    for (const McuVariantRun& run : model.variants()) {
        if (!run.load || run.inferences.empty()) continue;
        const std::uint32_t cycles = run.inferences.back().cycles;
        out << fmt::format("{:<{}}{:>12.3f}{:>9.3f} ms{:>14}{:>10.2f}{:>12}\n", run.variant->title,
                           width, ms_of(model, install_cycles(run)), ms_of(model, cycles), cycles,
                           cycles_per_macc(run),
                           run.variant->ram.bytes + run.variant->activations.bytes);
    }
}

[[nodiscard]] std::string error_text(std::uint32_t error) {
    return fmt::format("ai_error type 0x{:02x}, code 0x{:02x}", error & 0xFF, error >> 8);
}

[[nodiscard]] std::string refusal_text(const McuVariantRun::Refusal& refusal) {
    const auto rule = static_cast<loader::Rule>(refusal.rule);
    if (refusal.rule >= static_cast<std::uint32_t>(loader::Rule::kCount)) return "no such rule";
    return std::string(traces::rule_text(rule).what);
}

void write_fault(std::ostream& err, McuSession& session, const McuModelRun& model) {
    const McuModelFault& fault = *model.fault();
    const auto& r = fault.fault.r;
    const McuVariant& variant = model.plan().variants()[fault.variant];
    const std::uint32_t status = fault.fault.fault.status;
    err << fmt::format("n6vp: fault {} at pc 0x{:08x}, lr 0x{:08x}: CFSR 0x{:08x}{}; {}\n",
                       static_cast<unsigned>(fault.fault.fault.exception), fault.fault.pc, r[14],
                       status,
                       fault.fault.fault.address_valid
                           ? fmt::format(", address 0x{:08x}", fault.fault.fault.address)
                           : "",
                       variant.title);
    const auto place = [&](const char* name, std::uint32_t address) {
        std::string where = place_in_model(model.plan(), variant, address);
        if (where.empty() && session.firmware().symbols)
            where = session.firmware().symbols->describe(address);
        if (!where.empty())
            err << fmt::format("      {:<8} 0x{:08x}: {}\n", name, address,
                               traces::terminal_text(where));
    };
    place("pc", fault.fault.pc);
    place("lr", r[14]);
    if (fault.fault.fault.address_valid) place("address", fault.fault.fault.address);
    constexpr std::size_t kPerLine = 4, kShown = 14;
    for (std::size_t i = 0; i < kShown; ++i) {
        err << fmt::format("{}r{:<3}0x{:08x}{}", i % kPerLine == 0 ? "      " : "  ", i, r[i],
                           i % kPerLine == kPerLine - 1 || i + 1 == kShown ? "\n" : "");
    }
}

[[nodiscard]] Json range_json(const memmap::Chip& chip, AddressRange range) {
    const memmap::ChipMemory* const memory = memmap::memory_at(chip, to_word(range.start));
    return {{"address", hex_word(to_word(range.start))},
            {"bytes", range.bytes},
            {"memory", memory == nullptr ? "" : memory->name}};
}

[[nodiscard]] Json inference_json(const McuInference& one) {
    return {{"cycles", one.cycles},
            {"batches", one.batches},
            {"error", hex_word(one.error)},
            {"output_crc", hex_word(one.output_crc)}};
}

[[nodiscard]] Json install_phases_json(const McuModelRun& model, const McuVariantRun& run) {
    Json list = Json::array();
    for (const auto& [phase, name] : kLoadPhases) {
        list.push_back(
            {{"name", name},
             {"cycles", cycles_of(run, phase)},
             {"bytes", bytes_of_phase(model.plan().model().header(), run.variant->mode, phase)}});
    }
    return list;
}

[[nodiscard]] Json mcu_nodes_json(const McuVariantRun& run) {
    Json list = Json::array();
    for (const McuNode& node : run.nodes) {
        list.push_back({{"c_idx", node.c_idx},
                        {"id", node.id},
                        {"type", node.type},
                        {"pre_cycles", node.before},
                        {"core_cycles", node.cycles}});
    }
    return list;
}

[[nodiscard]] Json variant_json(const McuModelRun& model, const McuVariantRun& run) {
    const McuVariant& variant = *run.variant;
    const memmap::Chip& chip = model.plan().chip();
    Json document = {{"title", variant.title},
                     {"mode", variant.mode == legacy::kModeCopy ? "copy" : "xip"},
                     {"heap", variant.heap},
                     {"file", range_json(chip, variant.file)},
                     {"weights", range_json(chip, variant.weights)},
                     {"ram", range_json(chip, variant.ram)},
                     {"activations", range_json(chip, variant.activations)},
                     {"complete", run.complete()}};
    if (!run.failure.empty()) document["failure"] = run.failure;
    if (run.refusal) {
        document["refusal"] = {{"rule", refusal_text(*run.refusal)},
                               {"expected", hex_word(run.refusal->expected)},
                               {"found", hex_word(run.refusal->found)}};
    }
    if (run.load) {
        document["install"] = {{"cycles", install_cycles(run)},
                               {"error", hex_word(run.load->error)},
                               {"phases", install_phases_json(model, run)}};
        if (run.image) {
            document["install"]["image"] = {{"address", hex_word(run.image->start)},
                                            {"bytes", run.image->bytes},
                                            {"crc", hex_word(run.image->crc)}};
        }
        document["create_cycles"] = run.load->create_cycles;
    }
    if (run.init) {
        document["init"] = {{"done", run.init->done},
                            {"cycles", run.init->cycles},
                            {"error", hex_word(run.init->error)}};
    }
    Json& inferences = document["inferences"] = Json::array();
    for (const McuInference& one : run.inferences) inferences.push_back(inference_json(one));
    if (run.observed) document["observed"] = inference_json(*run.observed);
    document["nodes"] = mcu_nodes_json(run);
    document["cycles_per_macc"] = cycles_per_macc(run);
    document["stack_bytes"] = {{"inference", run.stack_run}, {"set_up", run.stack_set_up}};
    if (run.end) {
        document["destroy_cycles"] = run.end->cycles;
        document["heap_bytes"] = run.end->heap_bytes;
    }
    return document;
}

[[nodiscard]] Json fault_json(const McuModelRun& model) {
    const McuModelFault& fault = *model.fault();
    Json registers = Json::array();
    for (const std::uint32_t each : fault.fault.r) registers.push_back(hex_word(each));
    return {{"variant", fault.variant},
            {"exception", static_cast<unsigned>(fault.fault.fault.exception)},
            {"pc", hex_word(fault.fault.pc)},
            {"cfsr", hex_word(fault.fault.fault.status)},
            {"address", hex_word(fault.fault.fault.address)},
            {"address_valid", fault.fault.fault.address_valid},
            {"place",
             place_in_model(model.plan(), model.plan().variants()[fault.variant], fault.fault.pc)},
            {"registers", std::move(registers)}};
}

}  // namespace

std::string place_in_model(const McuModelPlan& plan, const McuVariant& variant,
                           std::uint32_t address) {
    const LegacyModel& model = plan.model();
    const legacy::Header& header = model.header();
    const legacy::Resolver bases = variant.bases(header);
    const std::uint32_t code = address - to_word(bases.ro_base),
                        data = address - to_word(bases.ram_base);
    if (code < header.ro_bytes()) {
        // The entry that begins last before it; functions without an entry lie behind one, too.
        std::uint32_t nearest = 0, entry = legacy::kEntryCount;
        for (std::uint32_t i = 0; i < legacy::kEntryCount; ++i) {
            const std::uint32_t start = link_offset(header.vector[i]) & ~1u;
            if (start <= code && start >= nearest) {
                nearest = start;
                entry = i;
            }
        }
        const std::string behind = entry == legacy::kEntryCount
                                       ? ""
                                       : fmt::format(", {} bytes behind the start of {}",
                                                     code - nearest, legacy_entry_name(entry));
        return fmt::format("model, {} + 0x{:x}{}", legacy_section(model.container(), code), code,
                           behind);
    }
    if (data < header.rw_bytes()) {
        const bool in_file = data < header.copied_bytes();
        std::string place = fmt::format(
            "model, {} + 0x{:x}",
            in_file ? legacy_section(model.container(), header.ro_bytes() + data) : "bss", data);
        for (const LegacyLink& link : legacy_links(model)) {
            if (link_offset(link.target) == (data & ~3u))
                return place + (link.is_got ? fmt::format(", GOT word {}", link.index)
                                            : fmt::format(", relocation {}", link.index));
        }
        return place;
    }
    const auto part = [&](AddressRange range, const char* name) {
        return range.contains(GuestAddr{address})
                   ? fmt::format("{} + 0x{:x}", name, address - to_word(range.start))
                   : std::string();
    };
    const std::string text = part(variant.activations, "activations");
    return text.empty() ? part(variant.weights, "weights") : text;
}

void write_mcu_model(std::ostream& out, McuSession& session, const McuModelRun& model,
                     const McuOutcome& outcome) {
    const McuModelPlan& plan = model.plan();
    const auto timing = session.plan().options.timing;
    constexpr double kMega = 1e6;
    out << fmt::format("{}: {}, {}, {:.3f} MHz, {} wait states, {} timing, {:.2f} s of CPU time\n",
                       traces::terminal_text(model.files().file_path), plan.chip().title,
                       core_name(plan.model().header().flags.cpu_part()), outcome.core_hz / kMega,
                       plan.clocks().wait_states, timing_name(timing), outcome.host_seconds);
    write_external_memory(out, session);
    for (const McuVariantRun& run : model.variants()) {
        if (run.report && &run == model.variants().data()) {
            out << fmt::format(
                "model {}, tools {}, runtime {}: {} multiply-accumulates, {} nodes\n",
                traces::terminal_text(run.report->name), run.report->tools, run.report->runtime,
                run.report->macc, run.report->nodes);
        }
        out << fmt::format("\n{}\n{:<24}  {:<10}{:>12}\n", run.variant->title, "memory", "address",
                           "bytes");
        write_places(out, model, *run.variant);
        if (!run.load) continue;
        write_phases(out, model, run);
        write_mcu_nodes(out, model, run);
        write_mcu_inferences(out, model, run);
    }
    write_comparison(out, model);
    out << '\n';
    model_run::write_tensors(out, "input", model.inputs(),
                             model.choice().inputs.random ? "random" : "zero");
    model_run::write_tensors(
        out, "output", model.outputs(),
        model.complete() ? "not kept (-o DIR keeps it)" : "not kept: the run did not complete");
    if (!model.identical()) out << "OUTPUTS DIFFER between inferences\n";
}

void write_mcu_model_failures(std::ostream& err, McuSession& session, const McuModelRun& model) {
    const auto say = [&err](const McuVariantRun& run, const std::string& cause,
                            const std::string& remedy) {
        err << fmt::format("n6vp: {}: {}\n      {}\n", run.variant->title,
                           traces::terminal_text(cause), remedy);
    };
    for (const McuVariantRun& run : model.variants()) {
        if (run.refusal)
            say(run, "the loader refused the model: " + refusal_text(*run.refusal),
                "n6vp check explains each rule");
        if (!run.failure.empty()) say(run, run.failure, "the model is damaged, or for other tools");
        if (run.load && run.load->error != 0)
            say(run, "create failed: " + error_text(run.load->error), "see the client API");
        if (run.init && !run.init->done)
            say(run, "init failed: " + error_text(run.init->error),
                "check weights (--params) and activations");
        for (const McuInference& one : run.inferences) {
            if (one.batches <= 0)
                say(run, fmt::format("run returned {}: {}", one.batches, error_text(one.error)),
                    "see the client API");
        }
    }
    if (model.fault()) write_fault(err, session, model);
    model_run::write_differences(err, model.outputs());
}

Json mcu_model_json(const McuModelRun& model) {
    const McuModelPlan& plan = model.plan();
    Json document = {{"file", model.files().file_path},
                     {"params_file", model.files().params_path},
                     {"family", "legacy"},
                     {"core", core_name(plan.model().header().flags.cpu_part())},
                     {"clock_hz", plan.clocks().hz},
                     {"wait_states", plan.clocks().wait_states}};
    for (const McuVariantRun& run : model.variants()) {
        if (!run.report) continue;
        document["name"] = run.report->name;
        document["tools"] = run.report->tools;
        document["runtime"] = run.report->runtime;
        document["macc"] = run.report->macc;
        document["node_count"] = run.report->nodes;
        break;
    }
    Json& variants = document["variants"] = Json::array();
    for (const McuVariantRun& run : model.variants()) variants.push_back(variant_json(model, run));
    document["identical"] = model.identical();
    document["as_expected"] = model.as_expected();
    document["inputs"] = model_run::tensors_json(model.inputs());
    document["outputs"] = model_run::tensors_json(model.outputs());
    if (model.fault()) document["fault"] = fault_json(model);
    return document;
}

}  // namespace n6vp::sim

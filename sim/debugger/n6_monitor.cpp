// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/n6_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "memmap/peripherals.h"
#include "sim/debugger/monitor_text.h"
#include "sim/faults/fault_report.h"
#include "sim/host/elf.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/numbers.h"
#include "sim/model_file/model_pools.h"
#include "sim/platform/epoch_summary.h"
#include "traces/escape.h"

namespace n6vp::sim::debugger {

namespace {

constexpr double kPerMicrosecond = 1e6;
[[nodiscard]] double microseconds(models::Picoseconds time) {
    return static_cast<double>(time) / kPerMicrosecond;
}

[[nodiscard]] Peek peek_of(RunSession& session) {
    return [&session](std::uint32_t address) {
        return session.platform().soc().bus.peek(GuestAddr{address});
    };
}

[[nodiscard]] std::string time_text(RunSession& session) {
    models::CoreModule& core = session.platform().core();
    return fmt::format(
        "{:.3f} us simulated; core: {} cycles, {} instructions since reset, {:.3f} MHz, {}\n",
        microseconds(session.platform().time()), core.core().cycles(), core.core().instructions(),
        core.clock_hz() / kPerMicrosecond, core.asleep() ? "asleep" : "awake");
}

[[nodiscard]] std::string phases_text(RunSession& session) {
    std::string text;
    const std::vector<Phase>& phases = session.phases().phases();
    const std::size_t first = phases.size() > kMostLines ? phases.size() - kMostLines : 0;
    if (first != 0) text += fmt::format("the last {} of {} phases\n", kMostLines, phases.size());
    for (std::size_t i = first; i < phases.size(); ++i) {
        const Phase& phase = phases[i];
        const std::string name = phase.name.empty() ? "run" : traces::terminal_text(phase.name);
        const std::string indent(std::size_t{2} * phase.depth, ' ');
        if (phase.ended) {
            text += fmt::format("{}{}: {:.3f} us\n", indent, name, microseconds(phase.duration()));
        } else {
            text += fmt::format("{}{}: under way\n", indent, name);
        }
    }
    return text.empty() ? "no phase has begun\n" : text;
}

[[nodiscard]] std::string epochs_text(RunSession& session) {
    const EpochLog& log = session.log_epochs();
    std::string text;
    const std::vector<LoggedEpoch>& epochs = log.epochs();
    const auto worked =
        std::count_if(epochs.begin(), epochs.end(), [](const auto& each) { return each.worked(); });
    const std::size_t first = epochs.size() > kMostLines ? epochs.size() - kMostLines : 0;
    if (first != 0) text += fmt::format("the last {} of {} epochs\n", kMostLines, epochs.size());
    for (std::size_t i = first; i < epochs.size(); ++i) {
        const LoggedEpoch& epoch = epochs[i];
        if (!epoch.worked()) continue;
        const EpochSummary summary = summarise(epoch, session.platform().parameters());
        const EpochFlow moved = summary.engines();
        text += fmt::format(
            "{}: {:.3f} us, {:.0f} NPU cycles, {} bytes read, {} written\n",
            epoch.label ? fmt::format("epoch {}", *epoch.label) : std::string("epoch of software"),
            microseconds(summary.time), summary.npu_cycles, moved.read, moved.written);
    }
    text += fmt::format("{} epochs with work have ended", worked);
    if (const auto label = log.label()) text += fmt::format(", epoch {} is under way", *label);
    return text + "\n";
}

[[nodiscard]] std::string npu_text(RunSession& session) {
    models::NpuModule& npu = session.platform().npu();
    std::string text =
        fmt::format("epoch controller: {}; the NPU's time is {:.3f} us ahead of the kernel's\n",
                    npu.npu().program_running() ? "a program is under way" : "no program",
                    microseconds(npu.lead()));
    const auto& statistics = session.platform().npu_cache().statistics();
    using Monitor = models::CacheAxi::Monitor;
    text += fmt::format("NPU cache: {} read hits, {} read misses, {} write hits, {} write misses\n",
                        statistics.of(Monitor::ReadHit), statistics.of(Monitor::ReadMiss),
                        statistics.of(Monitor::WriteHit), statistics.of(Monitor::WriteMiss));
    if (!session.events().npu_fault().empty())
        text += traces::terminal_text(session.events().npu_fault()) + "\n";
    return text;
}

[[nodiscard]] std::string faults_text(RunSession& session) {
    const fault_report::RunFaults& faults = session.faults();
    const fault_report::FaultLog& log = faults.log();
    std::string text;
    const auto add = [&](const fault_report::FaultReport& report) {
        text += report.cause + "\n";
        if (!report.status.empty()) text += "    " + report.status + "\n";
        if (report.pc) text += fmt::format("    at 0x{:08x} {}\n", *report.pc, report.function);
        if (!report.remedy.empty()) text += "    " + report.remedy + "\n";
    };
    if (!log.chain().empty()) add(fault_report::explain_chain(log.chain(), faults.names()));
    if (log.npu()) add(fault_report::explain(*log.npu(), faults.names()));
    for (const fault_report::FaultMoment& each : log.findings())
        add(fault_report::explain(each, faults.names()));
    text +=
        fmt::format("{} faults of the program so far, handled ones included\n", log.core_faults());
    return text;
}

[[nodiscard]] std::string pools_text(RunSession& session) {
    std::string text;
    for (const RunPlan::Image& image : session.plan().images) {
        if (!image.at) continue;
        try {
            const std::vector<std::uint8_t> content = read_file(image.file);
            if (!is_model(content)) continue;
            text += fmt::format("{} at 0x{:08x}\n", traces::terminal_text(image.file),
                                to_word(*image.at));
            for (const UsedRange& pool : model_pools(image.file, *image.at, content)) {
                const std::uint64_t last = to_word(pool.range.start) + pool.range.bytes - 1;
                text += fmt::format("  0x{:08x} to 0x{:08x}: {}\n", to_word(pool.range.start), last,
                                    traces::terminal_text(pool.what));
            }
        } catch (const UserError& error) {
            text += std::string(error.what()) + "\n";
        }
    }
    return text.empty() ? "the run has no model\n" : text;
}

/// Returns the line that gives GDB the symbols of a model: its sections are linked at addresses of
/// spaces, which the install has given places.
[[nodiscard]] std::string symbols_line(const std::string& path, const loader::Resolver& bases) {
    try {
        const ElfFile file = ElfFile::read(path);
        std::string line = fmt::format("add-symbol-file \"{}\"", traces::terminal_text(path));
        for (const ElfSection& section : file.sections()) {
            std::uint32_t address = 0;
            if (!section.allocated() || section.bytes == 0 ||
                !bases.resolve(section.address, address))
                continue;
            line += fmt::format(" -s {} 0x{:08x}", traces::terminal_text(section.name), address);
        }
        return line + "\n";
    } catch (const UserError& error) {
        return fmt::format("# {}\n", error.what());
    }
}

[[nodiscard]] std::string symbols_text(RunSession& session) {
    std::string text;
    const std::vector<RunConfig::Value>& files = session.plan().symbols;
    for (const fault_report::ModelPlace& place : session.faults().places()) {
        const auto model =
            fault_report::InstalledModel::find(session.platform(), place, report::SymbolTable());
        const std::string name = traces::terminal_text(place.name);
        if (!model) {
            text += fmt::format("# {} at 0x{:08x}: not installed yet\n", name, place.address);
            continue;
        }
        text += fmt::format(
            "# {}: code and constants from 0x{:08x} on, exec RAM from 0x{:08x} on, {} bytes{}\n",
            name, to_word(model->read_only().start), to_word(model->ram().start),
            model->exec_bytes(), files.empty() ? "; its symbols: run --symbols ELF" : "");
        for (const RunConfig::Value& file : files) text += symbols_line(file.text, model->bases());
    }
    return text.empty() ? "the run has no model\n" : text;
}

[[nodiscard]] std::string traffic_text(RunSession& session) {
    Platform& platform = session.platform();
    std::string text;
    for (unsigned initiator = 0; initiator < platform.initiators(); ++initiator) {
        for (unsigned target = 0; target < platform.targets(); ++target) {
            const models::Flow& flow = platform.bus().flow(initiator, target);
            if (flow.reads + flow.writes == 0) continue;
            text += fmt::format(
                "{} to {}: {} bytes in {} reads, {} bytes in {} writes, {:.3f} us waited\n",
                platform.initiator_name(initiator), platform.target_name(target), flow.bytes_read,
                flow.reads, flow.bytes_written, flow.writes, microseconds(flow.waited));
        }
    }
    return text.empty() ? "nothing has moved yet\n" : text;
}

[[nodiscard]] std::string gpio_text(RunSession& session) {
    constexpr std::string_view kPort = "GPIO";
    std::string text;
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        const std::string_view name = row.name;
        if (!name.starts_with(kPort)) continue;
        text += gpio_line(name.substr(kPort.size()), to_word(row.secure), peek_of(session));
    }
    return text;
}

[[nodiscard]] std::string registers_text(RunSession& session, const std::string& name) {
    if (name.empty()) return "write monitor registers PERIPHERAL, as in monitor registers RCC\n";
    const std::string wanted = upper_case(name);
    std::vector<std::string> names;
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        names.emplace_back(row.name);
        if (upper_case(row.name) != wanted) continue;
        return register_lines(to_word(row.secure), row.bytes, peek_of(session),
                              &session.register_names());
    }
    return no_peripheral(name, names);
}

}  // namespace

std::vector<MonitorCommand> n6_monitor_commands(RunSession& session) {
    const auto simple = [&session](std::string (*text)(RunSession&)) {
        return [&session, text](const std::string&) { return text(session); };
    };
    return {
        {"time", "", "simulated time, cycles and instructions", simple(time_text)},
        {"phases", "", "phases that the program has marked", simple(phases_text)},
        {"epochs", "", "epochs of the NPU", simple(epochs_text)},
        {"npu", "", "state of the NPU and its cache", simple(npu_text)},
        {"pools", "", "memory pools of the models", simple(pools_text)},
        {"faults", "", "what has gone wrong so far", simple(faults_text)},
        {"traffic", "", "bytes that moved over the fabric, and waits", simple(traffic_text)},
        {"gpio", "", "pins: their modes and levels", simple(gpio_text)},
        {"registers", "PERIPHERAL",
         "registers of a peripheral that can be read without effect, with names",
         [&session](const std::string& name) { return registers_text(session, name); }},
        {"model-symbols", "", "where the models are, and commands of GDB that load their symbols",
         simple(symbols_text)},
    };
}

}  // namespace n6vp::sim::debugger

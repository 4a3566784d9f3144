// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "sim/exec/exec_run.h"
#include "sim/faults/coherence_report.h"
#include "sim/host/table_limit.h"
#include "sim/info/image_report.h"
#include "sim/platform/set_up_check.h"
#include "sim/run/board_report.h"
#include "sim/run/camera_report.h"
#include "sim/run/traffic_report.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using Monitor = models::CacheAxi::Monitor;

constexpr std::pair<Monitor, const char*> kMonitors[] = {
    {Monitor::ReadHit, "read_hits"},
    {Monitor::ReadMiss, "read_misses"},
    {Monitor::ReadAllocateMiss, "read_allocates"},
    {Monitor::WriteHit, "write_hits"},
    {Monitor::WriteMiss, "write_misses"},
    {Monitor::WriteAllocateMiss, "write_allocates"},
    {Monitor::WriteThrough, "write_throughs"},
    {Monitor::Eviction, "evictions"},
};

[[nodiscard]] double microseconds(models::Picoseconds time) {
    return static_cast<double>(time) * 1e-6;
}

[[nodiscard]] std::string place(const RunOutcome& outcome, const RunEvents& events) {
    const std::string symbol = events.symbol(outcome.pc);
    return fmt::format("pc 0x{:08x}{}{}", outcome.pc, symbol.empty() ? "" : " ", symbol);
}

void write_caches(std::ostream& out, RunSession& session, const RunOutcome& outcome) {
    if (outcome.core.caches) {
        const auto& [code, data] = *outcome.core.caches;
        out << fmt::format(
            "I-cache: {} line fills, {} uncached reads, {} stall cycles\n"
            "D-cache: {} line fills, {} write-backs, {} uncached reads and {} uncached writes, {} "
            "stall cycles\n",
            code.fills, code.uncached, code.wait_cycles, data.fills, data.write_backs,
            data.uncached_reads, data.uncached_writes, data.wait_cycles);
    }
    const models::CacheAxi::Statistics& npu = session.platform().npu_cache().statistics();
    std::string counts;
    for (const auto& [monitor, name] : kMonitors) {
        if (npu.of(monitor) == 0) continue;
        std::string words = name;
        for (char& c : words) c = c == '_' ? ' ' : c;
        counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", npu.of(monitor), words);
    }
    if (!counts.empty() || npu.passed != 0) {
        out << fmt::format("NPU cache: {}; {} uncached transfers, {:.3f} us stalled\n",
                           counts.empty() ? "not used" : counts, npu.passed,
                           microseconds(npu.waited));
    }
}

/// What the program left undone of the chip's set-up.
void write_gaps(std::ostream& out, RunSession& session) {
    const std::vector<SetUpGap> gaps = set_up_gaps(session.platform());
    if (gaps.empty()) return;
    out << "\nset-up steps required by the NPU and missing at the end:\n";
    for (const SetUpGap& gap : gaps) {
        out << fmt::format("  step {}, {}: {}\n", static_cast<unsigned>(gap.step),
                           models::set_up_text(gap.step), gap.bit);
    }
}

[[nodiscard]] Json gaps_json(RunSession& session) {
    Json list = Json::array();
    for (const SetUpGap& gap : set_up_gaps(session.platform())) {
        list.push_back({{"step", static_cast<unsigned>(gap.step)},
                        {"text", models::set_up_text(gap.step)},
                        {"bit", gap.bit}});
    }
    return list;
}

[[nodiscard]] Json caches_json(RunSession& session, const RunOutcome& outcome) {
    Json document = Json::object();
    if (outcome.core.caches) {
        const auto& [code, data] = *outcome.core.caches;
        document["icache"] = {
            {"fills", code.fills}, {"uncached", code.uncached}, {"wait_cycles", code.wait_cycles}};
        document["dcache"] = {{"fills", data.fills},
                              {"write_backs", data.write_backs},
                              {"uncached_reads", data.uncached_reads},
                              {"uncached_writes", data.uncached_writes},
                              {"wait_cycles", data.wait_cycles}};
    }
    const models::CacheAxi::Statistics& npu = session.platform().npu_cache().statistics();
    Json& counts = document["npu_cache"] = Json::object();
    for (const auto& [monitor, name] : kMonitors) counts[name] = npu.of(monitor);
    counts["passed"] = npu.passed;
    counts["waited_ps"] = npu.waited;
    return document;
}

[[nodiscard]] Json boot_images_json(const RunSession& session) {
    Json list = Json::array();
    for (const RunSession::BootImage& image : session.boot_images()) {
        Json row = report::boot_header_json(image.header);
        row["address"] = hex_word(image.address);
        row["image"] = image.name;
        list.push_back(std::move(row));
    }
    return list;
}

/// Why a program waits in vain.
void write_npu_fault(std::ostream& out, const RunOutcome& outcome) {
    if (outcome.npu_fault.empty()) return;
    out << fmt::format("n6vp: {}\n", traces::terminal_text(outcome.npu_fault));
}

/// Bytes that were stored to, in pages of 4 KiB, of every memory but flash; exec RAM and external
/// RAM that the models took.
[[nodiscard]] Json memory_json(RunSession& session) {
    constexpr std::uint32_t kPage = models::BackingStore::kPageBytes;
    Json list = Json::object();
    for (const Platform::Memory& memory : session.platform().memories()) {
        if (memory.region->kind == memmap::RegionKind::Nor) continue;
        const models::BackingStore& contents = memory.model->contents();
        std::uint64_t bytes = 0;
        for (std::uint32_t at = 0; at < contents.bytes(); at += kPage) {
            if (contents.known(at)) bytes += std::min(kPage, contents.bytes() - at);
        }
        list[memory.region->name] = bytes;
    }
    std::uint64_t exec = 0, external = 0;
    for (const auto& model : session.faults().names().models) {
        exec += model->exec_bytes();
        external += model->external_bytes();
    }
    if (session.faults().names().models.empty()) return list;
    list["exec_ram"] = exec;
    list["external_ram"] = external;
    return list;
}

/// Where a run without a verdict of its own ended, and why.
[[nodiscard]] bool about_end(const fault_report::FaultReport& report) {
    using fault_report::Kind;
    return report.kind == Kind::NoProgress || report.kind == Kind::Limit;
}

}  // namespace

std::string core_registers_text(const std::vector<ExecRegister>& registers) {
    std::string text;
    for (const ExecRegister& one : shown_rows(registers)) {
        text += fmt::format("{}: {} reads, {} writes, first at pc 0x{:08x}\n",
                            register_text(one.address), one.accesses.reads, one.accesses.writes,
                            one.accesses.first_pc);
    }
    return text + hidden_rows(registers.size());
}

Json core_registers_json(const std::vector<ExecRegister>& registers) {
    Json list = Json::array();
    for (const ExecRegister& one : registers) {
        list.push_back({{"address", hex_word(one.address)},
                        {"name", one.name},
                        {"reads", one.accesses.reads},
                        {"writes", one.accesses.writes},
                        {"first_pc", hex_word(one.accesses.first_pc)}});
    }
    return list;
}

/// What to do about a reset that ended the run.
std::string reset_remedy(std::uint64_t resets) {
    return resets == 0 ? "a reset ends the run: with --resets N the program starts again, N times"
                       : fmt::format(
                             "the program has started again {} times: --resets N allows "
                             "more",
                             resets);
}

/// Standby mode that nothing ends.
void write_standby(std::ostream& out, const RunOutcome& outcome, const std::string& where) {
    out << fmt::format("n6vp: the chip is in Standby mode without a wake-up source, {}\n      {}\n",
                       where,
                       outcome.wake_up_pins.empty()
                           ? "enable a wake-up pin (PWR_WKUPEPR), or an alarm or the wake-up timer "
                             "of the RTC with its interrupt, before the sleep"
                           : fmt::format("enabled pins: {}; give such an edge by [[input]] in a "
                                         "scenario",
                                         outcome.wake_up_pins));
}

void write_verdict(std::ostream& out, const RunOutcome& outcome, const RunEvents& events) {
    const std::string where = place(outcome, events);
    switch (outcome.verdict) {
        case RunVerdict::Exit:
            if (outcome.exit_code != 0) {
                out << fmt::format(
                    "n6vp: the program ended with exit code {}\n      {}\n", outcome.exit_code,
                    outcome.faulted ? "after a fault"
                                    : "an exit code of the program, not of the simulator");
            }
            break;
        case RunVerdict::Reset:
            out << fmt::format("n6vp: the program or a watchdog requested a reset, {}\n      {}\n",
                               where, reset_remedy(outcome.resets));
            break;
        case RunVerdict::Breakpoint:
            out << fmt::format(
                "n6vp: BKPT, {}\n"
                "      only BKPT 0xAB (semihosting) is supported\n",
                where);
            break;
        case RunVerdict::Lockup:
            out << fmt::format(
                "n6vp: guest fault: the core locked up, {} (CFSR 0x{:08x}, HFSR 0x{:08x}, BFAR "
                "0x{:08x})\n"
                "      a fault occurred and no handler could be entered; the report lists failed "
                "accesses\n",
                where, outcome.status.cfsr, outcome.status.hfsr, outcome.status.bfar);
            break;
        case RunVerdict::Unmodelled:
            out << fmt::format(
                "n6vp: {} {}, {}\n"
                "      without --strict the run continues and the report lists all of them\n",
                traces::terminal_text(outcome.what),
                outcome.assumed ? "rests on an assumption" : "is not modelled and was accessed",
                where);
            break;
        case RunVerdict::Limit:
            out << fmt::format(
                "n6vp: limit reached, {}\n      --max-time, --max-instr or --max-host-time sets "
                "it\n",
                where);
            write_npu_fault(out, outcome);
            break;
        case RunVerdict::Asleep:
            if (outcome.standby) {
                write_standby(out, outcome, where);
                break;
            }
            out << fmt::format(
                "n6vp: the core sleeps without a wake-up source, {}\n"
                "      check that the expected interrupt is enabled\n",
                where);
            write_npu_fault(out, outcome);
            break;
        case RunVerdict::NoProgress:
            out << fmt::format(
                "n6vp: the program makes no progress, {}\n"
                "      --max-quiet sets the time limit without activity\n",
                where);
            write_npu_fault(out, outcome);
            break;
        case RunVerdict::Interrupted:
            out << fmt::format(
                "n6vp: interrupted after {:.3f} us, {}{}\n      results are partial\n",
                microseconds(outcome.time), where,
                outcome.console_failed ? ": a console could not be written"
                : outcome.output_gone  ? ": standard output was closed"
                                       : "");
            break;
    }
}

void write_doubts(std::ostream& out, const RunSession& session) {
    constexpr std::size_t kMost = 3;  // the document has all of them
    std::size_t count = 0;
    for (const fault_report::FaultReport& report : session.faults().reports()) {
        if (report.ended_run || about_end(report)) continue;
        if (++count == 1) out << "\nfaults handled by the program:\n";
        if (count <= kMost) fault_report::write_report(out, report);
    }
    const std::uint64_t more = session.faults().log().not_kept() + count - std::min(count, kMost);
    if (more != 0) out << fmt::format("and {} more\n", more);
}

void write_faults_at_end(std::ostream& out, const RunSession& session) {
    for (const fault_report::FaultReport& report : session.faults().reports()) {
        if (report.ended_run || about_end(report)) {
            fault_report::write_report(out, report);
        }
    }
}

void write_run(std::ostream& out, RunSession& session, const RunOutcome& outcome,
               const RunPlan& plan) {
    if (outcome.verdict == RunVerdict::Interrupted) out << "PARTIAL: the run was interrupted\n";
    out << fmt::format(
        "{:.3f} us, {} cycles, {} instructions ({}, {} coherence), {:.2f} s of CPU time, hash "
        "{:016x}\n\n",
        microseconds(outcome.time), outcome.cycles, outcome.instructions,
        timing_name(plan.options.timing),
        plan.options.coherence == models::core::Coherence::Real ? "real" : "ideal",
        outcome.host_seconds, outcome.hash);
    if (outcome.resets != 0)
        out << fmt::format("started again after a reset: {} times\n\n", outcome.resets);
    if (outcome.wake_ups != 0)
        out << fmt::format("woken from Standby mode: {} times\n\n", outcome.wake_ups);
    for (const RunSession::BootImage& image : session.boot_images()) {
        out << fmt::format("boot image {} at 0x{:08x}\n{}\n", image.name, image.address,
                           report::boot_header_text(image.header, "  "));
    }
    write_phases(out, session.phases());
    out << '\n';
    write_caches(out, session, outcome);
    const RunEvents& events = session.events();
    if (events.core_coherence().total() != 0) {
        out << fmt::format("\nmissing cache maintenance of the core's caches: {}\n",
                           events.core_coherence().total());
        write_coherence(out, events.core_coherence());
    }
    if (!events.events().empty()) {
        out << fmt::format("\nevents: {}\n", events.events().size() + events.not_kept());
        write_events(out, events);
    }
    write_doubts(out, session);
    if (plan.options.boot != BootState::Ready) write_gaps(out, session);
    const auto stubs = session.registers().not_modelled();
    if (!stubs.empty() || !outcome.core.unmodelled.empty()) {
        out << fmt::format("\nunmodelled registers accessed: {}\n",
                           stubs.size() + outcome.core.unmodelled.size());
        out << RegisterReport::text(stubs) << core_registers_text(outcome.core.unmodelled);
    }
    if (const std::uint64_t more = session.registers().not_kept(); more != 0) {
        out << fmt::format("and {} accesses to registers beyond the first {}\n", more,
                           RegisterReport::kMaxKept);
    }
    write_traffic(out, session.platform());
    write_pins(out, session.board());
    write_timer_outputs(out, session.board(), outcome.time);
    write_camera(out, session);
    session.sound().report(out);
    write_inputs(out, session.inputs());
    if (!session.repeatable()) {
        out << "\nthe console had input: results may not be reproducible\n";
    }
}

void write_run_csv(std::ostream& out, const RunSession& session) {
    const PhaseRecorder& report = session.phases();
    out << "phase,depth,ended,start_ps,end_ps,cycles,instructions,initiator,target,bytes_read,"
           "bytes_written,waited_ps\n";
    for (const Phase& phase : report.phases()) {
        std::string name = phase.name.empty() ? fmt::format("{}", phase.id) : phase.name;
        for (char& c : name) {
            const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                               (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c == ' ';
            if (!plain) c = '_';
        }
        const std::string common =
            fmt::format("{},{},{},{},{},{},{}", name, phase.depth, phase.ended ? 1 : 0, phase.start,
                        phase.end, phase.counted.cycles, phase.counted.instructions);
        out << common << ",,,,,\n";
        for (const PhaseFlow& flow : phase.counted.flows) {
            out << fmt::format("{},{},{},{},{},{}\n", common,
                               report.names().initiators[flow.initiator],
                               report.names().targets[flow.target], flow.bytes_read,
                               flow.bytes_written, flow.waited);
        }
    }
}

Json run_document(RunSession& session, const RunOutcome& outcome, const RunPlan& plan) {
    Json document = json_document("run");
    document["end"] = verdict_name(outcome.verdict);
    document["partial"] = outcome.verdict == RunVerdict::Interrupted;
    if (outcome.verdict == RunVerdict::Exit) document["exit_code"] = outcome.exit_code;
    if (!outcome.what.empty()) document["register"] = outcome.what;
    if (!outcome.npu_fault.empty()) document["npu_fault"] = outcome.npu_fault;
    document["pc"] = hex_word(outcome.pc);
    document["symbol"] = session.events().symbol(outcome.pc);
    document["timing"] = timing_name(plan.options.timing);
    document["coherence_mode"] =
        plan.options.coherence == models::core::Coherence::Real ? "real" : "ideal";
    document["time_ps"] = outcome.time;
    document["cycles"] = outcome.cycles;
    document["instructions"] = outcome.instructions;
    if (plan.resets != 0) document["resets"] = outcome.resets;
    if (outcome.wake_ups != 0) document["wake_ups"] = outcome.wake_ups;
    if (outcome.standby) document["standby"] = true;
    document["hash"] = fmt::format("{:016x}", outcome.hash);
    document["repeatable"] = session.repeatable();
    if (Json camera = camera_json(session); !camera.is_null())
        document["camera"] = std::move(camera);
    if (!session.board().watched().empty()) document["pins"] = pins_json(session.board());
    if (Json outputs = timer_outputs_json(session.board(), outcome.time); !outputs.empty())
        document["timer_outputs"] = std::move(outputs);
    if (Json sound = session.sound().document(); !sound.is_null())
        document["sound"] = std::move(sound);
    if (!session.inputs().ports().empty() || !session.inputs().targets().empty())
        document["inputs"] = inputs_json(session.inputs());
    document["host_seconds"] = outcome.host_seconds;
    if (outcome.verdict == RunVerdict::Lockup) {
        document["fault"] = {{"cfsr", hex_word(outcome.status.cfsr)},
                             {"hfsr", hex_word(outcome.status.hfsr)},
                             {"bfar", hex_word(outcome.status.bfar)}};
    }
    if (!session.boot_images().empty()) document["boot_images"] = boot_images_json(session);
    Json& faults = document["faults"] = Json::array();
    for (const fault_report::FaultReport& report : session.faults().reports()) {
        faults.push_back(fault_report::report_json(report));
    }
    document["memory"] = memory_json(session);
    document["phases"] = phases_json(session.phases());
    document["start_up"] = start_up_json(session.phases());
    if (!session.platform().traffic().empty())
        document["masters"] = masters_json(session.platform());
    document["traffic"] = traffic_json(session.platform());
    document["caches"] = caches_json(session, outcome);
    document["coherence"] = coherence_json(session.events().core_coherence());
    document["assumptions"] = assumptions_json(session.events());
    document["events"] = events_json(session.events());
    document["events_not_kept"] = session.events().not_kept();
    if (plan.options.boot != BootState::Ready) document["set_up_gaps"] = gaps_json(session);
    document["registers_not_modelled"] = RegisterReport::json(session.registers().not_modelled());
    document["register_accesses_not_kept"] = session.registers().not_kept();
    document["core_registers_not_modelled"] = core_registers_json(outcome.core.unmodelled);
    return document;
}

}  // namespace n6vp::sim

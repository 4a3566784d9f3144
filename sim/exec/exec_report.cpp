// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_report.h"
#include "sim/host/message_text.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

namespace n6vp::sim {

namespace {

using models::core::CoherenceEvent;
using models::core::Timing;

const char* end_name(ExecEnd end) {
    switch (end) {
        case ExecEnd::Exit:
            return "exit";
        case ExecEnd::Reset:
            return "reset";
        case ExecEnd::Lockup:
            return "lockup";
        case ExecEnd::Unmodelled:
            return "unmodelled";
        case ExecEnd::Limit:
            return "limit";
        case ExecEnd::Interrupted:
            return "interrupted";
        default:
            return "asleep";
    }
}

double mips(const ExecOutcome& outcome) {
    return outcome.host_seconds > 0
               ? static_cast<double>(outcome.instructions) / outcome.host_seconds / 1e6
               : 0;
}

void write_caches(std::ostream& out, const ExecStatistics& statistics,
                  models::core::Timing timing) {
    if (!statistics.caches) {
        out << (timing == models::core::Timing::Functional
                    ? "caches       not modelled with --timing functional\n"
                    : "caches       none in this core\n");
        return;
    }
    const auto& [code, data] = *statistics.caches;
    out << fmt::format("icache       {:>14}  line fills, {} past it, {} waited\n", code.fills,
                       counted(code.uncached, "line"), counted(code.wait_cycles, "cycle"));
    out << fmt::format("dcache       {:>14}  line fills, {}, {} and {} past it, {} waited\n",
                       data.fills, counted(data.write_backs, "write-back"),
                       counted(data.uncached_reads, "read"), counted(data.uncached_writes, "write"),
                       counted(data.wait_cycles, "cycle"));
}

void write_coherence(std::ostream& out, const CoherenceLog& log) {
    out << fmt::format("coherence    {:>14}  events", log.total());
    const char* separator = ": ";
    for (const CoherenceEvent::Kind kind : CoherenceLog::kKinds) {
        if (log.count(kind) == 0) continue;
        out << separator << log.count(kind) << ' ' << coherence_text(kind).text;
        separator = ", ";
    }
    out << '\n';
    for (const CoherenceEvent& event : log.first()) {
        const CoherenceText text = coherence_text(event);
        out << fmt::format("  {} at 0x{:08x}, {}, pc 0x{:08x}: {} after {}\n", text.text,
                           event.address, counted(event.bytes, "byte"), event.pc, text.first,
                           text.second);
    }
    if (log.total() > log.first().size())
        out << fmt::format("  and {} more\n", log.total() - log.first().size());
}

void write_registers(std::ostream& out, const ExecStatistics& statistics) {
    out << fmt::format("registers    {:>14}  not modelled but accessed\n",
                       statistics.unmodelled.size());
    for (const ExecRegister& one : statistics.unmodelled)
        out << fmt::format("  {}: {}, {}, first at pc 0x{:08x}\n", register_text(one.address),
                           counted(one.accesses.reads, "read"),
                           counted(one.accesses.writes, "write"), one.accesses.first_pc);
}

Json caches_json(const ExecStatistics& statistics) {
    if (!statistics.caches) return nullptr;
    const auto& [code, data] = *statistics.caches;
    Json icache = {
        {"fills", code.fills}, {"uncached", code.uncached}, {"wait_cycles", code.wait_cycles}};
    Json dcache = {{"fills", data.fills},
                   {"write_backs", data.write_backs},
                   {"uncached_reads", data.uncached_reads},
                   {"uncached_writes", data.uncached_writes},
                   {"wait_cycles", data.wait_cycles}};
    return {{"icache", std::move(icache)}, {"dcache", std::move(dcache)}};
}

Json coherence_json(const ExecStatistics& statistics) {
    if (!statistics.caches) return nullptr;
    Json counts = Json::object();
    for (const CoherenceEvent::Kind kind : CoherenceLog::kKinds)
        counts[coherence_text(kind).key] = statistics.coherence.count(kind);
    Json first = Json::array();
    for (const CoherenceEvent& event : statistics.coherence.first()) {
        const CoherenceText text = coherence_text(event);
        first.push_back({{"kind", text.key},
                         {"address", hex_word(event.address)},
                         {"bytes", event.bytes},
                         {"pc", hex_word(event.pc)},
                         {"parties", {text.first, text.second}}});
    }
    return {{"events", statistics.coherence.total()},
            {"by_kind", std::move(counts)},
            {"first", std::move(first)}};
}

Json registers_json(const ExecStatistics& statistics) {
    Json list = Json::array();
    for (const ExecRegister& one : statistics.unmodelled) {
        Json entry = {{"address", hex_word(one.address)}};
        if (!one.name.empty()) entry["name"] = one.name;
        entry["reads"] = one.accesses.reads;
        entry["writes"] = one.accesses.writes;
        entry["first_pc"] = hex_word(one.accesses.first_pc);
        list.push_back(std::move(entry));
    }
    return list;
}

void write_lockup(std::ostream& out, const ExecOutcome& outcome) {
    out << fmt::format(
        "n6vp: guest fault: the core locked up at 0x{:08x} (CFSR 0x{:08x}, HFSR 0x{:08x}, SFSR "
        "0x{:08x}, MMFAR 0x{:08x}, BFAR 0x{:08x})\n"
        "      a fault occurred and no handler could be entered; --trace insn shows the "
        "instructions before it\n",
        outcome.pc, outcome.cfsr, outcome.hfsr, outcome.sfsr, outcome.mmfar, outcome.bfar);
}

}  // namespace

void write_end(std::ostream& out, const ExecOutcome& outcome) {
    switch (outcome.end) {
        case ExecEnd::Exit:
            if (outcome.exit_code != 0)
                out << fmt::format("n6vp: the program ended with exit code {}\n",
                                   outcome.exit_code);
            break;
        case ExecEnd::Reset:
            out << fmt::format(
                "n6vp: the program requested a reset at pc 0x{:08x} (AIRCR.SYSRESETREQ)\n"
                "      a reset ends the run: use semihosting exit to return an exit code\n",
                outcome.pc);
            break;
        case ExecEnd::Lockup:
            write_lockup(out, outcome);
            break;
        case ExecEnd::Unmodelled:
            out << fmt::format(
                "n6vp: {} was {} at pc 0x{:08x} and is not modelled\n"
                "      without --strict it reads as zero or as written; --stats lists all of "
                "them\n",
                register_text(outcome.register_address),
                outcome.register_written ? "written" : "read", outcome.pc);
            break;
        case ExecEnd::Limit:
            out << fmt::format(
                "n6vp: limit reached at 0x{:08x}\n"
                "      --max-instr, --max-time or --max-host-time sets it\n",
                outcome.pc);
            break;
        case ExecEnd::Interrupted:
            out << fmt::format(
                "n6vp: interrupted at 0x{:08x} after {} instructions\n"
                "      results are partial\n",
                outcome.pc, outcome.instructions);
            break;
        case ExecEnd::Asleep:
            out << fmt::format("n6vp: the core sleeps at 0x{:08x} without a wake-up source\n",
                               outcome.pc);
            break;
    }
}

void write_statistics(std::ostream& out, const ExecOutcome& outcome, Timing timing) {
    out << fmt::format("instructions {:>14}\ncycles       {:>14}  ({})\n", outcome.instructions,
                       outcome.cycles, timing_name(timing));
    out << fmt::format("host         {:>14.3f}  s of CPU time, {:.1f} MIPS\n", outcome.host_seconds,
                       mips(outcome));
    write_caches(out, outcome.statistics, timing);
    if (outcome.statistics.caches) write_coherence(out, outcome.statistics.coherence);
    write_registers(out, outcome.statistics);
}

Json exec_document(const ExecOutcome& outcome, Timing timing) {
    Json document = json_document("exec");
    document["end"] = end_name(outcome.end);
    document["partial"] = outcome.end == ExecEnd::Interrupted;
    if (outcome.end == ExecEnd::Exit) document["exit_code"] = outcome.exit_code;
    document["pc"] = hex_word(outcome.pc);
    document["instructions"] = outcome.instructions;
    document["cycles"] = outcome.cycles;
    document["timing"] = timing_name(timing);
    document["host_seconds"] = outcome.host_seconds;
    document["host_mips"] = mips(outcome);
    if (outcome.end == ExecEnd::Lockup) {
        document["fault"] = {{"cfsr", hex_word(outcome.cfsr)},
                             {"hfsr", hex_word(outcome.hfsr)},
                             {"sfsr", hex_word(outcome.sfsr)},
                             {"mmfar", hex_word(outcome.mmfar)},
                             {"bfar", hex_word(outcome.bfar)}};
    }
    if (outcome.end == ExecEnd::Unmodelled)
        document["register"] = {{"address", hex_word(outcome.register_address)},
                                {"access", outcome.register_written ? "write" : "read"}};
    document["caches"] = caches_json(outcome.statistics);
    document["coherence"] = coherence_json(outcome.statistics);
    document["unmodelled_registers"] = registers_json(outcome.statistics);
    return document;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/epoch/epoch_report.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sim/exec/exec_run.h"
#include "sim/host/table_limit.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::array<unsigned, 4> kBeats{1, 2, 4, 8};

/// Bursts of one master by length.
using BurstRow = std::array<std::uint64_t, 4>;

[[nodiscard]] BurstRow bursts_of(const EpochResult& epoch, unsigned port, bool output) {
    BurstRow row{};
    for (const EngineResult& engine : epoch.engines) {
        if (models::NpuModule::port_of(engine.engine) != port || engine.output != output) continue;
        for (std::size_t i = 0; i < row.size(); ++i) row[i] += engine.counters.bursts[i];
    }
    return row;
}

void write_engines(std::ostream& out, const EpochResult& epoch) {
    out << fmt::format("  {:<10}{:>4}{:>11}{:>11}{:>11}{:>9}{:>9}{:>9}{:>9}\n", "engine", "",
                       "active", "words", "bytes", "1 beat", "2", "4", "8");
    for (const EngineResult& engine : epoch.engines) {
        const models::npu::EngineCounters& c = engine.counters;
        out << fmt::format("  STRENG{:<4}{:>4}{:>11.0f}{:>11}{:>11}{:>9}{:>9}{:>9}{:>9}{}\n",
                           engine.engine, engine.output ? "out" : "in", engine.active, c.words,
                           c.bytes, c.bursts[0], c.bursts[1], c.bursts[2], c.bursts[3],
                           engine.ended ? "" : "  not done");
    }
}

/// Calls `take(master, memory, flow)` for what engines moved.
template <class Take>
void for_each_flow(const EpochSummary& summary, const Take& take) {
    const std::vector<std::string> memories = Platform::target_names();
    for (const EpochFlow& flow : summary.flows.list) {
        if (flow.master == Initiator::EpochController || flow.read + flow.written == 0) continue;
        take(initiator_name(number(flow.master)), memories.at(flow.target), flow);
    }
}

void write_traffic(std::ostream& out, const EpochSummary& summary) {
    for_each_flow(summary,
                  [&out](const char* master, const std::string& memory, const EpochFlow& flow) {
                      out << fmt::format("  {:<12}{:<13}{:>11} read{:>11} written\n", master,
                                         memory, flow.read, flow.written);
                  });
    if (summary.cache_hits() + summary.cache_misses() != 0) {
        out << fmt::format("  NPU cache   {} hits, {} misses, reads and writes\n",
                           summary.cache_hits(), summary.cache_misses());
    }
}

void write_times(std::ostream& out, const EpochResult& epoch) {
    if (!epoch.ended) {
        out << "did not end\n";
        return;
    }
    out << fmt::format("{:.0f} NPU cycles", epoch.summary.npu_cycles);
    // A blob sets its units up before and after they work.
    if (std::abs(epoch.cycles - epoch.summary.npu_cycles) >= 1) {
        out << fmt::format(", {:.0f} including unit set-up", epoch.cycles);
    }
    if (epoch.start_cycles > 0) {
        out << fmt::format(", {:.0f} including its start by the core", epoch.total_cycles());
    }
    out << '\n';
}

void write_epoch(std::ostream& out, const EpochResult& epoch) {
    out << fmt::format("{}: ", traces::terminal_text(epoch.name));
    write_times(out, epoch);
    const EpochSummary& summary = epoch.summary;
    const char* separator = "  bound by ";
    for (const BoundShare& part : summary.bound()) {
        if (part.share < 0.0005) continue;
        out << fmt::format("{}{} {:.1f} %", separator, part.cause, 100 * part.share);
        separator = ", ";
    }
    if (*separator == ',') out << '\n';
    if (summary.macs != 0) {
        out << fmt::format("  {} MAC, {:.1f} % of all four CONVACC\n", summary.macs,
                           100 * summary.mac_utilisation());
    }
    for (const ConvolutionResult& unit : epoch.convolutions) {
        out << fmt::format("  CONVACC{}    {} frames, {} MAC, {:.1f} % of its own multipliers\n",
                           unit.unit, unit.frames, unit.products, 100 * unit.utilisation);
    }
    write_engines(out, epoch);
    write_traffic(out, summary);
    for (const std::string& problem : epoch.problems) out << "  " << problem << '\n';
}

Json bursts_json(const EpochResult& epoch) {
    Json rows = Json::array();
    for (unsigned port = 0; port < 2; ++port) {
        for (const bool output : {false, true}) {
            const BurstRow row = bursts_of(epoch, port, output);
            Json lengths = Json::object();
            for (std::size_t i = 0; i < row.size(); ++i) {
                lengths[std::to_string(kBeats[i])] = row[i];
            }
            rows.push_back(
                {{"port", port}, {"direction", output ? "write" : "read"}, {"beats", lengths}});
        }
    }
    return rows;
}

Json engines_json(const EpochResult& epoch) {
    Json rows = Json::array();
    for (const EngineResult& engine : epoch.engines) {
        const models::npu::EngineCounters& c = engine.counters;
        rows.push_back({{"engine", fmt::format("STRENG{}", engine.engine)},
                        {"direction", engine.output ? "out" : "in"},
                        {"ended", engine.ended},
                        {"active_cycles", engine.active},
                        {"words", c.words},
                        {"bytes", c.bytes},
                        {"bursts", c.bursts},
                        {"bus_errors", c.bus_errors}});
    }
    return rows;
}

Json traffic_json(const EpochSummary& summary) {
    Json rows = Json::array();
    for_each_flow(summary,
                  [&rows](const char* master, const std::string& memory, const EpochFlow& flow) {
                      rows.push_back({{"master", master},
                                      {"memory", memory},
                                      {"bytes_read", flow.read},
                                      {"bytes_written", flow.written}});
                  });
    return rows;
}

Json epoch_row(const EpochResult& epoch) {
    const EpochSummary& summary = epoch.summary;
    Json row{{"name", epoch.name},
             {"ended", epoch.ended},
             {"cycles", epoch.cycles},
             {"start_cycles", epoch.start_cycles},
             {"total_cycles", epoch.total_cycles()},
             {"npu_ps", summary.time},
             {"npu_cycles", summary.npu_cycles},
             {"macs", summary.macs},
             {"mac_utilisation", summary.mac_utilisation()}};
    row["bound"] = Json::array();
    for (const BoundShare& part : summary.bound()) {
        row["bound"].push_back({{"cause", part.cause}, {"share", part.share}});
    }
    row["convolutions"] = Json::array();
    for (const ConvolutionResult& unit : epoch.convolutions) {
        row["convolutions"].push_back({{"unit", fmt::format("CONVACC{}", unit.unit)},
                                       {"frames", unit.frames},
                                       {"macs", unit.products},
                                       {"utilisation", unit.utilisation}});
    }
    row["engines"] = engines_json(epoch);
    row["bursts"] = bursts_json(epoch);
    const EpochFlow moved = summary.engines();
    row["bytes_read"] = moved.read;
    row["bytes_written"] = moved.written;
    row["traffic"] = traffic_json(summary);
    row["controller_bytes"] = summary.controller_bytes();
    row["npu_cache_hits"] = summary.cache_hits();
    row["npu_cache_misses"] = summary.cache_misses();
    row["npu_cache"] = {{"read_hits", summary.flows.read_hits},
                        {"read_misses", summary.flows.read_misses},
                        {"read_allocate_misses", summary.flows.read_allocates},
                        {"write_hits", summary.flows.write_hits},
                        {"write_misses", summary.flows.write_misses}};
    row["waited_cycles"] = summary.waited_cycles;
    row["bursts_waited_ps"] = moved.waited;
    row["problems"] = epoch.problems;
    return row;
}

}  // namespace

void write_epoch_report(std::ostream& out, const EpochOutcome& outcome) {
    if (!outcome.title.empty()) out << traces::terminal_text(outcome.title) << '\n';
    for (const EpochResult& epoch : shown_rows(outcome.epochs)) {
        write_epoch(out, epoch);
    }
    out << hidden_rows(outcome.epochs.size());
    if (outcome.epochs.size() < outcome.wanted) {
        out << fmt::format("{} epochs were not run\n", outcome.wanted - outcome.epochs.size());
    }
    double cycles = 0;
    for (const EpochResult& epoch : outcome.epochs) cycles += epoch.total_cycles();
    if (outcome.epochs.size() > 1) {
        out << fmt::format("all: {:.0f} cycles including set-up and start\n", cycles);
    }
    if (outcome.checked != 0) {
        out << fmt::format("{} of {} buffers have the expected content\n",
                           outcome.checked - outcome.differences.size(), outcome.checked);
    }
    out << fmt::format("timing grade: {}\n", timing_name(outcome.timing));
}

Json epoch_json(const EpochOutcome& outcome) {
    Json document = json_document("epoch");
    document["title"] = outcome.title;
    document["timing"] = timing_name(outcome.timing);
    document["epochs"] = Json::array();
    for (const EpochResult& epoch : outcome.epochs) document["epochs"].push_back(epoch_row(epoch));
    document["epochs_wanted"] = outcome.wanted;
    document["buffers_checked"] = outcome.checked;
    document["differences"] = Json::array();
    for (const BufferDifference& one : outcome.differences) {
        document["differences"].push_back(
            {{"buffer", one.buffer}, {"origin", one.origin}, {"text", one.text}});
    }
    return document;
}

}  // namespace n6vp::sim

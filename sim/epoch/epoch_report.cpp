// SPDX-License-Identifier: Apache-2.0
#include "sim/epoch/epoch_report.h"

#include <fmt/format.h>

#include <ostream>

#include "sim/exec/exec_run.h"
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

void write_traffic(std::ostream& out, const EpochResult& epoch) {
    for (const TrafficResult& row : epoch.traffic) {
        out << fmt::format("  {:<12}{:<13}{:>11} read{:>11} written\n", row.master, row.memory,
                           row.bytes_read, row.bytes_written);
    }
    const auto [hits, misses, allocated] = epoch.cache;
    if (hits + misses != 0) {
        out << fmt::format("  NPU cache   {} hits, {} misses ({} of them bring a line in)\n", hits,
                           misses, allocated);
    }
}

void write_epoch(std::ostream& out, const EpochResult& epoch) {
    out << fmt::format("{}: ", traces::terminal_text(epoch.name));
    if (!epoch.ended) {
        out << "did not end\n";
    } else {
        out << fmt::format("{:.0f} NPU cycles", epoch.cycles);
        if (epoch.start_cycles > 0) {
            out << fmt::format(", {:.0f} with its start by the processor", epoch.total_cycles());
        }
        out << '\n';
    }
    if (!epoch.bound.empty()) {
        out << "  bound by";
        const char* separator = " ";
        for (const BoundShare& part : epoch.bound) {
            if (part.share < 0.0005) continue;
            out << fmt::format("{}{} {:.1f} %", separator, part.name, 100 * part.share);
            separator = ", ";
        }
        out << '\n';
    }
    for (const ConvolutionResult& unit : epoch.convolutions) {
        out << fmt::format("  CONVACC{}    {} frames, {} MAC, multipliers used {:.1f} %\n",
                           unit.unit, unit.frames, unit.products, 100 * unit.utilisation);
    }
    write_engines(out, epoch);
    write_traffic(out, epoch);
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

Json epoch_row(const EpochResult& epoch) {
    Json row{{"name", epoch.name},
             {"ended", epoch.ended},
             {"cycles", epoch.cycles},
             {"start_cycles", epoch.start_cycles},
             {"total_cycles", epoch.total_cycles()},
             {"macs", epoch.products()}};
    row["bound"] = Json::array();
    for (const BoundShare& part : epoch.bound) {
        row["bound"].push_back({{"cause", part.name}, {"share", part.share}});
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
    row["traffic"] = Json::array();
    for (const TrafficResult& flow : epoch.traffic) {
        row["traffic"].push_back({{"master", flow.master},
                                  {"memory", flow.memory},
                                  {"bytes_read", flow.bytes_read},
                                  {"bytes_written", flow.bytes_written}});
    }
    row["npu_cache"] = {{"read_hits", epoch.cache[0]},
                        {"read_misses", epoch.cache[1]},
                        {"read_allocate_misses", epoch.cache[2]}};
    row["problems"] = epoch.problems;
    return row;
}

}  // namespace

void write_epoch_report(std::ostream& out, const EpochOutcome& outcome) {
    if (!outcome.title.empty()) out << traces::terminal_text(outcome.title) << '\n';
    for (const EpochResult& epoch : outcome.epochs) write_epoch(out, epoch);
    if (outcome.epochs.size() < outcome.wanted) {
        out << fmt::format("{} epochs were not run\n", outcome.wanted - outcome.epochs.size());
    }
    double cycles = 0;
    for (const EpochResult& epoch : outcome.epochs) cycles += epoch.total_cycles();
    if (outcome.epochs.size() > 1) out << fmt::format("all: {:.0f} NPU cycles\n", cycles);
    if (outcome.checked != 0) {
        out << fmt::format("{} of {} buffers hold what was expected\n",
                           outcome.checked - outcome.differences.size(), outcome.checked);
    }
    out << fmt::format("grade of the times: {}\n", timing_name(outcome.timing));
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

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "traces/escape.h"
#include "traces/format/limited_steps.h"
#include "traces/trace_sinks.h"

namespace n6vp::traces {

namespace {

/// Memories in the order of their first use, for the columns.
[[nodiscard]] std::vector<std::string> memories_of(std::span<const EpochRecord> epochs) {
    std::vector<std::string> names;
    for (const EpochRecord& epoch : epochs) {
        for (const EpochTraffic& traffic : epoch.traffic) {
            if (std::find(names.begin(), names.end(), traffic.memory) == names.end()) {
                names.push_back(traffic.memory);
            }
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

[[nodiscard]] bool wanted(const EpochRecord& epoch, const std::vector<TraceWindow>& windows) {
    return windows.empty() ||
           std::any_of(windows.begin(), windows.end(), [&](const TraceWindow& window) {
               return epoch.start <= window.to && epoch.end >= window.from;
           });
}

[[nodiscard]] std::string row(const EpochRecord& epoch, std::size_t index,
                              const std::vector<std::string>& memories) {
    const EpochShare none;
    const EpochShare& first = epoch.bound.empty() ? none : epoch.bound.front();
    std::string text = fmt::format(
        "{},{},{},{},{},{},{},{:.3f},{},{},{:.4f},{},{:.4f},{},{},{},{},{},{:.3f},{}", index,
        epoch.number < 0 ? "" : fmt::format("{}", epoch.number),
        epoch.by_controller ? "controller" : "core", epoch.ended ? 1 : 0, csv_cell(epoch.phase),
        epoch.start, epoch.end, epoch.npu_cycles, csv_cell(epoch.engines), csv_cell(first.cause),
        first.share, epoch.macs, epoch.utilisation, epoch.bytes_read, epoch.bytes_written,
        epoch.controller_bytes, epoch.cache_hits, epoch.cache_misses, epoch.waited_cycles,
        epoch.bursts_waited);
    for (const std::string& memory : memories) {
        const auto found =
            std::find_if(epoch.traffic.begin(), epoch.traffic.end(),
                         [&](const EpochTraffic& traffic) { return traffic.memory == memory; });
        text += found == epoch.traffic.end()
                    ? ",0,0"
                    : fmt::format(",{},{}", found->bytes_read, found->bytes_written);
    }
    return text + "\r\n";
}

}  // namespace

TraceSummary write_epoch_csv(std::ostream& out, std::span<const EpochRecord> epochs,
                             const TraceOutput& output) {
    const std::vector<std::string> memories = memories_of(epochs);
    std::string text =
        "index,epoch,started_by,ended,phase,start_ps,end_ps,npu_cycles,engines,bound,bound_share,"
        "macs,mac_utilisation,bytes_read,bytes_written,controller_bytes,npu_cache_hits,"
        "npu_cache_misses,waited_cycles,bursts_waited_ps";
    for (const std::string& memory : memories) {
        text += fmt::format(",{},{}", csv_cell(memory + " read"), csv_cell(memory + " written"));
    }
    text += "\r\n";
    std::uint64_t used = text.size();
    out << text;
    TraceSummary summary;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (!wanted(epochs[i], output.choice.windows)) continue;
        const std::string line = row(epochs[i], i, memories);
        if (summary.missing != 0 || used + line.size() + kTailReserve > output.limit) {
            ++summary.missing;
            continue;
        }
        used += line.size();
        out << line;
        ++summary.steps;
    }
    if (summary.missing != 0) {
        out << fmt::format("trace cut off: limit reached; {} epochs are missing\r\n",
                           summary.missing);
    }
    return summary;
}

}  // namespace n6vp::traces

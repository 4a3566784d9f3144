// SPDX-License-Identifier: Apache-2.0
#include "sim/run/traffic_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

namespace n6vp::sim {

namespace {

using models::TrafficGenerator;
using models::TrafficPattern;

[[nodiscard]] double wait_us(models::Picoseconds time) {
    return static_cast<double>(time) * 1e-6;
}

/// What a stream that does not wait comes to: a display runs dry, a buffer of a camera runs over.
[[nodiscard]] const char* miss_name(const TrafficPattern& pattern) {
    return pattern.write ? "overruns" : "underruns";
}

[[nodiscard]] double rate_mb(std::uint64_t bytes, models::Picoseconds time) {
    return time == 0 ? 0 : static_cast<double>(bytes) / wait_us(time);
}

/// From the start of the pattern to its end, or to that of the run.
[[nodiscard]] models::Picoseconds active(const TrafficPattern& pattern, models::Picoseconds run) {
    const models::Picoseconds end = std::min(run, pattern.stop);
    return end > pattern.start ? end - pattern.start : 0;
}

void write_master(std::ostream& out, const TrafficGenerator& master, bool granted,
                  models::Picoseconds run) {
    const TrafficPattern& pattern = master.pattern();
    const TrafficGenerator::Statistics& counted = master.statistics();
    out << fmt::format(
        "{}: {} of {}, {} bytes at 0x{:08x}: {} bytes demanded, {} moved in {} bursts, {:.3f} MB/s",
        pattern.name, pattern.write ? "write" : "read", pattern.text, pattern.bytes,
        pattern.address, counted.demanded_bytes, counted.bytes, counted.bursts,
        rate_mb(counted.bytes, active(pattern, run)));
    if (counted.missed_bursts != 0) {
        const double share =
            static_cast<double>(counted.missed_bytes) /
            static_cast<double>(std::max<std::uint64_t>(1, counted.demanded_bytes));
        out << fmt::format("; {}: {} bursts, {} bytes, {:.2f} % of the demand", miss_name(pattern),
                           counted.missed_bursts, counted.missed_bytes, 100 * share);
    } else {
        out << fmt::format("; no {}", miss_name(pattern));
    }
    if (counted.refused != 0) out << fmt::format("; {} bursts refused", counted.refused);
    out << (granted ? "; assumed: the rights of a trusted master\n" : "; rights by RIFSC\n");
}

}  // namespace

std::vector<TrafficFlow> traffic_flows(const Platform& platform) {
    std::vector<TrafficFlow> flows;
    for (unsigned initiator = 0; initiator < platform.initiators(); ++initiator) {
        for (unsigned target = 0; target < platform.targets(); ++target) {
            const models::Flow& flow = platform.bus().flow(initiator, target);
            if (flow.reads + flow.writes == 0) continue;
            TrafficFlow row{platform.initiator_name(initiator),
                            platform.target_name(target),
                            flow.reads + flow.writes,
                            flow.bytes_read,
                            flow.bytes_written,
                            flow.waited,
                            {}};
            for (unsigned holder = 0; holder < flow.waited_for.size(); ++holder) {
                if (flow.waited_for[holder] == 0) continue;
                row.causes.push_back({platform.initiator_name(holder), flow.waited_for[holder]});
            }
            flows.push_back(std::move(row));
        }
    }
    return flows;
}

std::string causes_text(const TrafficFlow& flow) {
    std::string text;
    for (const TrafficFlow::Cause& cause : flow.causes) {
        text += fmt::format("{}{:.3f} us for {}", text.empty() ? "" : ", ", wait_us(cause.waited),
                            cause.holder);
    }
    return text;
}

void write_traffic(std::ostream& out, const Platform& platform) {
    const auto& masters = platform.traffic();
    if (masters.empty()) return;
    out << "\ngenerated traffic:\n";
    for (std::size_t i = 0; i < masters.size(); ++i)
        write_master(out, *masters[i], platform.options().masters[i].granted, platform.time());
    out << fmt::format("\n{:<18}{:<14}{:>12}{:>14}{:>14}{:>14}  {}\n", "initiator", "target",
                       "bursts", "bytes read", "bytes written", "waited us", "because of");
    for (const TrafficFlow& flow : traffic_flows(platform)) {
        out << fmt::format("{:<18}{:<14}{:>12}{:>14}{:>14}{:>14.3f}  {}\n", flow.initiator,
                           flow.target, flow.bursts, flow.bytes_read, flow.bytes_written,
                           wait_us(flow.waited), causes_text(flow));
    }
}

Json masters_json(const Platform& platform) {
    Json list = Json::array();
    const auto& masters = platform.traffic();
    for (std::size_t i = 0; i < masters.size(); ++i) {
        const TrafficPattern& pattern = masters[i]->pattern();
        const TrafficGenerator::Statistics& counted = masters[i]->statistics();
        Json row;
        row["name"] = pattern.name;
        row["pattern"] = pattern.text;
        row["bytes_per_second"] = pattern.bytes_per_second;
        row["access"] = pattern.write ? "write" : "read";
        row["address"] = hex_word(pattern.address);
        row["buffer_bytes"] = pattern.bytes;
        row["burst_bytes"] = pattern.burst_bytes;
        row["fifo_bytes"] = pattern.fifo_bytes;
        row["start_ps"] = pattern.start;
        if (pattern.stop != models::kNever) row["stop_ps"] = pattern.stop;
        row["rights"] = platform.options().masters[i].granted ? "granted" : "configured";
        row["demanded_bytes"] = counted.demanded_bytes;
        row["bursts"] = counted.bursts;
        row["bytes"] = counted.bytes;
        row[miss_name(pattern)] = counted.missed_bursts;
        row["missed_bytes"] = counted.missed_bytes;
        row["refused"] = counted.refused;
        row["waited_ps"] = counted.waited;
        row["longest_ps"] = counted.longest;
        list.push_back(std::move(row));
    }
    return list;
}

Json traffic_json(const Platform& platform) {
    Json list = Json::array();
    for (const TrafficFlow& flow : traffic_flows(platform)) {
        Json causes = Json::object();
        for (const TrafficFlow::Cause& cause : flow.causes) causes[cause.holder] = cause.waited;
        list.push_back({{"initiator", flow.initiator},
                        {"target", flow.target},
                        {"bursts", flow.bursts},
                        {"bytes_read", flow.bytes_read},
                        {"bytes_written", flow.bytes_written},
                        {"waited_ps", flow.waited},
                        {"waited_for_ps", std::move(causes)}});
    }
    return list;
}

}  // namespace n6vp::sim

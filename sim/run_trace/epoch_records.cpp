// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/epoch_records.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sim/host/numbers.h"
#include "sim/platform/epoch_summary.h"

namespace n6vp::sim::trace {

namespace {

using traces::EpochRecord;

[[nodiscard]] std::string engines_text(const LoggedEpoch& epoch) {
    std::string text;
    for (const unsigned engine : epoch.readers) text += fmt::format("{} ", engine);
    text += '>';
    for (const unsigned engine : epoch.writers) text += fmt::format(" {}", engine);
    return text;
}

/// Returns the number in "block 3 epoch 5", -1 for a phase that names none, or several.
[[nodiscard]] std::int64_t epoch_in(std::string_view phase) {
    constexpr std::string_view kWord = "epoch ";
    const std::size_t at = phase.find(kWord);
    if (at == std::string_view::npos) return -1;
    const auto number = parse_digits<std::uint32_t>(phase.substr(at + kWord.size()));
    return number ? std::int64_t{*number} : -1;
}

void add_summary(const EpochSummary& summary, const Platform& platform, EpochRecord& record) {
    record.npu_cycles = summary.npu_cycles;
    record.macs = summary.macs;
    record.utilisation = summary.mac_utilisation();
    for (const BoundShare& part : summary.bound()) record.bound.push_back({part.cause, part.share});
    for (const EpochFlow& flow : summary.memories()) {
        if (flow.read == 0 && flow.written == 0) continue;
        record.traffic.push_back({platform.target_name(flow.target), flow.read, flow.written});
    }
    const EpochFlow moved = summary.engines();
    record.bytes_read = moved.read;
    record.bytes_written = moved.written;
    record.controller_bytes = summary.controller_bytes();
    record.cache_hits = summary.cache_hits();
    record.cache_misses = summary.cache_misses();
    record.waited_cycles = summary.waited_cycles;
    record.bursts_waited = moved.waited;
}

[[nodiscard]] EpochRecord record_of(const LoggedEpoch& epoch, const Platform& platform) {
    EpochRecord record;
    if (epoch.label) record.number = *epoch.label;
    record.by_controller = epoch.label.has_value();
    record.ended = epoch.ended;
    record.engines = engines_text(epoch);
    add_summary(summarise(epoch, platform.parameters()), platform, record);
    return record;
}

}  // namespace

std::vector<EpochRecord> epoch_records(const EpochLog& log, const Platform& platform,
                                       const std::vector<Phase>& phases) {
    std::vector<EpochRecord> records;
    records.reserve(log.epochs().size());
    // Both are in the order of their beginnings.
    std::vector<const Phase*> around;
    auto next = phases.begin();
    for (const LoggedEpoch& epoch : log.epochs()) {
        if (!epoch.worked()) continue;
        for (; next != phases.end() && next->start <= epoch.start; ++next) {
            around.push_back(&*next);
            // What has ended before will hold no later epoch.
            std::erase_if(around, [&](const Phase* one) { return one->end <= next->start; });
        }
        std::erase_if(around, [&](const Phase* one) { return one->end <= epoch.start; });
        EpochRecord record = record_of(epoch, platform);
        if (!around.empty()) record.phase = around.back()->name;
        if (record.number < 0) record.number = epoch_in(record.phase);
        record.start = platform.time_of(epoch.start);
        record.end = platform.time_of(epoch.end);
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace n6vp::sim::trace

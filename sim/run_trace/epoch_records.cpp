// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/epoch_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sim/epoch/epoch_bound.h"

namespace n6vp::sim::trace {

namespace {

using models::Picoseconds;
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
    const std::string_view digits = phase.substr(at + kWord.size());
    std::uint32_t number = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc{} && stop == digits.data() + digits.size() ? number : -1;
}

void add_traffic(const LoggedEpoch& epoch, const Platform& platform, EpochRecord& record) {
    for (unsigned target = 0; target < epoch.flows.targets.size(); ++target) {
        const EpochFlows::Flow& flow = epoch.flows.targets[target];
        if (flow.read == 0 && flow.written == 0) continue;
        record.traffic.push_back(
            {platform.target_name(target), flow.read, flow.written, flow.waited});
        record.waited += flow.waited;
    }
    record.cache_hits = epoch.flows.read_hits;
    record.cache_misses = epoch.flows.read_misses;
}

/// The critical path of the engine that ended last; the rest is configuration.
void add_bound(const LoggedEpoch& epoch, EpochRecord& record) {
    const auto total = static_cast<double>(epoch.end - epoch.start);
    if (total <= 0 || !epoch.output_ended) return;
    double rest = 1;
    for (std::size_t i = 0; i < models::npu::kStallCauses; ++i) {
        const double share = static_cast<double>(epoch.last_path[i]) / total;
        rest -= share;
        if (share > 0) record.bound.push_back({kCauseNames.at(i), share});
    }
    record.bound.push_back({kConfigurationCause, std::max(0.0, rest)});
    std::stable_sort(record.bound.begin(), record.bound.end(),
                     [](const auto& one, const auto& two) { return one.share > two.share; });
}

[[nodiscard]] EpochRecord record_of(const LoggedEpoch& epoch, const Platform& platform) {
    EpochRecord record;
    if (epoch.label) record.number = *epoch.label;
    record.by_controller = epoch.label.has_value();
    record.ended = epoch.ended;
    record.engines = engines_text(epoch);
    record.cycles = static_cast<double>(epoch.end - epoch.start) / (1e12 / epoch.hz);
    record.macs = epoch.products;
    const double slots = platform.parameters().npu.convolution.mac_slots.value *
                         std::popcount(epoch.units) * record.cycles;
    if (slots > 0) record.utilisation = static_cast<double>(record.macs) / slots;
    add_traffic(epoch, platform, record);
    add_bound(epoch, record);
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

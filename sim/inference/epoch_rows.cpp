// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/inference/model_run_report.h"
#include "sim/platform/stall_causes.h"

namespace n6vp::sim::model_run {

namespace {

using models::Picoseconds;

/// Returns what the NPU's time in a row went to. Without work, all of the row is one thing.
[[nodiscard]] std::vector<BoundShare> bound_of(const NpuEpoch& epoch) {
    if (epoch.worked()) return epoch.summary.bound();
    if (epoch.end == epoch.start) return {};
    return {{(epoch.label ? kConfigurationRow : kCoreRow).name, 1}};
}

[[nodiscard]] std::int32_t number_of(const NpuEpoch& epoch, const Block* block) {
    if (epoch.label) return static_cast<std::int32_t>(*epoch.label);
    return block == nullptr ? 0 : block->first_epoch;
}

}  // namespace

std::vector<EpochRow> epoch_rows(const std::vector<NpuEpoch>& epochs,
                                 const std::vector<Block>& blocks) {
    std::vector<EpochRow> rows;
    rows.reserve(epochs.size());
    for (const NpuEpoch& epoch : epochs) {
        EpochRow row;
        row.epoch = &epoch;
        row.block = epoch.block < blocks.size() ? &blocks[epoch.block] : nullptr;
        row.number = number_of(epoch, row.block);
        row.core_share = share_of(epoch.core_time(), epoch.end - epoch.start);
        row.bound = bound_of(epoch);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<BoundShare> inference_bound(const Finished& finished) {
    const std::vector<Phase>& phases = finished.phases.phases();
    const auto first = std::find_if(phases.begin(), phases.end(),
                                    [](const Phase& one) { return one.name == "inference"; });
    if (first == phases.end() || !first->ended || first->duration() == 0) return {};
    EpochSummary sum;
    Picoseconds idle_labels = 0;
    for (const NpuEpoch& epoch : finished.run.epochs()) {
        sum.add(epoch.summary);
        if (!epoch.worked()) idle_labels += epoch.npu_time();
    }
    const Picoseconds whole = first->duration();
    std::vector<BoundShare> shares;
    const auto add = [&shares, whole](const StallCauseRow& cause, Picoseconds time) {
        if (time != 0) shares.push_back({cause.name, share_of(time, whole)});
    };
    for (std::size_t i = 0; i < sum.spent.size(); ++i) add(kStallCauseRows[i], sum.spent[i]);
    add(kConfigurationRow, sum.configuration() + idle_labels);
    add(kCoreRow, whole - std::min(whole, sum.time + idle_labels));
    sort_shares(shares);
    return shares;
}

std::vector<PhasePart> parts_of(const std::vector<Phase>& phases, std::size_t index) {
    std::vector<PhasePart> direct, deeper;
    const unsigned depth = phases[index].depth;
    for (std::size_t i = index + 1; i < phases.size() && phases[i].depth > depth; ++i) {
        const Phase& phase = phases[i];
        std::vector<PhasePart>& list = phase.depth == depth + 1 ? direct : deeper;
        auto same = std::find_if(list.begin(), list.end(),
                                 [&](const PhasePart& one) { return one.name == phase.name; });
        if (same == list.end()) same = list.insert(list.end(), {phase.name, 0, 0});
        same->time += phase.duration();
        same->cycles += phase.counted.cycles;
    }
    direct.insert(direct.end(), deeper.begin(), deeper.end());
    return direct;
}

double ms_per_cycle(const PhaseRecorder& phases) {
    for (const Phase& phase : phases.phases()) {
        if (phase.name != "inference" || phase.counted.cycles == 0) continue;
        return static_cast<double>(phase.duration()) * kMsPerPs /
               static_cast<double>(phase.counted.cycles);
    }
    return 0;
}

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string_view>

#include "memmap/npu/units.h"
#include "sim/epoch/epoch_bound.h"
#include "sim/inference/model_run_report.h"

namespace n6vp::sim::model_run {

namespace {

using models::Picoseconds;

constexpr const char* kCore = "core";

[[nodiscard]] double share_of(Picoseconds part, Picoseconds whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void sort(std::vector<EpochRow::Share>& shares) {
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& one, const auto& two) { return one.share > two.share; });
}

/// Returns what the time of an epoch that no engine's path explains went to: between two labels the
/// epoch controller sets units up, elsewhere the core is at work.
[[nodiscard]] const char* rest_of(const NpuEpoch& epoch) {
    return epoch.label ? kConfigurationCause : kCore;
}

[[nodiscard]] std::vector<EpochRow::Share> bound_of(const NpuEpoch& epoch) {
    std::vector<EpochRow::Share> bound;
    const Picoseconds whole = epoch.end - epoch.start;
    double rest = 1;
    for (std::size_t cause = 0; cause < epoch.spent.size(); ++cause) {
        const double share = share_of(epoch.spent[cause], whole);
        rest -= share;
        if (share > 0) bound.push_back({kCauseNames.at(cause), share});
    }
    if (whole != 0) bound.push_back({rest_of(epoch), std::max(0.0, rest)});
    sort(bound);
    return bound;
}

/// Returns the time on the path for which others held a bank or a port.
[[nodiscard]] Picoseconds conflicts_of(const NpuEpoch& epoch) {
    Picoseconds sum = 0;
    for (std::size_t cause = 0; cause < epoch.spent.size(); ++cause) {
        if (std::string_view(kCauseNames.at(cause)).ends_with("conflict"))
            sum += epoch.spent[cause];
    }
    return sum;
}

[[nodiscard]] std::int32_t number_of(const NpuEpoch& epoch, const Block* block) {
    if (epoch.label) return static_cast<std::int32_t>(*epoch.label);
    return block == nullptr ? 0 : block->first_epoch;
}

}  // namespace

std::vector<EpochRow> epoch_rows(const Finished& finished) {
    const std::vector<Block>& blocks = finished.run.lines().blocks();
    const double slots = finished.plan.parameters.npu.convolution.mac_slots.value *
                         static_cast<double>(memmap::npu::kConvacc.count);
    std::vector<EpochRow> rows;
    rows.reserve(finished.run.epochs().size());
    for (const NpuEpoch& epoch : finished.run.epochs()) {
        EpochRow row;
        row.epoch = &epoch;
        row.block = epoch.block < blocks.size() ? &blocks[epoch.block] : nullptr;
        row.number = number_of(epoch, row.block);
        if (epoch.cycle != 0) {
            row.waited_cycles =
                static_cast<double>(conflicts_of(epoch)) / static_cast<double>(epoch.cycle);
            row.npu_cycles =
                static_cast<double>(epoch.done - epoch.begun) / static_cast<double>(epoch.cycle);
        }
        if (row.npu_cycles > 0) {
            row.macs_used = static_cast<double>(epoch.products) / (slots * row.npu_cycles);
        }
        row.bound = bound_of(epoch);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<EpochRow::Share> inference_bound(const Finished& finished) {
    const std::vector<Phase>& phases = finished.phases.phases();
    const auto first = std::find_if(phases.begin(), phases.end(),
                                    [](const Phase& one) { return one.name == "inference"; });
    if (first == phases.end() || !first->ended || first->duration() == 0) return {};
    std::map<std::size_t, Picoseconds> causes;
    Picoseconds set_up = 0, explained = 0;
    for (const NpuEpoch& epoch : finished.run.epochs()) {
        Picoseconds worked = 0;
        for (std::size_t cause = 0; cause < epoch.spent.size(); ++cause) {
            causes[cause] += epoch.spent[cause];
            worked += epoch.spent[cause];
        }
        const Picoseconds whole = epoch.end - epoch.start;
        const Picoseconds rest = epoch.label && whole > worked ? whole - worked : 0;
        set_up += rest;
        explained += worked + rest;
    }
    std::vector<EpochRow::Share> shares;
    for (const auto& [cause, time] : causes) {
        if (time != 0) shares.push_back({kCauseNames.at(cause), share_of(time, first->duration())});
    }
    if (set_up != 0) shares.push_back({kConfigurationCause, share_of(set_up, first->duration())});
    const Picoseconds rest = first->duration() > explained ? first->duration() - explained : 0;
    shares.push_back({kCore, share_of(rest, first->duration())});
    sort(shares);
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

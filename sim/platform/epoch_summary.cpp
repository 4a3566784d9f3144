// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/epoch_summary.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "memmap/npu/units.h"
#include "sim/platform/stall_causes.h"

namespace n6vp::sim {

namespace {

using models::Picoseconds;
using models::npu::TimeByCause;

void add_path(TimeByCause& sum, const TimeByCause& path) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += path[i];
}

void add_flow(EpochFlow& sum, const EpochFlow& more) {
    sum.read += more.read;
    sum.written += more.written;
    sum.waited += more.waited;
}

[[nodiscard]] Picoseconds sum_of(const TimeByCause& spent) {
    return std::accumulate(spent.begin(), spent.end(), Picoseconds{0});
}

[[nodiscard]] Picoseconds waited_in(const TimeByCause& spent) {
    Picoseconds sum = 0;
    for (std::size_t i = 0; i < spent.size(); ++i) {
        if (kStallCauseRows[i].held_by_others) sum += spent[i];
    }
    return sum;
}

}  // namespace

double share_of(Picoseconds part, Picoseconds whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void sort_shares(std::vector<BoundShare>& shares) {
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& one, const auto& two) { return one.share > two.share; });
}

void EpochSummary::add(const EpochSummary& more) {
    time += more.time;
    add_path(spent, more.spent);
    npu_cycles += more.npu_cycles;
    waited_cycles += more.waited_cycles;
    macs += more.macs;
    mac_slots += more.mac_slots;
    flows += more.flows;
}

double EpochSummary::mac_utilisation() const {
    return mac_slots > 0 ? static_cast<double>(macs) / mac_slots : 0;
}

Picoseconds EpochSummary::configuration() const {
    const Picoseconds explained = sum_of(spent);
    return time > explained ? time - explained : 0;
}

std::vector<BoundShare> EpochSummary::bound() const {
    if (time == 0 || sum_of(spent) == 0) return {};
    std::vector<BoundShare> shares;
    for (std::size_t i = 0; i < spent.size(); ++i) {
        if (spent[i] != 0) shares.push_back({kStallCauseRows[i].name, share_of(spent[i], time)});
    }
    shares.push_back({kConfigurationRow.name, share_of(configuration(), time)});
    sort_shares(shares);
    return shares;
}

std::vector<EpochFlow> EpochSummary::memories() const {
    std::map<unsigned, EpochFlow> sums;
    for (const EpochFlow& flow : flows.list) {
        if (flow.master == Initiator::EpochController) continue;
        EpochFlow& sum = sums[flow.target];
        sum.target = flow.target;
        add_flow(sum, flow);
    }
    std::vector<EpochFlow> list;
    list.reserve(sums.size());
    for (const auto& [target, sum] : sums) list.push_back(sum);
    return list;
}

EpochFlow EpochSummary::engines() const {
    EpochFlow sum;
    for (const EpochFlow& flow : flows.list) {
        if (flow.master != Initiator::EpochController) add_flow(sum, flow);
    }
    return sum;
}

std::uint64_t EpochSummary::controller_bytes() const {
    std::uint64_t sum = 0;
    for (const EpochFlow& flow : flows.list) {
        if (flow.master == Initiator::EpochController) sum += flow.read;
    }
    return sum;
}

EpochSummary summarise(const LoggedEpoch& epoch, const PlatformParameters& parameters) {
    EpochSummary summary;
    summary.time = epoch.end - epoch.start;
    summary.spent = epoch.earlier_paths;
    add_path(summary.spent, epoch.last_path);
    const auto cycle = static_cast<double>(models::cycles_to_ps(1, epoch.hz));
    summary.npu_cycles = static_cast<double>(epoch.done - epoch.begun) / cycle;
    summary.waited_cycles = static_cast<double>(waited_in(summary.spent)) / cycle;
    summary.macs = epoch.products;
    summary.mac_slots = summary.npu_cycles * parameters.npu.convolution.mac_slots.value *
                        static_cast<double>(memmap::npu::kConvacc.count);
    summary.flows = epoch.flows;
    return summary;
}

}  // namespace n6vp::sim

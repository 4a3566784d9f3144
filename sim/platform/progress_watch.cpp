// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/progress_watch.h"

#include <cstring>

namespace n6vp::sim {

bool ProgressWatch::gets_on(const Look& look) {
    const bool happened = look.activity != activity_;
    if (happened || states_.size() == kMaxStates) states_.clear();
    const bool is_new = states_.insert(look.state).second;
    activity_ = look.activity;
    if (happened) active_ = look.at;
    if (happened || is_new) fresh_ = look.at;
    if (longest_ == 0) return true;
    const models::Picoseconds quiet = look.at - active_;
    return look.at - fresh_ < longest_ && quiet / kComputing < longest_;
}

std::uint64_t bus_activity(Platform& platform) {
    std::uint64_t sum = 0;
    const auto memories = static_cast<unsigned>(platform.memories().size());
    for (unsigned target = 0; target < platform.targets(); ++target) {
        for (unsigned initiator = 0; initiator < kInitiators; ++initiator) {
            const models::Flow& flow = platform.bus().flow(initiator, target);
            if (target >= memories) sum += flow.writes;
            const auto from = static_cast<Initiator>(initiator);
            if (on_npu_side(from) || models::of_dma(from)) sum += flow.reads + flow.writes;
        }
    }
    return sum;
}

bool tick_wakes(models::core::Core& core) {
    return core.system().next_event(core.state(), core.cycles()) != UINT64_MAX;
}

std::uint64_t register_state(const models::core::CpuState& cpu) {
    // FNV-1a with words in place of bytes.
    constexpr std::uint64_t kPrime = 0x100000001b3;
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * kPrime; };
    for (std::size_t i = 0; i < 15; ++i) add(cpu.r[i]);
    add(cpu.pc);
    add(models::core::apsr(cpu));
    add(std::uint64_t{cpu.itstate} << 32 | cpu.ipsr);
    add(std::uint64_t{cpu.vpr} << 32 | models::core::whole_fpscr(cpu));
    for (std::size_t i = 0; i < cpu.vector.size(); i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, cpu.vector.data() + i, sizeof word);
        add(word);
    }
    return hash;
}

}  // namespace n6vp::sim

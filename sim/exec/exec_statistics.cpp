// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_statistics.h"

#include <fmt/format.h>

#include <numeric>
#include <string_view>
#include <utility>

namespace n6vp::sim {

using models::core::CoherenceEvent;
using Kind = CoherenceEvent::Kind;

void CoherenceLog::add(const Event& event) {
    const bool of_code = event.kind == Kind::StaleCode || event.kind == Kind::UnwrittenCode;
    if (!of_code && std::string_view(event.other) == kSemihostingMaster) return;
    ++counts_[static_cast<std::size_t>(event.kind)];
    if (first_.size() < kMaxKept) first_.push_back(event);
}

std::uint64_t CoherenceLog::total() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

CoherenceText coherence_text(const CoherenceEvent& event) {
    const std::string other = event.other;
    switch (event.kind) {
        case Kind::CoreReadStale:
            return {"core_read_stale", "stale read by the core", "core's data cache", other};
        case Kind::OtherReadStale:
            return {"other_read_stale", "stale read of memory", other, "core's data cache"};
        case Kind::CoreWriteLost:
            return {"core_write_lost", "lost write of the core", "cache maintenance",
                    "core's data cache"};
        case Kind::OtherWriteLost:
            return {"other_write_lost", "lost write to memory", "core's data cache", other};
        case Kind::StaleCode:
            return {"stale_code", "stale code", "core's instruction cache", other};
        case Kind::UnfinishedClean:
            return {"unfinished_clean", "read after a clean without barrier", other,
                    "core's data cache"};
        default:
            return {"unwritten_code", "unwritten code", "core's instruction cache",
                    "core's data cache"};
    }
}

CoherenceText coherence_text(Kind kind) {
    CoherenceEvent event;
    event.kind = kind;
    return coherence_text(event);
}

FaultStatus read_fault_status(models::core::Core& core) {
    models::core::CpuState& cpu = core.state();
    const bool secure = std::exchange(cpu.secure, true);
    const auto word = [&](std::uint32_t address) {
        std::uint32_t value = 0;
        return core.system().read_ppb(cpu, address, 4, core.cycles(), value) ? value : 0;
    };
    const FaultStatus status{word(0xE000ED28), word(0xE000ED2C), word(0xE000ED38)};
    cpu.secure = secure;
    return status;
}

std::string register_text(std::uint32_t address) {
    const std::string name = models::core::private_register_name(address);
    return name.empty() ? fmt::format("0x{:08x}", address)
                        : fmt::format("{} (0x{:08x})", name, address);
}

std::vector<ExecRegister> unmodelled_registers(models::core::Core& core) {
    const models::core::PrivateAccessMap* const counted = core.system().unmodelled_accesses();
    if (counted == nullptr) return {};
    std::vector<ExecRegister> registers;
    for (const auto& [address, accesses] : *counted)
        registers.push_back({address, models::core::private_register_name(address), accesses});
    return registers;
}

ExecStatistics collect_statistics(models::core::Core& core, const CoherenceLog& coherence) {
    ExecStatistics statistics;
    statistics.coherence = coherence;
    if (const models::core::CoreCaches* const caches = core.caches())
        statistics.caches = {caches->instructions.counters(), caches->data.counters()};
    statistics.unmodelled = unmodelled_registers(core);
    return statistics;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/memory_stalls.h"

#include <array>

#include "models/core/ir/micro_op.h"
#include "models/core/ir/system.h"

namespace n6vp::models::core {

void FetchStalls::miss_filter(CpuState& cpu, std::uint32_t address, std::uint32_t /*pc*/) {
    if (in_ranges(zero_wait_, address)) {
        admit(address);
        return;
    }
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Execute, cpu.privileged, cpu.secure);
    if (!permission.allowed) return;  // the block raises the fault
    std::array<std::uint8_t, kLineBytes> bytes{};
    const BusAnswer answer = bus_.read(address & ~(kLineBytes - 1), bytes,
                                       attributes(cpu, permission, Port::Instruction), cycle(cpu));
    if (answer.cycles == 0) {
        admit(address);
        return;
    }
    cpu.budget -= static_cast<std::int64_t>(answer.cycles);
    wait_cycles_ += answer.cycles;
    clear_filter();
}

void LoadStalls::miss_filter(CpuState& cpu, const CacheAccess& access) {
    const std::uint32_t address = access.address;
    if (access.write || bypassed(address)) {
        if (bypassed(address)) admit(address, true);
        return;
    }
    if (access.op != nullptr) cpu.pc = access.op->pc;  // who asks from inside a bus access
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Read, cpu.privileged, cpu.secure);
    if (!permission.allowed || permission.device) return;
    const std::uint64_t ahead = access.op != nullptr ? access.op->cycles_before : 0;
    std::array<std::uint8_t, 4> word{};
    const BusAnswer answer =
        bus_.read(address & ~3u, word, attributes(cpu, permission, Port::Data), cycle(cpu) + ahead);
    cpu.budget -= static_cast<std::int64_t>(answer.cycles);
    wait_cycles_ += answer.cycles;
}

}  // namespace n6vp::models::core

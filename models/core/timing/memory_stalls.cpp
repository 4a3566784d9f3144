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
    ++changes_;
    std::array<std::uint8_t, kLineBytes> bytes{};
    const BusAnswer answer = bus_.read(address & ~(kLineBytes - 1), bytes,
                                       attributes(cpu, permission, Port::Instruction), cycle(cpu));
    if (answer.cycles == 0) {
        if (free_lines_.size() == kMostFree) forget();
        admit(address);
        free_lines_.push_back(address);
        return;
    }
    cpu.budget -= static_cast<std::int64_t>(answer.cycles);
    wait_cycles_ += answer.cycles;
    forget();
    if (loads_ != nullptr) loads_->forget();
}

void FetchStalls::forget() {
    ++changes_;
    for (const std::uint32_t address : free_lines_) expel(address);
    free_lines_.clear();
}

bool LoadStalls::known(std::uint32_t address) const {
    const std::uint32_t number = address / kLineBytes;
    const Line& line = lines_[number % kEntries];
    return line.number == number && (line.parts >> (address % kLineBytes / kPartBytes) & 1) != 0;
}

void LoadStalls::learn(std::uint32_t address) {
    constexpr std::uint32_t kAll = (1u << (kLineBytes / kPartBytes)) - 1;
    const std::uint32_t number = address / kLineBytes;
    Line& line = lines_[number % kEntries];
    if (line.number != number) {
        // The filter must not know what this table has forgotten.
        if (line.parts != 0) expel(line.number * kLineBytes);
        if (line.parts == 0) used_.push_back(number % kEntries);
        line = {number, 0};
    }
    line.parts |= 1u << (address % kLineBytes / kPartBytes);
    if (line.parts == kAll) admit(address, false);
}

void LoadStalls::forget() {
    ++changes_;
    for (const std::uint32_t entry : used_) {
        expel(lines_[entry].number * kLineBytes);
        lines_[entry] = {};
    }
    used_.clear();
}

void LoadStalls::miss_filter(CpuState& cpu, const CacheAccess& access) {
    const std::uint32_t address = access.address;
    if (bypassed(address)) {
        admit(address, true);
        return;
    }
    if (access.write) {
        // A register, perhaps of the flash: what its reads cost may change.
        forget();
        if (fetches_ != nullptr) fetches_->forget();
        return;
    }
    if (known(address)) return;
    if (access.op != nullptr) cpu.pc = access.op->pc;  // who asks from inside a bus access
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Read, cpu.privileged, cpu.secure);
    if (!permission.allowed || permission.device) return;
    ++changes_;
    const std::uint64_t ahead = access.op != nullptr ? access.op->cycles_before : 0;
    std::array<std::uint8_t, 4> word{};
    const BusAnswer answer =
        bus_.read(address & ~3u, word, attributes(cpu, permission, Port::Data), cycle(cpu) + ahead);
    if (answer.cycles == 0) {
        learn(address);
        return;
    }
    cpu.budget -= static_cast<std::int64_t>(answer.cycles);
    wait_cycles_ += answer.cycles;
    forget();
    if (fetches_ != nullptr) fetches_->forget();
}

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/caches.h"

namespace n6vp::models::core {

void CoreCaches::reset() {
    data.reset();
    instructions.reset();
}

void CoreCaches::maintain_data_line(CpuState& cpu, Action action, std::uint32_t address) {
    data.maintain_line(cpu, action, address);
}

void CoreCaches::maintain_data_set_way(CpuState& cpu, Action action, unsigned set, unsigned way) {
    data.maintain_set_way(cpu, action, set, way);
}

void CoreCaches::invalidate_instruction_line(CpuState& cpu, std::uint32_t address) {
    instructions.invalidate_line(cpu, address);
}

void CoreCaches::invalidate_all_instructions(CpuState& cpu) {
    cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
    instructions.invalidate_all();
}

void CoreCaches::invalidate_branch_predictor(CpuState& /*cpu*/) {}

void CoreCaches::enable(CpuState& /*cpu*/, bool instruction, bool data_too,
                        bool force_write_through) {
    instructions.set_enabled(instruction);
    data.set_enabled(data_too, force_write_through);
}

bool CoreCaches::events(const CpuState& /*cpu*/, unsigned event, std::uint64_t& total) {
    // Architectural event numbers of the PMU.
    constexpr unsigned kL1iRefill = 0x01, kL1dRefill = 0x03, kL1dWriteBack = 0x15;
    switch (event) {
        case kL1iRefill:
            total = instructions.counters().fills;
            return true;
        case kL1dRefill:
            total = data.counters().fills;
            return true;
        case kL1dWriteBack:
            total = data.counters().write_backs;
            return true;
        default:
            return false;
    }
}

}  // namespace n6vp::models::core

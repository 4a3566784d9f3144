// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/mcu/set_up.h"

#include "loader/firmware/core.h"
#include "loader/firmware/mcu/host.h"

namespace n6vp::firmware::mcu {

namespace {

// Armv7-M Architecture Reference Manual; cache identification as the Cortex-M7 has it.
constexpr std::uint32_t kDemcr = 0xE000EDFC, kDemcrTrace = 1u << 24;
constexpr std::uint32_t kDwtControl = 0xE0001000, kDwtCycles = 0xE0001004, kDwtLock = 0xE0001FB0,
                        kDwtKey = 0xC5ACCE55;
constexpr std::uint32_t kCcsidr = 0xE000ED80, kCsselr = 0xE000ED84;
constexpr std::uint32_t kIciallu = 0xE000EF50, kDcisw = 0xE000EF60, kDccsw = 0xE000EF6C,
                        kDccmvac = 0xE000EF68;
constexpr std::uint32_t kCcrData = 1u << 16, kCcrInstructions = 1u << 17;
constexpr std::uint32_t kLine = 32, kSetShift = 5, kWayShift = 30;

bool has_data_cache() {
    return (read_register(kRegisterCcr) & kCcrData) != 0;
}

/// A set/way operation on all of the data cache, which has four ways.
void by_set_and_way(std::uint32_t operation) {
    constexpr std::uint32_t kWays = 4, kSetsField = 13, kSetsMask = 0x7FFF;
    write_register(kCsselr, 0);
    barrier();
    const std::uint32_t last = read_register(kCcsidr) >> kSetsField & kSetsMask;
    for (std::uint32_t set = 0; set <= last; ++set) {
        for (std::uint32_t way = 0; way < kWays; ++way)
            write_register(operation, way << kWayShift | set << kSetShift);
    }
    barrier();
}

void enable_caches() {
    barrier();
    write_register(kIciallu, 0);
    barrier();
    write_register(kRegisterCcr, read_register(kRegisterCcr) | kCcrInstructions);
    barrier();
    by_set_and_way(kDcisw);
    write_register(kRegisterCcr, read_register(kRegisterCcr) | kCcrData);
    barrier();
}

void perform(const Step& step) {
    if (step.waits != 0) {
        while ((read_register(step.address) & step.mask) != step.value) keep_loop();
        return;
    }
    write_register(step.address, (read_register(step.address) & ~step.mask) | step.value);
}

void start_counting() {
    write_register(kDemcr, read_register(kDemcr) | kDemcrTrace);
    write_register(kDwtLock, kDwtKey);
    write_register(kDwtCycles, 0);
    write_register(kDwtControl, read_register(kDwtControl) | 1);
}

}  // namespace

void set_up() {
    const std::uint32_t count = job().step_count < kMaxSteps ? job().step_count : kMaxSteps;
    for (std::uint32_t i = 0; i < count; ++i) perform(job().steps[i]);
    if (job().core_caches != 0) enable_caches();
    start_counting();
}

std::uint32_t cycles() {
    return read_register(kDwtCycles);
}

void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes) {
    if (job().core_caches == 0) return;
    if (op == loader::CacheOp::McuInstructionInvalidate) {
        barrier();
        write_register(kIciallu, 0);
        barrier();
        return;
    }
    if (!has_data_cache()) return;
    if (bytes == 0) return by_set_and_way(kDccsw);
    barrier();
    const std::uint32_t first = to_word(start) & ~(kLine - 1);
    const std::uint32_t lines = ((to_word(start) & (kLine - 1)) + bytes + kLine - 1) / kLine;
    for (std::uint32_t i = 0; i < lines; ++i) write_register(kDccmvac, first + i * kLine);
    barrier();
}

}  // namespace n6vp::firmware::mcu

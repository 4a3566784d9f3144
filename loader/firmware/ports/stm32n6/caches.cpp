// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/ports/stm32n6/caches.h"

#include "loader/firmware/core.h"

namespace n6vp::firmware::caches {

namespace {

using loader::CacheOp;

// Armv8.1-M Architecture Reference Manual; the memory system registers are those of the Cortex-M55.
constexpr std::uint32_t kMscr = 0xE001E000;
constexpr std::uint32_t kMscrActive = 3u << 12;  ///< DCACTIVE and ICACTIVE
constexpr std::uint32_t kCcrLoops = 1u << 19;    ///< LOB
constexpr std::uint32_t kIciallu = 0xE000EF50, kDcimvac = 0xE000EF5C, kDcisw = 0xE000EF60,
                        kDccmvac = 0xE000EF68, kDccimvac = 0xE000EF70;
constexpr std::uint32_t kLine = 32, kSets = 256, kWays = 4;
constexpr std::uint32_t kSetShift = 5, kWayShift = 30;

// NPU cache: public device header, CACHEAXI.
constexpr std::uint32_t kNpuCache = 0x580DFC00;
constexpr std::uint32_t kCr1 = kNpuCache, kSr = kNpuCache + 0x04, kFcr = kNpuCache + 0x0C,
                        kCr2 = kNpuCache + 0x100, kFirst = kNpuCache + 0x104,
                        kLast = kNpuCache + 0x108;
constexpr std::uint32_t kEnabled = 1u << 0, kInvalidate = 1u << 1;
constexpr std::uint32_t kCounting = 0x33330000, kCountersReset = kCounting << 2;
constexpr std::uint32_t kFirstCounter = kNpuCache + 0x10;
constexpr std::uint32_t kBusy = 1u << 0, kBusyCommand = 1u << 3, kCommandEnd = 1u << 4;
constexpr std::uint32_t kAllFlags = (1u << 1) | (1u << 2) | kCommandEnd;
constexpr std::uint32_t kStart = 1u << 0, kClean = 1u << 1, kCleanInvalidate = 3u << 1;

void by_line(std::uint32_t operation, std::uint32_t start, std::uint32_t bytes) {
    if (bytes == 0) return;
    barrier();
    const std::uint32_t lines = ((start & (kLine - 1)) + bytes + kLine - 1) / kLine;
    std::uint32_t line = start & ~(kLine - 1);
    for (std::uint32_t i = 0; i < lines; ++i, line += kLine) write_register(operation, line);
    barrier();
}

void invalidate_instructions() {
    barrier();
    write_register(kIciallu, 0);
    barrier();
}

N6VP_OWN_LINES void invalidate_way(std::uint32_t set_and_way) {
    for (std::uint32_t set = 0; set < kSets; ++set, set_and_way += 1u << kSetShift)
        write_register(kDcisw, set_and_way);
}

void invalidate_data() {
    for (std::uint32_t way = 0; way < kWays; ++way) invalidate_way(way << kWayShift);
    barrier();
}

void wait_while(std::uint32_t flags) {
    while ((read_register(kSr) & flags) != 0) {
    }
}

void npu_range(std::uint32_t command, std::uint32_t start, std::uint32_t bytes) {
    if (bytes == 0 || (read_register(kCr1) & kEnabled) == 0) return;
    wait_while(kBusy | kBusyCommand);
    write_register(kFcr, kAllFlags);
    write_register(kFirst, start);
    write_register(kLast, start + (bytes - 1));
    write_register(kCr2, command);
    write_register(kCr2, command | kStart);
    while ((read_register(kSr) & kCommandEnd) == 0) {
    }
    write_register(kFcr, kAllFlags);
}

void npu_invalidate_all() {
    const std::uint32_t control = read_register(kCr1);
    if ((control & kEnabled) == 0) return;
    wait_while(kBusy | kBusyCommand);
    write_register(kFcr, kAllFlags);
    write_register(kCr2, 0);
    write_register(kCr1, control | kInvalidate);
    wait_while(kBusy);
}

}  // namespace

void enable() {
    write_register(kMscr, read_register(kMscr) | kMscrActive);
    barrier();
    write_register(kIciallu, 0);
    invalidate_data();
    write_register(kRegisterCcr, read_register(kRegisterCcr) | kCcrCaches | kCcrLoops);
    barrier();
}

void enable_npu() {
    while ((read_register(kCr1) & kEnabled) == 0) {
        wait_while(kBusy);
        write_register(kCr1, kEnabled);
    }
}

void maintain(CacheOp op, GuestAddr start, std::uint32_t bytes) {
    switch (op) {
        case CacheOp::McuClean:
            by_line(kDccmvac, to_word(start), bytes);
            break;
        case CacheOp::McuCleanInvalidate:
            by_line(kDccimvac, to_word(start), bytes);
            break;
        case CacheOp::McuInvalidate:
            by_line(kDcimvac, to_word(start), bytes);
            break;
        case CacheOp::McuInstructionInvalidate:
            invalidate_instructions();
            break;
        case CacheOp::NpuClean:
            npu_range(kClean, to_word(start), bytes);
            break;
        case CacheOp::NpuCleanInvalidate:
            npu_range(kCleanInvalidate, to_word(start), bytes);
            break;
        case CacheOp::NpuInvalidateAll:
            npu_invalidate_all();
            break;
    }
}

void start_npu_counters() {
    const std::uint32_t control = read_register(kCr1) & ~(kCounting | kInvalidate);
    write_register(kCr1, control | kCountersReset);
    write_register(kCr1, control | kCounting);
}

void stop_npu_counters(std::uint32_t (&counts)[kNpuCounters]) {
    write_register(kCr1, read_register(kCr1) & ~(kCounting | kInvalidate));
    for (std::uint32_t i = 0; i < kNpuCounters; ++i)
        counts[i] = read_register(kFirstCounter + 4 * i);
}

}  // namespace n6vp::firmware::caches

// SPDX-License-Identifier: Apache-2.0
// Tasks of FreeRTOS in a memory that the test lays out by the kernel's public headers.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tests/sim/debugger/kernel_words.h"

using namespace n6vp::sim;
using namespace n6vp::sim::debugger;
using n6vp::test::kernel_symbols;
using n6vp::test::KernelWords;

namespace {

constexpr std::uint32_t kCurrent = 0x20000000, kCount = 0x20000004, kReady = 0x20000010,
                        kDelayed = 0x20000100, kPriorities = 5, kListBytes = 20;

ElfFile kernel(std::uint32_t priorities = kPriorities) {
    return kernel_symbols({{"pxCurrentTCB", kCurrent},
                           {"uxCurrentNumberOfTasks", kCount},
                           {"pxReadyTasksLists", kReady, priorities * kListBytes},
                           {"xDelayedTaskList1", kDelayed, kListBytes}});
}

struct Words : KernelWords {
    /// An empty list, its end marker leading to itself.
    void list(std::uint32_t at) { put(at, {0, at + 8, 0xFFFFFFFF, at + 8, at + 8}); }
    /// A control block whose state item stands alone in a list.
    void task(std::uint32_t block, const char* name, std::uint32_t stack, std::uint32_t list) {
        put(block, {stack, 0, list + 8, list + 8, block, list, 0, 0, 0, block, 0, 3, stack - 64});
        put(list, {1, list + 8, 0xFFFFFFFF, block + 4, block + 4});
        text(block + 52, name);
    }
    [[nodiscard]] std::vector<ThreadInfo> tasks(const ElfFile& symbols) {
        return free_rtos_threads(memory(symbols));
    }
};

/// Three tasks: one runs, one is ready with a floating-point frame of a Cortex-M55, one is delayed
/// with a padded frame of a Cortex-M4F.
Words three_tasks() {
    Words memory;
    for (std::uint32_t i = 0; i < kPriorities; ++i) memory.list(kReady + i * kListBytes);
    memory.put(kCount, {3});
    memory.put(kCurrent, {0x20001000});
    memory.task(0x20001000, "runner", 0x20004000, kReady + 3 * kListBytes);
    memory.task(0x20001100, "ready", 0x20005000, kReady);
    memory.task(0x20001200, "sleeper", 0x20006000, kDelayed);
    // PSPLIM, EXC_RETURN with a floating-point frame, r4 to r11, s16 to s31, the frame.
    memory.put(0x20005000, {0x20004C00, 0xFFFFFFAD, 4, 5, 6, 7, 8, 9, 10, 11});
    for (std::uint32_t i = 0; i < 16; ++i) memory.put(0x20005028 + 4 * i, {0x3F800000 + i});
    memory.put(0x20005068, {0, 1, 2, 3, 12, 0x70000101, 0x70000200, 0x01000000});
    for (std::uint32_t i = 0; i < 16; ++i) memory.put(0x20005088 + 4 * i, {0x100 + i});
    memory.put(0x200050C8, {0x00040000, 0x0000FFFF});
    // r4 to r11, EXC_RETURN without it, the frame with the padding bit of xPSR.
    memory.put(0x20006000, {40, 50, 60, 70, 80, 90, 100, 110, 0xFFFFFFFD});
    memory.put(0x20006024, {10, 20, 30, 31, 120, 0x70000301, 0x70000400, 0x61000200});
    return memory;
}

}  // namespace

TEST_CASE("FreeRTOS: tasks have their names, states and registers") {
    const ElfFile symbols = kernel();
    Words memory = three_tasks();
    const std::vector<ThreadInfo> tasks = memory.tasks(symbols);
    REQUIRE(tasks.size() == 3);
    CHECK(tasks[0].id == 0x20001000);
    CHECK(tasks[0].text == "runner (running, priority 3)");
    CHECK_FALSE(tasks[0].saved.has_value());
    CHECK(tasks[1].text == "ready (ready, priority 3)");
    REQUIRE(tasks[1].saved.has_value());
    const auto& ready = tasks[1].saved->general;
    CHECK(ready[0] == 0);
    CHECK(ready[3] == 3);
    CHECK(ready[4] == 4);
    CHECK(ready[11] == 11);
    CHECK(ready[12] == 12);
    CHECK(ready[14] == 0x70000101);
    CHECK(ready[15] == 0x70000200);
    CHECK(ready[16] == 0x01000000);
    REQUIRE(tasks[1].saved->fp.has_value());
    const SavedRegisters::Float& floats = *tasks[1].saved->fp;
    // s0 and s1, s14 and s15, s16 and s17, s30 and s31.
    CHECK(floats.doubles[0] == 0x0000010100000100);
    CHECK(floats.doubles[7] == 0x0000010F0000010E);
    CHECK(floats.doubles[8] == 0x3F8000013F800000);
    CHECK(floats.doubles[15] == 0x3F80000F3F80000E);
    CHECK(floats.fpscr == 0x00040000);
    CHECK(floats.vpr == 0x0000FFFF);
    // Behind 26 words of frame.
    CHECK(ready[13] == 0x20005068 + 104);
    REQUIRE(tasks[2].saved.has_value());
    const auto& sleeper = tasks[2].saved->general;
    CHECK(tasks[2].text == "sleeper (blocked, priority 3)");
    CHECK(sleeper[0] == 10);
    CHECK(sleeper[4] == 40);
    CHECK(sleeper[15] == 0x70000400);
    CHECK(sleeper[13] == 0x20006024 + 32 + 4);
    CHECK_FALSE(tasks[2].saved->fp.has_value());
}

TEST_CASE("FreeRTOS: a kernel that has not started, or is none, has no tasks") {
    const ElfFile symbols = kernel();
    Words memory = three_tasks();
    memory.put(kCurrent, {0});
    CHECK(memory.tasks(symbols).empty());
    Words nothing;
    CHECK(nothing.tasks(symbols).empty());
    const ElfFile other = kernel_symbols({{"pxCurrentTCB", kCurrent}});
    memory = three_tasks();
    CHECK(memory.tasks(other).empty());
}

TEST_CASE("FreeRTOS: a symbol of two gigabytes of ready lists is not read to its end") {
    const ElfFile symbols = kernel(100'000'000);
    Words memory = three_tasks();
    // What lies behind the five lists may look like others.
    const std::vector<ThreadInfo> tasks = memory.tasks(symbols);
    REQUIRE_FALSE(tasks.empty());
    CHECK(tasks.front().text == "runner (running, priority 3)");
    CHECK(memory.reads < 10'000);
}

TEST_CASE("FreeRTOS: lists that lead back into themselves end") {
    const ElfFile symbols = kernel();
    Words memory = three_tasks();
    // The item of the ready task follows itself.
    memory.put(0x20001100 + 8, {0x20001104});
    CHECK(memory.tasks(symbols).size() == 3);
    // That of the running one, too.
    memory.put(0x20001000 + 8, {0x20001004});
    CHECK(memory.tasks(symbols).size() == 3);
    memory.put(0x20001000 + 8, {0xFFFFFFFC});
    CHECK(memory.tasks(symbols).size() == 3);
}

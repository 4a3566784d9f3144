// SPDX-License-Identifier: Apache-2.0
// Threads of ThreadX in a memory that the test lays out by the kernel's public header and ports.
#include <doctest/doctest.h>

#include "tests/sim/debugger/kernel_words.h"

using namespace n6vp::sim;
using namespace n6vp::sim::debugger;
using n6vp::test::kernel_symbols;
using n6vp::test::KernelWords;

namespace {

constexpr std::uint32_t kCurrent = 0x20000000, kCreated = 0x20000004, kCount = 0x20000008;
constexpr std::uint32_t kMain = 0x20001000, kSensor = 0x20001200, kNetwork = 0x20001400;
/// TX_THREAD without extensions: ID, runs, stack pointer, start, end, size, slices, links, name at
/// 40, priority, state; the links of the created list at 136.
constexpr std::uint32_t kLinks = 136;

ElfFile kernel() {
    return kernel_symbols({{"_tx_thread_current_ptr", kCurrent},
                           {"_tx_thread_created_ptr", kCreated},
                           {"_tx_thread_created_count", kCount}});
}

struct Words : KernelWords {
    void thread(std::uint32_t block, const char* name, std::uint32_t stack, std::uint32_t priority,
                std::uint32_t state) {
        put(block, {0x54485244, 7, stack, stack - 512, stack + 511, 1024, 0, 0, block, block});
        put(block + 40, {block + 0x180, priority, state});
        text(block + 0x180, name);
    }
    void link(std::initializer_list<std::uint32_t> blocks, std::uint32_t links = kLinks) {
        for (const std::uint32_t* each = blocks.begin(); each != blocks.end(); ++each) {
            const std::uint32_t next = each + 1 == blocks.end() ? *blocks.begin() : each[1];
            put(*each + links, {next});
            put(next + links + 4, {*each});
        }
    }
    [[nodiscard]] std::vector<ThreadInfo> threads(const ElfFile& symbols) {
        return thread_x_threads(memory(symbols));
    }
};

/// `main` runs; `sensor` waits with a floating-point context, `network` sleeps without one.
Words three_threads(std::uint32_t links = kLinks) {
    Words memory;
    memory.put(kCurrent, {kMain, kSensor, 3});
    memory.thread(kMain, "main", 0x20004000, 10, 0);
    memory.thread(kSensor, "sensor", 0x20005000, 5, 6);
    memory.thread(kNetwork, "network", 0x20006000, 20, 4);
    memory.link({kSensor, kMain, kNetwork}, links);
    // EXC_RETURN, s16 to s31, r4 to r11, the frame of 26 words.
    memory.put(0x20005000, {0xFFFFFFED});
    for (std::uint32_t i = 0; i < 16; ++i) memory.put(0x20005004 + 4 * i, {0x160 + i});
    memory.put(0x20005044, {4, 5, 6, 7, 8, 9, 10, 11});
    memory.put(0x20005064, {100, 101, 102, 103, 112, 0x70000101, 0x70000200, 0x21000000});
    for (std::uint32_t i = 0; i < 16; ++i) memory.put(0x20005084 + 4 * i, {0x10 + i});
    memory.put(0x200050C4, {0x03000000, 0});
    // EXC_RETURN, r4 to r11, the frame of 8 words with the padding bit of xPSR.
    memory.put(0x20006000, {0xFFFFFFFD, 40, 50, 60, 70, 80, 90, 100, 110});
    memory.put(0x20006024, {0, 1, 2, 3, 12, 0x70000301, 0x70000400, 0x61000200});
    return memory;
}

}  // namespace

TEST_CASE("ThreadX: threads have their names, states and registers") {
    const ElfFile symbols = kernel();
    Words memory = three_threads();
    const std::vector<ThreadInfo> threads = memory.threads(symbols);
    REQUIRE(threads.size() == 3);
    CHECK(threads[0].id == kMain);
    CHECK(threads[0].text == "main (running, priority 10)");
    CHECK_FALSE(threads[0].saved.has_value());
    CHECK(threads[1].text == "sensor (waits for a semaphore, priority 5)");
    REQUIRE(threads[1].saved.has_value());
    const SavedRegisters& sensor = *threads[1].saved;
    const std::array<std::uint32_t, 17> general = {
        100,        101,        102,       103, 4, 5, 6, 7, 8, 9, 10, 11, 112, 0x20005064 + 104,
        0x70000101, 0x70000200, 0x21000000};
    CHECK(sensor.general == general);
    REQUIRE(sensor.fp.has_value());
    CHECK(sensor.fp->doubles[0] == 0x0000001100000010);
    CHECK(sensor.fp->doubles[8] == 0x0000016100000160);
    CHECK(sensor.fp->doubles[15] == 0x0000016F0000016E);
    CHECK(sensor.fp->fpscr == 0x03000000);
    CHECK(threads[2].text == "network (asleep, priority 20)");
    REQUIRE(threads[2].saved.has_value());
    CHECK_FALSE(threads[2].saved->fp.has_value());
    CHECK(threads[2].saved->general[4] == 40);
    CHECK(threads[2].saved->general[13] == 0x20006024 + 32 + 4);
    CHECK(threads[2].saved->general[15] == 0x70000400);
    CHECK(threads[2].saved->general[16] == 0x61000000);
}

TEST_CASE("ThreadX: a control block with extensions has its links behind them") {
    const ElfFile symbols = kernel();
    Words memory = three_threads(152);
    CHECK(memory.threads(symbols).size() == 3);
}

TEST_CASE("ThreadX: while the scheduler idles, the core comes before the threads") {
    const ElfFile symbols = kernel();
    Words memory = three_threads();
    memory.put(kCurrent, {0});
    memory.put(0x20004000, {0xFFFFFFBC, 4, 5, 6, 7, 8, 9, 10, 11});
    memory.put(0x20004024, {0, 1, 2, 3, 12, 0x70000501, 0x70000600, 0x01000000});
    const std::vector<ThreadInfo> threads = memory.threads(symbols);
    REQUIRE(threads.size() == 4);
    CHECK(threads[0].id == 1);
    CHECK(threads[0].text == "core (no thread)");
    CHECK_FALSE(threads[0].saved.has_value());
    CHECK(threads[2].text == "main (ready, priority 10)");
    REQUIRE(threads[2].saved.has_value());
    CHECK(threads[2].saved->general[15] == 0x70000600);
}

TEST_CASE(
    "ThreadX: a kernel that has not started, or damaged lists, cost neither time nor a crash") {
    const ElfFile symbols = kernel();
    Words nothing;
    CHECK(nothing.threads(symbols).empty());
    Words memory = three_threads();
    memory.put(kCount, {0});
    CHECK(memory.threads(symbols).empty());
    memory.put(kCount, {0xFFFFFFFF});
    CHECK(memory.threads(symbols).empty());
    // More than there are: the ring would be gone round more than once.
    memory.put(kCount, {6});
    CHECK(memory.threads(symbols).size() <= 3);
    memory.put(kCount, {3});
    memory.put(kMain + kLinks, {0xFFFFFFFC});
    // The first is known without the links.
    CHECK(memory.threads(symbols).size() == 2);
    memory.put(kSensor, {0});
    CHECK(memory.threads(symbols).empty());
    CHECK(memory.reads < 10'000);
}

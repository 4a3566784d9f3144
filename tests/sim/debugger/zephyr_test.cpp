// SPDX-License-Identifier: Apache-2.0
// Threads of Zephyr in a memory that the test lays out by the kernel's table for debuggers.
#include <doctest/doctest.h>

#include "tests/sim/debugger/kernel_words.h"

using namespace n6vp::sim;
using namespace n6vp::sim::debugger;
using n6vp::test::kernel_symbols;
using n6vp::test::KernelWords;

namespace {

constexpr std::uint32_t kTable = 0x08010000, kCount = 0x08010080, kKernel = 0x20000100;
constexpr std::uint32_t kMain = 0x20001000, kIdle = 0x20001200, kWorker = 0x20001400;
constexpr std::uint32_t kNone = 0xFFFFFFFF;
/// Offsets as a build of the kernel may have them.
constexpr std::uint32_t kCurrent = 8, kThreads = 40, kEntry = 0x54, kNext = 0x60, kState = 0x0D,
                        kOptions = 0x0C, kPriority = 0x0E, kStackPointer = 0x50, kName = 0x64,
                        kArch = 0x90, kFloat = 8, kExcReturn = 0x49;

ElfFile kernel(bool older = false) {
    if (older)
        return kernel_symbols({{"_kernel", kKernel, 64},
                               {"_kernel_openocd_offsets", kTable, 36},
                               {"_kernel_openocd_num_offsets", kCount}});
    return kernel_symbols({{"_kernel", kKernel, 64},
                           {"_kernel_thread_info_offsets", kTable, 56},
                           {"_kernel_thread_info_num_offsets", kCount}});
}

struct Words : KernelWords {
    void thread(std::uint32_t at, const char* name, std::uint32_t next, std::uint8_t state,
                std::uint8_t priority, std::uint32_t stack) {
        put(at + 0x0C, {std::uint32_t{state} << 8 | std::uint32_t{priority} << 16});
        put(at + kStackPointer - 32, {44, 45, 46, 47, 48, 49, 50, 51, stack});
        put(at + kNext, {next});
        text(at + kName, name);
    }
    [[nodiscard]] std::vector<ThreadInfo> threads(const ElfFile& symbols) {
        return zephyr_threads(memory(symbols));
    }
};

/// `main` runs, `idle` is ready, `worker` is pending with a floating-point context.
Words three_threads() {
    Words memory;
    memory.put(kTable, {1, kCurrent, kThreads, kEntry, kNext, kState, kOptions, kPriority,
                        kStackPointer, kName, kArch, kFloat, kNone, kExcReturn});
    memory.put(kCount, {14});
    memory.put(kKernel + kCurrent, {kMain});
    memory.put(kKernel + kThreads, {kWorker});
    memory.thread(kWorker, "worker", kMain, 0x02, 0xFE, 0x20006000);
    memory.thread(kMain, "main", kIdle, 0x00, 0, 0x20004000);
    memory.thread(kIdle, "idle", 0, 0x80, 15, 0x20005000);
    // The thread holds s16 to s31 and the low byte of EXC_RETURN.
    for (std::uint32_t i = 0; i < 16; ++i)
        memory.put(kWorker + kArch + kFloat + 4 * i, {0x160 + i});
    memory.put(kWorker + kArch + 0x48, {0x0000AD00});
    memory.put(0x20006000, {0, 1, 2, 3, 12, 0x08000101, 0x08000200, 0x01000000});
    for (std::uint32_t i = 0; i < 16; ++i) memory.put(0x20006020 + 4 * i, {0x10 + i});
    memory.put(0x20006060, {0x02000000, 0});
    memory.put(kIdle + kArch + 0x48, {0x0000BC00});
    memory.put(0x20005000, {0, 1, 2, 3, 12, 0x08000301, 0x08000400, 0x01000200});
    return memory;
}

}  // namespace

TEST_CASE("Zephyr: threads have their names, states and registers") {
    const ElfFile symbols = kernel();
    Words memory = three_threads();
    const std::vector<ThreadInfo> threads = memory.threads(symbols);
    REQUIRE(threads.size() == 3);
    CHECK(threads[0].id == kMain);
    CHECK(threads[0].text == "main (running, priority 0)");
    CHECK_FALSE(threads[0].saved.has_value());
    CHECK(threads[1].text == "worker (pending, priority -2)");
    REQUIRE(threads[1].saved.has_value());
    const SavedRegisters& worker = *threads[1].saved;
    const std::array<std::uint32_t, 17> general = {
        0,          1,          2,         3, 44, 45, 46, 47, 48, 49, 50, 51, 12, 0x20006000 + 104,
        0x08000101, 0x08000200, 0x01000000};
    CHECK(worker.general == general);
    REQUIRE(worker.fp.has_value());
    CHECK(worker.fp->doubles[7] == 0x0000001F0000001E);
    CHECK(worker.fp->doubles[8] == 0x0000016100000160);
    CHECK(worker.fp->fpscr == 0x02000000);
    CHECK(threads[2].text == "idle (ready, priority 15)");
    REQUIRE(threads[2].saved.has_value());
    CHECK_FALSE(threads[2].saved->fp.has_value());
    CHECK(threads[2].saved->general[13] == 0x20005000 + 32 + 4);
}

TEST_CASE("Zephyr: a table of the first version has neither names nor floating-point registers") {
    const ElfFile symbols = kernel(true);
    Words memory = three_threads();
    memory.put(kCount, {9});
    memory.put(0x20006000, {0, 1, 2, 3, 12, 0x08000101, 0x08000200, 0x01000000});
    const std::vector<ThreadInfo> threads = memory.threads(symbols);
    REQUIRE(threads.size() == 3);
    CHECK(threads[1].text == "thread (pending, priority -2)");
    REQUIRE(threads[1].saved.has_value());
    CHECK(threads[1].saved->general[13] == 0x20006000 + 32);
    CHECK_FALSE(threads[1].saved->fp.has_value());
}

TEST_CASE(
    "Zephyr: a kernel that has not started, or damaged lists, cost neither time nor a crash") {
    const ElfFile symbols = kernel();
    Words nothing;
    CHECK(nothing.threads(symbols).empty());
    Words memory = three_threads();
    memory.put(kKernel + kCurrent, {0});
    CHECK(memory.threads(symbols).empty());
    // Before memory is initialised, or while the kernel starts.
    memory.put(kKernel + kCurrent, {0xA5A5A5A5});
    CHECK(memory.threads(symbols).empty());
    memory.put(kKernel + kCurrent, {kMain});
    // The last leads back to the first, to the one that runs, and to nowhere.
    for (const std::uint32_t next : {kWorker, kMain, kIdle, 0xFFFFFFF0u}) {
        memory.put(kIdle + kNext, {next});
        const std::size_t count = memory.threads(symbols).size();
        CHECK(count >= 3);
        CHECK(count <= 4);
    }
    memory.put(kCount, {2});
    CHECK(memory.threads(symbols).empty());
    CHECK(memory.reads < 10'000);
}

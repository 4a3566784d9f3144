// SPDX-License-Identifier: Apache-2.0
// What a second of simulated time costs the host while a program waits: loops that poll, executed
// and with their rounds skipped, and a core that sleeps between ticks of SysTick. Processor time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

#include "sim/platform/platform.h"
#include "tests/support/thumb.h"

namespace {

using namespace n6vp;
using test::Thumb;

constexpr std::uint32_t kCode = 0x34000000, kStack = 0x30010000;
constexpr std::uint32_t kTightWord = 0x30000100, kFarWord = 0x34100000;
constexpr std::uint32_t kTim2 = 0x50000000, kUart = 0x52001000, kRcc = 0x56028000;
constexpr models::Picoseconds kSecond = 1'000'000'000'000;

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// A loop until a bit of the word at `address` is set: ldr r0,[r4]; tst r0,r3; beq.
Thumb polls(std::uint32_t address, std::uint32_t mask) {
    Thumb program;
    program.caches().write(kTightWord, 0).write(kFarWord, 0);
    program.write(kRcc + 0xA64, 1).write(kTim2 + 0x2C, 0xFFFFFFFF).write(kTim2, 1);
    program.set(4, address).set(3, mask);
    return program.raw({0x6820, 0x4218, 0xD0FC, 0xE7FE});
}

/// The same with the page of the word as memory that is not cached.
Thumb polls_uncached() {
    Thumb program;
    program.caches().write(kFarWord, 0);
    program.write(0xE000EDC0, 0x44).write(0xE000ED98, 0).write(0xE000ED9C, kFarWord | 3);
    program.write(0xE000EDA0, (kFarWord + 0xFE0) | 1).write(0xE000ED94, 5).barrier();
    program.set(4, kFarWord).set(3, 1);
    return program.raw({0x6820, 0x4218, 0xD0FC, 0xE7FE});
}

/// SysTick adds to a word each millisecond, and `loop`. r7 tells the handler, which starts where
/// the program does.
Thumb ticks(std::initializer_list<unsigned> loop) {
    Thumb program;
    program.raw({0x2F01, 0xD103});                  // cmp r7,#1; bne behind the handler
    program.raw({0x6829, 0x3101, 0x6029, 0x4770});  // ldr r1,[r5]; adds r1,#1; str r1,[r5]; bx lr
    program.caches().write(kTightWord, 0).set(5, kTightWord);
    program.write(0xE000E014, 800'000 - 1).write(0xE000E018, 0).set(7, 1);
    program.write(0xE000E010, 7).set(4, kUart + 0x1C).set(3, 1u << 5);
    return program.raw(loop);
}

struct Row {
    const char* name;
    Thumb program;
};

class Chip {
  public:
    Chip() : platform_({}, {}) { platform_.elaborate(); }
    /// Returns the host's time of `time`, after a start-up of 100 us.
    double run(const Thumb& program, models::Picoseconds time, bool skips) {
        std::vector<std::uint8_t> image = program.image(kCode, kStack);
        // All exceptions start the program; r7 tells a tick.
        for (unsigned i = 8; i < Thumb::kVectors; ++i) image[i] = image[4 + i % 4];
        if (!platform_.load(GuestAddr{kCode}, image)) return 0;
        platform_.reset();
        platform_.core().core().set_skips_polling(skips);
        platform_.advance({100'000'000, 0});
        const double begin = processor_seconds();
        platform_.advance({time, 0});
        return processor_seconds() - begin;
    }
    [[nodiscard]] std::uint64_t hash() { return platform_.trace_hash(); }

  private:
    sim::Platform platform_;
};

}  // namespace

/// An argument chooses the rows whose names hold it.
int main(int count, char** arguments) {
    const std::vector<Row> rows{
        {"flag of a timer", polls(kTim2 + 0x10, 1)},
        {"flag of a serial port", polls(kUart + 0x1C, 1u << 5)},
        {"word in DTCM", polls(kTightWord, 1)},
        {"word in cached RAM", polls(kFarWord, 1)},
        {"word in uncached RAM", polls_uncached()},
        // ldr r0,[r5]; cmp r0,r6; b .-4
        {"tick of SysTick, 1 ms", ticks({0x6828, 0x42B0, 0xE7FC})},
        // ldr r0,[r4]; tst r0,r3; bne .+6; ldr r0,[r5]; b .-8; b .
        {"flag of a serial port and tick", ticks({0x6820, 0x4218, 0xD101, 0x6828, 0xE7FA, 0xE7FE})},
        {"WFI, SysTick of 1 ms", ticks({0xBF30, 0xE7FD})},
    };
    Chip chip;
    bool good = true;
    std::printf("%-32s %12s %12s   host seconds per simulated second\n", "", "executed", "skipped");
    for (const Row& row : rows) {
        if (count > 1 && std::strstr(row.name, arguments[1]) == nullptr) continue;
        constexpr models::Picoseconds kShare = 20;
        const double executed = chip.run(row.program, kSecond / kShare, false) * kShare;
        const std::uint64_t expected = chip.hash();
        const double shortened = chip.run(row.program, kSecond / kShare, true) * kShare;
        const bool same = chip.hash() == expected;
        good = good && same;
        std::printf("%-32s %12.2f %12.2f   %s\n", row.name, executed, shortened,
                    same ? "" : "another result");
        std::fflush(stdout);
    }
    return good ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// Serial ports that wake the core from Stop mode: the flag WUF.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/serial/uart.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;

namespace {

/// A port of 100 MHz whose frames of 10 bits take 10.9 us each.
struct WakeBench {
    static constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kCr3 = 0x08, kBrr = 0x0C, kIsr = 0x1C,
                                   kIcr = 0x20, kRdr = 0x24;
    /// UE, RE, TE; UESM; WUF; WUFIE.
    static constexpr std::uint32_t kOn = 0xD, kInStop = 2, kWuf = 1u << 20, kWufie = 1u << 22;
    static constexpr Picoseconds kFrame = 10'900'000, kUs = 1'000'000;

    explicit WakeBench(Uart::Kind kind) : uart("wake", "UART", kind) {
        uart.on_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        uart.set_kernel_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at) {
        CHECK(uart.write(offset, value, n6vp::test::kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return uart.read(offset, at).value; }
    bool woken(Picoseconds at) { return (get(kIsr, at) & kWuf) != 0; }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }

    Uart uart;
    std::vector<std::pair<bool, Picoseconds>> levels;
};

}  // namespace

TEST_CASE("uart: WUF comes by a start bit, a character or an own address, while UESM is set") {
    struct Row {
        std::uint32_t source;  ///< WUS
        std::uint8_t character;
        bool wakes;
        Picoseconds after;  ///< of the begin of its frame
    };
    using B = WakeBench;
    const Row rows[] = {
        {2, 'T', true, 0},          {3, 'S', true, B::kFrame},
        {0, 0xA9, true, B::kFrame}, {0, 0xAA, false, 0},  // another address
        {0, 0x29, false, 0},                              // without the mark of an address
    };
    B bench(Uart::Kind::LowPower);
    for (const Row& row : rows) {
        CAPTURE(row.source);
        CAPTURE(static_cast<unsigned>(row.character));
        const Picoseconds begin = sc_core::sc_time_stamp().value();
        const Picoseconds middle = begin + 50 * B::kUs, end = begin + 100 * B::kUs;
        bench.uart.reset();
        bench.levels.clear();
        bench.set(B::kBrr, 109u * 256, begin);
        bench.set(B::kCr2, 0x29u << 24 | 1u << 4, begin);  // ADDM7
        bench.set(B::kCr3, row.source << 20 | B::kWufie, begin);
        bench.set(B::kCr1, B::kOn, begin);
        // UE protects WUS.
        bench.set(B::kCr3, B::kWufie, begin);
        CHECK(bench.get(B::kCr3, begin) == (row.source << 20 | B::kWufie));
        bench.uart.receive(row.character);
        B::run_until(middle);
        CHECK_FALSE(bench.woken(middle));
        static_cast<void>(bench.get(B::kRdr, middle));
        bench.set(B::kCr1, B::kOn | B::kInStop, middle);
        bench.uart.receive(row.character);
        B::run_until(end);
        REQUIRE(bench.levels.size() == (row.wakes ? 1u : 0u));
        if (!row.wakes) continue;
        CHECK(bench.levels[0] == std::pair(true, middle + row.after));
        bench.set(B::kIcr, B::kWuf, end);
        CHECK_FALSE(bench.levels.back().first);
        CHECK_FALSE(bench.woken(end));
    }
}

TEST_CASE("uart: an address of four bits wakes, each start bit does, and UESM takes WUF back") {
    using B = WakeBench;
    B bench(Uart::Kind::Usart);
    bench.set(B::kBrr, 109, 0);
    bench.set(B::kCr2, 0x02u << 24, 0);
    bench.set(B::kCr1, B::kOn | B::kInStop, 0);
    bench.uart.receive(0x83);
    B::run_until(20 * B::kUs);
    CHECK_FALSE(bench.woken(20 * B::kUs));
    bench.uart.receive(0xB2);
    const Picoseconds now = 40 * B::kUs;
    B::run_until(now);
    CHECK(bench.woken(now));
    bench.set(B::kCr1, B::kOn, now);
    CHECK_FALSE(bench.woken(now));
    // Of two frames in a row the second wakes again.
    bench.set(B::kCr1, 0, now);
    bench.set(B::kCr3, 2u << 20, now);
    bench.set(B::kCr1, B::kOn | B::kInStop, now);
    bench.uart.receive('a');
    bench.uart.receive('b');
    CHECK(bench.woken(now));
    bench.set(B::kIcr, B::kWuf, now);
    CHECK_FALSE(bench.woken(now + B::kFrame - 1));
    CHECK(bench.woken(now + B::kFrame));
    CHECK(bench.levels.empty());
}

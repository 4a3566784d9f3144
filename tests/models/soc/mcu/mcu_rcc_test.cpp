// SPDX-License-Identifier: Apache-2.0
// Clocks of the older chips: frequencies, switch of the system clock, gates.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/soc/mcu/rcc.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::memmap::Chip;
using n6vp::memmap::find_chip;
using n6vp::memmap::peripheral_of;
using n6vp::test::kMicrosecond;
using n6vp::test::kWord;

namespace {

struct RccBench {
    explicit RccBench(const char* name) : chip(*find_chip(name)), rcc(chip, "RCC") {
        rcc.on_frequencies = [this](const mcu::Frequencies& all, Picoseconds at) {
            changes.emplace_back(all.core, at);
        };
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        static_cast<void>(rcc.write(offset, value, kWord, now));
    }
    std::uint32_t get(std::uint32_t offset) { return rcc.read(offset, now).value; }
    /// Polls every microsecond as firmware does; returns the time it took, at most 10 ms.
    Picoseconds wait(std::uint32_t offset, std::uint32_t bits, std::uint32_t value) {
        const Picoseconds start = now;
        while ((get(offset) & bits) != value && now - start < 10'000 * kMicrosecond)
            now += kMicrosecond;
        return now - start;
    }
    bool clocked(const char* name) const { return rcc.clocked(*peripheral_of(chip, name)); }
    double kernel(const char* name) const { return rcc.kernel_hz(*peripheral_of(chip, name)); }

    const Chip& chip;
    mcu::Rcc rcc;
    Picoseconds now = 0;
    std::vector<std::pair<double, Picoseconds>> changes;
};

}  // namespace

TEST_CASE("mcu rcc: every chip starts at the clock of its reset") {
    for (const Chip* chip : n6vp::memmap::kChips) {
        CAPTURE(chip->name);
        const mcu::Rcc rcc(*chip, "RCC");
        CHECK(rcc.frequencies().core == chip->reset_hz);
        CHECK(rcc.frequencies().hclk == chip->reset_hz);
        CHECK(rcc.frequencies().timer[0] == chip->reset_hz);
    }
}

TEST_CASE("mcu rcc: the L4R5 firmware's sequence gives 120 MHz, APB 7.5, timers 15") {
    RccBench bench("stm32l4r5");
    CHECK(bench.get(0x00) == 0x63);
    bench.set(0x00, bench.get(0x00) | 1u << 8);
    CHECK((bench.get(0x00) & 1u << 10) == 0);
    CHECK(bench.wait(0x00, 1u << 10, 1u << 10) == 5 * kMicrosecond);
    bench.set(0x0C, 0x11001E12);
    bench.set(0x00, bench.get(0x00) | 1u << 24);
    CHECK((bench.get(0x00) & 1u << 25) == 0);
    CHECK(bench.wait(0x00, 1u << 25, 1u << 25) == 50 * kMicrosecond);
    bench.set(0x08, 0x80);
    CHECK(bench.rcc.frequencies().core == 2e6);
    bench.set(0x08, 0x83);
    CHECK(bench.wait(0x08, 0xC, 0xC) == 1 * kMicrosecond);
    CHECK(bench.rcc.frequencies().core == 60e6);
    bench.set(0x08, 0x3F0F);
    const mcu::Frequencies all = bench.rcc.frequencies();
    CHECK(all.system == 120e6);
    CHECK(all.core == 120e6);
    CHECK(all.pclk[0] == 7.5e6);
    CHECK(all.pclk[1] == 7.5e6);
    CHECK(bench.kernel("TIM5") == 15e6);
    CHECK(bench.kernel("LPUART1") == 7.5e6);
    CHECK(bench.kernel("CRC") == 120e6);
    REQUIRE(bench.changes.size() >= 3);
    CHECK(bench.changes.back() == std::pair(120e6, bench.now));
}

TEST_CASE("mcu rcc: the U575 firmware's sequence gives 160 MHz, APB 10, timers 20") {
    RccBench bench("stm32u575");
    CHECK(bench.get(0x00) == 0x35);
    bench.set(0x08, 0x04C40000);
    CHECK(bench.rcc.frequencies().core == 48e6);
    bench.set(0x28, 0x0004221D);
    bench.set(0x34, 0x00010209);
    bench.set(0x00, bench.get(0x00) | 1u << 24);
    CHECK((bench.get(0x00) & 1u << 25) == 0);
    CHECK(bench.wait(0x00, 1u << 25, 1u << 25) == 50 * kMicrosecond);
    bench.set(0x24, 0x70);
    bench.set(0x20, 0x770);
    bench.set(0x1C, 3);
    CHECK(bench.wait(0x1C, 0xC, 0xC) == 1 * kMicrosecond);
    CHECK(bench.rcc.frequencies().core == 160e6);
    CHECK(bench.rcc.frequencies().pclk[0] == 10e6);
    CHECK(bench.rcc.frequencies().pclk[1] == 10e6);
    CHECK(bench.rcc.frequencies().pclk[2] == 10e6);
    CHECK(bench.kernel("TIM5") == 20e6);
    CHECK(bench.kernel("USART1") == 10e6);
}

TEST_CASE("mcu rcc: the H7A3 firmware's sequence gives 280 MHz, APB 17.5, timers 35") {
    RccBench bench("stm32h7a3");
    CHECK((bench.get(0x00) & 0x3FFF) == 0x25);
    bench.set(0x28, 0x02020040);
    bench.set(0x30, 0x01070222);
    bench.set(0x2C, 0x01FF000D);
    bench.set(0x00, bench.get(0x00) | 1u << 24);
    CHECK(bench.wait(0x00, 1u << 25, 1u << 25) == 50 * kMicrosecond);
    bench.set(0x20, 0x70);
    bench.set(0x18, 0x70);
    bench.set(0x1C, 0x770);
    bench.set(0x10, 3);
    CHECK(bench.wait(0x10, 0x38, 0x18) == 1 * kMicrosecond);
    const mcu::Frequencies all = bench.rcc.frequencies();
    CHECK(all.core == 280e6);
    CHECK(all.hclk == 280e6);
    for (const double hz : all.pclk) CHECK(hz == 17.5e6);
    CHECK(bench.kernel("TIM5") == 35e6);
    CHECK(bench.kernel("USART3") == 17.5e6);
}

TEST_CASE("mcu rcc: F746 at 216 MHz from HSI, H743 at 480 MHz with half of it on the buses") {
    RccBench f7("stm32f746");
    CHECK(f7.get(0x00) == 0x83);
    // 16 MHz / 8 x 216 / 2; HPRE 1, PPRE1 4, PPRE2 2.
    f7.set(0x04, 8 | 216u << 6);
    f7.set(0x00, f7.get(0x00) | 1u << 24);
    f7.wait(0x00, 1u << 25, 1u << 25);
    f7.set(0x08, 2 | 5u << 10 | 4u << 13);
    CHECK(f7.wait(0x08, 0xC, 0x8) == 1 * kMicrosecond);
    CHECK(f7.rcc.frequencies().core == 216e6);
    CHECK(f7.rcc.frequencies().pclk[0] == 54e6);
    CHECK(f7.kernel("TIM2") == 108e6);
    CHECK(f7.kernel("USART1") == 108e6);
    f7.set(0x8C, 1u << 24);  // TIMPRE
    CHECK(f7.kernel("TIM2") == 216e6);

    RccBench h7("stm32h743");
    // 64 MHz / 4 x 60 / 2 = 480; HPRE 2, all APB 2.
    h7.set(0x28, 4u << 4);
    h7.set(0x30, 59 | 1u << 9);
    h7.set(0x00, h7.get(0x00) | 1u << 24);
    h7.wait(0x00, 1u << 25, 1u << 25);
    h7.set(0x18, 8 | 4u << 4);
    h7.set(0x1C, 4u << 4 | 4u << 8);
    h7.set(0x10, 3);
    CHECK(h7.rcc.frequencies().core == 480e6);
    CHECK(h7.rcc.frequencies().hclk == 240e6);
    CHECK(h7.rcc.frequencies().pclk[0] == 120e6);
    CHECK(h7.kernel("TIM2") == 240e6);
    // HSI / 8, at once in frequency, HSIDIVF follows.
    h7.set(0x10, 0);
    h7.set(0x00, h7.get(0x00) | 3u << 3);
    CHECK((h7.get(0x00) & 1u << 5) == 0);
    CHECK(h7.wait(0x00, 1u << 5, 1u << 5) == 5 * kMicrosecond);
    CHECK(h7.rcc.frequencies().core == 8e6);
}

TEST_CASE("timing: the switch waits for its source, then shows it after its time") {
    RccBench bench("stm32l4r5");
    bench.set(0x08, 1);  // HSI16, still off
    CHECK(bench.wait(0x08, 0xC, 0x4) == 10'000 * kMicrosecond);
    CHECK(bench.rcc.frequencies().core == 4e6);
    bench.set(0x00, bench.get(0x00) | 1u << 8);
    const Picoseconds start = bench.now;
    bench.now = start + 5 * kMicrosecond - 1;
    CHECK((bench.get(0x00) & 1u << 10) == 0);
    CHECK(bench.rcc.frequencies().core == 4e6);
    bench.now = start + 5 * kMicrosecond;
    CHECK((bench.get(0x00) & 1u << 10) != 0);
    CHECK(bench.rcc.frequencies().core == 16e6);
    CHECK((bench.get(0x08) & 0xC) == 0);
    bench.now += 100'000 - 1;  // 0.1 us
    CHECK((bench.get(0x08) & 0xC) == 0);
    ++bench.now;
    CHECK((bench.get(0x08) & 0xC) == 4);
    // And back: MSI is 0 in SW and SWS.
    bench.set(0x08, 0);
    CHECK((bench.get(0x08) & 0xC) == 4);
    bench.now += 100'000;
    CHECK((bench.get(0x08) & 0xC) == 0);
    CHECK(bench.rcc.frequencies().core == 4e6);
}

TEST_CASE("mcu rcc: ready flags follow their enables both ways on every family") {
    struct Row {
        const char* chip;
        std::uint32_t offset;
        unsigned on, flag;
    };
    // On and ready bits of the device headers, typed a second time.
    const Row rows[] = {
        {"stm32l4r5", 0x00, 0, 1},   {"stm32l4r5", 0x00, 8, 10},  {"stm32l4r5", 0x00, 16, 17},
        {"stm32l4r5", 0x00, 24, 25}, {"stm32l4r5", 0x00, 26, 27}, {"stm32l4r5", 0x00, 28, 29},
        {"stm32l4r5", 0x90, 0, 1},   {"stm32l4r5", 0x94, 0, 1},   {"stm32l4r5", 0x98, 0, 1},
        {"stm32u575", 0x00, 0, 2},   {"stm32u575", 0x00, 4, 5},   {"stm32u575", 0x00, 8, 10},
        {"stm32u575", 0x00, 12, 13}, {"stm32u575", 0x00, 14, 15}, {"stm32u575", 0x00, 16, 17},
        {"stm32u575", 0x00, 24, 25}, {"stm32u575", 0x00, 26, 27}, {"stm32u575", 0x00, 28, 29},
        {"stm32u575", 0xF0, 0, 1},   {"stm32u575", 0xF0, 7, 11},  {"stm32u575", 0xF0, 26, 27},
        {"stm32f746", 0x00, 0, 1},   {"stm32f746", 0x00, 16, 17}, {"stm32f746", 0x00, 24, 25},
        {"stm32f746", 0x00, 26, 27}, {"stm32f746", 0x00, 28, 29}, {"stm32f746", 0x70, 0, 1},
        {"stm32f746", 0x74, 0, 1},   {"stm32h743", 0x00, 0, 2},   {"stm32h743", 0x00, 7, 8},
        {"stm32h743", 0x00, 12, 13}, {"stm32h743", 0x00, 16, 17}, {"stm32h743", 0x00, 24, 25},
        {"stm32h7a3", 0x00, 26, 27}, {"stm32h7a3", 0x00, 28, 29}, {"stm32h7a3", 0x70, 0, 1},
        {"stm32h7a3", 0x74, 0, 1},
    };
    for (const Row& row : rows) {
        CAPTURE(row.chip);
        CAPTURE(row.offset);
        CAPTURE(row.flag);
        RccBench bench(row.chip);
        const std::uint32_t on = 1u << row.on, flag = 1u << row.flag;
        bench.set(row.offset, bench.get(row.offset) & ~on);
        CHECK(bench.wait(row.offset, flag, 0) < 10'000 * kMicrosecond);
        bench.set(row.offset, (bench.get(row.offset) & ~flag) | on);
        CHECK((bench.get(row.offset) & flag) == 0);
        const Picoseconds rise = bench.wait(row.offset, flag, flag);
        CHECK(rise > 0);
        CHECK(rise < 10'000 * kMicrosecond);
        bench.set(row.offset, bench.get(row.offset) & ~on);
        CHECK((bench.get(row.offset) & flag) == flag);
        CHECK(bench.wait(row.offset, flag, 0) > 0);
        // A flag is not for software to set.
        bench.set(row.offset, bench.get(row.offset) | flag);
        CHECK((bench.get(row.offset) & flag) == 0);
    }
}

TEST_CASE("mcu rcc: gates follow the enable bits, RCC stays writable on the U5") {
    RccBench l4("stm32l4r5");
    CHECK(l4.clocked("FLASH"));
    CHECK(l4.clocked("IWDG"));
    CHECK(!l4.clocked("CRC"));
    l4.set(0x48, l4.get(0x48) | 1u << 12);
    CHECK(l4.clocked("CRC"));

    RccBench u5("stm32u575");
    u5.set(0x94, 1u << 2);
    u5.set(0xA4, 1u << 14);
    u5.set(0x9C, 1u << 3);
    u5.set(0x88, u5.get(0x88) | 1u << 30);
    CHECK(u5.clocked("PWR"));
    CHECK(u5.clocked("USART1"));
    // Before each inference the MLPerf firmware switches whole buses off.
    u5.set(0x20, 7u << 16 | 1u << 20);
    u5.set(0x24, 3u << 16);
    CHECK(!u5.clocked("PWR"));
    CHECK(!u5.clocked("USART1"));
    CHECK(u5.clocked("TIM5"));
    CHECK(u5.clocked("FLASH"));
    CHECK(u5.clocked("DCACHE1"));
    CHECK(u5.clocked("ICACHE"));
    CHECK(u5.clocked("RCC"));
    CHECK(u5.get(0x94) == 1u << 2);
    u5.set(0x20, u5.get(0x20) & 0xFFE0FFFF);
    u5.set(0x24, u5.get(0x24) & 0xFFFCFFFF);
    CHECK(u5.clocked("PWR"));
    CHECK(u5.clocked("USART1"));
    u5.set(0x94, 0);
    CHECK(!u5.clocked("PWR"));
}

TEST_CASE("mcu rcc: the clock of a serial port follows its selection") {
    RccBench l4("stm32l475");
    l4.set(0x08, 5u << 11);  // APB2: 4 MHz / 4
    CHECK(l4.kernel("USART1") == 1e6);
    l4.set(0x88, 1);
    CHECK(l4.kernel("USART1") == 4e6);
    l4.set(0x88, 2);
    CHECK(l4.kernel("USART1") == 16e6);
    l4.set(0x88, 3);
    CHECK(l4.kernel("USART1") == 32'768);
    RccBench h7("stm32h743");
    h7.set(0x54, 3);
    CHECK(h7.kernel("USART3") == 64e6);
    CHECK(h7.kernel("USART1") == 64e6);
    h7.set(0x54, 4u << 3);
    CHECK(h7.kernel("USART1") == 4e6);
    h7.set(0x54, 1);  // PLL 2: not modelled
    CHECK(h7.kernel("USART3") == 0);
    h7.set(0x58, 5);
    CHECK(h7.kernel("LPUART1") == 32'768);
}

TEST_CASE("mcu rcc: reset returns to the first clock") {
    RccBench bench("stm32l4r5");
    bench.set(0x00, bench.get(0x00) | 1u << 8);
    bench.now = 5 * kMicrosecond;
    bench.set(0x08, 1);
    CHECK(bench.rcc.frequencies().core == 16e6);
    bench.rcc.reset();
    CHECK(bench.rcc.frequencies().core == 4e6);
    CHECK(bench.changes.back().first == 4e6);
    CHECK(bench.get(0x08) == 0);
}

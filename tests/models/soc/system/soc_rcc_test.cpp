// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/soc/system/rcc.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::memmap::ClockDomain;
using n6vp::test::kWord;

namespace {

// Offsets and fields of the CMSIS device header.
constexpr std::uint32_t kCr = 0x000, kSr = 0x004, kCfgr1 = 0x020, kCfgr2 = 0x024, kCcipr6 = 0x158;

struct RccBench {
    ClockTree clocks;
    Rcc rcc{{}, clocks};

    Picoseconds now = 0;

    std::uint32_t read(std::uint32_t offset) { return rcc.read(offset, now).value; }
    void write(std::uint32_t offset, std::uint32_t value) {
        (void)rcc.write(offset, value, kWord, now);
    }
    void pass(double us) { now += ns_to_ps(us * 1e3); }
    void pll(unsigned number, std::uint32_t m, std::uint32_t n) {
        const std::uint32_t base = 0x80 + 0x10 * (number - 1);
        write(0x1000, 1u << (7 + number));  // CCR: off
        write(base, m << 20 | n << 8);      // HSI, no bypass
        write(base + 4, 0);
        write(base + 8, 1u << 30 | 1u << 27 | 1u << 24);
        write(0x800, 1u << (7 + number));  // CSR: on
    }
    void divider(unsigned number, unsigned pll, unsigned by) {
        write(0xC4 + 4 * (number - 1), (pll - 1) << 28 | (by - 1) << 16);
        write(0xA40, 1u << (number - 1));  // DIVENSR
    }
    void switch_to_dividers() { write(kCfgr1, 3u << 16 | 3u << 24); }
    double mhz(ClockDomain domain) { return clocks.hz(domain) / 1e6; }
};

}  // namespace

TEST_CASE("rcc: ready and switch status follow what was asked for") {
    RccBench bench;
    CHECK(bench.read(kSr) == 0x8);  // HSI
    const FlagTimes times;
    bench.write(kCr, 0x8 | 0x10 | 0x100);
    CHECK(bench.read(kSr) == 0x8);
    bench.pass(times.pll.value);
    CHECK(bench.read(kSr) == 0x108);
    bench.pass(times.hse.value);
    CHECK(bench.read(kSr) == 0x118);
    bench.write(0x1000, 0x100);
    CHECK(bench.read(kSr) == 0x118);
    bench.pass(times.pll.value);
    CHECK(bench.read(kSr) == 0x18);
    bench.write(kSr, kWord);
    CHECK(bench.read(kSr) == 0x18);
    bench.write(kCfgr1, 0x00020000 | 0x01000000);
    CHECK(bench.read(kCfgr1) == 0x01020000);
    bench.pass(times.clock_switch.value);
    CHECK(bench.read(kCfgr1) == 0x11220000);
}

TEST_CASE(
    "rcc: an enabled ready interrupt is raised once the oscillator is ready, and CICR ends it") {
    constexpr std::uint32_t kCier = 0x124, kCifr = 0x128, kCicr = 0x12C, kHse = 0x10, kPll2 = 0x200;
    RccBench bench;
    const FlagTimes times;
    std::vector<std::pair<bool, bool>> levels;
    std::vector<Picoseconds> due;
    bench.rcc.on_interrupt = [&](bool secure, bool level) { levels.emplace_back(secure, level); };
    bench.rcc.on_due = [&](Picoseconds at) { due.push_back(at); };
    bench.write(kCr, 0x8 | 0x1);  // LSI without interrupt
    bench.pass(times.lsi.value);
    CHECK(bench.read(kCifr) == 0);
    CHECK(due.empty());
    bench.write(kCier, kHse | kPll2);
    bench.write(0x800, kHse);
    const Picoseconds ready = bench.now + ns_to_ps(times.hse.value * 1e3);
    CHECK(due == std::vector<Picoseconds>{ready});
    bench.rcc.look(ready - 1);
    CHECK(levels.empty());
    bench.rcc.look(ready);
    CHECK(levels == std::vector<std::pair<bool, bool>>{{false, true}});
    CHECK(due.back() == 0);
    bench.now = ready;
    CHECK(bench.read(kCifr) == kHse);
    bench.write(kCifr, 0);
    bench.write(kCicr, kPll2);
    CHECK(bench.read(kCifr) == kHse);
    bench.write(kCicr, kHse);
    CHECK(bench.read(kCifr) == 0);
    CHECK(bench.read(kCicr) == 0);
    CHECK(levels.back() == std::pair(false, false));
    // The end of an oscillator raises nothing; a secure PLL has the other line.
    bench.write(0x1000, kHse);
    bench.pass(times.hse.value);
    CHECK(bench.read(kCifr) == 0);
    bench.write(0x790, 2);  // SECCFGR1.PLL2SEC
    bench.write(0x800, kPll2);
    bench.pass(times.pll.value);
    CHECK(bench.read(kCifr) == kPll2);
    CHECK(levels.back() == std::pair(true, true));
    bench.write(kCier, 0);
    CHECK(levels.back() == std::pair(true, false));
    CHECK(bench.rcc.write(kCier, 0xF1F, kWord, bench.now).modelled);
    for (const std::uint32_t other : {1u << 16, 1u << 17, 1u << 24})
        CHECK_FALSE(bench.rcc.write(kCier, other, kWord, bench.now).modelled);
    bench.rcc.reset();
    CHECK(bench.read(kCifr) == 0);
    CHECK(levels.back() == std::pair(true, false));
}

TEST_CASE("rcc: an oscillator that is switched back before it was ready never shows it") {
    RccBench bench;
    const FlagTimes times;
    bench.write(0x800, 0x10);  // HSEON
    bench.pass(times.hse.value / 2);
    bench.write(0x1000, 0x10);
    bench.pass(times.hse.value * 2);
    CHECK(bench.read(kSr) == 0x8);
    bench.write(0x800, 0x10);
    bench.pass(times.hse.value / 2);
    bench.write(0x800, 0x4);  // MSION does not start its time anew
    bench.pass(times.hse.value / 2);
    CHECK(bench.read(kSr) == 0x1C);
    bench.rcc.reset();
    CHECK(bench.read(kSr) == 0x8);
}

TEST_CASE("rcc: memories that are on after reset, and the set and clear registers of the others") {
    RccBench bench;
    CHECK(bench.read(0x24C) == 0x13F0);
    CHECK_FALSE(bench.rcc.gate("AXISRAM3")->open());
    CHECK(bench.rcc.gate("AXISRAM1")->open());
    CHECK(bench.rcc.gate("FLEXMEM")->open());
    bench.write(0xA4C, 0x40F);
    CHECK(bench.read(0x24C) == 0x17FF);
    for (const char* name : {"AXISRAM3", "AXISRAM4", "AXISRAM5", "AXISRAM6", "CACHEAXIRAM"}) {
        CAPTURE(name);
        REQUIRE(bench.rcc.gate(name) != nullptr);
        CHECK(bench.rcc.gate(name)->open());
    }
    bench.write(0x124C, 0x2);
    CHECK_FALSE(bench.rcc.gate("AXISRAM4")->open());
    CHECK(bench.rcc.gate("AXISRAM3")->open());
    CHECK(bench.rcc.gate("no such unit") == nullptr);
}

TEST_CASE("rcc: gates judge, and name the bit that would change it") {
    RccBench bench;
    Transfer transfer;
    ClockGate& ram = *bench.rcc.gate("AXISRAM3");
    CHECK(ram.judge(transfer, {}) == AccessFilter::Verdict::Error);
    CHECK_FALSE(ram.passes(transfer, {}));
    CHECK(std::string(ram.reason()) == "RCC_MEMENR.AXISRAM3EN = 0");
    ClockGate& npu = *bench.rcc.gate("NPU");
    CHECK(npu.judge(transfer, {}) == AccessFilter::Verdict::Zero);
    CHECK(std::string(npu.reason()) == "RCC_AHB5ENR.NPUEN = 0");
    bench.write(0xA60, 0xC0000000);
    CHECK(npu.judge(transfer, {}) == AccessFilter::Verdict::Pass);
    CHECK(bench.rcc.gate("CACHEAXI")->open());
}

TEST_CASE("rcc: what a gate without clock answers is a parameter") {
    RccParameters parameters;
    parameters.closed_memory.value = 0;
    parameters.closed_registers.value = 1;
    ClockTree clocks;
    Rcc rcc(parameters, clocks);
    Transfer transfer;
    CHECK(rcc.gate("AXISRAM3")->judge(transfer, {}) == AccessFilter::Verdict::Zero);
    CHECK(rcc.gate("NPU")->judge(transfer, {}) == AccessFilter::Verdict::Error);
}

TEST_CASE("rcc: a reset pulse closes the gate, says so and tells the unit once") {
    RccBench bench;
    bench.write(0x260, 0x80000000);
    ClockGate& npu = *bench.rcc.gate("NPU");
    int resets = 0, changes = 0;
    npu.on_reset = [&](Picoseconds) { ++resets; };
    npu.on_change = [&] { ++changes; };
    bench.write(0xA20, 0x80000000);
    CHECK_FALSE(npu.open());
    CHECK(std::string(npu.reason()) == "RCC_AHB5RSTR.NPURST = 1");
    bench.write(0xA20, 0x80000000);
    CHECK(resets == 1);
    bench.write(0x1220, 0x80000000);
    CHECK(npu.open());
    CHECK(resets == 1);
    CHECK(changes == 2);
}

TEST_CASE("rcc: a unit runs while the core sleeps only with its sleep bit") {
    RccBench bench;
    bench.write(0xA60, 0x80000000);
    ClockGate& npu = *bench.rcc.gate("NPU");
    CHECK(npu.runs(false));
    CHECK_FALSE(npu.runs(true));
    CHECK(std::string(npu.sleep_reason()) == "RCC_AHB5LPENR.NPULPEN = 0");
    bench.write(0xAA0, 0x80000000);
    CHECK(npu.runs(true));
    bench.write(0x1260, 0x80000000);
    CHECK_FALSE(npu.runs(true));
    CHECK_FALSE(npu.runs(false));
}

TEST_CASE("rcc: the clock bit of every peripheral opens its gate, and its reset bit closes it") {
    for (const n6vp::memmap::Peripheral& row : n6vp::memmap::kPeripherals) {
        CAPTURE(row.name);
        RccBench bench;
        ClockGate* const gate = bench.rcc.gate(row.name);
        CHECK((gate != nullptr) == row.clock.exists());
        if (gate == nullptr) continue;
        const auto enable = static_cast<std::uint32_t>(row.clock.bus);
        const std::uint32_t bit = 1u << row.clock.position;
        bench.write(enable + 0x1000, bit);
        CHECK_FALSE(gate->open());
        CHECK(std::string(gate->reason()).ends_with("EN = 0"));
        bench.write(enable + 0x800, bit);
        CHECK(gate->open());
        bench.write(enable - 0x40 + 0x800, bit);
        CHECK(gate->open() != row.clock.resets);
    }
    RccBench bench;
    CHECK(std::string(bench.rcc.gate("GPIOA")->reason()) == "RCC_AHB4ENR.GPIOAEN = 0");
    CHECK(std::string(bench.rcc.gate("TAMP")->reason()) == "RCC_APB4ENR1.RTCAPBEN = 0");
    // As the device header says after reset.
    for (const char* const on : {"RAMCFG", "RIFSC", "RISAF2", "PWR", "BSEC"}) {
        CAPTURE(on);
        CHECK(bench.rcc.gate(on)->open());
    }
    for (const char* const off : {"GPIOA", "SYSCFG", "TIM2", "I2C2", "HPDMA1"}) {
        CAPTURE(off);
        CHECK_FALSE(bench.rcc.gate(off)->open());
    }
}

TEST_CASE("rcc: set and clear aliases exist only where the device header has them") {
    RccBench bench;
    const std::uint32_t before = bench.rcc.read(0x0C4, 0).value;  // IC1CFGR
    bench.write(0x8C4, 0x00030000);
    CHECK(bench.rcc.read(0x0C4, 0).value == before);
    bench.write(0x0C4, 0x00030000);
    bench.write(0x10C4, 0x00030000);
    CHECK(bench.rcc.read(0x0C4, 0).value == 0x00030000);
    CHECK_FALSE(bench.rcc.write(0x8C4, 0, 0xFFFFFFFF, 0).modelled);
    bench.write(0xA60, 0x80000000);  // AHB5ENSR
    CHECK((bench.rcc.read(0x260, 0).value & 0x80000000) != 0);
}

TEST_CASE("rcc: a unit learns when its reset began") {
    RccBench bench;
    Picoseconds began = 0;
    bench.rcc.gate("NPU")->on_reset = [&](Picoseconds at) { began = at; };
    (void)bench.rcc.write(0xA20, 0x80000000, 0xFFFFFFFF, 12'345);
    CHECK(began == 12'345);
}

TEST_CASE("clocks: the scenario's frequencies stay until software sets the switch") {
    RccBench bench;
    bench.clocks.set(ClockDomain::Cpu, 600e6);
    bench.pll(1, 2, 25);
    bench.divider(1, 1, 1);
    CHECK(bench.mhz(ClockDomain::Cpu) == 600);
    bench.switch_to_dividers();
    CHECK(bench.mhz(ClockDomain::Cpu) == 64.0 / 2 * 25);
    bench.rcc.reset();
    CHECK(bench.mhz(ClockDomain::Cpu) == 600);
}

TEST_CASE("clocks: the overdrive set-up of the validation firmware") {
    RccBench bench;
    bench.write(kCfgr1, 0);  // to HSI first
    CHECK(bench.mhz(ClockDomain::Cpu) == 64);
    CHECK(bench.mhz(ClockDomain::Npu) == 64);
    CHECK(bench.mhz(ClockDomain::Ahb) == 32);  // CFGR2 divides by 2 after reset
    bench.pll(1, 2, 25);
    bench.pll(2, 8, 125);
    bench.pll(3, 16, 225);
    bench.divider(1, 1, 1);
    bench.divider(2, 1, 2);
    bench.divider(6, 2, 1);
    bench.divider(11, 3, 1);
    bench.write(kCfgr2, 2u << 20);
    bench.switch_to_dividers();
    bench.divider(3, 1, 4);
    bench.divider(4, 1, 4);
    bench.write(kCcipr6, 3u << 0 | 2u << 4);
    CHECK(bench.mhz(ClockDomain::Cpu) == 800);
    CHECK(bench.mhz(ClockDomain::Noc) == 400);
    CHECK(bench.mhz(ClockDomain::Npu) == 1000);
    CHECK(bench.mhz(ClockDomain::Nic) == 900);
    CHECK(bench.mhz(ClockDomain::Ahb) == 100);
    CHECK(bench.mhz(ClockDomain::Xspi1) == 200);
    CHECK(bench.mhz(ClockDomain::Xspi2) == 200);
}

TEST_CASE("clocks: an XSPI selection alone sets that XSPI's clock") {
    RccBench bench;
    bench.pll(1, 2, 25);
    bench.divider(3, 1, 16);
    bench.write(kCcipr6, 2u << 4);
    CHECK(bench.mhz(ClockDomain::Xspi2) == 50);
    CHECK(bench.mhz(ClockDomain::Xspi1) == 200);
    CHECK(bench.mhz(ClockDomain::Cpu) == 800);
}

TEST_CASE("clocks: XSPI takes IC4 or IC3 as it was told") {
    RccBench bench;
    bench.pll(1, 2, 25);  // 800 MHz
    bench.divider(3, 1, 16);
    bench.divider(4, 1, 5);
    bench.write(kCcipr6, 3u << 0 | 2u << 4);
    CHECK(bench.mhz(ClockDomain::Xspi1) == 160);
    CHECK(bench.mhz(ClockDomain::Xspi2) == 50);
}

TEST_CASE("clocks: after a reset XSPI has the scenario's clock until it is selected again") {
    RccBench bench;
    bench.pll(1, 2, 25);
    bench.divider(3, 1, 16);
    bench.write(kCcipr6, 2u << 4);
    CHECK(bench.mhz(ClockDomain::Xspi2) == 50);
    bench.rcc.reset();
    CHECK(bench.mhz(ClockDomain::Xspi2) == 200);
    bench.divider(5, 1, 2);  // no concern of XSPI's
    CHECK(bench.mhz(ClockDomain::Xspi2) == 200);
}

TEST_CASE("clocks: a PLL without its output enable gives no clock") {
    RccBench bench;
    bench.pll(1, 2, 25);
    bench.divider(1, 1, 2);
    bench.write(0x88, 1u << 27 | 1u << 24);  // PLL1PDIVEN = 0
    bench.switch_to_dividers();
    CHECK(bench.mhz(ClockDomain::Cpu) == 800);  // as the scenario has it
    bench.write(0x88, 1u << 30 | 1u << 27 | 1u << 24);
    CHECK(bench.mhz(ClockDomain::Cpu) == 400);
}

TEST_CASE("clocks: a divider gives its clock when it is enabled, after the switch, too") {
    RccBench bench;
    bench.pll(1, 2, 25);
    bench.write(0xC4, 3u << 16);  // IC1: PLL1 by 4, off
    bench.switch_to_dividers();
    CHECK(bench.mhz(ClockDomain::Cpu) == 800);
    bench.write(0xA40, 1u << 0);  // IC1EN
    CHECK(bench.mhz(ClockDomain::Cpu) == 200);
}

TEST_CASE("clocks: MSI has 4 MHz, or 16 with MSIFREQSEL") {
    RccBench bench;
    bench.write(kCr, 0xC);  // MSION, HSION
    bench.write(kCfgr1, 1u << 16);
    CHECK(bench.mhz(ClockDomain::Cpu) == 4);
    bench.write(0x44, 1u << 9);
    CHECK(bench.mhz(ClockDomain::Cpu) == 16);
}

TEST_CASE("rcc: the causes of the last reset stay until RMVF") {
    RccBench bench;
    constexpr std::uint32_t kRsr = 0x34;
    CHECK(bench.read(kRsr) == 0x00E00000);
    bench.write(kRsr, 0xFFFE0000);
    CHECK(bench.read(kRsr) == 0x00E00000);
    bench.write(kRsr, 1u << 16);
    CHECK(bench.read(kRsr) == 0);
}

TEST_CASE("clocks: bypass, fraction, oscillators, HSI divider") {
    RccBench bench;
    bench.divider(1, 1, 2);
    bench.switch_to_dividers();
    CHECK(bench.mhz(ClockDomain::Cpu) == 32);  // PLL1 is bypassed after reset
    bench.write(kCr, 0x18);
    bench.write(0x80, 2u << 28 | 6u << 20 | 100u << 8);  // HSE / 6 * 100.5 / 2 / 1
    bench.write(0x84, 1u << 23);
    bench.write(0x88, 1u << 30 | 2u << 27 | 1u << 24);
    bench.write(kCr, 0x118);
    CHECK(bench.mhz(ClockDomain::Cpu) == 48.0 / 6 * 100.5 / 2 / 2);
    bench.write(0x48, 3u << 7);
    bench.write(kCfgr1, 0);
    CHECK(bench.mhz(ClockDomain::Cpu) == 8);
    bench.write(kCfgr1, 2u << 16);
    CHECK(bench.mhz(ClockDomain::Cpu) == 48);
}

TEST_CASE("clocks: a source that is off leaves the frequency as it was") {
    RccBench bench;
    bench.divider(1, 2, 1);
    bench.write(0x90, 1u << 20 | 10u << 8);
    bench.switch_to_dividers();
    CHECK(bench.mhz(ClockDomain::Cpu) == 800);
}

TEST_CASE("rcc: registers have names, aliases too, and say what is not modelled") {
    RccBench bench;
    const auto name = [&](std::uint32_t offset) {
        return std::string(bench.rcc.read(offset, 0).name);
    };
    CHECK(name(0x260) == "AHB5ENR");
    CHECK(name(0xA60) == "AHB5ENSR");
    CHECK(name(0x1260) == "AHB5ENCR");
    CHECK(name(0x264) == "APB1ENR1");
    CHECK(name(0xA64) == "APB1ENSR1");
    CHECK(name(0x1220) == "AHB5RSTCR");
    CHECK(name(0xAA0) == "AHB5LPENSR");
    CHECK(name(0x800) == "CSR");
    CHECK(name(0xD8) == "IC6CFGR");
    CHECK(bench.rcc.read(0x260, 0).modelled);
    CHECK_FALSE(bench.rcc.read(0x148, 0).modelled);
    CHECK(name(0x3F0).empty());
    CHECK_FALSE(bench.rcc.read(0x3F0, 0).modelled);
}

TEST_CASE("rcc: nothing is behind its last clear register") {
    RccBench bench;
    (void)bench.rcc.write(0x1800 + 0x24C, kWord, kWord, 0);
    CHECK(bench.read(0x24C) == 0x13F0);
    CHECK_FALSE(bench.rcc.read(0x1800, 0).modelled);
}

TEST_CASE("rcc: the clock of the RTC by RTCSEL, HSE by RTCPRE") {
    RccBench bench;
    constexpr std::uint32_t kCcipr7 = 0x15C;
    const auto hz = [&] { return bench.rcc.kernel_hz("RTC"); };
    CHECK(hz() == 0);  // no clock is selected
    bench.write(kCcipr7, 63u << 12 | 1u << 8);
    CHECK(hz() == 0);  // LSE is off
    bench.write(kCr, 0x1B);
    CHECK(hz() == doctest::Approx(32'768));
    bench.write(kCcipr7, 63u << 12 | 2u << 8);
    CHECK(hz() == doctest::Approx(32'000));  // LSI
    bench.write(kCcipr7, 63u << 12 | 3u << 8);
    CHECK(hz() == doctest::Approx(750'000));  // HSE, 48 MHz / 64
    bench.write(kCcipr7, 3u << 8);
    CHECK(hz() == doctest::Approx(48e6));
}

TEST_CASE("rcc: kernel clocks of serial ports, I2C and timers by their selections") {
    RccBench bench;
    constexpr std::uint32_t kCcipr4 = 0x150, kCcipr7 = 0x15C, kCcipr12 = 0x170, kCcipr13 = 0x174,
                            kCcipr14 = 0x178;
    const auto mhz = [&](const char* unit) { return bench.rcc.kernel_hz(unit) / 1e6; };
    // Out of reset: AHB without prescaler, the system clock of the scenario.
    CHECK(mhz("USART1") == doctest::Approx(100));
    CHECK(mhz("I2C1") == doctest::Approx(100));
    CHECK(mhz("TIM6") == doctest::Approx(400));
    CHECK(mhz("SPI1") == doctest::Approx(100));
    CHECK(mhz("ADC1") == doctest::Approx(100));
    bench.write(0x144, 3u << 8);  // ADCPRE: 4
    CHECK(mhz("ADC2") == doctest::Approx(25));
    bench.write(0x144, 7u << 4);  // the clock of the timers
    CHECK(mhz("ADC1") == doctest::Approx(400));
    CHECK(mhz("DTS") == 0);
    bench.write(kCfgr2, 1u << 20 | 1u << 0 | 2u << 4 | 3u << 12 | 2u << 24);
    CHECK(mhz("USART2") == doctest::Approx(50));     // PPRE1: 2
    CHECK(mhz("USART10") == doctest::Approx(25));    // PPRE2: 4
    CHECK(mhz("LPUART1") == doctest::Approx(12.5));  // PPRE4: 8
    CHECK(mhz("TIM1") == doctest::Approx(100));      // TIMPRE: 4
    // PLL 1: 64 MHz / 4 x 75 = 1200 MHz; IC9 by 12, IC10 by 6, IC15 by 24.
    bench.pll(1, 4, 75);
    bench.divider(9, 1, 12);
    bench.divider(10, 1, 6);
    bench.divider(15, 1, 24);
    bench.write(kCcipr13, 2u << 0 | 6u << 4 | 5u << 8);
    CHECK(mhz("USART1") == doctest::Approx(100));  // IC9
    CHECK(mhz("USART2") == doctest::Approx(64));   // HSI
    CHECK(mhz("USART3") == 0);                     // MSI is off
    bench.write(kCcipr4, 2u << 0 | 3u << 4 | 1u << 8);
    CHECK(mhz("I2C1") == doctest::Approx(200));  // IC10
    CHECK(mhz("I2C2") == doctest::Approx(50));   // IC15
    CHECK(mhz("I2C3") == doctest::Approx(64));   // per_ck: HSI
    bench.write(kCcipr7, 5);
    CHECK(mhz("I2C3") == doctest::Approx(200));  // per_ck: IC10
    bench.write(kCcipr12, 4u << 8 | 5u << 12);
    bench.write(kCcipr14, 4u << 8);
    CHECK(mhz("LPTIM1") == 0);
    CHECK(mhz("LPTIM2") == doctest::Approx(100));  // as the timers
    bench.write(kCr, bench.read(kCr) | 3);
    CHECK(mhz("LPTIM1") == doctest::Approx(0.032));
    CHECK(mhz("LPUART1") == doctest::Approx(0.032768));
}

TEST_CASE("rcc: who listens to writes finds clocks and gates as the write left them") {
    RccBench bench;
    std::vector<std::pair<Picoseconds, bool>> seen;
    bench.rcc.on_peripheral_clocks = [&](Picoseconds at) {
        CHECK_FALSE(bench.rcc.writing());
        seen.emplace_back(at, bench.rcc.gate("TIM2")->open());
    };
    bench.now = 7;
    bench.write(0x264 + 0x800, 1);  // APB1ENSR1
    bench.now = 9;
    bench.write(0x264 + 0x1000, 1);
    CHECK(seen == std::vector<std::pair<Picoseconds, bool>>{{7, true}, {9, false}});
}

TEST_CASE("rcc: after Stop mode the system runs from HSI, and HSE and PLLs are off") {
    RccBench bench;
    bench.write(0x800, 1u << 4 | 1u << 1 | 1u << 0);  // HSE, LSE, LSI
    bench.pll(1, 4, 75);
    bench.divider(1, 1, 3);
    bench.divider(2, 1, 3);
    bench.divider(6, 1, 4);
    bench.divider(11, 1, 3);
    bench.switch_to_dividers();
    bench.pass(10'000'000);
    CHECK(bench.read(kSr) == 0x11B);
    CHECK(bench.read(kCfgr1) == 0x33330000);
    CHECK(bench.mhz(ClockDomain::Cpu) == doctest::Approx(400));
    unsigned told = 0;
    bench.rcc.on_peripheral_clocks = [&](Picoseconds at) { told += at == bench.now ? 1 : 100; };
    bench.rcc.leave_stop(bench.now);
    CHECK(told == 1);
    CHECK(bench.read(kCr) == 0xB);
    CHECK(bench.read(kSr) == 0xB);
    CHECK(bench.read(kCfgr1) == 0);
    for (const ClockDomain domain : {ClockDomain::Cpu, ClockDomain::Noc, ClockDomain::Npu})
        CHECK(bench.mhz(domain) == doctest::Approx(64));
    CHECK(bench.mhz(ClockDomain::Ahb) == doctest::Approx(32));
    bench.pass(10'000'000);
    CHECK(bench.read(kSr) == 0xB);
    CHECK(bench.read(kCfgr1) == 0);
    // What the program then sets holds as before.
    bench.write(0x800, 1u << 8);
    bench.switch_to_dividers();
    CHECK(bench.mhz(ClockDomain::Cpu) == doctest::Approx(400));
    bench.pass(10'000'000);
    CHECK(bench.read(kSr) == 0x10B);
    CHECK(bench.read(kCfgr1) == 0x33330000);
}

TEST_CASE("rcc: Stop mode with STOPWUCK ends on MSI, and HSI goes on only with its bit in STOPCR") {
    for (const bool kept : {false, true}) {
        CAPTURE(kept);
        RccBench bench;
        bench.write(0x008, kept ? 2 : 0);
        bench.write(kCfgr1, 1);
        bench.pass(1000);
        bench.rcc.leave_stop(bench.now);
        CHECK(bench.read(kCr) == (kept ? 0xCu : 0x4u));
        CHECK(bench.read(kSr) == (kept ? 0xCu : 0x4u));
        CHECK(bench.read(kCfgr1) == 0x11110001);
        CHECK(bench.mhz(ClockDomain::Cpu) == doctest::Approx(4));
    }
}

TEST_CASE("rcc: a low-speed oscillator that starts before Stop mode is ready at its time") {
    RccBench bench;
    bench.write(0x800, 1u << 0);  // LSI
    bench.rcc.leave_stop(bench.now);
    CHECK(bench.read(kSr) == 0x8);
    bench.pass(FlagTimes{}.lsi.value);
    CHECK(bench.read(kSr) == 0x9);
}

TEST_CASE("clocks: Stop mode ends on HSI also where the scenario had set the clocks") {
    RccBench bench;
    CHECK(bench.mhz(ClockDomain::Cpu) > 64);
    bench.rcc.leave_stop(bench.now);
    CHECK(bench.mhz(ClockDomain::Cpu) == doctest::Approx(64));
}

// SPDX-License-Identifier: Apache-2.0
// Low-power timers at the pins of the STM32N6, beside timers: which pin is which signal is from
// pin data that the vendor publishes.
#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "memmap/low_power_timer_pins.h"
#include "memmap/timer_pins.h"
#include "models/chip/low_power_timer_pins.h"
#include "models/chip/pin_functions.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kModer = 0x00, kIdr = 0x10, kAfrl = 0x20;
constexpr std::uint32_t kIsr = 0x00, kCfgr = 0x0C, kCr = 0x10, kCcr1 = 0x14, kArr = 0x18,
                        kCnt = 0x1C, kCcmr1 = 0x2C, kCcr2 = 0x34;
constexpr Picoseconds kUs = 1'000'000;

/// Ports E and F, LPTIM1 and LPTIM2 of 1 MHz, TIM4 of 10 MHz.
struct Bench {
    Bench() {
        const auto port = [this](std::string_view name) {
            return name == "GPIOE" ? &e : name == "GPIOF" ? &f : nullptr;
        };
        timers.connect([this](std::string_view name) { return name == "TIM4" ? &tim4 : nullptr; },
                       port);
        slow.connect(
            [this](std::string_view name) {
                return name == "LPTIM1" ? &lptim1 : name == "LPTIM2" ? &lptim2 : nullptr;
            },
            port);
        for (Gpio* const each : {&e, &f}) {
            functions.add(*each);
            each->on_levels = [this, each](std::uint16_t levels, Picoseconds at) {
                functions.follow_levels(*each, levels, at);
            };
        }
        f.on_output = [this](std::uint16_t levels, Picoseconds at) {
            seen.emplace_back(levels, at);
        };
        lptim1.set_kernel_hz(1e6, 0);
        lptim2.set_kernel_hz(1e6, 0);
        tim4.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    template <class Block>
    void set(Block& block, std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        static_cast<void>(block.write(offset, value, kWord, at));
    }
    void choose(Gpio& port, unsigned pin, std::uint32_t function, Picoseconds at = 0) {
        set(port, kAfrl, function << (4 * pin), at);
        set(port, kModer, ~(1u << (2 * pin)), at);
    }
    void start(LowPowerTimer& timer, std::uint32_t configuration) {
        set(timer, kCfgr, configuration);
        set(timer, kArr, 99);
        set(timer, kCr, 1);
        set(timer, kCr, 5);
    }
    Gpio e{"GPIOE"}, f{"GPIOF"};
    LowPowerTimer lptim1{"lptim1", "LPTIM1"}, lptim2{"lptim2", "LPTIM2"};
    Timer tim4{"tim4", "TIM4", {32, 4, false}};
    TimerPins timers;
    LowPowerTimerPins slow;
    PinFunctions functions{{&slow, &timers}};
    std::vector<std::pair<std::uint16_t, Picoseconds>> seen;
};

}  // namespace

TEST_CASE("lptim pins: a function of a pin is one signal of one unit") {
    for (const auto& row : n6vp::memmap::kLowPowerTimerPins) {
        CAPTURE(row.port);
        CAPTURE(static_cast<unsigned>(row.pin));
        CAPTURE(static_cast<unsigned>(row.function));
        const auto same = [&row](const auto& other) {
            return other.port == row.port && other.pin == row.pin && other.function == row.function;
        };
        unsigned count = 0;
        for (const auto& other : n6vp::memmap::kLowPowerTimerPins) count += same(other) ? 1 : 0;
        for (const auto& other : n6vp::memmap::kTimerPins) count += same(other) ? 1 : 0;
        CHECK(count == 1);
        CHECK(row.pin <= 15);
        CHECK(row.timer >= 1);
        CHECK(row.timer <= 5);
    }
}

TEST_CASE("lptim pins: PE0 is the trigger of LPTIM2 by function 3, of LPTIM1 by function 1") {
    Bench bench;
    bench.start(bench.lptim1, 1u << 17);
    bench.start(bench.lptim2, 1u << 17);
    bench.choose(bench.e, 0, 3);
    bench.e.drive(0, true, 10 * kUs);
    CHECK(bench.lptim2.read(kCnt, 15 * kUs).value == 3);
    CHECK(bench.lptim1.read(kCnt, 15 * kUs).value == 0);
    // The pin is high when LPTIM1 gets it.
    bench.choose(bench.e, 0, 1, 20 * kUs);
    CHECK(bench.lptim1.read(kCnt, 25 * kUs).value == 3);
}

TEST_CASE("lptim pins: PE4 is counted by LPTIM1 while it has the function") {
    Bench bench;
    bench.start(bench.lptim1, 1u << 23);
    const auto pulse = [&bench](Picoseconds at) {
        bench.e.drive(4, true, at);
        bench.e.drive(4, false, at + kUs);
        return bench.lptim1.read(kCnt, at + kUs).value;
    };
    CHECK(pulse(10 * kUs) == 0);
    bench.choose(bench.e, 4, 1, 15 * kUs);
    CHECK(pulse(20 * kUs) == 1);
    CHECK(pulse(30 * kUs) == 2);
    bench.choose(bench.e, 4, 2, 35 * kUs);
    CHECK(pulse(40 * kUs) == 2);
    CHECK_FALSE(sc_core::sc_pending_activity());
}

TEST_CASE("lptim pins: an input alone does not make reads of a port look at timers") {
    Bench bench;
    bench.choose(bench.e, 4, 1);
    CHECK_FALSE(static_cast<bool>(bench.e.on_look));
    bench.choose(bench.f, 1, 1);
    CHECK(static_cast<bool>(bench.f.on_look));
}

TEST_CASE("lptim pins: a pin goes from a low-power timer to a timer and back, whoever is first") {
    Bench bench;
    bench.f.watch(1);
    // LPTIM1_CH2 is high from 60 to 100 us, TIM4_CH3 is always high.
    bench.set(bench.lptim1, kCcmr1, 2u << 16);
    bench.set(bench.lptim1, kCcr2, 59);
    bench.start(bench.lptim1, 0);
    bench.set(bench.tim4, 0x1C, 5u << 4);
    bench.set(bench.tim4, 0x20, 1u << 8);
    bench.choose(bench.f, 1, 1);
    sc_core::sc_start(delay_until(130 * kUs));
    using Seen = std::vector<std::pair<std::uint16_t, Picoseconds>>;
    CHECK(bench.seen == Seen{{2, 60 * kUs}, {0, 100 * kUs}});
    const auto list = [&bench](Picoseconds at) {
        std::vector<TimerPins::Output> outputs = bench.timers.outputs(at);
        bench.slow.add_outputs(outputs, at);
        return outputs;
    };
    REQUIRE(list(130 * kUs).size() == 1);
    CHECK(list(130 * kUs)[0].signal == "LPTIM1_CH2");
    CHECK(list(130 * kUs)[0].pin == "PF1");
    CHECK(list(130 * kUs)[0].wave.hz == doctest::Approx(10e3));
    CHECK(list(130 * kUs)[0].wave.high_share == doctest::Approx(0.4));
    bench.choose(bench.f, 1, 2, 130 * kUs);
    CHECK(bench.f.output_pins() == 2);
    CHECK(bench.f.levels() == 2);
    CHECK(list(130 * kUs)[0].signal == "TIM4_CH3");
    bench.choose(bench.f, 1, 1, 140 * kUs);
    CHECK(bench.f.output_pins() == 2);
    CHECK(bench.f.levels() == 0);
}

TEST_CASE("lptim pins: nobody watches, and IDR still shows the level") {
    Bench bench;
    bench.set(bench.lptim2, kCcmr1, 2);
    bench.set(bench.lptim2, kCcr1, 29);
    bench.start(bench.lptim2, 0);
    bench.choose(bench.f, 1, 3);
    CHECK_FALSE(sc_core::sc_pending_activity());
    for (Picoseconds us = 0; us < 200; ++us)
        CHECK((bench.f.read(kIdr, us * kUs).value == 2) == (us % 100 >= 30));
    CHECK(bench.seen.empty());
    CHECK((bench.lptim2.read(kIsr, 200 * kUs).value & 2) != 0);
}

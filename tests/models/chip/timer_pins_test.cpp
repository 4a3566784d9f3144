// SPDX-License-Identifier: Apache-2.0
// Timers at the pins of the STM32N6: which pin is which channel is from public pin definitions.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "memmap/timer_pins.h"
#include "models/chip/pin_functions.h"
#include "models/chip/timer_pins.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kModer = 0x00, kIdr = 0x10, kAfrl = 0x20, kAfrh = 0x24;
constexpr std::uint32_t kCr1 = 0x00, kSr = 0x10, kCcmr1 = 0x18, kCcer = 0x20, kArr = 0x2C,
                        kCcr1 = 0x34;
constexpr Picoseconds kUs = 1'000'000;

/// Ports A and C, TIM3 and TIM9 of 10 MHz.
struct Bench {
    Bench() {
        pins.connect(
            [this](std::string_view name) {
                return name == "TIM3" ? &tim3 : name == "TIM9" ? &tim9 : nullptr;
            },
            [this](std::string_view name) {
                return name == "GPIOA" ? &a : name == "GPIOC" ? &c : nullptr;
            });
        for (Gpio* const port : {&a, &c}) {
            functions.add(*port);
            port->on_levels = [this, port](std::uint16_t levels, Picoseconds at) {
                pins.follow_levels(*port, levels, at);
            };
        }
        c.on_output = [this](std::uint16_t levels, Picoseconds at) {
            seen.emplace_back(levels, at);
        };
        tim3.set_kernel_hz(10e6);
        tim9.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    template <class Block>
    void set(Block& block, std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        static_cast<void>(block.write(offset, value, kWord, at));
    }
    /// PC6 gets the function: 2 is TIM3_CH1, 3 TIM9_CH1.
    void choose(std::uint32_t function, Picoseconds at = 0) {
        set(c, kAfrl, function << 24, at);
        set(c, kModer, ~(1u << 12), at);
    }
    void start_pwm(Timer& timer) {
        set(timer, kArr, 99);
        set(timer, kCcr1, 25);
        set(timer, kCcmr1, 6u << 4);
        set(timer, kCcer, 1);
        set(timer, kCr1, 1);
    }
    Gpio a{"GPIOA"}, c{"GPIOC"};
    Timer tim3{"tim3", "TIM3", {32, 4, false}}, tim9{"tim9", "TIM9", {16, 2, false}};
    TimerPins pins;
    PinFunctions functions{{&pins}};
    std::vector<std::pair<std::uint16_t, Picoseconds>> seen;
};

}  // namespace

TEST_CASE("timer pins: every pin is one channel by one function at most") {
    for (const auto& row : n6vp::memmap::kTimerPins) {
        CAPTURE(row.port);
        CAPTURE(static_cast<unsigned>(row.pin));
        CAPTURE(static_cast<unsigned>(row.function));
        unsigned same = 0;
        for (const auto& other : n6vp::memmap::kTimerPins) {
            if (other.port == row.port && other.pin == row.pin && other.function == row.function)
                ++same;
        }
        CHECK(same == 1);
        CHECK(row.pin <= 15);
        CHECK(row.channel <= timer_layout("TIM" + std::to_string(row.timer), true).channels);
        const bool advanced = timer_layout("TIM" + std::to_string(row.timer), true).repetition;
        CHECK((!row.complementary || advanced));
    }
}

TEST_CASE("timer pins: a watched pin has the PWM of the timer whose function it has") {
    Bench bench;
    bench.c.watch(6);
    bench.start_pwm(bench.tim3);
    bench.choose(2);
    sc_core::sc_start(delay_until(13 * kUs));
    const std::vector<std::pair<std::uint16_t, Picoseconds>> expected{
        {64, 0}, {0, 2'500'000}, {64, 10 * kUs}, {0, 12'500'000}};
    CHECK(bench.seen == expected);
    CHECK(bench.c.output_pins() == 64);
    const auto outputs = bench.pins.outputs(13 * kUs);
    REQUIRE(outputs.size() == 1);
    CHECK(outputs[0].signal == "TIM3_CH1");
    CHECK(outputs[0].pin == "PC6");
    CHECK(outputs[0].wave.hz == doctest::Approx(100e3));
    // The other timer is still.
    bench.choose(3, 13 * kUs);
    CHECK(bench.c.output_pins() == 0);
    CHECK(bench.pins.outputs(13 * kUs).empty());
    sc_core::sc_start(delay_until(30 * kUs));
    CHECK(bench.seen.size() == 4);
    // So is a pin after a reset.
    bench.choose(2, 31 * kUs);
    CHECK(bench.c.output_pins() == 64);
    bench.c.reset_at(32 * kUs);
    CHECK(bench.c.output_pins() == 0);
    CHECK_FALSE(bench.c.function(6));
}

TEST_CASE("timer pins: nobody watches, and IDR still shows the level") {
    Bench bench;
    bench.start_pwm(bench.tim3);
    bench.choose(2);
    CHECK_FALSE(sc_core::sc_pending_activity());
    for (Picoseconds tick = 0; tick < 200; ++tick) {
        const auto answer = bench.c.read(kIdr, tick * 100'000);
        CHECK((answer.value == 64) == (tick % 100 < 25));
    }
    CHECK(bench.seen.empty());
    CHECK(bench.c.read(kIdr, 20 * kUs).modelled);
    // With the output off nothing drives the pin.
    bench.set(bench.tim3, kCcer, 0, 20 * kUs);
    CHECK_FALSE(bench.c.read(kIdr, 20 * kUs).modelled);
}

TEST_CASE("timer pins: an input captures at its pin while it has the function") {
    Bench bench;
    bench.set(bench.tim3, kCcmr1, 1);
    bench.set(bench.tim3, kCcer, 1);
    bench.set(bench.tim3, kCr1, 1);
    const auto captured = [&bench](Picoseconds at) {
        bench.c.drive(6, true, at);
        bench.c.drive(6, false, at + 100'000);
        const bool flag = (bench.tim3.read(kSr, at).value & 2) != 0;
        return flag ? static_cast<int>(bench.tim3.read(kCcr1, at).value) : -1;
    };
    CHECK(captured(1 * kUs) == -1);
    bench.choose(2, 2 * kUs);
    CHECK(captured(3 * kUs) == 30);
    bench.choose(3, 4 * kUs);
    CHECK(captured(5 * kUs) == -1);
    // A pin that gets the function while it is high.
    bench.c.drive(6, true, 6 * kUs);
    bench.choose(2, 7 * kUs);
    CHECK(bench.tim3.read(kCcr1, 7 * kUs).value == 70);
    // Pins 8 and more have theirs in AFRH: PC9 is TIM3_CH4.
    bench.set(bench.tim3, 0x1C, 1u << 8);
    bench.set(bench.tim3, kCcer, 1u << 12);
    bench.set(bench.c, kAfrh, 2u << 4, 8 * kUs);
    bench.set(bench.c, kModer, ~(1u << 18), 8 * kUs);
    bench.c.drive(9, true, 9 * kUs);
    CHECK(bench.tim3.read(0x40, 9 * kUs).value == 90);
}

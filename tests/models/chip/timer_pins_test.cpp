// SPDX-License-Identifier: Apache-2.0
// Timers at the pins of the STM32N6: which pin is which channel is from public pin definitions.
#include <doctest/doctest.h>

#include <cmath>
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

/// Ports A and C, TIM2, TIM3 and TIM9 of 10 MHz.
struct Bench {
    Bench() {
        pins.connect(
            [this](std::string_view name) {
                return name == "TIM2"   ? &tim2
                       : name == "TIM3" ? &tim3
                       : name == "TIM9" ? &tim9
                                        : nullptr;
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
        tim2.set_kernel_hz(10e6);
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
    Timer tim2{"tim2", "TIM2", {32, 4, false}};
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
    for (const auto& row : n6vp::memmap::kTimerTriggerPins) {
        CAPTURE(row.port);
        CAPTURE(static_cast<unsigned>(row.pin));
        const auto same = [&row](const auto& other) {
            return other.port == row.port && other.pin == row.pin && other.function == row.function;
        };
        unsigned count = 0;
        for (const auto& other : n6vp::memmap::kTimerPins) count += same(other) ? 1 : 0;
        for (const auto& other : n6vp::memmap::kTimerTriggerPins) count += same(other) ? 1 : 0;
        CHECK(count == 1);
        CHECK(row.pin <= 15);
        CHECK(timer_layout("TIM" + std::to_string(row.timer), true).channels == 4);
    }
}

TEST_CASE("timer pins: PA5 is the external trigger of TIM2 by function 2, not by 1") {
    Bench bench;
    constexpr std::uint32_t kSmcr = 0x08, kCnt = 0x24, kEce = 1u << 14;
    bench.set(bench.tim2, kSmcr, kEce);
    bench.set(bench.tim2, kCr1, 1);
    Picoseconds now = 0;
    const auto counted = [&](std::uint32_t function) {
        bench.set(bench.a, kAfrl, function << 20, now);
        bench.set(bench.a, kModer, ~(1u << 10), now);
        const std::uint32_t before = bench.tim2.read(kCnt, now).value;
        for (unsigned i = 0; i < 3; ++i) {
            bench.a.drive(5, true, now += kUs);
            bench.a.drive(5, false, now += kUs);
        }
        return bench.tim2.read(kCnt, now).value - before;
    };
    CHECK(counted(1) == 0);
    CHECK(counted(2) == 3);
    CHECK(counted(0) == 0);
    // An input is no output of the timer, and reading the port settles no timer.
    bench.a.watch(5);
    CHECK(counted(2) == 3);
    CHECK(bench.pins.outputs(now).empty());
    CHECK(bench.a.on_look == nullptr);
    CHECK((bench.a.read(kIdr, now).value >> 5 & 1) == 0);
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

TEST_CASE("timer pins: an output, its complement and a second pin of it, one by one") {
    Timer tim1("tim1", "TIM1", {16, 4, true}), tim2("tim2", "TIM2", {32, 4, false});
    Gpio a("GPIOA"), e("GPIOE");
    TimerPins pins;
    pins.connect(
        [&](std::string_view name) {
            return name == "TIM1" ? &tim1 : name == "TIM2" ? &tim2 : nullptr;
        },
        [&](std::string_view name) {
            return name == "GPIOA" ? &a : name == "GPIOE" ? &e : nullptr;
        });
    PinFunctions functions{{&pins}};
    for (Gpio* const port : {&a, &e}) functions.add(*port);
    for (Timer* const timer : {&tim1, &tim2}) timer->set_kernel_hz(10e6);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [](auto& block, std::uint32_t offset, std::uint32_t value, Picoseconds at) {
        static_cast<void>(block.write(offset, value, kWord, at));
    };
    // 30 % of a microsecond at CH1, the rest at CH1N.
    set(tim1, kArr, 9, 0);
    set(tim1, kCcr1, 3, 0);
    set(tim1, kCcmr1, 6u << 4, 0);
    set(tim1, kCcer, 5, 0);
    set(tim1, 0x44, 1u << 15, 0);  // MOE
    set(tim1, kCr1, 1, 0);
    const auto names = [&pins](Picoseconds at) {
        std::vector<std::string> list;
        for (const TimerPins::Output& each : pins.outputs(at))
            list.push_back(each.signal + " " + each.pin);
        return list;
    };
    const auto shares = [&pins](Picoseconds at) {
        std::vector<int> list;
        for (const TimerPins::Output& each : pins.outputs(at)) {
            CHECK(each.wave.hz == doctest::Approx(1e6));
            list.push_back(static_cast<int>(std::lround(each.wave.high_share * 10)));
        }
        return list;
    };
    using Names = std::vector<std::string>;
    CHECK(names(0).empty());
    CHECK(a.read(kIdr, 0).value == 0xA000);  // pulls of the debug port
    // PA8 and PE9 are TIM1_CH1, PE8 is TIM1_CH1N, all AF1; PA5 by AF1 is TIM2_CH1.
    set(a, kAfrh, 1, 0);
    set(e, kAfrh, 1 | 1u << 4, 0);
    set(a, kAfrl, 1u << 20, 0);
    CHECK(names(0).empty());  // alternate functions that no pin has
    set(e, kModer, ~(1u << 18), 0);
    CHECK(names(0) == Names{"TIM1_CH1 PE9"});
    set(e, kModer, ~(1u << 18 | 1u << 16), 0);
    set(a, kModer, ~(1u << 16), 0);
    CHECK(names(0) == Names{"TIM1_CH1 PA8", "TIM1_CH1 PE9", "TIM1_CH1N PE8"});
    CHECK(shares(0) == std::vector<int>{3, 3, 7});
    for (Picoseconds tick = 1; tick < 40; ++tick) {
        const bool high = tick % 10 < 3;
        CAPTURE(tick);
        CHECK(a.read(kIdr, tick * 100'000).value == (high ? 0x100u : 0u));
        CHECK(e.read(kIdr, tick * 100'000).value == (high ? 0x200u : 0x100u));
    }
    // Only CH1N is on: it has the reference itself.
    set(tim1, kCcer, 4, 4 * kUs);
    CHECK(names(4 * kUs) == Names{"TIM1_CH1N PE8"});
    CHECK(shares(4 * kUs) == std::vector<int>{3});
    set(tim1, kCcer, 5, 4 * kUs);
    // A pin as an output of the port is no timer's.
    set(e, kModer, ~(1u << 18 | 2u << 16), 4 * kUs);
    CHECK(names(4 * kUs) == Names{"TIM1_CH1 PA8", "TIM1_CH1 PE9"});
    // Another function, and back.
    set(e, kAfrh, 1 | 2u << 4, 4 * kUs);
    CHECK(names(4 * kUs) == Names{"TIM1_CH1 PA8"});
    CHECK_FALSE(static_cast<bool>(e.on_look));
    CHECK(static_cast<bool>(a.on_look));
    set(e, kAfrh, 1 | 1u << 4, 4 * kUs);
    CHECK(static_cast<bool>(e.on_look));
    CHECK(names(4 * kUs) == Names{"TIM1_CH1 PA8", "TIM1_CH1 PE9"});
    // PA5 by AF1: TIM2, whose channel is off.
    set(a, kModer, ~(1u << 16 | 1u << 10), 4 * kUs);
    CHECK(names(4 * kUs) == Names{"TIM1_CH1 PA8", "TIM1_CH1 PE9"});
    set(tim2, kArr, 9, 4 * kUs);
    set(tim2, kCcr1, 5, 4 * kUs);
    set(tim2, kCcmr1, 6u << 4, 4 * kUs);
    set(tim2, kCcer, 1, 4 * kUs);
    set(tim2, kCr1, 1, 4 * kUs);
    CHECK(names(4 * kUs) == Names{"TIM1_CH1 PA8", "TIM1_CH1 PE9", "TIM2_CH1 PA5"});
    CHECK(a.read(kIdr, 4 * kUs).value == (1u << 8 | 1u << 5));
    CHECK(a.read(kIdr, 4'300'000).value == 1u << 5);
    CHECK(a.read(kIdr, 4'500'000).value == 0);
}

TEST_CASE("timer pins: those who watch a pin hear of it, and of no other") {
    Timer tim1("tim1", "TIM1", {16, 4, true});
    Gpio e("GPIOE");
    TimerPins pins;
    pins.connect([&](std::string_view name) { return name == "TIM1" ? &tim1 : nullptr; },
                 [&](std::string_view name) { return name == "GPIOE" ? &e : nullptr; });
    PinFunctions functions{{&pins}};
    functions.add(e);
    tim1.set_kernel_hz(10e6);
    std::vector<std::pair<std::uint16_t, Picoseconds>> seen;
    e.on_output = [&seen](std::uint16_t levels, Picoseconds at) { seen.emplace_back(levels, at); };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [](auto& block, std::uint32_t offset, std::uint32_t value, Picoseconds at) {
        static_cast<void>(block.write(offset, value, kWord, at));
    };
    e.watch(8);  // CH1N, not CH1
    set(tim1, kArr, 9, 0);
    set(tim1, kCcr1, 3, 0);
    set(tim1, kCcmr1, 6u << 4, 0);
    set(tim1, kCcer, 5, 0);
    set(tim1, 0x44, 1u << 15, 0);
    set(tim1, kCr1, 1, 0);
    set(e, kAfrh, 1 | 1u << 4, 0);
    CHECK_FALSE(sc_core::sc_pending_activity());
    set(e, kModer, ~(1u << 18), 0);  // only PE9 has the function
    CHECK_FALSE(sc_core::sc_pending_activity());
    set(e, kModer, ~(1u << 18 | 1u << 16), 0);
    CHECK(sc_core::sc_pending_activity());
    sc_core::sc_start(delay_until(1'500'000));
    CHECK(seen == decltype(seen){{0x100, 300'000}, {0, 1'000'000}, {0x100, 1'300'000}});
    CHECK(e.output_pins() == 0x100);  // PE9 is driven, but nobody is told
    set(tim1, 0x44, 0, 1'500'000);    // MOE off lets go
    CHECK(seen.back() == std::pair<std::uint16_t, Picoseconds>(0, 1'500'000));
    CHECK(e.output_pins() == 0);
    set(e, kModer, kWord, 1'500'000);
    CHECK_FALSE(sc_core::sc_pending_activity());
}

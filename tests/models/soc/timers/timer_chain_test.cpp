// SPDX-License-Identifier: Apache-2.0
// Timers as slaves of the trigger outputs of other timers. Counts are by hand, of 10 ticks a
// microsecond.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/soc/timers/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kSmcr = 0x08, kSr = 0x10, kEgr = 0x14,
                        kCcmr1 = 0x18, kCcer = 0x20, kCnt = 0x24, kPsc = 0x28, kArr = 0x2C,
                        kCcr1 = 0x34, kCcr2 = 0x38;
/// CR2.MMS and SMCR.SMS.
constexpr std::uint32_t kAtEnable = 1u << 4, kAtUpdate = 2u << 4, kAtCompare = 3u << 4;
constexpr std::uint32_t kReset = 4, kGated = 5, kStart = 6, kClock = 7;
constexpr std::uint32_t kTif = 1u << 6;
constexpr Picoseconds kUs = 1'000'000;

/// ITR1 of the second timer is TRGO of the first one, ITR2 of the first one that of the second.
struct Chain {
    Chain() {
        connect(first, second, 1);
        connect(second, first, 2);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static void connect(Timer& master, Timer& slave, unsigned number) {
        master.on_trigger = [&slave, number](bool level, Picoseconds at) {
            if (slave.trigger_source() == number) slave.trigger(level, at);
        };
        slave.triggers = 1u << number;
        slave.on_trigger_source = [&master, &slave, number](Picoseconds at) {
            const bool listens = slave.trigger_source() == number;
            master.listen_to_trigger(listens, at);
            return listens && master.trigger_output();
        };
        master.set_kernel_hz(10e6);
    }
    static void set(Timer& timer, std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(timer.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t count(Picoseconds at) { return second.read(kCnt, at).value; }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }

    Timer first{sc_core::sc_gen_unique_name("first"), "TIM2", {32, 4, false}};
    Timer second{sc_core::sc_gen_unique_name("second"), "TIM3", {32, 4, false}};
};

}  // namespace

TEST_CASE("timer: counts the updates of another timer, through its prescaler") {
    Chain chain;
    chain.set(chain.first, kArr, 9);  // 1 us
    chain.set(chain.first, kCr2, kAtUpdate);
    chain.set(chain.second, kArr, 99);
    chain.set(chain.second, kSmcr, 1u << 4 | kClock);
    chain.set(chain.second, kCr1, 1);
    chain.set(chain.first, kCr1, 1);
    CHECK(chain.count(kUs / 2) == 0);
    chain.run_until(5 * kUs + kUs / 2);
    CHECK(chain.count(5 * kUs + kUs / 2) == 5);
    CHECK((chain.second.read(kSr, 5 * kUs + kUs / 2).value & kTif) != 0);
    // Two clocks a tick from the update on.
    chain.set(chain.second, kPsc, 1, 5 * kUs + kUs / 2);
    chain.set(chain.second, kEgr, 1, 5 * kUs + kUs / 2);
    chain.run_until(11 * kUs + kUs / 2);
    CHECK(chain.count(11 * kUs + kUs / 2) == 3);
    // Without a slave the first one counts without events of the kernel.
    chain.set(chain.second, kSmcr, 0, 11 * kUs + kUs / 2);
    CHECK_FALSE(sc_core::sc_pending_activity_at_future_time());
}

TEST_CASE("timing: a timer is open as long as another one is on") {
    Chain chain;
    chain.set(chain.first, kArr, 0xFFFF);
    chain.set(chain.first, kCr2, kAtEnable);
    chain.set(chain.second, kArr, 0xFFFF);
    chain.set(chain.second, kSmcr, 1u << 4 | kGated);
    chain.set(chain.second, kCr1, 1);
    CHECK(chain.count(2 * kUs) == 0);
    chain.set(chain.first, kCr1, 1, 2 * kUs);
    CHECK(chain.count(5 * kUs) == 30);
    chain.set(chain.first, kCr1, 0, 5 * kUs);
    CHECK(chain.count(9 * kUs) == 30);
    // A gate that is open already when it is chosen.
    chain.set(chain.second, kSmcr, 0, 9 * kUs);
    chain.set(chain.first, kCr1, 1, 9 * kUs);
    chain.set(chain.second, kSmcr, 1u << 4 | kGated, 9 * kUs);
    CHECK(chain.count(10 * kUs) == 40);
}

TEST_CASE("timer: TRGO of a gated timer is high only while its own gate is open") {
    Chain chain;
    chain.first.on_outputs = [](const Timer::Outputs& /*outputs*/, Picoseconds /*at*/) {};
    chain.set(chain.first, kArr, 0xFFFF);
    chain.set(chain.first, kCr2, kAtEnable);
    chain.set(chain.first, kSmcr, 5u << 4 | kGated);  // by TI1FP1
    chain.set(chain.first, kCr1, 1);
    chain.set(chain.second, kArr, 0xFFFF);
    chain.set(chain.second, kSmcr, 1u << 4 | kGated);
    chain.set(chain.second, kCr1, 1);
    CHECK(chain.count(2 * kUs) == 0);
    chain.first.input(0, true, 2 * kUs);
    CHECK(chain.count(5 * kUs) == 30);
    chain.first.input(0, false, 5 * kUs);
    CHECK(chain.count(9 * kUs) == 30);
}

TEST_CASE("timing: a timer is open while the reference of another one's channel is high") {
    Chain chain;
    chain.set(chain.first, kArr, 9);  // 1 us
    chain.set(chain.first, kCcr2, 4);
    chain.set(chain.first, kCcmr1, 6u << 12);  // OC2REF: high for 0.4 us
    chain.set(chain.first, kCr2, 5u << 4);
    chain.set(chain.second, kArr, 0xFFFF);
    chain.set(chain.second, kSmcr, 1u << 4 | kGated);
    chain.set(chain.second, kCr1, 1);
    chain.set(chain.first, kCr1, 1);
    chain.run_until(4 * kUs + kUs / 2);
    CHECK(chain.count(4 * kUs + kUs / 2) == 5 * 4);
    chain.run_until(5 * kUs + kUs / 4);
    CHECK(chain.count(5 * kUs + kUs / 4) == 5 * 4 + 2);
    // A gate that is closed already when it is chosen.
    chain.set(chain.second, kSmcr, 0, 5 * kUs + kUs / 4);
    chain.run_until(5 * kUs + kUs / 2);
    chain.set(chain.second, kSmcr, 1u << 4 | kGated, 5 * kUs + kUs / 2);
    const std::uint32_t closed = chain.count(5 * kUs + kUs / 2);
    chain.run_until(5 * kUs + 9 * kUs / 10);
    CHECK(chain.count(5 * kUs + 9 * kUs / 10) == closed);
}

TEST_CASE(
    "timer: compare events of another timer are a clock, the edges of a reference start one") {
    Chain chain;
    chain.set(chain.first, kArr, 9);  // 1 us
    chain.set(chain.first, kCcr1, 3);
    chain.set(chain.first, kCcmr1, 7u << 4);  // PWM mode 2: OC1REF rises at 0.3 us
    chain.set(chain.first, kCr2, kAtCompare);
    chain.set(chain.second, kArr, 99);
    chain.set(chain.second, kSmcr, 1u << 4 | kClock);
    chain.set(chain.second, kCr1, 1);
    chain.set(chain.first, kCr1, 1);
    chain.run_until(5 * kUs + kUs / 5);
    CHECK(chain.count(5 * kUs + kUs / 5) == 5);
    chain.run_until(5 * kUs + 2 * kUs / 5);
    CHECK(chain.count(5 * kUs + 2 * kUs / 5) == 6);
    chain.set(chain.second, kCr1, 0, 6 * kUs);
    chain.set(chain.second, kCnt, 0, 6 * kUs);
    chain.set(chain.second, kSmcr, 1u << 4 | kStart, 6 * kUs);
    chain.set(chain.first, kCr2, 4u << 4, 6 * kUs);
    chain.run_until(7 * kUs);
    // From 6.3 us on.
    CHECK(chain.count(7 * kUs) == 7);
}

TEST_CASE("timer: another timer starts it, and sets it back") {
    Chain chain;
    chain.set(chain.first, kArr, 9);  // 1 us
    chain.set(chain.first, kCr2, kAtEnable);
    chain.set(chain.second, kArr, 999);
    chain.set(chain.second, kSmcr, 1u << 4 | kStart);
    CHECK(chain.second.read(kCr1, 3 * kUs).value == 0);
    chain.set(chain.first, kCr1, 1, 3 * kUs);
    CHECK(chain.second.read(kCr1, 3 * kUs).value == 1);
    CHECK(chain.count(5 * kUs) == 20);
    // UG is a trigger of MMS = 0; updates are none.
    chain.set(chain.first, kCr2, 0, 5 * kUs);
    chain.set(chain.second, kSmcr, 1u << 4 | kReset, 5 * kUs);
    CHECK(chain.count(8 * kUs) == 50);
    chain.set(chain.first, kEgr, 1, 8 * kUs);
    CHECK(chain.count(8 * kUs) == 0);
    CHECK(chain.count(8 * kUs + kUs / 2) == 5);
}

TEST_CASE("timer: captures by TRC at the triggers of another timer, a slave mode or none") {
    Chain chain;
    chain.second.on_outputs = [](const Timer::Outputs& /*outputs*/, Picoseconds /*at*/) {};
    chain.set(chain.first, kArr, 9);  // 1 us
    chain.set(chain.first, kCr2, kAtUpdate);
    chain.set(chain.first, kCr1, 1);
    chain.set(chain.second, kArr, 0xFFFF);
    chain.set(chain.second, kSmcr, 1u << 4);
    chain.set(chain.second, kCcmr1, 3);
    chain.set(chain.second, kCr1, 1);
    CHECK_FALSE(sc_core::sc_pending_activity_at_future_time());
    chain.set(chain.second, kCcer, 1);
    CHECK(chain.second.trigger_source() == 1);
    chain.run_until(kUs + kUs / 2);
    // No slave: the count goes on, TIF stays down. Reading the value clears its flag.
    CHECK(chain.second.read(kSr, kUs + kUs / 2).value == 2);
    CHECK(chain.second.read(kCcr1, kUs + kUs / 2).value == 10);
    CHECK(chain.count(kUs + kUs / 2) == 15);
    chain.run_until(3 * kUs + kUs / 2);
    CHECK(chain.second.read(kSr, 3 * kUs + kUs / 2).value == (2 | 1u << 9));
    CHECK(chain.second.read(kCcr1, 3 * kUs + kUs / 2).value == 30);
    // The polarity is that of the input, the prescaler that of the channel. The count is taken
    // before it is set back.
    chain.set(chain.second, kCcmr1, 3 | 1u << 2, 3 * kUs + kUs / 2);
    chain.set(chain.second, kCcer, 3, 3 * kUs + kUs / 2);
    chain.set(chain.second, kSmcr, 1u << 4 | kReset, 3 * kUs + kUs / 2);
    chain.set(chain.second, kSr, 0, 3 * kUs + kUs / 2);
    chain.run_until(4 * kUs + kUs / 2);
    CHECK((chain.second.read(kSr, 4 * kUs + kUs / 2).value & 2) == 0);
    CHECK(chain.count(4 * kUs + kUs / 2) == 5);
    chain.run_until(5 * kUs + kUs / 2);
    CHECK((chain.second.read(kSr, 5 * kUs + kUs / 2).value & (2 | kTif)) == (2 | kTif));
    CHECK(chain.second.read(kCcr1, 5 * kUs + kUs / 2).value == 10);
    // Off: nobody listens any more.
    chain.set(chain.second, kSmcr, 1u << 4, 5 * kUs + kUs / 2);
    chain.set(chain.second, kCcer, 0, 5 * kUs + kUs / 2);
    CHECK_FALSE(chain.second.trigger_source());
    CHECK_FALSE(sc_core::sc_pending_activity_at_future_time());
    // A trigger that no timer drives.
    chain.set(chain.second, kCcer, 1, 5 * kUs + kUs / 2);
    CHECK_FALSE(chain.second.write(kSmcr, 3u << 4, kWord, 5 * kUs + kUs / 2).modelled);
    CHECK_FALSE(chain.second.write(kCcer, 1, kWord, 5 * kUs + kUs / 2).modelled);
}

TEST_CASE("timing: the Hall sensor interface times each edge, and triggers a while behind it") {
    // As the public driver sets it up: TI1 of three inputs, TI1F_ED sets the counter back and is
    // captured by channel 1, OC2REF is TRGO.
    Chain chain;
    Timer& timer = chain.first;
    timer.on_outputs = [](const Timer::Outputs& /*outputs*/, Picoseconds /*at*/) {};
    std::vector<std::pair<bool, Picoseconds>> seen;
    timer.on_trigger = [&seen](bool level, Picoseconds at) { seen.emplace_back(level, at); };
    chain.set(timer, kArr, 0xFFFF);
    chain.set(timer, kCcmr1, 3);
    chain.set(timer, kCcer, 2);  // a polarity, which means nothing here
    chain.set(timer, kCr2, 1u << 7);
    chain.set(timer, kSmcr, 4u << 4);
    chain.set(timer, kSmcr, 4u << 4 | kReset);
    chain.set(timer, kCcr2, 20);
    chain.set(timer, kCcmr1, 3 | 7u << 12);  // PWM mode 2
    chain.set(timer, kCr2, 1u << 7 | 5u << 4);
    chain.set(timer, kCcer, 3);
    chain.set(timer, kCr1, 1);
    timer.listen_to_trigger(true, 0);
    for (unsigned edge = 1; edge <= 6; ++edge) {
        CAPTURE(edge);
        const Picoseconds at = Picoseconds{edge} * 5 * kUs;
        chain.run_until(at);
        timer.input(edge % 3, edge <= 3, at);
        CHECK((timer.read(kSr, at).value & (2 | kTif)) == (2 | kTif));
        CHECK(timer.read(kCcr1, at).value == 50);
        CHECK(timer.read(kCnt, at).value == 0);
        // The commutation delay of 2 us behind the edge before.
        CHECK(seen == std::vector<std::pair<bool, Picoseconds>>{{true, at - 3 * kUs}, {false, at}});
        seen.clear();
    }
}

TEST_CASE("timer: two that set each other back do so once") {
    Chain chain;
    for (Timer* const timer : {&chain.first, &chain.second}) {
        chain.set(*timer, kArr, 999);
        chain.set(*timer, kSmcr, (timer == &chain.first ? 2u : 1u) << 4 | kReset);
        chain.set(*timer, kCr1, 1);
    }
    CHECK(chain.count(4 * kUs) == 40);
    chain.set(chain.first, kEgr, 1, 4 * kUs);
    CHECK(chain.count(4 * kUs) == 0);
    CHECK(chain.first.read(kCnt, 5 * kUs).value == 10);
    CHECK(chain.count(5 * kUs) == 10);
}

TEST_CASE("timer: internal triggers that no timer drives are not modelled") {
    Chain chain;
    chain.second.triggers = 1u << 1 | 1u << 4 | 1u << 12;
    for (unsigned code = 0; code < 32; ++code) {
        CAPTURE(code);
        // ITR0 to ITR3, inputs of the timer (without pins), ITR4 and so on.
        const bool known = code == 1 || code == 8 || code == 16;
        const std::uint32_t word = (code & 7) << 4 | (code >> 3) << 20;
        for (const std::uint32_t mode : {kReset, kGated, kStart, kClock, 1u << 16})
            CHECK(chain.second.write(kSmcr, word | mode, kWord, 0).modelled == known);
        CHECK_FALSE(chain.second.write(kSmcr, word | 1, kWord, 0).modelled);  // an encoder
        CHECK(chain.second.write(kSmcr, word, kWord, 0).modelled);
    }
}

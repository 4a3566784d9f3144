// SPDX-License-Identifier: Apache-2.0
// Compare, repetition and layouts of timers; their time base is in mcu/mcu_timer_test.cpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/timers/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kCr1 = 0x00, kSmcr = 0x08, kDier = 0x0C, kSr = 0x10, kEgr = 0x14,
                        kCcmr1 = 0x18, kCcmr2 = 0x1C, kCnt = 0x24, kPsc = 0x28, kArr = 0x2C,
                        kRcr = 0x30, kCcr1 = 0x34, kCcr2 = 0x38, kCcr3 = 0x3C, kBdtr = 0x44;
constexpr Picoseconds kUs = 1'000'000;
constexpr TimerLayout kGeneral{32, 4, false}, kAdvanced{16, 4, true}, kBasic{16, 0, false};

/// A timer of 10 MHz.
struct Bench {
    explicit Bench(const TimerLayout& layout, bool apart = false) : timer("tim", "TIM2", layout) {
        timer.on_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        if (apart) {
            timer.on_compare_interrupt = [this](bool level) {
                compared.emplace_back(level, sc_core::sc_time_stamp().value());
            };
        }
        timer.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(timer.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return timer.read(offset, at).value; }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }

    Timer timer;
    std::vector<std::pair<bool, Picoseconds>> levels, compared;
};

}  // namespace

TEST_CASE("timer: a compare flag is set when the counter meets its register") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcr1, 30);
    bench.set(kCcr2, 200);  // beyond the period: its end
    bench.set(kCcr3, 0);    // where the period begins
    bench.set(kCr1, 1);
    CHECK(bench.get(kSr, 2'999'999) == 0);
    CHECK(bench.get(kSr, 3 * kUs) == 2);
    CHECK(bench.get(kSr, 9'999'999) == 2);
    CHECK(bench.get(kSr, 10 * kUs) == (1 | 2 | 4 | 8 | 16));  // CCR4 is zero, too
    bench.set(kSr, 0, 10 * kUs);
    CHECK(bench.get(kSr, 12'999'999) == 0);
    // Many periods at once.
    CHECK(bench.get(kSr, 5'000 * kUs) == (1 | 2 | 4 | 8 | 16));
    CHECK(bench.get(kCnt, 5'001 * kUs) == 10);
}

TEST_CASE("timing: the compare interrupt comes at its count, in every period") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcr1, 30);
    bench.set(kDier, 2);
    bench.set(kCr1, 1);
    bench.run_until(5 * kUs);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 3 * kUs));
    bench.set(kSr, 0, 5 * kUs);
    CHECK_FALSE(bench.levels.back().first);
    bench.run_until(20 * kUs);
    REQUIRE(bench.levels.size() == 3);
    CHECK(bench.levels[2] == std::pair(true, 13 * kUs));
    CHECK(bench.get(kCnt, 20 * kUs) == 0);
}

TEST_CASE("timing: a compare value beyond ARR has its interrupt at the end of the period") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcr1, 100);
    bench.set(kDier, 2);
    bench.set(kCr1, 1);
    bench.run_until(15 * kUs);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 10 * kUs));
    bench.set(kSr, 0, 15 * kUs);
    bench.run_until(25 * kUs);
    REQUIRE(bench.levels.size() == 3);
    CHECK(bench.levels[2] == std::pair(true, 20 * kUs));
}

TEST_CASE("timing: an advanced timer has a line for updates and one for compare events") {
    Bench bench(kAdvanced, true);
    bench.set(kArr, 99);
    bench.set(kCcr2, 50);
    bench.set(kDier, 1 | 4);
    bench.set(kCr1, 1);
    bench.run_until(12 * kUs);
    CHECK(bench.compared == std::vector<std::pair<bool, Picoseconds>>{{true, 5 * kUs}});
    CHECK(bench.levels == std::vector<std::pair<bool, Picoseconds>>{{true, 10 * kUs}});
}

TEST_CASE("timer: a preloaded compare value holds from the next update") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcr1, 90);
    bench.set(kCcmr1, 8);  // OC1PE
    bench.set(kCcr1, 20);
    bench.set(kCr1, 1);
    CHECK((bench.get(kSr, 8'900'000) & 2) == 0);
    CHECK((bench.get(kSr, 9 * kUs) & 2) == 2);
    bench.set(kSr, 0, 9'500'000);
    CHECK((bench.get(kSr, 11'900'000) & 2) == 0);
    CHECK((bench.get(kSr, 12 * kUs) & 2) == 2);
}

TEST_CASE("timer: an input channel does not compare, software sets a compare flag") {
    Bench bench(kGeneral);
    bench.set(kCcmr1, 1);        // channel 1 captures
    bench.set(kCcmr2, 2u << 8);  // channel 4 captures
    bench.set(kArr, 9);
    bench.set(kCr1, 1);
    CHECK(bench.get(kSr, 10 * kUs) == (1 | 4 | 8));
    bench.set(kEgr, 1u << 4, 10 * kUs);
    CHECK(bench.get(kSr, 10 * kUs) == (1 | 4 | 8 | 16));
}

TEST_CASE("timing: RCR + 1 periods to an update, also if nobody looks for long") {
    Bench bench(kAdvanced);
    bench.set(kArr, 99);
    bench.set(kRcr, 2);
    bench.set(kEgr, 1);
    bench.set(kSr, 0);
    bench.set(kCr1, 1);
    CHECK((bench.get(kSr, 29'999'999) & 1) == 0);
    CHECK((bench.get(kSr, 30 * kUs) & 1) == 1);
    bench.set(kSr, 0, 30 * kUs);
    CHECK((bench.get(kSr, 95 * kUs) & 1) == 1);  // at 60 and 90
    bench.set(kSr, 0, 95 * kUs);
    CHECK((bench.get(kSr, 119'999'999) & 1) == 0);
    CHECK((bench.get(kSr, 120 * kUs) & 1) == 1);
    bench.set(kSr, 0, 120 * kUs);
    bench.set(kDier, 1, 120 * kUs);
    bench.run_until(200 * kUs);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 150 * kUs));
}

TEST_CASE("timer: counting without interrupt is no event of the kernel") {
    Bench bench(kGeneral);
    bench.set(kPsc, 0);
    bench.set(kArr, 9);
    bench.set(kCcr1, 5);
    bench.set(kCr1, 1);
    CHECK_FALSE(sc_core::sc_pending_activity());
    bench.set(kDier, 1);
    CHECK(sc_core::sc_pending_activity());
}

TEST_CASE("timer: layouts by name, what a timer does not have is not modelled") {
    CHECK(timer_layout("TIM1", true).channels == 4);
    CHECK(timer_layout("TIM1", true).repetition);
    CHECK(timer_layout("TIM1", true).bits == 16);
    CHECK(timer_layout("TIM2", false).bits == 32);
    CHECK(timer_layout("TIM3", true).bits == 32);
    CHECK(timer_layout("TIM3", false).bits == 16);
    CHECK(timer_layout("TIM6", true).channels == 0);
    CHECK(timer_layout("TIM12", true).channels == 2);
    CHECK(timer_layout("TIM14", true).channels == 1);
    CHECK(timer_layout("TIM16", true).repetition);
    CHECK(timer_layout("TIM18", true).channels == 0);
    Bench basic(kBasic);
    CHECK_FALSE(basic.timer.write(kDier, 2, kWord, 0).modelled);
    CHECK_FALSE(basic.timer.write(kRcr, 1, kWord, 0).modelled);
    basic.set(kArr, 9);
    basic.set(kCr1, 1);
    CHECK(basic.get(kSr, 10 * kUs) == 1);
    // Break inputs are armed again at once.
    static_cast<void>(basic.timer.write(kBdtr, 3u << 26, kWord, 0));
    CHECK(basic.get(kBdtr, 10 * kUs) == 0);
}

TEST_CASE("timer: with an external clock or an encoder the counter stands still, and says so") {
    Bench bench(kGeneral);
    bench.set(kArr, 9);
    bench.set(kDier, 1);
    bench.set(kCr1, 1);
    Picoseconds now = 0;
    constexpr std::uint32_t kSms3 = 1u << 16, kEce = 1u << 14;
    // External clock modes 1 and 2, encoder modes.
    for (const std::uint32_t slave :
         {7u, kEce, 1u, 2u, 3u, kSms3 | 2, kSms3 | 3, kSms3 | 4, kSms3 | 5, kSms3 | 6, kSms3 | 7}) {
        CAPTURE(slave);
        now += 300'000;
        const std::uint32_t before = bench.get(kCnt, now);
        CHECK_FALSE(bench.timer.write(kSmcr, slave, kWord, now).modelled);
        CHECK_FALSE(sc_core::sc_pending_activity());
        now += 1'000 * kUs;
        CHECK(bench.get(kCnt, now) == before);
        bench.set(kSr, 0, now);
        bench.set(kSmcr, 0, now);
        CHECK(sc_core::sc_pending_activity());
        now += 100'000;
        CHECK(bench.get(kCnt, now) == (before + 1) % 10);
    }
    // Other slave modes keep the clock.
    for (const std::uint32_t slave : {4u, 5u, 6u, kSms3, kSms3 | 1}) {
        CAPTURE(slave);
        CHECK_FALSE(bench.timer.write(kSmcr, slave, kWord, now).modelled);
        const std::uint32_t before = bench.get(kCnt, now);
        now += 300'000;
        CHECK(bench.get(kCnt, now) == (before + 3) % 10);
    }
}

TEST_CASE("timer: the time that ARR = 0 held the counter is not made up for") {
    Bench bench(kGeneral);
    bench.set(kArr, 0);
    bench.set(kCr1, 1);
    bench.set(kArr, 99, 1'000 * kUs);
    CHECK(bench.get(kCnt, 1'000 * kUs) == 0);
    CHECK(bench.get(kCnt, 1'003 * kUs) == 30);
    CHECK(bench.get(kSr, 1'003 * kUs) == 0);
}

TEST_CASE("timer: DITHEN was lost without a word, AF1 and AF2 were zero after reset") {
    Bench bench(kAdvanced);
    CHECK_FALSE(bench.timer.write(kCr1, 1u << 12, kWord, 0).modelled);
    CHECK(bench.get(kCr1, 0) == 1u << 12);
    bench.set(kCr1, 0);
    constexpr std::uint32_t kAf1 = 0x60, kAf2 = 0x64;
    for (const std::uint32_t offset : {kAf1, kAf2}) {
        CHECK(bench.get(offset, 0) == 1);
        bench.set(offset, 0);
        CHECK(bench.get(offset, 0) == 0);
    }
    bench.timer.reset();
    for (const std::uint32_t offset : {kAf1, kAf2}) CHECK(bench.get(offset, 0) == 1);
}

TEST_CASE("timer: each flag is set and cleared by itself") {
    Bench bench(kAdvanced);
    bench.set(kArr, 9);
    constexpr std::uint32_t kFlags = 0x1F;
    for (std::uint32_t bit = 1; bit < kFlags; bit <<= 1) {
        CAPTURE(bit);
        bench.set(kEgr, bit);
        CHECK(bench.get(kSr, 0) == bit);
        CHECK(bench.get(kEgr, 0) == 0);
        bench.set(kSr, kWord);  // a one changes nothing
        CHECK(bench.get(kSr, 0) == bit);
        bench.set(kSr, 0);
        CHECK(bench.get(kSr, 0) == 0);
        bench.set(kSr, kWord);
        CHECK(bench.get(kSr, 0) == 0);
        bench.set(kEgr, kFlags);
        bench.set(kSr, ~bit);
        CHECK(bench.get(kSr, 0) == (kFlags & ~bit));
        bench.set(kSr, 0);
    }
}

TEST_CASE("timer: channels, width and repetition of each timer by its number") {
    struct Row {
        const char* name;
        unsigned channels, bits;
        bool repetition;
    };
    const Row rows[] = {{"TIM1", 4, 16, true},   {"TIM2", 4, 32, false},  {"TIM3", 4, 32, false},
                        {"TIM4", 4, 32, false},  {"TIM5", 4, 32, false},  {"TIM6", 0, 16, false},
                        {"TIM7", 0, 16, false},  {"TIM8", 4, 16, true},   {"TIM9", 2, 16, false},
                        {"TIM10", 1, 16, false}, {"TIM11", 1, 16, false}, {"TIM12", 2, 16, false},
                        {"TIM13", 1, 16, false}, {"TIM14", 1, 16, false}, {"TIM15", 2, 16, true},
                        {"TIM16", 1, 16, true},  {"TIM17", 1, 16, true},  {"TIM18", 0, 16, false}};
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const TimerLayout layout = timer_layout(row.name, true);
        CHECK(layout.channels == row.channels);
        CHECK(layout.bits == row.bits);
        CHECK(layout.repetition == row.repetition);
    }
    // Of other families TIM3 and TIM4 have 16 bits.
    for (const char* const name : {"TIM3", "TIM4"}) CHECK(timer_layout(name, false).bits == 16);
    CHECK(timer_layout("TIM5", false).bits == 32);
    CHECK(timer_layout("TIM19", true).bits == TimerLayout{}.bits);
    CHECK(timer_layout("TIM", true).channels == TimerLayout{}.channels);
}

TEST_CASE("timer: which bits of its registers are not modelled") {
    constexpr std::uint32_t kCr2 = 0x04, kCcer = 0x20;
    Bench bench(kGeneral);
    for (const bool listened : {false, true}) {
        if (listened) {
            bench.timer.on_request = [](unsigned, bool, Picoseconds) {};
            bench.timer.on_trigger = [](bool, Picoseconds) {};
        }
        for (unsigned position = 0; position < 32; ++position) {
            CAPTURE(position);
            CAPTURE(listened);
            const auto modelled = [&](std::uint32_t offset) {
                const bool known = bench.timer.write(offset, 1u << position, kWord, 0).modelled;
                (void)bench.timer.write(offset, 0, kWord, 0);
                return known;
            };
            const auto among = [position](std::uint32_t bits) {
                return (bits >> position & 1) != 0;
            };
            CHECK(modelled(kCr1) == !among(0x1000));  // DITHEN
            CHECK(modelled(kDier) == among(listened ? 0x1F1F : 0x1F));
            CHECK(modelled(kEgr) == among(0x1F));
            CHECK(modelled(kCr2) == among(listened ? 0x78 : 0x08));  // CCDS, MMS
            for (const std::uint32_t offset : {kSmcr, kCcer, kRcr}) CHECK_FALSE(modelled(offset));
            for (const std::uint32_t offset : {kCcmr1, kCcmr2, kPsc, kArr, kCcr1, kBdtr, 0x68u})
                CHECK(modelled(offset));
            CHECK_FALSE(modelled(0x6C));
        }
    }
    CHECK_FALSE(bench.timer.read(0x70, 0).modelled);
    CHECK_FALSE(bench.timer.write(0x70, 0, kWord, 0).modelled);
}

TEST_CASE("timer: UIFREMAP shows the update flag in bit 31 of the count") {
    Bench bench(kGeneral);
    bench.set(kArr, 9);
    bench.set(kCr1, 1u << 11 | 1);
    CHECK(bench.get(kCnt, 900'000) == 9);
    CHECK(bench.get(kCnt, 1'200'000) == (2 | 1u << 31));
    bench.set(kSr, 0, 1'200'000);
    CHECK(bench.get(kCnt, 1'200'000) == 2);
    bench.set(kCr1, 1, 2'500'000);
    CHECK((bench.get(kSr, 2'500'000) & 1) == 1);
    CHECK(bench.get(kCnt, 2'500'000) == 5);
}

TEST_CASE("timer: updates, compare events and triggers on one line or on three") {
    struct Row {
        Timer timer;
        bool update = false, compared = false, triggered = false;
        explicit Row(bool compare_apart, bool trigger_apart)
            : timer(sc_core::sc_gen_unique_name("tim"), "TIM1", kAdvanced) {
            timer.on_interrupt = [this](bool level) { update = level; };
            if (compare_apart)
                timer.on_compare_interrupt = [this](bool level) { compared = level; };
            if (trigger_apart)
                timer.on_trigger_interrupt = [this](bool level) { triggered = level; };
            timer.on_outputs = [](const Timer::Outputs&, Picoseconds) {};
        }
    };
    Row both(true, true), compare(true, false), trigger(false, true), none(false, false);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    constexpr std::uint32_t kUpdate = 1, kChannels = 0x1E, kTrigger = 1u << 6;
    for (Row* const row : {&both, &compare, &trigger, &none}) {
        const bool compare_apart = static_cast<bool>(row->timer.on_compare_interrupt);
        const bool trigger_apart = static_cast<bool>(row->timer.on_trigger_interrupt);
        const auto set = [row](std::uint32_t offset, std::uint32_t value) {
            CHECK(row->timer.write(offset, value, kWord, 0).modelled);
        };
        for (const std::uint32_t enabled : {1u, 2u, 4u, 8u, 16u, 64u, 0x5Fu, 0u}) {
            for (const std::uint32_t flag : {1u, 2u, 4u, 8u, 16u, 64u}) {
                CAPTURE(compare_apart);
                CAPTURE(trigger_apart);
                CAPTURE(enabled);
                CAPTURE(flag);
                set(kDier, enabled);
                set(kEgr, flag);
                const std::uint32_t pending = flag & enabled;
                const bool for_channel = (pending & kChannels) != 0;
                const bool for_trigger = (pending & kTrigger) != 0;
                CHECK(row->compared == (for_channel && compare_apart));
                CHECK(row->triggered == (for_trigger && trigger_apart));
                CHECK(row->update == ((pending & kUpdate) != 0 || (for_channel && !compare_apart) ||
                                      (for_trigger && !trigger_apart)));
                set(kSr, 0);
                CHECK_FALSE(row->update);
                CHECK_FALSE(row->compared);
                CHECK_FALSE(row->triggered);
            }
        }
    }
}

TEST_CASE("timer: a compare value that was preloaded holds when its preload is switched off") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcmr1, 8);  // OC1PE
    bench.set(kCcr1, 30);
    bench.set(kCr1, 1);
    CHECK((bench.get(kSr, 5 * kUs) & 2) == 0);  // still zero in use
    bench.set(kCcr1, 70, 5 * kUs);
    bench.set(kCcmr1, 0, 5 * kUs);
    CHECK((bench.get(kSr, 6'999'999) & 2) == 0);
    CHECK((bench.get(kSr, 7 * kUs) & 2) == 2);
}

TEST_CASE("timer: CC1G to CC4G ask for a transfer, of an input they capture") {
    Bench bench(kGeneral);
    std::vector<std::pair<unsigned, bool>> asked;
    bench.timer.on_request = [&asked](unsigned source, bool level, Picoseconds) {
        asked.emplace_back(source, level);
    };
    bench.set(kArr, 99);
    bench.set(kCcmr1, 1u << 8);  // channel 2 is an input
    bench.set(kDier, 0x1E00);    // CC1DE to CC4DE
    bench.set(kCr1, 1);
    for (unsigned channel = 0; channel < 4; ++channel) {
        CAPTURE(channel);
        asked.clear();
        bench.set(kSr, 0, 2 * kUs);
        bench.set(kEgr, 2u << channel, 2 * kUs);
        CHECK(bench.get(kSr, 2 * kUs) == 2u << channel);
        CHECK(asked == decltype(asked){{channel + 1, true}});
        bench.timer.request_taken(channel + 1, 2 * kUs);
    }
    bench.set(kSr, 0, 3 * kUs);
    bench.set(kEgr, 4, 3 * kUs);
    bench.set(kEgr, 4, 4 * kUs);
    CHECK(bench.get(kSr, 4 * kUs) == (4 | 1u << 10));  // the first capture was not read
    CHECK(bench.get(kCcr2, 4 * kUs) == 40);
    CHECK(bench.get(kCcr1, 4 * kUs) == 0);
}

TEST_CASE("timer: RCR that UDIS kept from being loaded delayed the first update after it") {
    Bench bench(kAdvanced);
    bench.set(kArr, 9);
    bench.set(kCr1, 1 | 2);  // UDIS
    bench.set(kRcr, 3);
    CHECK(bench.get(kSr, 50'500'000) == 0x1E);  // fifty periods at once
    bench.set(kCr1, 1, 50'500'000);
    CHECK((bench.get(kSr, 50'999'999) & 1) == 0);
    CHECK((bench.get(kSr, 51 * kUs) & 1) == 1);
    // From here on it is each fourth.
    bench.set(kSr, 0, 51 * kUs);
    CHECK((bench.get(kSr, 54'999'999) & 1) == 0);
    CHECK((bench.get(kSr, 55 * kUs) & 1) == 1);
}

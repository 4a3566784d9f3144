// SPDX-License-Identifier: Apache-2.0
// Which timer is which internal trigger. The public driver of the STM32N6 lets each timer choose
// every number but one, its own: TIM1 lacks ITR0, TIM15 ITR10.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/chip/timer_triggers.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kCr2 = 0x04, kSmcr = 0x08, kEgr = 0x14, kCnt = 0x24;

struct Named {
    std::string name;
    unsigned lacks;  ///< ITR
};
const std::vector<Named> kNamed{{"TIM1", 0}, {"TIM2", 1}, {"TIM3", 2},  {"TIM4", 3},  {"TIM5", 4},
                                {"TIM8", 5}, {"TIM9", 6}, {"TIM12", 7}, {"TIM15", 10}};

}  // namespace

TEST_CASE("timer triggers: each number leads to the timer that cannot choose it") {
    std::vector<std::unique_ptr<Timer>> timers;
    for (const Named& each : kNamed) {
        timers.push_back(std::make_unique<Timer>(each.name.c_str(), each.name.c_str(),
                                                 timer_layout(each.name, true)));
        timers.back()->set_kernel_hz(10e6);
    }
    TimerTriggers triggers;
    triggers.connect(
        [&timers](std::string_view name) {
            for (std::size_t i = 0; i < kNamed.size(); ++i) {
                if (kNamed[i].name == name) return timers[i].get();
            }
            return static_cast<Timer*>(nullptr);
        },
        {});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (std::size_t slave = 0; slave < timers.size(); ++slave) {
        for (unsigned number = 0; number < 16; ++number) {
            // TS has three bits, and two at bit 20; ITR4 is 8. SMS 4: reset.
            const unsigned code = number < 4 ? number : number + 4;
            const std::uint32_t word = (code & 7) << 4 | (code >> 3) << 20 | 4;
            const bool known = timers[slave]->write(kSmcr, word, 0xFFFFFFFF, 0).modelled;
            bool exists = false;
            for (std::size_t master = 0; master < timers.size(); ++master) {
                if (master == slave) continue;
                const bool is_meant = kNamed[master].lacks == number;
                exists = exists || is_meant;
                CAPTURE(kNamed[slave].name);
                CAPTURE(kNamed[master].name);
                CAPTURE(number);
                static_cast<void>(timers[slave]->write(kCnt, 5, 0xFFFFFFFF, 0));
                static_cast<void>(timers[master]->write(kEgr, 1, 0xFFFFFFFF, 0));
                CHECK(timers[slave]->read(kCnt, 0).value == (is_meant ? 0 : 5));
            }
            CHECK(known == exists);
            static_cast<void>(timers[slave]->write(kSmcr, 0, 0xFFFFFFFF, 0));
        }
    }
}

TEST_CASE("timer triggers: TRGO2 of TIM1 and TIM8 starts conversions, by its own number") {
    struct Row {
        const char* name;
        unsigned first, second;  ///< numbers of TRGO and TRGO2 in EXTSEL, from the public driver
    };
    constexpr Row kBoth[] = {{"TIM1", 4, 5}, {"TIM8", 17, 18}};
    constexpr std::uint32_t kWord = 0xFFFFFFFF, kCr = 0x08, kCfgr1 = 0x0C, kSqr1 = 0x30;
    constexpr std::uint32_t kAden = 1, kStart = 4, kStop = 16, kRising = 1u << 10,
                            kOverwrites = 1u << 12;
    Timer tim1("tim1", "TIM1", timer_layout("TIM1", true));
    Timer tim8("tim8", "TIM8", timer_layout("TIM8", true));
    Timer tim2("tim2", "TIM2", timer_layout("TIM2", true));
    Adc adc("adc1", "ADC1", 1210);
    adc.set_kernel_hz(10e6);
    TimerTriggers triggers;
    triggers.connect(
        [&](std::string_view name) {
            return name == "TIM1"   ? &tim1
                   : name == "TIM8" ? &tim8
                   : name == "TIM2" ? &tim2
                                    : nullptr;
        },
        {&adc});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    Picoseconds now = 0;
    const auto set = [&](auto& block, std::uint32_t offset, std::uint32_t value) {
        return block.write(offset, value, kWord, now).modelled;
    };
    set(adc, kCr, 0);
    set(adc, kCr, kAden);
    set(adc, kSqr1, 1u << 6);
    now = 10'000'000;
    // UG is TRGO by MMS = 0, an update TRGO2 by MMS2 = 2.
    const auto converts = [&](Timer& timer, unsigned number, std::uint32_t control) {
        CHECK(set(timer, kCr2, control));
        CHECK(set(adc, kCfgr1, number << 5 | kRising | kOverwrites));
        set(adc, kCr, kAden | kStart);
        const std::uint64_t before = adc.statistics().conversions;
        set(timer, kEgr, 1);
        now += 10'000'000;
        static_cast<void>(adc.read(0, now));
        set(adc, kCr, kAden | kStop);
        return adc.statistics().conversions == before + 1;
    };
    constexpr std::uint32_t kSecondByUpdate = 2u << 20, kFirstByEnable = 1u << 4;
    for (const Row& row : kBoth) {
        CAPTURE(row.name);
        Timer& timer = row.first == 4 ? tim1 : tim8;
        CHECK(converts(timer, row.first, kSecondByUpdate));
        CHECK(converts(timer, row.second, kSecondByUpdate));
        CHECK(converts(timer, row.second, kSecondByUpdate | kFirstByEnable));
        CHECK_FALSE(converts(timer, row.first, kSecondByUpdate | kFirstByEnable));
        CHECK_FALSE(converts(row.first == 4 ? tim8 : tim1, row.second, kSecondByUpdate));
    }
    CHECK_FALSE(set(tim2, kCr2, kSecondByUpdate));
}

TEST_CASE("timer triggers: each number of EXTSEL starts conversions by its own timer") {
    // LL_ADC_REG_TRIG_EXT_TIMx_TRGO of the public driver, and TRGO2; UG is both by default.
    struct Row {
        const char* timer;
        unsigned number, second = 99;
    };
    const std::vector<Row> rows{{"TIM1", 4, 5}, {"TIM2", 7},   {"TIM3", 11},  {"TIM4", 13},
                                {"TIM5", 14},   {"TIM6", 15},  {"TIM7", 16},  {"TIM8", 17, 18},
                                {"TIM9", 20},   {"TIM12", 21}, {"TIM15", 22}, {"TIM18", 23}};
    std::vector<std::unique_ptr<Timer>> timers;
    for (const Row& row : rows) {
        timers.push_back(
            std::make_unique<Timer>(row.timer, row.timer, timer_layout(row.timer, true)));
        timers.back()->set_kernel_hz(10e6);
    }
    Adc first("adc1", "ADC1", 1210), second("adc2", "ADC2", 1210);
    TimerTriggers triggers;
    triggers.connect(
        [&rows, &timers](std::string_view name) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (rows[i].timer == name) return timers[i].get();
            }
            return static_cast<Timer*>(nullptr);
        },
        {&first, &second});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    constexpr std::uint32_t kWord = 0xFFFFFFFF, kAdcCr = 0x08, kCfgr1 = 0x0C, kRising = 1u << 10;
    const auto conversions = [](Adc& adc, Picoseconds at) {
        static_cast<void>(adc.read(0x00, at));
        return adc.statistics().conversions;
    };
    Picoseconds now = 0;
    for (Adc* const adc : {&first, &second}) {
        for (unsigned number = 0; number < 32; ++number) {
            CAPTURE(number);
            bool exists = false;
            for (const Row& row : rows)
                exists = exists || row.number == number || row.second == number;
            static_cast<void>(adc->write(kAdcCr, 1u << 4 | 1, kWord, now));
            const bool known = adc->write(kCfgr1, kRising | number << 5, kWord, now).modelled;
            CHECK(known == exists);
            static_cast<void>(adc->write(kAdcCr, 0, kWord, now));
            static_cast<void>(adc->write(kAdcCr, 1, kWord, now));
            static_cast<void>(adc->write(kAdcCr, 5, kWord, now));
            for (std::size_t i = 0; i < rows.size(); ++i) {
                CAPTURE(rows[i].timer);
                const std::uint64_t before = conversions(*adc, now);
                Adc& other = adc == &first ? second : first;
                const std::uint64_t others = conversions(other, now);
                static_cast<void>(timers[i]->write(kEgr, 1, kWord, now));
                now += 100'000'000;
                const bool own = rows[i].number == number || rows[i].second == number;
                CHECK(conversions(*adc, now) - before == (own ? 1u : 0u));
                CHECK(conversions(other, now) == others);
            }
            // Nobody listens any more.
            static_cast<void>(adc->write(kAdcCr, 1u << 4 | 1, kWord, now));
            CHECK(adc->trigger_source() == Adc::kNoTrigger);
        }
    }
}

TEST_CASE("timer triggers: a gate that is chosen while its timer is on is open") {
    Timer master("tim2", "TIM2", timer_layout("TIM2", true));
    Timer slave("tim3", "TIM3", timer_layout("TIM3", true));
    Timer still("tim4", "TIM4", timer_layout("TIM4", true));
    TimerTriggers triggers;
    triggers.connect(
        [&](std::string_view name) {
            return name == "TIM2"   ? &master
                   : name == "TIM3" ? &slave
                   : name == "TIM4" ? &still
                                    : nullptr;
        },
        {});
    for (Timer* const timer : {&master, &slave, &still}) timer->set_kernel_hz(10e6);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [](Timer& timer, std::uint32_t offset, std::uint32_t value, Picoseconds at) {
        CHECK(timer.write(offset, value, 0xFFFFFFFF, at).modelled);
    };
    constexpr std::uint32_t kCr1 = 0x00, kAtEnable = 1u << 4, kGated = 5;
    constexpr Picoseconds kUs = 1'000'000;
    set(master, kCr2, kAtEnable, 0);
    set(still, kCr2, kAtEnable, 0);
    set(master, kCr1, 1, 0);
    set(slave, kCr1, 1, 0);
    CHECK(slave.read(kCnt, 2 * kUs).value == 20);
    set(slave, kSmcr, 3u << 4 | kGated, 2 * kUs);  // TIM4, which is off
    CHECK(slave.read(kCnt, 4 * kUs).value == 20);
    set(slave, kSmcr, 1u << 4 | kGated, 4 * kUs);  // TIM2
    CHECK(slave.read(kCnt, 7 * kUs).value == 50);
    set(still, kCr1, 1, 7 * kUs);  // is no business of it
    set(still, kCr1, 0, 8 * kUs);
    CHECK(slave.read(kCnt, 9 * kUs).value == 70);
    set(master, kCr1, 0, 9 * kUs);
    CHECK(slave.read(kCnt, 12 * kUs).value == 70);
    // Two slaves of one timer.
    set(still, kCr1, 1, 12 * kUs);
    set(still, kSmcr, 1u << 4 | kGated, 12 * kUs);
    const std::uint32_t count = still.read(kCnt, 12 * kUs).value;
    set(master, kCr1, 1, 13 * kUs);
    CHECK(slave.read(kCnt, 15 * kUs).value == 90);
    CHECK(still.read(kCnt, 15 * kUs).value == count + 20);
    set(slave, kSmcr, 0, 15 * kUs);
    set(master, kCr1, 0, 16 * kUs);  // the other one still listens
    CHECK(still.read(kCnt, 20 * kUs).value == count + 30);
    CHECK(slave.read(kCnt, 20 * kUs).value == 140);
}

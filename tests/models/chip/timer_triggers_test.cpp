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

constexpr std::uint32_t kSmcr = 0x08, kEgr = 0x14, kCnt = 0x24;

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

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/pwr.h"

#include <utility>

namespace n6vp::models {

RegisterBlock::Answer Pwr::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    const Answer answer = StubBlock::write(offset, value, mask, at);
    if (offset == kWkupepr) follow_pins();
    return answer;
}

void Pwr::reset() {
    const std::uint32_t bdcr1 = held(kBdcr1), bdcr2 = held(kBdcr2);
    const std::uint32_t cr4 = held(kCr4), wkupsr = held(kWkupsr), wkupepr = held(kWkupepr);
    const bool standby = std::exchange(in_standby_, false);
    const bool flag = standby || (held(kCpucr) & kStandbyFlag) != 0;
    StubBlock::reset();
    preset(kBdcr1, bdcr1);
    preset(kBdcr2, bdcr2);
    if (standby) {
        preset(kCr4, cr4);
        preset(kWkupsr, wkupsr);
        preset(kWkupepr, wkupepr);
    }
    change(kCpucr, kStandbyFlag, flag);
    follow_pins();
}

void Pwr::power_on() {
    in_standby_ = false;
    StubBlock::reset();
    active_ = 0;
}

void Pwr::set_pin(unsigned pin, std::optional<bool> level) {
    levels_[pin] = level;
    follow_pins();
}

bool Pwr::active(unsigned pin) const {
    if ((enabled_pins() >> pin & 1) == 0) return false;
    constexpr std::uint32_t kPullUp = 1;
    const bool pulled_up = (held(kWkupepr) >> (16 + 2 * pin) & 3) == kPullUp;
    const bool falling = (falling_pins() >> pin & 1) != 0;
    return levels_[pin].value_or(pulled_up) != falling;
}

void Pwr::follow_pins() {
    std::uint32_t now = 0;
    for (unsigned pin = 0; pin < kPins; ++pin) now |= active(pin) ? 1u << pin : 0;
    const std::uint32_t risen = now & ~std::exchange(active_, now);
    if (risen == 0) return;
    change(kWkupsr, risen, true);
    if (on_wake_up) on_wake_up();
}

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/pwr.h"

#include <iterator>
#include <utility>

namespace n6vp::models {

RegisterBlock::Answer Pwr::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    const Answer answer = StubBlock::write(offset, value, mask, at);
    if (offset == kWkupepr) follow_pins();
    return answer;
}

void Pwr::reset() {
    constexpr std::uint32_t kBackup[] = {kBdcr1, kBdcr2}, kInStandby[] = {kCr4, kWkupsr, kWkupepr};
    std::array<std::uint32_t, std::size(kBackup)> backup{};
    std::array<std::uint32_t, std::size(kInStandby)> kept{};
    for (std::size_t i = 0; i < backup.size(); ++i) backup[i] = held(kBackup[i]);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = held(kInStandby[i]);
    const bool standby = std::exchange(in_standby_, false);
    const bool flag = standby || (held(kCpucr) & kStandbyFlag) != 0;
    StubBlock::reset();
    for (std::size_t i = 0; i < backup.size(); ++i) preset(kBackup[i], backup[i]);
    for (std::size_t i = 0; standby && i < kept.size(); ++i) preset(kInStandby[i], kept[i]);
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

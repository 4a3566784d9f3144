// SPDX-License-Identifier: Apache-2.0
#include "models/chip/can_peripherals.h"

#include "memmap/peripherals.h"
#include "models/chip/lower_case.h"

namespace n6vp::models {

CanPeripherals::CanPeripherals() {
    for (std::size_t i = 0; i < units_.size(); ++i)
        units_[i] = std::make_unique<can::Fdcan>(lower_case(kNames[i]).c_str(), kNames[i], ram_);
}

void CanPeripherals::for_each(const std::function<void(RegisterBlock&, const char*)>& add) {
    for (const auto& unit : units_) add(*unit, unit->name());
    add(ram_, ram_.name());
}

void CanPeripherals::connect_interrupts(const InterruptLines& drive) {
    for (const auto& unit : units_) {
        const memmap::Peripheral* const row = memmap::peripheral_named(unit->name());
        const std::array<std::function<void(bool)>, 2> lines{drive(row->interrupts[0].first),
                                                             drive(row->interrupts[1].first)};
        unit->on_interrupt = [lines](unsigned line, bool level) { lines.at(line)(level); };
    }
}

void CanPeripherals::set_kernel_hz(double hz) {
    if (hz <= 0) return;
    for (const auto& unit : units_) unit->set_kernel_hz(hz);
}

}  // namespace n6vp::models

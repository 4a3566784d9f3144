// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/clock_control.h"

namespace n6vp::models::npu {

namespace {

using memmap::npu::kClkctrl;

constexpr Register kClockControl = reg(kClkctrl, "CTRL");
constexpr Register kAgates0 = reg(kClkctrl, "AGATES0");
constexpr Register kAgates1 = reg(kClkctrl, "AGATES1");
constexpr Register kBgates = reg(kClkctrl, "BGATES");

/// Returns the unit's bit in AGATES0 and AGATES1; 0 if it has none.
std::uint32_t agate_of(const memmap::npu::Unit& unit) {
    if (unit.type == &memmap::npu::kIntctrl) return field(kClkctrl, "AGATES0.INTCTRL_0").mask();
    if (unit.type == &memmap::npu::kStrswitch) return field(kClkctrl, "AGATES0.STRSWITCH_0").mask();
    if (unit.type != &memmap::npu::kBusif) return 0;
    return unit.index == 0 ? field(kClkctrl, "AGATES0.BUSIF_0").mask()
                           : field(kClkctrl, "AGATES0.BUSIF_1").mask();
}

}  // namespace

bool ClockControl::enabled() const {
    return extract(registers_.word(kClockControl), memmap::npu::kEnable) != 0;
}

bool ClockControl::open(const memmap::npu::Unit& unit) const {
    if (unit.gate() != memmap::npu::kNoGate) {
        return (registers_.word(kBgates) >> unit.gate() & 1) != 0;
    }
    const std::uint32_t gate = agate_of(unit);
    return (registers_.word(kAgates0) & registers_.word(kAgates1) & gate) == gate;
}

std::optional<Limit> ClockControl::limit() const {
    constexpr Field kFreeze = field(kClkctrl, "CTRL.FREEZEREQ");
    if (extract(registers_.word(kClockControl), kFreeze) == 0) return std::nullopt;
    return Limit{"CLKCTRL", "CTRL.FREEZEREQ", "what stops, and when it is granted"};
}

}  // namespace n6vp::models::npu

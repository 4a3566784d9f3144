// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "memmap/npu/units.h"
#include "models/npu/base/limit.h"
#include "models/npu/registers/register_file.h"

namespace n6vp::models::npu {

/// Which units have a clock, by the registers of CLKCTRL. Knows no time.
///
/// Assumed: that a unit in AGATES0 and AGATES1 needs both (software always writes both alike), and
/// that CTRL.EN does not close gates. Limit: freezing.
class ClockControl {
  public:
    /// `registers` are CLKCTRL's and outlive this.
    explicit ClockControl(const RegisterFile& registers) : registers_(registers) {}

    /// Returns CTRL.EN.
    [[nodiscard]] bool enabled() const;
    /// Returns true if the unit's gate is open. Clock control itself has none.
    [[nodiscard]] bool open(const memmap::npu::Unit& unit) const;
    /// Returns what the registers ask for and the public description leaves open.
    [[nodiscard]] std::optional<Limit> limit() const;

  private:
    const RegisterFile& registers_;
};

}  // namespace n6vp::models::npu

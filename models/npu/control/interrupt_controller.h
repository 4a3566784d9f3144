// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/npu/registers/register_file.h"

namespace n6vp::models::npu {

/// Latches, masks and host lines of INTCTRL, over the registers of that unit. Knows no time.
///
/// A source is a level: while it is up, its latch cannot be cleared. Assumed: that CTRL.EN gates
/// the lines and nothing else, and that CLR drops the latches and keeps the masks.
class InterruptController {
  public:
    static constexpr unsigned kLines = 4;

    /// `registers` are INTCTRL's and outlive this.
    explicit InterruptController(RegisterFile& registers) : registers_(registers) {}

    /// Sets the level of source 0 to 31.
    void set_source(unsigned source, bool level);
    /// To be called after each write to a register of the unit, with the outcome.
    void written(const Register& at, const RegisterFile::WriteOutcome& outcome);
    /// What CTRL.CLR does; sources that are up are latched again.
    void clear();
    /// State after power-on: no source is up. The registers' owner resets them.
    void reset() { sources_ = 0; }
    /// Latches the sources that are up, after the registers were changed from outside.
    void latch();

    /// Returns true if host line `line` is up.
    [[nodiscard]] bool line(unsigned line) const;
    /// Returns all lines, line n as bit n.
    [[nodiscard]] std::uint32_t lines() const;

  private:
    RegisterFile& registers_;
    std::uint32_t sources_ = 0;
};

}  // namespace n6vp::models::npu

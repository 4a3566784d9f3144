// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// Illegal access controller: one flag per protected peripheral or filter, one interrupt for all.
///
/// Modelled: IER, ISR and ICR of five words; nothing is recorded while the block has no clock.
/// Not modelled: access rights to its own registers.
class Iac : public RegisterBlock {
  public:
    static constexpr unsigned kFlags = 160;

    Iac() : RegisterBlock("IAC") {}

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

    /// An illegal access at the source of this number; numbers are those of the RIF peripherals.
    void flag(unsigned source);
    [[nodiscard]] bool flagged(unsigned source) const {
        return (flags_[source / 32] >> (source % 32) & 1u) != 0;
    }

    /// Whether the block has a clock; without this function it always has.
    std::function<bool()> clocked;
    /// Level of the interrupt line, called when it changes.
    std::function<void(bool)> on_interrupt;

  private:
    void update_interrupt();

    std::array<std::uint32_t, 5> enabled_{}, flags_{};
    bool level_ = false;
};

}  // namespace n6vp::models

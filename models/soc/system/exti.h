// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "memmap/chips/chip.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// The controller of external interrupts and events.
///
/// Modelled: lines with a rising and falling edge selection, software trigger, pending flags
/// cleared by a one (one register per bank; rising and falling apart on the U5), interrupt mask; a
/// level per line towards the NVIC. Pin selection of the U5 and N6 (EXTICR), for the chip to act
/// upon. Not modelled: event mask (stored), security, direct lines of peripherals, wake-up of
/// domains. Sources: CMSIS device headers; reset values of SVD files.
class Exti : public RegisterBlock {
  public:
    Exti(const memmap::Chip& chip, const char* name);
    /// That of the STM32N6.
    explicit Exti(const char* name);

    /// Pending and not masked: what the NVIC sees of a line, called when it changes.
    std::function<void(unsigned line, bool level)> on_interrupt;

    /// EXTICR has another value: lines of pins may have another source. Unset: the selection is not
    /// modelled.
    std::function<void()> on_selection;
    /// Returns the number of the port that EXTICR selects for a line of 0 to 15.
    [[nodiscard]] unsigned selected_port(unsigned line) const;

    /// The level of a line from outside, for instance of a pin.
    void set_line(unsigned line, bool level);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

    /// Where a family has the registers of its first 32 lines; further banks follow at a distance.
    struct Layout {
        std::uint32_t rising, falling, software, pending_rising, pending_falling, mask, event;
        unsigned banks;
        std::uint32_t stride;          ///< of the edge registers
        std::uint32_t pending_stride;  ///< the H7 has them beside the masks
        std::uint32_t mask_stride;
        std::uint32_t mask_reset[3];
    };

  private:
    Exti(const char* name, const Layout& layout);
    enum class Role : std::uint8_t { Plain, Software, PendingRising, PendingFalling, Mask };
    struct Place {
        Role role = Role::Plain;
        unsigned bank = 0;
        const char* name = "";
    };
    [[nodiscard]] static const Layout& layout_of(memmap::ChipFamily family);
    [[nodiscard]] Place find(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t held(std::uint32_t offset) const;
    void pend(std::uint32_t offset, std::uint32_t bits);
    void clear(std::uint32_t offset, std::uint32_t bits);
    void update(unsigned bank);

    const Layout& layout_;
    std::map<std::uint32_t, std::uint32_t> values_;  ///< by offset
    std::uint32_t inputs_[3] = {}, levels_[3] = {};
};

}  // namespace n6vp::models

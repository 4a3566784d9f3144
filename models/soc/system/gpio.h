// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "memmap/chips/chip.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// One port of 16 pins.
///
/// Modelled: MODER, OTYPER, OSPEEDR, PUPDR, AFR as values with their reset values, outputs by ODR,
/// BSRR and BRR, IDR from outputs, given inputs and pulls (an analog pin reads zero), LCKR with its
/// sequence; levels of alternate functions that are told (`drive_function`).
/// Not modelled: open drain against an external level, the registers of the U5 and N6 beyond BRR
/// (stored, "not modelled"), security of single pins. On the N6 the level of a pin that nothing
/// drives or pulls is zero, and "not modelled". Sources: CMSIS device headers; reset values of SVD
/// files.
class Gpio : public RegisterBlock {
  public:
    struct ResetValues {
        std::uint32_t moder, ospeedr, pupdr;
        std::uint32_t secured = 0;    ///< SECCFGR and PRIVCFGR
        bool names_floating = false;  ///< reading a floating pin is not modelled
    };
    /// `name`: "GPIOA" and so on; ports A and B start with the pins of the debug port.
    Gpio(const memmap::Chip& chip, const char* name);
    /// A port of the STM32N6.
    explicit Gpio(const char* name);

    /// Called after the outputs have changed, with the level of all pins in output mode.
    std::function<void(std::uint16_t levels, Picoseconds at)> on_output;
    /// Called with the same levels after pins have come to output mode or left it.
    std::function<void(std::uint16_t levels, Picoseconds at)> on_output_pins;

    /// Called after the levels that IDR shows have changed.
    std::function<void(std::uint16_t levels, Picoseconds at)> on_levels;

    /// Called after pins have got or lost an alternate function.
    std::function<void(Picoseconds at)> on_functions;
    struct Driven {
        std::uint16_t pins = 0, high = 0;
        void set(unsigned pin, std::optional<bool> level);
    };
    /// Returns the pins that alternate functions drive at the absolute time `at`, for IDR. Without
    /// it they are those that were told.
    std::function<Driven(Picoseconds at)> on_look;
    /// A peripheral drives a pin, or no more, from the absolute time `at` on, while its alternate
    /// function is chosen.
    void drive_function(unsigned pin, std::optional<bool> level, Picoseconds at);
    /// The same for an additional function, which needs no mode of the pin.
    void drive_additional(unsigned pin, std::optional<bool> level, Picoseconds at);
    /// Returns the number of a pin's alternate function; nothing in the other modes.
    [[nodiscard]] std::optional<unsigned> function(unsigned pin) const;
    /// Somebody follows the levels of a pin: it is told all that a peripheral drives.
    void watch(unsigned pin) { watched_ |= static_cast<std::uint16_t>(1u << pin); }
    [[nodiscard]] bool watched(unsigned pin) const { return (watched_ >> pin & 1) != 0; }

    /// Called after the board has changed what it drives, whatever the modes of the pins.
    std::function<void(std::uint16_t levels, std::uint16_t driven, Picoseconds at)> on_board;

    /// Levels that the board drives from the absolute time `at` on, for the pins of `driven`; the
    /// others follow their pulls.
    void set_inputs(std::uint16_t levels, std::uint16_t driven, Picoseconds at = 0);
    /// The same for one pin, 0 to 15.
    void drive(unsigned pin, bool level, Picoseconds at);
    /// The board drives a pin no more.
    void release(unsigned pin, Picoseconds at);
    /// Returns what IDR shows.
    [[nodiscard]] std::uint16_t levels() const { return static_cast<std::uint16_t>(inputs()); }
    /// Returns the pins in output mode, and those that alternate functions drive.
    [[nodiscard]] std::uint16_t output_pins() const;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;
    /// Tells those who watch pins, too.
    void reset_at(Picoseconds at) override;

  private:
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }
    [[nodiscard]] unsigned mode(unsigned pin) const { return get(0) >> (2 * pin) & 3; }
    [[nodiscard]] std::uint32_t outputs(const Driven& driven) const;
    [[nodiscard]] std::uint32_t outputs() const { return outputs(driven_); }
    [[nodiscard]] std::uint32_t inputs(const Driven& driven) const;
    [[nodiscard]] std::uint32_t inputs() const { return inputs(driven_); }
    /// Returns true if a pin has an alternate function that drives it.
    [[nodiscard]] bool driven_by_function(const Driven& driven, unsigned pin) const {
        return (additional_.pins >> pin & 1) != 0 ||
               ((driven.pins >> pin & 1) != 0 && function(pin).has_value());
    }
    /// Pins whose level comes from outside, where nothing drives or pulls them.
    [[nodiscard]] std::uint32_t floating(const Driven& driven) const;
    void lock(std::uint32_t value);
    /// Bits of a register that its lock leaves writable.
    [[nodiscard]] std::uint32_t writable(std::uint32_t offset) const;

    Gpio(const char* name, const ResetValues& values);
    [[nodiscard]] static ResetValues reset_values(const memmap::Chip& chip, const char* name);
    void report(std::uint32_t outputs_before, Picoseconds at);

    const ResetValues reset_values_;
    std::array<std::uint32_t, 20> held_{};
    std::uint16_t board_levels_ = 0, board_drives_ = 0;
    Driven driven_;                    ///< by alternate functions, as told
    Driven additional_;                ///< by additional functions
    std::uint16_t watched_ = 0;        ///< pins
    std::uint32_t reported_ = 0;       ///< levels
    std::uint16_t reported_pins_ = 0;  ///< in output mode
    std::uint32_t locked_ = 0;         ///< pins
    unsigned lock_step_ = 0;
    std::uint32_t lock_pins_ = 0;
};

}  // namespace n6vp::models

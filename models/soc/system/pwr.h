// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "models/soc/stubs/stub_block.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {

/// Power control.
///
/// Modelled: CPUCR chooses Stop or Standby mode for deep sleep, and STOPF and SBF say which of them
/// was left, until CSSF; the four wake-up pins with polarity, pull and flag; which memories Standby
/// mode keeps; voltage scaling and supply monitors are ready some time after they are asked for.
/// Not modelled: the interrupt of the wake-up pins, protection of the backup domain (DBPCR),
/// detectors, access rights: "not modelled".
///
/// Inferred from the STM32H7: SBF outlives every reset but power-on; a pin that is enabled with its
/// active level sets its flag. Assumed: registers of wake-up pins and retention outlive Standby
/// mode, and no other reset.
class Pwr : public StubBlock {
  public:
    static constexpr unsigned kPins = 4;

    explicit Pwr(const FlagTimes& times = {}) : StubBlock(*stub_of("PWR"), "PWR", times) {}

    /// A flag of a wake-up pin rises.
    std::function<void()> on_wake_up;

    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;
    /// The state after power-on.
    void power_on();

    /// Level that the board drives at wake-up pin `pin`, from 0 on; nothing: its pull decides.
    void set_pin(unsigned pin, std::optional<bool> level);
    [[nodiscard]] bool wake_up_pending() const { return held(kWkupsr) != 0; }
    /// Returns the enabled wake-up pins, one bit for each, and of them those that wait for low.
    [[nodiscard]] std::uint32_t enabled_pins() const { return held(kWkupepr) & kPinBits; }
    [[nodiscard]] std::uint32_t falling_pins() const { return held(kWkupepr) >> 8 & kPinBits; }

    /// Returns false if deep sleep is Standby mode.
    [[nodiscard]] bool deep_sleep_is_stop() const { return (held(kCpucr) & kStandby) == 0; }
    /// The system has left Stop mode.
    void note_stop() { change(kCpucr, kStopFlag, true); }
    /// The system is in Standby mode until the next reset.
    void enter_standby() { in_standby_ = true; }
    [[nodiscard]] bool keeps_tcm() const { return (held(kCr4) & 1u << 0) != 0; }
    [[nodiscard]] bool keeps_flexmem() const { return (held(kCr4) & 1u << 4) != 0; }
    [[nodiscard]] bool keeps_backup_ram() const { return (held(kBdcr2) & 1u << 0) != 0; }

  private:
    static constexpr std::uint32_t kCr4 = 0x0C, kBdcr1 = 0x24, kBdcr2 = 0x28, kCpucr = 0x30,
                                   kWkupsr = 0x54, kWkupepr = 0x58, kPinBits = (1u << kPins) - 1;
    /// PDDS, STOPF, SBF
    static constexpr std::uint32_t kStandby = 1u << 0, kStopFlag = 1u << 8, kStandbyFlag = 1u << 9;

    [[nodiscard]] bool active(unsigned pin) const;
    /// Flags of pins that are active now and were not.
    void follow_pins();

    std::array<std::optional<bool>, kPins> levels_{};
    std::uint32_t active_ = 0;  ///< enabled pins with their active level
    bool in_standby_ = false;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>

#include "models/picoseconds.h"
#include "models/soc/stubs/stub_block.h"

namespace n6vp::models {

/// Tamper unit: detection and backup registers, in the backup domain.
///
/// Modelled: passive tampers by edge, or by level with samples; active tampers with their outputs,
/// comparisons and filter, once the seed is written; potential and masked tampers, flags, interrupt
/// and the sign for time stamps; BKP0R to BKP31R with erase and block; the monotonic counter and
/// its overflow (internal tamper 8). Only a reset of the backup domain resets it. Not modelled:
/// pins of the inputs but TAMP_IN1 and of the outputs but TAMP_OUT3, which alone are public,
/// sources of the other internal tampers, precharge times, access rights: "not modelled".
///
/// Sources: HAL driver (settings, samples), AN4759 (potential tampers, counter, active tampers),
/// RM0444 (edges). Inferred from other families: outputs change each 2^ATPER clocks of
/// RTCCLK >> ATCKSEL and are compared before they do; with FLTEN two false comparisons out of four
/// are a tamper, otherwise one is. Assumed: a pin that nothing drives has its inactive level, and
/// is low to an active tamper; a pin with its active level when its tamper is enabled is one; the
/// sequence of the outputs, which is not public, begins with the seed.
class Tamp : public sc_core::sc_module, public StubBlock {
  public:
    static constexpr unsigned kInputs = 7;
    static constexpr unsigned kWiredInput = 0, kWiredOutput = 2;  ///< TAMP_IN1, TAMP_OUT3

    Tamp(const sc_core::sc_module_name& name, const char* block, const FlagTimes& times = {});
    using StubBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// A tamper was detected, at the absolute time `at`.
    std::function<void(Picoseconds at)> on_tamper;
    /// Level of an output of active tampers, from 0 on; nothing: it is not driven any more.
    std::function<void(unsigned output, std::optional<bool> level, Picoseconds at)> on_output;

    /// Frequency of RTCCLK, above zero, from the next sample and period of the outputs on.
    void set_clock_hz(double hz);
    /// Level that the board drives at TAMP_INx, x from 0 on; nothing: it floats.
    void set_pin(unsigned input, std::optional<bool> level, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    /// A reset of the chip: the registers are in the backup domain and stay.
    void reset() override {}
    /// The state after power-on of the backup domain, at the absolute time `at`.
    void power_on(Picoseconds at);

  private:
    void step();
    void schedule();
    void write_register(std::uint32_t offset, std::uint32_t before, Picoseconds at);
    void write_seed(std::uint32_t value, Picoseconds at);
    [[nodiscard]] bool is_modelled(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t masked(bool secure) const;
    [[nodiscard]] bool blocked() const;
    void detect(unsigned bit, Picoseconds at);
    void update_line();

    // Passive tampers.
    [[nodiscard]] std::uint32_t passive() const;
    [[nodiscard]] bool active_level(unsigned input) const;
    [[nodiscard]] Picoseconds sample_period() const;
    void look_at_inputs(Picoseconds at);

    // Active tampers.
    [[nodiscard]] std::uint32_t active() const;
    [[nodiscard]] unsigned output_of(unsigned input) const;
    void run_outputs(Picoseconds at);
    void compare(Picoseconds at);
    void drive(Picoseconds at);

    std::array<std::uint32_t, 32> backup_{};
    std::array<std::optional<bool>, kInputs> pins_{};
    std::uint32_t levels_ = 0;                       ///< inputs with their active level, enabled
    std::array<Picoseconds, kInputs> enabled_at_{};  ///< samples count from here
    std::array<Picoseconds, kInputs> due_{};         ///< the last sample that a tamper takes
    std::uint64_t hz_ = 32768;
    std::uint64_t counter_ = 0;
    unsigned seed_words_ = 0;
    std::uint64_t sequence_ = 0;                 ///< of the outputs
    std::uint32_t outputs_ = 0;                  ///< levels
    std::uint32_t driven_ = 0;                   ///< outputs
    Picoseconds next_ = kNever;                  ///< end of the outputs' period
    std::array<std::uint8_t, kInputs> false_{};  ///< the last four comparisons, one bit each
    bool level_ = false;                         ///< of the interrupt
    sc_core::sc_event event_;
};

}  // namespace n6vp::models

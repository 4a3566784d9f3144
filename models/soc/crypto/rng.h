// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

struct RngParameters {
    Parameter word{"word", 20, "us", Confidence::Assumed,
                   "RNGEN, or a read of DR, to DRDY: 10 to 50 on related parts"};
    Parameter seed{"seed",
                   1234567,
                   {"", {0, 4294967295.0, true}},
                   Confidence::Assumed,
                   "start of the pseudo-random sequence"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.word);
        function(self.seed);
    }
};

/// The random number generator, with a reproducible sequence (SplitMix64, upper half of each).
///
/// Modelled: RNGEN, DRDY that follows it and each read of DR after a time, DR that reads zero while
/// it is not ready, the conditioning reset, the interrupt of a word where the chip connects it, CR,
/// NSCR and HTCR as values.
/// Not modelled: the FIFO of four words, CONFIGLOCK, clock and seed errors, entropy.
/// Source: CMSIS device headers; HAL drivers for the polled flags.
class Rng : public sc_core::sc_module, public RegisterBlock {
  public:
    /// What differs between the chips.
    struct Traits {
        std::uint32_t control = 0, noise = 0, health = 0;  ///< CR, NSCR, HTCR after reset
        Picoseconds conditioning = 0;  ///< CONDRST = 0 written to CONDRST = 0 read
    };

    Rng(const sc_core::sc_module_name& name, const char* block,
        const RngParameters& parameters = {});
    Rng(const sc_core::sc_module_name& name, const char* block, const RngParameters& parameters,
        const Traits& traits);
    using RegisterBlock::name;

    /// Without this function the interrupt is not modelled.
    std::function<void(bool level)> on_interrupt;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    /// The sequence begins anew.
    void reset() override;

  private:
    [[nodiscard]] std::uint32_t next();
    [[nodiscard]] bool ready(Picoseconds at) const;
    void begin(Picoseconds at);
    void step();
    void update(Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);

    const RngParameters parameters_;
    const Traits traits_;
    std::uint32_t control_ = 0, noise_ = 0, health_ = 0;
    std::uint64_t state_ = 0;
    Picoseconds ready_at_ = 0, conditioned_at_ = 0;
    bool level_ = false;
    sc_core::sc_event ready_event_;
};

}  // namespace n6vp::models

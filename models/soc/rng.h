// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/register_block.h"

namespace n6vp::models {

struct RngParameters {
    Parameter word{"word", 20, "us", Confidence::Assumed,
                   "RNGEN, or a read of DR, to DRDY: 10 to 50 on related parts"};
    Parameter seed{"seed", 1234567, "", Confidence::Assumed, "start of the pseudo-random sequence"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.word);
        function(self.seed);
    }
};

/// The random number generator, with a reproducible sequence (SplitMix64, upper half of each).
///
/// Modelled: RNGEN, DRDY that follows it and each read of DR after a time, DR that reads zero while
/// it is not ready, the conditioning reset of the parts that have it (ready at once), CR, NSCR and
/// HTCR as values.
/// Not modelled: the interrupt, clock and seed errors, entropy.
/// Source: CMSIS device headers; HAL drivers for the polled flags.
class Rng : public RegisterBlock {
  public:
    Rng(const char* name, const RngParameters& parameters = {});

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    /// The sequence begins anew.
    void reset() override;

  private:
    [[nodiscard]] std::uint32_t next();
    [[nodiscard]] bool ready(Picoseconds at) const;
    void begin(Picoseconds at);

    const RngParameters parameters_;
    std::uint32_t control_ = 0, noise_ = 0, health_ = 0;
    std::uint64_t state_ = 0;
    Picoseconds ready_at_ = 0;
};

}  // namespace n6vp::models

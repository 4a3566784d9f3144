// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/parameter.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {

struct BsecParameters {
    Parameter otp124{"otp124", 0x18000, ParameterUnit{"", {0, 4294967295.0, true}},
                     Confidence::Assumed,
                     "fuses HSLV_VDDIO3 (bit 15) and HSLV_VDDIO2 (bit 16) of a board in use"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.otp124);
    }
};

/// Fuses: a stub whose fuse words can be read, programmed, bits from 0 to 1 only, and loaded into
/// their shadows again.
class Bsec : public StubBlock {
  public:
    explicit Bsec(const BsecParameters& parameters, const FlagTimes& times = {});

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    /// Fuses keep what was programmed.
    void reset() override;
    /// Fuses are again those of the parameters, as on another chip.
    void restore_fuses();

    [[nodiscard]] std::uint32_t fuse(unsigned word) const;
    /// Called after a fuse was programmed.
    std::function<void()> on_fuse;
    /// Whether the pins of XSPI1 (VDDIO2) and XSPI2 (VDDIO3) may run faster than the 50 MHz class.
    [[nodiscard]] bool fast_pins_xspi1() const { return (fuse(124) >> 16 & 1u) != 0; }
    [[nodiscard]] bool fast_pins_xspi2() const { return (fuse(124) >> 15 & 1u) != 0; }

  private:
    std::uint32_t otp124_;
    std::map<unsigned, std::uint32_t> fuses_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>

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

/// Fuses and their shadows.
///
/// Modelled: reading, programming (bits from 0 to 1 only) and loading of fuse words again; writes
/// to shadows, from word 10 on; the sticky locks of words, by which programming and writes are
/// ignored and loading is denied until the next reset; permanent locks; GWLOCK; scratch registers,
/// those that can be written once, and the count of warm resets. Not modelled: hidden and protected
/// words, debug, HDPL, keys, epochs, JTAG: "not modelled". Sources: HAL driver for locks and the
/// limit of shadows; for scratch registers and counters that of the STM32MP2, which has the same
/// unit: "warm reset persistent" (SCRATCHR), "hot reset persistent" (WOSCR), warm resets since the
/// cold reset (WRCR).
///
/// Assumed: every reset but power-on is a warm one, the end of Standby mode too, and none a hot
/// one; a refused programming sets PROGFAIL; GWLOCK makes every write ignored.
class Bsec : public StubBlock {
  public:
    explicit Bsec(const BsecParameters& parameters, const FlagTimes& times = {});

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    /// Fuses keep what was programmed; scratch registers and counters stay.
    void reset() override;
    /// The core starts, after power-on or another reset.
    void note_start();
    /// Fuses are again those of the parameters, as on another chip, which has been powered on.
    void restore_fuses();

    [[nodiscard]] std::uint32_t fuse(unsigned word) const;
    /// Called after a fuse was programmed.
    std::function<void()> on_fuse;
    /// Whether the pins of XSPI1 (VDDIO2) and XSPI2 (VDDIO3) may run faster than the 50 MHz class.
    [[nodiscard]] bool fast_pins_xspi1() const { return (fuse(124) >> 16 & 1u) != 0; }
    [[nodiscard]] bool fast_pins_xspi2() const { return (fuse(124) >> 15 & 1u) != 0; }

  private:
    static constexpr unsigned kScratchWords = 4;

    void command(std::uint32_t control, Picoseconds at);
    void program(unsigned word, std::uint32_t control, Picoseconds at);
    void load(unsigned word);
    [[nodiscard]] bool locked(std::uint32_t locks, unsigned word) const;
    /// Returns false for a write that a lock makes ignored.
    [[nodiscard]] bool may_write(std::uint32_t offset) const;

    std::uint32_t otp124_;
    std::map<unsigned, std::uint32_t> fuses_;
    std::set<unsigned> locked_for_ever_;  ///< words
    std::array<std::uint32_t, kScratchWords> scratch_{};
    std::uint32_t starts_ = 0;  ///< of the core since power-on
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

struct CrcParameters {
    Parameter word{"word", 4, "AHB cycles", Confidence::Documented, "reference manual: 32 bits"};
    Parameter half_word{"half_word", 2, "AHB cycles", Confidence::Documented,
                        "reference manual: 16 bits"};
    Parameter byte{"byte", 1, "AHB cycles", Confidence::Documented, "reference manual: 8 bits"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.word);
        function(self.half_word);
        function(self.byte);
    }
};

/// The CRC unit: DR is fed by bytes, half-words or words, most significant bit first.
///
/// Modelled: polynomials of 7, 8, 16 and 32 bits, INIT, REV_IN, REV_OUT, RTYPE_IN, RTYPE_OUT,
/// RESET, the scratch register IDR; a read of DR waits until what was written is computed. Assumed:
/// units are exchanged within the access, and within 32 bits of the result. Not modelled: even
/// polynomials (the unit does not support them: "not modelled"); a write that waits because the
/// input buffer of one word is full. Bits of DR above the polynomial read zero. Source: CMSIS
/// device headers; check values of published CRC algorithms.
class CrcUnit : public RegisterBlock {
  public:
    /// `idr_bits`: width of IDR, 8 (L4, F7) or 32 (U5, H7, N6). `types`: CR has the two bits of
    /// REV_OUT, RTYPE_IN and RTYPE_OUT of the N6.
    CrcUnit(const char* name, unsigned idr_bits, const CrcParameters& parameters = {},
            bool types = false);

    /// Clock of the AHB from now on.
    void set_clock_hz(double hz) { hz_ = hz; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

  private:
    void feed(std::uint32_t value, unsigned bits, Picoseconds at);
    void write_control(std::uint32_t next);
    [[nodiscard]] unsigned width() const;
    [[nodiscard]] std::uint32_t result() const;
    [[nodiscard]] bool known() const;

    const CrcParameters parameters_;
    const std::uint32_t idr_mask_, control_bits_;
    double hz_ = 0;
    std::uint32_t value_ = 0, idr_ = 0, control_ = 0, init_ = 0, polynomial_ = 0;
    Picoseconds done_ = 0;  ///< end of the computation under way
};

}  // namespace n6vp::models

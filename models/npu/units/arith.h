// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/npu/units/coefficient_memory.h"
#include "models/npu/units/stage_loop.h"
#include "models/npu/units/unit_fields.h"

namespace n6vp::models::npu {

/// CTRL.OP. `Affine`, `Multiply` and `Clip` are described; of the others the names are known.
enum class ArithOp : std::uint8_t {
    Affine = 0x00,
    Min = 0x01,
    Max = 0x02,
    Multiply = 0x07,
    And = 0x0B,
    Or = 0x0F,
    Not = 0x13,
    Xor = 0x17,
    Equal = 0x1B,
    Less = 0x1F,
    LessEqual = 0x23,
    Greater = 0x27,
    GreaterEqual = 0x2B,
    Abs = 0x2F,
    Sign = 0x33,
    Clip = 0x37,
};

/// The registers of an ARITH unit by field name. The defaults are the reset values.
struct ArithConfig {
    ArithOp op = ArithOp::Affine;
    bool logicalop = false;
    bool dualin = false;
    bool coeffa = false;  ///< from memory instead of the register
    bool coeffb = false;
    bool coeffc = false;
    bool combinebc = false;
    bool clipout = false;
    OutputFields output;

    std::uint8_t ax = 0;      ///< right shift of A * X
    std::uint8_t by = 0;      ///< right shift of B * Y
    std::uint8_t cshift = 0;  ///< left shift of C
    std::uint8_t res = 0;     ///< right shift of the result

    std::int16_t a = 0, b = 0, c = 0;
    std::int16_t clipmin = 0, clipmax = 0;
    InputFields x, y;

    std::uint16_t coeffaddr = 0;  ///< first entry
    std::uint32_t incval = 0;     ///< samples minus one between increments
    std::int16_t incoffset = 0;
    std::array<CoefficientReset, 3> resets{};  ///< CNT1 to 3, RSTCNT1 to 3, OFFSET1 to 3

    [[nodiscard]] constexpr bool uses_memory() const { return coeffa || coeffb || coeffc; }

    friend bool operator==(const ArithConfig&, const ArithConfig&) = default;
};

[[nodiscard]] Verdict judge(const ArithConfig& config);

/// What to report when the second input has fewer frames than the first.
inline constexpr Limit kSecondInputShort{"ARITH", "CTRL.DUALIN",
                                         "what is computed once the second input has ended"};

/// Rules of rounding that are not certain.
struct ArithRounding {
    Rounding ties = Rounding::HalfUp;
    Rounding inputs = Rounding::Floor;  ///< of the shifts AX and BY
};

/// One ARITH unit: a word for each word of X, or for each pair of X and Y.
///   affine: (A * X >> AX) + (B * Y >> BY) + (C << SHIFT.C), Y only with DUALIN
///   affine with COMBINEBC: (A * X >> AX) + (B << 16 | C) as a signed number of 32 bits
///   multiply: X * Y
///   clip: X, but not below A and not above C
/// then >> RES, CLIPOUT, limits of OBYTES. Sums have 64 bits here.
/// The other operations take X and Y as they are; comparisons give 1 or 0; NOT, AND, OR and XOR
/// work by bits, or with LOGICALOP on "is not 0"; `judge` reports each of them as assumed.
class Arith {
  public:
    /// Requires a configuration that computes (`judge`). Copies the coefficients.
    Arith(const ArithConfig& config, const CoefficientMemory& memory, ArithRounding rounding = {});

    /// Computes the next words. Requires as many words in `y`, with DUALIN, and in `out` as in `x`.
    void compute(std::span<const Word> x, std::span<const Word> y, std::span<Word> out);

  private:
    static constexpr std::size_t kChunk = 256;  ///< words whose coefficients are laid out at once

    /// Coefficients of a chunk, C with its shift, B and C combined if so configured.
    struct Chunk {
        std::array<std::int32_t, kChunk> a, b;
        std::array<std::int64_t, kChunk> c;
    };
    struct Prepared {
        std::int32_t a = 0, b = 0;
        std::int64_t c = 0;
    };

    [[nodiscard]] Prepared prepared(const Coefficient& memory) const;
    /// Lays out coefficients for the next words, in whole loops if they repeat, and returns for how
    /// many words of at most `words` they serve, each chunk of `chunk_words_` anew.
    std::size_t lay_out(std::size_t words);
    void lay_out(std::span<const std::uint16_t> entries);
    void affine(const Word* x, const Word* y, Word* out, std::size_t words) const;
    void operate(const Word* x, const Word* y, Word* out, std::size_t words) const;

    ArithConfig config_;
    ArithRounding rounding_;
    StageLoop stage_;
    CoefficientSequence sequence_;
    std::array<Prepared, kCoefficients> coefficients_{};
    Chunk chunk_{};
    std::size_t chunk_words_ = kChunk;
};

}  // namespace n6vp::models::npu

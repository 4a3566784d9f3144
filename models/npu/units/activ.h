// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/npu/units/unit_fields.h"

namespace n6vp::models::npu {

/// CTRL.TYPE.
enum class ActivType : std::uint8_t { Relu = 0, Prelu = 1, Trelu = 2, Function = 3 };

/// The registers of an ACTIV unit by field name. The defaults are the reset values.
struct ActivConfig {
    ActivType type = ActivType::Relu;
    InputFields input;
    OutputFields output;
    std::int16_t param = 0;
    std::int16_t param2 = 0;
    std::uint8_t func = 0;  ///< left shift of x before the look-up
    std::uint8_t outshift = 0;
    std::uint8_t cshift = 0;
    std::uint8_t bshift = 0;
    bool signedop = false;
    std::uint8_t bwidth = 0;  ///< upper bits that choose an entry of ROM0
    std::uint32_t fsub = 0;

    friend bool operator==(const ActivConfig&, const ActivConfig&) = default;
};

/// The memories that describe a function: ROM0 says which segments an upper part of the range has,
/// ROM1 holds a parabola for each segment.
struct ActivTables {
    struct Segment {
        std::int16_t a = 0, b = 0, c = 0;
    };
    std::array<std::uint8_t, 32> rom0{};  ///< bits 7:6: further bits that count, 5:0: first segment
    std::array<Segment, 64> rom1{};
};

[[nodiscard]] Verdict judge(const ActivConfig& config, const ActivTables& tables);

/// One ACTIV unit: a word for each word.
///   RELU: max(x, 0); TRELU: x > PARAM ? x : PARAM2; both inferred
///   FUNCTION: A x^2 + (B << BSHIFT) x + (C << CSHIFT) of the segment of x
/// then the common output stage. PRELU is not described.
class Activ {
  public:
    /// Requires a configuration that computes (`judge`). Copies the tables.
    Activ(const ActivConfig& config, const ActivTables& tables, Rounding ties = Rounding::HalfUp);

    /// Computes the next words. Requires as many words in `out` as in `x`.
    void compute(std::span<const Word> x, std::span<Word> out) const;

  private:
    [[nodiscard]] Word value(std::int32_t x) const;
    [[nodiscard]] std::int64_t function(std::int64_t x) const;

    ActivConfig config_;
    ActivTables tables_;
    OutputStage stage_;
    std::vector<Word> of_byte_;  ///< results by low byte, for inputs of one byte
};

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/npu/base/verdict.h"
#include "models/npu/units/output_stage.h"

namespace n6vp::models::npu {

/// Fields in front of a unit: how a link word becomes a number.
struct InputFields {
    std::uint8_t fbytes = 2;   ///< low bytes of the word that count
    std::uint8_t fshift = 16;  ///< 16 + shift
    std::uint8_t fobytes = 2;  ///< bytes after the shift

    friend bool operator==(const InputFields&, const InputFields&) = default;
};

/// Fields behind a unit: how a sum becomes a link word.
struct OutputFields {
    bool round = false;
    bool sat = false;
    std::uint8_t orndmode = 0;  ///< bit 0: rounding, bit 1: negative becomes 0
    std::uint8_t obytes = 2;

    friend bool operator==(const OutputFields&, const OutputFields&) = default;
};

inline void judge_input(const InputFields& fields, VerdictBuilder& builder) {
    builder.illegal_if(fields.fbytes == 0, "an input has no bytes");
    builder.refuse_if(fields.fshift != 16, "FSHIFT", "the direction of the input shift");
    builder.refuse_if(fields.fobytes < fields.fbytes, "FOBYTES",
                      "how an input is narrowed without a shift");
}

inline void judge_output(const OutputFields& fields, unsigned shift, VerdictBuilder& builder) {
    builder.illegal_if(fields.obytes == 0, "an output has no bytes");
    builder.refuse_if(fields.round && shift != 0 && (fields.orndmode & 1) == 0, "ORNDMODE",
                      "rounding with bit 0 clear");
}

/// Returns the output stage that the fields describe. `ties` applies where ROUND is set.
[[nodiscard]] constexpr OutputStage output_stage(const OutputFields& fields, unsigned shift,
                                                 Rounding ties) {
    OutputStage stage;
    stage.shift = shift;
    stage.rounding = fields.round ? ties : Rounding::Floor;
    stage.relu = (fields.orndmode & 2) != 0;
    stage.saturate = fields.sat;
    stage.bytes = fields.obytes;
    return stage;
}

/// Returns the number that a unit sees in a link word: `low_bytes` with sign, in 32 bits so that
/// loops over words become vector code.
[[nodiscard]] constexpr std::int32_t input_value(Word word, unsigned bytes) {
    const unsigned unused = 32 - 8 * bytes;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(word) << unused) >> unused;
}

}  // namespace n6vp::models::npu

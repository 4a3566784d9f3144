// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "tests/core/diff/generator.h"

namespace n6vp::test::diff {

/// Kinds of short sequences.
enum class BlockKind : std::uint8_t {
    Straight,      ///< 4 to 8 instructions of any family, loads and stores among them
    IfThen,        ///< IT and what stands under it
    VectorIfThen,  ///< VPST or VPT and what stands under it
    Loop,          ///< DLS or WLS, body, LE
    TailLoop,      ///< DLSTP or WLSTP, body of vector instructions, LETP
    Resumed,       ///< vector instructions entered with beats done (ECI)
    Exclusive,     ///< load exclusive, something, store exclusive
    Special,       ///< MSR or CPS, then MRS
};
inline constexpr BlockKind kBlockKinds[] = {
    BlockKind::Straight, BlockKind::IfThen,  BlockKind::VectorIfThen, BlockKind::Loop,
    BlockKind::TailLoop, BlockKind::Resumed, BlockKind::Exclusive,    BlockKind::Special,
};

[[nodiscard]] std::string_view name_of(BlockKind kind);

/// Returns `selection.encodings` random sequences of a kind, of `selection.vectors` states each.
[[nodiscard]] Job blocks(BlockKind kind, const Selection& selection);

}  // namespace n6vp::test::diff

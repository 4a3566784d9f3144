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

/// Returns true if a core with these features has what the kind is about.
[[nodiscard]] constexpr bool exists_on(BlockKind kind, models::core::isa::Feature features) {
    using enum models::core::isa::Feature;
    if (kind == BlockKind::Loop) return includes(features, LowOverhead);
    // It names stack limits.
    if (kind == BlockKind::Special) return includes(features, V81);
    if (kind == BlockKind::Exclusive) return true;
    return kind == BlockKind::Straight || kind == BlockKind::IfThen || includes(features, Vector);
}

/// Returns `selection.encodings` random sequences of a kind, of `selection.vectors` states each.
[[nodiscard]] Job blocks(BlockKind kind, const Selection& selection);

}  // namespace n6vp::test::diff

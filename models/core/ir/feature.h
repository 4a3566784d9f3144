// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models::core::isa {

/// Parts of the instruction set that a core may lack: a set of them. What every Armv7-M core has
/// needs none.
enum class Feature : std::uint16_t {
    Base = 0,
    Dsp = 1u << 0,          ///< DSP extension
    Float = 1u << 1,        ///< FPv4: single precision, loads, stores and moves of D registers
    FloatV5 = 1u << 2,      ///< VSEL, VMAXNM, VMINNM, VRINT, directed VCVT
    Double = 1u << 3,       ///< arithmetic in double precision
    Half = 1u << 4,         ///< arithmetic in half precision
    V8 = 1u << 5,           ///< Armv8-M: load-acquire, store-release, TT
    Security = 1u << 6,     ///< Security Extension
    V81 = 1u << 7,          ///< Armv8.1-M: CSEL, CLRM, FPCXT, system registers in memory
    LowOverhead = 1u << 8,  ///< loops and branch future
    Vector = 1u << 9,       ///< MVE integer, long shifts
    VectorFloat = 1u << 10,
};

[[nodiscard]] constexpr Feature operator|(Feature a, Feature b) {
    return static_cast<Feature>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// Returns true if `all` holds every one of `some`.
[[nodiscard]] constexpr bool includes(Feature all, Feature some) {
    return (static_cast<unsigned>(some) & ~static_cast<unsigned>(all)) == 0;
}

/// Everything that has rows.
inline constexpr Feature kEveryFeature = static_cast<Feature>(0x7FF);

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "models/core/isa/integer/integer.h"
#include "models/core/isa/integer/saturate.h"

// DSP extension: addition and subtraction of bytes and halfwords side by side, saturating words.
namespace n6vp::models::core::isa::integer {

namespace {

/// Prefix of the mnemonic: what becomes of a lane's result that does not fit.
enum class Mode : std::uint8_t {
    Signed,            ///< S: wraps, sets GE
    Saturating,        ///< Q
    Halving,           ///< SH
    Unsigned,          ///< U: wraps, sets GE
    UnsignedSaturate,  ///< UQ
    UnsignedHalving,   ///< UH
};
enum class Lanes : std::uint8_t { Add8, Add16, Asx, Sax, Sub8, Sub16 };

constexpr bool is_signed(Mode mode) {
    return mode <= Mode::Halving;
}

template <Mode M, unsigned Bits>
std::int32_t lane(std::uint32_t value, unsigned first_bit) {
    const std::uint32_t bits = value >> first_bit & ((1u << Bits) - 1);
    if constexpr (!is_signed(M)) return static_cast<std::int32_t>(bits);
    if constexpr (Bits == 8) return static_cast<std::int8_t>(bits);
    return static_cast<std::int16_t>(bits);
}

/// Returns the lane's bits and, in `ge`, whether GE is set: the sum carries out, the difference or
/// the signed result is not negative.
template <Mode M, unsigned Bits>
std::uint32_t lane_result(std::int32_t a, std::int32_t b, bool subtract, bool& ge) {
    constexpr std::int32_t kLimit = 1 << Bits;
    std::int32_t value = subtract ? a - b : a + b;
    ge = M == Mode::Unsigned && !subtract ? value >= kLimit : value >= 0;
    if constexpr (M == Mode::Saturating) value = std::clamp(value, -kLimit / 2, kLimit / 2 - 1);
    if constexpr (M == Mode::UnsignedSaturate) value = std::clamp(value, 0, kLimit - 1);
    if constexpr (M == Mode::Halving || M == Mode::UnsignedHalving) value >>= 1;
    return static_cast<std::uint32_t>(value) & (kLimit - 1);
}

template <Mode M, Lanes L>
void parallel(CpuState& cpu, const MicroOp& op) {
    constexpr unsigned kBits = L == Lanes::Add8 || L == Lanes::Sub8 ? 8 : 16;
    constexpr bool kExchange = L == Lanes::Asx || L == Lanes::Sax;
    const std::uint32_t first = cpu.r[op.rn], second = cpu.r[op.rm];
    std::uint32_t result = 0, flags = 0;
    for (unsigned bit = 0; bit < 32; bit += kBits) {
        // The name of an exchanging form says what its top lane does.
        const bool subtract = L == Lanes::Sub8 || L == Lanes::Sub16 ||
                              (L == Lanes::Asx && bit == 0) || (L == Lanes::Sax && bit != 0);
        bool ge = false;
        result |=
            lane_result<M, kBits>(lane<M, kBits>(first, bit),
                                  lane<M, kBits>(second, kExchange ? 16 - bit : bit), subtract, ge)
            << bit;
        if (ge) flags |= (kBits == 8 ? 1u : 3u) << bit / 8;
    }
    cpu.r[op.rd] = result;
    if constexpr (M == Mode::Signed || M == Mode::Unsigned) cpu.ge = flags;
}

void select_bytes(CpuState& cpu, const MicroOp& op) {
    std::uint32_t mask = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
        if (cpu.ge >> byte & 1) mask |= 0xFFu << byte * 8;
    }
    cpu.r[op.rd] = (cpu.r[op.rn] & mask) | (cpu.r[op.rm] & ~mask);
}

std::int64_t wide(std::uint32_t value) {
    return static_cast<std::int32_t>(value);
}

/// rd = rm + rn or rm - rn, rn doubled first if asked to; either step saturates.
template <bool Double, bool Subtract>
void saturating(CpuState& cpu, const MicroOp& op) {
    std::int64_t second = wide(cpu.r[op.rn]);
    if constexpr (Double) second = wide(saturate_signed(cpu, second * 2, 32));
    const std::int64_t first = wide(cpu.r[op.rm]);
    cpu.r[op.rd] = saturate_signed(cpu, Subtract ? first - second : first + second, 32);
}

template <bool Accumulate>
void sum_of_differences(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t first = cpu.r[op.rn], second = cpu.r[op.rm];
    std::uint32_t sum = Accumulate ? cpu.r[op.ra] : 0;
    for (unsigned bit = 0; bit < 32; bit += 8) {
        const std::uint32_t a = first >> bit & 0xFF, b = second >> bit & 0xFF;
        sum += a > b ? a - b : b - a;
    }
    cpu.r[op.rd] = sum;
}

using enum Mode;
using enum Lanes;
constexpr Issue kShifted = Issue::Shifted;

constexpr Row kRows[] = {
    // Signed, setting GE.
    {"SADD8", "111110101000 nnnn 1111 dddd 0000 mmmm", "sadd8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Signed, Add8>>, kShifted},
    {"SADD16", "111110101001 nnnn 1111 dddd 0000 mmmm", "sadd16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Signed, Add16>>, kShifted},
    {"SASX", "111110101010 nnnn 1111 dddd 0000 mmmm", "sasx{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Signed, Asx>>, kShifted},
    {"SSUB8", "111110101100 nnnn 1111 dddd 0000 mmmm", "ssub8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Signed, Sub8>>, kShifted},
    {"SSUB16", "111110101101 nnnn 1111 dddd 0000 mmmm", "ssub16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Signed, Sub16>>, kShifted},
    {"SSAX", "111110101110 nnnn 1111 dddd 0000 mmmm", "ssax{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Signed, Sax>>, kShifted},

    // Signed, saturating.
    {"QADD8", "111110101000 nnnn 1111 dddd 0001 mmmm", "qadd8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Saturating, Add8>>, kShifted},
    {"QADD16", "111110101001 nnnn 1111 dddd 0001 mmmm", "qadd16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Saturating, Add16>>, kShifted},
    {"QASX", "111110101010 nnnn 1111 dddd 0001 mmmm", "qasx{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Saturating, Asx>>, kShifted},
    {"QSUB8", "111110101100 nnnn 1111 dddd 0001 mmmm", "qsub8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Saturating, Sub8>>, kShifted},
    {"QSUB16", "111110101101 nnnn 1111 dddd 0001 mmmm", "qsub16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Saturating, Sub16>>, kShifted},
    {"QSAX", "111110101110 nnnn 1111 dddd 0001 mmmm", "qsax{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Saturating, Sax>>, kShifted},

    // Signed, halving.
    {"SHADD8", "111110101000 nnnn 1111 dddd 0010 mmmm", "shadd8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Halving, Add8>>, kShifted},
    {"SHADD16", "111110101001 nnnn 1111 dddd 0010 mmmm", "shadd16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Halving, Add16>>, kShifted},
    {"SHASX", "111110101010 nnnn 1111 dddd 0010 mmmm", "shasx{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Halving, Asx>>, kShifted},
    {"SHSUB8", "111110101100 nnnn 1111 dddd 0010 mmmm", "shsub8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Halving, Sub8>>, kShifted},
    {"SHSUB16", "111110101101 nnnn 1111 dddd 0010 mmmm", "shsub16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Halving, Sub16>>, kShifted},
    {"SHSAX", "111110101110 nnnn 1111 dddd 0010 mmmm", "shsax{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Halving, Sax>>, kShifted},

    // Unsigned, setting GE.
    {"UADD8", "111110101000 nnnn 1111 dddd 0100 mmmm", "uadd8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Unsigned, Add8>>, kShifted},
    {"UADD16", "111110101001 nnnn 1111 dddd 0100 mmmm", "uadd16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Unsigned, Add16>>, kShifted},
    {"UASX", "111110101010 nnnn 1111 dddd 0100 mmmm", "uasx{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Unsigned, Asx>>, kShifted},
    {"USUB8", "111110101100 nnnn 1111 dddd 0100 mmmm", "usub8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Unsigned, Sub8>>, kShifted},
    {"USUB16", "111110101101 nnnn 1111 dddd 0100 mmmm", "usub16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Unsigned, Sub16>>, kShifted},
    {"USAX", "111110101110 nnnn 1111 dddd 0100 mmmm", "usax{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<Unsigned, Sax>>, kShifted},

    // Unsigned, saturating.
    {"UQADD8", "111110101000 nnnn 1111 dddd 0101 mmmm", "uqadd8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedSaturate, Add8>>, kShifted},
    {"UQADD16", "111110101001 nnnn 1111 dddd 0101 mmmm", "uqadd16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedSaturate, Add16>>, kShifted},
    {"UQASX", "111110101010 nnnn 1111 dddd 0101 mmmm", "uqasx{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedSaturate, Asx>>, kShifted},
    {"UQSUB8", "111110101100 nnnn 1111 dddd 0101 mmmm", "uqsub8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedSaturate, Sub8>>, kShifted},
    {"UQSUB16", "111110101101 nnnn 1111 dddd 0101 mmmm", "uqsub16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedSaturate, Sub16>>, kShifted},
    {"UQSAX", "111110101110 nnnn 1111 dddd 0101 mmmm", "uqsax{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedSaturate, Sax>>, kShifted},

    // Unsigned, halving.
    {"UHADD8", "111110101000 nnnn 1111 dddd 0110 mmmm", "uhadd8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedHalving, Add8>>, kShifted},
    {"UHADD16", "111110101001 nnnn 1111 dddd 0110 mmmm", "uhadd16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedHalving, Add16>>, kShifted},
    {"UHASX", "111110101010 nnnn 1111 dddd 0110 mmmm", "uhasx{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedHalving, Asx>>, kShifted},
    {"UHSUB8", "111110101100 nnnn 1111 dddd 0110 mmmm", "uhsub8{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedHalving, Sub8>>, kShifted},
    {"UHSUB16", "111110101101 nnnn 1111 dddd 0110 mmmm", "uhsub16{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedHalving, Sub16>>, kShifted},
    {"UHSAX", "111110101110 nnnn 1111 dddd 0110 mmmm", "uhsax{:it} {d:r}, {n:r}, {m:r}",
     plain<parallel<UnsignedHalving, Sax>>, kShifted},

    // Saturating words.
    {"QADD", "111110101000 nnnn 1111 dddd 1000 mmmm", "qadd{:it} {d:r}, {m:r}, {n:r}",
     plain<saturating<false, false>>, kShifted},
    {"QDADD", "111110101000 nnnn 1111 dddd 1001 mmmm", "qdadd{:it} {d:r}, {m:r}, {n:r}",
     plain<saturating<true, false>>, kShifted},
    {"QSUB", "111110101000 nnnn 1111 dddd 1010 mmmm", "qsub{:it} {d:r}, {m:r}, {n:r}",
     plain<saturating<false, true>>, kShifted},
    {"QDSUB", "111110101000 nnnn 1111 dddd 1011 mmmm", "qdsub{:it} {d:r}, {m:r}, {n:r}",
     plain<saturating<true, true>>, kShifted},

    // Bytes by GE; absolute differences.
    {"SEL", "111110101010 nnnn 1111 dddd 1000 mmmm", "sel{:it} {d:r}, {n:r}, {m:r}",
     plain<select_bytes>, kShifted},
    {"USAD8", "111110110111 nnnn 1111 dddd 0000 mmmm", "usad8{:it} {d:r}, {n:r}, {m:r}",
     plain<sum_of_differences<false>>, Issue::Mul},
    {"USADA8", "111110110111 nnnn aaaa dddd 0000 mmmm", "usada8{:it} {d:r}, {n:r}, {m:r}, {a:r}",
     plain<sum_of_differences<true>>, Issue::Mul},
};

}  // namespace

std::span<const Row> parallel_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::integer

// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstdint>

#include "models/core/ir/dynamic_timing.h"
#include "models/core/ir/system.h"
#include "models/core/isa/integer/integer.h"
#include "models/core/isa/integer/saturate.h"

// Multiplication, accumulation and division.
namespace n6vp::models::core::isa::integer {

namespace {

using B = Builder&;
using F = const Fields&;

std::int64_t wide(std::uint32_t value) {
    return static_cast<std::int32_t>(value);
}

/// Top or bottom halfword, as a signed number.
template <bool Top>
std::int32_t half(std::uint32_t value) {
    return static_cast<std::int16_t>(Top ? value >> 16 : value & 0xFFFF);
}

void multiply(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.r[op.rn] * cpu.r[op.rm];
}
void multiply_add(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.r[op.ra] + cpu.r[op.rn] * cpu.r[op.rm];
}
void multiply_subtract(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.r[op.ra] - cpu.r[op.rn] * cpu.r[op.rm];
}

/// Q is set if the sum with the accumulator overflows.
template <bool TopN, bool TopM, bool Accumulating>
void multiply_halfwords(CpuState& cpu, const MicroOp& op) {
    const auto product =
        static_cast<std::uint32_t>(half<TopN>(cpu.r[op.rn]) * half<TopM>(cpu.r[op.rm]));
    cpu.r[op.rd] = Accumulating ? add_sticky(cpu, product, cpu.r[op.ra]) : product;
}

/// A word times a halfword: bits 47:16 of the product.
template <bool TopM, bool Accumulating>
void multiply_word_halfword(CpuState& cpu, const MicroOp& op) {
    const std::int64_t product = wide(cpu.r[op.rn]) * half<TopM>(cpu.r[op.rm]);
    const auto top = static_cast<std::uint32_t>(product >> 16);
    cpu.r[op.rd] = Accumulating ? add_sticky(cpu, top, cpu.r[op.ra]) : top;
}

/// Sum or difference of the products of the bottom and of the top halfwords.
template <bool Subtract, bool Exchange>
std::int64_t pair_product(std::uint32_t first, std::uint32_t second) {
    const std::int64_t bottom = std::int64_t{half<false>(first)} * half<Exchange>(second);
    const std::int64_t top = std::int64_t{half<true>(first)} * half<!Exchange>(second);
    return Subtract ? bottom - top : bottom + top;
}

/// Q is set if the whole sum, accumulator included, does not fit a word.
template <bool Subtract, bool Exchange, bool Accumulating>
void multiply_pairs(CpuState& cpu, const MicroOp& op) {
    std::int64_t sum = pair_product<Subtract, Exchange>(cpu.r[op.rn], cpu.r[op.rm]);
    if constexpr (Accumulating) sum += wide(cpu.r[op.ra]);
    cpu.q |= sum != static_cast<std::int32_t>(sum) ? 1u : 0u;
    cpu.r[op.rd] = static_cast<std::uint32_t>(sum);
}

enum class Accumulate : std::uint8_t { None, Add, Subtract };

template <Accumulate Mode, bool Round>
void multiply_top(CpuState& cpu, const MicroOp& op) {
    const auto product = static_cast<std::uint64_t>(wide(cpu.r[op.rn]) * wide(cpu.r[op.rm]));
    std::uint64_t sum = Round ? 0x80000000u : 0;
    if constexpr (Mode != Accumulate::None) sum += std::uint64_t{cpu.r[op.ra]} << 32;
    sum = Mode == Accumulate::Subtract ? sum - product : sum + product;
    cpu.r[op.rd] = static_cast<std::uint32_t>(sum >> 32);
}

// Long products: rd is the low, ra the high half.

std::uint64_t accumulator(const CpuState& cpu, const MicroOp& op) {
    return std::uint64_t{cpu.r[op.ra]} << 32 | cpu.r[op.rd];
}
void set_long(CpuState& cpu, const MicroOp& op, std::uint64_t value) {
    cpu.r[op.rd] = static_cast<std::uint32_t>(value);
    cpu.r[op.ra] = static_cast<std::uint32_t>(value >> 32);
}

template <bool Signed, bool Accumulating>
void multiply_long(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t first = cpu.r[op.rn], second = cpu.r[op.rm];
    std::uint64_t product = Signed ? static_cast<std::uint64_t>(wide(first) * wide(second))
                                   : std::uint64_t{first} * second;
    if constexpr (Accumulating) product += accumulator(cpu, op);
    set_long(cpu, op, product);
}

/// UMAAL: the two words are added to the product; that cannot overflow.
void multiply_accumulate_twice(CpuState& cpu, const MicroOp& op) {
    set_long(cpu, op, std::uint64_t{cpu.r[op.rn]} * cpu.r[op.rm] + cpu.r[op.rd] + cpu.r[op.ra]);
}

template <bool TopN, bool TopM>
void multiply_long_halfwords(CpuState& cpu, const MicroOp& op) {
    const std::int64_t product = std::int64_t{half<TopN>(cpu.r[op.rn])} * half<TopM>(cpu.r[op.rm]);
    set_long(cpu, op, accumulator(cpu, op) + static_cast<std::uint64_t>(product));
}

template <bool Subtract, bool Exchange>
void multiply_long_pairs(CpuState& cpu, const MicroOp& op) {
    const std::int64_t product = pair_product<Subtract, Exchange>(cpu.r[op.rn], cpu.r[op.rm]);
    set_long(cpu, op, accumulator(cpu, op) + static_cast<std::uint64_t>(product));
}

/// Fields l or L (low half) and d or D (high half), depending on whether they are read too.
template <auto Semantics>
void long_product(B b, F f) {
    const auto low = static_cast<std::uint8_t>(f['l'] | f['L']);
    const auto high = static_cast<std::uint8_t>(f['d'] | f['D']);
    const std::uint8_t rn = f.reg('n'), rm = f.reg('m');
    // Unpredictable, like one register for both halves; that keeps the high one.
    if (low == 15 || high == 15) return b.undefined();
    expose_sources(b, {rn, rm});
    MicroOp& op = b.emit(handler<Semantics>);
    op.rd = low;
    op.ra = high;
    op.rn = rn;
    op.rm = rm;
    if (low == 13 || high == 13) b.align_sp();
}

/// Division ends early: small quotients cost less. By magnitudes.
void charge_division(CpuState& cpu, std::uint32_t dividend, std::uint32_t divisor,
                     std::uint32_t quotient) {
    if (const DynamicTiming* timing = cpu.dynamic)
        cpu.budget -= timing->divide.extra(dividend, divisor);
    const unsigned step = cpu.divide_bits_per_cycle;
    if (step == 0) return;
    const auto bits = static_cast<unsigned>(std::bit_width(quotient));
    cpu.budget -= (bits + step - 1) / step;
}

std::uint32_t magnitude(std::uint32_t bits) {
    return bits >> 31 != 0 ? 0u - bits : bits;
}

bool divide_signed(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t dividend = cpu.r[op.rn], divisor = cpu.r[op.rm];
    if (divisor == 0) [[unlikely]] {
        if (cpu.system->traps_divide_by_zero(cpu)) return raise_usage(cpu, cfsr::kDivByZero);
        cpu.r[op.rd] = 0;
        return true;
    }
    // The host traps on the one quotient that does not fit.
    const bool minus_one = divisor == 0xFFFFFFFF;
    const std::uint32_t quotient =
        minus_one ? 0u - dividend
                  : static_cast<std::uint32_t>(static_cast<std::int32_t>(dividend) /
                                               static_cast<std::int32_t>(divisor));
    cpu.r[op.rd] = quotient;
    charge_division(cpu, magnitude(dividend), magnitude(divisor),
                    minus_one ? magnitude(dividend) : magnitude(quotient));
    return true;
}

bool divide_unsigned(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t dividend = cpu.r[op.rn], divisor = cpu.r[op.rm];
    if (divisor == 0) [[unlikely]] {
        if (cpu.system->traps_divide_by_zero(cpu)) return raise_usage(cpu, cfsr::kDivByZero);
        cpu.r[op.rd] = 0;
        return true;
    }
    const std::uint32_t quotient = dividend / divisor;
    cpu.r[op.rd] = quotient;
    charge_division(cpu, dividend, divisor, quotient);
    return true;
}

constexpr Issue kMul = Issue::Mul;

constexpr Row kRows[] = {
    // Words.
    {"MUL T2", "111110110000 nnnn 1111 dddd 0000 mmmm", "mul{:it} {d:r}, {n:r}, {m:r}",
     plain<multiply>, kMul},
    {"MLA", "111110110000 nnnn aaaa dddd 0000 mmmm", "mla{:it} {d:r}, {n:r}, {m:r}, {a:r}",
     plain<multiply_add>, kMul},
    {"MLS", "111110110000 nnnn aaaa dddd 0001 mmmm", "mls{:it} {d:r}, {n:r}, {m:r}, {a:r}",
     plain<multiply_subtract>, kMul},

    // Halfwords.
    needing(Feature::Dsp,
            {"SMULBB", "111110110001 nnnn 1111 dddd 0000 mmmm", "smulbb{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_halfwords<false, false, false>>, kMul}),
    needing(Feature::Dsp,
            {"SMULBT", "111110110001 nnnn 1111 dddd 0001 mmmm", "smulbt{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_halfwords<false, true, false>>, kMul}),
    needing(Feature::Dsp,
            {"SMULTB", "111110110001 nnnn 1111 dddd 0010 mmmm", "smultb{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_halfwords<true, false, false>>, kMul}),
    needing(Feature::Dsp,
            {"SMULTT", "111110110001 nnnn 1111 dddd 0011 mmmm", "smultt{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_halfwords<true, true, false>>, kMul}),
    needing(Feature::Dsp, {"SMLABB", "111110110001 nnnn aaaa dddd 0000 mmmm",
                           "smlabb{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_halfwords<false, false, true>>, kMul}),
    needing(Feature::Dsp, {"SMLABT", "111110110001 nnnn aaaa dddd 0001 mmmm",
                           "smlabt{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_halfwords<false, true, true>>, kMul}),
    needing(Feature::Dsp, {"SMLATB", "111110110001 nnnn aaaa dddd 0010 mmmm",
                           "smlatb{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_halfwords<true, false, true>>, kMul}),
    needing(Feature::Dsp, {"SMLATT", "111110110001 nnnn aaaa dddd 0011 mmmm",
                           "smlatt{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_halfwords<true, true, true>>, kMul}),
    needing(Feature::Dsp,
            {"SMULWB", "111110110011 nnnn 1111 dddd 0000 mmmm", "smulwb{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_word_halfword<false, false>>, kMul}),
    needing(Feature::Dsp,
            {"SMULWT", "111110110011 nnnn 1111 dddd 0001 mmmm", "smulwt{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_word_halfword<true, false>>, kMul}),
    needing(Feature::Dsp, {"SMLAWB", "111110110011 nnnn aaaa dddd 0000 mmmm",
                           "smlawb{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_word_halfword<false, true>>, kMul}),
    needing(Feature::Dsp, {"SMLAWT", "111110110011 nnnn aaaa dddd 0001 mmmm",
                           "smlawt{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_word_halfword<true, true>>, kMul}),

    // Pairs of halfwords.
    needing(Feature::Dsp,
            {"SMUAD", "111110110010 nnnn 1111 dddd 0000 mmmm", "smuad{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_pairs<false, false, false>>, kMul}),
    needing(Feature::Dsp,
            {"SMUADX", "111110110010 nnnn 1111 dddd 0001 mmmm", "smuadx{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_pairs<false, true, false>>, kMul}),
    needing(Feature::Dsp, {"SMLAD", "111110110010 nnnn aaaa dddd 0000 mmmm",
                           "smlad{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_pairs<false, false, true>>, kMul}),
    needing(Feature::Dsp, {"SMLADX", "111110110010 nnnn aaaa dddd 0001 mmmm",
                           "smladx{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_pairs<false, true, true>>, kMul}),
    needing(Feature::Dsp,
            {"SMUSD", "111110110100 nnnn 1111 dddd 0000 mmmm", "smusd{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_pairs<true, false, false>>, kMul}),
    needing(Feature::Dsp,
            {"SMUSDX", "111110110100 nnnn 1111 dddd 0001 mmmm", "smusdx{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_pairs<true, true, false>>, kMul}),
    needing(Feature::Dsp, {"SMLSD", "111110110100 nnnn aaaa dddd 0000 mmmm",
                           "smlsd{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_pairs<true, false, true>>, kMul}),
    needing(Feature::Dsp, {"SMLSDX", "111110110100 nnnn aaaa dddd 0001 mmmm",
                           "smlsdx{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_pairs<true, true, true>>, kMul}),

    // Top words of the product.
    needing(Feature::Dsp,
            {"SMMUL", "111110110101 nnnn 1111 dddd 0000 mmmm", "smmul{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_top<Accumulate::None, false>>, kMul}),
    needing(Feature::Dsp,
            {"SMMULR", "111110110101 nnnn 1111 dddd 0001 mmmm", "smmulr{:it} {d:r}, {n:r}, {m:r}",
             plain<multiply_top<Accumulate::None, true>>, kMul}),
    needing(Feature::Dsp, {"SMMLA", "111110110101 nnnn aaaa dddd 0000 mmmm",
                           "smmla{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_top<Accumulate::Add, false>>, kMul}),
    needing(Feature::Dsp, {"SMMLAR", "111110110101 nnnn aaaa dddd 0001 mmmm",
                           "smmlar{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_top<Accumulate::Add, true>>, kMul}),
    needing(Feature::Dsp, {"SMMLS", "111110110110 nnnn aaaa dddd 0000 mmmm",
                           "smmls{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_top<Accumulate::Subtract, false>>, kMul}),
    needing(Feature::Dsp, {"SMMLSR", "111110110110 nnnn aaaa dddd 0001 mmmm",
                           "smmlsr{:it} {d:r}, {n:r}, {m:r}, {a:r}",
                           plain<multiply_top<Accumulate::Subtract, true>>, kMul}),

    // Long products.
    {"SMULL", "111110111000 nnnn llll dddd 0000 mmmm", "smull{:it} {l:r}, {d:r}, {n:r}, {m:r}",
     long_product<multiply_long<true, false>>, kMul},
    {"UMULL", "111110111010 nnnn llll dddd 0000 mmmm", "umull{:it} {l:r}, {d:r}, {n:r}, {m:r}",
     long_product<multiply_long<false, false>>, kMul},
    {"SMLAL", "111110111100 nnnn LLLL DDDD 0000 mmmm", "smlal{:it} {L:r}, {D:r}, {n:r}, {m:r}",
     long_product<multiply_long<true, true>>, kMul},
    {"UMLAL", "111110111110 nnnn LLLL DDDD 0000 mmmm", "umlal{:it} {L:r}, {D:r}, {n:r}, {m:r}",
     long_product<multiply_long<false, true>>, kMul},
    needing(Feature::Dsp, {"UMAAL", "111110111110 nnnn LLLL DDDD 0110 mmmm",
                           "umaal{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_accumulate_twice>, kMul}),
    needing(Feature::Dsp, {"SMLALBB", "111110111100 nnnn LLLL DDDD 1000 mmmm",
                           "smlalbb{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_halfwords<false, false>>, kMul}),
    needing(Feature::Dsp, {"SMLALBT", "111110111100 nnnn LLLL DDDD 1001 mmmm",
                           "smlalbt{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_halfwords<false, true>>, kMul}),
    needing(Feature::Dsp, {"SMLALTB", "111110111100 nnnn LLLL DDDD 1010 mmmm",
                           "smlaltb{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_halfwords<true, false>>, kMul}),
    needing(Feature::Dsp, {"SMLALTT", "111110111100 nnnn LLLL DDDD 1011 mmmm",
                           "smlaltt{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_halfwords<true, true>>, kMul}),
    needing(Feature::Dsp, {"SMLALD", "111110111100 nnnn LLLL DDDD 1100 mmmm",
                           "smlald{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_pairs<false, false>>, kMul}),
    needing(Feature::Dsp, {"SMLALDX", "111110111100 nnnn LLLL DDDD 1101 mmmm",
                           "smlaldx{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_pairs<false, true>>, kMul}),
    needing(Feature::Dsp, {"SMLSLD", "111110111101 nnnn LLLL DDDD 1100 mmmm",
                           "smlsld{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_pairs<true, false>>, kMul}),
    needing(Feature::Dsp, {"SMLSLDX", "111110111101 nnnn LLLL DDDD 1101 mmmm",
                           "smlsldx{:it} {L:r}, {D:r}, {n:r}, {m:r}",
                           long_product<multiply_long_pairs<true, true>>, kMul}),

    // Division.
    {"SDIV", "111110111001 nnnn 1111 dddd 1111 mmmm", "sdiv{:it} {d:r}, {n:r}, {m:r}",
     plain<divide_signed>, Issue::Div},
    {"UDIV", "111110111011 nnnn 1111 dddd 1111 mmmm", "udiv{:it} {d:r}, {n:r}, {m:r}",
     plain<divide_unsigned>, Issue::Div},
};

}  // namespace

std::span<const Row> multiply_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::integer

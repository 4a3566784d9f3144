// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/integer/bits.h"

#include <array>

#include "models/core/isa/integer/integer.h"
#include "models/core/isa/integer/saturate.h"

// 32-bit shifts by register, extension, bit fields, saturation to a width, bit and byte order.
namespace n6vp::models::core::isa::integer {

namespace {

using B = Builder&;
using F = const Fields&;

template <ShiftKind Kind, bool SetFlags>
void shift(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t value = cpu.r[op.rn], amount = cpu.r[op.rm] & 0xFF;
    Shifted result;
    if constexpr (Kind == ShiftKind::Lsl) result = shift_left(value, amount);
    if constexpr (Kind == ShiftKind::Lsr) result = shift_right(value, amount);
    if constexpr (Kind == ShiftKind::Asr) result = shift_right_signed(value, amount);
    if constexpr (Kind == ShiftKind::Ror) result = rotate_right(value, amount);
    cpu.r[op.rd] = result.value;
    if constexpr (SetFlags) {
        set_nz(cpu, result.value);
        if (amount != 0) cpu.c = result.carry;
    }
}

template <ShiftKind Kind>
void shift_wide(B b, F f) {
    if (f['S'] != 0 && f['d'] == 15) return b.undefined();
    emit_plain(b, f, shift_handler(Kind, f['S'] != 0));
}

// Extension: rm is rotated by imm first, the result added to rn where there is one.

enum class Extension : std::uint8_t { Byte, Halfword, BytePair };

template <Extension Width, bool Signed>
std::uint32_t extend(std::uint32_t value) {
    if constexpr (Width == Extension::BytePair) {
        if constexpr (!Signed) return value & 0x00FF00FF;
        return (sign_extend_8(value) & 0xFFFF) | sign_extend_8(value >> 16) << 16;
    } else if constexpr (Width == Extension::Byte) {
        return Signed ? sign_extend_8(value) : value & 0xFF;
    } else {
        return Signed ? sign_extend_16(value) : value & 0xFFFF;
    }
}

template <Extension Width, bool Signed, bool Add>
void extend_rotated(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t rotated = std::rotr(cpu.r[op.rm], static_cast<int>(op.imm));
    std::uint32_t value = extend<Width, Signed>(rotated);
    if constexpr (Add) {
        const std::uint32_t base = cpu.r[op.rn];
        if constexpr (Width == Extension::BytePair) {
            value = ((value + base) & 0xFFFF) | ((value >> 16) + (base >> 16)) << 16;
        } else {
            value += base;
        }
    }
    cpu.r[op.rd] = value;
}

template <Extension Width, bool Signed, bool Add>
void build_extension(B b, F f) {
    const std::uint8_t rd = f.reg('d'), rn = f.reg('n'), rm = f.reg('m');
    expose_sources(b, {rn, rm});
    MicroOp& op = b.emit(handler<extend_rotated<Width, Signed, Add>>);
    op.rd = rd;
    op.rn = rn;
    op.rm = rm;
    op.imm = f['r'] * 8;
    finish_destination(b, rd);
}

// Bit fields. imm is the mask of the field in the destination (BFI, BFC), at bit 0 (UBFX), or the
// distance of the field from bit 31 (SBFX); extra is what more it takes to shift.

void insert_field(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t moved = cpu.r[op.rn] << (op.extra & 31);
    cpu.r[op.rd] = (cpu.r[op.rd] & ~op.imm) | (moved & op.imm);
}
void clear_field(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] &= ~op.imm;
}
void extract_unsigned(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.r[op.rn] >> (op.extra & 31) & op.imm;
}
void extract_signed(CpuState& cpu, const MicroOp& op) {
    const auto up = static_cast<std::int32_t>(cpu.r[op.rn] << (op.imm & 31));
    cpu.r[op.rd] = static_cast<std::uint32_t>(up >> (op.extra & 31));
}

std::uint32_t low_mask(std::uint32_t width) {
    return width >= 32 ? ~0u : (1u << width) - 1;
}

template <bool Clear>
void build_insert(B b, F f) {
    const std::uint32_t low = f['i'], high = f['b'];
    const std::uint8_t rd = f.reg('D');
    expose_sources(b, {rd});
    MicroOp& op = b.emit(Clear ? handler<clear_field> : handler<insert_field>);
    op.rd = rd;
    op.rn = f.reg('n');
    op.imm = low_mask(high - low + 1) << low;
    op.extra = low;
    finish_destination(b, rd);
}

template <bool Signed>
void build_extract(B b, F f) {
    const std::uint32_t low = f['i'], width = f['w'] + 1;
    if (low + width > 32) return b.undefined();
    const std::uint8_t rd = f.reg('d'), rn = f.reg('n');
    expose_sources(b, {rn});
    MicroOp& op = b.emit(Signed ? handler<extract_signed> : handler<extract_unsigned>);
    op.rd = rd;
    op.rn = rn;
    op.imm = Signed ? 32 - low - width : low_mask(width);
    op.extra = Signed ? 32 - width : low;
    finish_destination(b, rd);
}

// Saturation of a shifted register to imm bits; extra is the shift.

template <bool Signed>
std::uint32_t saturate_to(CpuState& cpu, std::int32_t value, std::uint32_t bits) {
    return Signed ? saturate_signed(cpu, value, bits) : saturate_unsigned(cpu, value, bits);
}

template <bool Signed, bool Right>
void saturate_word(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t value = cpu.r[op.rn];
    const std::uint32_t amount = op.extra & 31;
    const auto shifted = Right ? static_cast<std::int32_t>(value) >> amount
                               : static_cast<std::int32_t>(value << amount);
    cpu.r[op.rd] = saturate_to<Signed>(cpu, shifted, op.imm);
}

template <bool Signed>
void saturate_halfwords(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t value = cpu.r[op.rn];
    const auto low = static_cast<std::int16_t>(value & 0xFFFF);
    const auto high = static_cast<std::int16_t>(value >> 16);
    cpu.r[op.rd] = (saturate_to<Signed>(cpu, low, op.imm) & 0xFFFF) |
                   saturate_to<Signed>(cpu, high, op.imm) << 16;
}

template <bool Signed>
void build_saturation(B b, F f) {
    const std::uint8_t rd = f.reg('d'), rn = f.reg('n');
    expose_sources(b, {rn});
    MicroOp& op = b.emit(f['k'] != 0 ? handler<saturate_word<Signed, true>>
                                     : handler<saturate_word<Signed, false>>);
    op.rd = rd;
    op.rn = rn;
    op.imm = f['w'] + (Signed ? 1 : 0);
    op.extra = f['i'];
    finish_destination(b, rd);
}

template <bool Signed>
void build_saturation_16(B b, F f) {
    const std::uint8_t rd = f.reg('d'), rn = f.reg('n');
    expose_sources(b, {rn});
    MicroOp& op = b.emit(handler<saturate_halfwords<Signed>>);
    op.rd = rd;
    op.rn = rn;
    op.imm = f['w'] + (Signed ? 1 : 0);
    finish_destination(b, rd);
}

void count_leading_zeros(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = static_cast<std::uint32_t>(std::countl_zero(cpu.r[op.rm]));
}

void reverse_bits(CpuState& cpu, const MicroOp& op) {
    std::uint32_t value = reverse_bytes(cpu.r[op.rm]);
    value = (value & 0x0F0F0F0F) << 4 | (value >> 4 & 0x0F0F0F0F);
    value = (value & 0x33333333) << 2 | (value >> 2 & 0x33333333);
    value = (value & 0x55555555) << 1 | (value >> 1 & 0x55555555);
    cpu.r[op.rd] = value;
}

/// A field that ends below its start is unpredictable.
bool ends_above(F f) {
    return f['b'] >= f['i'];
}

/// A right shift by zero would be SSAT16 or USAT16.
bool is_shift(F f) {
    return f['k'] == 0 || f['i'] != 0;
}

using enum Extension;
constexpr Issue kPair = Issue::AluPairable, kShifted = Issue::Shifted;

constexpr Row kRows[] = {
    // Shift by register.
    {"LSL (register) T2", "11111010000S nnnn 1111 dddd 0000 mmmm",
     "lsl{S:S}{:it}.w {d:r}, {n:r}, {m:r}", shift_wide<ShiftKind::Lsl>},
    {"LSR (register) T2", "11111010001S nnnn 1111 dddd 0000 mmmm",
     "lsr{S:S}{:it}.w {d:r}, {n:r}, {m:r}", shift_wide<ShiftKind::Lsr>},
    {"ASR (register) T2", "11111010010S nnnn 1111 dddd 0000 mmmm",
     "asr{S:S}{:it}.w {d:r}, {n:r}, {m:r}", shift_wide<ShiftKind::Asr>},
    {"ROR (register) T2", "11111010011S nnnn 1111 dddd 0000 mmmm",
     "ror{S:S}{:it}.w {d:r}, {n:r}, {m:r}", shift_wide<ShiftKind::Ror>},

    // Extension.
    {"SXTH T2", "111110100000 1111 1111 dddd 1-rr mmmm", "sxth{:it}.w {d:r}, {m:r}{r:ror}",
     build_extension<Halfword, true, false>, kPair},
    {"UXTH T2", "111110100001 1111 1111 dddd 1-rr mmmm", "uxth{:it}.w {d:r}, {m:r}{r:ror}",
     build_extension<Halfword, false, false>, kPair},
    needing(Feature::Dsp,
            {"SXTB16", "111110100010 1111 1111 dddd 1-rr mmmm", "sxtb16{:it} {d:r}, {m:r}{r:ror}",
             build_extension<BytePair, true, false>, kShifted}),
    needing(Feature::Dsp,
            {"UXTB16", "111110100011 1111 1111 dddd 1-rr mmmm", "uxtb16{:it} {d:r}, {m:r}{r:ror}",
             build_extension<BytePair, false, false>, kShifted}),
    {"SXTB T2", "111110100100 1111 1111 dddd 1-rr mmmm", "sxtb{:it}.w {d:r}, {m:r}{r:ror}",
     build_extension<Byte, true, false>, kPair},
    {"UXTB T2", "111110100101 1111 1111 dddd 1-rr mmmm", "uxtb{:it}.w {d:r}, {m:r}{r:ror}",
     build_extension<Byte, false, false>, kPair},
    needing(Feature::Dsp, {"SXTAH", "111110100000 nnnn 1111 dddd 1-rr mmmm",
                           "sxtah{:it} {d:r}, {n:r}, {m:r}{r:ror}",
                           build_extension<Halfword, true, true>, kShifted}),
    needing(Feature::Dsp, {"UXTAH", "111110100001 nnnn 1111 dddd 1-rr mmmm",
                           "uxtah{:it} {d:r}, {n:r}, {m:r}{r:ror}",
                           build_extension<Halfword, false, true>, kShifted}),
    needing(Feature::Dsp, {"SXTAB16", "111110100010 nnnn 1111 dddd 1-rr mmmm",
                           "sxtab16{:it} {d:r}, {n:r}, {m:r}{r:ror}",
                           build_extension<BytePair, true, true>, kShifted}),
    needing(Feature::Dsp, {"UXTAB16", "111110100011 nnnn 1111 dddd 1-rr mmmm",
                           "uxtab16{:it} {d:r}, {n:r}, {m:r}{r:ror}",
                           build_extension<BytePair, false, true>, kShifted}),
    needing(Feature::Dsp,
            {"SXTAB", "111110100100 nnnn 1111 dddd 1-rr mmmm",
             "sxtab{:it} {d:r}, {n:r}, {m:r}{r:ror}", build_extension<Byte, true, true>, kShifted}),
    needing(Feature::Dsp, {"UXTAB", "111110100101 nnnn 1111 dddd 1-rr mmmm",
                           "uxtab{:it} {d:r}, {n:r}, {m:r}{r:ror}",
                           build_extension<Byte, false, true>, kShifted}),

    // Bit fields.
    {"BFC", "111100110110 1111 0 iii DDDD ii 0 bbbbb", "bfc{:it} {D:r}, {i:u}, {:width}",
     build_insert<true>, Issue::Alu, Unit::Integer, ends_above},
    {"BFI", "111100110110 nnnn 0 iii DDDD ii 0 bbbbb", "bfi{:it} {D:r}, {n:r}, {i:u}, {:width}",
     build_insert<false>, Issue::Alu, Unit::Integer, ends_above},
    {"SBFX", "11110-110100 nnnn 0 iii dddd ii - wwwww", "sbfx{:it} {d:r}, {n:r}, {i:u}, {w:p1}",
     build_extract<true>, kShifted},
    {"UBFX", "11110-111100 nnnn 0 iii dddd ii - wwwww", "ubfx{:it} {d:r}, {n:r}, {i:u}, {w:p1}",
     build_extract<false>, kShifted},

    // Saturation to a width.
    {"SSAT", "1111001100k0 nnnn 0 iii dddd ii 0 wwwww", "ssat{:it} {d:r}, {w:p1}, {n:r}{:satshift}",
     build_saturation<true>, kShifted, Unit::Integer, is_shift},
    {"USAT", "1111001110k0 nnnn 0 iii dddd ii 0 wwwww", "usat{:it} {d:r}, {w:u}, {n:r}{:satshift}",
     build_saturation<false>, kShifted, Unit::Integer, is_shift},
    needing(Feature::Dsp,
            {"SSAT16", "111100110010 nnnn 0 000 dddd 00 00 wwww",
             "ssat16{:it} {d:r}, {w:p1}, {n:r}", build_saturation_16<true>, kShifted}),
    needing(Feature::Dsp,
            {"USAT16", "111100111010 nnnn 0 000 dddd 00 00 wwww", "usat16{:it} {d:r}, {w:u}, {n:r}",
             build_saturation_16<false>, kShifted}),

    // Bit and byte order. The source stands in the encoding twice; decoders look at the last.
    {"REV T2", "111110101001 nnnn 1111 dddd 1000 mmmm", "rev{:it}.w {d:r}, {m:r}",
     plain<reverse_word>},
    {"REV16 T2", "111110101001 nnnn 1111 dddd 1001 mmmm", "rev16{:it}.w {d:r}, {m:r}",
     plain<reverse_halfwords>},
    {"RBIT", "111110101001 nnnn 1111 dddd 1010 mmmm", "rbit{:it} {d:r}, {m:r}",
     plain<reverse_bits>},
    {"REVSH T2", "111110101001 nnnn 1111 dddd 1011 mmmm", "revsh{:it}.w {d:r}, {m:r}",
     plain<reverse_signed_halfword>},
    {"CLZ", "111110101011 nnnn 1111 dddd 1000 mmmm", "clz{:it} {d:r}, {m:r}",
     plain<count_leading_zeros>},
};

}  // namespace

Handler shift_handler(ShiftKind kind, bool set_flags) {
    static constexpr std::array<Handler, 8> kTable = {
        handler<shift<ShiftKind::Lsl, false>>, handler<shift<ShiftKind::Lsl, true>>,
        handler<shift<ShiftKind::Lsr, false>>, handler<shift<ShiftKind::Lsr, true>>,
        handler<shift<ShiftKind::Asr, false>>, handler<shift<ShiftKind::Asr, true>>,
        handler<shift<ShiftKind::Ror, false>>, handler<shift<ShiftKind::Ror, true>>,
    };
    return kTable[static_cast<unsigned>(kind) * 2 + (set_flags ? 1 : 0)];
}

std::span<const Row> bit_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::integer

// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>

#include "models/core/isa/integer/integer.h"

// Armv8.1-M shifts of register pairs, and rounding and saturating shifts of one register.
namespace n6vp::models::core::isa::integer {

namespace {

using B = Builder&;
using F = const Fields&;
using Unsigned = std::uint64_t;
using Signed = std::int64_t;

// Arithmetic in 64 bits with `bits` (32, 48 or 64) as the width of the result. Amounts go up to
// 128.

constexpr Unsigned unsigned_top(unsigned bits) {
    return std::numeric_limits<Unsigned>::max() >> (64 - bits);
}
constexpr Signed signed_top(unsigned bits) {
    return std::numeric_limits<Signed>::max() >> (64 - bits);
}

Unsigned saturate(CpuState& cpu, Unsigned value, unsigned bits) {
    if (value <= unsigned_top(bits)) return value;
    cpu.q = 1;
    return unsigned_top(bits);
}
Signed saturate(CpuState& cpu, Signed value, unsigned bits) {
    const Signed top = signed_top(bits);
    if (value <= top && value >= ~top) return value;
    cpu.q = 1;
    return value < 0 ? ~top : top;
}

Unsigned shift_left_saturating(CpuState& cpu, Unsigned value, unsigned amount, unsigned bits) {
    const bool lost = amount >= 64 ? value != 0 : value << amount >> amount != value;
    if (lost) {
        cpu.q = 1;
        return unsigned_top(bits);
    }
    return amount >= 64 ? 0 : saturate(cpu, value << amount, bits);
}
Signed shift_left_saturating(CpuState& cpu, Signed value, unsigned amount, unsigned bits) {
    const auto moved = amount >= 64 ? Signed{0} : static_cast<Signed>(Unsigned(value) << amount);
    if ((amount >= 64 ? 0 : moved >> amount) != value) {
        cpu.q = 1;
        return value < 0 ? ~signed_top(bits) : signed_top(bits);
    }
    return saturate(cpu, moved, bits);
}

/// Rounds half up; `amount` is at least 1.
Unsigned shift_right_rounding(Unsigned value, unsigned amount) {
    if (amount > 64) return 0;
    const Unsigned half = value >> (amount - 1);
    return (half >> 1) + (half & 1);
}
Signed shift_right_rounding(Signed value, unsigned amount) {
    if (amount > 63) return 0;
    const Signed half = value >> (amount - 1);
    return (half >> 1) + (half & 1);
}

/// Shifts left by `amount`, right with rounding if it is negative.
template <class T>
T shift_saturating(CpuState& cpu, T value, int amount, unsigned bits) {
    if (amount >= 0) return shift_left_saturating(cpu, value, unsigned(amount), bits);
    return saturate(cpu, shift_right_rounding(value, unsigned(-amount)), bits);
}

Unsigned shift_plain(Unsigned value, int amount) {
    if (amount <= -64 || amount >= 64) return 0;
    return amount >= 0 ? value << amount : value >> -amount;
}
Signed shift_plain(Signed value, int amount) {
    if (amount >= 64) return 0;
    if (amount >= 0) return static_cast<Signed>(Unsigned(value) << amount);
    return value >> (amount <= -64 ? 63 : -amount);
}

// Operands. A pair is rd (low) and ra (high); a single register is rd.

Unsigned pair(const CpuState& cpu, const MicroOp& op) {
    return Unsigned{cpu.r[op.ra]} << 32 | cpu.r[op.rd];
}
void set_pair(CpuState& cpu, const MicroOp& op, Unsigned value) {
    cpu.r[op.rd] = static_cast<std::uint32_t>(value);
    cpu.r[op.ra] = static_cast<std::uint32_t>(value >> 32);
}
/// The amount in a register is a signed byte.
int register_amount(const CpuState& cpu, const MicroOp& op) {
    return static_cast<std::int8_t>(cpu.r[op.rm] & 0xFF);
}
Unsigned word(const CpuState& cpu, const MicroOp& op, Unsigned) {
    return cpu.r[op.rd];
}
Signed word(const CpuState& cpu, const MicroOp& op, Signed) {
    return static_cast<std::int32_t>(cpu.r[op.rd]);
}

// Pairs by immediate, 1 to 32.

void shift_pair_left(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, pair(cpu, op) << (op.imm & 63));
}
void shift_pair_right(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, pair(cpu, op) >> (op.imm & 63));
}
void shift_pair_right_signed(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, Unsigned(Signed(pair(cpu, op)) >> (op.imm & 63)));
}
template <class T>
void saturate_pair(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, Unsigned(shift_left_saturating(cpu, T(pair(cpu, op)), op.imm, 64)));
}
template <class T>
void round_pair(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, Unsigned(shift_right_rounding(T(pair(cpu, op)), op.imm)));
}

// Pairs by register.

void shift_pair_left_by(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, shift_plain(pair(cpu, op), register_amount(cpu, op)));
}
void shift_pair_right_signed_by(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, Unsigned(shift_plain(Signed(pair(cpu, op)), -register_amount(cpu, op))));
}
template <unsigned Bits>
void saturate_pair_left_by(CpuState& cpu, const MicroOp& op) {
    set_pair(cpu, op, shift_saturating(cpu, pair(cpu, op), register_amount(cpu, op), Bits));
}
template <unsigned Bits>
void saturate_pair_right_by(CpuState& cpu, const MicroOp& op) {
    const Signed value = Signed(pair(cpu, op));
    set_pair(cpu, op, Unsigned(shift_saturating(cpu, value, -register_amount(cpu, op), Bits)));
}

// Single registers.

template <class T>
void saturate_word(CpuState& cpu, const MicroOp& op) {
    const T result = shift_left_saturating(cpu, word(cpu, op, T{}), op.imm, 32);
    cpu.r[op.rd] = static_cast<std::uint32_t>(result);
}
template <class T>
void round_word(CpuState& cpu, const MicroOp& op) {
    const T result = shift_right_rounding(word(cpu, op, T{}), op.imm);
    cpu.r[op.rd] = static_cast<std::uint32_t>(result);
}
template <class T, int Direction>
void saturate_word_by(CpuState& cpu, const MicroOp& op) {
    const int amount = Direction * register_amount(cpu, op);
    cpu.r[op.rd] =
        static_cast<std::uint32_t>(shift_saturating(cpu, word(cpu, op, T{}), amount, 32));
}

std::uint32_t amount_of(F f) {
    return f['i'] == 0 ? 32 : f['i'];
}

template <auto Semantics>
void pair_by_immediate(B b, F f) {
    MicroOp& op = b.emit(handler<Semantics>);
    op.rd = static_cast<std::uint8_t>(f['L'] * 2);
    op.ra = static_cast<std::uint8_t>(f['D'] * 2 + 1);
    op.imm = amount_of(f);
}

template <auto Semantics>
void pair_by_register(B b, F f) {
    const auto low = static_cast<std::uint8_t>(f['L'] * 2);
    const auto high = static_cast<std::uint8_t>(f['D'] * 2 + 1);
    const std::uint8_t rm = f.reg('m');
    if (rm == 13 || rm == 15 || rm == low || rm == high) return b.undefined();
    MicroOp& op = b.emit(handler<Semantics>);
    op.rd = low;
    op.ra = high;
    op.rm = rm;
}

template <auto Semantics>
void word_by_immediate(B b, F f) {
    const std::uint8_t rd = f.reg('D');
    if (rd == 13 || rd == 15) return b.undefined();
    MicroOp& op = b.emit(handler<Semantics>);
    op.rd = rd;
    op.imm = amount_of(f);
}

template <auto Semantics>
void word_by_register(B b, F f) {
    const std::uint8_t rd = f.reg('D'), rm = f.reg('m');
    if (rd == 13 || rd == 15 || rm == 13 || rm == 15 || rm == rd) return b.undefined();
    MicroOp& op = b.emit(handler<Semantics>);
    op.rd = rd;
    op.rm = rm;
}

/// A high half in r13 is unpredictable, one in r15 stands for the single-register shifts.
bool is_pair(F f) {
    return f['D'] < 6;
}

constexpr Issue kShifted = Issue::Shifted;
constexpr Unit kInteger = Unit::Integer;

constexpr Row kRows[] = {
    // Pairs by immediate.
    {"LSLL (immediate)", "111010100101 LLL 0 0 iii DDD 1 ii 00 1111",
     "lsll{:it} {L:even}, {D:odd}, {i:u32}", pair_by_immediate<shift_pair_left>, kShifted, kInteger,
     is_pair},
    {"LSRL (immediate)", "111010100101 LLL 0 0 iii DDD 1 ii 01 1111",
     "lsrl{:it} {L:even}, {D:odd}, {i:u32}", pair_by_immediate<shift_pair_right>, kShifted,
     kInteger, is_pair},
    {"ASRL (immediate)", "111010100101 LLL 0 0 iii DDD 1 ii 10 1111",
     "asrl{:it} {L:even}, {D:odd}, {i:u32}", pair_by_immediate<shift_pair_right_signed>, kShifted,
     kInteger, is_pair},
    {"UQSHLL (immediate)", "111010100101 LLL 1 0 iii DDD 1 ii 00 1111",
     "uqshll{:it} {L:even}, {D:odd}, {i:u32}", pair_by_immediate<saturate_pair<Unsigned>>, kShifted,
     kInteger, is_pair},
    {"URSHRL (immediate)", "111010100101 LLL 1 0 iii DDD 1 ii 01 1111",
     "urshrl{:it} {L:even}, {D:odd}, {i:u32}", pair_by_immediate<round_pair<Unsigned>>, kShifted,
     kInteger, is_pair},
    {"SRSHRL (immediate)", "111010100101 LLL 1 0 iii DDD 1 ii 10 1111",
     "srshrl{:it} {L:even}, {D:odd}, {i:u32}", pair_by_immediate<round_pair<Signed>>, kShifted,
     kInteger, is_pair},
    {"SQSHLL (immediate)", "111010100101 LLL 1 0 iii DDD 1 ii 11 1111",
     "sqshll{:it} {L:even}, {D:odd}, {i:u32}", pair_by_immediate<saturate_pair<Signed>>, kShifted,
     kInteger, is_pair},

    // Pairs by register.
    {"LSLL (register)", "111010100101 LLL 0 mmmm DDD 1 0000 1101",
     "lsll{:it} {L:even}, {D:odd}, {m:r}", pair_by_register<shift_pair_left_by>, kShifted, kInteger,
     is_pair},
    {"ASRL (register)", "111010100101 LLL 0 mmmm DDD 1 0010 1101",
     "asrl{:it} {L:even}, {D:odd}, {m:r}", pair_by_register<shift_pair_right_signed_by>, kShifted,
     kInteger, is_pair},
    {"UQRSHLL (register, 64)", "111010100101 LLL 1 mmmm DDD 1 0000 1101",
     "uqrshll{:it} {L:even}, {D:odd}, #64, {m:r}", pair_by_register<saturate_pair_left_by<64>>,
     kShifted, kInteger, is_pair},
    {"UQRSHLL (register, 48)", "111010100101 LLL 1 mmmm DDD 1 1000 1101",
     "uqrshll{:it} {L:even}, {D:odd}, #48, {m:r}", pair_by_register<saturate_pair_left_by<48>>,
     kShifted, kInteger, is_pair},
    {"SQRSHRL (register, 64)", "111010100101 LLL 1 mmmm DDD 1 0010 1101",
     "sqrshrl{:it} {L:even}, {D:odd}, #64, {m:r}", pair_by_register<saturate_pair_right_by<64>>,
     kShifted, kInteger, is_pair},
    {"SQRSHRL (register, 48)", "111010100101 LLL 1 mmmm DDD 1 1010 1101",
     "sqrshrl{:it} {L:even}, {D:odd}, #48, {m:r}", pair_by_register<saturate_pair_right_by<48>>,
     kShifted, kInteger, is_pair},

    // One register.
    {"UQSHL (immediate)", "111010100101 DDDD 0 iii 1111 ii 00 1111", "uqshl{:it} {D:r}, {i:u32}",
     word_by_immediate<saturate_word<Unsigned>>, kShifted},
    {"URSHR (immediate)", "111010100101 DDDD 0 iii 1111 ii 01 1111", "urshr{:it} {D:r}, {i:u32}",
     word_by_immediate<round_word<Unsigned>>, kShifted},
    {"SRSHR (immediate)", "111010100101 DDDD 0 iii 1111 ii 10 1111", "srshr{:it} {D:r}, {i:u32}",
     word_by_immediate<round_word<Signed>>, kShifted},
    {"SQSHL (immediate)", "111010100101 DDDD 0 iii 1111 ii 11 1111", "sqshl{:it} {D:r}, {i:u32}",
     word_by_immediate<saturate_word<Signed>>, kShifted},
    {"UQRSHL (register)", "111010100101 DDDD mmmm 1111 0000 1101", "uqrshl{:it} {D:r}, {m:r}",
     word_by_register<saturate_word_by<Unsigned, 1>>, kShifted},
    {"SQRSHR (register)", "111010100101 DDDD mmmm 1111 0010 1101", "sqrshr{:it} {D:r}, {m:r}",
     word_by_register<saturate_word_by<Signed, -1>>, kShifted},
};

}  // namespace

std::span<const Row> long_shift_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::integer

// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/directives.h"
#include "models/core/isa/integer/integer.h"

// The sixteen operations in 32-bit encodings, and moves of 16-bit constants.
namespace n6vp::models::core::isa::integer {

namespace {

using B = Builder&;
using F = const Fields&;

void build_shifted(B b, F f, Operation operation, std::uint8_t rn, std::uint32_t kind) {
    const ImmediateShift shift = decode_shift(kind, f['i']);
    emit_alu(b, {.operation = operation,
                 .operand = shift.operand,
                 .set_flags = f['S'] != 0 || only_compares(operation),
                 .rd = f.reg('d'),
                 .rn = rn,
                 .rm = f.reg('m'),
                 .imm = shift.amount});
}

void build_modified(B b, F f, Operation operation, std::uint8_t rn) {
    const std::uint32_t imm12 = f['i'];
    // Only rotated constants, and those of logical operations, reach the carry flag.
    const bool rotated = imm12 >> 10 != 0;
    emit_alu(b, {.operation = operation,
                 .operand = rotated ? Operand::ImmediateToCarry : Operand::Immediate,
                 .set_flags = f['S'] != 0 || only_compares(operation),
                 .rd = f.reg('d'),
                 .rn = rn,
                 .imm = expand_modified_immediate(imm12)});
}

template <Operation Op>
void shifted(B b, F f) {
    build_shifted(b, f, Op, f.reg('n'), f['k']);
}
template <unsigned Kind>
void move_shifted(B b, F f) {
    build_shifted(b, f, Operation::Mov, 0, Kind);
}
template <Operation Op>
void on_stack_shifted(B b, F f) {
    build_shifted(b, f, Op, 13, f['k']);
}

template <Operation Op>
void modified(B b, F f) {
    build_modified(b, f, Op, f.reg('n'));
}
template <Operation Op>
void on_stack_modified(B b, F f) {
    build_modified(b, f, Op, 13);
}

template <bool Up>
void address_of_literal(B b, F f) {
    const std::uint32_t base = b.pc_operand() & ~3u;
    emit_alu(b, {.rd = f.reg('d'), .imm = Up ? base + f['i'] : base - f['i']});
}

/// Of the PC, word-aligned, only 0 is subtracted here: ADR is the rest.
template <Operation Op>
void add_12_bits(B b, F f) {
    if (f['n'] == 15) return address_of_literal<Op == Operation::Add>(b, f);
    emit_alu(b, {.operation = Op, .rd = f.reg('d'), .rn = f.reg('n'), .imm = f['i']});
}
template <Operation Op>
void add_12_bits_on_stack(B b, F f) {
    emit_alu(b, {.operation = Op, .rd = f.reg('d'), .rn = 13, .imm = f['i']});
}

// Constants of 16 bits: four of them, j, stand apart.

std::uint32_t imm16(F f) {
    return f['j'] << 12 | f['i'];
}

void move_wide(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = op.imm;
}
void build_move_wide(B b, F f) {
    MicroOp& op = b.emit(handler<move_wide>);
    op.rd = f.reg('d');
    op.imm = imm16(f);
    finish_destination(b, f.reg('d'));
}

void move_top(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = (cpu.r[op.rd] & 0xFFFF) | op.imm;
}
void build_move_top(B b, F f) {
    const std::uint8_t rd = f.reg('D');
    expose_sources(b, {rd});
    MicroOp& op = b.emit(handler<move_top>);
    op.rd = rd;
    op.imm = imm16(f) << 16;
    finish_destination(b, rd);
}

// PKHBT takes its top half from rm shifted left by imm, PKHTB its bottom half from rm shifted
// right.

void pack_bottom_top(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = (cpu.r[op.rn] & 0xFFFF) | (cpu.r[op.rm] << (op.imm & 31) & 0xFFFF0000u);
}
void pack_top_bottom(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t bottom = shift_right_signed(cpu.r[op.rm], op.imm & 63).value;
    cpu.r[op.rd] = (cpu.r[op.rn] & 0xFFFF0000u) | (bottom & 0xFFFF);
}
template <bool Top>
void build_pack(B b, F f) {
    const std::uint8_t rd = f.reg('d'), rn = f.reg('n'), rm = f.reg('m');
    expose_sources(b, {rn, rm});
    MicroOp& op = b.emit(Top ? handler<pack_top_bottom> : handler<pack_bottom_top>);
    op.rd = rd;
    op.rn = rn;
    op.rm = rm;
    op.imm = decode_shift(Top ? 2 : 0, f['i']).amount;
    finish_destination(b, rd);
}

/// Where ORRS and MOVS would name 13 or 15 as their last operand lie the long shifts: if the
/// destination were odd, or lr. Their neighbours with bit 15 set are conditional selects.
bool not_long_shift(F f) {
    const bool special = f['m'] == 13 || f['m'] == 15;
    return f['S'] == 0 || !special || (f['d'] % 2 == 0 && f['d'] != 14);
}
bool not_zero(F f) {
    return f['i'] != 0;
}

using enum Operation;
constexpr Issue kPair = Issue::AluPairable, kShifted = Issue::Shifted;

constexpr Row kRows[] = {
    // Shifted register.
    {"TST (register) T2", "111010100001 nnnn - iii 1111 iikk mmmm",
     "tst{:it}.w {n:r}, {m:r}{:shift}", shifted<Tst>, kShifted},
    {"AND (register) T2", "11101010000S nnnn - iii dddd iikk mmmm",
     "and{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<And>, kShifted},
    {"BIC (register) T2", "11101010001S nnnn - iii dddd iikk mmmm",
     "bic{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<Bic>, kShifted},
    {"MOV (register) T3", "11101010010S 1111 0 000 dddd 00 00 mmmm", "mov{S:S}{:it}.w {d:r}, {m:r}",
     shifted<Mov>, kPair, Unit::Integer, not_long_shift},
    {"LSL (immediate) T2", "11101010010S 1111 0 iii dddd ii 00 mmmm",
     "lsl{S:S}{:it}.w {d:r}, {m:r}, {i:u}", move_shifted<0>, kShifted, Unit::Integer,
     not_long_shift},
    {"LSR (immediate) T2", "11101010010S 1111 0 iii dddd ii 01 mmmm",
     "lsr{S:S}{:it}.w {d:r}, {m:r}, {i:u32}", move_shifted<1>, kShifted, Unit::Integer,
     not_long_shift},
    {"ASR (immediate) T2", "11101010010S 1111 0 iii dddd ii 10 mmmm",
     "asr{S:S}{:it}.w {d:r}, {m:r}, {i:u32}", move_shifted<2>, kShifted, Unit::Integer,
     not_long_shift},
    {"ROR (immediate) T1", "11101010010S 1111 0 iii dddd ii 11 mmmm",
     "ror{S:S}{:it}.w {d:r}, {m:r}, {i:u}", move_shifted<3>, kShifted, Unit::Integer,
     not_long_shift},
    {"RRX T1", "11101010010S 1111 0 000 dddd 00 11 mmmm", "rrx{S:S}{:it} {d:r}, {m:r}",
     move_shifted<3>, kShifted, Unit::Integer, not_long_shift},
    {"ORR (register) T2", "11101010010S nnnn 0 iii dddd iikk mmmm",
     "orr{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<Orr>, kShifted, Unit::Integer,
     not_long_shift},
    {"MVN (register) T2", "11101010011S 1111 - iii dddd iikk mmmm",
     "mvn{S:S}{:it}.w {d:r}, {m:r}{:shift}", shifted<Mvn>, kShifted},
    {"ORN (register) T1", "11101010011S nnnn - iii dddd iikk mmmm",
     "orn{S:S}{:it} {d:r}, {n:r}, {m:r}{:shift}", shifted<Orn>, kShifted},
    {"TEQ (register) T1", "111010101001 nnnn - iii 1111 iikk mmmm",
     "teq{:it}.w {n:r}, {m:r}{:shift}", shifted<Teq>, kShifted},
    {"EOR (register) T2", "11101010100S nnnn - iii dddd iikk mmmm",
     "eor{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<Eor>, kShifted},
    {"CMN (register) T2", "111010110001 nnnn - iii 1111 iikk mmmm",
     "cmn{:it}.w {n:r}, {m:r}{:shift}", shifted<Cmn>, kShifted},
    {"ADD (SP plus register) T3", "11101011000S 1101 - iii dddd iikk mmmm",
     "add{S:S}{:it}.w {d:r}, sp, {m:r}{:shift}", on_stack_shifted<Add>, kShifted},
    {"ADD (register) T3", "11101011000S nnnn - iii dddd iikk mmmm",
     "add{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<Add>, kShifted},
    {"ADC (register) T2", "11101011010S nnnn - iii dddd iikk mmmm",
     "adc{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<Adc>, kShifted},
    {"SBC (register) T2", "11101011011S nnnn - iii dddd iikk mmmm",
     "sbc{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<Sbc>, kShifted},
    {"CMP (register) T3", "111010111011 nnnn - iii 1111 iikk mmmm",
     "cmp{:it}.w {n:r}, {m:r}{:shift}", shifted<Cmp>, kShifted},
    {"SUB (SP minus register) T1", "11101011101S 1101 - iii dddd iikk mmmm",
     "sub{S:S}{:it}.w {d:r}, sp, {m:r}{:shift}", on_stack_shifted<Sub>, kShifted},
    {"SUB (register) T2", "11101011101S nnnn - iii dddd iikk mmmm",
     "sub{S:S}{:it}.w {d:r}, {n:r}, {m:r}{:shift}", shifted<Sub>, kShifted},
    {"RSB (register) T1", "11101011110S nnnn - iii dddd iikk mmmm",
     "rsb{S:S}{:it} {d:r}, {n:r}, {m:r}{:shift}", shifted<Rsb>, kShifted},
    needing(Feature::Dsp, {"PKHBT", "111010101100 nnnn - iii dddd ii 00 mmmm",
                           "pkhbt{:it} {d:r}, {n:r}, {m:r}{i:lsl}", build_pack<false>, kShifted}),
    needing(Feature::Dsp,
            {"PKHTB", "111010101100 nnnn - iii dddd ii 10 mmmm",
             "pkhtb{:it} {d:r}, {n:r}, {m:r}, asr {i:u32}", build_pack<true>, kShifted}),

    // Modified immediate.
    {"TST (immediate) T1", "11110i000001 nnnn 0 iii 1111 iiiiiiii", "tst{:it}.w {n:r}, {i:mod}",
     modified<Tst>},
    {"AND (immediate) T1", "11110i00000S nnnn 0 iii dddd iiiiiiii",
     "and{S:S}{:it} {d:r}, {n:r}, {i:mod}", modified<And>},
    {"BIC (immediate) T1", "11110i00001S nnnn 0 iii dddd iiiiiiii",
     "bic{S:S}{:it} {d:r}, {n:r}, {i:mod}", modified<Bic>},
    {"MOV (immediate) T2", "11110i00010S 1111 0 iii dddd iiiiiiii",
     "mov{S:S}{:it}.w {d:r}, {i:mod}", modified<Mov>, kPair},
    {"ORR (immediate) T1", "11110i00010S nnnn 0 iii dddd iiiiiiii",
     "orr{S:S}{:it} {d:r}, {n:r}, {i:mod}", modified<Orr>},
    {"MVN (immediate) T1", "11110i00011S 1111 0 iii dddd iiiiiiii", "mvn{S:S}{:it} {d:r}, {i:mod}",
     modified<Mvn>},
    {"ORN (immediate) T1", "11110i00011S nnnn 0 iii dddd iiiiiiii",
     "orn{S:S}{:it} {d:r}, {n:r}, {i:mod}", modified<Orn>},
    {"TEQ (immediate) T1", "11110i001001 nnnn 0 iii 1111 iiiiiiii", "teq{:it}.w {n:r}, {i:mod}",
     modified<Teq>},
    {"EOR (immediate) T1", "11110i00100S nnnn 0 iii dddd iiiiiiii",
     "eor{S:S}{:it} {d:r}, {n:r}, {i:mod}", modified<Eor>},
    {"CMN (immediate) T1", "11110i010001 nnnn 0 iii 1111 iiiiiiii", "cmn{:it}.w {n:r}, {i:mod}",
     modified<Cmn>},
    {"ADD (SP plus immediate) T3", "11110i01000S 1101 0 iii dddd iiiiiiii",
     "add{S:S}{:it}.w {d:r}, sp, {i:mod}", on_stack_modified<Add>, kPair},
    {"ADD (immediate) T3", "11110i01000S nnnn 0 iii dddd iiiiiiii",
     "add{S:S}{:it}.w {d:r}, {n:r}, {i:mod}", modified<Add>, kPair},
    {"ADC (immediate) T1", "11110i01010S nnnn 0 iii dddd iiiiiiii",
     "adc{S:S}{:it} {d:r}, {n:r}, {i:mod}", modified<Adc>},
    {"SBC (immediate) T1", "11110i01011S nnnn 0 iii dddd iiiiiiii",
     "sbc{S:S}{:it} {d:r}, {n:r}, {i:mod}", modified<Sbc>},
    {"CMP (immediate) T2", "11110i011011 nnnn 0 iii 1111 iiiiiiii", "cmp{:it}.w {n:r}, {i:mod}",
     modified<Cmp>},
    {"SUB (SP minus immediate) T2", "11110i01101S 1101 0 iii dddd iiiiiiii",
     "sub{S:S}{:it}.w {d:r}, sp, {i:mod}", on_stack_modified<Sub>, kPair},
    {"SUB (immediate) T3", "11110i01101S nnnn 0 iii dddd iiiiiiii",
     "sub{S:S}{:it}.w {d:r}, {n:r}, {i:mod}", modified<Sub>, kPair},
    {"RSB (immediate) T2", "11110i01110S nnnn 0 iii dddd iiiiiiii",
     "rsb{S:S}{:it}.w {d:r}, {n:r}, {i:mod}", modified<Rsb>},

    // Plain immediate.
    {"ADD (immediate) T4", "11110i100000 nnnn 0 iii dddd iiiiiiii", "addw{:it} {d:r}, {n:r}, {i:u}",
     add_12_bits<Add>, kPair},
    {"ADD (SP plus immediate) T4", "11110i100000 1101 0 iii dddd iiiiiiii",
     "addw{:it} {d:r}, sp, {i:u}", add_12_bits_on_stack<Add>, kPair},
    {"ADR T3", "11110i100000 1111 0 iii dddd iiiiiiii", "adr{:it}.w {d:r}, {i:u}",
     address_of_literal<true>, kPair},
    {"SUB (immediate) T4", "11110i101010 nnnn 0 iii dddd iiiiiiii", "subw{:it} {d:r}, {n:r}, {i:u}",
     add_12_bits<Sub>, kPair},
    {"SUB (SP minus immediate) T3", "11110i101010 1101 0 iii dddd iiiiiiii",
     "subw{:it} {d:r}, sp, {i:u}", add_12_bits_on_stack<Sub>, kPair},
    {"ADR T2", "11110i101010 1111 0 iii dddd iiiiiiii", "adr{:it}.w {d:r}, {i:minus}",
     address_of_literal<false>, kPair, Unit::Integer, not_zero},
    {"MOV (immediate) T3", "11110i100100 jjjj 0 iii dddd iiiiiiii", "movw{:it} {d:r}, {:imm16}",
     build_move_wide, kPair},
    {"MOVT", "11110i101100 jjjj 0 iii DDDD iiiiiiii", "movt{:it} {D:r}, {:imm16}", build_move_top,
     kPair},
};

}  // namespace

std::span<const Row> wide_alu_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::integer

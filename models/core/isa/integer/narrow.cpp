// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/integer/bits.h"
#include "models/core/isa/integer/integer.h"

// 16-bit data processing: flags are set outside IT blocks only, except by comparisons.
namespace n6vp::models::core::isa::integer {

namespace {

using B = Builder&;
using F = const Fields&;

template <unsigned Kind>
void shift_immediate(B b, F f) {
    const ImmediateShift shift = decode_shift(Kind, f['i']);
    emit_alu(b, {.operation = Operation::Mov,
                 .operand = shift.operand,
                 .set_flags = !b.in_it(),
                 .rd = f.reg('d'),
                 .rm = f.reg('m'),
                 .imm = shift.amount});
}

template <Operation Op>
void three_registers(B b, F f) {
    emit_alu(b, {.operation = Op,
                 .operand = Operand::Register,
                 .set_flags = !b.in_it(),
                 .rd = f.reg('d'),
                 .rn = f.reg('n'),
                 .rm = f.reg('m')});
}

/// Rd = Rn op #imm; rows without n have none.
template <Operation Op>
void immediate(B b, F f) {
    emit_alu(b, {.operation = Op,
                 .set_flags = !b.in_it(),
                 .rd = f.reg('d'),
                 .rn = f.reg('n'),
                 .imm = f['i']});
}

/// Rdn = Rdn op #imm.
template <Operation Op>
void immediate_in_place(B b, F f) {
    emit_alu(b, {.operation = Op,
                 .set_flags = !b.in_it(),
                 .rd = f.reg('D'),
                 .rn = f.reg('D'),
                 .imm = f['i']});
}

/// Rdn = Rdn op Rm.
template <Operation Op>
void in_place(B b, F f) {
    emit_alu(b, {.operation = Op,
                 .operand = Operand::Register,
                 .set_flags = !b.in_it(),
                 .rd = f.reg('D'),
                 .rn = f.reg('D'),
                 .rm = f.reg('m')});
}

void negate(B b, F f) {
    emit_alu(
        b,
        {.operation = Operation::Rsb, .set_flags = !b.in_it(), .rd = f.reg('d'), .rn = f.reg('n')});
}

void compare_immediate(B b, F f) {
    emit_alu(b, {.operation = Operation::Cmp, .set_flags = true, .rn = f.reg('n'), .imm = f['i']});
}

template <Operation Op>
void compare_registers(B b, F f) {
    emit_alu(b, {.operation = Op,
                 .operand = Operand::Register,
                 .set_flags = true,
                 .rn = f.reg('n'),
                 .rm = f.reg('m')});
}

/// MOV and ADD of any registers never set flags. The PC as source is a constant.
void move_any(B b, F f) {
    AluOp alu{.operation = Operation::Mov,
              .operand = Operand::Register,
              .rd = f.reg('d'),
              .rm = f.reg('m')};
    if (alu.rm == 15) {
        alu.operand = Operand::Immediate;
        alu.imm = b.pc_operand();
    }
    emit_alu(b, alu);
}

void add_any_registers(B b, std::uint8_t rd, std::uint8_t rm) {
    AluOp alu{
        .operation = Operation::Add, .operand = Operand::Register, .rd = rd, .rn = rd, .rm = rm};
    if (rm == 15 && rd != 15) {
        alu.operand = Operand::Immediate;
        alu.imm = b.pc_operand();
    }
    emit_alu(b, alu);
}
void add_any(B b, F f) {
    add_any_registers(b, f.reg('D'), f.reg('m'));
}
void add_stack(B b, F f) {
    add_any_registers(b, f.reg('D'), 13);
}
void add_to_stack(B b, F f) {
    add_any_registers(b, 13, f.reg('m'));
}

void address_of_literal(B b, F f) {
    emit_alu(b, {.operation = Operation::Mov,
                 .rd = f.reg('d'),
                 .imm = (b.pc_operand() & ~3u) + f['i'] * 4});
}

void add_stack_immediate(B b, F f) {
    emit_alu(b, {.operation = Operation::Add, .rd = f.reg('d'), .rn = 13, .imm = f['i'] * 4});
}

template <Operation Op>
void move_stack(B b, F f) {
    emit_alu(b, {.operation = Op, .rd = 13, .rn = 13, .imm = f['i'] * 4});
}

template <ShiftKind Kind>
void shift_in_place(B b, F f) {
    MicroOp& op = b.emit(shift_handler(Kind, !b.in_it()));
    op.rd = f.reg('D');
    op.rn = f.reg('D');
    op.rm = f.reg('m');
}

template <bool SetFlags>
void multiply(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t product = cpu.r[op.rn] * cpu.r[op.rm];
    cpu.r[op.rd] = product;
    if constexpr (SetFlags) set_nz(cpu, product);
}
void multiply_in_place(B b, F f) {
    MicroOp& op = b.emit(b.in_it() ? handler<multiply<false>> : handler<multiply<true>>);
    op.rd = f.reg('D');
    op.rn = f.reg('n');
    op.rm = f.reg('D');
}

using enum Operation;

constexpr Issue kPair = Issue::AluPairable;

constexpr Row kRows[] = {
    // Shift, add, subtract, move and compare.
    {"MOV (register) T2", "00000 00000 mmm ddd", "movs {d:r}, {m:r}", shift_immediate<0>, kPair},
    {"LSL (immediate) T1", "00000 iiiii mmm ddd", "lsl{:s16} {d:r}, {m:r}, {i:u}",
     shift_immediate<0>},
    {"LSR (immediate) T1", "00001 iiiii mmm ddd", "lsr{:s16} {d:r}, {m:r}, {i:u32}",
     shift_immediate<1>},
    {"ASR (immediate) T1", "00010 iiiii mmm ddd", "asr{:s16} {d:r}, {m:r}, {i:u32}",
     shift_immediate<2>},
    {"ADD (register) T1", "0001100 mmm nnn ddd", "add{:s16} {d:r}, {n:r}, {m:r}",
     three_registers<Add>},
    {"SUB (register) T1", "0001101 mmm nnn ddd", "sub{:s16} {d:r}, {n:r}, {m:r}",
     three_registers<Sub>},
    {"ADD (immediate) T1", "0001110 iii nnn ddd", "add{:s16} {d:r}, {n:r}, {i:u}", immediate<Add>,
     kPair},
    {"SUB (immediate) T1", "0001111 iii nnn ddd", "sub{:s16} {d:r}, {n:r}, {i:u}", immediate<Sub>,
     kPair},
    {"MOV (immediate) T1", "00100 ddd iiiiiiii", "mov{:s16} {d:r}, {i:u}", immediate<Mov>, kPair},
    {"CMP (immediate) T1", "00101 nnn iiiiiiii", "cmp{:it} {n:r}, {i:u}", compare_immediate},
    {"ADD (immediate) T2", "00110 DDD iiiiiiii", "add{:s16} {D:r}, {i:u}", immediate_in_place<Add>,
     kPair},
    {"SUB (immediate) T2", "00111 DDD iiiiiiii", "sub{:s16} {D:r}, {i:u}", immediate_in_place<Sub>,
     kPair},

    // Two low registers.
    {"AND (register) T1", "010000 0000 mmm DDD", "and{:s16} {D:r}, {m:r}", in_place<And>},
    {"EOR (register) T1", "010000 0001 mmm DDD", "eor{:s16} {D:r}, {m:r}", in_place<Eor>},
    {"LSL (register) T1", "010000 0010 mmm DDD", "lsl{:s16} {D:r}, {m:r}",
     shift_in_place<ShiftKind::Lsl>},
    {"LSR (register) T1", "010000 0011 mmm DDD", "lsr{:s16} {D:r}, {m:r}",
     shift_in_place<ShiftKind::Lsr>},
    {"ASR (register) T1", "010000 0100 mmm DDD", "asr{:s16} {D:r}, {m:r}",
     shift_in_place<ShiftKind::Asr>},
    {"ADC (register) T1", "010000 0101 mmm DDD", "adc{:s16} {D:r}, {m:r}", in_place<Adc>},
    {"SBC (register) T1", "010000 0110 mmm DDD", "sbc{:s16} {D:r}, {m:r}", in_place<Sbc>},
    {"ROR (register) T1", "010000 0111 mmm DDD", "ror{:s16} {D:r}, {m:r}",
     shift_in_place<ShiftKind::Ror>},
    {"TST (register) T1", "010000 1000 mmm nnn", "tst{:it} {n:r}, {m:r}", compare_registers<Tst>},
    {"RSB (immediate) T1", "010000 1001 nnn ddd", "rsb{:s16} {d:r}, {n:r}, #0", negate},
    {"CMP (register) T1", "010000 1010 mmm nnn", "cmp{:it} {n:r}, {m:r}", compare_registers<Cmp>},
    {"CMN (register) T1", "010000 1011 mmm nnn", "cmn{:it} {n:r}, {m:r}", compare_registers<Cmn>},
    {"ORR (register) T1", "010000 1100 mmm DDD", "orr{:s16} {D:r}, {m:r}", in_place<Orr>},
    {"MUL T1", "010000 1101 nnn DDD", "mul{:s16} {D:r}, {n:r}, {D:r}", multiply_in_place,
     Issue::Mul16},
    {"BIC (register) T1", "010000 1110 mmm DDD", "bic{:s16} {D:r}, {m:r}", in_place<Bic>},
    {"MVN (register) T1", "010000 1111 mmm ddd", "mvn{:s16} {d:r}, {m:r}", three_registers<Mvn>},

    // Any registers.
    {"ADD (register) T2", "01000100 D mmmm DDD", "add{:it} {D:r}, {m:r}", add_any},
    {"ADD (SP plus register) T1", "01000100 D 1101 DDD", "add{:it} {D:r}, sp, {D:r}", add_stack},
    {"ADD (SP plus register) T2", "01000100 1 mmmm 101", "add{:it} sp, {m:r}", add_to_stack},
    {"CMP (register) T2", "01000101 n mmmm nnn", "cmp{:it} {n:r}, {m:r}", compare_registers<Cmp>},
    {"MOV (register) T1", "01000110 d mmmm ddd", "mov{:it} {d:r}, {m:r}", move_any, kPair},

    // Addresses of PC and SP.
    {"ADR T1", "10100 ddd iiiiiiii", "adr{:it} {d:r}, {i:u4}", address_of_literal, kPair},
    {"ADD (SP plus immediate) T1", "10101 ddd iiiiiiii", "add{:it} {d:r}, sp, {i:u4}",
     add_stack_immediate, kPair},
    {"ADD (SP plus immediate) T2", "101100000 iiiiiii", "add{:it} sp, {i:u4}", move_stack<Add>,
     kPair},
    {"SUB (SP minus immediate) T1", "101100001 iiiiiii", "sub{:it} sp, {i:u4}", move_stack<Sub>,
     kPair},

    // Extension and byte order.
    {"SXTH T1", "1011001000 mmm ddd", "sxth{:it} {d:r}, {m:r}", plain<sign_extend_halfword>, kPair},
    {"SXTB T1", "1011001001 mmm ddd", "sxtb{:it} {d:r}, {m:r}", plain<sign_extend_byte>, kPair},
    {"UXTH T1", "1011001010 mmm ddd", "uxth{:it} {d:r}, {m:r}", plain<zero_extend_halfword>, kPair},
    {"UXTB T1", "1011001011 mmm ddd", "uxtb{:it} {d:r}, {m:r}", plain<zero_extend_byte>, kPair},
    {"REV T1", "1011101000 mmm ddd", "rev{:it} {d:r}, {m:r}", plain<reverse_word>},
    {"REV16 T1", "1011101001 mmm ddd", "rev16{:it} {d:r}, {m:r}", plain<reverse_halfwords>},
    {"REVSH T1", "1011101011 mmm ddd", "revsh{:it} {d:r}, {m:r}", plain<reverse_signed_halfword>},
};

}  // namespace

std::span<const Row> narrow_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::integer

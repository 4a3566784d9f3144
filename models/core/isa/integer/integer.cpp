// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/integer/integer.h"

namespace n6vp::models::core::isa::integer {

ImmediateShift decode_shift(std::uint32_t kind, std::uint32_t amount) {
    const std::uint32_t up_to_32 = amount == 0 ? 32 : amount;
    switch (kind & 3) {
        case 0:
            return {amount == 0 ? Operand::Register : Operand::Lsl, amount};
        case 1:
            return {Operand::Lsr, up_to_32};
        case 2:
            return {Operand::Asr, up_to_32};
        default:
            return {amount == 0 ? Operand::Rrx : Operand::Ror, amount};
    }
}

void expose_sources(Builder& builder, std::initializer_list<std::uint8_t> sources) {
    for (const std::uint8_t source : sources) {
        if (source != 15) continue;
        builder.expose_pc();
        return;
    }
}

void finish_destination(Builder& builder, std::uint8_t rd) {
    if (rd == 13) builder.align_sp();
    if (rd == 15) builder.branch_to_r15(BranchStyle::Simple);
}

namespace {

/// Returns true for the instructions whose write of the stack pointer is checked against the limit.
bool is_stack_move(const AluOp& alu) {
    if (alu.rd != 13) return false;
    switch (alu.operation) {
        case Operation::Mov:
            return true;
        case Operation::Add:
        case Operation::Sub:
            return alu.rn == 13;
        default:
            return false;
    }
}

bool has_first(Operation operation) {
    return operation != Operation::Mov && operation != Operation::Mvn;
}

bool has_register(Operand operand) {
    return operand != Operand::Immediate && operand != Operand::ImmediateToCarry;
}

}  // namespace

void emit_alu(Builder& builder, const AluOp& alu) {
    // Unpredictable; on A-profile cores it returns from an exception.
    const bool compares = only_compares(alu.operation);
    if (alu.rd == 15 && alu.set_flags && !compares) {
        builder.undefined();
        return;
    }
    const auto none = std::uint8_t{0};
    expose_sources(builder, {has_first(alu.operation) ? alu.rn : none,
                             has_register(alu.operand) ? alu.rm : none});
    const bool stack = is_stack_move(alu);
    MicroOp& op = builder.emit(stack ? stack_handler(alu.operation, alu.operand, alu.set_flags)
                                     : alu_handler(alu.operation, alu.operand, alu.set_flags));
    op.rd = alu.rd;
    op.rn = alu.rn;
    op.rm = alu.rm;
    op.imm = alu.imm;
    if (!compares && !stack) finish_destination(builder, alu.rd);
}

void emit_plain(Builder& builder, const Fields& fields, Handler handler) {
    const std::uint8_t rn = fields.reg('n'), rm = fields.reg('m'), ra = fields.reg('a');
    const std::uint8_t rd = fields.reg('d');
    expose_sources(builder, {rn, rm, ra});
    MicroOp& op = builder.emit(handler);
    op.rd = rd;
    op.rn = rn;
    op.rm = rm;
    op.ra = ra;
    finish_destination(builder, rd);
}

}  // namespace n6vp::models::core::isa::integer

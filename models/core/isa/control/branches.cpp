// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "models/core/ir/access.h"
#include "models/core/isa/control/build.h"
#include "models/core/isa/control/operands.h"

namespace n6vp::models::core::isa::control {

namespace {

/// Branch targets are relative to the PC operand.
std::uint32_t target(const Builder& builder, std::int32_t offset) {
    return builder.pc_operand() + static_cast<std::uint32_t>(offset);
}

void copy_to_pc(CpuState& cpu, const MicroOp& op) {
    cpu.r[15] = cpu.r[op.rm];
}

/// BX and its kin, by register m.
void branch_to_register(Builder& builder, const Fields& fields, BranchStyle style) {
    if (fields['m'] == 15) {
        builder.expose_pc();
    } else {
        builder.emit(handler<copy_to_pc>).rm = fields.reg('m');
    }
    builder.branch_to_r15(style);
}

/// TBB and TBH: imm is the PC operand.
template <class T>
bool load_branch_offset(CpuState& cpu, const MicroOp& op) {
    T halfwords{};
    const auto scale = static_cast<std::uint32_t>(sizeof(T));
    if (!load(cpu, op, cpu.r[op.rn] + cpu.r[op.rm] * scale, halfwords)) return false;
    cpu.r[15] = op.imm + 2u * halfwords;
    return true;
}

void start_loop(CpuState& cpu, const MicroOp& op) {
    cpu.r[14] = cpu.r[op.rn];
}

void start_tail_predicated_loop(CpuState& cpu, const MicroOp& op) {
    cpu.r[14] = cpu.r[op.rn];
    cpu.ltpsize = op.imm;
}

/// LE without a count must not stand in a tail-predicated loop; one with a count asks by itself.
bool check_no_tail_predication(CpuState& cpu, const MicroOp& /*op*/) {
    if (cpu.ltpsize != 4 && cpu.fp_ready) [[unlikely]]
        return raise_usage(cpu, cfsr::kInvState);
    return true;
}

void clear_tail_predication(CpuState& cpu, const MicroOp& /*op*/) {
    cpu.ltpsize = 4;
}

/// Registers that no loop count can be in. They are unpredictable; here they are undefined.
bool is_bad_count(const Fields& fields) {
    return fields['n'] == 13 || fields['n'] == 15;
}

}  // namespace

void build_branch_conditional_narrow(Builder& builder, const Fields& fields) {
    builder.branch_if(fields['c'], target(builder, offset_of_conditional_narrow(fields)));
}

void build_branch_narrow(Builder& builder, const Fields& fields) {
    builder.branch(target(builder, offset_of_branch_narrow(fields)));
}

void build_branch_conditional_wide(Builder& builder, const Fields& fields) {
    builder.branch_if(fields['c'], target(builder, offset_of_conditional_wide(fields)));
}

void build_branch_wide(Builder& builder, const Fields& fields) {
    builder.branch(target(builder, offset_of_branch_wide(fields)));
}

void build_branch_with_link(Builder& builder, const Fields& fields) {
    builder.branch_and_link(target(builder, offset_of_branch_wide(fields)));
}

void build_branch_exchange(Builder& builder, const Fields& fields) {
    branch_to_register(builder, fields, BranchStyle::Interworking);
}

void build_branch_link_exchange(Builder& builder, const Fields& fields) {
    branch_to_register(builder, fields, BranchStyle::Link);
}

void build_branch_non_secure(Builder& builder, const Fields& fields) {
    if (!builder.secure()) return builder.undefined();
    branch_to_register(builder, fields, BranchStyle::NonSecure);
}

void build_branch_link_non_secure(Builder& builder, const Fields& fields) {
    if (!builder.secure()) return builder.undefined();
    branch_to_register(builder, fields, BranchStyle::LinkNonSecure);
}

template <bool IfZero>
void build_compare_and_branch(Builder& builder, const Fields& fields) {
    builder.compare_and_branch(fields.reg('n'), IfZero,
                               target(builder, static_cast<std::int32_t>(fields['i'] * 2)));
}

template void build_compare_and_branch<true>(Builder&, const Fields&);
template void build_compare_and_branch<false>(Builder&, const Fields&);

template <bool Halfwords>
void build_table_branch(Builder& builder, const Fields& fields) {
    if (fields['n'] == 15 || fields['m'] == 15) builder.expose_pc();
    MicroOp& op = builder.emit(Halfwords ? handler<load_branch_offset<std::uint16_t>>
                                         : handler<load_branch_offset<std::uint8_t>>);
    op.rn = fields.reg('n');
    op.rm = fields.reg('m');
    op.imm = builder.pc_operand();
    builder.branch_to_r15(BranchStyle::Simple);
}

template void build_table_branch<true>(Builder&, const Fields&);
template void build_table_branch<false>(Builder&, const Fields&);

void build_if_then(Builder& builder, const Fields& fields) {
    builder.it(static_cast<std::uint8_t>(fields['c'] << 4 | fields['k']));
}

void build_do_loop_start(Builder& builder, const Fields& fields) {
    if (is_bad_count(fields)) return builder.undefined();
    builder.emit(handler<start_loop>).rn = fields.reg('n');
}

void build_do_loop_start_tail(Builder& builder, const Fields& fields) {
    if (is_bad_count(fields)) return builder.undefined();
    MicroOp& op = builder.emit(handler<start_tail_predicated_loop>);
    op.rn = fields.reg('n');
    op.imm = fields['s'];
}

void build_while_loop_start(Builder& builder, const Fields& fields) {
    if (is_bad_count(fields)) return builder.undefined();
    builder.while_loop_start(fields.reg('n'), 4, target(builder, offset_of_loop(fields)));
}

void build_while_loop_start_tail(Builder& builder, const Fields& fields) {
    if (is_bad_count(fields)) return builder.undefined();
    builder.while_loop_start(fields.reg('n'), fields['s'], target(builder, offset_of_loop(fields)));
}

void build_loop_end(Builder& builder, const Fields& fields) {
    builder.loop_end(target(builder, -offset_of_loop(fields)), false, false);
}

void build_loop_end_forever(Builder& builder, const Fields& fields) {
    builder.emit(handler<check_no_tail_predication>);
    builder.loop_end(target(builder, -offset_of_loop(fields)), true, false);
}

void build_loop_end_tail(Builder& builder, const Fields& fields) {
    builder.loop_end(target(builder, -offset_of_loop(fields)), false, true);
}

void build_loop_clear(Builder& builder, const Fields& /*fields*/) {
    builder.emit(handler<clear_tail_predication>);
}

}  // namespace n6vp::models::core::isa::control

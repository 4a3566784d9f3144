// SPDX-License-Identifier: Apache-2.0
#include "models/core/ir/builder.h"

#include "models/core/ir/branches.h"

namespace n6vp::models::core {

namespace {

void write_pc_operand(CpuState& cpu, const MicroOp& op) {
    cpu.r[15] = op.imm;
}
void clear_low_bits_of_sp(CpuState& cpu, const MicroOp& /*op*/) {
    cpu.r[13] &= ~3u;
}
bool raise_undefined(CpuState& cpu, const MicroOp& /*op*/) {
    return raise_usage(cpu, cfsr::kUndefInstr);
}
bool raise_no_coprocessor(CpuState& cpu, const MicroOp& /*op*/) {
    return raise_usage(cpu, cfsr::kNoCp);
}

}  // namespace

MicroOp& Builder::emit(Handler handler) {
    MicroOp& op = ops_.emplace_back();
    op.handler = handler;
    op.pc = pc_;
    op.index = static_cast<std::uint8_t>(index_);
    op.bytes = static_cast<std::uint8_t>(bytes_);
    return op;
}

MicroOp& Builder::emit_branch(Handler handler, std::uint32_t target) {
    MicroOp& op = emit(handler);
    op.imm = target;
    op.index = static_cast<std::uint8_t>(index_ + 1);
    ended_ = true;
    branched_ = true;
    return op;
}

void Builder::expose_pc() {
    emit(handler<write_pc_operand>).imm = pc_operand();
}
void Builder::align_sp() {
    emit(handler<clear_low_bits_of_sp>);
}
void Builder::end_block() {
    ended_ = true;
}

void Builder::undefined() {
    emit(handler<raise_undefined>);
    ended_ = true;
}

void Builder::no_coprocessor() {
    emit(handler<raise_no_coprocessor>);
    ended_ = true;
}

void Builder::branch(std::uint32_t target) {
    emit_branch(branch_always, target);
}

void Builder::branch_if(unsigned condition, std::uint32_t target) {
    emit_branch(branch_on(condition), target);
}

void Builder::branch_and_link(std::uint32_t target) {
    MicroOp& op = emit(handler<[](CpuState& cpu, const MicroOp& link) { cpu.r[14] = link.imm; }>);
    op.imm = (pc_ + bytes_) | 1;
    branch(target);
}

void Builder::compare_and_branch(std::uint8_t rn, bool if_zero, std::uint32_t target) {
    emit_branch(if_zero ? branch_if_zero : branch_if_not_zero, target).rn = rn;
}

void Builder::branch_to_r15(BranchStyle style) {
    emit_branch(branch_indirect(style), 0);
}

void Builder::loop_end(std::uint32_t target, bool forever, bool tail_predicated) {
    const Handler counted = tail_predicated ? tail_loop_again : loop_again;
    emit_branch(forever ? branch_always : counted, target);
}

void Builder::while_loop_start(std::uint8_t rn, unsigned ltpsize, std::uint32_t target) {
    MicroOp& op = emit_branch(while_loop, target);
    op.rn = rn;
    op.rm = static_cast<std::uint8_t>(ltpsize);
}

void Builder::it(std::uint8_t itstate) {
    next_itstate_ = itstate;
    starts_it_ = true;
}

void Builder::unconditional() {
    unconditional_ = true;
}

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/memory/build.h"

#include <cstdint>

namespace n6vp::models::core::isa::memory {

namespace {

/// Returns two words at an address that is a multiple of 4, the lower one in the low half. The
/// slow way needs addresses of locals, so it is a function of its own.
N6VP_FAR bool load_pair_slowly(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    std::uint32_t low = 0, high = 0;
    if (!load(cpu, op, address, low, AccessKind::Aligned)) return false;
    if (!load(cpu, op, address + 4, high, AccessKind::Aligned)) return false;
    cpu.r[op.rd] = low;
    cpu.r[op.ra] = high;
    return true;
}

bool load_pair(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    if (const std::uint8_t* from = direct_read(cpu, address, 8, 4)) [[likely]] {
        std::memcpy(&cpu.r[op.rd], from, 4);
        std::memcpy(&cpu.r[op.ra], from + 4, 4);
        return true;
    }
    return load_pair_slowly(cpu, op, address);
}

bool store_pair(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    if (std::uint8_t* to = direct_write(cpu, address, 8, 4)) [[likely]] {
        std::memcpy(to, &cpu.r[op.rd], 4);
        std::memcpy(to + 4, &cpu.r[op.ra], 4);
        return true;
    }
    return store(cpu, op, address, cpu.r[op.rd], AccessKind::Aligned) &&
           store(cpu, op, address + 4, cpu.r[op.ra], AccessKind::Aligned);
}

bool load_pair_offset(CpuState& cpu, const MicroOp& op) {
    return load_pair(cpu, op, cpu.r[op.rn] + op.imm);
}

bool load_pair_literal(CpuState& cpu, const MicroOp& op) {
    return load_pair(cpu, op, op.imm);
}

// A base that is loaded too keeps what writeback leaves in it.

bool load_pair_before(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    if (!load_pair(cpu, op, address)) return false;
    cpu.r[op.rn] = address;
    return true;
}

bool load_pair_after(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn];
    if (!load_pair(cpu, op, address)) return false;
    cpu.r[op.rn] = address + op.imm;
    return true;
}

bool store_pair_offset(CpuState& cpu, const MicroOp& op) {
    return store_pair(cpu, op, cpu.r[op.rn] + op.imm);
}

bool store_pair_before(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    if (!store_pair(cpu, op, address)) return false;
    cpu.r[op.rn] = address;
    return true;
}

bool store_pair_after(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn];
    if (!store_pair(cpu, op, address)) return false;
    cpu.r[op.rn] = address + op.imm;
    return true;
}

void set_pair(Builder& builder, Handler how, const Fields& fields, std::uint32_t imm) {
    MicroOp& op = builder.emit(how);
    set_operands(op, fields.reg('t'), fields.reg('n'), imm);
    op.ra = fields.reg('u');
}

bool transfers_pc(const Fields& fields) {
    return fields['t'] == 15 || fields['u'] == 15;
}

}  // namespace

void finish_load(Builder& builder, unsigned rt) {
    if (rt == 13) builder.align_sp();
    if (rt == 15) builder.branch_to_r15(BranchStyle::Interworking);
}

void check_stack(Builder& builder, unsigned rn, std::uint32_t offset) {
    if (rn == 13) builder.emit(handler<check_stack_move>).imm = offset;
}

void finish_writeback(Builder& builder, unsigned rn, std::uint32_t offset) {
    if (rn == 13 && offset % 4 != 0) builder.align_sp();
}

void build_preload(Builder&, const Fields&) {}

template <Mode How>
void build_load_double(Builder& builder, const Fields& fields) {
    if (transfers_pc(fields) || fields['n'] == 15) return builder.undefined();
    const std::uint32_t offset = signed_offset(fields, 4);
    if (How != Mode::Offset) check_stack(builder, fields['n'], offset);
    constexpr Handler kHow = How == Mode::Offset   ? handler<load_pair_offset>
                             : How == Mode::Before ? handler<load_pair_before>
                                                   : handler<load_pair_after>;
    set_pair(builder, kHow, fields, offset);
    if (fields['t'] == 13 || fields['u'] == 13) builder.align_sp();
}

template void build_load_double<Mode::Offset>(Builder&, const Fields&);
template void build_load_double<Mode::Before>(Builder&, const Fields&);
template void build_load_double<Mode::After>(Builder&, const Fields&);

void build_load_double_literal(Builder& builder, const Fields& fields) {
    if (transfers_pc(fields)) return builder.undefined();
    const std::uint32_t base = builder.pc_operand() & ~3u;
    set_pair(builder, handler<load_pair_literal>, fields, base + signed_offset(fields, 4));
    if (fields['t'] == 13 || fields['u'] == 13) builder.align_sp();
}

template <Mode How>
void build_store_double(Builder& builder, const Fields& fields) {
    if (fields['n'] == 15) return builder.undefined();
    if (transfers_pc(fields)) builder.expose_pc();
    const std::uint32_t offset = signed_offset(fields, 4);
    if (How != Mode::Offset) check_stack(builder, fields['n'], offset);
    constexpr Handler kHow = How == Mode::Offset   ? handler<store_pair_offset>
                             : How == Mode::Before ? handler<store_pair_before>
                                                   : handler<store_pair_after>;
    set_pair(builder, kHow, fields, offset);
}

template void build_store_double<Mode::Offset>(Builder&, const Fields&);
template void build_store_double<Mode::Before>(Builder&, const Fields&);
template void build_store_double<Mode::After>(Builder&, const Fields&);

}  // namespace n6vp::models::core::isa::memory

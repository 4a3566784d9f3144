// SPDX-License-Identifier: Apache-2.0
// VPST, VPNOT, VPSEL, VCTP.
#include "models/core/isa/vector_memory/predicate.h"

#include "models/core/isa/vector_memory/build.h"
#include "models/core/isa/vector_memory/lanes.h"

namespace n6vp::models::core::isa::vector_memory {

namespace {

/// VPST itself is not predicated. Operand: imm mask.
void vpst(CpuState& cpu, const MicroOp& op) {
    start_block(cpu, op.imm, beats_to_do(cpu.eci));
    cpu.eci = cpu.eci == kEciA0A1A2B0 ? kEciA0 : kEciNone;
}

void vpnot_full(CpuState& cpu, const MicroOp& /*op*/) {
    cpu.vpr ^= vpr::kP0;
}
void vpnot_general(CpuState& cpu, const MicroOp& /*op*/) {
    set_predicate(cpu, ~cpu.vpr, active_bytes(cpu));
}

/// Returns 0xFF in every byte whose bit, of eight, is set.
std::uint64_t spread_bits(std::uint32_t bits) {
    // Each byte gets all bits, keeps its own and turns it into 0 or 1.
    const std::uint64_t own = (bits * 0x0101010101010101ull) & 0x8040201008040201ull;
    return ((own + 0x7F7F7F7F7F7F7F7Full) >> 7 & 0x0101010101010101ull) * 0xFF;
}

/// Writes n or m to d by P0. Operands: rd, rn, rm.
void vpsel(CpuState& cpu, const MicroOp& op, std::uint32_t active) {
    const auto n = read_vector<std::uint64_t>(cpu, op.rn),
               m = read_vector<std::uint64_t>(cpu, op.rm);
    auto d = read_vector<std::uint64_t>(cpu, op.rd);
    for (unsigned half = 0; half < 2; ++half) {
        const std::uint64_t choose = spread_bits(cpu.vpr >> half * 8 & 0xFF);
        const std::uint64_t write = spread_bits(active >> half * 8 & 0xFF);
        const std::uint64_t value = (n[half] & choose) | (m[half] & ~choose);
        d[half] = (value & write) | (d[half] & ~write);
    }
    write_vector(cpu, op.rd, d);
}
void vpsel_full(CpuState& cpu, const MicroOp& op) {
    vpsel(cpu, op, 0xFFFF);
}
void vpsel_general(CpuState& cpu, const MicroOp& op) {
    vpsel(cpu, op, active_bytes(cpu));
}

/// Returns the first rn lanes as bytes. Operands: rn, imm log2 of a lane's bytes.
std::uint32_t lanes_to_do(const CpuState& cpu, const MicroOp& op) {
    const std::uint32_t lanes = cpu.r[op.rn];
    return lanes >= 16u >> op.imm ? 0xFFFF : (1u << (lanes << op.imm)) - 1;
}
void vctp_full(CpuState& cpu, const MicroOp& op) {
    cpu.vpr = (cpu.vpr & ~vpr::kP0) | lanes_to_do(cpu, op);
}
void vctp_general(CpuState& cpu, const MicroOp& op) {
    set_predicate(cpu, lanes_to_do(cpu, op), active_bytes(cpu));
}

}  // namespace

void build_vpst(Builder& builder, const Fields& fields) {
    builder.emit(handler<vpst>).imm = fields['k'];
}

void build_vpnot(Builder& builder, const Fields& /*fields*/) {
    builder.emit(vector_handler<vpnot_full, vpnot_general>);
}

void build_vpsel(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(vector_handler<vpsel_full, vpsel_general>);
    op.rd = fields.reg('d');
    op.rn = fields.reg('n');
    op.rm = fields.reg('m');
}

void build_vctp(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(vector_handler<vctp_full, vctp_general>);
    op.rn = fields.reg('n');
    op.imm = fields['s'];
}

}  // namespace n6vp::models::core::isa::vector_memory

// SPDX-License-Identifier: Apache-2.0
#include "models/core/ir/system.h"

#include <cstdint>

#include "models/core/ir/access.h"
#include "models/core/isa/control/build.h"

namespace n6vp::models::core::isa::control {

namespace {

/// BKPT with this number asks the debugger for a service.
constexpr std::uint32_t kSemihosting = 0xAB;

bool supervisor_call(CpuState& cpu, const MicroOp& /*op*/) {
    cpu.exit = Exit::Call;
    return false;
}

bool breakpoint(CpuState& cpu, const MicroOp& op) {
    cpu.exit = op.imm == kSemihosting ? Exit::Semihosting : Exit::Breakpoint;
    return false;
}

/// WFE if imm is 1, WFI if 0.
bool wait(CpuState& cpu, const MicroOp& op) {
    if (cpu.system->wakes(cpu, op.imm != 0)) return true;
    cpu.exit = Exit::Wait;
    return false;
}

void send_event(CpuState& cpu, const MicroOp& /*op*/) {
    cpu.system->send_event(cpu);
}

/// DSB.
void wait_for_stores(CpuState& cpu, const MicroOp& op) {
    cpu.memory->finish_stores(cpu, op);
}

/// rd: bit 2 disables, bit 1 PRIMASK, bit 0 FAULTMASK.
void change_processor_state(CpuState& cpu, const MicroOp& op) {
    cpu.system->change_processor_state(cpu, (op.rd & 4) != 0, (op.rd & 2) != 0, (op.rd & 1) != 0);
}

void read_apsr(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = apsr(cpu);
}

void read_special(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.system->read_special(cpu, op.imm);
}

/// Writes the fields of APSR that the mask in `ra` selects.
void write_apsr(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t value = cpu.r[op.rn];
    if ((op.ra & 2) != 0) set_apsr_nzcvq(cpu, value);
    if ((op.ra & 1) != 0) cpu.ge = value >> 16 & 15;
}

/// A stack pointer below its limit is refused.
bool write_special(CpuState& cpu, const MicroOp& op) {
    cpu.system->write_special(cpu, op.imm, op.ra, cpu.r[op.rn]);
    return cpu.exit != Exit::Fault;
}

template <bool Alternate, bool Unprivileged>
void test_target(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.system->test_target(cpu, cpu.r[op.rn], Unprivileged, Alternate);
}

/// imm: address of the next instruction, which may belong to the other security state.
void secure_gateway(CpuState& cpu, const MicroOp& op) {
    cpu.system->secure_gateway(cpu, op.pc);
    cpu.r[15] = op.imm;
}

/// Special registers 0 to 3 name APSR, alone or with IPSR and EPSR, which writes leave alone.
bool is_apsr(std::uint32_t sysm) {
    return sysm < 4;
}

void emit_wait(Builder& builder, std::uint32_t for_event) {
    builder.emit(handler<wait>).imm = for_event;
    builder.end_block();
}

}  // namespace

void build_nothing(Builder& /*builder*/, const Fields& /*fields*/) {}

void build_undefined(Builder& builder, const Fields& /*fields*/) {
    builder.undefined();
}

void build_supervisor_call(Builder& builder, const Fields& /*fields*/) {
    builder.emit(handler<supervisor_call>);
    builder.end_block();
}

void build_breakpoint(Builder& builder, const Fields& fields) {
    builder.unconditional();
    builder.emit(handler<breakpoint>).imm = fields['i'];
    builder.end_block();
}

void build_wait_for_event(Builder& builder, const Fields& /*fields*/) {
    emit_wait(builder, 1);
}

void build_wait_for_interrupt(Builder& builder, const Fields& /*fields*/) {
    emit_wait(builder, 0);
}

void build_send_event(Builder& builder, const Fields& /*fields*/) {
    builder.emit(handler<send_event>);
}

void build_data_barrier(Builder& builder, const Fields& /*fields*/) {
    builder.emit(handler<wait_for_stores>);
}

void build_instruction_barrier(Builder& builder, const Fields& /*fields*/) {
    builder.end_block();
}

void build_change_processor_state(Builder& builder, const Fields& fields) {
    builder.emit(handler<change_processor_state>).rd =
        static_cast<std::uint8_t>(fields['D'] << 2 | fields['I'] << 1 | fields['F']);
    builder.end_block();
}

void build_read_special(Builder& builder, const Fields& fields) {
    if (fields['d'] == 15) return builder.undefined();
    const std::uint32_t sysm = fields['s'];
    MicroOp& op = builder.emit(sysm == 0 ? handler<read_apsr> : handler<read_special>);
    op.rd = fields.reg('d');
    op.imm = sysm;
    if (fields['d'] == 13) builder.align_sp();
}

void build_write_special(Builder& builder, const Fields& fields) {
    if (fields['n'] == 15) builder.expose_pc();
    const std::uint32_t sysm = fields['s'];
    MicroOp& op = builder.emit(is_apsr(sysm) ? handler<write_apsr> : handler<write_special>);
    op.rn = fields.reg('n');
    op.ra = fields.reg('k');
    op.imm = sysm;
    if (!is_apsr(sysm)) builder.end_block();
}

template <bool Alternate, bool Unprivileged>
void build_test_target(Builder& builder, const Fields& fields) {
    const bool unpredictable = fields['d'] == 13 || fields['d'] == 15 || fields['n'] == 15;
    if (unpredictable || (Alternate && !builder.secure())) return builder.undefined();
    MicroOp& op = builder.emit(handler<test_target<Alternate, Unprivileged>>);
    op.rd = fields.reg('d');
    op.rn = fields.reg('n');
}

template void build_test_target<false, false>(Builder&, const Fields&);
template void build_test_target<false, true>(Builder&, const Fields&);
template void build_test_target<true, false>(Builder&, const Fields&);
template void build_test_target<true, true>(Builder&, const Fields&);

void build_secure_gateway(Builder& builder, const Fields& /*fields*/) {
    builder.emit(handler<secure_gateway>).imm = builder.pc() + 4;
    builder.branch_to_r15(BranchStyle::Simple);
}

}  // namespace n6vp::models::core::isa::control

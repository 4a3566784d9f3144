// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "models/core/isa/memory/build.h"

// Exclusive accesses, load-acquire, store-release. Operands: rd loaded or stored, rn base, rm
// status of an exclusive store, imm offset.
namespace n6vp::models::core::isa::memory {

namespace {

template <class T>
bool load_exclusive(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    T value{};
    if (!load(cpu, op, address, value, AccessKind::Aligned)) return false;
    cpu.exclusive = true;
    cpu.exclusive_address = address;
    cpu.r[op.rd] = widen(value);
    return true;
}

/// The monitor is the core's own: it passes for the address of the last exclusive load. Alignment
/// is checked whether it passes or not.
template <class T>
bool store_exclusive(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    if (address % sizeof(T) != 0) return raise_usage(cpu, cfsr::kUnaligned);
    const bool passes = cpu.exclusive && cpu.exclusive_address == address;
    if (passes && !store(cpu, op, address, narrow<T>(cpu.r[op.rd]), AccessKind::Aligned))
        return false;
    cpu.exclusive = false;
    cpu.r[op.rm] = passes ? 0 : 1;
    return true;
}

void clear_exclusive(CpuState& cpu, const MicroOp&) {
    cpu.exclusive = false;
}

bool is_sp_or_pc(std::uint32_t number) {
    return number == 13 || number == 15;
}

}  // namespace

template <class T>
void build_load_exclusive(Builder& builder, const Fields& fields) {
    if (fields['n'] == 15 || is_sp_or_pc(fields['t'])) return builder.undefined();
    set_operands(builder.emit(handler<load_exclusive<T>>), fields.reg('t'), fields.reg('n'),
                 fields['i'] * 4);
}

/// The status register must be neither of the others.
template <class T>
void build_store_exclusive(Builder& builder, const Fields& fields) {
    const std::uint32_t rd = fields['d'], rn = fields['n'], rt = fields['t'];
    const bool unpredictable =
        is_sp_or_pc(rd) || is_sp_or_pc(rt) || rn == 15 || rd == rn || rd == rt;
    if (unpredictable) return builder.undefined();
    MicroOp& op = builder.emit(handler<store_exclusive<T>>);
    set_operands(op, fields.reg('t'), fields.reg('n'), fields['i'] * 4);
    op.rm = fields.reg('d');
}

template <class T>
void build_load_acquire(Builder& builder, const Fields& fields) {
    if (fields['n'] == 15 || fields['t'] == 15) return builder.undefined();
    set_operands(builder.emit(handler<load_offset<T, AccessKind::Aligned>>), fields.reg('t'),
                 fields.reg('n'), 0);
    if (fields['t'] == 13) builder.align_sp();
}

template <class T>
void build_store_release(Builder& builder, const Fields& fields) {
    if (fields['n'] == 15 || fields['t'] == 15) return builder.undefined();
    set_operands(builder.emit(handler<store_offset<T, AccessKind::Aligned>>), fields.reg('t'),
                 fields.reg('n'), 0);
}

template void build_load_exclusive<std::uint8_t>(Builder&, const Fields&);
template void build_load_exclusive<std::uint16_t>(Builder&, const Fields&);
template void build_load_exclusive<std::uint32_t>(Builder&, const Fields&);
template void build_store_exclusive<std::uint8_t>(Builder&, const Fields&);
template void build_store_exclusive<std::uint16_t>(Builder&, const Fields&);
template void build_store_exclusive<std::uint32_t>(Builder&, const Fields&);
template void build_load_acquire<std::uint8_t>(Builder&, const Fields&);
template void build_load_acquire<std::uint16_t>(Builder&, const Fields&);
template void build_load_acquire<std::uint32_t>(Builder&, const Fields&);
template void build_store_release<std::uint8_t>(Builder&, const Fields&);
template void build_store_release<std::uint16_t>(Builder&, const Fields&);
template void build_store_release<std::uint32_t>(Builder&, const Fields&);

void build_clear_exclusive(Builder& builder, const Fields&) {
    builder.emit(handler<clear_exclusive>);
}

}  // namespace n6vp::models::core::isa::memory

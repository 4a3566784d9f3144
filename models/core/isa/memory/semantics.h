// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "models/core/ir/access.h"

// Single loads and stores. Operands: rd is loaded or stored, rn the base, rm the index register,
// imm the signed offset or, for a literal, the address.
namespace n6vp::models::core::isa::memory {

/// Returns a loaded value as a register holds it.
template <class T>
[[nodiscard]] inline std::uint32_t widen(T value) {
    if constexpr (std::is_signed_v<T>) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    } else {
        return value;
    }
}

template <class T>
[[nodiscard]] inline T narrow(std::uint32_t value) {
    return static_cast<T>(value);
}

// Loads.

template <class T, AccessKind Kind = AccessKind::Normal>
bool load_offset(CpuState& cpu, const MicroOp& op) {
    T value{};
    if (!load(cpu, op, cpu.r[op.rn] + op.imm, value, Kind)) return false;
    cpu.r[op.rd] = widen(value);
    return true;
}

/// `[rn, rm, LSL #imm]`
template <class T>
bool load_index(CpuState& cpu, const MicroOp& op) {
    T value{};
    if (!load(cpu, op, cpu.r[op.rn] + (cpu.r[op.rm] << op.imm), value)) return false;
    cpu.r[op.rd] = widen(value);
    return true;
}

template <class T>
bool load_literal(CpuState& cpu, const MicroOp& op) {
    T value{};
    if (!load(cpu, op, op.imm, value)) return false;
    cpu.r[op.rd] = widen(value);
    return true;
}

/// `[rn, #imm]!` - a loaded base wins over the written one.
template <class T>
bool load_before(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    T value{};
    if (!load(cpu, op, address, value)) return false;
    cpu.r[op.rn] = address;
    cpu.r[op.rd] = widen(value);
    return true;
}

/// `[rn], #imm`
template <class T>
bool load_after(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn];
    T value{};
    if (!load(cpu, op, address, value)) return false;
    cpu.r[op.rn] = address + op.imm;
    cpu.r[op.rd] = widen(value);
    return true;
}

// Stores.

template <class T, AccessKind Kind = AccessKind::Normal>
bool store_offset(CpuState& cpu, const MicroOp& op) {
    return store(cpu, op, cpu.r[op.rn] + op.imm, narrow<T>(cpu.r[op.rd]), Kind);
}

template <class T>
bool store_index(CpuState& cpu, const MicroOp& op) {
    return store(cpu, op, cpu.r[op.rn] + (cpu.r[op.rm] << op.imm), narrow<T>(cpu.r[op.rd]));
}

template <class T>
bool store_before(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    if (!store(cpu, op, address, narrow<T>(cpu.r[op.rd]))) return false;
    cpu.r[op.rn] = address;
    return true;
}

template <class T>
bool store_after(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn];
    if (!store(cpu, op, address, narrow<T>(cpu.r[op.rd]))) return false;
    cpu.r[op.rn] = address + op.imm;
    return true;
}

/// The check that precedes an access with writeback to the stack pointer. A stack pointer that
/// moves up from below its limit fails too; the architecture leaves that open.
inline bool check_stack_move(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t from = cpu.r[13];
    const auto offset = static_cast<std::int32_t>(op.imm);
    return check_stack_limit(cpu, offset < 0 ? from + op.imm : from);
}

}  // namespace n6vp::models::core::isa::memory

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "models/core/isa/memory/build.h"

// LDM, STM, PUSH, POP and CLRM. Operands: rn base, imm register list, ra bytes transferred.
namespace n6vp::models::core::isa::memory {

namespace {

constexpr std::uint32_t bit(unsigned number) {
    return 1u << number;
}

/// Calls `f` with each register of a list, lowest first.
template <class F>
inline void for_each_register(std::uint32_t list, F f) {
    for (; list != 0; list &= list - 1) f(static_cast<unsigned>(std::countr_zero(list)));
}

/// Loads word by word into a buffer first: a fault leaves every register as it was, so that the
/// instruction can start again.
N6VP_FAR bool load_list_slowly(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    std::array<std::uint32_t, 16> loaded{};
    for (std::uint32_t rest = op.imm; rest != 0; rest &= rest - 1) {
        const auto number = static_cast<unsigned>(std::countr_zero(rest));
        if (!load(cpu, op, address, loaded[number], AccessKind::Aligned)) return false;
        address += 4;
    }
    for_each_register(op.imm, [&](unsigned number) { cpu.r[number] = loaded[number]; });
    return true;
}

N6VP_FAR bool store_list_slowly(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    for (std::uint32_t rest = op.imm; rest != 0; rest &= rest - 1) {
        const auto number = static_cast<unsigned>(std::countr_zero(rest));
        if (!store(cpu, op, address, cpu.r[number], AccessKind::Aligned)) return false;
        address += 4;
    }
    return true;
}

inline bool load_list(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    const std::uint8_t* from = direct_read(cpu, address, op.ra, 4);
    if (from == nullptr) [[unlikely]]
        return load_list_slowly(cpu, op, address);
    for_each_register(op.imm, [&](unsigned number) {
        std::memcpy(&cpu.r[number], from, 4);
        from += 4;
    });
    return true;
}

inline bool store_list(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    std::uint8_t* to = direct_write(cpu, address, op.ra, 4);
    if (to == nullptr) [[unlikely]]
        return store_list_slowly(cpu, op, address);
    for_each_register(op.imm, [&](unsigned number) {
        std::memcpy(to, &cpu.r[number], 4);
        to += 4;
    });
    return true;
}

/// Which way the base goes. The stack pointer is checked at the lowest address touched, which is
/// its new value going down; going up from below the limit the architecture leaves open.
enum class Direction : std::uint8_t { Up, Down };

template <bool Load, Direction Where, bool Writeback>
bool transfer_multiple(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t base = cpu.r[op.rn];
    const std::uint32_t start = Where == Direction::Down ? base - op.ra : base;
    const std::uint32_t moved = Where == Direction::Down ? start : base + op.ra;
    if (Writeback && op.rn == 13 && !check_stack_limit(cpu, start)) return false;
    if (!(Load ? load_list(cpu, op, start) : store_list(cpu, op, start))) return false;
    if (Writeback) cpu.r[op.rn] = moved;
    return true;
}

template <bool Load, Direction Where>
void emit_multiple(Builder& builder, unsigned rn, std::uint32_t list, bool writeback) {
    const Handler how = writeback ? handler<transfer_multiple<Load, Where, true>>
                                  : handler<transfer_multiple<Load, Where, false>>;
    MicroOp& op = builder.emit(how);
    op.rn = static_cast<std::uint8_t>(rn);
    op.imm = list;
    op.ra = static_cast<std::uint8_t>(4 * std::popcount(list));
    if (!Load) return;
    if ((list & bit(13)) != 0) builder.align_sp();
    if ((list & bit(15)) != 0) builder.branch_to_r15(BranchStyle::Interworking);
}

/// Unpredictable 32-bit forms are undefined: one register or none, base written and in the list.
template <bool Load, Direction Where>
void build_wide(Builder& builder, const Fields& fields) {
    const std::uint32_t rn = fields['n'], list = fields.bits() & 0xFFFF;
    const bool writeback = fields['W'] != 0;
    const bool unpredictable =
        std::popcount(list) < 2 || rn == 15 || (writeback && (list & bit(rn)) != 0);
    if (unpredictable) return builder.undefined();
    if (!Load && (list & bit(15)) != 0) builder.expose_pc();
    emit_multiple<Load, Where>(builder, rn, list, writeback);
}

void clear_multiple(CpuState& cpu, const MicroOp& op) {
    for_each_register(op.imm & 0x7FFF, [&](unsigned number) { cpu.r[number] = 0; });
    if ((op.imm & bit(15)) != 0) {
        set_apsr_nzcvq(cpu, 0);
        cpu.ge = 0;
    }
}

}  // namespace

void build_load_multiple_up(Builder& builder, const Fields& fields) {
    build_wide<true, Direction::Up>(builder, fields);
}
void build_load_multiple_down(Builder& builder, const Fields& fields) {
    build_wide<true, Direction::Down>(builder, fields);
}
void build_store_multiple_up(Builder& builder, const Fields& fields) {
    build_wide<false, Direction::Up>(builder, fields);
}
void build_store_multiple_down(Builder& builder, const Fields& fields) {
    build_wide<false, Direction::Down>(builder, fields);
}

void build_load_multiple_narrow(Builder& builder, const Fields& fields) {
    const std::uint32_t rn = fields['n'], list = fields['l'];
    emit_multiple<true, Direction::Up>(builder, rn, list, (list & bit(rn)) == 0);
}

void build_store_multiple_narrow(Builder& builder, const Fields& fields) {
    emit_multiple<false, Direction::Up>(builder, fields['n'], fields['l'], true);
}

void build_push_narrow(Builder& builder, const Fields& fields) {
    emit_multiple<false, Direction::Down>(builder, 13, fields['l'] | fields['L'] << 14, true);
}

void build_pop_narrow(Builder& builder, const Fields& fields) {
    emit_multiple<true, Direction::Up>(builder, 13, fields['l'] | fields['L'] << 15, true);
}

void build_clear_multiple(Builder& builder, const Fields& fields) {
    builder.emit(handler<clear_multiple>).imm = fields.bits() & 0xFFFF;
}

}  // namespace n6vp::models::core::isa::memory

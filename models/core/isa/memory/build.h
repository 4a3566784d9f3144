// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/builder.h"
#include "models/core/isa/memory/semantics.h"
#include "models/core/isa/row.h"

// Build functions of the family's rows. Letters: t u registers transferred, n base, m index,
// i offset, U add (else subtract), W write back, l register list.
namespace n6vp::models::core::isa::memory {

/// The offset of rows with field U, in units of `scale` bytes.
[[nodiscard]] inline std::uint32_t signed_offset(const Fields& fields, std::uint32_t scale = 1) {
    const std::uint32_t offset = fields['i'] * scale;
    return fields['U'] != 0 ? offset : 0 - offset;
}

/// What a register loaded from memory entails: a branch, an aligned stack pointer.
void finish_load(Builder& builder, unsigned rt);
/// Before an access that moves the stack pointer by `offset`.
void check_stack(Builder& builder, unsigned rn, std::uint32_t offset);
/// After it.
void finish_writeback(Builder& builder, unsigned rn, std::uint32_t offset);

inline void set_operands(MicroOp& op, std::uint8_t rt, std::uint8_t rn, std::uint32_t imm) {
    op.rd = rt;
    op.rn = rn;
    op.imm = imm;
}

/// Only words can be loaded into the PC.
template <class T>
[[nodiscard]] bool cannot_load(const Fields& fields) {
    return sizeof(T) != 4 && fields['t'] == 15;
}

template <class T, unsigned Scale>
void build_load_up(Builder& builder, const Fields& fields) {
    set_operands(builder.emit(handler<load_offset<T>>), fields.reg('t'), fields.reg('n'),
                 fields['i'] * Scale);
    finish_load(builder, fields['t']);
}

template <class T>
void build_load_sp(Builder& builder, const Fields& fields) {
    set_operands(builder.emit(handler<load_offset<T>>), fields.reg('t'), 13,
                 fields['i'] * static_cast<std::uint32_t>(sizeof(T)));
}

template <class T>
void build_load_down(Builder& builder, const Fields& fields) {
    set_operands(builder.emit(handler<load_offset<T>>), fields.reg('t'), fields.reg('n'),
                 0 - fields['i']);
    finish_load(builder, fields['t']);
}

template <class T>
void build_load_unprivileged(Builder& builder, const Fields& fields) {
    if (cannot_load<T>(fields)) return builder.undefined();
    set_operands(builder.emit(handler<load_offset<T, AccessKind::Unprivileged>>), fields.reg('t'),
                 fields.reg('n'), fields['i']);
    finish_load(builder, fields['t']);
}

template <class T, bool Before>
void build_load_indexed(Builder& builder, const Fields& fields) {
    if (cannot_load<T>(fields)) return builder.undefined();
    const std::uint32_t offset = signed_offset(fields);
    check_stack(builder, fields['n'], offset);
    const Handler how = Before ? handler<load_before<T>> : handler<load_after<T>>;
    set_operands(builder.emit(how), fields.reg('t'), fields.reg('n'), offset);
    finish_writeback(builder, fields['n'], offset);
    finish_load(builder, fields['t']);
}

template <class T>
void build_load_register(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(handler<load_index<T>>);
    set_operands(op, fields.reg('t'), fields.reg('n'), fields['i']);
    op.rm = fields.reg('m');
    finish_load(builder, fields['t']);
}

/// 16-bit rows without field U always add.
template <class T>
void build_load_literal(Builder& builder, const Fields& fields) {
    const std::uint32_t base = builder.pc_operand() & ~3u;
    const bool narrow_row = fields.bytes() == 2;
    const std::uint32_t offset = narrow_row ? fields['i'] * 4 : signed_offset(fields);
    set_operands(builder.emit(handler<load_literal<T>>), fields.reg('t'), 0, base + offset);
    finish_load(builder, fields['t']);
}

/// A store of r15 stores the PC operand.
inline void expose_stored(Builder& builder, unsigned rt) {
    if (rt == 15) builder.expose_pc();
}

template <class T, unsigned Scale>
void build_store_up(Builder& builder, const Fields& fields) {
    expose_stored(builder, fields['t']);
    set_operands(builder.emit(handler<store_offset<T>>), fields.reg('t'), fields.reg('n'),
                 fields['i'] * Scale);
}

template <class T>
void build_store_sp(Builder& builder, const Fields& fields) {
    set_operands(builder.emit(handler<store_offset<T>>), fields.reg('t'), 13,
                 fields['i'] * static_cast<std::uint32_t>(sizeof(T)));
}

template <class T>
void build_store_down(Builder& builder, const Fields& fields) {
    expose_stored(builder, fields['t']);
    set_operands(builder.emit(handler<store_offset<T>>), fields.reg('t'), fields.reg('n'),
                 0 - fields['i']);
}

template <class T>
void build_store_unprivileged(Builder& builder, const Fields& fields) {
    expose_stored(builder, fields['t']);
    set_operands(builder.emit(handler<store_offset<T, AccessKind::Unprivileged>>), fields.reg('t'),
                 fields.reg('n'), fields['i']);
}

template <class T, bool Before>
void build_store_indexed(Builder& builder, const Fields& fields) {
    const std::uint32_t offset = signed_offset(fields);
    check_stack(builder, fields['n'], offset);
    expose_stored(builder, fields['t']);
    const Handler how = Before ? handler<store_before<T>> : handler<store_after<T>>;
    set_operands(builder.emit(how), fields.reg('t'), fields.reg('n'), offset);
    finish_writeback(builder, fields['n'], offset);
}

template <class T>
void build_store_register(Builder& builder, const Fields& fields) {
    expose_stored(builder, fields['t']);
    MicroOp& op = builder.emit(handler<store_index<T>>);
    set_operands(op, fields.reg('t'), fields.reg('n'), fields['i']);
    op.rm = fields.reg('m');
}

/// PLD and PLI: nothing that a program can see.
void build_preload(Builder& builder, const Fields& fields);

/// When the base of a pair moves.
enum class Mode : std::uint8_t { Offset, Before, After };

template <Mode How>
void build_load_double(Builder& builder, const Fields& fields);
void build_load_double_literal(Builder& builder, const Fields& fields);
template <Mode How>
void build_store_double(Builder& builder, const Fields& fields);

// 32-bit LDM and STM, increment after and decrement before.
void build_load_multiple_up(Builder& builder, const Fields& fields);
void build_load_multiple_down(Builder& builder, const Fields& fields);
void build_store_multiple_up(Builder& builder, const Fields& fields);
void build_store_multiple_down(Builder& builder, const Fields& fields);
// Their 16-bit kin.
void build_load_multiple_narrow(Builder& builder, const Fields& fields);
void build_store_multiple_narrow(Builder& builder, const Fields& fields);
void build_push_narrow(Builder& builder, const Fields& fields);
void build_pop_narrow(Builder& builder, const Fields& fields);
void build_clear_multiple(Builder& builder, const Fields& fields);

// Exclusives, load-acquire and store-release. The core is one observer of its memory that does
// everything in order, so acquire and release order nothing more.
template <class T>
void build_load_exclusive(Builder& builder, const Fields& fields);
template <class T>
void build_store_exclusive(Builder& builder, const Fields& fields);
template <class T>
void build_load_acquire(Builder& builder, const Fields& fields);
template <class T>
void build_store_release(Builder& builder, const Fields& fields);
void build_clear_exclusive(Builder& builder, const Fields& fields);

}  // namespace n6vp::models::core::isa::memory

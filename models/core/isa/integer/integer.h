// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "models/core/ir/builder.h"
#include "models/core/isa/integer/alu.h"
#include "models/core/isa/row.h"

// What the files of this folder share.
namespace n6vp::models::core::isa::integer {

// Rows by topic, each in the file of its name.
[[nodiscard]] std::span<const Row> narrow_rows();    ///< 16-bit
[[nodiscard]] std::span<const Row> wide_alu_rows();  ///< 32-bit, the sixteen operations
[[nodiscard]] std::span<const Row> bit_rows();       ///< bit fields, extension, bit counting
[[nodiscard]] std::span<const Row> select_rows();    ///< conditional select
[[nodiscard]] std::span<const Row> long_shift_rows();
[[nodiscard]] std::span<const Row> parallel_rows();  ///< DSP: lanes and saturation
[[nodiscard]] std::span<const Row> multiply_rows();  ///< and divide

[[nodiscard]] std::span<const Directive> integer_directives();

/// An immediate shift of encoding bits `kind` (0 LSL, 1 LSR, 2 ASR, 3 ROR) by `amount`, where zero
/// stands for no shift, 32, 32 and RRX.
struct ImmediateShift {
    Operand operand = Operand::Register;
    std::uint32_t amount = 0;
};
[[nodiscard]] ImmediateShift decode_shift(std::uint32_t kind, std::uint32_t amount);

/// Makes r[15] readable if one of `sources` is 15.
void expose_sources(Builder& builder, std::initializer_list<std::uint8_t> sources);
/// Does what follows a write of general register `rd`: keeps the stack pointer aligned, branches.
void finish_destination(Builder& builder, std::uint8_t rd);

/// One of the sixteen operations to be emitted.
struct AluOp {
    Operation operation = Operation::Mov;
    Operand operand = Operand::Immediate;
    bool set_flags = false;
    std::uint8_t rd = 0, rn = 0, rm = 0;
    std::uint32_t imm = 0;
};
/// Appends it with all that its registers ask for.
void emit_alu(Builder& builder, const AluOp& alu);

/// Appends rd = semantics(rn, rm, ra) for fields d, n, m and a, where the row has them.
void emit_plain(Builder& builder, const Fields& fields, Handler handler);

/// Build function of rows that need no more than that.
template <auto Semantics>
void plain(Builder& builder, const Fields& fields) {
    emit_plain(builder, fields, handler<Semantics>);
}

}  // namespace n6vp::models::core::isa::integer

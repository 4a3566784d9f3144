// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/ir/builder.h"
#include "models/core/isa/row.h"
#include "models/core/isa/vector_float/lanes.h"

// Instructions that do the same to every lane, slowly and right. An operation is a type with a
// static function template `lane` of old destination, first and second operand.

namespace n6vp::models::core::isa::vector_float {

/// The second operand: Qm, or general register Rm in every lane. Operands: rd, rn, rm.
enum class Source : std::uint8_t { Vector, Scalar };

template <class T, Source kSource>
[[nodiscard]] inline Lanes<T> second_operand(const CpuState& cpu, const MicroOp& op) {
    if constexpr (kSource == Source::Vector) {
        return read<T>(cpu, op.rm);
    } else {
        Lanes<T> lanes;
        lanes.fill(static_cast<T>(cpu.r[op.rm]));
        return lanes;
    }
}

template <class Op, class T, Source kSource>
N6VP_FAR void lanewise(CpuState& cpu, const MicroOp& op, std::uint32_t active) {
    const Lanes<T> n = read<T>(cpu, op.rn), m = second_operand<T, kSource>(cpu, op);
    Lanes<T> d = read<T>(cpu, op.rd);
    fp::Environment environment = fp::Environment::standard(cpu.fpscr);
    ActiveLanes<T>(active).for_each(environment, [&](unsigned lane) {
        d[lane] = Op::lane(d[lane], n[lane], m[lane], environment);
    });
    write(cpu, op.rd, d, active);
    cpu.fpscr |= environment.flags;
}

template <class Op, class T, Source kSource>
void lanewise_full(CpuState& cpu, const MicroOp& op) {
    lanewise<Op, T, kSource>(cpu, op, 0xFFFF);
}
template <class Op, class T, Source kSource>
void lanewise_general(CpuState& cpu, const MicroOp& op) {
    lanewise<Op, T, kSource>(cpu, op, active_bytes(cpu));
}

template <class Op, class T, Source kSource>
inline constexpr Handler kLanewise =
    vector_handler<lanewise_full<Op, T, kSource>, lanewise_general<Op, T, kSource>>;

/// Appends a micro-op with the operands of fields d, n and m.
inline MicroOp& emit(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = builder.emit(handler);
    op.rd = fields.reg('d');
    op.rn = fields.reg('n');
    op.rm = fields.reg('m');
    return op;
}

/// Returns true for half precision: field h, or field z, which is 1 for half and 2 for single, or
/// field w, which is 1 for single. A pattern has one of them.
[[nodiscard]] inline bool is_half(const Fields& fields, char letter) {
    const std::uint32_t value = fields[letter];
    return letter == 'w' ? value == 0 : value == 1;
}

template <class Op, char kSize>
void by_vector(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         is_half(fields, kSize) ? kLanewise<Op, std::uint16_t, Source::Vector>
                                : kLanewise<Op, std::uint32_t, Source::Vector>);
}
template <class Op, char kSize>
void by_scalar(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         is_half(fields, kSize) ? kLanewise<Op, std::uint16_t, Source::Scalar>
                                : kLanewise<Op, std::uint32_t, Source::Scalar>);
}

}  // namespace n6vp::models::core::isa::vector_float

// SPDX-License-Identifier: Apache-2.0
// VABD, VABS, VNEG, VMAXNM, VMINNM and what is made of them.
#include "models/core/isa/vector_float/build.h"
#include "models/core/isa/vector_float/lanewise.h"
#include "models/core/isa/vector_float/operations.h"
#include "models/core/isa/vector_float/simd.h"

namespace n6vp::models::core::isa::vector_float {

namespace {

struct MaximumAbsolute {
    template <class T>
    static T lane(T d, T /*n*/, T m, fp::Environment& environment) {
        return fp::max_number(fp::absolute(d), fp::absolute(m), environment);
    }
};
struct MinimumAbsolute {
    template <class T>
    static T lane(T d, T /*n*/, T m, fp::Environment& environment) {
        return fp::min_number(fp::absolute(d), fp::absolute(m), environment);
    }
};

// Signs alone raise nothing.

struct Absolute {
    template <class T>
    static T lane(T m) {
        return fp::absolute(m);
    }
};
struct Negate {
    template <class T>
    static T lane(T m) {
        return fp::negate(m);
    }
};

template <class Op, class T, bool kFull>
void change_sign(CpuState& cpu, const MicroOp& op) {
    Lanes<T> lanes = read<T>(cpu, op.rm);
    for (T& lane : lanes) lane = Op::lane(lane);
    write(cpu, op.rd, lanes, kFull ? 0xFFFF : active_bytes(cpu));
}

template <class Op, class T>
inline constexpr Handler kChangeSign =
    vector_handler<change_sign<Op, T, true>, change_sign<Op, T, false>>;

template <class Op>
void emit_sign(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         is_half(fields, 'z') ? kChangeSign<Op, std::uint16_t> : kChangeSign<Op, std::uint32_t>);
}

/// Makes a NaN quiet.
template <class T>
T silence(T value, fp::Environment& environment) {
    if (!fp::is_signaling(value)) return value;
    environment.flags |= fp::raised::kInvalid;
    return fp::Format<T>::kDefaultNan;
}

/// The result must not depend on the order of the lanes: a signalling NaN loses against numbers as
/// a quiet one does. Operands: rd general register, rm vector.
template <class T, bool kAbsolute, bool kMinimum>
N6VP_FAR void across(CpuState& cpu, const MicroOp& op, std::uint32_t active) {
    const Lanes<T> m = read<T>(cpu, op.rm);
    fp::Environment environment = fp::Environment::standard(cpu.fpscr);
    auto best = static_cast<T>(cpu.r[op.rd]);
    const ActiveLanes<T> lanes(active);
    for (unsigned i = 0; i < m.size(); ++i) {
        if (!lanes.raises(i)) continue;
        const T value = silence(m[i], environment);
        const T lane = kAbsolute ? fp::absolute(value) : value;
        best = silence(best, environment);
        best = kMinimum ? fp::min_number(best, lane, environment)
                        : fp::max_number(best, lane, environment);
    }
    cpu.r[op.rd] = best;
    cpu.fpscr |= environment.flags;
}
template <class T, bool kAbsolute, bool kMinimum>
void across_full(CpuState& cpu, const MicroOp& op) {
    across<T, kAbsolute, kMinimum>(cpu, op, 0xFFFF);
}
template <class T, bool kAbsolute, bool kMinimum>
void across_general(CpuState& cpu, const MicroOp& op) {
    across<T, kAbsolute, kMinimum>(cpu, op, active_bytes(cpu));
}

template <class T, bool kAbsolute, bool kMinimum>
inline constexpr Handler kAcross =
    vector_handler<across_full<T, kAbsolute, kMinimum>, across_general<T, kAbsolute, kMinimum>>;

template <class T>
Handler choose_across(bool absolute, bool minimum) {
    if (absolute) return minimum ? kAcross<T, true, true> : kAcross<T, true, false>;
    return minimum ? kAcross<T, false, true> : kAcross<T, false, false>;
}

}  // namespace

void build_absolute_difference(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::absolute_difference, AbsoluteDifference>(builder, fields);
}
void build_absolute(Builder& builder, const Fields& fields) {
    emit_sign<Absolute>(builder, fields);
}
void build_negate(Builder& builder, const Fields& fields) {
    emit_sign<Negate>(builder, fields);
}
void build_maximum(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::maximum, Maximum>(builder, fields);
}
void build_minimum(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::minimum, Minimum>(builder, fields);
}
void build_maximum_absolute(Builder& builder, const Fields& fields) {
    by_vector<MaximumAbsolute, 'h'>(builder, fields);
}
void build_minimum_absolute(Builder& builder, const Fields& fields) {
    by_vector<MinimumAbsolute, 'h'>(builder, fields);
}
void build_across(Builder& builder, const Fields& fields) {
    const bool absolute = fields['A'] == 0, minimum = fields['o'] != 0;
    MicroOp& op =
        builder.emit(is_half(fields, 'h') ? choose_across<std::uint16_t>(absolute, minimum)
                                          : choose_across<std::uint32_t>(absolute, minimum));
    op.rd = fields.reg('a');
    op.rm = fields.reg('m');
}

}  // namespace n6vp::models::core::isa::vector_float

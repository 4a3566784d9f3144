// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <type_traits>

#include "models/core/float/host_float.h"
#include "models/core/isa/float/operands.h"

// Comparison, minimum and maximum, selection.
namespace n6vp::models::core::isa {

namespace {

constexpr std::uint32_t kFlags = 0xFu << 28;
constexpr std::uint32_t kLess = fpscr::kN, kEqual = fpscr::kZ | fpscr::kC, kGreater = fpscr::kC,
                        kUnordered = fpscr::kC | fpscr::kV;

std::uint32_t flags_of(fp::Ordering ordering) {
    switch (ordering) {
        case fp::Ordering::Less:
            return kLess;
        case fp::Ordering::Equal:
            return kEqual;
        case fp::Ordering::Greater:
            return kGreater;
        default:
            return kUnordered;
    }
}

void set_flags(CpuState& cpu, std::uint32_t flags) {
    cpu.fpscr = (cpu.fpscr & ~kFlags) | flags;
}

/// VCMP and VCMPE (`SignalQuiet`) of rn with rm or zero.
template <class T, bool WithZero, bool SignalQuiet>
bool compare_quickly(CpuState& cpu, const MicroOp& op) {
    const T a = get<T>(cpu, op.rn), b = WithZero ? T{0} : get<T>(cpu, op.rm);
    if (!fp::none_flushed(cpu.fpscr, a, b)) return false;
    const auto x = fp::to_host(a), y = fp::to_host(b);
    if (x < y) {
        set_flags(cpu, kLess);
        return true;
    }
    if (x > y) {
        set_flags(cpu, kGreater);
        return true;
    }
    if (x != y) return false;
    set_flags(cpu, kEqual);
    return true;
}
template <class T, bool WithZero, bool SignalQuiet>
void compare(CpuState& cpu, const MicroOp& op) {
    const T a = get<T>(cpu, op.rn), b = WithZero ? T{0} : get<T>(cpu, op.rm);
    const fp::Ordering ordering = with_environment(cpu, [&](fp::Environment& environment) {
        return fp::compare(a, b, SignalQuiet, environment);
    });
    set_flags(cpu, flags_of(ordering));
}

template <class T, bool Maximum>
bool select_number_quickly(CpuState& cpu, const MicroOp& op) {
    const T a = get<T>(cpu, op.rn), b = get<T>(cpu, op.rm);
    if (!fp::none_flushed(cpu.fpscr, a, b)) return false;
    const auto x = fp::to_host(a), y = fp::to_host(b);
    if (x > y) {
        put<T>(cpu, op.rd, Maximum ? a : b);
        return true;
    }
    if (x < y) {
        put<T>(cpu, op.rd, Maximum ? b : a);
        return true;
    }
    return false;
}
template <class T, bool Maximum>
void select_number(CpuState& cpu, const MicroOp& op) {
    const T a = get<T>(cpu, op.rn), b = get<T>(cpu, op.rm);
    put<T>(cpu, op.rd, with_environment(cpu, [&](fp::Environment& environment) {
               return Maximum ? fp::max_number(a, b, environment)
                              : fp::min_number(a, b, environment);
           }));
}

template <class T, unsigned Condition>
void select(CpuState& cpu, const MicroOp& op) {
    put<T>(cpu, op.rd, get<T>(cpu, condition_holds(cpu, Condition) ? op.rn : op.rm));
}

/// The host has no half precision.
template <class T, bool WithZero, bool SignalQuiet>
Handler compare_handler() {
    if constexpr (std::is_same_v<T, Half>) {
        return handler<compare<T, WithZero, SignalQuiet>>;
    } else {
        return two_speed<compare_quickly<T, WithZero, SignalQuiet>,
                         compare<T, WithZero, SignalQuiet>>;
    }
}
template <class T, bool Maximum>
Handler number_handler() {
    if constexpr (std::is_same_v<T, Half>) {
        return handler<select_number<T, Maximum>>;
    } else {
        return two_speed<select_number_quickly<T, Maximum>, select_number<T, Maximum>>;
    }
}

template <class T>
void emit_compare(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = builder.emit(handler);
    op.rn = float_reg<T>(fields, 'a');
    op.rm = float_reg<T>(fields, 'm');
}
template <class T>
void build_vcmp(Builder& builder, const Fields& fields) {
    emit_compare<T>(builder, fields, compare_handler<T, false, false>());
}
template <class T>
void build_vcmpe(Builder& builder, const Fields& fields) {
    emit_compare<T>(builder, fields, compare_handler<T, false, true>());
}
template <class T>
void build_vcmp_zero(Builder& builder, const Fields& fields) {
    emit_compare<T>(builder, fields, compare_handler<T, true, false>());
}
template <class T>
void build_vcmpe_zero(Builder& builder, const Fields& fields) {
    emit_compare<T>(builder, fields, compare_handler<T, true, true>());
}
template <class T>
void build_vmaxnm(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, number_handler<T, true>());
}
template <class T>
void build_vminnm(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, number_handler<T, false>());
}
template <class T, unsigned Condition>
void build_vsel(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, handler<select<T, Condition>>);
}
template <class T>
constexpr auto build_vseleq = build_vsel<T, 0>;
template <class T>
constexpr auto build_vselvs = build_vsel<T, 6>;
template <class T>
constexpr auto build_vselge = build_vsel<T, 10>;
template <class T>
constexpr auto build_vselgt = build_vsel<T, 12>;

// clang-format off
// Comparisons write no register: none is called d.
#define N6VP_COMPARE(title, name, op, build)                                                       \
    needing(Feature::Half, {title " (half)", "1110 1110 1a11 0100 aaaa 1001 " op "m0 mmmm",        \
     name ".f16 {a:sf}, {m:sf}", build<Half>, Issue::FpMove, Unit::Fp}),                           \
    {title " (single)", "1110 1110 1a11 0100 aaaa 1010 " op "m0 mmmm",                             \
     name ".f32 {a:sf}, {m:sf}", build<Single>, Issue::FpMove, Unit::Fp},                          \
    needing(Feature::Double, {title " (double)", "1110 1110 1011 0100 aaaa 1011 " op "00 mmmm",    \
     name ".f64 {a:d}, {m:d}", build<Double>, Issue::FpMove, Unit::Fp})
#define N6VP_COMPARE_ZERO(title, name, op, build)                                                  \
    needing(Feature::Half, {title " (half)", "1110 1110 1a11 0101 aaaa 1001 " op "000000", name ".f16 {a:sf}, #0", \
     build<Half>, Issue::FpMove, Unit::Fp}),                                                       \
    {title " (single)", "1110 1110 1a11 0101 aaaa 1010 " op "000000", name ".f32 {a:sf}, #0",      \
     build<Single>, Issue::FpMove, Unit::Fp},                                                      \
    needing(Feature::Double, {title " (double)", "1110 1110 1011 0101 aaaa 1011 " op "000000", name ".f64 {a:d}, #0", \
     build<Double>, Issue::FpMove, Unit::Fp})

#define N6VP_TOP2 "1111 1110"
constexpr Row kRows[] = {
    N6VP_COMPARE("VCMP T1", "vcmp{:it}", "01", build_vcmp),
    N6VP_COMPARE("VCMPE T1", "vcmpe{:it}", "11", build_vcmpe),
    N6VP_COMPARE_ZERO("VCMP T2", "vcmp{:it}", "01", build_vcmp_zero),
    N6VP_COMPARE_ZERO("VCMPE T2", "vcmpe{:it}", "11", build_vcmpe_zero),
};
constexpr Row kV5Rows[] = {
    N6VP_FLOAT_THREE_OPERANDS("VMAXNM T1", "vmaxnm", N6VP_TOP2, "1", "00", "0", build_vmaxnm, kAddIssue),
    N6VP_FLOAT_THREE_OPERANDS("VMINNM T1", "vminnm", N6VP_TOP2, "1", "00", "1", build_vminnm, kAddIssue),
    N6VP_FLOAT_THREE_OPERANDS("VSELEQ T1", "vseleq", N6VP_TOP2, "0", "00", "0", build_vseleq, kMoveIssue),
    N6VP_FLOAT_THREE_OPERANDS("VSELVS T1", "vselvs", N6VP_TOP2, "0", "01", "0", build_vselvs, kMoveIssue),
    N6VP_FLOAT_THREE_OPERANDS("VSELGE T1", "vselge", N6VP_TOP2, "0", "10", "0", build_vselge, kMoveIssue),
    N6VP_FLOAT_THREE_OPERANDS("VSELGT T1", "vselgt", N6VP_TOP2, "0", "11", "0", build_vselgt, kMoveIssue),
};
// clang-format on

}  // namespace

std::span<const Row> float_compare_rows() {
    return kRows;
}

std::span<const Row> float_compare_v5_rows() {
    return kV5Rows;
}

}  // namespace n6vp::models::core::isa

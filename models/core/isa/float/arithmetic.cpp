// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <type_traits>

#include "models/core/float/host_float.h"
#include "models/core/isa/float/operands.h"

// Addition to square root. Operands: rd = rn op rm; the addend of multiply-add is rd.
namespace n6vp::models::core::isa {

namespace {

using fp::Add;
using fp::Divide;
using fp::Multiply;
using fp::MultiplyAdd;
using fp::negate;
using fp::Quick;
using fp::SquareRoot;
using fp::Subtract;

template <class T>
constexpr bool kHostHas = !std::is_same_v<T, Half>;

template <bool Negated, class T>
constexpr T turned(T value) {
    return Negated ? negate(value) : value;
}

/// Returns true if an operation on these operands needs nothing of FPSCR but what it already says.
template <class... Operands>
inline bool settled(const CpuState& cpu, Operands... operands) {
    return fp::ignores_inexact(cpu.fpscr) && fp::none_flushed(cpu.fpscr, operands...);
}

/// Returns the result of an operation for any operands and any FPSCR.
template <class Operation, class T, class... Operands>
inline T slowly(CpuState& cpu, T first, Operands... operands) {
    if constexpr (kHostHas<T>) {
        if (fp::rounds_to_nearest(cpu.fpscr) && fp::none_flushed(cpu.fpscr, first, operands...)) {
            const Quick<T> result = Operation::quick(first, operands...);
            const bool inexact_known = (cpu.fpscr & fpscr::kIxc) != 0;
            if (result.known &&
                (inexact_known || Operation::exact(first, operands..., result.bits)))
                return result.bits;
        }
    }
    return with_environment(cpu, [&](fp::Environment& environment) {
        return Operation::soft(first, operands..., environment);
    });
}

/// rd = rn op rm, VNMUL with the sign changed afterwards.
template <class Operation, bool Negated>
struct Binary {
    template <class T>
    static bool quick(CpuState& cpu, const MicroOp& op) {
        const T a = get<T>(cpu, op.rn), b = get<T>(cpu, op.rm);
        if (!settled(cpu, a, b)) [[unlikely]]
            return false;
        const Quick<T> result = Operation::quick(a, b);
        if (!result.known) [[unlikely]]
            return false;
        put<T>(cpu, op.rd, turned<Negated>(result.bits));
        return true;
    }
    template <class T>
    static void slow(CpuState& cpu, const MicroOp& op) {
        const T result = slowly<Operation>(cpu, get<T>(cpu, op.rn), get<T>(cpu, op.rm));
        put<T>(cpu, op.rd, turned<Negated>(result));
    }
};

/// rd = (-)rd + (-)rn * rm, rounded once.
template <bool NegatedAddend, bool NegatedProduct>
struct Fused {
    template <class T>
    static bool quick(CpuState& cpu, const MicroOp& op) {
        const T addend = get<T>(cpu, op.rd), a = get<T>(cpu, op.rn), b = get<T>(cpu, op.rm);
        if (!settled(cpu, addend, a, b)) [[unlikely]]
            return false;
        const Quick<T> result =
            MultiplyAdd::quick(turned<NegatedAddend>(addend), turned<NegatedProduct>(a), b);
        if (!result.known) [[unlikely]]
            return false;
        put<T>(cpu, op.rd, result.bits);
        return true;
    }
    template <class T>
    static void slow(CpuState& cpu, const MicroOp& op) {
        put<T>(cpu, op.rd,
               slowly<MultiplyAdd>(cpu, turned<NegatedAddend>(get<T>(cpu, op.rd)),
                                   turned<NegatedProduct>(get<T>(cpu, op.rn)), get<T>(cpu, op.rm)));
    }
};

/// rd = (-)rd + (-)(rn * rm), rounded twice.
template <bool NegatedAddend, bool NegatedProduct>
struct Chained {
    template <class T>
    static bool quick(CpuState& cpu, const MicroOp& op) {
        const T addend = get<T>(cpu, op.rd), a = get<T>(cpu, op.rn), b = get<T>(cpu, op.rm);
        if (!settled(cpu, addend, a, b)) [[unlikely]]
            return false;
        const Quick<T> product = Multiply::quick(a, b);
        if (!product.known) [[unlikely]]
            return false;
        const Quick<T> sum =
            Add::quick(turned<NegatedAddend>(addend), turned<NegatedProduct>(product.bits));
        if (!sum.known) [[unlikely]]
            return false;
        put<T>(cpu, op.rd, sum.bits);
        return true;
    }
    template <class T>
    static void slow(CpuState& cpu, const MicroOp& op) {
        const T product = slowly<Multiply>(cpu, get<T>(cpu, op.rn), get<T>(cpu, op.rm));
        put<T>(cpu, op.rd,
               slowly<Add>(cpu, turned<NegatedAddend>(get<T>(cpu, op.rd)),
                           turned<NegatedProduct>(product)));
    }
};

struct Root {
    template <class T>
    static bool quick(CpuState& cpu, const MicroOp& op) {
        const T a = get<T>(cpu, op.rm);
        if (!settled(cpu, a)) [[unlikely]]
            return false;
        const Quick<T> result = SquareRoot::quick(a);
        if (!result.known) [[unlikely]]
            return false;
        put<T>(cpu, op.rd, result.bits);
        return true;
    }
    template <class T>
    static void slow(CpuState& cpu, const MicroOp& op) {
        put<T>(cpu, op.rd, slowly<SquareRoot>(cpu, get<T>(cpu, op.rm)));
    }
};

template <class Instruction, class T>
void build(Builder& builder, const Fields& fields) {
    if constexpr (kHostHas<T>) {
        emit_float<T, T>(builder, fields,
                         two_speed<Instruction::template quick<T>, Instruction::template slow<T>>);
    } else {
        emit_float<T, T>(builder, fields, handler<Instruction::template slow<T>>);
    }
}

template <class T>
constexpr auto build_add = build<Binary<Add, false>, T>;
template <class T>
constexpr auto build_subtract = build<Binary<Subtract, false>, T>;
template <class T>
constexpr auto build_multiply = build<Binary<Multiply, false>, T>;
template <class T>
constexpr auto build_negated_multiply = build<Binary<Multiply, true>, T>;
template <class T>
constexpr auto build_divide = build<Binary<Divide, false>, T>;
template <class T>
constexpr auto build_vfma = build<Fused<false, false>, T>;
template <class T>
constexpr auto build_vfms = build<Fused<false, true>, T>;
template <class T>
constexpr auto build_vfnma = build<Fused<true, true>, T>;
template <class T>
constexpr auto build_vfnms = build<Fused<true, false>, T>;
template <class T>
constexpr auto build_vmla = build<Chained<false, false>, T>;
template <class T>
constexpr auto build_vmls = build<Chained<false, true>, T>;
template <class T>
constexpr auto build_vnmla = build<Chained<true, true>, T>;
template <class T>
constexpr auto build_vnmls = build<Chained<true, false>, T>;
template <class T>
constexpr auto build_root = build<Root, T>;

constexpr FloatIssue kMultiplyIssue{Issue::FpArithmetic, Issue::FpArithmetic,
                                    Issue::FpDoubleMultiply};
constexpr FloatIssue kFusedIssue{Issue::FpArithmetic, Issue::FpArithmetic, Issue::FpDoubleFused};
constexpr FloatIssue kChainedIssue{Issue::FpMultiplyAdd, Issue::FpMultiplyAdd,
                                   Issue::FpDoubleMultiplyAdd};
constexpr FloatIssue kDivideIssue{Issue::FpDivideHalf, Issue::FpDivide, Issue::FpDoubleDivide};

#define N6VP_TOP "1110 1110"
// clang-format off
constexpr Row kRows[] = {
    N6VP_FLOAT_THREE_OPERANDS("VMLA T1", "vmla{:it}", N6VP_TOP, "0", "00", "0", build_vmla, kChainedIssue),
    N6VP_FLOAT_THREE_OPERANDS("VMLS T1", "vmls{:it}", N6VP_TOP, "0", "00", "1", build_vmls, kChainedIssue),
    N6VP_FLOAT_THREE_OPERANDS("VNMLS T1", "vnmls{:it}", N6VP_TOP, "0", "01", "0", build_vnmls, kChainedIssue),
    N6VP_FLOAT_THREE_OPERANDS("VNMLA T1", "vnmla{:it}", N6VP_TOP, "0", "01", "1", build_vnmla, kChainedIssue),
    N6VP_FLOAT_THREE_OPERANDS("VMUL T1", "vmul{:it}", N6VP_TOP, "0", "10", "0", build_multiply, kMultiplyIssue),
    N6VP_FLOAT_THREE_OPERANDS("VNMUL T1", "vnmul{:it}", N6VP_TOP, "0", "10", "1", build_negated_multiply, kMultiplyIssue),
    N6VP_FLOAT_THREE_OPERANDS("VADD T1", "vadd{:it}", N6VP_TOP, "0", "11", "0", build_add, kAddIssue),
    N6VP_FLOAT_THREE_OPERANDS("VSUB T1", "vsub{:it}", N6VP_TOP, "0", "11", "1", build_subtract, kAddIssue),
    N6VP_FLOAT_THREE_OPERANDS("VDIV T1", "vdiv{:it}", N6VP_TOP, "1", "00", "0", build_divide, kDivideIssue),
    N6VP_FLOAT_THREE_OPERANDS("VFNMS T1", "vfnms{:it}", N6VP_TOP, "1", "01", "0", build_vfnms, kFusedIssue),
    N6VP_FLOAT_THREE_OPERANDS("VFNMA T1", "vfnma{:it}", N6VP_TOP, "1", "01", "1", build_vfnma, kFusedIssue),
    N6VP_FLOAT_THREE_OPERANDS("VFMA T1", "vfma{:it}", N6VP_TOP, "1", "10", "0", build_vfma, kFusedIssue),
    N6VP_FLOAT_THREE_OPERANDS("VFMS T1", "vfms{:it}", N6VP_TOP, "1", "10", "1", build_vfms, kFusedIssue),
    N6VP_FLOAT_TWO_OPERANDS("VSQRT T1", "vsqrt{:it}", N6VP_TOP, "0001", "11", build_root, kDivideIssue),
};
// clang-format on

}  // namespace

std::span<const Row> float_arithmetic_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
// VCADD, VCMUL, VCMLA: even lanes are real parts, odd lanes the imaginary parts beside them.
#include "models/core/isa/vector_float/build.h"
#include "models/core/isa/vector_float/lanewise.h"

namespace n6vp::models::core::isa::vector_float {

namespace {

/// Adds Qm turned by 90 degrees, or by 270 with `kThreeQuarters`.
template <class T, bool kThreeQuarters>
struct ComplexAdd {
    static T lane(unsigned i, const Lanes<T>& /*d*/, const Lanes<T>& n, const Lanes<T>& m,
                  fp::Environment& environment) {
        const bool real = i % 2 == 0;
        const T other = m[i ^ 1];
        return real != kThreeQuarters ? fp::subtract(n[i], other, environment)
                                      : fp::add(n[i], other, environment);
    }
};

/// The factors of one lane: with an even number of quarters the real part of Qn scales Qm, with an
/// odd number the imaginary part scales Qm turned by 90 degrees; half a turn changes the sign.
template <class T, unsigned kQuarters>
struct Factors {
    Factors(unsigned i, const Lanes<T>& n, const Lanes<T>& m) {
        constexpr bool kOdd = kQuarters % 2 != 0;
        const bool real = i % 2 == 0;
        first = n[(i & ~1u) + (kOdd ? 1 : 0)];
        second = m[kOdd ? i ^ 1 : i];
        if ((kOdd && real) != (kQuarters >= 2)) first = fp::negate(first);
    }
    T first, second;
};

template <class T, unsigned kQuarters>
struct ComplexMultiply {
    static T lane(unsigned i, const Lanes<T>& /*d*/, const Lanes<T>& n, const Lanes<T>& m,
                  fp::Environment& environment) {
        const Factors<T, kQuarters> factors(i, n, m);
        return fp::multiply(factors.first, factors.second, environment);
    }
};

template <class T, unsigned kQuarters>
struct ComplexMultiplyAdd {
    static T lane(unsigned i, const Lanes<T>& d, const Lanes<T>& n, const Lanes<T>& m,
                  fp::Environment& environment) {
        const Factors<T, kQuarters> factors(i, n, m);
        return fp::multiply_add(d[i], factors.first, factors.second, environment);
    }
};

template <class T, class Op>
N6VP_FAR void complex(CpuState& cpu, const MicroOp& op, std::uint32_t active) {
    const Lanes<T> n = read<T>(cpu, op.rn), m = read<T>(cpu, op.rm), d = read<T>(cpu, op.rd);
    Lanes<T> result = d;
    fp::Environment environment = fp::Environment::standard(cpu.fpscr);
    ActiveLanes<T>(active).for_each(
        environment, [&](unsigned i) { result[i] = Op::lane(i, d, n, m, environment); });
    write(cpu, op.rd, result, active);
    cpu.fpscr |= environment.flags;
}
template <class T, class Op>
void complex_full(CpuState& cpu, const MicroOp& op) {
    complex<T, Op>(cpu, op, 0xFFFF);
}
template <class T, class Op>
void complex_general(CpuState& cpu, const MicroOp& op) {
    complex<T, Op>(cpu, op, active_bytes(cpu));
}
template <class T, class Op>
inline constexpr Handler kComplex = vector_handler<complex_full<T, Op>, complex_general<T, Op>>;

/// Chooses by the number of quarter turns.
template <class T, template <class, unsigned> class Op>
Handler by_quarters(std::uint32_t quarters) {
    switch (quarters) {
        case 0:
            return kComplex<T, Op<T, 0>>;
        case 1:
            return kComplex<T, Op<T, 1>>;
        case 2:
            return kComplex<T, Op<T, 2>>;
        default:
            return kComplex<T, Op<T, 3>>;
    }
}

template <class T>
Handler choose_add(bool three_quarters) {
    return three_quarters ? kComplex<T, ComplexAdd<T, true>> : kComplex<T, ComplexAdd<T, false>>;
}

}  // namespace

void build_complex_add(Builder& builder, const Fields& fields) {
    const bool three_quarters = fields['r'] != 0;
    emit(builder, fields,
         is_half(fields, 'w') ? choose_add<std::uint16_t>(three_quarters)
                              : choose_add<std::uint32_t>(three_quarters));
}
void build_complex_multiply(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         is_half(fields, 'w') ? by_quarters<std::uint16_t, ComplexMultiply>(fields['r'])
                              : by_quarters<std::uint32_t, ComplexMultiply>(fields['r']));
}
void build_complex_multiply_add(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         is_half(fields, 'w') ? by_quarters<std::uint16_t, ComplexMultiplyAdd>(fields['r'])
                              : by_quarters<std::uint32_t, ComplexMultiplyAdd>(fields['r']));
}

}  // namespace n6vp::models::core::isa::vector_float

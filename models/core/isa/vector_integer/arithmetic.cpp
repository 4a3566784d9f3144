// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/simd.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

struct HalvingAdd {
    template <class T>
    static T lane(T, T n, T m) {
        return wrap<T>((Wide<T>{n} + m) >> 1);
    }
};

struct RoundingHalvingAdd {
    template <class T>
    static T lane(T, T n, T m) {
        return wrap<T>((Wide<T>{n} + m + 1) >> 1);
    }
};

struct HalvingSubtract {
    template <class T>
    static T lane(T, T n, T m) {
        return wrap<T>((Wide<T>{n} - m) >> 1);
    }
};

struct AbsoluteDifference {
    template <class T>
    static T lane(T, T n, T m) {
        return n > m ? wrap<T>(Exact<T>{n} - m) : wrap<T>(Exact<T>{m} - n);
    }
};

/// |m| as an unsigned number.
template <class T>
std::make_unsigned_t<T> magnitude(T m) {
    return wrap<std::make_unsigned_t<T>>(m < 0 ? -Exact<T>{m} : Exact<T>{m});
}

struct Absolute {
    template <class T>
    static T lane(T, T, T m) {
        return wrap<T>(magnitude(m));
    }
};

struct Negate {
    template <class T>
    static T lane(T, T, T m) {
        return wrap<T>(-Exact<T>{m});
    }
};

struct SaturatingAbsolute {
    template <class T>
    static Saturated<T> lane(T, T, T m) {
        return saturate<T>(Exact<T>{magnitude(m)});
    }
};

struct SaturatingNegate {
    template <class T>
    static Saturated<T> lane(T, T, T m) {
        return saturate<T>(wrap<Exact<T>>(-Exact<T>{m}));
    }
};

/// VMAXA and VMINA: the destination is unsigned, the operand signed.
template <class Choice>
struct OfMagnitude {
    template <class T>
    static T lane(T d, T, T m) {
        return Choice::template lane<T>(0, d, magnitude(wrap<std::make_signed_t<T>>(m)));
    }
};

/// VCADD and VHCADD: pairs of lanes are complex numbers; m is rotated by 90 or 270 degrees.
template <class T, bool kHalving, bool k270, bool kFull>
void complex_add(CpuState& cpu, const MicroOp& op) {
    const Lanes<T> n = read<T>(cpu, op.rn), m = read<T>(cpu, op.rm);
    Lanes<T> result;
    for (unsigned i = 0; i < kLanes<T>; i += 2) {
        const Exact<T> turned_real =
            k270 ? Exact<T>{m[i + 1]} : wrap<Exact<T>>(-Exact<T>{m[i + 1]});
        const Exact<T> turned_imaginary = k270 ? wrap<Exact<T>>(-Exact<T>{m[i]}) : Exact<T>{m[i]};
        result[i] = wrap<T>((n[i] + turned_real) >> kHalving);
        result[i + 1] = wrap<T>((n[i + 1] + turned_imaginary) >> kHalving);
    }
    write<kFull>(cpu, op.rd, result, active_of<kFull>(cpu));
}

template <bool kHalving, bool k270>
struct ComplexAdd {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler = vector_handler<complex_add<T, kHalving, k270, true>,
                                                           complex_add<T, kHalving, k270, false>>;
    };
};

template <bool kHalving>
void build_complex_add(Builder& builder, const Fields& fields) {
    constexpr auto k90 = Signed::handlers<ComplexAdd<kHalving, false>::template Entry>();
    constexpr auto k270 = Signed::handlers<ComplexAdd<kHalving, true>::template Entry>();
    emit_vectors(builder, fields, (fields['r'] != 0 ? k270 : k90)[fields['s']]);
}

/// VADC and VSBC: one carry chain through all lanes. The initial carry (`kInitial`) is 0 for VADCI
/// and 1 for VSBCI, and counts only if the first beat is still to be done.
template <bool kSubtract, bool kInitial, bool kFull>
void add_with_carry(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<std::uint32_t> n = read<std::uint32_t>(cpu, op.rn),
                               m = read<std::uint32_t>(cpu, op.rm);
    Lanes<std::uint32_t> result;
    std::uint64_t carry = (cpu.fpscr & fpscr::kC) != 0 ? 1 : 0;
    const bool first = kInitial && cpu.eci == kEciNone;
    if (first) carry = kSubtract ? 1 : 0;
    for (unsigned i = 0; i < kLanes<std::uint32_t>; ++i) {
        const std::uint64_t sum = std::uint64_t{n[i]} + (kSubtract ? ~m[i] : m[i]) + carry;
        result[i] = wrap<std::uint32_t>(sum);
        if (lane_active<std::uint32_t>(active, i)) carry = sum >> 32;
    }
    // Without an active lane VADC and VSBC, and what resumes behind the first beat, leave the flags
    // alone.
    if (first || (active & 0x1111) != 0) {
        cpu.fpscr &= ~(fpscr::kN | fpscr::kZ | fpscr::kC | fpscr::kV);
        if (carry != 0) cpu.fpscr |= fpscr::kC;
    }
    write<kFull>(cpu, op.rd, result, active);
}

template <bool kSubtract>
void build_add_with_carry(Builder& builder, const Fields& fields) {
    constexpr Handler kChained = vector_handler<add_with_carry<kSubtract, false, true>,
                                                add_with_carry<kSubtract, false, false>>;
    constexpr Handler kFirst = vector_handler<add_with_carry<kSubtract, true, true>,
                                              add_with_carry<kSubtract, true, false>>;
    emit_vectors(builder, fields, fields['I'] != 0 ? kFirst : kChained);
}

constexpr Row kRows[] = {
    // Addition and subtraction.
    {"VADD (vector) T1", "1110 1111 00ss nnn0 ddd0 1000 0100 mmm0",
     "vadd{:v}.i{s:size} {d:q}, {n:q}, {m:q}", simd_by_vector<&SimdHandlers::add>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VADD (vector) T2", "1110 1110 00ss nnn1 ddd0 1111 0100 mmmm",
     "vadd{:v}.i{s:size} {d:q}, {n:q}, {m:r}", simd_by_scalar<&SimdHandlers::add_scalar>,
     Issue::VectorSimple, Unit::Vector, sized_plain_m},
    {"VSUB (vector) T1", "1111 1111 00ss nnn0 ddd0 1000 0100 mmm0",
     "vsub{:v}.i{s:size} {d:q}, {n:q}, {m:q}", simd_by_vector<&SimdHandlers::subtract>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VSUB (vector) T2", "1110 1110 00ss nnn1 ddd1 1111 0100 mmmm",
     "vsub{:v}.i{s:size} {d:q}, {n:q}, {m:r}", simd_by_scalar<&SimdHandlers::subtract_scalar>,
     Issue::VectorSimple, Unit::Vector, sized_plain_m},
    {"VQADD T1", "111U 1111 00ss nnn0 ddd0 0000 0101 mmm0",
     "vqadd{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}",
     simd_by_vector<&SimdHandlers::saturating_add>, Issue::VectorSimple, Unit::Vector, sized},
    {"VQADD T2", "111U 1110 00ss nnn0 ddd0 1111 0110 mmmm",
     "vqadd{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:r}",
     simd_by_scalar<&SimdHandlers::saturating_add_scalar>, Issue::VectorSimple, Unit::Vector,
     sized_plain_m},
    {"VQSUB T1", "111U 1111 00ss nnn0 ddd0 0010 0101 mmm0",
     "vqsub{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}",
     simd_by_vector<&SimdHandlers::saturating_subtract>, Issue::VectorSimple, Unit::Vector, sized},
    {"VQSUB T2", "111U 1110 00ss nnn0 ddd1 1111 0110 mmmm",
     "vqsub{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:r}",
     simd_by_scalar<&SimdHandlers::saturating_subtract_scalar>, Issue::VectorSimple, Unit::Vector,
     sized_plain_m},

    // Halving.
    {"VHADD T1", "111U 1111 00ss nnn0 ddd0 0000 0100 mmm0",
     "vhadd{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", by_vector<HalvingAdd, Both>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VHADD T2", "111U 1110 00ss nnn0 ddd0 1111 0100 mmmm",
     "vhadd{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:r}", by_scalar<HalvingAdd, Both>,
     Issue::VectorSimple, Unit::Vector, sized_plain_m},
    {"VRHADD T1", "111U 1111 00ss nnn0 ddd0 0001 0100 mmm0",
     "vrhadd{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", by_vector<RoundingHalvingAdd, Both>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VHSUB T1", "111U 1111 00ss nnn0 ddd0 0010 0100 mmm0",
     "vhsub{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", by_vector<HalvingSubtract, Both>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VHSUB T2", "111U 1110 00ss nnn0 ddd1 1111 0100 mmmm",
     "vhsub{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:r}", by_scalar<HalvingSubtract, Both>,
     Issue::VectorSimple, Unit::Vector, sized_plain_m},

    // Complex numbers.
    {"VCADD T1", "1111 1110 00ss nnn0 dddr 1111 0000 mmm0",
     "vcadd{:v}.i{s:size} {d:q}, {n:q}, {m:q}, {r:turn}", build_complex_add<false>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VHCADD T1", "1110 1110 00ss nnn0 dddr 1111 0000 mmm0",
     "vhcadd{:v}.s{s:size} {d:q}, {n:q}, {m:q}, {r:turn}", build_complex_add<true>,
     Issue::VectorSimple, Unit::Vector, sized},

    // Long additions.
    {"VADC T1", "1110 1110 0011 nnn0 dddI 1111 0000 mmm0",
     "vadc{I:initial}{:v}.i32 {d:q}, {n:q}, {m:q}", build_add_with_carry<false>, Issue::VectorShift,
     Unit::Vector},
    {"VSBC T1", "1111 1110 0011 nnn0 dddI 1111 0000 mmm0",
     "vsbc{I:initial}{:v}.i32 {d:q}, {n:q}, {m:q}", build_add_with_carry<true>, Issue::VectorShift,
     Unit::Vector},

    // Absolute values, maximum, minimum.
    {"VABD T1", "111U 1111 00ss nnn0 ddd0 0111 0100 mmm0",
     "vabd{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", by_vector<AbsoluteDifference, Both>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VABS (vector) T1", "1111 1111 1011 ss01 ddd0 0011 0100 mmm0",
     "vabs{:v}.s{s:size} {d:q}, {m:q}", by_vector<Absolute, Signed>, Issue::VectorSimple,
     Unit::Vector, sized},
    {"VNEG (vector) T1", "1111 1111 1011 ss01 ddd0 0011 1100 mmm0",
     "vneg{:v}.s{s:size} {d:q}, {m:q}", by_vector<Negate, Signed>, Issue::VectorSimple,
     Unit::Vector, sized},
    {"VQABS T1", "1111 1111 1011 ss00 ddd0 0111 0100 mmm0", "vqabs{:v}.s{s:size} {d:q}, {m:q}",
     by_vector<SaturatingAbsolute, Signed>, Issue::VectorSimple, Unit::Vector, sized},
    {"VQNEG T1", "1111 1111 1011 ss00 ddd0 0111 1100 mmm0", "vqneg{:v}.s{s:size} {d:q}, {m:q}",
     by_vector<SaturatingNegate, Signed>, Issue::VectorSimple, Unit::Vector, sized},
    {"VMAX T1", "111U 1111 00ss nnn0 ddd0 0110 0100 mmm0",
     "vmax{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", simd_by_vector<&SimdHandlers::maximum>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VMIN T1", "111U 1111 00ss nnn0 ddd0 0110 0101 mmm0",
     "vmin{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", simd_by_vector<&SimdHandlers::minimum>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VMAXA T1", "1110 1110 0011 ss11 ddd0 1110 1000 mmm1", "vmaxa{:v}.s{s:size} {d:q}, {m:q}",
     by_vector<OfMagnitude<Maximum>, Modular>, Issue::VectorSimple, Unit::Vector, sized},
    {"VMINA T1", "1110 1110 0011 ss11 ddd1 1110 1000 mmm1", "vmina{:v}.s{s:size} {d:q}, {m:q}",
     by_vector<OfMagnitude<Minimum>, Modular>, Issue::VectorSimple, Unit::Vector, sized},
};

}  // namespace

std::span<const Row> arithmetic_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer

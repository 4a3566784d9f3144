// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <type_traits>

#include "models/core/float/host_float.h"
#include "models/core/isa/float/operands.h"

// Conversions and rounding to integral values. Operands: rd, rm; ra rounding, imm as each says.
namespace n6vp::models::core::isa {

namespace {

using fp::Environment;
using fp::Rounding;

/// In `MicroOp::ra`: the rounding of FPSCR.
constexpr std::uint8_t kOfFpscr = 0xFF;

Rounding rounding_of(const MicroOp& op, const Environment& environment) {
    return op.ra == kOfFpscr ? environment.rounding : static_cast<Rounding>(op.ra);
}

/// A to N, P, M in the order of their two bits.
constexpr Rounding kDirected[] = {Rounding::NearestAway, Rounding::Nearest, Rounding::Up,
                                  Rounding::Down};

// To and from 32-bit integers: imm = signed.

template <class T>
void to_integer(CpuState& cpu, const MicroOp& op) {
    const T value = get<T>(cpu, op.rm);
    const std::uint64_t result = with_environment(cpu, [&](Environment& environment) {
        return fp::to_fixed(value, 0, 32, op.imm != 0, rounding_of(op, environment), environment);
    });
    put<Single>(cpu, op.rd, static_cast<Single>(result));
}

/// Toward zero, the way of C.
template <class T, bool Signed>
bool truncate_quickly(CpuState& cpu, const MicroOp& op) {
    const T bits = get<T>(cpu, op.rm);
    const auto value = fp::to_host(bits);
    using Number = fp::HostNumber<T>;
    constexpr Number kLow = Signed ? Number(-2147483648.0) : Number(-1),
                     kHigh = Signed ? Number(2147483648.0) : Number(4294967296.0);
    if (!(value > kLow && value < kHigh) || !fp::none_flushed(cpu.fpscr, bits)) return false;
    const auto result = static_cast<std::int64_t>(value);
    put<Single>(cpu, op.rd, static_cast<Single>(result));
    if (static_cast<Number>(result) != value) cpu.fpscr |= fpscr::kIxc;
    return true;
}

template <class T>
void from_integer(CpuState& cpu, const MicroOp& op) {
    const Single bits = get<Single>(cpu, op.rm);
    const bool is_signed = op.imm != 0;
    const std::uint64_t value =
        is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(bits)) : bits;
    put<T>(cpu, op.rd, with_environment(cpu, [&](Environment& environment) {
               return fp::from_fixed<T>(value, 0, is_signed, environment.rounding, environment);
           }));
}

template <class T, bool Signed>
bool from_integer_quickly(CpuState& cpu, const MicroOp& op) {
    if (!fp::rounds_to_nearest(cpu.fpscr)) return false;
    const Single bits = get<Single>(cpu, op.rm);
    const std::int64_t value = Signed ? static_cast<std::int32_t>(bits) : std::int64_t{bits};
    const auto result = static_cast<fp::HostNumber<T>>(value);
    put<T>(cpu, op.rd, fp::from_host(result));
    if (static_cast<std::int64_t>(result) != value) cpu.fpscr |= fpscr::kIxc;
    return true;
}

template <class T>
void build_to_integer(Builder& builder, const Fields& fields) {
    MicroOp& op = emit_float<Single, T>(builder, fields, handler<to_integer<T>>);
    op.imm = fields['o'];
    op.ra = kOfFpscr;
}

template <class T>
void build_truncate(Builder& builder, const Fields& fields) {
    const bool is_signed = fields['o'] != 0;
    Handler how = handler<to_integer<T>>;
    if constexpr (!std::is_same_v<T, Half>) {
        how = is_signed ? two_speed<truncate_quickly<T, true>, to_integer<T>>
                        : two_speed<truncate_quickly<T, false>, to_integer<T>>;
    }
    MicroOp& op = emit_float<Single, T>(builder, fields, how);
    op.imm = is_signed ? 1 : 0;
    op.ra = static_cast<std::uint8_t>(Rounding::TowardZero);
}

template <class T>
void build_to_integer_directed(Builder& builder, const Fields& fields) {
    MicroOp& op = emit_float<Single, T>(builder, fields, handler<to_integer<T>>);
    op.imm = fields['o'];
    op.ra = static_cast<std::uint8_t>(kDirected[fields['r']]);
}

template <class T>
void build_from_integer(Builder& builder, const Fields& fields) {
    const bool is_signed = fields['o'] != 0;
    Handler how = handler<from_integer<T>>;
    if constexpr (!std::is_same_v<T, Half>) {
        how = is_signed ? two_speed<from_integer_quickly<T, true>, from_integer<T>>
                        : two_speed<from_integer_quickly<T, false>, from_integer<T>>;
    }
    emit_float<T, Single>(builder, fields, how).imm = is_signed ? 1 : 0;
}

// Fixed point in place: imm = fraction bits, rn = width, ra = unsigned.

unsigned fixed_width(const Fields& fields) {
    return fields['x'] != 0 ? 32 : 16;
}
bool has_fraction(const Fields& fields) {
    return low_bit_first(fields['i']) <= fixed_width(fields);
}

template <class T>
void to_fixed(CpuState& cpu, const MicroOp& op) {
    const bool is_signed = op.ra == 0;
    std::uint64_t result = with_environment(cpu, [&](Environment& environment) {
        return fp::to_fixed(get<T>(cpu, op.rd), op.imm, op.rn, is_signed, Rounding::TowardZero,
                            environment);
    });
    const std::uint64_t sign = 1ull << (op.rn - 1);
    if (is_signed) result = (result ^ sign) - sign;
    // Half precision also writes the whole register.
    using Register = std::conditional_t<std::is_same_v<T, Double>, Double, Single>;
    put<Register>(cpu, op.rd, static_cast<Register>(result));
}

template <class T>
void from_fixed(CpuState& cpu, const MicroOp& op) {
    const bool is_signed = op.ra == 0;
    using Register = std::conditional_t<std::is_same_v<T, Double>, Double, Single>;
    const std::uint64_t sign = 1ull << (op.rn - 1);
    std::uint64_t value = get<Register>(cpu, op.rd) & (sign | (sign - 1));
    if (is_signed) value = (value ^ sign) - sign;
    put<T>(cpu, op.rd, with_environment(cpu, [&](Environment& environment) {
               return fp::from_fixed<T>(value, op.imm, is_signed, Rounding::Nearest, environment);
           }));
}

template <class T>
void emit_fixed(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = emit_float<T, T>(builder, fields, handler);
    op.rn = static_cast<std::uint8_t>(fixed_width(fields));
    op.imm = op.rn - low_bit_first(fields['i']);
    op.ra = fields.reg('U');
}
template <class T>
void build_to_fixed(Builder& builder, const Fields& fields) {
    emit_fixed<T>(builder, fields, handler<to_fixed<T>>);
}
template <class T>
void build_from_fixed(Builder& builder, const Fields& fields) {
    emit_fixed<T>(builder, fields, handler<from_fixed<T>>);
}

// Rounding in a format: imm = raises inexact.

template <class T>
void round(CpuState& cpu, const MicroOp& op) {
    const T value = get<T>(cpu, op.rm);
    put<T>(cpu, op.rd, with_environment(cpu, [&](Environment& environment) {
               return fp::round_to_integral(value, rounding_of(op, environment), op.imm != 0,
                                            environment);
           }));
}

template <class T, std::uint8_t Mode, bool Exact>
void build_round(Builder& builder, const Fields& fields) {
    MicroOp& op = emit_float<T, T>(builder, fields, handler<round<T>>);
    op.ra = Mode;
    op.imm = Exact ? 1 : 0;
}
template <class T>
constexpr auto build_vrintr = build_round<T, kOfFpscr, false>;
template <class T>
constexpr auto build_vrintx = build_round<T, kOfFpscr, true>;
template <class T>
constexpr auto build_vrintz = build_round<T, std::uint8_t(Rounding::TowardZero), false>;

template <class T>
void build_round_directed(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, handler<round<T>>).ra =
        static_cast<std::uint8_t>(kDirected[fields['r']]);
}

// Between formats. For half precision imm = 1 takes the upper half of the register.

template <class To, class From>
To converted(CpuState& cpu, From value) {
    return with_environment(
        cpu, [&](Environment& environment) { return fp::convert<To>(value, environment); });
}

template <class To, class From>
void convert(CpuState& cpu, const MicroOp& op) {
    put<To>(cpu, op.rd, converted<To>(cpu, get<From>(cpu, op.rm)));
}
bool widen_quickly(CpuState& cpu, const MicroOp& op) {
    const Single bits = get<Single>(cpu, op.rm);
    if (fp::is_nan(bits) || !fp::none_flushed(cpu.fpscr, bits)) return false;
    put<Double>(cpu, op.rd, fp::from_host(static_cast<double>(fp::to_host(bits))));
    return true;
}
bool narrow_quickly(CpuState& cpu, const MicroOp& op) {
    const double value = fp::to_host(get<Double>(cpu, op.rm));
    const auto narrow = static_cast<float>(value);
    const Single bits = fp::from_host(narrow);
    const bool known = fp::surely_normal(bits) || value == 0;
    if (!known || !fp::rounds_to_nearest(cpu.fpscr)) return false;
    put<Single>(cpu, op.rd, bits);
    if (static_cast<double>(narrow) != value) cpu.fpscr |= fpscr::kIxc;
    return true;
}

template <class To>
void convert_from_half(CpuState& cpu, const MicroOp& op) {
    const auto half = vector_lane<Half>(cpu, op.rm * 2u + op.imm);
    put<To>(cpu, op.rd, converted<To>(cpu, half));
}
template <class From>
void convert_to_half(CpuState& cpu, const MicroOp& op) {
    set_vector_lane(cpu, op.rd * 2u + op.imm, converted<Half>(cpu, get<From>(cpu, op.rm)));
}

void build_widen(Builder& builder, const Fields& fields) {
    emit_float<Double, Single>(builder, fields, two_speed<widen_quickly, convert<Double, Single>>);
}
void build_narrow(Builder& builder, const Fields& fields) {
    emit_float<Single, Double>(builder, fields, two_speed<narrow_quickly, convert<Single, Double>>);
}
template <class To>
void build_from_half(Builder& builder, const Fields& fields) {
    emit_float<To, Half>(builder, fields, handler<convert_from_half<To>>).imm = fields['t'];
}
template <class From>
void build_to_half(Builder& builder, const Fields& fields) {
    emit_float<Half, From>(builder, fields, handler<convert_to_half<From>>).imm = fields['t'];
}

// clang-format off
/// Between an integer in an S register and a value of each precision.
#define N6VP_TO_INTEGER(title, name, top, opc, op, build)                                          \
    needing(Feature::Half, {title " (half)", top " 1d11 " opc " dddd 1001 " op "1m0 mmmm",         \
     name ".{o:int}.f16 {d:sf}, {m:sf}", build<Half>, kAddIssue.half, Unit::Fp}),                  \
    {title " (single)", top " 1d11 " opc " dddd 1010 " op "1m0 mmmm",                              \
     name ".{o:int}.f32 {d:sf}, {m:sf}", build<Single>, kAddIssue.single, Unit::Fp},               \
    needing(Feature::Double, {title " (double)", top " 1d11 " opc " dddd 1011 " op "100 mmmm",     \
     name ".{o:int}.f64 {d:sf}, {m:d}", build<Double>, kAddIssue.twice, Unit::Fp})
#define N6VP_FIXED(title, high, op, precision, text, build, issue, needs)                          \
    needing(needs, {title, "1110 1110 1" high "11 1" op "1U dddd 10" precision " x1i0 iiii", text, build, \
     kAddIssue.issue, Unit::Fp, has_fraction})

#define N6VP_TOP "1110 1110"
#define N6VP_TOP2 "1111 1110"
constexpr Row kRows[] = {
    N6VP_TO_INTEGER("VCVT (to integer, toward zero) T1", "vcvt{:it}", N6VP_TOP, "110o", "1", build_truncate),
    N6VP_TO_INTEGER("VCVTR T1", "vcvtr{:it}", N6VP_TOP, "110o", "0", build_to_integer),
    needing(Feature::Half, {"VCVT (from integer) T1 (half)", "1110 1110 1d11 1000 dddd 1001 o1m0 mmmm",
     "vcvt{:it}.f16.{o:int} {d:sf}, {m:sf}", build_from_integer<Half>, kAddIssue.half, Unit::Fp}),
    {"VCVT (from integer) T1 (single)", "1110 1110 1d11 1000 dddd 1010 o1m0 mmmm",
     "vcvt{:it}.f32.{o:int} {d:sf}, {m:sf}", build_from_integer<Single>, kAddIssue.single, Unit::Fp},
    needing(Feature::Double, {"VCVT (from integer) T1 (double)", "1110 1110 1011 1000 dddd 1011 o1m0 mmmm",
     "vcvt{:it}.f64.{o:int} {d:d}, {m:sf}", build_from_integer<Double>, kAddIssue.twice, Unit::Fp}),

    N6VP_FIXED("VCVT (to fixed-point) T1 (half)", "d", "1", "01", "vcvt{:it}.{:fixed}.f16 {d:sf}, {d:sf}, {:fbits}", build_to_fixed<Half>, half, Feature::Half),
    N6VP_FIXED("VCVT (to fixed-point) T1 (single)", "d", "1", "10", "vcvt{:it}.{:fixed}.f32 {d:sf}, {d:sf}, {:fbits}", build_to_fixed<Single>, single, Feature::Base),
    N6VP_FIXED("VCVT (to fixed-point) T1 (double)", "0", "1", "11", "vcvt{:it}.{:fixed}.f64 {d:d}, {d:d}, {:fbits}", build_to_fixed<Double>, twice, Feature::Double),
    N6VP_FIXED("VCVT (from fixed-point) T1 (half)", "d", "0", "01", "vcvt{:it}.f16.{:fixed} {d:sf}, {d:sf}, {:fbits}", build_from_fixed<Half>, half, Feature::Half),
    N6VP_FIXED("VCVT (from fixed-point) T1 (single)", "d", "0", "10", "vcvt{:it}.f32.{:fixed} {d:sf}, {d:sf}, {:fbits}", build_from_fixed<Single>, single, Feature::Base),
    N6VP_FIXED("VCVT (from fixed-point) T1 (double)", "0", "0", "11", "vcvt{:it}.f64.{:fixed} {d:d}, {d:d}, {:fbits}", build_from_fixed<Double>, twice, Feature::Double),

    needing(Feature::Double, {"VCVT (single to double) T1", "1110 1110 1011 0111 dddd 1010 11m0 mmmm", "vcvt{:it}.f64.f32 {d:d}, {m:sf}", build_widen, kAddIssue.twice, Unit::Fp}),
    needing(Feature::Double, {"VCVT (double to single) T1", "1110 1110 1d11 0111 dddd 1011 1100 mmmm", "vcvt{:it}.f32.f64 {d:sf}, {m:d}", build_narrow, kAddIssue.twice, Unit::Fp}),
    {"VCVTB, VCVTT T1 (half to single)", "1110 1110 1d11 0010 dddd 1010 t1m0 mmmm", "vcvt{t:half}{:it}.f32.f16 {d:sf}, {m:sf}", build_from_half<Single>, kAddIssue.single, Unit::Fp},
    needing(Feature::Double, {"VCVTB, VCVTT T1 (half to double)", "1110 1110 1011 0010 dddd 1011 t1m0 mmmm", "vcvt{t:half}{:it}.f64.f16 {d:d}, {m:sf}", build_from_half<Double>, kAddIssue.twice, Unit::Fp}),
    {"VCVTB, VCVTT T1 (single to half)", "1110 1110 1d11 0011 dddd 1010 t1m0 mmmm", "vcvt{t:half}{:it}.f16.f32 {d:sf}, {m:sf}", build_to_half<Single>, kAddIssue.single, Unit::Fp},
    needing(Feature::Double, {"VCVTB, VCVTT T1 (double to half)", "1110 1110 1d11 0011 dddd 1011 t100 mmmm", "vcvt{t:half}{:it}.f16.f64 {d:sf}, {m:d}", build_to_half<Double>, kAddIssue.twice, Unit::Fp}),
};
constexpr Row kV5Rows[] = {
    N6VP_TO_INTEGER("VCVTA, VCVTN, VCVTP, VCVTM T1", "vcvt{r:mode}", N6VP_TOP2, "11rr", "o", build_to_integer_directed),
    N6VP_FLOAT_TWO_OPERANDS("VRINTR T1", "vrintr{:it}", N6VP_TOP, "0110", "01", build_vrintr, kAddIssue),
    N6VP_FLOAT_TWO_OPERANDS("VRINTZ T1", "vrintz{:it}", N6VP_TOP, "0110", "11", build_vrintz, kAddIssue),
    N6VP_FLOAT_TWO_OPERANDS("VRINTX T1", "vrintx{:it}", N6VP_TOP, "0111", "01", build_vrintx, kAddIssue),
    N6VP_FLOAT_TWO_OPERANDS("VRINTA, VRINTN, VRINTP, VRINTM T1", "vrint{r:mode}", N6VP_TOP2, "10rr", "01", build_round_directed, kAddIssue),
};
// clang-format on

}  // namespace

std::span<const Row> float_convert_rows() {
    return kRows;
}

std::span<const Row> float_convert_v5_rows() {
    return kV5Rows;
}

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "models/core/isa/directives.h"
#include "models/core/isa/families.h"
#include "models/core/isa/vector_float/build.h"

namespace n6vp::models::core::isa {

namespace {

using namespace vector_float;

using F = const Fields&;
using C = const TextContext&;
using V = std::uint32_t;
using S = std::string&;

constexpr Directive kDirectives[] = {
    {"hprec", [](S out, V value, F, C) { out += value == 1 ? "f16" : "f32"; }},
    {"zprec", [](S out, V value, F, C) { out += value == 1 ? "f16" : "f32"; }},
    {"wprec", [](S out, V value, F, C) { out += value == 0 ? "f16" : "f32"; }},
    {"zbits", [](S out, V value, F, C) { out += value == 1 ? "16" : "32"; }},
    {"sign", [](S out, V value, F, C) { out += value != 0 ? 'u' : 's'; }},
    {"across", [](S out, V value, F, C) { out += value != 0 ? "v" : "av"; }},
    {"turn", [](S out, V value, F, C) { out += value != 0 ? "#270" : "#90"; }},
    {"quarters", [](S out, V value, F, C) { out += '#' + std::to_string(value * 90); }},
    {"rounding", [](S out, V value, F, C) { out += "anpm"[value & 3]; }},
    {"integral", [](S out, V value, F, C) { out += "nxaz?m?p"[value & 7]; }},
    {"top", [](S out, V value, F, C) { out += value != 0 ? 't' : 'b'; }},
    {"from16", [](S out, V value, F, C) { out += '#' + std::to_string(16 - value); }},
    {"from32", [](S out, V value, F, C) { out += '#' + std::to_string(32 - value); }},
};

// Conditions of the rows.

bool plain_scalar(F fields) {
    return fields['m'] != 13 && fields['m'] != 15;
}
bool plain_destination(F fields) {
    return fields['a'] != 13 && fields['a'] != 15;
}
bool minimum(F fields) {
    return plain_destination(fields) && fields['o'] != 0;
}
bool precise(F fields) {
    return fields['z'] == 1 || fields['z'] == 2;
}
bool rounds(F fields) {
    return precise(fields) && fields['r'] != 4 && fields['r'] != 6;
}
/// Singles are read after the first beats wrote: the destination must be another vector.
bool separate_add(F fields) {
    return fields['w'] == 0 || fields['d'] != fields['m'];
}
bool separate_multiply(F fields) {
    return fields['w'] == 0 || (fields['d'] != fields['m'] && fields['d'] != fields['n']);
}

constexpr auto kAdd = Issue::VectorFloatAdd, kMultiply = Issue::VectorMultiply;
constexpr auto kSimple = Issue::VectorSimple, kAcross = Issue::VectorMinMaxAcross;
constexpr auto kUnit = Unit::Vector;

constexpr Row kRows[] = {
    // Arithmetic.
    {"VADD (floating-point) T1", "1110 1111 000h nnn0 ddd0 1101 0100 mmm0",
     "vadd{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_add, kAdd, kUnit},
    {"VADD (floating-point) T2", "111h 1110 0011 nnn0 ddd0 1111 0100 mmmm",
     "vadd{:v}.{h:hprec} {d:q}, {n:q}, {m:r}", build_add_scalar, kAdd, kUnit, plain_scalar},
    {"VSUB (floating-point) T1", "1110 1111 001h nnn0 ddd0 1101 0100 mmm0",
     "vsub{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_subtract, kAdd, kUnit},
    {"VSUB (floating-point) T2", "111h 1110 0011 nnn0 ddd1 1111 0100 mmmm",
     "vsub{:v}.{h:hprec} {d:q}, {n:q}, {m:r}", build_subtract_scalar, kAdd, kUnit, plain_scalar},
    {"VMUL (floating-point) T1", "1111 1111 000h nnn0 ddd0 1101 0101 mmm0",
     "vmul{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_multiply, kMultiply, kUnit},
    {"VMUL (floating-point) T2", "111h 1110 0011 nnn1 ddd0 1110 0110 mmmm",
     "vmul{:v}.{h:hprec} {d:q}, {n:q}, {m:r}", build_multiply_scalar, kMultiply, kUnit,
     plain_scalar},
    {"VFMA (vector by scalar plus vector, floating-point) T1",
     "111h 1110 0011 nnn1 ddd0 1110 0100 mmmm", "vfma{:v}.{h:hprec} {d:q}, {n:q}, {m:r}",
     build_fused_add_scalar, kMultiply, kUnit, plain_scalar},
    {"VFMAS (vector by vector plus scalar, floating-point) T1",
     "111h 1110 0011 nnn1 ddd1 1110 0100 mmmm", "vfmas{:v}.{h:hprec} {d:q}, {n:q}, {m:r}",
     build_fused_add_to_scalar, kMultiply, kUnit, plain_scalar},
    {"VFMA, VFMS (floating-point) T1", "1110 1111 000h nnn0 ddd0 1100 0101 mmm0",
     "vfma{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_fused_add, kMultiply, kUnit},
    {"VFMA, VFMS (floating-point) T2", "1110 1111 001h nnn0 ddd0 1100 0101 mmm0",
     "vfms{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_fused_subtract, kMultiply, kUnit},
    {"VABD (floating-point) T1", "1111 1111 001h nnn0 ddd0 1101 0100 mmm0",
     "vabd{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_absolute_difference, kAdd, kUnit},
    {"VABS (floating-point) T1", "1111 1111 1011 zz01 ddd0 0111 0100 mmm0",
     "vabs{:v}.{z:zprec} {d:q}, {m:q}", build_absolute, kSimple, kUnit, precise},
    {"VNEG (floating-point) T1", "1111 1111 1011 zz01 ddd0 0111 1100 mmm0",
     "vneg{:v}.{z:zprec} {d:q}, {m:q}", build_negate, kSimple, kUnit, precise},

    // Maximum and minimum.
    {"VMAXNM T1", "1111 1111 000h nnn0 ddd0 1111 0101 mmm0",
     "vmaxnm{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_maximum, kAdd, kUnit},
    {"VMINNM T1", "1111 1111 001h nnn0 ddd0 1111 0101 mmm0",
     "vminnm{:v}.{h:hprec} {d:q}, {n:q}, {m:q}", build_minimum, kAdd, kUnit},
    {"VMAXNMA T1", "111h 1110 0011 1111 ddd0 1110 1000 mmm1", "vmaxnma{:v}.{h:hprec} {d:q}, {m:q}",
     build_maximum_absolute, kAdd, kUnit},
    {"VMINNMA T1", "111h 1110 0011 1111 ddd1 1110 1000 mmm1", "vminnma{:v}.{h:hprec} {d:q}, {m:q}",
     build_minimum_absolute, kAdd, kUnit},
    {"VMAXNMV, VMAXNMAV T1", "111h 1110 1110 11A0 aaaa 1111 0000 mmm0",
     "vmaxnm{A:across}{:v}.{h:hprec} {a:r}, {m:q}", build_across, kAcross, kUnit,
     plain_destination},
    {"VMINNMV, VMINNMAV T1", "111h 1110 1110 11A0 aaaa 1111 o000 mmm0",
     "vminnm{A:across}{:v}.{h:hprec} {a:r}, {m:q}", build_across, kAcross, kUnit, minimum},

    // Complex numbers.
    {"VCADD (floating-point) T1", "1111 110r 100w nnn0 ddd0 1000 0100 mmm0",
     "vcadd{:v}.{w:wprec} {d:q}, {n:q}, {m:q}, {r:turn}", build_complex_add, kAdd, kUnit,
     separate_add},
    {"VCMUL (floating-point) T1", "111w 1110 0011 nnn0 dddr 1110 0000 mmmr",
     "vcmul{:v}.{w:wprec} {d:q}, {n:q}, {m:q}, {r:quarters}", build_complex_multiply, kMultiply,
     kUnit, separate_multiply},
    {"VCMLA (floating-point) T1", "1111 110r r01w nnn0 ddd0 1000 0100 mmm0",
     "vcmla{:v}.{w:wprec} {d:q}, {n:q}, {m:q}, {r:quarters}", build_complex_multiply_add, kMultiply,
     kUnit},

    // Conversion.
    {"VCVT (between floating-point and integer) T1, from integer",
     "1111 1111 1011 zz11 ddd0 0110 U100 mmm0", "vcvt{:v}.{z:zprec}.{U:sign}{z:zbits} {d:q}, {m:q}",
     build_from_integer, kAdd, kUnit, precise},
    {"VCVT (between floating-point and integer) T1, to integer",
     "1111 1111 1011 zz11 ddd0 0111 U100 mmm0", "vcvt{:v}.{U:sign}{z:zbits}.{z:zprec} {d:q}, {m:q}",
     build_to_integer, kAdd, kUnit, precise},
    {"VCVT (from floating-point to integer) T1", "1111 1111 1011 zz11 ddd0 00rr U100 mmm0",
     "vcvt{r:rounding}{:v}.{U:sign}{z:zbits}.{z:zprec} {d:q}, {m:q}", build_to_integer_rounding,
     kAdd, kUnit, precise},
    {"VCVT (between floating-point and fixed-point) T1, half from fixed",
     "111U 1111 1011 iiii ddd0 1100 0101 mmm0", "vcvt{:v}.f16.{U:sign}16 {d:q}, {m:q}, {i:from16}",
     build_from_fixed<true>, kAdd, kUnit},
    {"VCVT (between floating-point and fixed-point) T1, half to fixed",
     "111U 1111 1011 iiii ddd0 1101 0101 mmm0", "vcvt{:v}.{U:sign}16.f16 {d:q}, {m:q}, {i:from16}",
     build_to_fixed<true>, kAdd, kUnit},
    {"VCVT (between floating-point and fixed-point) T1, single from fixed",
     "111U 1111 101i iiii ddd0 1110 0101 mmm0", "vcvt{:v}.f32.{U:sign}32 {d:q}, {m:q}, {i:from32}",
     build_from_fixed<false>, kAdd, kUnit},
    {"VCVT (between floating-point and fixed-point) T1, single to fixed",
     "111U 1111 101i iiii ddd0 1111 0101 mmm0", "vcvt{:v}.{U:sign}32.f32 {d:q}, {m:q}, {i:from32}",
     build_to_fixed<false>, kAdd, kUnit},
    {"VCVT (between half-precision and single-precision) T1, narrowing",
     "1110 1110 0011 1111 dddT 1110 0000 mmm1", "vcvt{T:top}{:v}.f16.f32 {d:q}, {m:q}",
     build_narrow, kAdd, kUnit},
    {"VCVT (between half-precision and single-precision) T1, widening",
     "1111 1110 0011 1111 dddT 1110 0000 mmm1", "vcvt{T:top}{:v}.f32.f16 {d:q}, {m:q}", build_widen,
     kAdd, kUnit},
    {"VRINT (floating-point) T1", "1111 1111 1011 zz10 ddd0 01rr r100 mmm0",
     "vrint{r:integral}{:v}.{z:zprec} {d:q}, {m:q}", build_round, kAdd, kUnit, rounds},
};

}  // namespace

Family vector_float_family() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all;
        append_rows(all, kRows, Feature::VectorFloat);
        return all;
    }();
    return {"vector_float", rows, kDirectives};
}

}  // namespace n6vp::models::core::isa

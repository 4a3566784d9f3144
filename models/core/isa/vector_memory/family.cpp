// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "models/core/isa/directives.h"
#include "models/core/isa/families.h"
#include "models/core/isa/vector_memory/build.h"

namespace n6vp::models::core::isa {

namespace {

using namespace vector_memory;

using F = const Fields&;
using C = const TextContext&;
using V = std::uint32_t;
using S = std::string&;

// Text.

void print_offset(S out, F fields, V scale) {
    const V magnitude = fields['i'] * scale;
    out += fields['A'] != 0 ? "#" : "#-";
    out += std::to_string(magnitude);
}

/// "[r0, #4]", "[r0, #4]!" or "[r0], #4". An offset of zero shows unless it would be "[r0]" or,
/// with `short_writeback`, "[r0]!".
void print_address(S out, F fields, V scale, const std::string& base, bool before,
                   bool short_writeback) {
    const bool writeback = fields['W'] != 0;
    out += '[' + base;
    if (!before) {
        out += "], ";
        print_offset(out, fields, scale);
        return;
    }
    const bool zero = fields['i'] == 0 && fields['A'] != 0;
    if (!zero || (writeback && !short_writeback)) {
        out += ", ";
        print_offset(out, fields, scale);
    }
    out += writeback ? "]!" : "]";
}

template <V kScale, bool kShort>
void print_register_address(S out, V, F fields, C) {
    print_address(out, fields, kScale, register_name(fields['n']), fields['P'] != 0, kShort);
}
template <V kScale>
void print_vector_address(S out, V, F fields, C) {
    print_address(out, fields, kScale, 'q' + std::to_string(fields['m']), true, true);
}

/// "[r0, q1]" or "[r0, q1, uxtw #2]".
template <unsigned kShift>
void print_vector_offset(S out, V, F fields, C) {
    out += std::string("[") + register_name(fields['n']) + ", q" + std::to_string(fields['m']);
    if (fields['o'] != 0) out += ", uxtw #" + std::to_string(kShift);
    out += ']';
}

template <unsigned kVectors>
void print_structure(S out, V first, F, C) {
    out += '{';
    for (V vector = first; vector < first + kVectors; ++vector)
        out += (vector != first ? ", q" : "q") + std::to_string(vector);
    out += '}';
}

/// Number of instructions of a VPT block, as letters after the first 't'.
void print_block(S out, V mask, F, C) {
    bool then = true;
    for (V rest = mask & 15; (rest & 7) != 0; rest = rest << 1 & 15) {
        if ((rest & 8) != 0) then = !then;
        out += then ? 't' : 'e';
    }
}

void print_comparison(S out, V, F fields, C) {
    static constexpr const char* kNames[] = {"eq", "ne", "cs", "hi", "ge", "lt", "gt", "le"};
    out += kNames[static_cast<unsigned>(comparison_of(fields))];
}

/// An upper lane of a pair is two above its lower one.
template <unsigned kAbove, char kVector>
void print_pair_lane(S out, V, F fields, C) {
    out += 'q' + std::to_string(fields[kVector]) + '[' + std::to_string(fields['i'] + kAbove) + ']';
}

/// Lane of Q that is lane i of D.
template <unsigned kBytes, char kVector>
void print_lane(S out, V, F fields, C) {
    const V lane = fields['i'] + (fields[kVector] & 1) * (8 / kBytes);
    out += 'q' + std::to_string(fields[kVector] / 2) + '[' + std::to_string(lane) + ']';
}

constexpr Directive kDirectives[] = {
    {"size", [](S out, V value, F, C) { out += std::to_string(8u << value); }},
    {"sign", [](S out, V value, F, C) { out += value != 0 ? 'u' : 's'; }},
    {"fsize", [](S out, V value, F, C) { out += value != 0 ? "f16" : "f32"; }},
    {"digit", [](S out, V value, F, C) { out += std::to_string(value); }},
    {"!", [](S out, V value, F, C) { out += value != 0 ? "!" : ""; }},
    {"lowaddr1", print_register_address<1, true>},
    {"lowaddr2", print_register_address<2, true>},
    {"addr1", print_register_address<1, false>},
    {"addr2", print_register_address<2, false>},
    {"addr4", print_register_address<4, false>},
    {"vaddr4", print_vector_address<4>},
    {"vaddr8", print_vector_address<8>},
    {"offset0", print_vector_offset<0>},
    {"offset1", print_vector_offset<1>},
    {"offset2", print_vector_offset<2>},
    {"offset3", print_vector_offset<3>},
    {"two", print_structure<2>},
    {"four", print_structure<4>},
    {"block", print_block},
    {"cond", print_comparison},
    {"upper", print_pair_lane<2, 'n'>},
    {"lower", print_pair_lane<0, 'n'>},
    {"upperd", print_pair_lane<2, 'd'>},
    {"lowerd", print_pair_lane<0, 'd'>},
    {"byte", print_lane<1, 'n'>},
    {"half", print_lane<2, 'n'>},
    {"word", print_lane<4, 'n'>},
    {"byted", print_lane<1, 'd'>},
    {"halfd", print_lane<2, 'd'>},
    {"wordd", print_lane<4, 'd'>},
};

// Conditions of the rows.

bool usable_base(F fields) {
    return fields['n'] != 15 && !(fields['W'] != 0 && fields['n'] == 13);
}
/// P and W both clear is another instruction.
bool contiguous(F fields) {
    return (fields['P'] != 0 || fields['W'] != 0) && usable_base(fields);
}
bool widening(F fields) {
    return contiguous(fields) && (fields['s'] == 1 || fields['s'] == 2);
}
/// Lanes as wide as the element do not extend it; `kSize` is log2 of the element.
template <unsigned kSize, bool kLoad>
bool offsets(F fields) {
    const V size = fields['s'];
    if (size == 3 || size < kSize || fields['n'] == 15) return false;
    if (!kLoad) return true;
    return fields['d'] != fields['m'] && (size > kSize || fields['U'] != 0);
}
bool wide_gather(F fields) {
    return fields['n'] != 15 && fields['d'] != fields['m'];
}
bool plain_base(F fields) {
    return fields['n'] != 15;
}
bool two_vectors(F fields) {
    return fields['s'] != 3 && fields['d'] <= 6 && usable_base(fields);
}
bool four_vectors(F fields) {
    return fields['s'] != 3 && fields['d'] <= 4 && usable_base(fields);
}
bool different_vectors(F fields) {
    return fields['d'] != fields['m'];
}
/// What the conditions of a row take lanes for: bits a and b tell.
enum class Sign : std::uint8_t { None, Unsigned, Signed };
template <Sign kSign, bool kScalar, bool kBlock>
bool compares(F fields) {
    if (fields['s'] == 3 || (kScalar && fields['m'] == 13) || kBlock != (fields['k'] != 0))
        return false;
    if (kSign == Sign::Signed) return fields['a'] != 0;
    return fields['a'] == 0 && (fields['b'] != 0) == (kSign == Sign::Unsigned);
}
/// Carry set and higher are for integers.
bool float_condition(F fields) {
    return comparison_of(fields) != Comparison::Cs && comparison_of(fields) != Comparison::Hi;
}
bool compares_float_scalar(F fields) {
    return float_condition(fields) && fields['m'] != 13;
}
bool starts_float_block(F fields) {
    return fields['k'] != 0 && float_condition(fields);
}
bool starts_float_block_scalar(F fields) {
    return fields['k'] != 0 && compares_float_scalar(fields);
}
bool block(F fields) {
    return fields['k'] != 0;
}
bool counts(F fields) {
    return fields['n'] != 13 && fields['n'] != 15;
}
bool plain_register(F fields) {
    return fields['t'] != 13 && fields['t'] != 15;
}
bool plain_registers(F fields) {
    return plain_register(fields) && fields['u'] != 13 && fields['u'] != 15;
}
bool different_registers(F fields) {
    return plain_registers(fields) && fields['t'] != fields['u'];
}

constexpr auto kLoad = Issue::VectorLoad, kStore = Issue::VectorStore;
constexpr auto kGather = Issue::VectorGather, kScatter = Issue::VectorScatter;
constexpr auto kStructures = Issue::VectorInterleavedLoad;
constexpr auto kStoreStructures = Issue::VectorInterleavedStore;
constexpr auto kSimple = Issue::VectorSimple, kPredicate = Issue::VectorPredicate;
constexpr auto kMove = Issue::VectorMove;
constexpr auto kUnit = Unit::Vector;

constexpr Row kRows[] = {
    // Consecutive elements.
    {"VLDRB, VLDRH, VLDRW T1", "111U 110P A0W1 0nnn ddd0 111s siii iiii",
     "vldrb{:v}.{U:sign}{s:size} {d:q}, {:lowaddr1}", build_load_widening<1>, kLoad, kUnit,
     widening},
    {"VLDRB, VLDRH, VLDRW T2", "111U 110P A0W1 1nnn ddd0 1111 0iii iiii",
     "vldrh{:v}.{U:sign}32 {d:q}, {:lowaddr2}", build_load_widening<2>, kLoad, kUnit, contiguous},
    {"VLDRB, VLDRH, VLDRW T5", "1110 110P A0W1 nnnn ddd1 1110 0iii iiii",
     "vldrb{:v}.u8 {d:q}, {:addr1}", build_load<1>, kLoad, kUnit, contiguous},
    {"VLDRB, VLDRH, VLDRW T6", "1110 110P A0W1 nnnn ddd1 1110 1iii iiii",
     "vldrh{:v}.u16 {d:q}, {:addr2}", build_load<2>, kLoad, kUnit, contiguous},
    {"VLDRB, VLDRH, VLDRW T7", "1110 110P A0W1 nnnn ddd1 1111 0iii iiii",
     "vldrw{:v}.u32 {d:q}, {:addr4}", build_load<4>, kLoad, kUnit, contiguous},
    {"VSTRB, VSTRH, VSTRW T1", "1110 110P A0W0 0nnn ddd0 111s siii iiii",
     "vstrb{:v}.{s:size} {d:q}, {:lowaddr1}", build_store_narrowing<1>, kStore, kUnit, widening},
    {"VSTRB, VSTRH, VSTRW T2", "1110 110P A0W0 1nnn ddd0 1111 0iii iiii",
     "vstrh{:v}.32 {d:q}, {:lowaddr2}", build_store_narrowing<2>, kStore, kUnit, contiguous},
    {"VSTRB, VSTRH, VSTRW T5", "1110 110P A0W0 nnnn ddd1 1110 0iii iiii",
     "vstrb{:v}.8 {d:q}, {:addr1}", build_store<1>, kStore, kUnit, contiguous},
    {"VSTRB, VSTRH, VSTRW T6", "1110 110P A0W0 nnnn ddd1 1110 1iii iiii",
     "vstrh{:v}.16 {d:q}, {:addr2}", build_store<2>, kStore, kUnit, contiguous},
    {"VSTRB, VSTRH, VSTRW T7", "1110 110P A0W0 nnnn ddd1 1111 0iii iiii",
     "vstrw{:v}.32 {d:q}, {:addr4}", build_store<4>, kStore, kUnit, contiguous},

    // Elements at addresses of a vector.
    {"VLDRB, VLDRH, VLDRW, VLDRD (vector) T1", "111U 1100 1001 nnnn ddd0 111s s000 mmm0",
     "vldrb{:v}.{U:sign}{s:size} {d:q}, {:offset0}", build_gather<1>, kGather, kUnit,
     offsets<0, true>},
    {"VLDRB, VLDRH, VLDRW, VLDRD (vector) T2", "111U 1100 1001 nnnn ddd0 111s s001 mmmo",
     "vldrh{:v}.{U:sign}{s:size} {d:q}, {:offset1}", build_gather<2>, kGather, kUnit,
     offsets<1, true>},
    {"VLDRB, VLDRH, VLDRW, VLDRD (vector) T3", "1111 1100 1001 nnnn ddd0 1111 0100 mmmo",
     "vldrw{:v}.u32 {d:q}, {:offset2}", build_gather<4>, kGather, kUnit, wide_gather},
    {"VLDRB, VLDRH, VLDRW, VLDRD (vector) T4", "1111 1100 1001 nnnn ddd0 1111 1101 mmmo",
     "vldrd{:v}.u64 {d:q}, {:offset3}", build_gather<8>, kGather, kUnit, wide_gather},
    {"VLDRB, VLDRH, VLDRW, VLDRD (vector) T5", "1111 1101 A0W1 mmm0 ddd1 1110 0iii iiii",
     "vldrw{:v}.u32 {d:q}, {:vaddr4}", build_gather_immediate<4>, kGather, kUnit,
     different_vectors},
    {"VLDRB, VLDRH, VLDRW, VLDRD (vector) T6", "1111 1101 A0W1 mmm0 ddd1 1111 0iii iiii",
     "vldrd{:v}.u64 {d:q}, {:vaddr8}", build_gather_immediate<8>, kGather, kUnit,
     different_vectors},
    {"VSTRB, VSTRH, VSTRW, VSTRD (vector) T1", "1110 1100 1000 nnnn ddd0 111s s000 mmm0",
     "vstrb{:v}.{s:size} {d:q}, {:offset0}", build_scatter<1>, kScatter, kUnit, offsets<0, false>},
    {"VSTRB, VSTRH, VSTRW, VSTRD (vector) T2", "1110 1100 1000 nnnn ddd0 111s s001 mmmo",
     "vstrh{:v}.{s:size} {d:q}, {:offset1}", build_scatter<2>, kScatter, kUnit, offsets<1, false>},
    {"VSTRB, VSTRH, VSTRW, VSTRD (vector) T3", "1110 1100 1000 nnnn ddd0 1111 0100 mmmo",
     "vstrw{:v}.32 {d:q}, {:offset2}", build_scatter<4>, kScatter, kUnit, plain_base},
    {"VSTRB, VSTRH, VSTRW, VSTRD (vector) T4", "1110 1100 1000 nnnn ddd0 1111 1101 mmmo",
     "vstrd{:v}.64 {d:q}, {:offset3}", build_scatter<8>, kScatter, kUnit, plain_base},
    {"VSTRB, VSTRH, VSTRW, VSTRD (vector) T5", "1111 1101 A0W0 mmm0 ddd1 1110 0iii iiii",
     "vstrw{:v}.32 {d:q}, {:vaddr4}", build_scatter_immediate<4>, kScatter, kUnit},
    {"VSTRB, VSTRH, VSTRW, VSTRD (vector) T6", "1111 1101 A0W0 mmm0 ddd1 1111 0iii iiii",
     "vstrd{:v}.64 {d:q}, {:vaddr8}", build_scatter_immediate<8>, kScatter, kUnit},

    // Structures.
    {"VLD2 T1", "1111 1100 10W1 nnnn ddd1 111s s0p0 0000",
     "vld2{p:digit}.{s:size} {d:two}, [{n:r}]{W:!}", build_deinterleave<2>, kStructures, kUnit,
     two_vectors},
    {"VLD4 T1", "1111 1100 10W1 nnnn ddd1 111s spp0 0001",
     "vld4{p:digit}.{s:size} {d:four}, [{n:r}]{W:!}", build_deinterleave<4>, kStructures, kUnit,
     four_vectors},
    {"VST2 T1", "1111 1100 10W0 nnnn ddd1 111s s0p0 0000",
     "vst2{p:digit}.{s:size} {d:two}, [{n:r}]{W:!}", build_interleave<2>, kStoreStructures, kUnit,
     two_vectors},
    {"VST4 T1", "1111 1100 10W0 nnnn ddd1 111s spp0 0001",
     "vst4{p:digit}.{s:size} {d:four}, [{n:r}]{W:!}", build_interleave<4>, kStoreStructures, kUnit,
     four_vectors},

    // Comparison.
    {"VCMP T1", "1111 1110 00ss nnn1 0000 1111 c000 mmm0",
     "vcmp{:v}.i{s:size} {:cond}, {n:q}, {m:q}", build_compare_integer, kSimple, kUnit,
     compares<Sign::None, false, false>},
    {"VCMP T2", "1111 1110 00ss nnn1 0000 1111 c000 mmmb",
     "vcmp{:v}.u{s:size} {:cond}, {n:q}, {m:q}", build_compare_integer, kSimple, kUnit,
     compares<Sign::Unsigned, false, false>},
    {"VCMP T3", "1111 1110 00ss nnn1 000a 1111 c000 mmmb",
     "vcmp{:v}.s{s:size} {:cond}, {n:q}, {m:q}", build_compare_integer, kSimple, kUnit,
     compares<Sign::Signed, false, false>},
    {"VCMP T4", "1111 1110 00ss nnn1 0000 1111 c100 mmmm",
     "vcmp{:v}.i{s:size} {:cond}, {n:q}, {m:rz}", build_compare_integer_scalar, kSimple, kUnit,
     compares<Sign::None, true, false>},
    {"VCMP T5", "1111 1110 00ss nnn1 0000 1111 c1b0 mmmm",
     "vcmp{:v}.u{s:size} {:cond}, {n:q}, {m:rz}", build_compare_integer_scalar, kSimple, kUnit,
     compares<Sign::Unsigned, true, false>},
    {"VCMP T6", "1111 1110 00ss nnn1 000a 1111 c1b0 mmmm",
     "vcmp{:v}.s{s:size} {:cond}, {n:q}, {m:rz}", build_compare_integer_scalar, kSimple, kUnit,
     compares<Sign::Signed, true, false>},
    {"VCMP (floating-point) T1", "111h 1110 0011 nnn1 000a 1111 c000 mmmb",
     "vcmp{:v}.{h:fsize} {:cond}, {n:q}, {m:q}", build_compare_float, kSimple, kUnit,
     float_condition},
    {"VCMP (floating-point) T2", "111h 1110 0011 nnn1 000a 1111 c1b0 mmmm",
     "vcmp{:v}.{h:fsize} {:cond}, {n:q}, {m:rz}", build_compare_float_scalar, kSimple, kUnit,
     compares_float_scalar},
    {"VPT T1", "1111 1110 0kss nnn1 kkk0 1111 c000 mmm0",
     "vpt{k:block}.i{s:size} {:cond}, {n:q}, {m:q}", build_compare_integer, kSimple, kUnit,
     compares<Sign::None, false, true>},
    {"VPT T2", "1111 1110 0kss nnn1 kkk0 1111 c000 mmmb",
     "vpt{k:block}.u{s:size} {:cond}, {n:q}, {m:q}", build_compare_integer, kSimple, kUnit,
     compares<Sign::Unsigned, false, true>},
    {"VPT T3", "1111 1110 0kss nnn1 kkka 1111 c000 mmmb",
     "vpt{k:block}.s{s:size} {:cond}, {n:q}, {m:q}", build_compare_integer, kSimple, kUnit,
     compares<Sign::Signed, false, true>},
    {"VPT T4", "1111 1110 0kss nnn1 kkk0 1111 c100 mmmm",
     "vpt{k:block}.i{s:size} {:cond}, {n:q}, {m:rz}", build_compare_integer_scalar, kSimple, kUnit,
     compares<Sign::None, true, true>},
    {"VPT T5", "1111 1110 0kss nnn1 kkk0 1111 c1b0 mmmm",
     "vpt{k:block}.u{s:size} {:cond}, {n:q}, {m:rz}", build_compare_integer_scalar, kSimple, kUnit,
     compares<Sign::Unsigned, true, true>},
    {"VPT T6", "1111 1110 0kss nnn1 kkka 1111 c1b0 mmmm",
     "vpt{k:block}.s{s:size} {:cond}, {n:q}, {m:rz}", build_compare_integer_scalar, kSimple, kUnit,
     compares<Sign::Signed, true, true>},
    {"VPT (floating-point) T1", "111h 1110 0k11 nnn1 kkka 1111 c000 mmmb",
     "vpt{k:block}.{h:fsize} {:cond}, {n:q}, {m:q}", build_compare_float, kSimple, kUnit,
     starts_float_block},
    {"VPT (floating-point) T2", "111h 1110 0k11 nnn1 kkka 1111 c1b0 mmmm",
     "vpt{k:block}.{h:fsize} {:cond}, {n:q}, {m:rz}", build_compare_float_scalar, kSimple, kUnit,
     starts_float_block_scalar},

    // Predication.
    {"VPST T1", "1111 1110 0k11 0001 kkk0 1111 0100 1101", "vpst{k:block}", build_vpst, kPredicate,
     kUnit, block},
    {"VPNOT T1", "1111 1110 0011 0001 0000 1111 0100 1101", "vpnot{:v}", build_vpnot, kPredicate,
     kUnit},
    {"VPSEL T1", "1111 1110 0011 nnn1 ddd0 1111 0000 mmm1", "vpsel{:v} {d:q}, {n:q}, {m:q}",
     build_vpsel, kSimple, kUnit},
    {"VCTP T1", "1111 0000 00ss nnnn 1110 1000 0000 0001", "vctp{:v}.{s:size} {n:r}", build_vctp,
     kPredicate, kUnit, counts},

    // Between lanes and general registers.
    {"VMOV (two 32-bit vector lanes to two general-purpose registers) T1",
     "1110 1100 0000 uuuu nnn0 1111 000i tttt", "vmov{:it} {t:r}, {u:r}, {:upper}, {:lower}",
     build_two_lanes_to_core, kMove, kUnit, different_registers},
    {"VMOV (two general-purpose registers to two 32-bit vector lanes) T1",
     "1110 1100 0001 uuuu ddd0 1111 000i tttt", "vmov{:it} {:upperd}, {:lowerd}, {t:r}, {u:r}",
     build_two_lanes_from_core, kMove, kUnit, plain_registers},
    {"VMOV (vector lane to general-purpose register) T1, 8-bit",
     "1110 1110 U1i1 nnnn tttt 1011 0ii1 0000", "vmov{:it}.{U:sign}8 {t:r}, {:byte}",
     build_lane_to_core<1>, kMove, kUnit, plain_register},
    {"VMOV (vector lane to general-purpose register) T1, 16-bit",
     "1110 1110 U0i1 nnnn tttt 1011 0i11 0000", "vmov{:it}.{U:sign}16 {t:r}, {:half}",
     build_lane_to_core<2>, kMove, kUnit, plain_register},
    {"VMOV (general-purpose register to vector lane) T1, 8-bit",
     "1110 1110 01i0 dddd tttt 1011 0ii1 0000", "vmov{:it}.8 {:byted}, {t:r}",
     build_lane_from_core<1>, kMove, kUnit, plain_register},
    {"VMOV (general-purpose register to vector lane) T1, 16-bit",
     "1110 1110 00i0 dddd tttt 1011 0i11 0000", "vmov{:it}.16 {:halfd}, {t:r}",
     build_lane_from_core<2>, kMove, kUnit, plain_register},
};
/// Half a D register: every unit has them.
constexpr Row kWordLanes[] = {
    {"VMOV (vector lane to general-purpose register) T1, 32-bit",
     "1110 1110 00i1 nnnn tttt 1011 0001 0000", "vmov{:it}.32 {t:r}, {:word}",
     build_lane_to_core<4>, kMove, kUnit, plain_register},
    {"VMOV (general-purpose register to vector lane) T1, 32-bit",
     "1110 1110 00i0 dddd tttt 1011 0001 0000", "vmov{:it}.32 {:wordd}, {t:r}",
     build_lane_from_core<4>, kMove, kUnit, plain_register},
};

}  // namespace

Family vector_memory_family() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all;
        append_rows(all, kRows, Feature::Vector);
        append_rows(all, kWordLanes, Feature::Float);
        return all;
    }();
    return {"vector_memory", rows, kDirectives};
}

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/shift.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

/// Half as wide as W, with its sign.
template <class W>
struct HalfOf;
template <>
struct HalfOf<std::int16_t> {
    using Type = std::int8_t;
};
template <>
struct HalfOf<std::uint16_t> {
    using Type = std::uint8_t;
};
template <>
struct HalfOf<std::int32_t> {
    using Type = std::int16_t;
};
template <>
struct HalfOf<std::uint32_t> {
    using Type = std::uint16_t;
};

/// What becomes of the bits that a narrow lane has no room for.
enum class Fit : std::uint8_t {
    Low,         ///< they are dropped
    Saturate,    ///< the nearest number of the same sign
    ToUnsigned,  ///< the nearest unsigned number to a signed one
};

template <class W, Fit kFit>
using Narrow =
    std::conditional_t<kFit == Fit::ToUnsigned, std::make_unsigned_t<typename HalfOf<W>::Type>,
                       typename HalfOf<W>::Type>;

/// Shifts every lane right, narrows it, and writes it to the odd (`kTop`) or even narrow lanes; the
/// others stay.
template <class W, Fit kFit, bool kRounding, bool kTop, bool kFull>
void narrow(CpuState& cpu, const MicroOp& op) {
    using N = Narrow<W, kFit>;
    using Bits = std::make_unsigned_t<W>;
    // Old and new narrow lanes are halves of a wide one.
    constexpr unsigned kPlace = kTop ? kBits<N> : 0;
    constexpr Bits kMask =
        wrap<Bits>(Bits{std::numeric_limits<std::make_unsigned_t<N>>::max()} << kPlace);
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<W> m = read<W>(cpu, op.rm);
    Lanes<Bits> result = read<Bits>(cpu, op.rd);
    W lost = 0;
    for (unsigned i = 0; i < kLanes<W>; ++i) {
        W shifted = wrap<W>(m[i] >> op.imm);
        if (kRounding) shifted = wrap<W>(shifted + (m[i] >> (op.imm - 1) & 1));
        N value = wrap<N>(shifted);
        if constexpr (kFit != Fit::Low) {
            const auto lane = saturate<N>(shifted);
            value = lane.value;
            lost |= if_active<N>(active, 2 * i + kTop, lane.lost);
        }
        const Bits placed = wrap<Bits>(wrap<Bits>(value) << kPlace);
        result[i] = wrap<Bits>((result[i] & ~kMask) | (placed & kMask));
    }
    set_saturated(cpu, lost);
    write<kFull>(cpu, op.rd, result, active);
}

template <Fit kFit, bool kRounding, bool kTop>
struct NarrowEntries {
    template <class W>
    struct Entry {
        static constexpr Handler kHandler = vector_handler<narrow<W, kFit, kRounding, kTop, true>,
                                                           narrow<W, kFit, kRounding, kTop, false>>;
    };
};

/// Lane types before narrowing, in the order U * 2 + size.
using WideTypes = Types<std::int16_t, std::int32_t, std::uint16_t, std::uint32_t>;

template <Fit kFit, bool kRounding>
MicroOp& emit_narrow(Builder& builder, const Fields& fields, std::size_t size) {
    constexpr auto kBottom =
        WideTypes::handlers<NarrowEntries<kFit, kRounding, false>::template Entry>();
    constexpr auto kTop =
        WideTypes::handlers<NarrowEntries<kFit, kRounding, true>::template Entry>();
    return emit_vectors(builder, fields,
                        (fields['T'] != 0 ? kTop : kBottom)[std::size_t{fields['U']} * 2 + size]);
}

template <Fit kFit, bool kRounding>
void build_shift_narrow(Builder& builder, const Fields& fields) {
    const std::uint32_t field = fields['i'];
    emit_narrow<kFit, kRounding>(builder, fields, immediate_size(field)).imm = right_amount(field);
}

template <Fit kFit>
void build_move_narrow(Builder& builder, const Fields& fields) {
    emit_narrow<kFit, false>(builder, fields, fields['s']).imm = 0;
}

/// Widens the odd (`kTop`) or even lanes of T and shifts them left.
template <class T, bool kTop, bool kFull>
void widen(CpuState& cpu, const MicroOp& op) {
    const Lanes<T> m = read<T>(cpu, op.rm);
    Lanes<Wide<T>> result;
    for (unsigned i = 0; i < kLanes<Wide<T>>; ++i)
        result[i] = wrap<Wide<T>>(Wide<T>{m[2 * i + kTop]} << op.imm);
    write<kFull>(cpu, op.rd, result, active_of<kFull>(cpu));
}

template <bool kTop>
struct WidenEntries {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<widen<T, kTop, true>, widen<T, kTop, false>>;
    };
};

void emit_widen(Builder& builder, const Fields& fields, std::size_t size, unsigned amount) {
    using Narrows = Types<std::int8_t, std::int16_t, std::uint8_t, std::uint16_t>;
    constexpr auto kBottom = Narrows::handlers<WidenEntries<false>::template Entry>();
    constexpr auto kTop = Narrows::handlers<WidenEntries<true>::template Entry>();
    emit_vectors(builder, fields,
                 (fields['T'] != 0 ? kTop : kBottom)[std::size_t{fields['U']} * 2 + size])
        .imm = amount;
}

void build_widen(Builder& builder, const Fields& fields) {
    emit_widen(builder, fields, immediate_size(fields['i']), left_amount(fields['i']));
}

void build_widen_by_size(Builder& builder, const Fields& fields) {
    emit_widen(builder, fields, fields['s'], 8u << fields['s']);
}

bool narrow_sized(const Fields& fields) {
    return fields['s'] < 2;
}
bool is_move_long(const Fields& fields) {
    return shift_sized(fields) && left_amount(fields['i']) == 0;
}
bool is_shift_long(const Fields& fields) {
    return shift_sized(fields) && left_amount(fields['i']) != 0;
}

constexpr Row kRows[] = {
    // Wider.
    {"VMOVL T1", "111U 1110 101i iiii dddT 1111 0100 mmm0",
     "vmovl{T:half}{:v}.{U:sign}{i:isize} {d:q}, {m:q}", build_widen, Issue::VectorSimple,
     Unit::Vector, is_move_long},
    {"VSHLL T1", "111U 1110 101i iiii dddT 1111 0100 mmm0",
     "vshll{T:half}{:v}.{U:sign}{i:isize} {d:q}, {m:q}, {i:left}", build_widen, Issue::VectorSimple,
     Unit::Vector, is_shift_long},
    {"VSHLL T2", "111U 1110 0011 ss01 dddT 1110 0000 mmm1",
     "vshll{T:half}{:v}.{U:sign}{s:size} {d:q}, {m:q}, {s:bits}", build_widen_by_size,
     Issue::VectorSimple, Unit::Vector, narrow_sized},

    // Narrower.
    {"VMOVN T1", "1111 1110 0011 ss01 dddT 1110 1000 mmm1",
     "vmovn{T:half}{:v}.i{s:halfsize} {d:q}, {m:q}", build_move_narrow<Fit::Low>,
     Issue::VectorNarrow, Unit::Vector, narrow_sized},
    {"VQMOVN T1", "111U 1110 0011 ss11 dddT 1110 0000 mmm1",
     "vqmovn{T:half}{:v}.{U:sign}{s:halfsize} {d:q}, {m:q}", build_move_narrow<Fit::Saturate>,
     Issue::VectorNarrow, Unit::Vector, narrow_sized},
    {"VQMOVUN T1", "1110 1110 0011 ss01 dddT 1110 1000 mmm1",
     "vqmovun{T:half}{:v}.s{s:halfsize} {d:q}, {m:q}", build_move_narrow<Fit::ToUnsigned>,
     Issue::VectorNarrow, Unit::Vector, narrow_sized},
    {"VSHRN T1", "1110 1110 100i iiii dddT 1111 1100 mmm1",
     "vshrn{T:half}{:v}.i{i:iwide} {d:q}, {m:q}, {i:right}", build_shift_narrow<Fit::Low, false>,
     Issue::VectorNarrow, Unit::Vector, shift_sized},
    {"VRSHRN T1", "1111 1110 100i iiii dddT 1111 1100 mmm1",
     "vrshrn{T:half}{:v}.i{i:iwide} {d:q}, {m:q}, {i:right}", build_shift_narrow<Fit::Low, true>,
     Issue::VectorNarrow, Unit::Vector, shift_sized},
    {"VQSHRN T1", "111U 1110 100i iiii dddT 1111 0100 mmm0",
     "vqshrn{T:half}{:v}.{U:sign}{i:iwide} {d:q}, {m:q}, {i:right}",
     build_shift_narrow<Fit::Saturate, false>, Issue::VectorNarrow, Unit::Vector, shift_sized},
    {"VQRSHRN T1", "111U 1110 100i iiii dddT 1111 0100 mmm1",
     "vqrshrn{T:half}{:v}.{U:sign}{i:iwide} {d:q}, {m:q}, {i:right}",
     build_shift_narrow<Fit::Saturate, true>, Issue::VectorNarrow, Unit::Vector, shift_sized},
    {"VQSHRUN T1", "1110 1110 100i iiii dddT 1111 1100 mmm0",
     "vqshrun{T:half}{:v}.s{i:iwide} {d:q}, {m:q}, {i:right}",
     build_shift_narrow<Fit::ToUnsigned, false>, Issue::VectorNarrow, Unit::Vector, shift_sized},
    {"VQRSHRUN T1", "1111 1110 100i iiii dddT 1111 1100 mmm0",
     "vqrshrun{T:half}{:v}.s{i:iwide} {d:q}, {m:q}, {i:right}",
     build_shift_narrow<Fit::ToUnsigned, true>, Issue::VectorNarrow, Unit::Vector, shift_sized},
};

}  // namespace

std::span<const Row> narrow_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer

// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/across.h"
#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/simd.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

/// VADDLV.
template <class T, bool kAccumulate, bool kFull>
void add_long_across(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> m = read<T>(cpu, op.rm);
    std::uint64_t sum = starts_at_zero<kAccumulate>(cpu) ? 0 : read_pair(cpu, op);
    for (unsigned i = 0; i < kLanes<T>; ++i)
        sum += lane_active<T>(active, i) ? static_cast<std::uint64_t>(m[i]) : 0;
    write_pair(cpu, op, sum);
}

/// VMAXAV and VMINAV: of magnitudes; T is unsigned.
template <class Choice, class T, bool kFull>
void choose_magnitude_across(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> m = read<T>(cpu, op.rm);
    T chosen = wrap<T>(cpu.r[op.rd]);
    for (unsigned i = 0; i < kLanes<T>; ++i) {
        const T magnitude = m[i] >> (kBits<T> - 1) != 0 ? wrap<T>(0u - m[i]) : m[i];
        if (lane_active<T>(active, i)) chosen = Choice::template lane<T>(0, chosen, magnitude);
    }
    cpu.r[op.rd] = chosen;
}

/// VABAV: the sum of absolute differences is added.
template <class T, bool kFull>
void add_differences_across(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> n = read<T>(cpu, op.rn), m = read<T>(cpu, op.rm);
    std::uint32_t sum = cpu.r[op.rd];
    for (unsigned i = 0; i < kLanes<T>; ++i) {
        const std::int64_t difference = std::int64_t{n[i]} - m[i];
        const std::int64_t distance = difference < 0 ? -difference : difference;
        sum += lane_active<T>(active, i) ? static_cast<std::uint32_t>(distance) : 0;
    }
    cpu.r[op.rd] = sum;
}

template <bool kAccumulate>
struct AddLongAcross {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler = vector_handler<add_long_across<T, kAccumulate, true>,
                                                           add_long_across<T, kAccumulate, false>>;
    };
};

template <class Choice>
struct ChooseMagnitudeAcross {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<choose_magnitude_across<Choice, T, true>,
                           choose_magnitude_across<Choice, T, false>>;
    };
};

template <class T>
struct AddDifferencesAcross {
    static constexpr Handler kHandler =
        vector_handler<add_differences_across<T, true>, add_differences_across<T, false>>;
};

void build_add_across(Builder& builder, const Fields& fields) {
    emit_to_even(builder, fields, simd_handlers().add_across[fields['A']][type_index(fields)]);
}

void build_add_long_across(Builder& builder, const Fields& fields) {
    using Words = Types<std::int32_t, std::uint32_t>;
    constexpr auto kFresh = Words::handlers<AddLongAcross<false>::Entry>();
    constexpr auto kAdded = Words::handlers<AddLongAcross<true>::Entry>();
    emit_to_pair(builder, fields, (fields['A'] != 0 ? kAdded : kFresh)[fields['U']]);
}

void emit_to_register(Builder& builder, const Fields& fields, Handler handler) {
    emit_vectors(builder, fields, handler).rd = fields.reg('d');
}

template <auto kMember>
void build_choose_across(Builder& builder, const Fields& fields) {
    emit_to_register(builder, fields, (simd_handlers().*kMember)[type_index(fields)]);
}

template <class Choice>
void build_choose_magnitude_across(Builder& builder, const Fields& fields) {
    constexpr auto kHandlers = Modular::handlers<ChooseMagnitudeAcross<Choice>::template Entry>();
    emit_to_register(builder, fields, kHandlers[fields['s']]);
}

void build_add_differences_across(Builder& builder, const Fields& fields) {
    constexpr auto kHandlers = Both::handlers<AddDifferencesAcross>();
    emit_to_register(builder, fields, kHandlers[type_index(fields)]);
}

bool sized_plain_d(const Fields& fields) {
    return sized(fields) && fields['d'] != 13 && fields['d'] != 15;
}

constexpr Row kRows[] = {
    {"VADDV T1", "111U 1110 1111 ss01 aaa0 1111 00A0 mmm0",
     "vaddv{A:add}{:v}.{U:sign}{s:size} {a:even}, {m:q}", build_add_across, Issue::VectorReduce,
     Unit::Vector, sized},
    {"VADDLV T1", "111U 1110 1hhh 1001 aaa0 1111 00A0 mmm0",
     "vaddlv{A:add}{:v}.{U:sign}32 {a:even}, {h:odd}, {m:q}", build_add_long_across,
     Issue::VectorReduce, Unit::Vector, plain_pair},
    {"VABAV T1", "111U 1110 10ss nnn0 dddd 1111 0000 mmm1",
     "vabav{:v}.{U:sign}{s:size} {d:r}, {n:q}, {m:q}", build_add_differences_across,
     Issue::VectorReduce, Unit::Vector, sized_plain_d},
    {"VMAXV T1", "111U 1110 1110 ss10 dddd 1111 0000 mmm0",
     "vmaxv{:v}.{U:sign}{s:size} {d:r}, {m:q}", build_choose_across<&SimdHandlers::maximum_across>,
     Issue::VectorMinMaxAcross, Unit::Vector, sized_plain_d},
    {"VMINV T1", "111U 1110 1110 ss10 dddd 1111 1000 mmm0",
     "vminv{:v}.{U:sign}{s:size} {d:r}, {m:q}", build_choose_across<&SimdHandlers::minimum_across>,
     Issue::VectorMinMaxAcross, Unit::Vector, sized_plain_d},
    {"VMAXAV T1", "1110 1110 1110 ss00 dddd 1111 0000 mmm0", "vmaxav{:v}.s{s:size} {d:r}, {m:q}",
     build_choose_magnitude_across<Maximum>, Issue::VectorMinMaxAcross, Unit::Vector,
     sized_plain_d},
    {"VMINAV T1", "1110 1110 1110 ss00 dddd 1111 1000 mmm0", "vminav{:v}.s{s:size} {d:r}, {m:q}",
     build_choose_magnitude_across<Minimum>, Issue::VectorMinMaxAcross, Unit::Vector,
     sized_plain_d},
};

}  // namespace

std::span<const Row> reduce_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer

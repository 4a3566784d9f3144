// SPDX-License-Identifier: Apache-2.0
// VCVT, VCVTA, VCVTN, VCVTP, VCVTM, VCVTB, VCVTT, VRINT.
#include <array>

#include "models/core/isa/vector_float/build.h"
#include "models/core/isa/vector_float/lanewise.h"

namespace n6vp::models::core::isa::vector_float {

namespace {

// Operands: rd, rm; imm fraction bits of fixed-point lanes.

/// Does `Op::lane(m, fraction_bits, environment)` to every lane.
template <class T, class Op, bool kFull>
N6VP_FAR void each(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = kFull ? 0xFFFF : active_bytes(cpu);
    Lanes<T> lanes = read<T>(cpu, op.rm);
    fp::Environment environment = fp::Environment::standard(cpu.fpscr);
    ActiveLanes<T>(active).for_each(environment, [&](unsigned i) {
        lanes[i] = Op::template lane<T>(lanes[i], op.imm, environment);
    });
    write(cpu, op.rd, lanes, active);
    cpu.fpscr |= environment.flags;
}
template <class T, class Op>
inline constexpr Handler kEach = vector_handler<each<T, Op, true>, each<T, Op, false>>;

template <class Op>
MicroOp& emit_each(Builder& builder, const Fields& fields, bool half) {
    return emit(builder, fields, half ? kEach<std::uint16_t, Op> : kEach<std::uint32_t, Op>);
}

template <bool kSigned>
struct FromFixed {
    template <class T>
    static T lane(T m, std::uint32_t fraction_bits, fp::Environment& environment) {
        using SignedLane = std::make_signed_t<T>;
        const std::uint64_t value =
            kSigned ? static_cast<std::uint64_t>(std::int64_t{static_cast<SignedLane>(m)})
                    : std::uint64_t{m};
        return fp::from_fixed<T>(value, fraction_bits, kSigned, fp::Rounding::Nearest, environment);
    }
};

template <bool kSigned, fp::Rounding kRounding>
struct ToFixed {
    template <class T>
    static T lane(T m, std::uint32_t fraction_bits, fp::Environment& environment) {
        return static_cast<T>(
            fp::to_fixed(m, fraction_bits, sizeof(T) * 8, kSigned, kRounding, environment));
    }
};

template <fp::Rounding kRounding, bool kExact>
struct Round {
    template <class T>
    static T lane(T m, std::uint32_t /*unused*/, fp::Environment& environment) {
        return fp::round_to_integral(m, kRounding, kExact, environment);
    }
};

MicroOp& emit_from(Builder& builder, const Fields& fields, bool half) {
    return fields['U'] != 0 ? emit_each<FromFixed<false>>(builder, fields, half)
                            : emit_each<FromFixed<true>>(builder, fields, half);
}
template <fp::Rounding kRounding>
MicroOp& emit_to(Builder& builder, const Fields& fields, bool half) {
    return fields['U'] != 0 ? emit_each<ToFixed<false, kRounding>>(builder, fields, half)
                            : emit_each<ToFixed<true, kRounding>>(builder, fields, half);
}

/// Singles to the lower or upper half of each word. Operands: rd, rm.
template <bool kTop, bool kFull>
N6VP_FAR void narrow(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = kFull ? 0xFFFF : active_bytes(cpu);
    const auto m = read<std::uint32_t>(cpu, op.rm);
    auto d = read<std::uint16_t>(cpu, op.rd);
    fp::Environment environment = fp::Environment::standard(cpu.fpscr);
    ActiveLanes<std::uint32_t>(active).for_each(environment, [&](unsigned i) {
        d[2 * i + (kTop ? 1 : 0)] = fp::convert<std::uint16_t>(m[i], environment);
    });
    write(cpu, op.rd, d, active & (kTop ? 0xCCCC : 0x3333));
    cpu.fpscr |= environment.flags;
}

/// The lower or upper half of each word to a single. The lowest byte of the half decides about its
/// flags.
template <bool kTop, bool kFull>
N6VP_FAR void widen(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = kFull ? 0xFFFF : active_bytes(cpu);
    const auto m = read<std::uint16_t>(cpu, op.rm);
    auto d = read<std::uint32_t>(cpu, op.rd);
    fp::Environment environment = fp::Environment::standard(cpu.fpscr);
    const ActiveLanes<std::uint32_t> words(active);
    const ActiveLanes<std::uint16_t> halves(active);
    for (unsigned i = 0; i < d.size(); ++i) {
        if (!words.any(i)) continue;
        const unsigned half = 2 * i + (kTop ? 1 : 0);
        const std::uint32_t flags = environment.flags;
        d[i] = fp::convert<std::uint32_t>(m[half], environment);
        if (!halves.raises(half)) environment.flags = flags;
    }
    write(cpu, op.rd, d, active);
    cpu.fpscr |= environment.flags;
}

constexpr std::uint32_t fraction_bits(std::uint32_t i, bool half) {
    return (half ? 16 : 32) - i;
}

}  // namespace

void build_from_integer(Builder& builder, const Fields& fields) {
    emit_from(builder, fields, is_half(fields, 'z'));
}
void build_to_integer(Builder& builder, const Fields& fields) {
    emit_to<fp::Rounding::TowardZero>(builder, fields, is_half(fields, 'z'));
}
void build_to_integer_rounding(Builder& builder, const Fields& fields) {
    const bool half = is_half(fields, 'z');
    switch (fields['r']) {
        case 0:
            emit_to<fp::Rounding::NearestAway>(builder, fields, half);
            break;
        case 1:
            emit_to<fp::Rounding::Nearest>(builder, fields, half);
            break;
        case 2:
            emit_to<fp::Rounding::Up>(builder, fields, half);
            break;
        default:
            emit_to<fp::Rounding::Down>(builder, fields, half);
            break;
    }
}
template <bool kHalf>
void build_from_fixed(Builder& builder, const Fields& fields) {
    emit_from(builder, fields, kHalf).imm = fraction_bits(fields['i'], kHalf);
}
template void build_from_fixed<true>(Builder&, const Fields&);
template void build_from_fixed<false>(Builder&, const Fields&);
template <bool kHalf>
void build_to_fixed(Builder& builder, const Fields& fields) {
    emit_to<fp::Rounding::TowardZero>(builder, fields, kHalf).imm =
        fraction_bits(fields['i'], kHalf);
}
template void build_to_fixed<true>(Builder&, const Fields&);
template void build_to_fixed<false>(Builder&, const Fields&);

void build_narrow(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         fields['T'] != 0 ? vector_handler<narrow<true, true>, narrow<true, false>>
                          : vector_handler<narrow<false, true>, narrow<false, false>>);
}
void build_widen(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         fields['T'] != 0 ? vector_handler<widen<true, true>, widen<true, false>>
                          : vector_handler<widen<false, true>, widen<false, false>>);
}

void build_round(Builder& builder, const Fields& fields) {
    const bool half = is_half(fields, 'z');
    switch (fields['r']) {
        case 0:
            emit_each<Round<fp::Rounding::Nearest, false>>(builder, fields, half);
            break;
        case 1:
            emit_each<Round<fp::Rounding::Nearest, true>>(builder, fields, half);
            break;
        case 2:
            emit_each<Round<fp::Rounding::NearestAway, false>>(builder, fields, half);
            break;
        case 3:
            emit_each<Round<fp::Rounding::TowardZero, false>>(builder, fields, half);
            break;
        case 5:
            emit_each<Round<fp::Rounding::Down, false>>(builder, fields, half);
            break;
        default:
            emit_each<Round<fp::Rounding::Up, false>>(builder, fields, half);
            break;
    }
}

}  // namespace n6vp::models::core::isa::vector_float

// SPDX-License-Identifier: Apache-2.0
// VCMP and VPT.
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "models/core/float/soft_float.h"
#include "models/core/isa/vector_memory/build.h"
#include "models/core/isa/vector_memory/lanes.h"
#include "models/core/isa/vector_memory/predicate.h"

namespace n6vp::models::core::isa::vector_memory {

namespace {

// Operands: rn, and rm as a vector or as a general register of which 15 is zero; imm mask of VPT.

template <class Lane, bool kScalar>
Vector<Lane> second_operand(const CpuState& cpu, const MicroOp& op) {
    if constexpr (kScalar) {
        Vector<Lane> value;
        value.fill(static_cast<Lane>(op.rm == 15 ? 0 : cpu.r[op.rm]));
        return value;
    } else {
        return read_vector<Lane>(cpu, op.rm);
    }
}

/// Returns one bit per byte of lanes of which each byte is 0 or 1.
template <class Lane>
std::uint32_t bits_of_bytes(const Vector<Lane>& lanes) {
    std::array<std::uint64_t, 2> halves;
    std::memcpy(halves.data(), lanes.data(), 16);
    // The product brings bit 0 of byte i to bit 56 + i.
    constexpr std::uint64_t kGather = 0x0102040810204080ull;
    return static_cast<std::uint32_t>((halves[0] * kGather) >> 56 |
                                      (halves[1] * kGather) >> 56 << 8);
}

template <class Lane, Comparison kCondition>
bool compare_lanes(Lane n, Lane m) {
    if constexpr (kCondition == Comparison::Eq) return n == m;
    if constexpr (kCondition == Comparison::Ne) return n != m;
    if constexpr (kCondition == Comparison::Cs || kCondition == Comparison::Ge) return n >= m;
    if constexpr (kCondition == Comparison::Hi || kCondition == Comparison::Gt) return n > m;
    if constexpr (kCondition == Comparison::Lt) return n < m;
    if constexpr (kCondition == Comparison::Le) return n <= m;
}

struct Integer {
    template <class Lane, Comparison kCondition, bool kScalar>
    static std::uint32_t compare(CpuState& cpu, const MicroOp& op, std::uint32_t /*active*/) {
        using Unsigned = std::make_unsigned_t<Lane>;
        constexpr auto kTrue =
            static_cast<Unsigned>(static_cast<Unsigned>(~Unsigned{0}) / 0xFF);  // 01 in each byte
        const auto n = read_vector<Lane>(cpu, op.rn);
        const auto m = second_operand<Lane, kScalar>(cpu, op);
        Vector<Unsigned> result;
        for (unsigned lane = 0; lane < n.size(); ++lane)
            result[lane] = compare_lanes<Lane, kCondition>(n[lane], m[lane]) ? kTrue : Unsigned{0};
        return bits_of_bytes(result);
    }
};

/// Returns whether two floating-point values compare so, by the flags that VCMPE would set: NaN is
/// less and not equal, and raises invalid even if quiet.
template <class Lane, Comparison kCondition>
bool compare_floats(Lane n, Lane m, fp::Environment& environment) {
    const fp::Ordering order = fp::compare(n, m, true, environment);
    switch (kCondition) {
        case Comparison::Eq:
            return order == fp::Ordering::Equal;
        case Comparison::Ne:
            return order != fp::Ordering::Equal;
        case Comparison::Ge:
            return order == fp::Ordering::Greater || order == fp::Ordering::Equal;
        case Comparison::Lt:
            return order == fp::Ordering::Less || order == fp::Ordering::Unordered;
        case Comparison::Gt:
            return order == fp::Ordering::Greater;
        default:
            return order != fp::Ordering::Greater;
    }
}

/// Returns true if all lanes are zero, normal or infinite: the host compares them as Arm does.
inline bool is_plain(const Vector<std::uint32_t>& lanes) {
    bool plain = true;
    for (const std::uint32_t lane : lanes) {
        const std::uint32_t magnitude = lane & 0x7FFFFFFF;
        plain &= (magnitude == 0) | ((magnitude >= 0x00800000) & (magnitude <= 0x7F800000));
    }
    return plain;
}

struct Float {
    template <class Lane, Comparison kCondition, bool kScalar>
    static std::uint32_t compare(CpuState& cpu, const MicroOp& op, std::uint32_t active) {
        if constexpr (sizeof(Lane) == 4) {
            const auto n = read_vector<Lane>(cpu, op.rn);
            const auto m = second_operand<Lane, kScalar>(cpu, op);
            if (is_plain(n) && is_plain(m)) [[likely]] {
                Vector<Lane> result;
                for (unsigned lane = 0; lane < n.size(); ++lane) {
                    const bool holds = compare_lanes<float, kCondition>(
                        std::bit_cast<float>(n[lane]), std::bit_cast<float>(m[lane]));
                    result[lane] = holds ? 0x01010101 : 0;
                }
                return bits_of_bytes(result);
            }
        }
        return compare_slowly<Lane, kCondition, kScalar>(cpu, op, active);
    }

  private:
    template <class Lane, Comparison kCondition, bool kScalar>
    N6VP_FAR static std::uint32_t compare_slowly(CpuState& cpu, const MicroOp& op,
                                                 std::uint32_t active) {
        constexpr std::uint32_t kLane = (1u << sizeof(Lane)) - 1;
        const auto n = read_vector<Lane>(cpu, op.rn);
        const auto m = second_operand<Lane, kScalar>(cpu, op);
        fp::Environment environment = fp::Environment::standard(cpu.fpscr);
        std::uint32_t bits = 0;
        for (unsigned lane = 0; lane < n.size(); ++lane) {
            const std::uint32_t own = kLane << lane * sizeof(Lane);
            if ((active & own) == 0) continue;
            const std::uint32_t flags = environment.flags;
            if (compare_floats<Lane, kCondition>(n[lane], m[lane], environment)) bits |= own;
            if (!has_lane<Lane>(active, lane)) environment.flags = flags;
        }
        cpu.fpscr |= environment.flags;
        return bits;
    }
};

/// VCMP, or VPT with the mask of the block it starts.
template <class Kind, class Lane, Comparison kCondition, bool kScalar, bool kBlock>
const MicroOp* compare(CpuState& cpu, const MicroOp* op) {
    if (all_active(cpu)) [[likely]] {
        const std::uint32_t bits =
            Kind::template compare<Lane, kCondition, kScalar>(cpu, *op, 0xFFFF);
        cpu.vpr = kBlock ? op->imm << 16 | op->imm << 20 | bits : (cpu.vpr & ~vpr::kP0) | bits;
        N6VP_TAIL return go_on(cpu, op + 1);
    }
    const std::uint32_t active = active_bytes(cpu), beats = beats_to_do(cpu.eci);
    set_predicate(cpu, Kind::template compare<Lane, kCondition, kScalar>(cpu, *op, active), active);
    finish_vector(cpu);
    if constexpr (kBlock) start_block(cpu, op->imm, beats);
    N6VP_TAIL return go_on(cpu, op + 1);
}

/// Handlers of one kind of lane, by [scalar][block].
template <class Kind, class Lane, Comparison kCondition>
Handler choose(bool scalar, bool block) {
    if (scalar) {
        return block ? compare<Kind, Lane, kCondition, true, true>
                     : compare<Kind, Lane, kCondition, true, false>;
    }
    return block ? compare<Kind, Lane, kCondition, false, true>
                 : compare<Kind, Lane, kCondition, false, false>;
}

template <class Unsigned>
Handler choose_integer(Comparison condition, bool scalar, bool block) {
    using Signed = std::make_signed_t<Unsigned>;
    switch (condition) {
        case Comparison::Eq:
            return choose<Integer, Unsigned, Comparison::Eq>(scalar, block);
        case Comparison::Ne:
            return choose<Integer, Unsigned, Comparison::Ne>(scalar, block);
        case Comparison::Cs:
            return choose<Integer, Unsigned, Comparison::Cs>(scalar, block);
        case Comparison::Hi:
            return choose<Integer, Unsigned, Comparison::Hi>(scalar, block);
        case Comparison::Ge:
            return choose<Integer, Signed, Comparison::Ge>(scalar, block);
        case Comparison::Lt:
            return choose<Integer, Signed, Comparison::Lt>(scalar, block);
        case Comparison::Gt:
            return choose<Integer, Signed, Comparison::Gt>(scalar, block);
        default:
            return choose<Integer, Signed, Comparison::Le>(scalar, block);
    }
}

template <class Lane>
Handler choose_float(Comparison condition, bool scalar, bool block) {
    switch (condition) {
        case Comparison::Eq:
            return choose<Float, Lane, Comparison::Eq>(scalar, block);
        case Comparison::Ne:
            return choose<Float, Lane, Comparison::Ne>(scalar, block);
        case Comparison::Ge:
            return choose<Float, Lane, Comparison::Ge>(scalar, block);
        case Comparison::Lt:
            return choose<Float, Lane, Comparison::Lt>(scalar, block);
        case Comparison::Gt:
            return choose<Float, Lane, Comparison::Gt>(scalar, block);
        default:
            return choose<Float, Lane, Comparison::Le>(scalar, block);
    }
}

void emit(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = builder.emit(handler);
    op.rn = fields.reg('n');
    op.rm = fields.reg('m');
    op.imm = fields['k'];
}

void emit_integer(Builder& builder, const Fields& fields, bool scalar) {
    const Comparison condition = comparison_of(fields);
    const bool block = fields['k'] != 0;
    switch (fields['s']) {
        case 0:
            return emit(builder, fields, choose_integer<std::uint8_t>(condition, scalar, block));
        case 1:
            return emit(builder, fields, choose_integer<std::uint16_t>(condition, scalar, block));
        default:
            return emit(builder, fields, choose_integer<std::uint32_t>(condition, scalar, block));
    }
}

void emit_float(Builder& builder, const Fields& fields, bool scalar) {
    const Comparison condition = comparison_of(fields);
    const bool block = fields['k'] != 0, half = fields['h'] != 0;
    emit(builder, fields,
         half ? choose_float<std::uint16_t>(condition, scalar, block)
              : choose_float<std::uint32_t>(condition, scalar, block));
}

}  // namespace

void build_compare_integer(Builder& builder, const Fields& fields) {
    emit_integer(builder, fields, false);
}
void build_compare_integer_scalar(Builder& builder, const Fields& fields) {
    emit_integer(builder, fields, true);
}
void build_compare_float(Builder& builder, const Fields& fields) {
    emit_float(builder, fields, false);
}
void build_compare_float_scalar(Builder& builder, const Fields& fields) {
    emit_float(builder, fields, true);
}

}  // namespace n6vp::models::core::isa::vector_memory

// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/integer/alu.h"

#include <array>
#include <cstddef>
#include <utility>

namespace n6vp::models::core::isa::integer {

namespace {

template <Operand Kind>
Shifted second_operand(const CpuState& cpu, const MicroOp& op) {
    if constexpr (Kind == Operand::Immediate) {
        return {op.imm, 0};
    } else if constexpr (Kind == Operand::ImmediateToCarry) {
        return {op.imm, op.imm >> 31};
    } else if constexpr (Kind == Operand::Register) {
        return {cpu.r[op.rm], 0};
    } else if constexpr (Kind == Operand::Lsl) {
        return shift_left(cpu.r[op.rm], op.imm & 31);
    } else if constexpr (Kind == Operand::Lsr) {
        return shift_right(cpu.r[op.rm], op.imm & 63);
    } else if constexpr (Kind == Operand::Asr) {
        return shift_right_signed(cpu.r[op.rm], op.imm & 63);
    } else if constexpr (Kind == Operand::Ror) {
        return rotate_right(cpu.r[op.rm], op.imm);
    } else {
        const std::uint32_t value = cpu.r[op.rm];
        return {cpu.c << 31 | value >> 1, value & 1};
    }
}

constexpr bool gives_carry(Operand kind) {
    return kind != Operand::Immediate && kind != Operand::Register;
}

struct Sum {
    std::uint32_t value, carry, overflow;
};

Sum add(std::uint32_t a, std::uint32_t b, std::uint32_t carry) {
    const std::uint64_t wide = std::uint64_t{a} + b + carry;
    const auto value = static_cast<std::uint32_t>(wide);
    return {value, static_cast<std::uint32_t>(wide >> 32), (a ^ value) & (b ^ value)};
}

/// Subtraction is addition of the complement; this spelling is one comparison on the host.
Sum subtract(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t value = a - b;
    return {value, a >= b ? 1u : 0u, (a ^ b) & (a ^ value)};
}

template <Operation Op>
std::uint32_t logical(std::uint32_t a, std::uint32_t b) {
    switch (Op) {
        case Operation::And:
        case Operation::Tst:
            return a & b;
        case Operation::Bic:
            return a & ~b;
        case Operation::Orr:
            return a | b;
        case Operation::Orn:
            return a | ~b;
        case Operation::Eor:
        case Operation::Teq:
            return a ^ b;
        case Operation::Mvn:
            return ~b;
        default:
            return b;
    }
}

template <Operation Op>
Sum arithmetic(std::uint32_t a, std::uint32_t b, std::uint32_t carry) {
    switch (Op) {
        case Operation::Adc:
            return add(a, b, carry);
        case Operation::Sbc:
            return add(a, ~b, carry);
        case Operation::Sub:
        case Operation::Cmp:
            return subtract(a, b);
        case Operation::Rsb:
            return subtract(b, a);
        default:
            return add(a, b, 0);
    }
}

constexpr bool is_arithmetic(Operation op) {
    return (op >= Operation::Add && op <= Operation::Rsb) || op >= Operation::Cmn;
}

/// Mov and Mvn have no first operand: their rn stays unread.
constexpr bool reads_first(Operation op) {
    return op != Operation::Mov && op != Operation::Mvn;
}

/// Returns the result; sets flags if asked to.
template <Operation Op, Operand Kind, bool SetFlags>
std::uint32_t compute(CpuState& cpu, const MicroOp& op) {
    const Shifted second = second_operand<Kind>(cpu, op);
    const std::uint32_t first = reads_first(Op) ? cpu.r[op.rn] : 0;
    if constexpr (is_arithmetic(Op)) {
        const Sum sum = arithmetic<Op>(first, second.value, cpu.c);
        if constexpr (SetFlags) {
            set_nz(cpu, sum.value);
            cpu.c = sum.carry;
            cpu.v = sum.overflow;
        }
        return sum.value;
    } else {
        const std::uint32_t result = logical<Op>(first, second.value);
        if constexpr (SetFlags) {
            set_nz(cpu, result);
            if constexpr (gives_carry(Kind)) cpu.c = second.carry;
        }
        return result;
    }
}

template <Operation Op, Operand Kind, bool SetFlags>
void alu(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t result = compute<Op, Kind, SetFlags>(cpu, op);
    if constexpr (!only_compares(Op)) cpu.r[op.rd] = result;
}

template <Operation Op, Operand Kind, bool SetFlags>
bool move_stack(CpuState& cpu, const MicroOp& op) {
    if (!check_stack_limit(cpu, compute<Op, Kind, false>(cpu, op))) return false;
    cpu.r[13] = compute<Op, Kind, SetFlags>(cpu, op) & ~3u;
    return true;
}

constexpr std::size_t table_index(Operation operation, Operand operand, bool set_flags) {
    return (static_cast<std::size_t>(operation) * kOperands + static_cast<std::size_t>(operand)) *
               2 +
           (set_flags ? 1 : 0);
}
inline constexpr std::size_t kTableSize = table_index(Operation{kOperations}, Operand{}, false);

template <std::size_t Index>
constexpr Handler alu_entry() {
    constexpr auto kOperation = static_cast<Operation>(Index / 2 / kOperands);
    constexpr auto kOperand = static_cast<Operand>(Index / 2 % kOperands);
    // A comparison that sets no flags does not exist; the entry is that which sets them.
    return handler<alu<kOperation, kOperand, Index % 2 != 0 || only_compares(kOperation)>>;
}

template <std::size_t Index>
constexpr Handler stack_entry() {
    constexpr auto kOperation = static_cast<Operation>(Index / 2 / kOperands);
    constexpr auto kOperand = static_cast<Operand>(Index / 2 % kOperands);
    if constexpr (kOperation == Operation::Add || kOperation == Operation::Sub ||
                  kOperation == Operation::Mov) {
        return handler<move_stack<kOperation, kOperand, Index % 2 != 0>>;
    } else {
        return nullptr;
    }
}

template <std::size_t... Index>
constexpr std::array<Handler, kTableSize> alu_table(std::index_sequence<Index...>) {
    return {alu_entry<Index>()...};
}
template <std::size_t... Index>
constexpr std::array<Handler, kTableSize> stack_table(std::index_sequence<Index...>) {
    return {stack_entry<Index>()...};
}

}  // namespace

Handler alu_handler(Operation operation, Operand operand, bool set_flags) {
    static constexpr auto kTable = alu_table(std::make_index_sequence<kTableSize>());
    return kTable[table_index(operation, operand, set_flags)];
}

Handler stack_handler(Operation operation, Operand operand, bool set_flags) {
    static constexpr auto kTable = stack_table(std::make_index_sequence<kTableSize>());
    return kTable[table_index(operation, operand, set_flags)];
}

}  // namespace n6vp::models::core::isa::integer

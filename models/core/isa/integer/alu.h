// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "models/core/ir/micro_op.h"

namespace n6vp::models::core::isa::integer {

/// The sixteen operations of data processing. Those from Tst on only set flags.
enum class Operation : std::uint8_t {
    And,
    Bic,
    Orr,
    Orn,
    Eor,
    Mov,
    Mvn,
    Add,
    Adc,
    Sbc,
    Sub,
    Rsb,
    Tst,
    Teq,
    Cmn,
    Cmp,
};
inline constexpr unsigned kOperations = 16;

[[nodiscard]] constexpr bool only_compares(Operation operation) {
    return operation >= Operation::Tst;
}

/// What the second operand is, and what carry it gives a logical operation that sets flags.
enum class Operand : std::uint8_t {
    Immediate,         ///< MicroOp::imm; C stays
    ImmediateToCarry,  ///< MicroOp::imm, rotated: C = bit 31
    Register,          ///< rm; C stays
    Lsl,               ///< rm shifted by imm: 1 to 31
    Lsr,               ///< 1 to 32
    Asr,               ///< 1 to 32
    Ror,               ///< 1 to 31
    Rrx,
};
inline constexpr unsigned kOperands = 8;

struct Shifted {
    std::uint32_t value = 0;
    std::uint32_t carry = 0;
};

// Shifts by 0 to 255; the carry holds for amounts other than 0.

[[nodiscard]] constexpr Shifted shift_left(std::uint32_t value, std::uint32_t amount) {
    const std::uint64_t wide = std::uint64_t{value} << (amount < 63 ? amount : 63);
    return {static_cast<std::uint32_t>(wide), static_cast<std::uint32_t>(wide >> 32 & 1)};
}
[[nodiscard]] constexpr Shifted shift_right(std::uint32_t value, std::uint32_t amount) {
    // One more bit below: the last one shifted out.
    const std::uint64_t wide = (std::uint64_t{value} << 1) >> (amount < 63 ? amount : 63);
    return {static_cast<std::uint32_t>(wide >> 1), static_cast<std::uint32_t>(wide & 1)};
}
[[nodiscard]] constexpr Shifted shift_right_signed(std::uint32_t value, std::uint32_t amount) {
    const std::int64_t wide =
        std::int64_t{static_cast<std::int32_t>(value)} * 2 >> (amount < 63 ? amount : 63);
    return {static_cast<std::uint32_t>(wide >> 1), static_cast<std::uint32_t>(wide & 1)};
}
[[nodiscard]] constexpr Shifted rotate_right(std::uint32_t value, std::uint32_t amount) {
    const std::uint32_t rotated = std::rotr(value, static_cast<int>(amount & 31));
    return {rotated, rotated >> 31};
}

/// Returns the handler of `operation`, which writes rd.
[[nodiscard]] Handler alu_handler(Operation operation, Operand operand, bool set_flags);
/// The same for one that moves the stack pointer, Add, Sub or Mov: checked against its limit.
[[nodiscard]] Handler stack_handler(Operation operation, Operand operand, bool set_flags);

}  // namespace n6vp::models::core::isa::integer

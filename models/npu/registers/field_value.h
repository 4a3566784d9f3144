// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "models/npu/registers/register_file.h"

namespace n6vp::models::npu {

/// A path such as "CTRL.NOSUM" as an argument of a template.
template <std::size_t kLength>
struct FieldPath {
    char text[kLength]{};
    // NOLINTNEXTLINE(google-explicit-constructor): a literal is to become one
    consteval FieldPath(const char (&path)[kLength]) { std::copy_n(path, kLength, text); }
};

/// Returns the register of a path. A wrong path does not compile.
[[nodiscard]] consteval Register register_of(const UnitType& unit, const char* path) {
    std::size_t index = 0;
    while (index < unit.register_count &&
           !memmap::npu::detail::starts(path, unit.registers[index].name, '.')) {
        ++index;
    }
    if (index == unit.register_count) memmap::npu::detail::no_such_register();
    return unit.registers[index];
}

/// The value of a field, which becomes the integer or bool that takes it; each field fits its
/// taker.
struct FieldValue {
    std::int64_t value;

    template <std::integral Taker>
    // NOLINTNEXTLINE(google-explicit-constructor): configurations take it as it is
    constexpr operator Taker() const {
        return static_cast<Taker>(value);
    }
};

/// Returns a field of a unit's registers, of element `index` if it is an array.
template <const UnitType& kUnit, FieldPath kPath>
[[nodiscard]] FieldValue field_value(const RegisterFile& registers, std::uint32_t index = 0) {
    constexpr Register kAt = register_of(kUnit, kPath.text);
    constexpr Field kField = field(kUnit, kPath.text);
    return {extract(registers.word(kAt, index), kField)};
}

/// The same as two's complement.
template <const UnitType& kUnit, FieldPath kPath>
[[nodiscard]] FieldValue signed_field_value(const RegisterFile& registers,
                                            std::uint32_t index = 0) {
    constexpr Register kAt = register_of(kUnit, kPath.text);
    constexpr Field kField = field(kUnit, kPath.text);
    return {extract_signed(registers.word(kAt, index), kField)};
}

}  // namespace n6vp::models::npu

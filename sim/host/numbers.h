// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace n6vp::sim {

/// Returns the whole text as a number of that type; none if it is anything else or too large. No
/// blanks, no plus sign; a minus sign for types that have one. Real numbers are finite.
template <typename Number>
[[nodiscard]] std::optional<Number> parse_digits(std::string_view text, int base = 10) {
    Number number{};
    std::from_chars_result result{};
    if constexpr (std::is_floating_point_v<Number>) {
        result = std::from_chars(text.data(), text.data() + text.size(), number);
        if (!std::isfinite(number)) return std::nullopt;
    } else {
        result = std::from_chars(text.data(), text.data() + text.size(), number, base);
    }
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Reads the digits at the front of the text and removes them. Returns none, and removes nothing,
/// if there are none or the number is too large.
template <typename Number>
[[nodiscard]] std::optional<Number> take_digits(std::string_view& text, int base = 10) {
    static_assert(std::is_unsigned_v<Number>);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// As `parse_digits`, decimal, or hexadecimal behind 0x or 0X.
template <typename Number>
[[nodiscard]] std::optional<Number> parse_integer(std::string_view text) {
    static_assert(std::is_unsigned_v<Number>);
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    return parse_digits<Number>(hex ? text.substr(2) : text, hex ? 16 : 10);
}

}  // namespace n6vp::sim

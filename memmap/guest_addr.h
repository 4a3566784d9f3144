// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp {

/// A 32-bit address of the simulated chip. Never a host pointer; arithmetic is explicit and
/// checked.
enum class GuestAddr : std::uint32_t {};

[[nodiscard]] constexpr std::uint32_t to_word(GuestAddr address) {
    return static_cast<std::uint32_t>(address);
}

/// Returns address + bytes modulo 2^32, as the loader's own additions on the chip do.
[[nodiscard]] constexpr GuestAddr wrapping_add(GuestAddr address, std::uint32_t bytes) {
    return static_cast<GuestAddr>(to_word(address) + bytes);
}

[[nodiscard]] constexpr bool is_aligned(GuestAddr address, std::uint32_t power_of_two) {
    return (to_word(address) & (power_of_two - 1)) == 0;
}

/// A byte range [start, start + bytes) that does not wrap; an empty range contains and overlaps
/// nothing.
struct AddressRange {
    GuestAddr start{};
    std::uint32_t bytes = 0;

    /// Returns one past the last byte, as 64 bits so that a range up to 0xFFFFFFFF has an end.
    [[nodiscard]] constexpr std::uint64_t end() const {
        return std::uint64_t{to_word(start)} + bytes;
    }

    [[nodiscard]] constexpr bool wraps() const { return end() > (std::uint64_t{1} << 32); }

    [[nodiscard]] constexpr bool contains(GuestAddr address) const {
        return to_word(address) >= to_word(start) && to_word(address) < end();
    }

    /// Returns true if every byte of `inner` lies inside; an empty inner range is inside if its
    /// start is in [start, end].
    [[nodiscard]] constexpr bool contains(AddressRange inner) const {
        return to_word(inner.start) >= to_word(start) && inner.end() <= end();
    }

    [[nodiscard]] constexpr bool overlaps(AddressRange other) const {
        return bytes != 0 && other.bytes != 0 && to_word(start) < other.end() &&
               to_word(other.start) < end();
    }
};

}  // namespace n6vp

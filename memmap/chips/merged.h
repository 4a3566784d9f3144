// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "memmap/chips/chip.h"

/// Makes the table of a chip of that of its family and its own rows, at compile time.
namespace n6vp::memmap {

/// Size of the register blocks whose names begin so.
struct ChipSize {
    const char* beginning;
    std::uint32_t bytes;
};

[[nodiscard]] constexpr bool begins_with(const char* name, const char* beginning) {
    while (*beginning != '\0' && *name == *beginning) ++name, ++beginning;
    return *beginning == '\0';
}

[[nodiscard]] constexpr std::uint32_t order_of(const ChipPeripheral& row) {
    return row.base;
}
[[nodiscard]] constexpr std::uint32_t order_of(const ChipInterrupt& row) {
    return row.line;
}

/// Returns the rows of both tables in ascending order, which each of them has.
template <typename Row, std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::array<Row, N + M> merged(const std::array<Row, N>& family,
                                                      const Row (&own)[M]) {
    std::array<Row, N + M> all{};
    std::size_t i = 0, j = 0;
    for (Row& to : all) {
        const bool shared = j == M || (i < N && order_of(family[i]) < order_of(own[j]));
        to = shared ? family[i++] : own[j++];
    }
    return all;
}
template <typename Row, std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::array<Row, N + M> merged(const Row (&family)[N], const Row (&own)[M]) {
    return merged(std::to_array(family), own);
}

/// Returns the rows with the chip's own sizes.
template <std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::array<ChipPeripheral, N> resized(std::array<ChipPeripheral, N> rows,
                                                              const ChipSize (&sizes)[M]) {
    for (ChipPeripheral& row : rows) {
        for (const ChipSize& size : sizes) {
            if (begins_with(row.name, size.beginning)) row.bytes = size.bytes;
        }
    }
    return rows;
}
template <std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::array<ChipPeripheral, N> resized(const ChipPeripheral (&rows)[N],
                                                              const ChipSize (&sizes)[M]) {
    return resized(std::to_array(rows), sizes);
}

/// Returns the rows for a chip whose RCC has the enable registers `by` bytes higher.
template <std::size_t N>
[[nodiscard]] constexpr std::array<ChipPeripheral, N> with_clocks_moved(
    const ChipPeripheral (&rows)[N], int by) {
    std::array<ChipPeripheral, N> moved = std::to_array(rows);
    for (ChipPeripheral& row : moved) {
        if (row.clock_register >= 0)
            row.clock_register = static_cast<std::int16_t>(row.clock_register + by);
    }
    return moved;
}

}  // namespace n6vp::memmap

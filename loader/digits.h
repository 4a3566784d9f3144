// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Numbers as text without a library. `put` takes one character at a time.
namespace n6vp::loader {

template <typename Put>
void put_decimal(std::uint32_t value, Put put) {
    char digits[10];
    std::uint32_t count = 0;
    do {
        digits[count++] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count != 0) put(digits[--count]);
}

/// Puts the lowest `count` digits of `value`, taken from the 16 of `alphabet`.
template <typename Put>
void put_hex(std::uint32_t value, std::uint32_t count, const char* alphabet, Put put) {
    while (count-- != 0) put(alphabet[value >> (4 * count) & 0xF]);
}

}  // namespace n6vp::loader

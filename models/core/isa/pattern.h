// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace n6vp::models::core::isa {

/// An encoding written as in the Arm Architecture Reference Manual: 16 or 32 digits, first halfword
/// first, blanks anywhere.
///
///   0 1   fixed bits
///   - +   should-be-zero and should-be-one bits: any value matches, generators write what should
///   be a..z A..Z   fields; the bits of one letter, from the left, are one number wherever they
///   stand
///
/// Letters with a fixed meaning, which timing and tests rely on: d destination, D destination that
/// is also the first source, n first source or base, m second source or offset, a third source or
/// low accumulator, t register loaded or stored (u the second one), c condition, i immediate, S
/// flags are set.
struct Pattern {
    struct Field {
        char letter = 0;
        std::uint32_t mask = 0;
    };

    // Not explicit: rows are written with plain string literals.
    consteval Pattern(const char* text) {  // NOLINT(google-explicit-constructor)
        unsigned digits = 0;
        for (const char* p = text; *p != 0; ++p) digits += *p != ' ' ? 1 : 0;
        if (digits != 16 && digits != 32) throw "a pattern has 16 or 32 digits";
        bytes = digits / 8;
        std::uint32_t bit = 1u << (digits - 1);
        for (const char* p = text; *p != 0; ++p) {
            if (*p == ' ') continue;
            if (*p == '0' || *p == '1') {
                mask |= bit;
                if (*p == '1') value |= bit;
            } else if (*p == '+') {
                should_be_one |= bit;
            } else if (*p == '-') {
                should_be_zero |= bit;
            } else {
                add(*p, bit);
            }
            bit >>= 1;
        }
    }

    std::uint32_t mask = 0, value = 0;
    std::uint32_t should_be_one = 0, should_be_zero = 0;
    unsigned bytes = 0;  ///< 2 or 4
    std::array<Field, 12> fields{};
    unsigned field_count = 0;

    /// Returns the field's bits as one number, 0 if the pattern has no such field.
    [[nodiscard]] constexpr std::uint32_t extract(char letter, std::uint32_t encoding) const {
        for (unsigned i = 0; i < field_count; ++i) {
            if (fields[i].letter == letter) return gather(encoding, fields[i].mask);
        }
        return 0;
    }
    [[nodiscard]] constexpr bool has(char letter) const {
        for (unsigned i = 0; i < field_count; ++i) {
            if (fields[i].letter == letter) return true;
        }
        return false;
    }

  private:
    consteval void add(char letter, std::uint32_t bit) {
        const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
        if (!is_letter) throw "not a letter";
        for (unsigned i = 0; i < field_count; ++i) {
            if (fields[i].letter == letter) {
                fields[i].mask |= bit;
                return;
            }
        }
        if (field_count == fields.size()) throw "too many fields";
        fields[field_count++] = {letter, bit};
    }
    [[nodiscard]] static constexpr std::uint32_t gather(std::uint32_t encoding,
                                                        std::uint32_t mask) {
        std::uint32_t result = 0;
        for (std::uint32_t rest = mask; rest != 0;) {
            const std::uint32_t lowest = rest & (~rest + 1);
            rest ^= lowest;
            if (encoding & lowest) result |= 1u << count_below(mask, lowest);
        }
        return result;
    }
    [[nodiscard]] static constexpr unsigned count_below(std::uint32_t mask, std::uint32_t bit) {
        std::uint32_t below = mask & (bit - 1);
        unsigned count = 0;
        for (; below != 0; below &= below - 1) ++count;
        return count;
    }
};

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// What the bytes of an output are, for a tolerance.
inline constexpr std::array<std::string_view, 8> kElementTypes = {
    "bytes", "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32"};

/// How far two outputs are apart.
struct OutputDifference {
    bool same_size = false;
    std::uint64_t elements = 0, beyond = 0;  ///< beyond: farther apart than the tolerance
    std::uint64_t first = 0;                 ///< number of the first of those
    double first_expected = 0, first_found = 0;
    double largest = 0;  ///< difference; infinite where one is no number
};

/// Compares element by element, little-endian. `type` is one of kElementTypes. Elements that are
/// the same bit by bit agree, whatever they are; one that is no number agrees with nothing else.
[[nodiscard]] OutputDifference compare_outputs(std::span<const std::uint8_t> expected,
                                               std::span<const std::uint8_t> found,
                                               std::string_view type, double tolerance);
[[nodiscard]] std::size_t element_bytes(std::string_view type);

/// Returns "all 40 within 1" or "3 of 40 farther apart than 1, at most by 7; element 4: 12".
[[nodiscard]] std::string difference_text(const OutputDifference& difference, double tolerance);

}  // namespace n6vp::sim

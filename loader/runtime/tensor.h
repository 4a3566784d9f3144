// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/runtime/machine.h"

namespace n6vp::runtime {

enum class Element : std::uint8_t {
    Other,
    Float,
    Fixed,  ///< fixed point with Qm and Qn; plain integers up to 16 bits are Qm = bits, Qn = 0
};

/// A tensor record (LL_Buffer_InfoTypeDef) read from memory: what the operators look at.
struct Tensor {
    static constexpr std::uint32_t kBytes = 56;  ///< of the record

    std::uint32_t start = 0, end = 0;  ///< of the contents
    std::uint32_t limit = 0;           ///< one past the last byte that may be read ahead, 0: none
    std::uint32_t batch = 0;           ///< channels stored together per pixel
    std::uint32_t shape = 0;           ///< address of the dimensions
    std::uint32_t scale = 0, zero_point = 0;  ///< addresses, 0: not quantised
    std::uint32_t rank = 0;
    std::uint32_t bits = 0;  ///< per element
    Element element = Element::Other;
    bool is_int8 = false, is_unsigned = false, per_channel = false;
    std::uint8_t type = 0;  ///< as stored
    std::int32_t qm = 0, qn = 0;

    Tensor() = default;
    explicit Tensor(std::uint32_t record);

    [[nodiscard]] std::uint32_t bytes() const { return end - start; }
    [[nodiscard]] std::uint32_t element_bytes() const { return (bits + 7) / 8; }
    [[nodiscard]] std::uint32_t dimension(std::uint32_t i) const {
        return load<std::uint32_t>(shape + 4 * i);
    }
    /// Returns dimension `i` of the last four, 1 for one that a smaller tensor has not.
    [[nodiscard]] std::uint32_t last(std::uint32_t i) const {
        return i + rank < 4 ? 1 : dimension(i + rank - 4);
    }
    [[nodiscard]] std::uint32_t product(std::uint32_t from, std::uint32_t to) const {
        std::uint32_t count = 1;
        for (std::uint32_t i = from; i < to; ++i) count *= dimension(i);
        return count;
    }
    [[nodiscard]] std::uint32_t elements() const { return product(0, rank); }
};

/// Positions in a shape: N, H, W, C.
inline constexpr std::uint32_t kN = 0, kH = 1, kW = 2, kC = 3;

}  // namespace n6vp::runtime

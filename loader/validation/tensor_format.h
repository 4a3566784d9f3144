// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::validation {

/// The elements of a tensor as its model declares them.
struct Element {
    std::uint32_t type = 0;   ///< number of DataType
    bool before_2_2 = false;  ///< numbers of Core 2.1: without types of 2 and 4 bits
    std::uint32_t bits = 8;
    bool is_unsigned = false;   ///< of fixed point (Qunsigned); other types have it in their number
    bool is_quantised = false;  ///< has a scale
    std::int32_t fraction = 0;  ///< bits behind the point, of fixed point (Qn)
};

/// Returns the protocol's word for it: sign, type, bits and fraction.
[[nodiscard]] std::uint32_t format_word(const Element& element);

}  // namespace n6vp::validation

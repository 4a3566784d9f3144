// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "models/core/ir/micro_op.h"
#include "models/core/isa/vector_integer/lanewise.h"

namespace n6vp::models::core::isa::vector_integer {

/// Handlers of the instructions that kernels spend their time in, on the widest vectors of this
/// host. They do what the portable handlers of the same instruction do.
struct SimdHandlers {
    using BySize = std::array<Handler, 3>;  ///< bytes, halfwords, words
    using ByType = std::array<Handler, 6>;  ///< signed, then unsigned

    BySize add, add_scalar, subtract, subtract_scalar, multiply, multiply_scalar;
    ByType maximum, minimum;
    ByType saturating_add, saturating_add_scalar, saturating_subtract, saturating_subtract_scalar;
    BySize doubling_high, doubling_high_scalar, rounding_doubling_high,
        rounding_doubling_high_scalar;
    BySize shift_left;
    ByType shift_right, rounding_shift_right;
    ByType shift_by, rounding_shift_by;  ///< by a vector
    Handler bit_and, bit_clear, bit_or, bit_or_not, bit_exclusive_or;
    // Into general registers: without and with what was there.
    std::array<ByType, 2> add_across, dot;
    std::array<std::array<Handler, 4>, 2> dot_long;  ///< of HalfwordsUp
    ByType maximum_across, minimum_across;
};

/// Returns the handlers for this host.
[[nodiscard]] const SimdHandlers& simd_handlers();

// For rows' `build`: like by_vector and by_scalar, with the handlers of a member of SimdHandlers.

template <auto kMember>
void simd_by_vector(Builder& builder, const Fields& fields) {
    emit_vectors(builder, fields, (simd_handlers().*kMember)[type_index(fields)]);
}

template <auto kMember>
void simd_by_scalar(Builder& builder, const Fields& fields) {
    emit_scalar(builder, fields, (simd_handlers().*kMember)[type_index(fields)]);
}

/// Of bitwise instructions, which have one handler.
template <auto kMember>
void simd_bitwise(Builder& builder, const Fields& fields) {
    emit_vectors(builder, fields, simd_handlers().*kMember);
}

}  // namespace n6vp::models::core::isa::vector_integer

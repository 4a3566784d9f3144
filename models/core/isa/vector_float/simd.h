// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "models/core/isa/vector_float/lanewise.h"

namespace n6vp::models::core::isa::vector_float {

/// Handlers of instructions on singles that kernels spend their time in, on the vector unit of this
/// host. They do what the portable handlers do: those get whatever could raise more than inexact.
struct SimdHandlers {
    Handler add, add_scalar, subtract, subtract_scalar, multiply, multiply_scalar;
    Handler fused_add, fused_add_scalar, fused_subtract, fused_add_to_scalar;
    Handler absolute_difference, maximum, minimum;
};

/// Returns the handlers for this host.
[[nodiscard]] const SimdHandlers& simd_handlers();

// For rows with a field h: like by_vector and by_scalar, singles with a member of SimdHandlers.

template <Handler SimdHandlers::*kMember, class Op>
void simd_by_vector(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         is_half(fields, 'h') ? kLanewise<Op, std::uint16_t, Source::Vector>
                              : simd_handlers().*kMember);
}
template <Handler SimdHandlers::*kMember, class Op>
void simd_by_scalar(Builder& builder, const Fields& fields) {
    emit(builder, fields,
         is_half(fields, 'h') ? kLanewise<Op, std::uint16_t, Source::Scalar>
                              : simd_handlers().*kMember);
}

}  // namespace n6vp::models::core::isa::vector_float

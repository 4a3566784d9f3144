// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/ir/builder.h"
#include "models/core/isa/row.h"

// Build functions of the rows in family.cpp. Field letters: d, n, m; precision is h (1 half), w
// (1 single) or z (1 half, 2 single).

namespace n6vp::models::core::isa::vector_float {

// arithmetic.cpp
void build_add(Builder& builder, const Fields& fields);
void build_add_scalar(Builder& builder, const Fields& fields);
void build_subtract(Builder& builder, const Fields& fields);
void build_subtract_scalar(Builder& builder, const Fields& fields);
void build_multiply(Builder& builder, const Fields& fields);
void build_multiply_scalar(Builder& builder, const Fields& fields);
void build_fused_add(Builder& builder, const Fields& fields);
void build_fused_add_scalar(Builder& builder, const Fields& fields);
void build_fused_subtract(Builder& builder, const Fields& fields);
/// VFMAS: the scalar is the addend.
void build_fused_add_to_scalar(Builder& builder, const Fields& fields);

// simple.cpp
void build_absolute_difference(Builder& builder, const Fields& fields);
void build_absolute(Builder& builder, const Fields& fields);
void build_negate(Builder& builder, const Fields& fields);
void build_maximum(Builder& builder, const Fields& fields);
void build_minimum(Builder& builder, const Fields& fields);
/// VMAXNMA and VMINNMA: of absolute values, destination with Qm.
void build_maximum_absolute(Builder& builder, const Fields& fields);
void build_minimum_absolute(Builder& builder, const Fields& fields);
/// VMAXNMV, VMINNMV and of absolute values, into general register a: fields A (not absolute) and
/// o (minimum).
void build_across(Builder& builder, const Fields& fields);

// complex.cpp; field r is the rotation.
void build_complex_add(Builder& builder, const Fields& fields);
void build_complex_multiply(Builder& builder, const Fields& fields);
void build_complex_multiply_add(Builder& builder, const Fields& fields);

// convert.cpp. U: unsigned integer; r: rounding of VCVTA, N, P, M or kind of VRINT.
void build_from_integer(Builder& builder, const Fields& fields);
void build_to_integer(Builder& builder, const Fields& fields);
void build_to_integer_rounding(Builder& builder, const Fields& fields);
template <bool kHalf>
void build_from_fixed(Builder& builder, const Fields& fields);
template <bool kHalf>
void build_to_fixed(Builder& builder, const Fields& fields);
/// Between half and single; T: the upper halves.
void build_narrow(Builder& builder, const Fields& fields);
void build_widen(Builder& builder, const Fields& fields);
void build_round(Builder& builder, const Fields& fields);

}  // namespace n6vp::models::core::isa::vector_float

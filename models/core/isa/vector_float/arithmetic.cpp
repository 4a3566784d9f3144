// SPDX-License-Identifier: Apache-2.0
// VADD, VSUB, VMUL, VFMA, VFMS, VFMAS.
#include "models/core/isa/vector_float/build.h"
#include "models/core/isa/vector_float/operations.h"
#include "models/core/isa/vector_float/simd.h"

namespace n6vp::models::core::isa::vector_float {

void build_add(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::add, Add>(builder, fields);
}
void build_add_scalar(Builder& builder, const Fields& fields) {
    simd_by_scalar<&SimdHandlers::add_scalar, Add>(builder, fields);
}
void build_subtract(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::subtract, Subtract>(builder, fields);
}
void build_subtract_scalar(Builder& builder, const Fields& fields) {
    simd_by_scalar<&SimdHandlers::subtract_scalar, Subtract>(builder, fields);
}
void build_multiply(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::multiply, Multiply>(builder, fields);
}
void build_multiply_scalar(Builder& builder, const Fields& fields) {
    simd_by_scalar<&SimdHandlers::multiply_scalar, Multiply>(builder, fields);
}
void build_fused_add(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::fused_add, FusedAdd>(builder, fields);
}
void build_fused_add_scalar(Builder& builder, const Fields& fields) {
    simd_by_scalar<&SimdHandlers::fused_add_scalar, FusedAdd>(builder, fields);
}
void build_fused_subtract(Builder& builder, const Fields& fields) {
    simd_by_vector<&SimdHandlers::fused_subtract, FusedSubtract>(builder, fields);
}
void build_fused_add_to_scalar(Builder& builder, const Fields& fields) {
    simd_by_scalar<&SimdHandlers::fused_add_to_scalar, FusedAddToScalar>(builder, fields);
}

}  // namespace n6vp::models::core::isa::vector_float

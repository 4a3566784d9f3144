// SPDX-License-Identifier: Apache-2.0
// VADD, VSUB, VMUL, VFMA, VFMS, VFMAS.
#include "models/core/isa/vector_float/build.h"
#include "models/core/isa/vector_float/hot.h"
#include "models/core/isa/vector_float/operations.h"

namespace n6vp::models::core::isa::vector_float {

void build_add(Builder& builder, const Fields& fields) {
    hot_by_vector<&HotHandlers::add, Add>(builder, fields);
}
void build_add_scalar(Builder& builder, const Fields& fields) {
    hot_by_scalar<&HotHandlers::add_scalar, Add>(builder, fields);
}
void build_subtract(Builder& builder, const Fields& fields) {
    hot_by_vector<&HotHandlers::subtract, Subtract>(builder, fields);
}
void build_subtract_scalar(Builder& builder, const Fields& fields) {
    hot_by_scalar<&HotHandlers::subtract_scalar, Subtract>(builder, fields);
}
void build_multiply(Builder& builder, const Fields& fields) {
    hot_by_vector<&HotHandlers::multiply, Multiply>(builder, fields);
}
void build_multiply_scalar(Builder& builder, const Fields& fields) {
    hot_by_scalar<&HotHandlers::multiply_scalar, Multiply>(builder, fields);
}
void build_fused_add(Builder& builder, const Fields& fields) {
    hot_by_vector<&HotHandlers::fused_add, FusedAdd>(builder, fields);
}
void build_fused_add_scalar(Builder& builder, const Fields& fields) {
    hot_by_scalar<&HotHandlers::fused_add_scalar, FusedAdd>(builder, fields);
}
void build_fused_subtract(Builder& builder, const Fields& fields) {
    hot_by_vector<&HotHandlers::fused_subtract, FusedSubtract>(builder, fields);
}
void build_fused_add_to_scalar(Builder& builder, const Fields& fields) {
    hot_by_scalar<&HotHandlers::fused_add_to_scalar, FusedAddToScalar>(builder, fields);
}

}  // namespace n6vp::models::core::isa::vector_float

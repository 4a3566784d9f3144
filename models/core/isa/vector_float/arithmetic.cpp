// SPDX-License-Identifier: Apache-2.0
// VADD, VSUB, VMUL, VFMA, VFMS, VFMAS.
#include "models/core/isa/vector_float/build.h"
#include "models/core/isa/vector_float/lanewise.h"

namespace n6vp::models::core::isa::vector_float {

namespace {

struct Add {
    template <class T>
    static T lane(T /*d*/, T n, T m, fp::Environment& environment) {
        return fp::add(n, m, environment);
    }
};
struct Subtract {
    template <class T>
    static T lane(T /*d*/, T n, T m, fp::Environment& environment) {
        return fp::subtract(n, m, environment);
    }
};
struct Multiply {
    template <class T>
    static T lane(T /*d*/, T n, T m, fp::Environment& environment) {
        return fp::multiply(n, m, environment);
    }
};
struct FusedAdd {
    template <class T>
    static T lane(T d, T n, T m, fp::Environment& environment) {
        return fp::multiply_add(d, n, m, environment);
    }
};
struct FusedSubtract {
    template <class T>
    static T lane(T d, T n, T m, fp::Environment& environment) {
        return fp::multiply_add(d, fp::negate(n), m, environment);
    }
};
struct FusedAddToScalar {
    template <class T>
    static T lane(T d, T n, T m, fp::Environment& environment) {
        return fp::multiply_add(m, d, n, environment);
    }
};

}  // namespace

void build_add(Builder& builder, const Fields& fields) {
    by_vector<Add, 'h'>(builder, fields);
}
void build_add_scalar(Builder& builder, const Fields& fields) {
    by_scalar<Add, 'h'>(builder, fields);
}
void build_subtract(Builder& builder, const Fields& fields) {
    by_vector<Subtract, 'h'>(builder, fields);
}
void build_subtract_scalar(Builder& builder, const Fields& fields) {
    by_scalar<Subtract, 'h'>(builder, fields);
}
void build_multiply(Builder& builder, const Fields& fields) {
    by_vector<Multiply, 'h'>(builder, fields);
}
void build_multiply_scalar(Builder& builder, const Fields& fields) {
    by_scalar<Multiply, 'h'>(builder, fields);
}
void build_fused_add(Builder& builder, const Fields& fields) {
    by_vector<FusedAdd, 'h'>(builder, fields);
}
void build_fused_add_scalar(Builder& builder, const Fields& fields) {
    by_scalar<FusedAdd, 'h'>(builder, fields);
}
void build_fused_subtract(Builder& builder, const Fields& fields) {
    by_vector<FusedSubtract, 'h'>(builder, fields);
}
void build_fused_add_to_scalar(Builder& builder, const Fields& fields) {
    by_scalar<FusedAddToScalar, 'h'>(builder, fields);
}

}  // namespace n6vp::models::core::isa::vector_float

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/float/soft_float.h"

// Lane operations that have a quick twin in simd.cpp: of old destination, first and second operand.

namespace n6vp::models::core::isa::vector_float {

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

struct AbsoluteDifference {
    template <class T>
    static T lane(T /*d*/, T n, T m, fp::Environment& environment) {
        return fp::absolute(fp::subtract(n, m, environment));
    }
};
struct Maximum {
    template <class T>
    static T lane(T /*d*/, T n, T m, fp::Environment& environment) {
        return fp::max_number(n, m, environment);
    }
};
struct Minimum {
    template <class T>
    static T lane(T /*d*/, T n, T m, fp::Environment& environment) {
        return fp::min_number(n, m, environment);
    }
};

}  // namespace n6vp::models::core::isa::vector_float

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/lanes.h"

// What the instructions do to one lane, where more than one file needs it.

namespace n6vp::models::core::isa::vector_integer {

// For the types Modular: results of this kind do not depend on the sign.

struct Add {
    template <class T>
    static T lane(T, T n, T m) {
        return wrap<T>(n + m);
    }
};

struct Subtract {
    template <class T>
    static T lane(T, T n, T m) {
        return wrap<T>(n - m);
    }
};

struct Multiply {
    template <class T>
    static T lane(T, T n, T m) {
        return wrap<T>(std::uint32_t{n} * m);
    }
};

struct And {
    template <class T>
    static T lane(T, T n, T m) {
        return n & m;
    }
};

struct AndNot {
    template <class T>
    static T lane(T, T n, T m) {
        return n & ~m;
    }
};

struct Or {
    template <class T>
    static T lane(T, T n, T m) {
        return n | m;
    }
};

struct OrNot {
    template <class T>
    static T lane(T, T n, T m) {
        return n | ~m;
    }
};

struct ExclusiveOr {
    template <class T>
    static T lane(T, T n, T m) {
        return n ^ m;
    }
};

// For the types Both.

struct Maximum {
    template <class T>
    static T lane(T, T n, T m) {
        return n > m ? n : m;
    }
};

struct Minimum {
    template <class T>
    static T lane(T, T n, T m) {
        return n < m ? n : m;
    }
};

struct SaturatingAdd {
    template <class T>
    static Saturated<T> lane(T, T n, T m) {
        return saturate<T>(wrap<Exact<T>>(Exact<T>{n} + m));
    }
};

struct SaturatingSubtract {
    template <class T>
    static Saturated<T> lane(T, T n, T m) {
        return saturate<T>(wrap<Exact<T>>(Exact<T>{n} - m));
    }
};

// For the types Signed.

/// The high half of twice the product; `kRounding` adds half a unit of the result.
template <bool kRounding>
struct DoublingMultiplyHigh {
    template <class T>
    static Saturated<T> lane(T, T n, T m) {
        constexpr Exact<T> kHalf = kRounding ? Exact<T>{1} << (kBits<T> - 2) : 0;
        return saturate<T>(wrap<Exact<T>>((Exact<T>{n} * m + kHalf) >> (kBits<T> - 1)));
    }
};

// Shifts by an amount known when the instruction is decoded: of old destination, operand, amount.

/// For the types Modular; 0 to all but one bit.
struct ShiftLeft {
    template <class T>
    static T lane(T, T m, unsigned amount) {
        return wrap<T>(std::uint32_t{m} << amount);
    }
};

/// For the types Both; 1 to all bits.
template <bool kRounding>
struct ShiftRight {
    template <class T>
    static T lane(T, T m, unsigned amount) {
        const Wide<T> rounded = kRounding ? wrap<Wide<T>>(m + (Wide<T>{1} << (amount - 1))) : m;
        return wrap<T>(rounded >> amount);
    }
};

}  // namespace n6vp::models::core::isa::vector_integer

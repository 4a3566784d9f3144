// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "models/core/float/soft_float.h"
#include "models/core/float/unpacked.h"

namespace n6vp::models::core::fp {

namespace {

/// Returns `value`, or the zero that it counts as.
template <class T>
T flushed(T value, const Unpacked& unpacked) {
    return unpacked.is(Kind::Zero) ? zero<T>(unpacked.negative) : value;
}

/// Orders two values that are not NaN: bit patterns of one sign are in the order of magnitudes.
template <class T>
Ordering order(T a, T b) {
    const bool a_negative = (a & Format<T>::kSign) != 0, b_negative = (b & Format<T>::kSign) != 0;
    if (a == b || static_cast<T>((a | b) << 1) == 0) return Ordering::Equal;
    if (a_negative != b_negative) return a_negative ? Ordering::Less : Ordering::Greater;
    return (a < b) != a_negative ? Ordering::Less : Ordering::Greater;
}

template <class T>
T select_number(T a, T b, bool maximum, Environment& environment) {
    const Unpacked x = unpack(a, environment), y = unpack(b, environment);
    a = flushed(a, x);
    b = flushed(b, y);
    if (x.is(Kind::QuietNan) && !y.is_nan()) return b;
    if (y.is(Kind::QuietNan) && !x.is_nan()) return a;
    if (x.is_nan() || y.is_nan()) return propagate_nans(a, b, environment);
    const Ordering ordering = order(a, b);
    // Zeros are equal but for their signs: the maximum is +0 if one of them is.
    if (ordering == Ordering::Equal) return static_cast<T>(maximum ? a & b : a | b);
    return (ordering == Ordering::Greater) == maximum ? a : b;
}

}  // namespace

template <class T>
Ordering compare(T a, T b, bool signal_quiet, Environment& environment) {
    const Unpacked x = unpack(a, environment), y = unpack(b, environment);
    if (x.is_nan() || y.is_nan()) {
        if (signal_quiet || is_signaling(a) || is_signaling(b))
            environment.flags |= raised::kInvalid;
        return Ordering::Unordered;
    }
    return order(flushed(a, x), flushed(b, y));
}

template <class T>
T max_number(T a, T b, Environment& environment) {
    return select_number(a, b, true, environment);
}

template <class T>
T min_number(T a, T b, Environment& environment) {
    return select_number(a, b, false, environment);
}

#define N6VP_INSTANTIATE(T)                              \
    template Ordering compare(T, T, bool, Environment&); \
    template T max_number(T, T, Environment&);           \
    template T min_number(T, T, Environment&)
N6VP_INSTANTIATE(std::uint16_t);
N6VP_INSTANTIATE(std::uint32_t);
N6VP_INSTANTIATE(std::uint64_t);

}  // namespace n6vp::models::core::fp

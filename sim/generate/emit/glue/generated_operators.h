// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_GENERATED_OPERATORS_H
#define N6VP_GENERATED_OPERATORS_H

/// Operators of int8 that the core computes, bit by bit as quantised networks define them.

#include "generated_model.h"

/// significand * 2^(exponent - 31)
struct gen_multiplier {
    int32_t significand, exponent;
};

static inline int32_t gen_cut(int64_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : (int32_t)value;
}

/// Rounds at the product (halves upwards) and again at the shift (halves away from zero).
static inline int32_t gen_multiply(int32_t value, struct gen_multiplier by) {
    const int32_t left = by.exponent > 0 ? by.exponent : 0;
    const int32_t right = by.exponent < 0 ? -by.exponent : 0;
    const int64_t wide = (int64_t)value * ((int64_t)1 << left);
    const int64_t product = (int64_t)gen_cut(wide, INT32_MIN, INT32_MAX) * by.significand;
    const int64_t high = (product + ((int64_t)1 << 30)) >> 31;
    const int64_t mask = ((int64_t)1 << right) - 1;
    const int64_t threshold = (mask >> 1) + (high < 0 ? 1 : 0);
    return (int32_t)((high >> right) + ((high & mask) > threshold ? 1 : 0));
}

static inline void gen_lookup(const int8_t* in, int8_t* out, uint32_t elements,
                              const uint8_t* table) {
    for (uint32_t i = 0; i < elements; ++i) out[i] = (int8_t)table[(uint8_t)in[i]];
}

/// Two operands of which one may repeat: `steps` are elements from one index to the next, or 0.
struct gen_operand {
    int32_t zero;
    struct gen_multiplier by;
    uint32_t steps[4];
};
struct gen_pair {
    struct gen_operand x, y;
    uint32_t lengths[4];
    struct gen_multiplier by;
    int32_t zero, low, high, subtract;
};
typedef int32_t gen_pair_function(int32_t x, int32_t y, const struct gen_pair* pair);

static inline __attribute__((always_inline)) void gen_pairs(const int8_t* x, const int8_t* y,
                                                            int8_t* out,
                                                            const struct gen_pair* pair,
                                                            gen_pair_function* function) {
    const uint32_t* const n = pair->lengths;
    const uint32_t* const a = pair->x.steps;
    const uint32_t* const b = pair->y.steps;
    for (uint32_t i = 0; i < n[0]; ++i) {
        for (uint32_t j = 0; j < n[1]; ++j) {
            for (uint32_t k = 0; k < n[2]; ++k) {
                const int8_t* from_x = x + i * a[0] + j * a[1] + k * a[2];
                const int8_t* from_y = y + i * b[0] + j * b[1] + k * b[2];
                for (uint32_t l = 0; l < n[3]; ++l, from_x += a[3], from_y += b[3]) {
                    const int32_t result =
                        function(*from_x - pair->x.zero, *from_y - pair->y.zero, pair);
                    *out++ = (int8_t)gen_cut((int64_t)result + pair->zero, pair->low, pair->high);
                }
            }
        }
    }
}

static inline __attribute__((always_inline)) int32_t gen_one_sum(int32_t x, int32_t y,
                                                                 const struct gen_pair* pair) {
    enum { kMore = 1 << 20 };
    const int32_t a = gen_multiply(x * kMore, pair->x.by);
    const int32_t b = gen_multiply(y * kMore, pair->y.by);
    return gen_multiply(pair->subtract ? a - b : a + b, pair->by);
}
static inline void gen_sum(const int8_t* x, const int8_t* y, int8_t* out,
                           const struct gen_pair* pair) {
    gen_pairs(x, y, out, pair, gen_one_sum);
}

static inline __attribute__((always_inline)) int32_t gen_one_product(int32_t x, int32_t y,
                                                                     const struct gen_pair* pair) {
    return gen_multiply(x * y, pair->by);
}
static inline void gen_product(const int8_t* x, const int8_t* y, int8_t* out,
                               const struct gen_pair* pair) {
    gen_pairs(x, y, out, pair, gen_one_product);
}

/// Pixels of `bytes` from the places that the tables give: offsets of lines, and of pixels in one.
static inline void gen_pixels(const int8_t* in, int8_t* out, const uint32_t* lines,
                              uint32_t line_count, const uint32_t* columns, uint32_t column_count,
                              uint32_t bytes) {
    for (uint32_t y = 0; y < line_count; ++y) {
        for (uint32_t x = 0; x < column_count; ++x) {
            const int8_t* const pixel = in + lines[y] + columns[x];
            for (uint32_t i = 0; i < bytes; ++i) *out++ = pixel[i];
        }
    }
}

#endif  // N6VP_GENERATED_OPERATORS_H

// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_KERNEL_INNER_H
#define N6VP_KERNEL_INNER_H

#include <arm_acle.h>
#include <stdbool.h>

#include "kernels.h"

/// What the operators share: rounding, and inner products with the DSP extension.
///
/// Expanded inputs. Four bytes a, b, c, d become two words of 16-bit numbers,
///     odd  = (b - 127, d - 127)
///     even = (256 a - (b - 127), 256 c - (d - 127)),
/// and the weights p, q, r, s the word with the 16-bit numbers (256 q + p, 256 s + r). Then
///     (256 q + p)(b - 127) + p (256 a - (b - 127)) = 256 (p a + q (b - 127)),
/// so that one extraction of bytes serves four weights. The 127s are part of the bias; they keep
/// `even` within 16 bits. Sums are exact as long as their 256-fold fits 32 bits: `segment`.

#define KERNEL_INLINE static inline __attribute__((always_inline))

/// Returns (a * b + c * 2^32) / 2^32, rounded downwards.
KERNEL_INLINE int32_t kernel_high_product(int32_t a, int32_t b, int32_t c) {
    int32_t result;
    __asm__("smmla %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

/// Bytes 0 and 2, or 1 and 3, as two 16-bit numbers.
KERNEL_INLINE uint32_t kernel_even_bytes(uint32_t bytes) {
    uint32_t result;
    __asm__("sxtb16 %0, %1" : "=r"(result) : "r"(bytes));
    return result;
}
KERNEL_INLINE uint32_t kernel_odd_bytes(uint32_t bytes) {
    uint32_t result;
    __asm__("sxtb16 %0, %1, ror #8" : "=r"(result) : "r"(bytes));
    return result;
}
/// The lower halves of two words, or the upper ones; the first below.
KERNEL_INLINE uint32_t kernel_lower_halves(uint32_t first, uint32_t second) {
    uint32_t result;
    __asm__("pkhbt %0, %1, %2, lsl #16" : "=r"(result) : "r"(first), "r"(second));
    return result;
}
KERNEL_INLINE uint32_t kernel_upper_halves(uint32_t first, uint32_t second) {
    uint32_t result;
    __asm__("pkhtb %0, %1, %2, asr #16" : "=r"(result) : "r"(second), "r"(first));
    return result;
}

KERNEL_INLINE int32_t kernel_clamp(int32_t value, int32_t low, int32_t high) {
    value = value < low ? low : value;
    return value > high ? high : value;
}

KERNEL_INLINE int32_t kernel_exact(int32_t sum, const struct kernel_scale* scale) {
    const int64_t half = (int64_t)1 << (scale->shift - 1);
    const int64_t result = ((int64_t)sum * scale->significand + half) >> scale->shift;
    return result < INT32_MIN / 2   ? INT32_MIN / 2
           : result > INT32_MAX / 2 ? INT32_MAX / 2
                                    : (int32_t)result;
}

/// What sums are multiplied by before a bias is added.
KERNEL_INLINE int32_t kernel_sum_factor(const struct kernel_finish* finish) {
    return (finish->flags & KERNEL_EXACT) != 0 ? 1 : 8;
}

/// From a multiplied sum with its bias to a stored number.
KERNEL_INLINE int32_t kernel_rescale(int32_t sum, const struct kernel_scale* scale,
                                     const struct kernel_finish* finish) {
    if (finish->flags == 0) {
        return __ssat(kernel_high_product(sum, scale->significand, scale->offset) >> scale->shift,
                      8);
    }
    const int32_t value =
        (finish->flags & KERNEL_EXACT) != 0
            ? kernel_exact(sum, scale) + finish->zero
            : kernel_high_product(sum, scale->significand, scale->offset) >> scale->shift;
    return kernel_clamp(value, finish->low, finish->high);
}

/// Returns value * factor, rounded at 2^-31 of the significand (halves upwards) and at the shift
/// (halves away from zero). |value| * 2^exponent is below 2^30.
KERNEL_INLINE int32_t kernel_multiply(int32_t value, const struct kernel_factor* factor) {
    const int32_t left = factor->exponent > 0 ? factor->exponent : 0;
    const int32_t right = factor->exponent < 0 ? -factor->exponent : 0;
    const int64_t product = (int64_t)(value << left) * factor->significand;
    const int32_t high = (int32_t)((product + (1 << 30)) >> 31);
    if (right == 0) return high;
    return (high + (1 << (right - 1)) - (high < 0)) >> right;
}

KERNEL_INLINE uint32_t kernel_word(const int8_t* from) {
    uint32_t word;
    __builtin_memcpy(&word, from, sizeof word);
    return word;
}

/// Writes the two words of one group.
KERNEL_INLINE void kernel_expand_word(uint32_t bytes, uint32_t* to) {
    const uint32_t odd = (uint32_t)__ssub16((int16x2_t)kernel_odd_bytes(bytes), 0x007F007F);
    to[0] = (uint32_t)__ssub16((int16x2_t)(bytes << 8 & 0xFF00FF00), (int16x2_t)odd);
    to[1] = odd;
}

/// Returns up to three bytes as a word.
KERNEL_INLINE uint32_t kernel_rest(const int8_t* from, uint32_t count) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < count; ++i) word |= (uint32_t)(uint8_t)from[i] << 8 * i;
    return word;
}

/// Two groups at a time, `pairs` times.
KERNEL_INLINE void kernel_expand_pairs(const int8_t** from, uint32_t** to, uint32_t pairs,
                                       const uint32_t step) {
    uint32_t a, b, c, d;
    __asm__ volatile(
        "1:\n\t"
        "ldr %[a], [%[from]], #4\n\t"
        "ldr %[b], [%[from]], #4\n\t"
        "sxtb16 %[c], %[a], ror #8\n\t"
        "sxtb16 %[d], %[b], ror #8\n\t"
        "lsl %[a], %[a], #8\n\t"
        "lsl %[b], %[b], #8\n\t"
        "ssub16 %[c], %[c], %[less]\n\t"
        "ssub16 %[d], %[d], %[less]\n\t"
        "and %[a], %[a], #0xFF00FF00\n\t"
        "and %[b], %[b], #0xFF00FF00\n\t"
        "ssub16 %[a], %[a], %[c]\n\t"
        "ssub16 %[b], %[b], %[d]\n\t"
        "str %[a], [%[to]]\n\t"
        "str %[c], [%[to], #4]\n\t"
        "str %[b], [%[to], %[step]]\n\t"
        "str %[d], [%[to], %[step_4]]\n\t"
        "add %[to], %[to], %[step_2]\n\t"
        "subs %[pairs], %[pairs], #1\n\t"
        "bne 1b\n\t"
        : [from] "+r"(*from), [to] "+r"(*to), [pairs] "+r"(pairs), [a] "=&r"(a), [b] "=&r"(b),
          [c] "=&r"(c), [d] "=&r"(d)
        : [less] "r"(0x007F007F), [step] "i"(step * 4), [step_4] "i"(step * 4 + 4),
          [step_2] "i"(step * 8)
        : "cc", "memory");
}

/// Expands `count` bytes to groups `step` words apart, which is constant; returns the next group's
/// place.
KERNEL_INLINE uint32_t* kernel_expand(const int8_t* from, uint32_t count, uint32_t* to,
                                      const uint32_t step) {
    if (count >= 8) kernel_expand_pairs(&from, &to, count >> 3, step);
    count &= 7;
    if (count >= 4) {
        kernel_expand_word(kernel_word(from), to);
        from += 4;
        to += step;
        count -= 4;
    }
    if (count != 0) {
        kernel_expand_word(kernel_rest(from, count), to);
        to += step;
    }
    return to;
}

/// One group of two channels and two pixels, grouped loads: later loads of a series take one cycle.
#define KERNEL_GROUP_2X2(weights_at, inputs_at) \
    "ldr %[w0], [%[w], #" #weights_at           \
    "]\n\t"                                     \
    "ldr %[w1], [%[w], #" #weights_at           \
    "+4]\n\t"                                   \
    "ldr %[a0], [%[x], #" #inputs_at            \
    "]\n\t"                                     \
    "ldr %[a1], [%[x], #" #inputs_at            \
    "+4]\n\t"                                   \
    "ldr %[b0], [%[x], #" #inputs_at            \
    "+8]\n\t"                                   \
    "ldr %[b1], [%[x], #" #inputs_at            \
    "+12]\n\t"                                  \
    "smlad %[c00], %[w0], %[a1], %[c00]\n\t"    \
    "smlad %[c01], %[w0], %[b1], %[c01]\n\t"    \
    "smlad %[c10], %[w1], %[a1], %[c10]\n\t"    \
    "smlad %[c11], %[w1], %[b1], %[c11]\n\t"    \
    "sxtb16 %[w0], %[w0]\n\t"                   \
    "sxtb16 %[w1], %[w1]\n\t"                   \
    "smlad %[c00], %[w0], %[a0], %[c00]\n\t"    \
    "smlad %[c01], %[w0], %[b0], %[c01]\n\t"    \
    "smlad %[c10], %[w1], %[a0], %[c10]\n\t"    \
    "smlad %[c11], %[w1], %[b0], %[c11]\n\t"

/// Sums of two channels and two pixels: [channel][pixel], 256-fold.
struct kernel_sums {
    int32_t c00, c01, c10, c11;
};

KERNEL_INLINE struct kernel_sums kernel_dot_2x2(const uint8_t* w, const uint32_t* x,
                                                uint32_t groups) {
    struct kernel_sums sums = {0, 0, 0, 0};
    uint32_t count = groups >> 2, rest = groups & 3;
    uint32_t w0, w1, a0, a1, b0, b1;
    if (count != 0) {
        __asm__ volatile(
            "1:\n\t"                                                                 //
            KERNEL_GROUP_2X2(0, 0) KERNEL_GROUP_2X2(8, 16) KERNEL_GROUP_2X2(16, 32)  //
            KERNEL_GROUP_2X2(24, 48)                                                 //
            "subs %[n], #1\n\t"
            "add %[w], #32\n\t"
            "add %[x], #64\n\t"
            "bne 1b\n\t"
            : [c00] "+r"(sums.c00), [c01] "+r"(sums.c01), [c10] "+r"(sums.c10),
              [c11] "+r"(sums.c11), [w] "+r"(w), [x] "+r"(x), [n] "+r"(count), [w0] "=&r"(w0),
              [w1] "=&r"(w1), [a0] "=&r"(a0), [a1] "=&r"(a1), [b0] "=&r"(b0), [b1] "=&r"(b1)
            :
            : "cc", "memory");
    }
    for (; rest != 0; --rest, w += 8, x += 4) {
        __asm__ volatile(KERNEL_GROUP_2X2(0, 0)
                         : [c00] "+r"(sums.c00), [c01] "+r"(sums.c01), [c10] "+r"(sums.c10),
                           [c11] "+r"(sums.c11), [w0] "=&r"(w0), [w1] "=&r"(w1), [a0] "=&r"(a0),
                           [a1] "=&r"(a1), [b0] "=&r"(b0), [b1] "=&r"(b1)
                         : [w] "r"(w), [x] "r"(x)
                         : "memory");
    }
    return sums;
}

#define KERNEL_GROUP_4X1(weights_at, inputs_at) \
    "ldr %[w0], [%[w], #" #weights_at           \
    "]\n\t"                                     \
    "ldr %[w1], [%[w], #" #weights_at           \
    "+4]\n\t"                                   \
    "ldr %[w2], [%[w], #" #weights_at           \
    "+8]\n\t"                                   \
    "ldr %[w3], [%[w], #" #weights_at           \
    "+12]\n\t"                                  \
    "ldr %[a0], [%[x], #" #inputs_at            \
    "]\n\t"                                     \
    "ldr %[a1], [%[x], #" #inputs_at            \
    "+4]\n\t"                                   \
    "smlad %[c0], %[w0], %[a1], %[c0]\n\t"      \
    "smlad %[c1], %[w1], %[a1], %[c1]\n\t"      \
    "smlad %[c2], %[w2], %[a1], %[c2]\n\t"      \
    "smlad %[c3], %[w3], %[a1], %[c3]\n\t"      \
    "sxtb16 %[w0], %[w0]\n\t"                   \
    "sxtb16 %[w1], %[w1]\n\t"                   \
    "sxtb16 %[w2], %[w2]\n\t"                   \
    "sxtb16 %[w3], %[w3]\n\t"                   \
    "smlad %[c0], %[w0], %[a0], %[c0]\n\t"      \
    "smlad %[c1], %[w1], %[a0], %[c1]\n\t"      \
    "smlad %[c2], %[w2], %[a0], %[c2]\n\t"      \
    "smlad %[c3], %[w3], %[a0], %[c3]\n\t"

/// Sums of four channels and one input row, 256-fold.
KERNEL_INLINE struct kernel_sums kernel_dot_4x1(const uint8_t* w, const uint32_t* x,
                                                uint32_t groups) {
    struct kernel_sums sums = {0, 0, 0, 0};
    uint32_t count = groups >> 2, rest = groups & 3;
    uint32_t w0, w1, w2, w3, a0, a1;
    if (count != 0) {
        __asm__ volatile(
            "1:\n\t"                                                                 //
            KERNEL_GROUP_4X1(0, 0) KERNEL_GROUP_4X1(16, 8) KERNEL_GROUP_4X1(32, 16)  //
            KERNEL_GROUP_4X1(48, 24)                                                 //
            "subs %[n], #1\n\t"
            "add %[w], #64\n\t"
            "add %[x], #32\n\t"
            "bne 1b\n\t"
            : [c0] "+r"(sums.c00), [c1] "+r"(sums.c01), [c2] "+r"(sums.c10), [c3] "+r"(sums.c11),
              [w] "+r"(w), [x] "+r"(x), [n] "+r"(count), [w0] "=&r"(w0), [w1] "=&r"(w1),
              [w2] "=&r"(w2), [w3] "=&r"(w3), [a0] "=&r"(a0), [a1] "=&r"(a1)
            :
            : "cc", "memory");
    }
    for (; rest != 0; --rest, w += 16, x += 2) {
        __asm__ volatile(KERNEL_GROUP_4X1(0, 0)
                         : [c0] "+r"(sums.c00), [c1] "+r"(sums.c01), [c2] "+r"(sums.c10),
                           [c3] "+r"(sums.c11), [w0] "=&r"(w0), [w1] "=&r"(w1), [w2] "=&r"(w2),
                           [w3] "=&r"(w3), [a0] "=&r"(a0), [a1] "=&r"(a1)
                         : [w] "r"(w), [x] "r"(x)
                         : "memory");
    }
    return sums;
}

#endif

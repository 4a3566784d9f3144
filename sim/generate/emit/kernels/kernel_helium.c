// SPDX-License-Identifier: Apache-2.0
#include "kernel_inner.h"

/// Convolutions and fully connected layers with vectors of 16 bytes, instead of those of
/// kernel_convolution.c. Weights are rows of bytes, each a multiple of 16 long and filled with
/// zeros; a pixel of the scratch memory is such a row as well, whatever its last bytes are.

#if defined(__ARM_FEATURE_MVE)

#include <arm_mve.h>

enum { kVector = 16 };

static int8_t* copy(int8_t* to, const int8_t* from, int32_t count) {
    for (int32_t left = count; left > 0; left -= kVector, from += kVector) {
        const mve_pred16_t some = vctp8q((uint32_t)left);
        vst1q_p_s8(to + (count - left), vld1q_z_s8(from, some), some);
    }
    return to + count;
}
static int8_t* set(int8_t* to, int32_t value, int32_t count) {
    const int8x16_t vector = vdupq_n_s8((int8_t)value);
    for (int32_t left = count; left > 0; left -= kVector)
        vst1q_p_s8(to + (count - left), vector, vctp8q((uint32_t)left));
    return count > 0 ? to + count : to;
}

static void gather(const struct kernel_convolution* layer, const int8_t* in, int32_t y, int32_t x,
                   int8_t* to) {
    const struct kernel_window* const window = &layer->window;
    const int32_t channels = window->channels;
    const int32_t left = x * window->stride_width - window->pad_left;
    int32_t first = left < 0 ? -left : 0, last = window->width;
    if (left + window->width > window->in_width) last = window->in_width - left;
    if (last < 0) last = 0;
    if (first > last) first = last;
    int32_t line = y * window->stride_height - window->pad_top;
    for (int32_t i = 0; i < window->height; ++i, ++line) {
        if (line < 0 || line >= window->in_height) {
            to = set(to, layer->input_zero, window->width * channels);
            continue;
        }
        to = set(to, layer->input_zero, first * channels);
        to = copy(to, in + (line * window->in_width + left + first) * channels,
                  (last - first) * channels);
        to = set(to, layer->input_zero, (window->width - last) * channels);
    }
}

/// Inner products of two rows of weights with two rows of inputs: [weights][inputs].
KERNEL_INLINE struct kernel_sums dot_2x2(const int8_t* w, const int8_t* x, uint32_t taps) {
    struct kernel_sums sums = {0, 0, 0, 0};
    for (uint32_t at = 0; at < taps; at += kVector) {
        const int8x16_t a = vld1q_s8(w + at), b = vld1q_s8(w + taps + at);
        const int8x16_t p = vld1q_s8(x + at), q = vld1q_s8(x + taps + at);
        sums.c00 = vmladavaq_s8(sums.c00, a, p);
        sums.c01 = vmladavaq_s8(sums.c01, a, q);
        sums.c10 = vmladavaq_s8(sums.c10, b, p);
        sums.c11 = vmladavaq_s8(sums.c11, b, q);
    }
    return sums;
}

static int8_t stored(int32_t sum, const struct kernel_scale* scale,
                     const struct kernel_finish* finish) {
    return (int8_t)kernel_rescale(sum * kernel_sum_factor(finish) + scale->bias, scale, finish);
}

/// Two kernels, or the last one alone, with `count` pixels.
static void multiply_pair(const struct kernel_convolution* layer, const int8_t* rows, int32_t count,
                          const int8_t* weights, const struct kernel_scale* scales, bool second,
                          int8_t* out) {
    const int32_t pitch = layer->out_channels;
    for (int32_t i = 0; i < count; i += 2, rows += 2 * layer->taps, out += 2 * pitch) {
        const struct kernel_sums sums = dot_2x2(weights, rows, layer->taps);
        out[0] = stored(sums.c00, &scales[0], &layer->finish);
        if (second) out[1] = stored(sums.c10, &scales[1], &layer->finish);
        if (i + 1 == count) break;
        out[pitch] = stored(sums.c01, &scales[0], &layer->finish);
        if (second) out[pitch + 1] = stored(sums.c11, &scales[1], &layer->finish);
    }
}

void kernel_convolution(const struct kernel_convolution* layer, const int8_t* in, int8_t* out,
                        const uint8_t* weights, void* scratch) {
    const struct kernel_window* const window = &layer->window;
    const int32_t pixels = window->out_height * window->out_width;
    const int32_t channels = layer->out_channels, tile = (int32_t)layer->tile;
    int32_t y = 0, x = 0;
    for (int32_t first = 0; first < pixels; first += tile) {
        const int32_t count = pixels - first < tile ? pixels - first : tile;
        for (int32_t i = 0; i < count; ++i) {
            gather(layer, in, y, x, (int8_t*)scratch + (uint32_t)i * layer->taps);
            if (++x == window->out_width) x = 0, ++y;
        }
        const struct kernel_scale* scales =
            (const struct kernel_scale*)(weights + layer->finish.scales);
        const int8_t* w = (const int8_t*)weights;
        for (int32_t k = 0; k < channels; k += 2, w += 2 * layer->taps, scales += 2) {
            multiply_pair(layer, scratch, count, w, scales, k + 1 < channels,
                          out + first * channels + k);
        }
    }
}

void kernel_dense(const struct kernel_dense* layer, const int8_t* in, int8_t* out,
                  const uint8_t* weights, void* scratch) {
    const struct kernel_scale* scales =
        (const struct kernel_scale*)(weights + layer->finish.scales);
    const int8_t* w = (const int8_t*)weights;
    copy(scratch, in, (int32_t)layer->inputs);
    for (int32_t k = 0; k < layer->outputs; k += 4, scales += 4, w += 4 * layer->taps) {
        int32_t sums[4] = {0, 0, 0, 0};
        for (uint32_t at = 0; at < layer->taps; at += kVector) {
            const int8x16_t x = vld1q_s8((const int8_t*)scratch + at);
            sums[0] = vmladavaq_s8(sums[0], vld1q_s8(w + at), x);
            sums[1] = vmladavaq_s8(sums[1], vld1q_s8(w + layer->taps + at), x);
            sums[2] = vmladavaq_s8(sums[2], vld1q_s8(w + 2 * layer->taps + at), x);
            sums[3] = vmladavaq_s8(sums[3], vld1q_s8(w + 3 * layer->taps + at), x);
        }
        for (int32_t i = 0; i < 4 && k + i < layer->outputs; ++i)
            out[k + i] = stored(sums[i], &scales[i], &layer->finish);
    }
}

#endif

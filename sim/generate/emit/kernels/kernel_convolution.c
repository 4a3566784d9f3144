// SPDX-License-Identifier: Apache-2.0
#include "kernel_blocks.h"
#include "kernel_inner.h"

/// Convolutions: a tile of pixels is expanded, then multiplied by all kernels, two pixels and two
/// kernels at a time. Weights are so read once per tile.

#if !defined(__ARM_FEATURE_MVE)  // else: kernel_helium.c

/// Expanded pixels: groups of the first and the second of a pair alternate.
enum { kPairStep = 4, kPixelWords = 2 };

static uint32_t* fill(uint32_t* to, int32_t bytes, int32_t zero) {
    uint32_t words[2];
    kernel_expand_word((uint32_t)(uint8_t)zero * 0x01010101u, words);
    for (; bytes > 0; bytes -= 4, to += kPairStep) {
        to[0] = words[0];
        to[1] = words[1];
    }
    return to;
}

/// Part of a window that is inside, along one direction.
struct reach {
    int32_t origin, first, last;
};
static struct reach reach_of(int32_t origin, int32_t window, int32_t length) {
    struct reach reach = {origin, origin < 0 ? -origin : 0, window};
    if (origin + window > length) reach.last = length - origin;
    if (reach.last < 0) reach.last = 0;
    if (reach.first > reach.last) reach.first = reach.last;
    return reach;
}

/// Lines of whole groups: channels are a multiple of four.
static void gather_groups(const struct kernel_convolution* layer, const int8_t* in, int32_t y,
                          int32_t x, uint32_t* to) {
    const struct kernel_window* const window = &layer->window;
    const int32_t channels = window->channels;
    const struct reach columns =
        reach_of(x * window->stride_width - window->pad_left, window->width, window->in_width);
    int32_t line = y * window->stride_height - window->pad_top;
    for (int32_t i = 0; i < window->height; ++i, ++line) {
        if (line < 0 || line >= window->in_height) {
            to = fill(to, window->width * channels, layer->input_zero);
            continue;
        }
        to = fill(to, columns.first * channels, layer->input_zero);
        const int32_t at = line * window->in_width + columns.origin + columns.first;
        to = kernel_expand(in + at * channels,
                           (uint32_t)((columns.last - columns.first) * channels), to, kPairStep);
        to = fill(to, (window->width - columns.last) * channels, layer->input_zero);
    }
}

KERNEL_INLINE int8_t* copy(int8_t* to, const int8_t* from, int32_t count) {
    for (; count >= 4; count -= 4, to += 4, from += 4) __builtin_memcpy(to, from, 4);
    for (; count > 0; --count) *to++ = *from++;
    return to;
}
/// The same in whole words: up to kAhead bytes more, which both sides have.
enum { kAhead = 3 };
KERNEL_INLINE int8_t* copy_ahead(int8_t* to, const int8_t* from, int32_t count) {
    int8_t* const end = to + count;
    for (; count > 4; count -= 8, to += 8, from += 8) __builtin_memcpy(to, from, 8);
    if (count > 0) __builtin_memcpy(to, from, 4);
    return end;
}
static int8_t* set(int8_t* to, int32_t value, int32_t count) {
    for (; count > 0; --count) *to++ = (int8_t)value;
    return to;
}

/// Expands bytes in a row up to `end`, which is up to three bytes before that of the row's memory:
/// taps beyond the window have weights of zero.
static void expand_row(int8_t* bytes, int8_t* end, uint32_t* to) {
    while ((end - bytes) % 4 != 0) *end++ = 0;
    kernel_expand(bytes, (uint32_t)(end - bytes), to, kPairStep);
}

/// Lines of a window that is inside across, each of whole groups.
static void gather_inside(const struct kernel_convolution* layer, const int8_t* in, int32_t y,
                          int32_t x, uint32_t* to) {
    const struct kernel_window* const window = &layer->window;
    const int32_t bytes = window->width * window->channels;
    const int32_t pitch = window->in_width * window->channels;
    int32_t line = y * window->stride_height - window->pad_top;
    const int8_t* from =
        in + line * pitch + (x * window->stride_width - window->pad_left) * window->channels;
    for (int32_t i = 0; i < window->height; ++i, ++line, from += pitch) {
        if (line < 0 || line >= window->in_height)
            to = fill(to, bytes, layer->input_zero);
        else
            to = kernel_expand(from, (uint32_t)bytes, to, kPairStep);
    }
}

/// Three lines of nine bytes, as the first layer of a network for RGB pictures has them, without a
/// place between.
static void gather_nines(const int8_t* from, int32_t pitch, uint32_t* to) {
    const int8_t* const second = from + pitch;
    const int8_t* const third = second + pitch;
    const uint32_t a = (uint8_t)from[8];
    const uint32_t b0 = kernel_word(second), b1 = kernel_word(second + 4), b2 = (uint8_t)second[8];
    const uint32_t c0 = kernel_word(third), c1 = kernel_word(third + 4), c2 = (uint8_t)third[8];
    kernel_expand_word(kernel_word(from), to);
    kernel_expand_word(kernel_word(from + 4), to + kPairStep);
    kernel_expand_word(a | b0 << 8, to + 2 * kPairStep);
    kernel_expand_word(b0 >> 24 | b1 << 8, to + 3 * kPairStep);
    kernel_expand_word(b1 >> 24 | b2 << 8 | c0 << 16, to + 4 * kPairStep);
    kernel_expand_word(c0 >> 16 | c1 << 16, to + 5 * kPairStep);
    kernel_expand_word(c1 >> 16 | c2 << 16, to + 6 * kPairStep);
}

/// Any channels: the window's bytes in a row, then expanded.
static void gather_bytes(const struct kernel_convolution* layer, const int8_t* in, int32_t y,
                         int32_t x, int8_t* bytes, uint32_t* to) {
    const struct kernel_window* const window = &layer->window;
    const int32_t channels = window->channels;
    const struct reach columns =
        reach_of(x * window->stride_width - window->pad_left, window->width, window->in_width);
    int32_t line = y * window->stride_height - window->pad_top;
    int8_t* at = bytes;
    const int32_t pitch = window->in_width * channels, count = window->width * channels;
    const int32_t start = line * pitch + columns.origin * channels;
    if (columns.last - columns.first == window->width && line >= 0 &&
        start + (window->height - 1) * pitch + count + kAhead <= window->in_height * pitch) {
        const int8_t* from = in + start;
        for (int32_t i = 0; i < window->height; ++i, from += pitch)
            at = copy_ahead(at, from, count);
        expand_row(bytes, at, to);
        return;
    }
    for (int32_t i = 0; i < window->height; ++i, ++line) {
        if (line < 0 || line >= window->in_height) {
            at = set(at, layer->input_zero, window->width * channels);
            continue;
        }
        const int8_t* const from =
            in + (line * window->in_width + columns.origin + columns.first) * channels;
        at = set(at, layer->input_zero, columns.first * channels);
        at = copy(at, from, (columns.last - columns.first) * channels);
        at = set(at, layer->input_zero, (window->width - columns.last) * channels);
    }
    expand_row(bytes, at, to);
}

static void gather(const struct kernel_convolution* layer, const int8_t* in, int32_t first,
                   int32_t count, uint32_t* expanded) {
    const struct kernel_window* const window = &layer->window;
    const uint32_t pair = layer->taps;  // words of two pixels
    int8_t* const bytes = (int8_t*)(expanded + pair * layer->tile / 2);
    if (window->height == 1 && window->width == 1 && window->stride_height == 1 &&
        window->stride_width == 1) {
        for (int32_t i = 0; i < count; ++i) {
            kernel_expand(in + (first + i) * window->channels, (uint32_t)window->channels,
                          expanded + (uint32_t)(i >> 1) * pair + (i & 1) * kPixelWords, kPairStep);
        }
        return;
    }
    const bool whole = window->width * window->channels % 4 == 0;
    const bool nines = window->height == 3 && window->width * window->channels == 9;
    const int32_t pitch = window->in_width * window->channels;
    int32_t y = first / window->out_width, x = first % window->out_width;
    for (int32_t i = 0; i < count; ++i) {
        uint32_t* const to = expanded + (uint32_t)(i >> 1) * pair + (i & 1) * kPixelWords;
        const int32_t left = x * window->stride_width - window->pad_left;
        const int32_t top = y * window->stride_height - window->pad_top;
        const bool across = left >= 0 && left + window->width <= window->in_width;
        if (whole && across)
            gather_inside(layer, in, y, x, to);
        else if (nines && across && top >= 0 && top + window->height <= window->in_height)
            gather_nines(in + top * pitch + left * window->channels, pitch, to);
        else if (window->channels % 4 == 0)
            gather_groups(layer, in, y, x, to);
        else
            gather_bytes(layer, in, y, x, bytes, to);
        if (++x == window->out_width) x = 0, ++y;
    }
}

/// Two channels of up to two pixels, in every case.
KERNEL_INLINE void multiply_block(const struct kernel_convolution* layer, const uint32_t* expanded,
                                  int32_t pixels, const uint8_t* weights,
                                  const struct kernel_scale* scales, int32_t kernels, int8_t* out) {
    const struct kernel_finish* const finish = &layer->finish;
    int32_t sums[2][2] = {{0, 0}, {0, 0}};
    for (uint32_t at = 0; at < layer->taps;) {
        const uint32_t now = layer->taps - at < layer->segment ? layer->taps - at : layer->segment;
        const struct kernel_sums part = kernel_dot_2x2(weights, expanded, now >> 2);
        sums[0][0] += part.c00 >> 8;
        sums[0][1] += part.c01 >> 8;
        sums[1][0] += part.c10 >> 8;
        sums[1][1] += part.c11 >> 8;
        weights += 2 * now;
        expanded += now;
        at += now;
    }
    const int32_t factor = kernel_sum_factor(finish);
    for (int32_t k = 0; k < kernels; ++k) {
        for (int32_t i = 0; i < pixels; ++i) {
            const int32_t sum = sums[k][i] * factor + scales[k].bias;
            out[i * layer->out_channels + k] = (int8_t)kernel_rescale(sum, &scales[k], finish);
        }
    }
}

/// Two channels of `count` pixels.
static void multiply_pair(const struct kernel_convolution* layer, const uint32_t* expanded,
                          int32_t count, const uint8_t* weights, const struct kernel_scale* scales,
                          int32_t kernels, int8_t* out) {
    int32_t done = 0;
    if (layer->finish.flags == 0 && layer->taps <= layer->segment && kernels == 2 && count > 1) {
        struct kernel_pixel_job job = {.weights = weights,
                                       .expanded = expanded,
                                       .pairs = count >> 1,
                                       .out = out,
                                       .pitch = layer->out_channels,
                                       .one = scales[0],
                                       .other = scales[1]};
        done = count & ~1;
        kernel_pixel_pairs(&job, layer->taps >> 2);
    }
    for (; done < count; done += 2) {
        multiply_block(layer, expanded + (uint32_t)done / 2 * layer->taps, count - done < 2 ? 1 : 2,
                       weights, scales, kernels, out + done * layer->out_channels);
    }
}

/// Copies an even number of words, from one aligned place to another.
KERNEL_INLINE void kernel_copy_words(uint32_t* to, const uint32_t* from, uint32_t count) {
    uint32_t turns = count >> 2;
    if (turns != 0) {
        __asm__ volatile(
            "1:\n\t"
            "ldmia %[from]!, {r4, r5, r6, r8}\n\t"
            "subs %[turns], %[turns], #1\n\t"
            "stmia %[to]!, {r4, r5, r6, r8}\n\t"
            "bne 1b\n\t"
            : [from] "+r"(from), [to] "+r"(to), [turns] "+r"(turns)
            :
            : "r4", "r5", "r6", "r8", "cc", "memory");
    }
    if ((count & 2) != 0) {
        to[0] = from[0];
        to[1] = from[1];
    }
}

/// Flash with a small cache would be read again for each pair of pixels.
static const uint8_t* keep(const struct kernel_convolution* layer, const uint8_t* weights,
                           void* scratch) {
    uint32_t* const kept = (uint32_t*)((uint8_t*)scratch + layer->kept);
    kernel_copy_words(kept, (const uint32_t*)weights, layer->taps / 2);
    return (const uint8_t*)kept;
}

void kernel_convolution(const struct kernel_convolution* layer, const int8_t* in, int8_t* out,
                        const uint8_t* weights, void* scratch) {
    const int32_t pixels = layer->window.out_height * layer->window.out_width;
    const int32_t channels = layer->out_channels;
    const int32_t tile = (int32_t)layer->tile;
    uint32_t* const expanded = scratch;
    for (int32_t first = 0; first < pixels; first += tile) {
        const int32_t count = pixels - first < tile ? pixels - first : tile;
        const struct kernel_scale* scales =
            (const struct kernel_scale*)(weights + layer->finish.scales);
        const uint8_t* w = weights;
        gather(layer, in, first, count, expanded);
        int8_t* const to = out + first * channels;
        for (int32_t k = 0; k < channels; k += 2, w += 2 * layer->taps, scales += 2) {
            const uint8_t* const now = layer->kept != 0 ? keep(layer, w, scratch) : w;
            multiply_pair(layer, expanded, count, now, scales, k + 1 < channels ? 2 : 1, to + k);
        }
    }
}

void kernel_dense(const struct kernel_dense* layer, const int8_t* in, int8_t* out,
                  const uint8_t* weights, void* scratch) {
    const struct kernel_scale* scales =
        (const struct kernel_scale*)(weights + layer->finish.scales);
    const int32_t factor = kernel_sum_factor(&layer->finish);
    kernel_expand(in, layer->inputs, scratch, kPixelWords);
    for (int32_t k = 0; k < layer->outputs; k += 4, scales += 4) {
        int32_t sums[4] = {0, 0, 0, 0};
        const uint32_t* x = scratch;
        for (uint32_t at = 0; at < layer->taps;) {
            const uint32_t now =
                layer->taps - at < layer->segment ? layer->taps - at : layer->segment;
            const struct kernel_sums part = kernel_dot_4x1(weights, x, now >> 2);
            sums[0] += part.c00 >> 8;
            sums[1] += part.c01 >> 8;
            sums[2] += part.c10 >> 8;
            sums[3] += part.c11 >> 8;
            weights += 4 * now;
            x += now >> 1;
            at += now;
        }
        for (int32_t i = 0; i < 4 && k + i < layer->outputs; ++i) {
            out[k + i] = (int8_t)kernel_rescale(sums[i] * factor + scales[i].bias, &scales[i],
                                                &layer->finish);
        }
    }
}

#endif

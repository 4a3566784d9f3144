// SPDX-License-Identifier: Apache-2.0
#include "kernel_blocks.h"
#include "kernel_inner.h"

/// Depthwise convolutions, four channels at a time. Each line of the input is expanded once, to one
/// line of 16-bit numbers per channel, in a ring of as many lines as the kernel has; neighbouring
/// taps are then pairs of one word.

/// Channels of a block.
enum { kBlock = 4 };

/// A line of the kernel: (w0, w1) and (w1, w2).
struct taps {
    uint32_t first, last;
};

/// Times the factor of the sums.
static void expand_taps(const uint8_t* weights, int32_t lines, int32_t factor, struct taps* to) {
    for (int32_t i = 0; i < lines; ++i, weights += 4) {
        const int32_t w0 = (int8_t)weights[0] * factor, w1 = (int8_t)weights[1] * factor,
                      w2 = (int8_t)weights[2] * factor;
        to[i].first = kernel_lower_halves((uint32_t)w0, (uint32_t)w1);
        to[i].last = kernel_lower_halves((uint32_t)w1, (uint32_t)w2);
    }
}

/// Bytes of one pixel to the four lines; channels beyond `count` stay as they are.
static void expand_one(const int8_t* from, int32_t count, int16_t* to, int32_t plane) {
    for (int32_t i = 0; i < count; ++i) to[i * plane] = from[i];
}

static void expand_line(const struct kernel_depthwise* layer, const int8_t* from, int32_t count,
                        int16_t* to, int32_t plane) {
    int32_t left = layer->in_along;
    const int32_t step = layer->in_step;
    to += layer->pad_along;
    if (count == kBlock) {
        // Words need an even place.
        if ((layer->pad_along & 1) != 0) {
            expand_one(from, kBlock, to, plane);
            --left, ++to, from += step;
        }
        for (; left >= 2; left -= 2, to += 2, from += 2 * step) {
            const uint32_t first = kernel_word(from), second = kernel_word(from + step);
            const uint32_t a = kernel_even_bytes(first), b = kernel_even_bytes(second);
            const uint32_t c = kernel_odd_bytes(first), d = kernel_odd_bytes(second);
            *(uint32_t*)to = kernel_lower_halves(a, b);
            *(uint32_t*)(to + plane) = kernel_lower_halves(c, d);
            *(uint32_t*)(to + 2 * plane) = kernel_upper_halves(a, b);
            *(uint32_t*)(to + 3 * plane) = kernel_upper_halves(c, d);
        }
    }
    for (; left > 0; --left, ++to, from += step) expand_one(from, count, to, plane);
}

/// An even number, from an even place.
static void fill(int16_t* to, int32_t value, int32_t count) {
    const uint32_t pair = (uint32_t)(uint16_t)value * 0x10001u;
    uint32_t* words = (uint32_t*)to;
    for (; count >= 8; count -= 8, words += 4) {
        words[0] = pair;
        words[1] = pair;
        words[2] = pair;
        words[3] = pair;
    }
    for (; count > 0; count -= 2) *words++ = pair;
}

struct line_sums {
    int32_t s0, s1, s2, s3;
};

/// Four neighbouring outputs at a stride of 1.
KERNEL_INLINE struct line_sums sum_four(const uint32_t* const* lines, int32_t count, int32_t at,
                                        const struct taps* taps, int32_t bias) {
    struct line_sums s = {bias, bias, bias, bias};
    for (int32_t i = 0; i < count; ++i) {
        const uint32_t* const x = lines[i] + at;
        const uint32_t a = x[0], b = x[1], c = x[2], first = taps[i].first, last = taps[i].last;
        s.s0 = __smlad(a, first, s.s0);
        s.s0 = __smlabt((int32_t)b, (int32_t)last, s.s0);
        s.s1 = __smlatb((int32_t)a, (int32_t)first, s.s1);
        s.s1 = __smlad(b, last, s.s1);
        s.s2 = __smlad(b, first, s.s2);
        s.s2 = __smlabt((int32_t)c, (int32_t)last, s.s2);
        s.s3 = __smlatb((int32_t)b, (int32_t)first, s.s3);
        s.s3 = __smlad(c, last, s.s3);
    }
    return s;
}

KERNEL_INLINE void line_of_ones(const struct kernel_depthwise* layer, const uint32_t* const* lines,
                                int32_t count, const struct taps* taps,
                                const struct kernel_scale* given, int8_t* out) {
    const struct kernel_scale scale = *given;
    const int32_t step = layer->out_step;
    int32_t left = layer->out_along;
    for (int32_t at = 0; left > 0; at += 2, left -= 4, out += 4 * step) {
        const struct line_sums s = sum_four(lines, count, at, taps, scale.bias);
        out[0] = (int8_t)kernel_rescale(s.s0, &scale, &layer->finish);
        if (left > 1) out[step] = (int8_t)kernel_rescale(s.s1, &scale, &layer->finish);
        if (left > 2) out[2 * step] = (int8_t)kernel_rescale(s.s2, &scale, &layer->finish);
        if (left > 3) out[3 * step] = (int8_t)kernel_rescale(s.s3, &scale, &layer->finish);
    }
}

/// Outputs at a stride of 2, two at a time.
KERNEL_INLINE void line_of_twos(const struct kernel_depthwise* layer, const uint32_t* const* lines,
                                int32_t count, const struct taps* taps,
                                const struct kernel_scale* given, int8_t* out) {
    const struct kernel_scale scale = *given;
    const int32_t step = layer->out_step;
    int32_t left = layer->out_along;
    for (int32_t at = 0; left > 0; at += 2, left -= 2, out += 2 * step) {
        int32_t s0 = scale.bias, s1 = scale.bias;
        for (int32_t i = 0; i < count; ++i) {
            const uint32_t* const x = lines[i] + at;
            const uint32_t a = x[0], b = x[1], c = x[2];
            s0 = __smlad(a, taps[i].first, s0);
            s0 = __smlabt((int32_t)b, (int32_t)taps[i].last, s0);
            s1 = __smlad(b, taps[i].first, s1);
            s1 = __smlabt((int32_t)c, (int32_t)taps[i].last, s1);
        }
        out[0] = (int8_t)kernel_rescale(s0, &scale, &layer->finish);
        if (left > 1) out[step] = (int8_t)kernel_rescale(s1, &scale, &layer->finish);
    }
}

KERNEL_INLINE void line_of(const struct kernel_depthwise* layer, const uint32_t* const* lines,
                           int32_t count, const struct taps* taps,
                           const struct kernel_scale* scale, int8_t* out) {
    if (layer->stride_along == 1)
        line_of_ones(layer, lines, count, taps, scale, out);
    else
        line_of_twos(layer, lines, count, taps, scale, out);
}

enum { kMostLines = 8 };

/// One line of outputs of up to four channels, by the loops that need no more than three lines.
static void lines_by_jobs(const struct kernel_depthwise* layer, const int16_t* ring, int32_t oldest,
                          struct kernel_line_job* jobs, int32_t count, int8_t* out) {
    const int32_t pitch = layer->pitch, plane = 3 * pitch;
    const int32_t first = oldest * pitch, second = oldest < 2 ? first + pitch : 0,
                  third = second < 2 * pitch ? second + pitch : 0;
    for (int32_t k = 0; k < count; ++k, ring += plane) {
        struct kernel_line_job* const job = &jobs[k];
        job->lines[0] = (const uint32_t*)(ring + first);
        job->lines[1] = (const uint32_t*)(ring + second);
        job->lines[2] = (const uint32_t*)(ring + third);
        job->left = layer->out_along;
        job->out = out + k;
        if (layer->stride_along == 1)
            kernel_line_ones(job);
        else
            kernel_line_twos(job);
    }
}

/// The same with any number of lines and any scale.
static void lines_one_by_one(const struct kernel_depthwise* layer, const int16_t* ring,
                             int32_t oldest, const struct taps* taps, int32_t count,
                             const struct kernel_scale* scales, int8_t* out) {
    const int32_t lines = layer->lines, plane = lines * layer->pitch;
    for (int32_t k = 0; k < count; ++k, ring += plane, taps += lines) {
        const uint32_t* at[kMostLines];
        for (int32_t i = 0, place = oldest; i < lines; ++i) {
            at[i] = (const uint32_t*)(ring + place * layer->pitch);
            if (++place == lines) place = 0;
        }
        line_of(layer, at, lines, taps, &scales[k], out + k);
    }
}

static void set_jobs(const struct kernel_depthwise* layer, const struct taps* taps,
                     const struct kernel_scale* scales, int32_t count,
                     struct kernel_line_job* jobs) {
    for (int32_t k = 0; k < count; ++k) {
        for (int32_t i = 0; i < 3; ++i, ++taps) {
            jobs[k].taps[i][0] = taps->first;
            jobs[k].taps[i][1] = taps->last;
        }
        jobs[k].scale = scales[k];
        jobs[k].step = layer->out_step;
    }
}

static void block(const struct kernel_depthwise* layer, const int8_t* in, int8_t* out,
                  const uint8_t* weights, const struct kernel_scale* scales, int32_t count,
                  int16_t* ring) {
    const int32_t lines = layer->lines, plane = lines * layer->pitch;
    struct taps* const taps = (struct taps*)(ring + kBlock * plane);
    expand_taps(weights, count * lines, kernel_sum_factor(&layer->finish), taps);
    fill(ring, layer->input_zero, kBlock * plane);
    struct kernel_line_job jobs[kBlock];
    const bool by_jobs = lines == 3 && layer->finish.flags == 0;
    if (by_jobs) set_jobs(layer, taps, scales, count, jobs);
    int32_t next = 0, place = 0;  // the next line of the padded input, and where it goes
    for (int32_t y = 0; y < layer->out_across; ++y, out += layer->out_pitch) {
        const int32_t first = y * layer->stride_across;
        for (; next < first + lines; ++next) {
            const int32_t line = next - layer->pad_across;
            int16_t* const to = ring + place * layer->pitch;
            if (line >= 0 && line < layer->in_across) {
                expand_line(layer, in + line * layer->in_pitch, count, to, plane);
            } else {
                for (int32_t k = 0; k < count; ++k)
                    fill(to + k * plane, layer->input_zero, layer->pitch);
            }
            if (++place == lines) place = 0;
        }
        if (by_jobs)
            lines_by_jobs(layer, ring, place, jobs, count, out);
        else
            lines_one_by_one(layer, ring, place, taps, count, scales, out);
    }
}

void kernel_depthwise(const struct kernel_depthwise* layer, const int8_t* in, int8_t* out,
                      const uint8_t* weights, void* scratch) {
    const struct kernel_scale* const scales =
        (const struct kernel_scale*)(weights + layer->finish.scales);
    for (int32_t k = 0; k < layer->channels; k += kBlock) {
        const int32_t left = layer->channels - k;
        block(layer, in + k, out + k, weights + 4 * layer->lines * k, scales + k,
              left < kBlock ? left : kBlock, scratch);
    }
}

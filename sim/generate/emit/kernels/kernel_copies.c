// SPDX-License-Identifier: Apache-2.0
#include "kernel_inner.h"

/// Elements in other places: concatenation, padding, pictures of another size.

static uint8_t* copy(uint8_t* to, const uint8_t* from, uint32_t bytes) {
    for (; bytes >= 4; bytes -= 4, to += 4, from += 4) __builtin_memcpy(to, from, 4);
    for (; bytes != 0; --bytes) *to++ = *from++;
    return to;
}

void kernel_copy(const uint8_t* in, uint32_t in_step, uint8_t* out, uint32_t out_step,
                 uint32_t bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i, in += in_step, out += out_step) copy(out, in, bytes);
}

static int8_t* set(int8_t* to, int32_t value, int32_t bytes) {
    for (int32_t i = 0; i < bytes; ++i) *to++ = (int8_t)value;
    return to;
}

void kernel_pad(const struct kernel_pad* layer, const int8_t* in, int8_t* out) {
    const int32_t *const length = layer->lengths, *const before = layer->before,
                         *const after = layer->after;
    const int32_t line = before[3] + length[3] + after[3];
    const int32_t plane = (before[2] + length[2] + after[2]) * line;
    const int32_t block = (before[1] + length[1] + after[1]) * plane;
    out = set(out, layer->value, before[0] * block);
    for (int32_t a = 0; a < length[0]; ++a) {
        out = set(out, layer->value, before[1] * plane);
        for (int32_t b = 0; b < length[1]; ++b) {
            out = set(out, layer->value, before[2] * line);
            for (int32_t c = 0; c < length[2]; ++c, in += length[3]) {
                out = set(out, layer->value, before[3]);
                out = (int8_t*)copy((uint8_t*)out, (const uint8_t*)in, (uint32_t)length[3]);
                out = set(out, layer->value, after[3]);
            }
            out = set(out, layer->value, after[2] * line);
        }
        out = set(out, layer->value, after[1] * plane);
    }
    set(out, layer->value, after[0] * block);
}

void kernel_resize_nearest(const struct kernel_resize* layer, const int8_t* in, int8_t* out,
                           const uint16_t* lines, const uint16_t* columns) {
    const uint32_t channels = (uint32_t)layer->channels;
    for (int32_t y = 0; y < layer->out_height; ++y) {
        const int8_t* const line = in + lines[y] * layer->width * layer->channels;
        for (int32_t x = 0; x < layer->out_width; ++x) {
            out = (int8_t*)copy((uint8_t*)out, (const uint8_t*)line + columns[x] * channels,
                                channels);
        }
    }
}

void kernel_resize_bilinear(const struct kernel_resize* layer, const int8_t* in, int8_t* out,
                            const struct kernel_between* lines,
                            const struct kernel_between* columns) {
    enum { kWhole = 1 << 10, kHalf = kWhole * kWhole / 2 };
    const int32_t channels = layer->channels, pitch = layer->width * channels;
    for (int32_t y = 0; y < layer->out_height; ++y) {
        const int8_t *const top = in + lines[y].first * pitch,
                            *const bottom = in + lines[y].second * pitch;
        const int32_t down = lines[y].weight;
        for (int32_t x = 0; x < layer->out_width; ++x) {
            const int32_t left = columns[x].first * channels, right = columns[x].second * channels;
            const int32_t across = columns[x].weight;
            for (int32_t c = 0; c < channels; ++c) {
                const int32_t above = top[left + c] * (kWhole - across) + top[right + c] * across;
                const int32_t below =
                    bottom[left + c] * (kWhole - across) + bottom[right + c] * across;
                const int32_t sum = above * (kWhole - down) + below * down;
                *out++ = (int8_t)kernel_clamp((sum + (sum > 0 ? kHalf : -kHalf)) / (kWhole * kWhole),
                                              -128, 127);
            }
        }
    }
}

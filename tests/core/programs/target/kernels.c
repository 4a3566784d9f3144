// SPDX-License-Identifier: Apache-2.0
// Kernels of small neural networks, written for the compiler to vectorise: dot products,
// convolutions, requantisation, pooling, saturating sums, single-precision filters.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program.h"

enum { kLength = 259 };

static int8_t a8[kLength], b8[kLength];
static int16_t a16[kLength], b16[kLength];
static int32_t a32[kLength], b32[kLength];
static uint8_t u8[kLength];
static float f32[kLength], g32[kLength], h32[kLength];

static void fill(uint32_t seed) {
    for (int i = 0; i < kLength; ++i) {
        a8[i] = (int8_t)next_random(&seed);
        b8[i] = (int8_t)next_random(&seed);
        u8[i] = (uint8_t)next_random(&seed);
        a16[i] = (int16_t)next_random(&seed);
        b16[i] = (int16_t)next_random(&seed);
        a32[i] = (int32_t)next_random(&seed);
        b32[i] = (int32_t)next_random(&seed) >> 7;
        f32[i] = (float)(int32_t)next_random(&seed) * 0x1p-31f;
        g32[i] = (float)(int32_t)next_random(&seed) * 0x1p-28f;
    }
}

static uint32_t sum_bytes(const void* data, unsigned bytes) {
    uint32_t sum = 1;
    for (unsigned i = 0; i < bytes; ++i) sum = mix(sum, ((const uint8_t*)data)[i]);
    return sum;
}

__attribute__((noinline)) static int32_t dot8(const int8_t* x, const int8_t* y, int n) {
    int32_t sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

__attribute__((noinline)) static int32_t dot16(const int16_t* x, const int16_t* y, int n) {
    int32_t sum = 0;
    for (int i = 0; i < n; ++i) sum += (x[i] * y[i]) >> 3;
    return sum;
}

static int32_t requantise(int32_t value, int32_t multiplier, int shift) {
    const int64_t product = (int64_t)value * multiplier + (1LL << (30 + shift));
    return (int32_t)(product >> (31 + shift));
}

static int8_t clamp8(int32_t value) {
    return (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
}

/// 3 x 3 convolution of a 15 x 15 image of 4 channels into 5.
__attribute__((noinline)) static uint32_t convolve(void) {
    static int8_t image[15][15][4], kernel[5][3][3][4], out[13][13][5];
    for (unsigned i = 0; i < sizeof image; ++i) (&image[0][0][0])[i] = a8[i % kLength];
    for (unsigned i = 0; i < sizeof kernel; ++i) (&kernel[0][0][0][0])[i] = b8[i % kLength];
    for (int y = 0; y < 13; ++y) {
        for (int x = 0; x < 13; ++x) {
            for (int o = 0; o < 5; ++o) {
                int32_t sum = o * 100;
                for (int ky = 0; ky < 3; ++ky) {
                    for (int kx = 0; kx < 3; ++kx) {
                        for (int c = 0; c < 4; ++c)
                            sum += image[y + ky][x + kx][c] * kernel[o][ky][kx][c];
                    }
                }
                out[y][x][o] = clamp8(requantise(sum, 0x5A827999, 6 + o % 2) - 3);
            }
        }
    }
    return sum_bytes(out, sizeof out);
}

__attribute__((noinline)) static void elementwise(int n) {
    static int8_t r8[kLength];
    static int16_t r16[kLength];
    static int32_t r32[kLength];
    static uint8_t ru8[kLength];
    for (int i = 0; i < n; ++i) r8[i] = (int8_t)(a8[i] > b8[i] ? a8[i] : b8[i]);
    for (int i = 0; i < n; ++i) r16[i] = (int16_t)(a16[i] * 3 - (b16[i] >> 2));
    for (int i = 0; i < n; ++i) r32[i] = a32[i] < b32[i] ? a32[i] ^ b32[i] : a32[i] - b32[i];
    for (int i = 0; i < n; ++i) ru8[i] = (uint8_t)((u8[i] + (uint8_t)a8[i] + 1) >> 1);
    printf("%d elementwise %08lx %08lx %08lx %08lx\n", n, (unsigned long)sum_bytes(r8, sizeof r8),
           (unsigned long)sum_bytes(r16, sizeof r16), (unsigned long)sum_bytes(r32, sizeof r32),
           (unsigned long)sum_bytes(ru8, sizeof ru8));
    for (int i = 0; i < n; ++i) r16[i] = (int16_t)(a8[i] * b8[i]);
    for (int i = 0; i < n; ++i) r32[i] = a16[i] + u8[i];
    for (int i = 0; i < n; ++i) r8[i] = (int8_t)(a16[i] >> 5);
    for (int i = 0; i < n; ++i) {
        if (a8[i] > 10) ru8[i] = (uint8_t)(ru8[i] << 1);
    }
    printf("%d widening %08lx %08lx %08lx %08lx\n", n, (unsigned long)sum_bytes(r8, sizeof r8),
           (unsigned long)sum_bytes(r16, sizeof r16), (unsigned long)sum_bytes(r32, sizeof r32),
           (unsigned long)sum_bytes(ru8, sizeof ru8));
}

__attribute__((noinline)) static void floats(int n) {
    for (int i = 0; i < n; ++i) h32[i] = f32[i] * g32[i] + 0.5f;
    printf("%d floats %08lx", n, (unsigned long)sum_bytes(h32, sizeof h32));
    for (int i = 0; i < n; ++i) h32[i] = fabsf(f32[i]) > 0.5f ? h32[i] : -g32[i];
    printf(" %08lx", (unsigned long)sum_bytes(h32, sizeof h32));
    for (int i = 0; i < n; ++i) h32[i] = (float)a32[i] * 0x1p-16f;
    for (int i = 0; i < n; ++i) b32[i] = (int32_t)(g32[i] * 1000.0f);
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += f32[i] * h32[i];
    float largest = 0;
    for (int i = 0; i < n; ++i) largest = largest > g32[i] ? largest : g32[i];
    printf(" %08lx %08lx %08lx %08lx\n", (unsigned long)sum_bytes(h32, sizeof h32),
           (unsigned long)sum_bytes(b32, sizeof b32), (unsigned long)sum_bytes(&sum, 4),
           (unsigned long)sum_bytes(&largest, 4));
}

int program(void) {
    for (uint32_t seed = 1; seed < 4; ++seed) {
        fill(seed);
        for (int n = 0; n < 40; ++n)
            printf("%ld %ld,", (long)dot8(a8 + seed, b8, n), (long)dot16(a16, b16 + 1, n));
        printf("\n%ld %ld %08lx\n", (long)dot8(a8, b8, kLength), (long)dot16(a16, b16, kLength),
               (unsigned long)convolve());
        for (int n = kLength - 18; n <= kLength; ++n) {
            elementwise(n);
            floats(n);
        }
    }
    return 0;
}

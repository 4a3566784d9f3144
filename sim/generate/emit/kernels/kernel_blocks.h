// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_KERNEL_BLOCKS_H
#define N6VP_KERNEL_BLOCKS_H

#include "kernels.h"

/// Inner loops in assembly. They take what they need from a structure, because an inner product
/// needs all registers; offsets of members are part of the code.

/// Two channels of `pairs` pairs of pixels. Results are not narrower than a byte, scales not exact.
struct kernel_pixel_job {
    const uint8_t* weights;
    const uint32_t* expanded;
    uint32_t entry;  ///< of the first turn, in groups of a turn that it leaves out
    uint32_t turns;  ///< of four groups, the first one included
    int32_t pairs;
    int8_t* out;
    int32_t pitch;  ///< bytes from pixel to pixel
    uint32_t skipped;
    struct kernel_scale one, other;
};
/// Changes `job`.
void kernel_pixel_pairs(struct kernel_pixel_job* job, uint32_t groups);

/// A line of outputs of one channel: three lines of three taps each, from 16-bit inputs. Taps are
/// in pairs, (w0, w1) and (w1, w2).
struct kernel_line_job {
    uint32_t taps[3][2];
    struct kernel_scale scale;
    int32_t left;  ///< outputs
    int8_t* out;
    int32_t step;  ///< bytes from output to output
    const uint32_t* lines[3];
};
/// Stride 1 and stride 2. Change `job`.
void kernel_line_ones(struct kernel_line_job* job);
void kernel_line_twos(struct kernel_line_job* job);

#endif

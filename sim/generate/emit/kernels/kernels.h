// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_KERNELS_H
#define N6VP_KERNELS_H

#include <stdint.h>

/// Operators of 8-bit networks on a core, as generated models call them. Feature maps are NHWC with
/// batch 1. Results are those of TFLite's integer kernels, bit by bit.
///
/// `weights` of an operator begin with its packed weights; tables follow at the offsets that its
/// description names. Scratch memory is 8-byte aligned and has no content between two calls.

/// One output channel: result = ((8 * sum + bias) * significand / 2^32 + offset) >> shift; offset
/// holds one half and the zero point. With KERNEL_EXACT, result = (sum + bias) * significand >>
/// shift, rounded, from a 64-bit product.
struct kernel_scale {
    int32_t bias, significand, offset, shift;
};

enum {
    KERNEL_EXACT = 1,  ///< 64-bit products: a multiplier of 2 or more, or sums of over 28 bits
    KERNEL_NARROW = 2  ///< low and high are within a byte's range
};

/// What becomes of a sum.
struct kernel_finish {
    uint32_t scales;  ///< offset of the kernel_scale of each channel in the weights
    uint32_t flags;
    int32_t zero, low, high;
};

/// A window that moves over a feature map.
struct kernel_window {
    int32_t in_height, in_width, channels;
    int32_t out_height, out_width;
    int32_t height, width;
    int32_t stride_height, stride_width;
    int32_t dilation_height, dilation_width;
    int32_t pad_top, pad_left;
};

/// Weights of a pair of channels by groups of `kernel_group` taps; all pixels of a tile are
/// expanded to scratch memory before they are multiplied.
struct kernel_convolution {
    struct kernel_window window;
    int32_t out_channels;
    int32_t input_zero;
    uint32_t taps;     ///< of a kernel, a multiple of the group
    uint32_t segment;  ///< taps whose sum fits the accumulator
    uint32_t tile;     ///< pixels, even
    /// Where scratch memory has room for the weights of a pair; 0: they are used where they are.
    uint32_t kept;
    struct kernel_finish finish;
};
void kernel_convolution(const struct kernel_convolution* layer, const int8_t* in, int8_t* out,
                        const uint8_t* weights, void* scratch);
void kernel_convolution_plain(const struct kernel_convolution* layer, const int8_t* in, int8_t* out,
                              const uint8_t* weights);

/// One row of inputs. Weights of four channels by groups.
struct kernel_dense {
    uint32_t inputs;  ///< without those that fill the last group
    uint32_t taps, segment;
    int32_t outputs;
    struct kernel_finish finish;
};
void kernel_dense(const struct kernel_dense* layer, const int8_t* in, int8_t* out,
                  const uint8_t* weights, void* scratch);

/// Kernels three wide, by lines along the direction `along`, which is width or height.
struct kernel_depthwise {
    int32_t in_along, in_across, out_along, out_across;
    int32_t in_step, in_pitch;    ///< bytes from pixel to pixel and from line to line
    int32_t out_step, out_pitch;  ///< the same of the output
    int32_t lines;                ///< of the kernel, across
    int32_t stride_along, stride_across, pad_along, pad_across;
    int32_t channels, input_zero;
    int32_t pitch;  ///< 16-bit numbers of an expanded line, even
    struct kernel_finish finish;
};
void kernel_depthwise(const struct kernel_depthwise* layer, const int8_t* in, int8_t* out,
                      const uint8_t* weights, void* scratch);
/// Any window and multiplier.
struct kernel_depthwise_plain {
    struct kernel_window window;
    int32_t multiplier, input_zero;
    struct kernel_finish finish;
};
void kernel_depthwise_plain(const struct kernel_depthwise_plain* layer, const int8_t* in,
                            int8_t* out, const uint8_t* weights);

struct kernel_pool {
    struct kernel_window window;
    int32_t low, high;
};
void kernel_average_pool(const struct kernel_pool* layer, const int8_t* in, int8_t* out);
void kernel_max_pool(const struct kernel_pool* layer, const int8_t* in, int8_t* out);

/// Mean over the middle of [outer][count][inner].
struct kernel_mean {
    int32_t outer, count, inner;
    int32_t input_zero, output_zero;
    int32_t significand, exponent;
};
void kernel_mean(const struct kernel_mean* layer, const int8_t* in, int8_t* out);

/// A factor as TFLite has it: rounded after the multiplication and after the shift.
struct kernel_factor {
    int32_t significand, exponent;
};
/// Two tensors, each with steps by output dimension; 0 repeats.
struct kernel_pair {
    int32_t lengths[4];
    int32_t left_steps[4], right_steps[4];
    int32_t left_zero, right_zero, output_zero, low, high;
    struct kernel_factor left, right, output;
    int32_t sign;  ///< of the right one, of a sum
};
void kernel_sum(const struct kernel_pair* layer, const int8_t* left, const int8_t* right,
                int8_t* out, void* scratch);
void kernel_product(const struct kernel_pair* layer, const int8_t* left, const int8_t* right,
                    int8_t* out);

/// Every byte through a table of 256.
void kernel_table(const uint8_t* table, const uint8_t* in, uint8_t* out, uint32_t count);

/// `powers` are the exponentials of 0 to -255 steps.
struct kernel_softmax {
    int32_t rows, length;
    float output_scale;
    int32_t output_zero;
};
void kernel_softmax(const struct kernel_softmax* layer, const int8_t* in, int8_t* out,
                    const float* powers);

/// `count` blocks of `bytes`, at distances of their own.
void kernel_copy(const uint8_t* in, uint32_t in_step, uint8_t* out, uint32_t out_step,
                 uint32_t bytes, uint32_t count);

/// Elements of up to four dimensions with others before and after each.
struct kernel_pad {
    int32_t lengths[4], before[4], after[4];
    int32_t value;
};
void kernel_pad(const struct kernel_pad* layer, const int8_t* in, int8_t* out);

/// One place between two of a line, in 1/1024.
struct kernel_between {
    uint16_t first, second;
    int32_t weight;
};
struct kernel_resize {
    int32_t width, channels, out_height, out_width;
};
void kernel_resize_nearest(const struct kernel_resize* layer, const int8_t* in, int8_t* out,
                           const uint16_t* lines, const uint16_t* columns);
void kernel_resize_bilinear(const struct kernel_resize* layer, const int8_t* in, int8_t* out,
                            const struct kernel_between* lines,
                            const struct kernel_between* columns);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "legacy_model.h"

/// Signed bytes: convolution 3x3 of an image of 10x10x2 to 8x8x4, ReLU within its limits, mean of
/// each channel. Weights in a file of their own; the caller brings input and output.

enum { kSide = 10, kIn = 2, kOut = 4, kKernel = 3, kResult = kSide - kKernel + 1 };
enum { kFilter = kKernel * kKernel * kIn, kWeights = kOut * kFilter, kBiasAt = 72 };
enum { kActivationBytes = kResult * kResult * kOut };
_Static_assert(kBiasAt == kWeights, "the bias follows the filters");
enum { kInputZero = 3, kConvZero = -128, kShift = 8 };

// Filters: out, row, column, in. Then a bias of each output as a 32-bit integer.
N6VP_LEGACY_WEIGHTS(18, 0xC04F, 0xFFFFFFFF, 0);
N6VP_LEGACY_WEIGHTS(4, 0xB1A5, 0x00000FFF, 0);

static ai_i8 clamp(ai_i32 value) {
    return (ai_i8)(value < -128 ? -128 : value > 127 ? 127 : value);
}

static ai_i32 point(const ai_i8* image, const ai_i8* filter, ai_u32 y, ai_u32 x) {
    ai_i32 sum = 0;
    for (ai_u32 row = 0; row < kKernel; ++row) {
        const ai_i8* const line = image + ((y + row) * kSide + x) * kIn;
        for (ai_u32 i = 0; i < kKernel * kIn; ++i)
            sum += (line[i] - kInputZero) * filter[row * kKernel * kIn + i];
    }
    return sum;
}

static void conv(void) {
    const ai_i8* const filters = legacy_weight(0, 0);
    const ai_i32* const bias = legacy_weight(0, kBiasAt);
    ai_i8* to = legacy_activation(0, 0);
    for (ai_u32 y = 0; y < kResult; ++y) {
        for (ai_u32 x = 0; x < kResult; ++x) {
            for (ai_u32 out = 0; out < kOut; ++out) {
                const ai_i32 sum =
                    bias[out] + point(legacy_input(0), filters + out * kFilter, y, x);
                // To nearest; the lower limit is ReLU, as the zero point is the lowest number.
                *to++ = clamp(((sum + (1 << (kShift - 1))) >> kShift) + kConvZero);
            }
        }
    }
}

static void mean(void) {
    const ai_i8* const from = legacy_activation(0, 0);
    ai_i8* const to = legacy_output(0);
    for (ai_u32 out = 0; out < kOut; ++out) {
        ai_i32 sum = 0;
        for (ai_u32 i = 0; i < kResult * kResult; ++i) sum += from[i * kOut + out];
        to[out] = (ai_i8)(sum / (kResult * kResult));
    }
}

enum { kConv = 3, kMean = 4 };
static const struct legacy_node nodes[] = {{conv, kConv, 0}, {mean, kMean, 1}};

static ai_u32 input_shape[] = LEGACY_SHAPE(1, kIn, kSide, kSide);
static ai_u32 output_shape[] = LEGACY_SHAPE(1, kOut, 1, 1);
static ai_u32 weights_shape[] = LEGACY_SHAPE(1, kWeights + 4 * kOut, 1, 1);
static ai_u32 activations_shape[] = LEGACY_SHAPE(1, kActivationBytes, 1, 1);
LEGACY_QUANTISED_S8(input_meta, 0.0078125f, kInputZero);
LEGACY_QUANTISED_S8(output_meta, 0.0625f, kConvZero);
static ai_buffer inputs[] = {
    LEGACY_BUFFER(AI_BUFFER_FORMAT_S8, kSide* kSide* kIn, input_shape, &input_meta)};
static ai_buffer outputs[] = {LEGACY_BUFFER(AI_BUFFER_FORMAT_S8, kOut, output_shape, &output_meta)};
static ai_buffer weights[] = {LEGACY_BYTES(kWeights + 4 * kOut, weights_shape)};
static ai_buffer activations[] = {LEGACY_BYTES(kActivationBytes, activations_shape)};

N6VP_LEGACY_WEIGHT_TABLE(LEGACY_EMBEDDED(0));
N6VP_LEGACY_ACTIVATION_TABLE(NULL);
N6VP_LEGACY_MODEL("conv", kActivationBytes, kWeights + 4 * kOut, .signature = "n6vp-sample-conv",
                  .macc = kResult * kResult * kOut * (kFilter + 1), .inputs = inputs,
                  .outputs = outputs, .weights = weights, .activations = activations,
                  .nodes = nodes, .n_inputs = 1, .n_outputs = 1, .n_weights = 1, .n_activations = 1,
                  .n_nodes = 2);

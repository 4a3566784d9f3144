// SPDX-License-Identifier: Apache-2.0
#include "legacy_model.h"

/// Floating point: 16 inputs, dense to 8, ReLU, dense to 4. Weights inside the file; input, output
/// and intermediate results share one activation buffer.

enum { kIn = 16, kHidden = 8, kOut = 4 };
enum { kInputAt = 0, kHiddenAt = 4 * kIn, kOutputAt = kHiddenAt + 4 * kHidden };
enum { kActivationBytes = kOutputAt + 4 * kOut };
// For each layer its matrix, row by row, then its bias.
enum { kSecond = (kIn + 1) * kHidden, kWeights = kSecond + (kHidden + 1) * kOut };

// Numbers of either sign, from 0.125 to 0.25.
N6VP_LEGACY_WEIGHTS(172, 0xDE45E, 0x807FFFFF, 0x3E000000);
_Static_assert(kWeights == 172, "as many words as weights");

static void dense(const float* in, ai_u32 inputs, const float* weights, float* out,
                  ai_u32 outputs) {
    const float* const bias = weights + inputs * outputs;
    for (ai_u32 o = 0; o < outputs; ++o) {
        float sum = bias[o];
        for (ai_u32 i = 0; i < inputs; ++i) sum += weights[o * inputs + i] * in[i];
        out[o] = sum;
    }
}

static void dense_0(void) {
    dense(legacy_input(0), kIn, legacy_weight(0, 0), legacy_activation(0, kHiddenAt), kHidden);
}
static void relu_0(void) {
    float* const values = legacy_activation(0, kHiddenAt);
    for (ai_u32 i = 0; i < kHidden; ++i) values[i] = values[i] > 0.0f ? values[i] : 0.0f;
}
static void dense_1(void) {
    dense(legacy_activation(0, kHiddenAt), kHidden, legacy_weight(0, 4 * kSecond), legacy_output(0),
          kOut);
}

enum { kDense = 1, kRelu = 2 };
static const struct legacy_node nodes[] = {
    {dense_0, kDense, 0}, {relu_0, kRelu, 0}, {dense_1, kDense, 1}};

static ai_u32 input_shape[] = LEGACY_SHAPE(1, kIn, 1, 1);
static ai_u32 output_shape[] = LEGACY_SHAPE(1, kOut, 1, 1);
static ai_u32 weights_shape[] = LEGACY_SHAPE(1, 4 * kWeights, 1, 1);
static ai_u32 activations_shape[] = LEGACY_SHAPE(1, kActivationBytes, 1, 1);
static ai_buffer inputs[] = {LEGACY_BUFFER(AI_BUFFER_FORMAT_FLOAT, kIn, input_shape, NULL)};
static ai_buffer outputs[] = {LEGACY_BUFFER(AI_BUFFER_FORMAT_FLOAT, kOut, output_shape, NULL)};
static ai_buffer weights[] = {LEGACY_BYTES(4 * kWeights, weights_shape)};
static ai_buffer activations[] = {LEGACY_BYTES(kActivationBytes, activations_shape)};
static const struct legacy_place input_places[] = {{0, kInputAt}};
static const struct legacy_place output_places[] = {{0, kOutputAt}};

N6VP_LEGACY_WEIGHT_TABLE(LEGACY_EMBEDDED(0));
N6VP_LEGACY_ACTIVATION_TABLE(NULL);
N6VP_LEGACY_MODEL("dense", kActivationBytes, 4 * kWeights, .signature = "n6vp-sample-dense",
                  .macc = kIn * kHidden + kHidden + kHidden * kOut, .inputs = inputs,
                  .outputs = outputs, .input_places = input_places, .output_places = output_places,
                  .weights = weights, .activations = activations, .nodes = nodes, .n_inputs = 1,
                  .n_outputs = 1, .n_weights = 1, .n_activations = 1, .n_nodes = 3);

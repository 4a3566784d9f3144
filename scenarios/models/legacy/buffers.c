// SPDX-License-Identifier: Apache-2.0
#include "legacy_model.h"

/// Two inputs, two outputs, two weight and two activation buffers. First output: sum of the inputs,
/// multiplied by the first weights. Second: running maximum of that, plus the second weights. The
/// context is that of tools without callbacks for the CRC unit.

enum { kLength = 12, kFirstBytes = 4 * kLength, kSecondBytes = 4 * kLength + 16 };

N6VP_LEGACY_WEIGHTS(12, 0xF157, 0x807FFFFF, 0x3F000000);
N6VP_LEGACY_WEIGHTS(12, 0x5EC0, 0x807FFFFF, 0x3F800000);

static void add(void) {
    const float *const a = legacy_input(0), *const b = legacy_input(1);
    float* const to = legacy_activation(0, 0);
    for (ai_u32 i = 0; i < kLength; ++i) to[i] = a[i] + b[i];
}
static void scale(void) {
    const float *const from = legacy_activation(0, 0), *const by = legacy_weight(0, 0);
    float* const to = legacy_output(0);
    for (ai_u32 i = 0; i < kLength; ++i) to[i] = from[i] * by[i];
}
static void maximum(void) {
    const float* const from = legacy_output(0);
    float* const to = legacy_activation(1, 16);
    float most = from[0];
    for (ai_u32 i = 0; i < kLength; ++i) {
        most = from[i] > most ? from[i] : most;
        to[i] = most;
    }
}
static void offset(void) {
    const float *const from = legacy_activation(1, 16), *const by = legacy_weight(1, 0);
    float* const to = legacy_output(1);
    for (ai_u32 i = 0; i < kLength; ++i) to[i] = from[i] + by[i];
}

enum { kElementwise = 5, kMaximum = 6 };
static const struct legacy_node nodes[] = {{add, kElementwise, 0},
                                           {scale, kElementwise, 1},
                                           {maximum, kMaximum, 2},
                                           {offset, kElementwise, 3}};

static ai_u32 shape[] = LEGACY_SHAPE(1, kLength, 1, 1);
static ai_u32 first_shape[] = LEGACY_SHAPE(1, kFirstBytes, 1, 1);
static ai_u32 second_shape[] = LEGACY_SHAPE(1, kSecondBytes, 1, 1);
static ai_buffer inputs[] = {LEGACY_BUFFER(AI_BUFFER_FORMAT_FLOAT, kLength, shape, NULL),
                             LEGACY_BUFFER(AI_BUFFER_FORMAT_FLOAT, kLength, shape, NULL)};
static ai_buffer outputs[] = {LEGACY_BUFFER(AI_BUFFER_FORMAT_FLOAT, kLength, shape, NULL),
                              LEGACY_BUFFER(AI_BUFFER_FORMAT_FLOAT, kLength, shape, NULL)};
static ai_buffer weights[] = {LEGACY_BYTES(4 * kLength, first_shape),
                              LEGACY_BYTES(4 * kLength, first_shape)};
static ai_buffer activations[] = {LEGACY_BYTES(kFirstBytes, first_shape),
                                  LEGACY_BYTES(kSecondBytes, second_shape)};

N6VP_LEGACY_WEIGHT_TABLE(LEGACY_EMBEDDED(0), LEGACY_EMBEDDED(4 * kLength));
N6VP_LEGACY_ACTIVATION_TABLE(NULL, NULL);
N6VP_LEGACY_MODEL("buffers", kFirstBytes + kSecondBytes, 8 * kLength,
                  .signature = "n6vp-sample-buffers", .macc = 4 * kLength, .inputs = inputs,
                  .outputs = outputs, .weights = weights, .activations = activations,
                  .nodes = nodes, .n_inputs = 2, .n_outputs = 2, .n_weights = 2, .n_activations = 2,
                  .n_nodes = 4);

// SPDX-License-Identifier: Apache-2.0
#include "user_input.h"

/// Inputs and outputs that the user allocates: two inputs, one output, whose pointers live in .bss
/// and are reached through the setters and getters of the vector.

enum { kInputBytes = 320, kOutputBytes = 40 };

static struct user_buffer user_inputs[2];
static struct user_buffer user_outputs[1];
N6VP_POOL_PAYLOAD("flash", 80, 0x10);
static N6VP_IN_PARAMETERS int8_t weights[kInputBytes];

enum user_io_result model_set_input(uint32_t index, void* buffer, uint32_t bytes) {
    return user_buffer_set(user_inputs, 2, kInputBytes, index, buffer, bytes);
}
void* model_get_input(uint32_t index) {
    return index < 2 ? user_inputs[index].address : NULL;
}
enum user_io_result model_set_output(uint32_t index, void* buffer, uint32_t bytes) {
    return user_buffer_set(user_outputs, 1, kOutputBytes, index, buffer, bytes);
}
void* model_get_output(uint32_t index) {
    return index == 0 ? user_outputs[0].address : NULL;
}

static N6VP_EPOCH_FUNCTION(correlate) {
    N6VP_EPOCH_UNUSED();
    const int8_t* left = user_inputs[0].address;
    const int8_t* right = user_inputs[1].address;
    int8_t* out = user_outputs[0].address;
    if (!left || !right || !out) return;
    for (uint32_t row = 0; row < kOutputBytes; ++row) {
        int32_t sum = 0;
        for (uint32_t i = row * 8; i < row * 8 + 8; ++i) sum += (left[i] - right[i]) * weights[i];
        out[row] = (int8_t)(sum >> 8);
    }
    model_mcu_clean(out, kOutputBytes);
}

static const struct epoch_item items[] = {
    {.end = correlate, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

static const uint32_t input_shape[] = {1, 1, 40, 8};
static const uint32_t output_shape[] = {1, 1, 40, 1};
static const float scale[] = {0.0078125f};
static const int16_t zero_point[] = {0};
#define TENSOR(text, variable, bytes, dimensions, channels)                                  \
    {                                                                                        \
        .name = text, .addr_base = &(variable).address, .offset_end = (bytes),               \
        .offset_limit = (bytes) + 8, .is_user_allocated = 1, .batch = (channels),            \
        .mem_shape = (dimensions), .mem_ndims = 4, .chpos = kChannelLast, .type = kTypeInt8, \
        .qm = 7, .ndims = 4, .nbits = 8, .shape = (dimensions), .scale = scale,              \
        .offset = zero_point                                                                 \
    }
static const struct buffer_info inputs[] = {
    TENSOR("Input_0", user_inputs[0], kInputBytes, input_shape, 8),
    TENSOR("Input_1", user_inputs[1], kInputBytes, input_shape, 8),
    {.name = NULL}};
static const struct buffer_info outputs[] = {
    TENSOR("Output_0", user_outputs[0], kOutputBytes, output_shape, 1), {.name = NULL}};
const struct buffer_info* model_inputs(void) {
    return inputs;
}
const struct buffer_info* model_outputs(void) {
    return outputs;
}

N6VP_POOLS({"flash", kPoolRelocParam, 0, 0, sizeof weights});
N6VP_RELOC_MODEL("user_io", 0, sizeof weights, 0);

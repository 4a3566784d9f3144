// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

/// Everything that the loader relocates in RAM: GOT words (code below reaches each variable through
/// one), pointers in .data to RAM, to constants and to functions, and variables in .bss.

static uint32_t calls = 1;
static uint32_t history[32];
uint32_t total;
static const char* const kStages[] = {"load", "run", "store"};
static const char* current_stage = "idle";
static uint32_t* last_entry = &history[31];
uint32_t* const total_address = &total;

static N6VP_EPOCH_FUNCTION(count_call) {
    N6VP_EPOCH_UNUSED();
    history[calls % 32] = calls;
    last_entry = &history[calls % 32];
    total += *last_entry;
    current_stage = kStages[calls++ % 3];
}

static N6VP_EPOCH_FUNCTION(note_stage) {
    N6VP_EPOCH_UNUSED();
    *total_address += (uint32_t)current_stage[0];
}

static const struct epoch_item items[] = {
    {.end = count_call, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.end = note_stage, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(2, 2)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

static uint8_t input[64] __attribute__((aligned(8)));
static uint8_t output[32] __attribute__((aligned(8)));
static const uint32_t input_shape[] = {1, 8, 8, 1};
static const uint32_t output_shape[] = {1, 4, 8, 1};
static const float scale[] = {0.00392156885f};
static const int16_t zero_point[] = {-128};

#define TENSOR(text, array, dimensions)                                                            \
    {                                                                                              \
        .name = text, .addr_base = (array), .offset_end = sizeof(array),                           \
        .offset_limit = sizeof(array) + 64, .batch = 1, .mem_shape = (dimensions), .mem_ndims = 4, \
        .chpos = kChannelLast, .type = kTypeInt8, .qm = 7, .ndims = 4, .nbits = 8,                 \
        .shape = (dimensions), .scale = scale, .offset = zero_point                                \
    }
static const struct buffer_info inputs[] = {TENSOR("Input_0", input, input_shape), {.name = NULL}};
static const struct buffer_info outputs[] = {TENSOR("Output_0", output, output_shape),
                                             {.name = NULL}};
const struct buffer_info* model_inputs(void) {
    return inputs;
}
const struct buffer_info* model_outputs(void) {
    return outputs;
}

N6VP_POOL_PAYLOAD("flash", 300, 0x1234567);
static N6VP_IN_PARAMETERS int8_t weights[1200];
const int8_t* model_weights(void) {
    return weights;
}

N6VP_POOLS({"flash", kPoolRelocParam, 0, 0, sizeof weights});
N6VP_RELOC_MODEL("got_data", sizeof input + sizeof output, sizeof weights, 0);

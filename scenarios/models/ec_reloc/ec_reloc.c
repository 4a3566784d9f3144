// SPDX-License-Identifier: Apache-2.0
#include "../ec_program.h"
#include "user_input.h"

/// An epoch-controller container in constants: initialisation copies its blob to RAM and relocates
/// it to the external RAM pool, the start of an inference relocates it to the user's input.

static const struct ec_container container __attribute__((aligned(8))) = EC_CONTAINER("xram");
static struct ec_blob blob __attribute__((aligned(8)));
static uint32_t pool_base, input_base;
static struct user_buffer user_inputs[1];

static N6VP_IN_EXTERNAL_RAM uint8_t result[kStreamBytes];
N6VP_POOL_PAYLOAD("flash", 16, 0xEC);
static N6VP_IN_PARAMETERS uint32_t weights[16];
const uint32_t* model_weights(void) {
    return weights;
}

bool model_ec_network_init(void) {
    model_npu_clean_invalidate(&blob, sizeof blob);
    pool_base = 0;
    input_base = 0;
    if (!ec_load(&container, sizeof container, &blob, sizeof blob / 4)) return false;
    if (!ec_relocate(&container, sizeof container, &blob, "xram", result, &pool_base)) return false;
    model_mcu_clean(&blob, sizeof blob);
    return true;
}

bool model_ec_inference_init(void) {
    if (!ec_relocate(&container, sizeof container, &blob, "_user_io_input_0",
                     user_inputs[0].address, &input_base)) {
        return false;
    }
    model_mcu_clean(&blob, sizeof blob);
    return true;
}

enum user_io_result model_set_input(uint32_t index, void* buffer, uint32_t bytes) {
    return user_buffer_set(user_inputs, 1, kStreamBytes, index, buffer, bytes);
}
void* model_get_input(uint32_t index) {
    return index == 0 ? user_inputs[0].address : NULL;
}

static struct epoch_item items[] = {
    {.blob = (uintptr_t)&blob, .flags = kEpochBlob, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

static const uint32_t shape[] = {1, 8, 8, 3};
#define TENSOR(text, place, user, pad)                                                          \
    {                                                                                           \
        .name = text, .addr_base = (place), .offset_end = kStreamBytes,                         \
        .offset_limit = kStreamBytes + (pad), .is_user_allocated = (user), .batch = 3,          \
        .mem_shape = shape, .mem_ndims = 4, .chpos = kChannelLast, .type = kTypeUint8, .qm = 8, \
        .qunsigned = 1, .ndims = 4, .nbits = 8, .shape = shape                                  \
    }
static const struct buffer_info inputs[] = {TENSOR("Input_0", &user_inputs[0].address, 1, 8),
                                            {.name = NULL}};
static const struct buffer_info outputs[] = {TENSOR("Output_0", result, 0, 64), {.name = NULL}};
const struct buffer_info* model_inputs(void) {
    return inputs;
}
const struct buffer_info* model_outputs(void) {
    return outputs;
}

N6VP_POOLS({"xram", kPoolRelocActiv, 0, 0, sizeof result},
           {"flash", kPoolRelocParam, 0, 0, sizeof weights});
N6VP_RELOC_MODEL("ec_reloc", sizeof result, sizeof weights, sizeof result);

// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

/// Built by clang with -fropi -frwpi: no GOT, and constant tables that hold addresses lie in the
/// read-only part, where the loader can patch them only in COPY mode. Whatever lives in parameter
/// space is reached through pointers in .data.

static uint32_t rounds = 2;
static uint32_t scratch[24];

static uint32_t rotate_left(uint32_t value) {
    return value << 3 | value >> 29;
}
static uint32_t fold(uint32_t value) {
    return value ^ value >> 16;
}

// Read-only words with addresses: functions, strings, variables, parameters.
static uint32_t (*const kSteps[])(uint32_t) = {rotate_left, fold};
static const char* const kNames[] = {"rotate", "fold"};
static uint32_t* const kLast = &scratch[23];

N6VP_POOL_PAYLOAD("flash", 64, 0x600DCAFE);
static N6VP_IN_PARAMETERS const uint32_t weights[64];

// Not static: a compiler that saw every use would replace the pointer by the address itself, which
// code cannot hold.
struct range {
    const void* start;
    uint32_t bytes;
};
struct range weight_range = {weights, sizeof weights};

static N6VP_EPOCH_FUNCTION(mix) {
    N6VP_EPOCH_UNUSED();
    const uint32_t* words = weight_range.start;
    for (uint32_t i = 0; i < rounds; ++i) {
        scratch[i % 24] = kSteps[i & 1](words[i] + (uint32_t)kNames[i & 1][0]);
    }
    *kLast += ++rounds;
    model_mcu_clean(scratch, sizeof scratch);
}

static const struct epoch_item items[] = {
    {.end = mix, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

static const uint32_t output_shape[] = {1, 1, 1, 96};
static const struct buffer_info outputs[] = {
    {.name = "Output_0",
     .addr_base = scratch,
     .offset_end = sizeof scratch,
     .offset_limit = sizeof scratch + 64,
     .batch = 96,
     .mem_shape = output_shape,
     .mem_ndims = 4,
     .chpos = kChannelLast,
     .type = kTypeUint8,
     .qm = 8,
     .qunsigned = 1,
     .ndims = 4,
     .nbits = 8,
     .shape = output_shape},
    {.name = NULL},
};
const struct buffer_info* model_outputs(void) {
    return outputs;
}

N6VP_POOLS({"flash", kPoolRelocParam, 0, 0, sizeof weights});
N6VP_RELOC_MODEL("clang_ro", sizeof scratch, sizeof weights, 0);

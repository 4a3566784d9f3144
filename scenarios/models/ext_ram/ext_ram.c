// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

/// Activations in relocatable external RAM: a RELOC.ACTIV.1 pool, cleared only on request.

static N6VP_IN_EXTERNAL_RAM uint8_t frame[12345];
static N6VP_IN_EXTERNAL_RAM uint32_t histogram[256];
N6VP_POOL_PAYLOAD("flash", 100, 0xE47);
static N6VP_IN_PARAMETERS uint32_t gains[100];

static uint32_t frames = 1;
uint32_t* const busiest = &histogram[128];

static N6VP_EPOCH_FUNCTION(count_pixels) {
    N6VP_EPOCH_UNUSED();
    for (uint32_t i = 0; i < sizeof frame; ++i) histogram[frame[i]] += gains[i % 100];
    *busiest += frames++;
    model_mcu_clean(histogram, sizeof histogram);
}

static const struct epoch_item items[] = {
    {.end = count_pixels, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

static const uint32_t input_shape[] = {1, 1, 1, sizeof frame};
static const struct buffer_info inputs[] = {
    {.name = "Input_0",
     .addr_base = frame,
     .offset_end = sizeof frame,
     .offset_limit = sizeof frame + 71,
     .batch = 1,
     .mem_shape = input_shape,
     .mem_ndims = 4,
     .chpos = kChannelLast,
     .type = kTypeUint8,
     .qm = 8,
     .qunsigned = 1,
     .ndims = 4,
     .nbits = 8,
     .shape = input_shape},
    {.name = NULL},
};
const struct buffer_info* model_inputs(void) {
    return inputs;
}

// The linker orders and aligns the two arrays; nothing but their sum of sizes and padding matters.
enum { kPoolBytes = sizeof frame + 3 + sizeof histogram };
N6VP_POOLS({"hyperRAM", kPoolRelocActiv, 0, 0, kPoolBytes},
           {"flash", kPoolRelocParam, 0, 0, sizeof gains});
N6VP_RELOC_MODEL("ext_ram", kPoolBytes, sizeof gains, kPoolBytes);

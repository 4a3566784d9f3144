// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

/// A pool of each kind that lives on the chip, beside weights used in place: parameters copied to
/// fixed addresses, a read/write pool whose parameters are copied too, activations that are only
/// cleared. Sizes are no multiples of 8, so that the rounding shows.

enum { kWeightBytes = 4092, kCopyBytes = 1021, kMixedBytes = 2050, kActivationBytes = 3001 };

N6VP_POOL_PAYLOAD("flash", 1023, 0xF1A5);
N6VP_POOL_PAYLOAD("npuRAM3", 256, 0xC0B1);
N6VP_POOL_PAYLOAD("npuRAM4", 200, 0x313D);
static N6VP_IN_PARAMETERS int8_t weights[kWeightBytes];

static int8_t* const copied = (int8_t*)N6VP_ON_CHIP(0x0000);
static uint8_t* const mixed = (uint8_t*)N6VP_ON_CHIP(0x1000);
static uint8_t* const activations = (uint8_t*)N6VP_ON_CHIP(0x2000);

static uint32_t runs;

static N6VP_EPOCH_FUNCTION(first_layer) {
    N6VP_EPOCH_UNUSED();
    for (uint32_t i = 0; i < kCopyBytes; ++i) {
        activations[i] = (uint8_t)(copied[i] * weights[i] + mixed[i]);
    }
    ++runs;
    model_mcu_clean(activations, kActivationBytes);
}

static const struct epoch_item items[] = {
    {.end = first_layer, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

static const uint32_t shape[] = {1, 1, 1, kCopyBytes};
static const struct buffer_info outputs[] = {
    {.name = "Output_0",
     .addr_base = (void*)N6VP_ON_CHIP(0x2000),
     .offset_end = kCopyBytes,
     .offset_limit = kCopyBytes + 67,
     .batch = kCopyBytes,
     .mem_shape = shape,
     .mem_ndims = 4,
     .chpos = kChannelLast,
     .type = kTypeUint8,
     .qm = 8,
     .qunsigned = 1,
     .ndims = 4,
     .nbits = 8,
     .shape = shape},
    {.name = NULL},
};
const struct buffer_info* model_outputs(void) {
    return outputs;
}

N6VP_POOLS({"flash", kPoolRelocParam, 0, 0, kWeightBytes},
           {"npuRAM5", kPoolResetActiv, 0, N6VP_ON_CHIP(0x2000), kActivationBytes},
           {"npuRAM4", kPoolCopyMixed, 0, N6VP_ON_CHIP(0x1000), kMixedBytes},
           {"npuRAM3", kPoolCopyParam, 0, N6VP_ON_CHIP(0x0000), kCopyBytes});
N6VP_RELOC_MODEL("pools", kActivationBytes + kMixedBytes, kWeightBytes + kCopyBytes, 0);

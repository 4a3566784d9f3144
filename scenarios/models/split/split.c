// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

/// Packed with --split: the parameters are a second file, whose address the installer is told.

N6VP_POOL_PAYLOAD("flash", 1500, 0x5911);
static N6VP_IN_PARAMETERS int8_t weights[5999];
static int32_t sums[8];

static N6VP_EPOCH_FUNCTION(sum_rows) {
    N6VP_EPOCH_UNUSED();
    for (uint32_t i = 0; i < sizeof weights; ++i) sums[i & 7] += weights[i];
}

static const struct epoch_item items[] = {
    {.end = sum_rows, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

static const uint32_t shape[] = {1, 1, 1, 8};
static const struct buffer_info outputs[] = {
    {.name = "Output_0",
     .addr_base = sums,
     .offset_end = sizeof sums,
     .offset_limit = sizeof sums + 64,
     .batch = 8,
     .mem_shape = shape,
     .mem_ndims = 4,
     .chpos = kChannelLast,
     .type = kTypeInt32,
     .qm = 31,
     .ndims = 4,
     .nbits = 32,
     .shape = shape},
    {.name = NULL},
};
const struct buffer_info* model_outputs(void) {
    return outputs;
}

N6VP_POOLS({"flash", kPoolRelocParam, 0, 0, sizeof weights});
N6VP_RELOC_MODEL("split", sizeof sums, sizeof weights, 0);

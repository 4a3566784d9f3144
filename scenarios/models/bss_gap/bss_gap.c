// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

/// .bss is aligned to 16 and the GOT ends elsewhere, so the loader fills the gap between them with
/// what follows the GOT in the file: padding and the first relocation entries.

static uint32_t vectors[20] __attribute__((aligned(16)));
static uint32_t step = 1;
// Makes the relocation table start 8 bytes before .bss in every generation, whose tables differ in
// length: two entries, after 4 bytes of padding or none, go into the gap.
#if N6VP_GENERATION == 21
uint32_t spacer[5] = {1};
#elif N6VP_GENERATION == 22
uint32_t spacer[4] = {1};
#else
uint32_t spacer[6] = {1};
#endif
uint32_t* const first_vector = &vectors[0];
N6VP_POOL_PAYLOAD("flash", 12, 0x6A9);
static N6VP_IN_PARAMETERS uint32_t weights[12];

static N6VP_EPOCH_FUNCTION(advance) {
    N6VP_EPOCH_UNUSED();
    vectors[step % 20] = weights[step % 12] + *first_vector;
    ++step;
}

static const struct epoch_item items[] = {
    {.end = advance, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

N6VP_POOLS({"flash", kPoolRelocParam, 0, 0, sizeof weights});
N6VP_RELOC_MODEL("bss_gap", sizeof vectors, sizeof weights, 0);

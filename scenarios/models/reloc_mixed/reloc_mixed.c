// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

/// A RELOC.MIXED.1 pool: external RAM that starts with parameters copied from the file and goes on
/// with activations; beside it weights used in place, which stand behind the copied ones in the
/// parameter section, so that foff of the second pool is not 0.

struct external_memory {
    int16_t coefficients[512];
    uint8_t activations[3000];
};
static N6VP_IN_EXTERNAL_RAM struct external_memory memory;
N6VP_POOL_PAYLOAD("hyperRAM", 256, 0x312ED);
N6VP_POOL_PAYLOAD("flash", 333, 0xF00D);
static N6VP_IN_PARAMETERS uint32_t table[333];

static uint32_t position;
uint8_t* cursor = memory.activations;

static N6VP_EPOCH_FUNCTION(filter) {
    N6VP_EPOCH_UNUSED();
    *cursor = (uint8_t)(memory.coefficients[position % 512] + (int32_t)table[position % 333]);
    cursor = &memory.activations[++position % 3000];
    model_mcu_clean(&memory, sizeof memory);
}

static const struct epoch_item items[] = {
    {.end = filter, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

N6VP_POOLS({"hyperRAM", kPoolRelocMixed, 0, 0, sizeof memory},
           {"flash", kPoolRelocParam, 0, 0, sizeof table});
N6VP_RELOC_MODEL("reloc_mixed", sizeof memory.activations,
                 sizeof memory.coefficients + sizeof table, sizeof memory);

// SPDX-License-Identifier: Apache-2.0
#include "../ec_program.h"

/// The epoch-controller container travels at the head of the parameter section. A table in RAM
/// holds its address, and the COPY pool's content starts behind it, at foff = size of the
/// containers.

enum { kCopyBytes = 800, kResultBytes = kStreamBytes };

static N6VP_BLOB_IN_PARAMETERS const struct ec_container container = EC_CONTAINER("npuRAM4");
const struct ec_container* const ec_blob_table[] = {&container};
static struct ec_blob blob __attribute__((aligned(8)));
static uint32_t pool_base;

N6VP_POOL_PAYLOAD("npuRAM3", 200, 0xB10B);

bool model_ec_network_init(void) {
    model_npu_clean_invalidate(&blob, sizeof blob);
    pool_base = 0;
    const struct ec_container* const source = ec_blob_table[0];
    if (!ec_load(source, sizeof *source, &blob, sizeof blob / 4)) return false;
    if (!ec_relocate(source, sizeof *source, &blob, "npuRAM4", (void*)N6VP_ON_CHIP(0x1000),
                     &pool_base)) {
        return false;
    }
    model_mcu_clean(&blob, sizeof blob);
    return true;
}

static struct epoch_item items[] = {
    {.blob = (uintptr_t)&blob, .flags = kEpochBlob, N6VP_EPOCH_NUMBERS(1, 1)},
    {.flags = kEpochLast},
};
const struct epoch_item* model_epoch_items(void) {
    return items;
}

N6VP_POOLS({"npuRAM4", kPoolResetActiv, 0, N6VP_ON_CHIP(0x1000), kResultBytes},
           {"npuRAM3", kPoolCopyParam, 0, N6VP_ON_CHIP(0x0000), kCopyBytes});
N6VP_RELOC_MODEL("blobs_in_params", kResultBytes, kCopyBytes, 0);

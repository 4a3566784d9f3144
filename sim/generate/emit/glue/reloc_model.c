// SPDX-License-Identifier: Apache-2.0
#include "reloc_model.h"

#define N6VP_WEAK __attribute__((weak))

N6VP_WEAK bool model_ec_network_init(void) {
    return true;
}
N6VP_WEAK bool model_ec_inference_init(void) {
    return true;
}

N6VP_WEAK enum user_io_result model_set_input(uint32_t index, void* buffer, uint32_t bytes) {
    (void)index, (void)buffer, (void)bytes;
    return kUserIoWrongIndex;
}

N6VP_WEAK void* model_get_input(uint32_t index) {
    (void)index;
    return NULL;
}

N6VP_WEAK enum user_io_result model_set_output(uint32_t index, void* buffer, uint32_t bytes) {
    (void)index, (void)buffer, (void)bytes;
    return kUserIoWrongIndex;
}

N6VP_WEAK void* model_get_output(uint32_t index) {
    (void)index;
    return NULL;
}

static const struct epoch_item no_epochs[] = {{.flags = kEpochLast}};
static const struct buffer_info no_buffers[1];

N6VP_WEAK const struct epoch_item* model_epoch_items(void) {
    return no_epochs;
}
N6VP_WEAK const struct buffer_info* model_outputs(void) {
    return no_buffers;
}
N6VP_WEAK const struct buffer_info* model_inputs(void) {
    return no_buffers;
}
N6VP_WEAK const struct buffer_info* model_internals(void) {
    return NULL;
}

static const struct encryption_info no_encryption;

N6VP_WEAK const struct encryption_info* model_weight_encryption(void) {
    return &no_encryption;
}
N6VP_WEAK const struct encryption_info* model_blob_encryption(void) {
    return &no_encryption;
}

void model_mcu_clean(const void* start, uint32_t bytes) {
    const struct callbacks* firmware = _network_rt_ctx.callbacks;
    if (firmware && firmware->mcu_clean) firmware->mcu_clean((uintptr_t)start, bytes);
}

void model_npu_clean_invalidate(const void* start, uint32_t bytes) {
    const struct callbacks* firmware = _network_rt_ctx.callbacks;
    if (firmware && firmware->npu_clean_invalidate) {
        firmware->npu_clean_invalidate((uintptr_t)start, bytes);
    }
}

// The model is self-contained: the compiler may call these four, and there is no C library to have
// them from. -fno-tree-loop-distribute-patterns keeps it from turning the loops into calls of
// themselves.
void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
    unsigned char* out = to;
    const unsigned char* in = from;
    while (bytes-- != 0) *out++ = *in++;
    return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
    unsigned char* out = to;
    const unsigned char* in = from;
    if ((uintptr_t)out - (uintptr_t)in >= bytes) return memcpy(to, from, bytes);
    while (bytes-- != 0) out[bytes] = in[bytes];
    return to;
}

void* memset(void* to, int value, size_t bytes) {
    unsigned char* out = to;
    while (bytes-- != 0) *out++ = (unsigned char)value;
    return to;
}

int memcmp(const void* left, const void* right, size_t bytes) {
    const unsigned char* a = left;
    const unsigned char* b = right;
    for (; bytes-- != 0; ++a, ++b) {
        if (*a != *b) return *a - *b;
    }
    return 0;
}

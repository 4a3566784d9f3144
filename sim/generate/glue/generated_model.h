// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_GENERATED_MODEL_H
#define N6VP_GENERATED_MODEL_H

/// What a generated network needs beside its tables: epochs that the core programs, blobs that the
/// epoch controller runs, and the operators that are computed on the core.

#include "reloc_model.h"

// --- Caches of the core --------------------------------------------------------------------------

static inline void gen_mcu_invalidate(const void* start, uint32_t bytes) {
    const struct callbacks* firmware = _network_rt_ctx.callbacks;
    if (firmware && firmware->mcu_invalidate) firmware->mcu_invalidate((uintptr_t)start, bytes);
}

// --- Epochs programmed by the core ---------------------------------------------------------------

#define GEN_NPU (N6VP_SECURE ? 0x580E0000u : 0x480E0000u)

/// One access: what to do in the top four bits of `at`, the offset in the NPU's window below.
struct gen_step {
    uint32_t at, value;
};
enum { kGenWrite, kGenWriteWeights, kGenSetBits, kGenClearBits, kGenWaitZero };

static inline void gen_play(const struct gen_step* step, uint32_t count, uintptr_t weights) {
    for (; count != 0; --count, ++step) {
        volatile uint32_t* const place =
            (volatile uint32_t*)(uintptr_t)(GEN_NPU + (step->at & 0x0FFFFFFFu));
        switch (step->at >> 28) {
            case kGenWrite:
                *place = step->value;
                break;
            case kGenWriteWeights:
                *place = step->value + (uint32_t)weights;
                break;
            case kGenSetBits:
                *place |= step->value;
                break;
            case kGenClearBits:
                *place &= ~step->value;
                break;
            default:
                while ((*place & step->value) != 0) {
                }
                break;
        }
    }
}

// --- Blobs of the epoch controller ---------------------------------------------------------------

/// A container and the memory that its blob runs in.
struct gen_blob {
    const uint32_t* container;
    uint32_t* memory;
    uint32_t words;  ///< of the blob with its head
};

#if N6VP_GENERATION == 21
enum { kGenRelocWord = 1, kGenBlobWord = 3 };
#else
enum { kGenRelocWord = 1, kGenBlobWord = 4 };
#endif

/// Copies a blob to its memory and adds the address of the weights to every word of its relocation
/// table, whose only symbol they are.
static inline void gen_load_blob(const struct gen_blob* blob, uintptr_t weights) {
    const uint32_t* const container = blob->container;
    const uint32_t* const from = container + container[kGenBlobWord] / 4;
    model_npu_clean_invalidate(blob->memory, blob->words * 4);
    for (uint32_t i = 0; i < blob->words; ++i) blob->memory[i] = from[i];
    if (container[kGenRelocWord] != 0) {
        const uint32_t* const table = container + container[kGenRelocWord] / 4;
        const uint32_t count = table[2];
        const uint32_t* const indices = table + table[3] / 4;
        for (uint32_t i = 0; i < count; ++i) blob->memory[2 + indices[i]] += (uint32_t)weights;
    }
    model_mcu_clean(blob->memory, blob->words * 4);
}

// --- Operators on the core -----------------------------------------------------------------------

/// Softmax of rows of int8. `table[d]` is exp(-d * scale * beta) * 2^22; results have scale 1/256
/// and zero point -128. At most 512 elements, so that sums stay below 2^31.
static inline void gen_softmax(const int8_t* in, int8_t* out, uint32_t rows, uint32_t elements,
                               const uint32_t* table) {
    for (; rows != 0; --rows, in += elements, out += elements) {
        int32_t largest = in[0];
        for (uint32_t i = 1; i < elements; ++i) largest = in[i] > largest ? in[i] : largest;
        uint32_t sum = 0;
        for (uint32_t i = 0; i < elements; ++i) sum += table[largest - in[i]];
        for (uint32_t i = 0; i < elements; ++i) {
            const uint32_t share = (table[largest - in[i]] * 256u + sum / 2) / sum;
            out[i] = (int8_t)(share > 255 ? 127 : (int32_t)share - 128);
        }
    }
}

#endif  // N6VP_GENERATED_MODEL_H

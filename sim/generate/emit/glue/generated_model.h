// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_GENERATED_MODEL_H
#define N6VP_GENERATED_MODEL_H

/// What a generated network needs beside its tables: epochs that the core programs, blobs that the
/// epoch controller runs, and the operators that are computed on the core.

#include <arm_mve.h>

#include "user_input.h"

/// Where memory without a fixed address is: number 1 the weights, 2 the external RAM, from 3 on the
/// tensors whose memory is the user's. The generated source has the function.
typedef uint32_t gen_base_function(uint32_t number);
enum { kGenFirstUser = 3 };

// --- Caches of the core --------------------------------------------------------------------------

static inline void gen_mcu_invalidate(const void* start, uint32_t bytes) {
    const struct callbacks* firmware = _network_rt_ctx.callbacks;
    if (firmware && firmware->mcu_invalidate) firmware->mcu_invalidate((uintptr_t)start, bytes);
}

// --- Epochs programmed by the core ---------------------------------------------------------------

#define GEN_NPU (N6VP_SECURE ? 0x580E0000u : 0x480E0000u)

/// One access: what to do in the top four bits of `at`, the number of the base that is added in the
/// next eight, the offset in the NPU's window below.
struct gen_step {
    uint32_t at, value;
};
enum { kGenWrite, kGenSetBits, kGenClearBits, kGenWaitZero };

static inline void gen_play(const struct gen_step* step, uint32_t count, gen_base_function* base) {
    for (; count != 0; --count, ++step) {
        volatile uint32_t* const place =
            (volatile uint32_t*)(uintptr_t)(GEN_NPU + (step->at & 0x000FFFFFu));
        switch (step->at >> 28) {
            case kGenWrite:
                *place = step->value + base(step->at >> 20 & 0xFFu);
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
    uint32_t words;        ///< of the blob with its head
    const uint8_t* bases;  ///< numbers, in the order of the container's symbols
    uint32_t* relocated;   ///< what has been added for each of them
    uint32_t symbols;
};

#if N6VP_GENERATION == 21
enum { kGenRelocWord = 1, kGenBlobWord = 3 };
#else
enum { kGenRelocWord = 1, kGenBlobWord = 4 };
#endif

/// Adds the address of a symbol's memory to the words that count from it.
static inline void gen_relocate(const struct gen_blob* blob, uint32_t symbol, uint32_t address) {
    const uint32_t* const table = blob->container + blob->container[kGenRelocWord] / 4;
    const uint32_t count = table[2 + 3 * symbol];
    const uint32_t* const indices = table + table[3 + 3 * symbol] / 4;
    const uint32_t difference = address - blob->relocated[symbol];
    for (uint32_t i = 0; i < count; ++i) blob->memory[2 + indices[i]] += difference;
    blob->relocated[symbol] = address;
}

/// Copies a blob to its memory and relocates what counts from memory that is known already.
static inline void gen_load_blob(const struct gen_blob* blob, gen_base_function* base) {
    const uint32_t* const container = blob->container;
    const uint32_t* const from = container + container[kGenBlobWord] / 4;
    model_npu_clean_invalidate(blob->memory, blob->words * 4);
    for (uint32_t i = 0; i < blob->words; ++i) blob->memory[i] = from[i];
    for (uint32_t i = 0; i < blob->symbols; ++i) {
        blob->relocated[i] = 0;
        if (blob->bases[i] < kGenFirstUser) gen_relocate(blob, i, base(blob->bases[i]));
    }
    model_mcu_clean(blob->memory, blob->words * 4);
}

/// Relocates what counts from the user's memory, which may be another one in every inference.
static inline void gen_set_user_addresses(const struct gen_blob* blob, gen_base_function* base) {
    bool changed = false;
    for (uint32_t i = 0; i < blob->symbols; ++i) {
        if (blob->bases[i] < kGenFirstUser) continue;
        const uint32_t address = base(blob->bases[i]);
        if (address == blob->relocated[i]) continue;
        gen_relocate(blob, i, address);
        changed = true;
    }
    if (changed) model_mcu_clean(blob->memory, blob->words * 4);
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

/// The same, four elements at a time (Helium), the last ones of a row by predication. It has more
/// code, which an inference has to fetch from flash first.
static inline void gen_softmax_helium(const int8_t* in, int8_t* out, uint32_t rows,
                                      uint32_t elements, const uint32_t* table) {
    for (; rows != 0; --rows, in += elements, out += elements) {
        int8_t largest = in[0];
        for (uint32_t i = 0; i < elements; i += 16) {
            const mve_pred16_t rest = vctp8q(elements - i);
            largest = vmaxvq_p_s8(largest, vldrbq_z_s8(in + i, rest), rest);
        }
        const int32x4_t top = vdupq_n_s32(largest);
        uint32_t sum = 0;
        for (uint32_t i = 0; i < elements; i += 4) {
            const mve_pred16_t rest = vctp32q(elements - i);
            const int32x4_t below = vsubq_s32(top, vldrbq_z_s32(in + i, rest));
            const uint32x4_t power =
                vldrwq_gather_shifted_offset_z_u32(table, vreinterpretq_u32_s32(below), rest);
            sum = vaddvaq_p_u32(sum, power, rest);
        }
        // A dividend below 2^32 times this, without its lower half, is the quotient or one less.
        const uint32_t reciprocal = 0xFFFFFFFFu / sum;
        for (uint32_t i = 0; i < elements; i += 4) {
            const mve_pred16_t rest = vctp32q(elements - i);
            const int32x4_t below = vsubq_s32(top, vldrbq_z_s32(in + i, rest));
            const uint32x4_t power =
                vldrwq_gather_shifted_offset_z_u32(table, vreinterpretq_u32_s32(below), rest);
            const uint32x4_t dividend = vaddq_n_u32(vshlq_n_u32(power, 8), sum / 2);
            uint32x4_t share = vmulhq_u32(dividend, vdupq_n_u32(reciprocal));
            const uint32x4_t left = vsubq_u32(dividend, vmulq_n_u32(share, sum));
            share = vaddq_m_n_u32(share, share, 1, vcmpcsq_n_u32(left, sum));
            const int32x4_t stored = vreinterpretq_s32_u32(vminq_u32(share, vdupq_n_u32(255)));
            vstrbq_p_s32(out + i, vsubq_n_s32(stored, 128), rest);
        }
    }
}

#endif  // N6VP_GENERATED_MODEL_H

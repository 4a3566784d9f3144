/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest.h"

/* Word 0 of the job: which scenario; word 1: 1 for its correct twin. Result 0: what the party that
 * depends on the maintenance saw. */

enum {
    BUFFER = 0x34200000,  /* AXISRAM3 */
    CODE = 0x34100000,    /* AXISRAM2 */
    WEIGHTS = 0x90100000, /* PSRAM, write-through for the core */
    BYTES = 64,
    OLD = 0x11111111,
    CORES = 0x22222222,
    OTHERS = 0x33333333,
};

static void fill(uint32_t start, uint32_t value) {
    for (uint32_t i = 0; i < BYTES / 4; ++i) REGISTER(start)[i] = value;
}

static void other_writes(uint32_t call, uint32_t start, uint32_t value) {
    host(HOST_VALUE, value);
    host(call, start);
}

/* The core leaves new bytes in its cache, then `reader` fetches them. */
static uint32_t hand_over(uint32_t reader, uint32_t correct) {
    other_writes(HOST_NPU_WRITE, BUFFER, OLD);
    fill(BUFFER, CORES);
    if (correct) maintain(DCCMVAC, BUFFER, BYTES);
    return host(reader, BUFFER);
}

static uint32_t missing_invalidate(uint32_t correct) {
    other_writes(HOST_NPU_WRITE, BUFFER, OLD);
    (void)*REGISTER(BUFFER);
    other_writes(HOST_NPU_WRITE, BUFFER, OTHERS);
    if (correct) maintain(DCIMVAC, BUFFER, BYTES);
    return *REGISTER(BUFFER);
}

/* movs r0, #value; bx lr */
static uint32_t install_and_call(uint32_t value, uint32_t invalidate) {
    *REGISTER(CODE) = 0x47702000 | value;
    maintain(DCCMVAC, CODE, 4);
    if (invalidate) {
        *REGISTER(ICIALLU) = 0;
        barrier();
    }
    return ((uint32_t(*)(void))(CODE | 1u))();
}

static uint32_t model_swap(uint32_t correct) {
    enable_npu_cache();
    other_writes(HOST_LOADER_WRITE, WEIGHTS, OLD);
    (void)host(HOST_NPU_READ_CACHED, WEIGHTS);
    other_writes(HOST_LOADER_WRITE, WEIGHTS, OTHERS);
    if (correct) npu_cache_invalidate();
    return host(HOST_NPU_READ_CACHED, WEIGHTS);
}

static uint32_t dirty_eviction(uint32_t correct) {
    enum { WAY = 8192 };
    other_writes(HOST_NPU_WRITE, BUFFER, OLD);
    *REGISTER(BUFFER) = CORES;
    if (correct) maintain(DCCIMVAC, BUFFER, BYTES);
    other_writes(HOST_NPU_WRITE, BUFFER, OTHERS);
    /* Twice: the first access to memory that nobody wrote before may pass the model's cache by. */
    for (uint32_t i = 0; i < 16; ++i) *REGISTER(BUFFER + (1 + i % 8) * WAY) = i;
    barrier();
    return host(HOST_NPU_READ, BUFFER);
}

/* The master starts while the write-backs are still on their way. */
static uint32_t missing_barrier(uint32_t correct) {
    other_writes(HOST_NPU_WRITE, BUFFER, OLD);
    fill(BUFFER, CORES);
    barrier();
    each_line(DCCMVAC, BUFFER, BYTES);
    if (correct) barrier();
    return host(HOST_NPU_READ, BUFFER);
}

static uint32_t discarded(uint32_t correct) {
    other_writes(HOST_NPU_WRITE, BUFFER, OLD);
    fill(BUFFER, CORES);
    maintain(correct ? DCCIMVAC : DCIMVAC, BUFFER, BYTES);
    return *REGISTER(BUFFER);
}

/* A variable beside a buffer of 16 bytes; the twin gives the buffer a line of its own. */
static uint32_t unaligned(uint32_t correct) {
    const uint32_t buffer = BUFFER + (correct ? 32 : 16);
    other_writes(HOST_NPU_WRITE, BUFFER, OLD);
    *REGISTER(BUFFER) = CORES;
    host(HOST_WRITE_BYTES, 16);
    other_writes(HOST_NPU_WRITE, buffer, OTHERS);
    maintain(DCIMVAC, buffer, 16);
    return *REGISTER(BUFFER);
}

static uint32_t stale_npu_cache(uint32_t correct) {
    enable_npu_cache();
    fill(WEIGHTS, OLD);
    barrier();
    (void)host(HOST_NPU_READ_CACHED, WEIGHTS);
    fill(WEIGHTS, CORES);
    barrier();
    if (correct) npu_cache_clean_invalidate(WEIGHTS, BYTES);
    return host(HOST_NPU_READ_CACHED, WEIGHTS);
}

static uint32_t play(uint32_t scenario, uint32_t correct) {
    switch (scenario) {
        case COHERENCE_MISSING_CLEAN:
            return hand_over(HOST_NPU_READ, correct);
        case COHERENCE_MISSING_INVALIDATE:
            return missing_invalidate(correct);
        case COHERENCE_STALE_CODE:
            (void)install_and_call(1, 1);
            return install_and_call(2, correct);
        case COHERENCE_MODEL_SWAP:
            return model_swap(correct);
        case COHERENCE_DIRTY_EVICTION:
            return dirty_eviction(correct);
        case COHERENCE_MISSING_BARRIER:
            return missing_barrier(correct);
        case COHERENCE_DIRTY_BLOB:
            return hand_over(HOST_CONTROLLER_READ, correct);
        case COHERENCE_DISCARDED:
            return discarded(correct);
        case COHERENCE_UNALIGNED:
            return unaligned(correct);
        default:
            return stale_npu_cache(correct);
    }
}

int main(void) {
    enable_caches();
    host(HOST_RESULT, play(host(HOST_JOB, 0), host(HOST_JOB, 1)));
    return 0;
}

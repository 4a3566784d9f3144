/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_TESTS_PLATFORM_NPU_CALLS_H
#define N6VP_TESTS_PLATFORM_NPU_CALLS_H

/* Jobs of target/npu.c. Word 0: which epoch; word 1: who writes its registers; word 2: what the
 * core does beside it; word 3: bytes of a copy. */
enum {
    EPOCH_COPY,
    EPOCH_CONVOLUTION, /* 3x3, 64 x 64 x 8 to 64 x 64 x 8 */
    EPOCH_NO_SOURCE,   /* a copy whose input engine is never enabled */
    EPOCH_NO_MEMORY,   /* a copy from where nothing is */
    EPOCH_CACHED_COPY, /* from PSRAM through the NPU cache */
};
enum {
    BY_CORE,
    BY_BLOB,     /* the epoch controller */
    BY_BAD_BLOB, /* the same with an instruction that nobody knows */
};
enum {
    CORE_WAITS,
    CORE_READS_EARLY, /* the output, before the interrupt */
    CORE_POLLS,       /* the output engine's registers, without interrupts */
    CORE_RESETS_NPU,  /* by RCC, in the middle; result 2 is CTRL of the output engine then */
    /* With data cache; the core fills the input and has old output in its cache. */
    CORE_MAINTAINS,
    CORE_FORGETS_CLEAN,
    CORE_FORGETS_INVALIDATE,
    CORE_FORGETS_BLOB, /* to clean it */
};

/* Where the epochs have their data, for the host. */
enum {
    NPU_INPUT = 0x34270000, /* AXISRAM4 */
    NPU_NOTHING = 0x36000000,
    NPU_PSRAM = 0x90100000,
    NPU_KERNELS = 0x342E0000, /* AXISRAM5 */
    NPU_OUTPUT = 0x34350000,  /* AXISRAM6 */
    NPU_BLOB = 0x34100000,    /* AXISRAM2 */
    NPU_LABEL = 7,
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_TESTS_PLATFORM_CALLS_H
#define N6VP_TESTS_PLATFORM_CALLS_H

/* Calls from a program to the test bench: the number in r0, an argument in r1, the answer in r0. */
enum {
    HOST_EXIT = 0x1000, /* ends the run with a result */
    HOST_FAULT,         /* an exception nobody expected: CFSR */
    HOST_JOB,           /* word `argument` of the job */
    HOST_RESULT,        /* keeps a word */
    /* Traffic of the other masters, 64 bytes at the address `argument`. */
    HOST_NPU_READ, /* answers with the first word read */
    HOST_NPU_READ_CACHED,
    HOST_CONTROLLER_READ,
    HOST_VALUE,       /* the word that the next write repeats */
    HOST_WRITE_BYTES, /* how many of them, 64 if not said */
    HOST_NPU_WRITE,
    HOST_LOADER_WRITE, /* by the loader on the host */
    HOST_START,        /* begins what the bench has planned */
};

/* Ways to break coherence, in the order of the tests' table. */
enum {
    COHERENCE_MISSING_CLEAN,
    COHERENCE_MISSING_INVALIDATE,
    COHERENCE_STALE_CODE,
    COHERENCE_MODEL_SWAP,
    COHERENCE_DIRTY_EVICTION,
    COHERENCE_MISSING_BARRIER,
    COHERENCE_DIRTY_BLOB,
    COHERENCE_DISCARDED,
    COHERENCE_UNALIGNED,
    COHERENCE_STALE_NPU_CACHE,
};

#endif

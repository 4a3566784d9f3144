/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_TESTS_PLATFORM_GUEST_H
#define N6VP_TESTS_PLATFORM_GUEST_H

#include <stdint.h>

#include "target/calls.h"

/* What programs of these tests share: calls to the host, maintenance of the caches. Registers are
 * those of the Armv8-M Architecture Reference Manual and of the public device header. */

#define REGISTER(address) ((volatile uint32_t*)(uintptr_t)(address))

static inline void barrier(void) {
    __asm volatile("dsb 0xF\n\tisb 0xF" ::: "memory");
}

/* Asks the test bench, which answers at once and without time passing. */
static inline uint32_t host(uint32_t call, uint32_t argument) {
    register uint32_t r0 __asm("r0") = call;
    register uint32_t r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

enum {
    ICIALLU = 0xE000EF50,
    DCIMVAC = 0xE000EF5C,
    DCISW = 0xE000EF60,
    DCCMVAC = 0xE000EF68,
    DCCIMVAC = 0xE000EF70,
    CACHEAXI = 0x580DFC00,
};

/* One operation for every line that the range touches; the caller orders it. */
static inline void each_line(uint32_t operation, uint32_t start, uint32_t bytes) {
    for (uint32_t line = start & ~31u; line < start + bytes; line += 32)
        *REGISTER(operation) = line;
}
static inline void maintain(uint32_t operation, uint32_t start, uint32_t bytes) {
    barrier();
    each_line(operation, start, bytes);
    barrier();
}

static inline void enable_caches(void) {
    *REGISTER(0xE001E000) |= 3u << 12; /* MSCR: DCACTIVE, ICACTIVE */
    barrier();
    *REGISTER(ICIALLU) = 0;
    for (uint32_t way = 0; way < 4; ++way) {
        for (uint32_t set = 0; set < 256; ++set) *REGISTER(DCISW) = way << 30 | set << 5;
    }
    barrier();
    *REGISTER(0xE000ED14) |= 7u << 16; /* CCR: DC, IC, LOB */
    barrier();
}

static inline void enable_npu_cache(void) {
    do {
        *REGISTER(CACHEAXI) = 1;
    } while ((*REGISTER(CACHEAXI) & 1u) == 0);
    while ((*REGISTER(CACHEAXI + 4) & 1u) != 0) {
    }
}

static inline void npu_cache_invalidate(void) {
    *REGISTER(CACHEAXI) |= 2;
    while ((*REGISTER(CACHEAXI + 4) & 1u) != 0) {
    }
}

static inline void npu_cache_clean_invalidate(uint32_t start, uint32_t bytes) {
    *REGISTER(CACHEAXI + 0x0C) = 0x16;
    *REGISTER(CACHEAXI + 0x104) = start;
    *REGISTER(CACHEAXI + 0x108) = start + bytes - 1;
    *REGISTER(CACHEAXI + 0x100) = 3u << 1;
    *REGISTER(CACHEAXI + 0x100) = 3u << 1 | 1u;
    while ((*REGISTER(CACHEAXI + 4) & 1u << 4) == 0) {
    }
}

#endif

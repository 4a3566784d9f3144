/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest.h"

/* Word 0 of the job: 0 the core polls a buffer that another master fills, 1 it writes one that
 * another master reads; word 1: with caches, and the maintenance they need. */

enum { BUFFER = 0x34200000, LAST = 16, WRITES = 4000 };

/* Every number that comes by, and the cycle at which it came. */
static void poll(uint32_t cached) {
    volatile uint32_t* const counter = REGISTER(0xE0001004);
    uint32_t seen = 0;
    while (seen != LAST) {
        if (cached) maintain(DCIMVAC, BUFFER, 32);
        const uint32_t now = *REGISTER(BUFFER);
        if (now == seen) continue;
        seen = now;
        host(HOST_RESULT, now);
        host(HOST_RESULT, *counter);
    }
}

static void write(uint32_t cached) {
    for (uint32_t i = 1; i <= WRITES; ++i) {
        *REGISTER(BUFFER) = i;
        if (cached) maintain(DCCMVAC, BUFFER, 32);
    }
}

int main(void) {
    const uint32_t cached = host(HOST_JOB, 1);
    *REGISTER(0xE000EDFC) |= 1u << 24;
    *REGISTER(0xE0001000) |= 1;
    if (cached) enable_caches();
    if (host(HOST_JOB, 0) == 0) {
        poll(cached);
    } else {
        write(cached);
    }
    return 0;
}

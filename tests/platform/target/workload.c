/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest.h"

/* Mixed loads for the core, beside traffic of the NPU's ports. Word 0 of the job: which, plus 16
 * without that traffic; word 1: rounds. */

enum {
    NEAR = 0x34070000,  /* AXISRAM1 */
    BANK = 0x34200000,  /* AXISRAM3 */
    FLASH = 0x70000000,
    EXTERNAL = 0x90100000,
    USART1 = 0x52001000,
    BYTES = 65536,
};

static void copy(uint32_t to, uint32_t from, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes / 4; i += 4) {
        REGISTER(to)[i] = REGISTER(from)[i];
        REGISTER(to)[i + 1] = REGISTER(from)[i + 1];
        REGISTER(to)[i + 2] = REGISTER(from)[i + 2];
        REGISTER(to)[i + 3] = REGISTER(from)[i + 3];
    }
}

static uint32_t compute(uint32_t rounds) {
    uint32_t x = 1;
    for (uint32_t i = 0; i < rounds; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        REGISTER(BANK)[(x >> 8) & 4095] += x;
    }
    return x;
}

static void set_registers(uint32_t rounds) {
    for (uint32_t i = 0; i < rounds; ++i) {
        *REGISTER(USART1 + 0x0C) = 109 + (i & 1);
        REGISTER(NEAR)[i & 1023] = *REGISTER(USART1 + 0x0C);
    }
}

int main(void) {
    const uint32_t which = host(HOST_JOB, 0), rounds = host(HOST_JOB, 1);
    enable_caches();
    host(HOST_START, which);
    for (uint32_t round = 0; round < rounds; ++round) {
        switch (which & 15) {
            case 0: /* within the bank that the NPU streams through */
                copy(BANK + BYTES, BANK, BYTES);
                break;
            case 1: /* from flash while the NPU reads weights there */
                copy(NEAR, FLASH + 65536 * round, BYTES);
                break;
            case 2: /* computing with a table in the NPU's bank */
                host(HOST_RESULT, compute(20000));
                break;
            case 3: /* peripherals, and notes in another bank */
                set_registers(2000);
                break;
            default: /* write-through to PSRAM */
                copy(EXTERNAL, NEAR, BYTES / 4);
                copy(NEAR, EXTERNAL, BYTES / 4);
                break;
        }
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#define REG(address) (*(volatile uint32_t*)(address))
#define WEAK __attribute__((weak))

/// What a test program does. Returns its exit code; what it prints is compared between machines.
int program(void);

/// A checksum that every word changes.
static inline uint32_t mix(uint32_t sum, uint32_t word) {
    sum = (sum ^ word) * 0x9E3779B1u;
    return sum ^ sum >> 15;
}

static inline uint32_t next_random(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

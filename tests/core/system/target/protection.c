/* SPDX-License-Identifier: Apache-2.0 */
/* Random MPU regions of both security states and random SAU regions: what TT and its variants say of
   random addresses, and whether real accesses agree. All of it is Normal memory: QEMU lets
   unaligned accesses to Device memory pass. */
#include "support.h"

static volatile uint32_t faults;
static uint32_t hash, state;
static uint32_t area[1024] __attribute__((aligned(4096)));

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    (void)exc_return;
    const uint32_t cfsr = CFSR;
    faults = faults * 33 + (ipsr << 24 ^ cfsr ^ (cfsr & 0x80 ? MMFAR : 0));
    CFSR = cfsr;
    frame->pc = resume_pc;
}

static uint32_t random_word(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void note(uint32_t value) { hash = ((hash << 5 | hash >> 27) ^ value) * 0x01000193u; }

/* An address in or near RAM, code or the system space. */
static uint32_t random_address(void) {
    const uint32_t choice = random_word();
    switch (choice & 7) {
        case 0:
            return 0x10000000 + (choice >> 8 & 0x7FFFF);
        case 1:
            return choice >> 8 & 0x7FFFF;
        case 2:
            return 0x20000000 + (choice >> 8 & 0x7FFFF);
        case 3:
            return 0xE0000000 + (choice >> 8 & 0xFFFFF);
        case 4:
            return 0xD0000000 + (choice & 0x3FFFFFE0);
        default:
            return 0x30000000 + (choice >> 8 & 0x7FFFF);
    }
}

static void random_regions(uint32_t base) {
    for (uint32_t i = 0; i < 16; ++i) {
        const uint32_t start = random_address() & ~31u;
        REG(base + 0x98) = i;
        REG(base + 0x9C) = start | (random_word() & 0x1F);
        REG(base + 0xA0) =
            ((start + (random_word() & 0x3FFFF)) & ~31u) | (random_word() & 0x1E) | (i & 3 ? 1 : 0);
    }
}

static void ask(uint32_t address) {
    uint32_t value;
    __asm volatile("tt %0, %1" : "=r"(value) : "r"(address));
    note(value);
    __asm volatile("ttt %0, %1" : "=r"(value) : "r"(address));
    note(value);
    __asm volatile("tta %0, %1" : "=r"(value) : "r"(address));
    note(value);
    __asm volatile("ttat %0, %1" : "=r"(value) : "r"(address));
    note(value);
}

static void attributes(void) {
    for (uint32_t round = 0; round < 40; ++round) {
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t start = random_address() & ~31u;
            SAU_RNR = i;
            SAU_RBAR = start;
            /* The program's own code and data stay Secure. */
            SAU_RLAR = start >> 28 == 1 || start >> 28 == 3
                           ? 0
                           : ((start + (random_word() & 0x3FFFF)) & ~31u) | (random_word() & 3);
        }
        SAU_CTRL = round % 4 == 0 ? 0 : 1;
        random_regions(0xE002ED00);
        REG(0xE002ED94) = random_word() & 7;
        for (uint32_t i = 0; i < 50; ++i) ask(random_address());
        if (round % 8 == 7) {
            show("round", round);
            show("hash", hash);
            line();
        }
    }
    REG(0xE002ED94) = 0;
    SAU_CTRL = 0;
}

/* Real accesses to one page, with a map behind it that keeps the program alive. */
static void accesses(void) {
    const uint32_t start = (uint32_t)area;
    for (uint32_t round = 0; round < 60; ++round) {
        for (uint32_t i = 0; i < 12; ++i) {
            const uint32_t from = start + (random_word() & 0xFE0);
            MPU_RNR = i;
            MPU_RBAR = from | (random_word() & 6) | 1;
            MPU_RLAR = ((from + (random_word() & 0x7F)) & ~31u) | (random_word() & 1);
        }
        MPU_RNR = 14;
        MPU_RBAR = 0x10000000 | 3 << 1;
        MPU_RLAR = 0x1007FFE0 | 1;
        MPU_RNR = 15;
        MPU_RBAR = 0x30040000 | 1 << 1 | 1;
        MPU_RLAR = 0x3007FFE0 | 1;
        MPU_CTRL = round % 3 == 0 ? 7 : 5;
        BARRIER();
        for (uint32_t i = 0; i < 40; ++i) {
            register uint32_t address __asm("r5") = start + (random_word() & 0xFFC);
            ask(address);
            faults = 0;
            __asm volatile(
                "adr.w r3, 7f\n\tstr r3, [%0]\n\tldr r1, [%1]\n\t.balign 4\n7:\n\t"
                "adr.w r3, 7f\n\tstr r3, [%0]\n\tldrt r1, [%1]\n\t.balign 4\n7:\n\t"
                "adr.w r3, 7f\n\tstr r3, [%0]\n\tstr r1, [%1]\n\t.balign 4\n7:\n\t"
                "adr.w r3, 7f\n\tstr r3, [%0]\n\tstrbt r1, [%1]\n\t.balign 4\n7:\n\t"
                "adr.w r3, 7f\n\tstr r3, [%0]\n\tldrh r1, [%1, #-1]\n\t.balign 4\n7:\n\t"
                :
                : "r"(&resume_pc), "r"(address)
                : "r1", "r3", "memory");
            note(faults);
        }
        MPU_CTRL = 0;
        BARRIER();
        if (round % 10 == 9) {
            show("round", round);
            show("hash", hash);
            line();
        }
    }
}

int main(void) {
    state = 0x2545F491; /* nothing copies initial values */
    SHCSR = 0x70000;
    REG(0xE000EDC0) = 0x44444444;
    REG(0xE002EDC0) = 0x44444444;
    print("attributes\n");
    attributes();
    print("accesses\n");
    /* Data of the program lie in front of the page, too. */
    accesses();
    print("done\n");
    return 0;
}

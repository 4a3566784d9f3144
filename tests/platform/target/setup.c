/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest.h"

/* Out of the hardware's reset state: the twelve steps that firmware does before the NPU works, but
 * for the one that word 0 of the job names, then what each of them is good for.
 * Offsets and bits: public device header. */

enum {
    RCC = 0x56028000,
    RAMCFG = 0x52023000,
    RIFSC = 0x54024000,
    IAC = 0x54025000,
    RISAF1 = 0x54026000,
    BSEC = 0x56009000,
    NPU = 0x580E0000,
    BANK = 0x34200000,  /* AXISRAM3 */
    BANK2 = 0x34100000, /* AXISRAM2 */
    CLOSED = 0x34400000, /* VENC RAM, whose filter stays closed */
    FLASH = 0x70000000,
    SET = 0x800,
    CLEAR = 0x1000,
    NPU_LINE = 53,
    WAKE_LINE = 54,
};

static volatile uint32_t completed;

void npu_interrupt(void) {
    completed = 1;
}

static void caches(void) {
    barrier();
    *REGISTER(ICIALLU) = 0;
    for (uint32_t way = 0; way < 4; ++way) {
        for (uint32_t set = 0; set < 256; ++set) *REGISTER(DCISW) = way << 30 | set << 5;
    }
    barrier();
    *REGISTER(0xE000ED14) |= 7u << 16;
    barrier();
}

/* PLL 1 to 4 from HSI 64 MHz: 64 / m * n. */
static void pll(uint32_t number, uint32_t m, uint32_t n) {
    const uint32_t base = RCC + 0x80 + 0x10 * (number - 1);
    *REGISTER(base) = m << 20 | n << 8;
    *REGISTER(base + 4) = 0;
    *REGISTER(base + 8) = 1u << 30 | 1u << 27 | 1u << 24;
    *REGISTER(RCC + SET) = 1u << (7 + number);
}

static void divider(uint32_t number, uint32_t source, uint32_t by) {
    *REGISTER(RCC + 0xC4 + 4 * (number - 1)) = (source - 1) << 28 | (by - 1) << 16;
    *REGISTER(RCC + 0x240 + SET) = 1u << (number - 1);
}

static void clocks(void) {
    pll(1, 4, 50);   /* 800 MHz */
    pll(2, 8, 125);  /* 1000 MHz */
    pll(3, 16, 225); /* 900 MHz */
    divider(1, 1, 1);
    divider(2, 1, 2);
    divider(3, 1, 4);
    divider(4, 1, 4);
    divider(6, 2, 1);
    divider(11, 3, 1);
    *REGISTER(RCC + 0x24) = 2u << 20;           /* CFGR2: HPRE */
    *REGISTER(RCC + 0x158) = 3u << 0 | 2u << 4; /* CCIPR6: XSPI1 IC4, XSPI2 IC3 */
    *REGISTER(RCC + 0x20) = 3u << 16 | 3u << 24; /* CFGR1: CPUSW, SYSSW */
}

/* Both base regions over everything, for all compartments. */
static void open_filter(uint32_t number) {
    const uint32_t base =
        number < 11 ? RISAF1 + 0x1000 * (number - 1) : 0x54030000 + 0x1000 * (number - 11);
    for (uint32_t region = 0; region < 2; ++region) {
        const uint32_t at = base + 0x40 + 0x40 * region;
        *REGISTER(at + 0x4) = 0;
        *REGISTER(at + 0x8) = 0xFFFFFFFF;
        *REGISTER(at + 0xC) = 0x00FF00FF;
        *REGISTER(at) = region == 0 ? 0x101 : 0x001;
    }
}

static void filters(void) {
    static const uint8_t kFilters[] = {2, 3, 4, 5, 6, 7, 8, 15, 11, 12};
    for (uint32_t i = 0; i < sizeof kFilters; ++i) open_filter(kFilters[i]);
}

static void illegal_accesses(void) {
    *REGISTER(RCC + 0x258 + SET) = 1u << 10;
    *REGISTER(RCC + 0x218 + SET) = 1u << 10;
    *REGISTER(RCC + 0x218 + CLEAR) = 1u << 10;
    for (uint32_t i = 0; i < 5; ++i) *REGISTER(IAC + 4 * i) = 0xFFFFFFFF;
}

static void fast_pins(void) {
    *REGISTER(BSEC + 0xC08) = 3u << 15;
    *REGISTER(BSEC + 0xC04) = 1u << 13 | 124;
}

static void step(uint32_t number) {
    const uint32_t npu_units = 3u << 30, xspi_units = 1u << 5 | 1u << 12 | 1u << 13;
    switch (number) {
        case 1:
            *REGISTER(0xE001E000) |= 3u << 12;
            caches();
            break;
        case 2:
            clocks();
            break;
        case 3:
            *REGISTER(RCC + 0x24C + SET) = 0x1FFF;
            break;
        case 4:
            for (uint32_t bank = 1; bank <= 5; ++bank)
                *REGISTER(RAMCFG + 0x80 * bank) &= ~(1u << 20);
            break;
        case 5:
            *REGISTER(RCC + 0x260 + SET) = npu_units | xspi_units;
            *REGISTER(RCC + 0x220 + SET) = npu_units;
            *REGISTER(RCC + 0x220 + CLEAR) = npu_units;
            break;
        case 6:
            *REGISTER(RCC + 0x28C + SET) = 0x1FFF;
            *REGISTER(RCC + 0x2A0 + SET) = npu_units | xspi_units;
            break;
        case 7:
            *REGISTER(RIFSC + 0xC14) = 0x310;
            break;
        case 8:
            *REGISTER(RIFSC + 0x1C) |= 1u << 10;
            *REGISTER(RIFSC + 0x3C) |= 1u << 10;
            break;
        case 9:
            filters();
            break;
        case 10:
            illegal_accesses();
            break;
        case 11:
            fast_pins();
            break;
        default:
            *REGISTER(0xE000E400 + NPU_LINE / 4 * 4) = 0; /* NVIC_IPR */
            *REGISTER(0xE000E100 + NPU_LINE / 32 * 4) = 1u << NPU_LINE % 32;
            break;
    }
}

static uint32_t cycles_of_reading(uint32_t start, uint32_t bytes, uint32_t rounds) {
    volatile uint32_t* const counter = REGISTER(0xE0001004);
    uint32_t sum = 0;
    const uint32_t begin = *counter;
    for (uint32_t round = 0; round < rounds; ++round) {
        for (uint32_t i = 0; i < bytes / 4; ++i) sum += REGISTER(start)[i];
    }
    completed = sum;
    const uint32_t end = *counter;
    completed = 0;
    return end - begin;
}

static uint32_t npu_completes(void) {
    completed = 0;
    host(HOST_START, NPU_LINE);
    for (uint32_t i = 0; i < 10000 && !completed; ++i) __asm volatile("nop");
    return completed;
}

/* The bench lets the NPU read while the core sleeps, then raises the line. */
static void sleep(void) {
    __asm volatile("cpsid i");
    *REGISTER(0xE000E100 + WAKE_LINE / 32 * 4) = 1u << WAKE_LINE % 32;
    host(HOST_START, WAKE_LINE);
    barrier();
    __asm volatile("wfi");
}

int main(void) {
    const uint32_t omitted = host(HOST_JOB, 0);
    *REGISTER(0xE000EDFC) |= 1u << 24; /* DEMCR.TRCENA */
    *REGISTER(0xE0001000) |= 1;        /* DWT_CTRL.CYCCNTENA */
    for (uint32_t i = 1; i <= 12; ++i) {
        if (i != omitted) step(i);
    }
    /* 0: as much as the D-cache holds, again and again */
    host(HOST_RESULT, cycles_of_reading(BANK2, 16384, 4));
    /* 1: the NPU cache's registers */
    *REGISTER(CACHEAXI) = 1u << 16;
    host(HOST_RESULT, *REGISTER(CACHEAXI) >> 16 & 1);
    /* 2: the NPU's registers */
    *REGISTER(NPU) = 1;
    (void)*REGISTER(NPU);
    host(HOST_RESULT, 0);
    /* 3: cycles for a stretch of flash */
    host(HOST_RESULT, omitted == 5 ? 0 : cycles_of_reading(FLASH, 65536, 1));
    /* 4: what is in a bank */
    *REGISTER(BANK) = 0x22222222;
    maintain(DCCIMVAC, BANK, 64);
    host(HOST_RESULT, *REGISTER(BANK));
    /* 5: what the NPU finds there */
    maintain(DCCMVAC, BANK, 64);
    host(HOST_RESULT, host(HOST_NPU_READ, BANK));
    /* 6: whether the NPU's interrupt comes */
    host(HOST_RESULT, npu_completes());
    /* 7: whether an access of a compartment that is not admitted pends interrupt 13 */
    const uint32_t master = *REGISTER(RIFSC + 0xC14);
    *REGISTER(RIFSC + 0xC14) = 0x320;
    (void)host(HOST_NPU_READ, CLOSED);
    *REGISTER(RIFSC + 0xC14) = master;
    host(HOST_RESULT, *REGISTER(0xE000E200) >> 13 & 1);
    sleep();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of the host by semihosting, on an STM32L4R5 out of reset (MSI, 4 MHz). The last
   word of the command line selects a part; the exit code names the step that failed. Operations: Arm
   semihosting specification. Registers: device header. */
#include <stdint.h>

#define REG(address) (*(volatile uint32_t*)(address))

enum {
    SYS_WRITE0 = 0x04,
    SYS_CLOCK = 0x10,
    SYS_GET_CMDLINE = 0x15,
    SYS_EXIT_EXTENDED = 0x20,
    SYS_ELAPSED = 0x30,
    SYS_TICKFREQ = 0x31
};

static uint32_t ask_host(uint32_t operation, const void* parameter) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void* r1 __asm__("r1") = parameter;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void end(uint32_t code) {
    const uint32_t block[2] = {0x20026, code}; /* ADP_Stopped_ApplicationExit */
    (void)ask_host(SYS_EXIT_EXTENDED, block);
    for (;;) {
    }
}

static void check(int holds, uint32_t step) {
    if (!holds) end(step);
}

static uint32_t elapsed(void) {
    uint32_t ticks[2];
    check(ask_host(SYS_ELAPSED, ticks) == 0, 20);
    return ticks[0];
}

static void wait_cycles(uint32_t cycles) {
    const uint32_t start = REG(0xE0001004);
    while (REG(0xE0001004) - start < cycles) {
    }
}

/* Half a second at two clocks, by the core's cycle counter and by the host. */
static void measure_time(void) {
    REG(0xE000EDFC) |= 1u << 24;
    REG(0xE0001000) |= 1;
    const uint32_t half = ask_host(SYS_TICKFREQ, 0) / 2;
    for (uint32_t step = 1; step <= 5; step += 4) {
        const uint32_t hundredths = ask_host(SYS_CLOCK, 0), ticks = elapsed();
        wait_cycles(step == 1 ? 2000000 : 8000000);
        const uint32_t passed = ask_host(SYS_CLOCK, 0) - hundredths, counted = elapsed() - ticks;
        check(passed >= 49, step);
        check(passed <= 51, step + 1);
        check(counted >= half - half / 100, step + 2);
        check(counted <= half + half / 100, step + 3);
        REG(0x40021000) |= 1u << 8; /* HSI16 */
        while ((REG(0x40021000) & 1u << 10) == 0) {
        }
        REG(0x40021008) = 1;
        while ((REG(0x40021008) & 12) != 4) {
        }
    }
}

/* A buffer that the program itself cannot write either. */
static void answer_into_flash(void) {
    const uint32_t block[2] = {0x08010000, 100};
    check(ask_host(SYS_GET_CMDLINE, block) == 0xFFFFFFFF, 10);
    check(REG(0x08010000) == 0xFFFFFFFF, 11);
    check(ask_host(SYS_ELAPSED, (const void*)0x08010000) == 0xFFFFFFFF, 12);
}

void start(void) {
    char line[400];
    uint32_t block[2] = {(uint32_t)line, sizeof line};
    check(ask_host(SYS_GET_CMDLINE, block) == 0 && block[1] > 0, 30);
    switch (line[block[1] - 1]) {
        case 't':
            measure_time();
            break;
        case 'f':
            answer_into_flash();
            break;
        case 's':
            (void)ask_host(SYS_WRITE0, "said to the host\n");
            break;
        case 'c': /* flash patch unit, ITM's integration register; a peripheral that does not exist */
            check(REG(0xE0002000) == 0, 40);
            REG(0xE0000EF8) = 1;
            break;
        case 'p':
            (void)REG(0x40030000);
            break;
    }
    end(0);
}

extern uint32_t stack_top[];

__attribute__((section(".vectors"), used)) static void (*const vectors[2])(void) = {
    (void (*)(void))stack_top,
    start,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* Boots an STM32 from its reset state: clocks with the polls of a driver, a serial port, a timer.
   Prints what it measures of them, echoes its input by interrupt up to '%', and ends. Register
   addresses and bits: device headers. FAMILY_x selects the chip. */
#include <stdint.h>

#define REG(address) (*(volatile uint32_t*)(address))

#if defined(CHIP_L476)
#define FAMILY_L47X
enum { kMhz = 80, kRcc = 0x40021000, kUart = 0x40004400, kTimer = 0x40000C00, kLine = 38 };
enum { kUartHz = 80000000, kDivider = 1, kTimerMhz = 80 };
#elif defined(CHIP_L475)
#define FAMILY_L47X
enum { kMhz = 80, kRcc = 0x40021000, kUart = 0x40013800, kTimer = 0x40000C00, kLine = 37 };
enum { kUartHz = 80000000, kDivider = 1, kTimerMhz = 80 };
#elif defined(FAMILY_L4)
enum { kMhz = 120, kRcc = 0x40021000, kUart = 0x40008000, kTimer = 0x40000C00, kLine = 70 };
enum { kUartHz = 120000000, kDivider = 256, kTimerMhz = 120 };
#elif defined(FAMILY_U5)
enum { kMhz = 160, kRcc = 0x46020C00, kUart = 0x40013800, kTimer = 0x40000C00, kLine = 61 };
enum { kUartHz = 160000000, kDivider = 1, kTimerMhz = 160 };
#elif defined(FAMILY_F7)
/* APB1 at a quarter of the core's clock and its timers at half of it, APB2 at half. */
enum { kMhz = 216, kRcc = 0x40023800, kUart = 0x40011000, kTimer = 0x40000C00, kLine = 37 };
enum { kUartHz = 108000000, kDivider = 1, kTimerMhz = 108 };
#elif defined(CHIP_H743)
/* MHZ: 480 at voltage scale 0, 400 at scale 1. AXI and timers at half of it, APB at a quarter. */
enum { kMhz = MHZ, kRcc = 0x58024400, kUart = 0x40004800, kTimer = 0x40000C00, kLine = 39 };
enum { kUartHz = MHZ * 250000, kDivider = 1, kTimerMhz = MHZ / 2 };
#else
enum { kMhz = 280, kRcc = 0x58024400, kUart = 0x40004800, kTimer = 0x40000C00, kLine = 39 };
enum { kUartHz = 280000000, kDivider = 1, kTimerMhz = 280 };
#endif
#define RCC(offset) REG(kRcc + (offset))
#define UART(offset) REG(kUart + (offset))
#define TIMER(offset) REG(kTimer + (offset))

static volatile uint32_t ticks, echoed, done;
static uint32_t initialised = 0x12345678;
static uint32_t zeroed;

static void wait_for(volatile uint32_t* at, uint32_t mask, uint32_t value) {
    while ((*at & mask) != value) {
    }
}

static void set_clocks(void) {
#if defined(FAMILY_L4)
    RCC(0x58) |= 1u << 28; /* PWR */
    RCC(0x00) |= 1u << 8;  /* HSI16 */
    wait_for(&RCC(0x00), 1u << 10, 1u << 10);
#if defined(FAMILY_L47X)
    const uint32_t wait_states = 4;
    RCC(0x0C) = 2u | 10u << 8 | 1u << 24; /* 16 * 10 / 2 */
#else
    const uint32_t wait_states = 5;
    REG(0x40007080) &= ~(1u << 8);                  /* boost */
    RCC(0x0C) = 2u | 1u << 4 | 30u << 8 | 1u << 24; /* 16 / 2 * 30 / 2 */
#endif
    RCC(0x00) |= 1u << 24;
    wait_for(&RCC(0x00), 1u << 25, 1u << 25);
    REG(0x40022000) = 0x600 | wait_states;
    wait_for(&REG(0x40022000), 7, wait_states);
    RCC(0x08) = 3;
    wait_for(&RCC(0x08), 12, 12);
#if defined(CHIP_L476)
    RCC(0x58) |= 1u << 17; /* USART2 */
#elif defined(CHIP_L475)
    RCC(0x60) |= 1u << 14; /* USART1 */
#else
    RCC(0x5C) |= 1;                                 /* LPUART1 */
#endif
    RCC(0x58) |= 1u << 3; /* TIM5 */
#elif defined(FAMILY_U5)
    RCC(0x94) |= 1u << 2; /* PWR */
    REG(0x4602080C) = 3u << 16 | 1u << 18;
    wait_for(&REG(0x4602080C), 3u << 14, 3u << 14);
    RCC(0x08) = (RCC(0x08) & 0x0FFFFFFF) | 1u << 23; /* MSIS 48 MHz */
    wait_for(&RCC(0x00), 1u << 2, 1u << 2);
    RCC(0x28) = 1u | 3u << 2 | 2u << 8 | 1u << 18;
    RCC(0x34) = 9u | 1u << 9; /* 48 / 3 * 10 / 1 */
    RCC(0x00) |= 1u << 24;
    wait_for(&RCC(0x00), 1u << 25, 1u << 25);
    REG(0x40022000) = 4;
    wait_for(&REG(0x40022000), 15, 4);
    RCC(0x1C) = 3;
    wait_for(&RCC(0x1C), 12, 12);
    RCC(0xA4) |= 1u << 14; /* USART1 */
    RCC(0x9C) |= 1u << 3;  /* TIM5 */
#elif defined(FAMILY_F7)
    RCC(0x40) |= 1u << 28;       /* PWR */
    REG(0x40007000) |= 3u << 14; /* scale 1 */
    RCC(0x04) = 8u | 216u << 6;  /* 16 / 8 * 216 / 2 */
    RCC(0x00) |= 1u << 24;
    wait_for(&RCC(0x00), 1u << 25, 1u << 25);
    REG(0x40007000) |= 1u << 16; /* over-drive, then its switch */
    wait_for(&REG(0x40007004), 1u << 16, 1u << 16);
    REG(0x40007000) |= 1u << 17;
    wait_for(&REG(0x40007004), 1u << 17, 1u << 17);
    wait_for(&REG(0x40007004), 1u << 14, 1u << 14); /* VOSRDY */
    REG(0x40023C00) = 7u | 1u << 8 | 1u << 9;
    wait_for(&REG(0x40023C00), 15, 7);
    RCC(0x08) = 2u | 5u << 10 | 4u << 13;
    wait_for(&RCC(0x08), 12, 8);
    RCC(0x44) |= 1u << 4; /* USART1 */
    RCC(0x40) |= 1u << 3; /* TIM5 */
#elif defined(CHIP_H743)
    REG(0x5802480C) &= ~4u; /* LDO */
    wait_for(&REG(0x58024804), 1u << 13, 1u << 13);
    REG(0x58024818) = 3u << 14; /* scale 1 */
    wait_for(&REG(0x58024818), 1u << 13, 1u << 13);
#if MHZ > 400
    RCC(0xF4) |= 1u << 1;  /* SYSCFG */
    REG(0x5800042C) |= 1u; /* scale 0 */
    wait_for(&REG(0x58024818), 1u << 13, 1u << 13);
#endif
    wait_for(&RCC(0x00), 1u << 5, 1u << 5); /* HSIDIVF */
    RCC(0x28) = 4u << 4;
    RCC(0x30) = (MHZ / 8 - 1u) | 1u << 9; /* 64 / 4 * 60 / 2, or 50 in place of 60 */
    RCC(0x00) |= 1u << 24;
    wait_for(&RCC(0x00), 1u << 25, 1u << 25);
    REG(0x52002000) = 0x24;
    wait_for(&REG(0x52002000), 0x3F, 0x24);
    RCC(0x18) = 8u | 4u << 4; /* HPRE, D1PPRE */
    RCC(0x1C) = 4u << 4 | 4u << 8;
    RCC(0x20) = 4u << 4;
    RCC(0x10) = 3;
    wait_for(&RCC(0x10), 7u << 3, 3u << 3);
    RCC(0xE8) |= 1u << 18 | 1u << 3; /* USART3, TIM5 */
#else
    REG(0x5802480C) &= ~2u;
    wait_for(&REG(0x58024804), 1u << 13, 1u << 13);
    REG(0x58024818) = 3u << 14;
    wait_for(&REG(0x58024818), 1u << 13, 1u << 13);
    RCC(0x28) = 4u << 4;
    RCC(0x30) = 34u | 1u << 9; /* 64 / 4 * 35 / 2 */
    RCC(0x00) |= 1u << 24;
    wait_for(&RCC(0x00), 1u << 25, 1u << 25);
    REG(0x52002000) = 0x36;
    wait_for(&REG(0x52002000), 15, 6);
    RCC(0x10) = 3;
    wait_for(&RCC(0x10), 7u << 3, 3u << 3);
    RCC(0x148) |= 1u << 18 | 1u << 3; /* USART3, TIM5 */
#endif
}

#if defined(FAMILY_F7) || defined(FAMILY_H7)
/* Both caches of the core: by CCSIDR, every set and way of the data cache invalidated. */
static void set_caches(void) {
    REG(0xE000EF50) = 0; /* ICIALLU */
    REG(0xE000ED14) |= 1u << 17;
    REG(0xE000ED84) = 0; /* CSSELR: level 1, data */
    const uint32_t size = REG(0xE000ED80), ways = (size >> 3 & 0x3FF) + 1,
                   sets = (size >> 13 & 0x7FFF) + 1;
    for (uint32_t set = 0; set < sets; ++set) {
        for (uint32_t way = 0; way < ways; ++way) REG(0xE000EF60) = set << 5 | way << 30;
    }
    __asm__ volatile("dsb" ::: "memory");
    REG(0xE000ED14) |= 1u << 16;
    __asm__ volatile("dsb\n isb" ::: "memory");
    wait_for(&REG(0xE000ED14), 3u << 16, 3u << 16);
}
#endif

static void set_uart(void) {
    UART(0x00) = 0;
    /* 115200 Bd; LPUART counts in 256ths. */
    UART(0x0C) = (uint32_t)(((uint64_t)kUartHz * kDivider + 57600) / 115200);
    UART(0x00) = 0xD; /* UE, TE, RE */
    wait_for(&UART(0x1C), 3u << 21, 3u << 21);
}

static void put(char character) {
    wait_for(&UART(0x1C), 1u << 7, 1u << 7);
    UART(0x28) = (uint32_t)character;
}

static void print(const char* text) {
    while (*text != 0) put(*text++);
    wait_for(&UART(0x1C), 1u << 6, 1u << 6);
}

static void print_number(const char* name, uint32_t value) {
    char digits[12];
    unsigned at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    print(name);
    print("=");
    print(&digits[at]);
    print("\n");
}

/* Core clock against the timer, which counts microseconds. */
static uint32_t measure_core(void) {
    REG(0xE000E014) = 0xFFFFFF;
    REG(0xE000E018) = 0;
    REG(0xE000E010) = 5; /* SysTick of the core clock */
    const uint32_t start = TIMER(0x24), cycle = REG(0xE000E018);
    while (TIMER(0x24) - start < 1000) {
    }
    const uint32_t cycles = (cycle - REG(0xE000E018)) & 0xFFFFFF, time = TIMER(0x24) - start;
    REG(0xE000E010) = 0;
    return (cycles + time / 2) / time;
}

static uint32_t measure_line(void) {
    const uint32_t start = TIMER(0x24);
    print("0123456789");
    return TIMER(0x24) - start;
}

void tick(void) {
    ++ticks;
}

void receive(void) {
    while ((UART(0x1C) & 1u << 5) != 0) {
        const char character = (char)UART(0x24);
        ++echoed;
        put(character);
        if (character == '%') done = 1;
    }
}

/* DEV_ID of DBGMCU, which is on the core's private bus except on the H7. */
static uint32_t device(void) {
#if defined(FAMILY_H7)
    return REG(0x5C001000) & 0xFFF;
#elif defined(FAMILY_U5)
    return REG(0xE0044000) & 0xFFF;
#else
    return REG(0xE0042000) & 0xFFF;
#endif
}

/* A controller of serial flash keeps its set-up; on L4 and F7 it stands above external memory. */
static uint32_t controller(void) {
#if defined(FAMILY_L47X)
    RCC(0x50) |= 1u << 8;
    volatile uint32_t* const set_up = &REG(0xA0001004);
#elif defined(FAMILY_L4)
    RCC(0x50) |= 1u << 8;
    volatile uint32_t* const set_up = &REG(0xA0001008);
#elif defined(FAMILY_F7)
    RCC(0x38) |= 1u << 1;
    volatile uint32_t* const set_up = &REG(0xA0001004);
#elif defined(FAMILY_U5)
    RCC(0x90) |= 1u << 4;
    volatile uint32_t* const set_up = &REG(0x420D1408);
#elif defined(CHIP_H743)
    RCC(0xD4) |= 1u << 14;
    volatile uint32_t* const set_up = &REG(0x52005004);
#else
    RCC(0x134) |= 1u << 14;
    volatile uint32_t* const set_up = &REG(0x52005008);
#endif
    *set_up = 0x170000; /* size of the device */
    return *set_up == 0x170000;
}

/* What published images need. U5: PWR can be read without its clock; writes are lost. H7A3: DWT counts
   without unlocking. */
static uint32_t special(void) {
#if defined(FAMILY_U5)
    RCC(0x94) |= 4;
    const uint32_t range = REG(0x4602083C) & 3u << 16;
    RCC(0x94) &= ~4u;
    REG(0x46020800) = 0x80;
    const uint32_t still = REG(0x4602083C) & 3u << 16;
    RCC(0x94) |= 4;
    return range == 3u << 16 && still == range && REG(0x46020800) == 0;
#elif defined(FAMILY_H7) && !defined(CHIP_H743)
    REG(0xE000EDFC) |= 1u << 24;
    REG(0xE0001000) |= 1;
    return REG(0xE0001004) != REG(0xE0001004);
#else
    return 1;
#endif
}

static void end(int code) {
    /* SYS_EXIT_EXTENDED: ADP_Stopped_ApplicationExit. */
    const uint32_t block[2] = {0x20026, (uint32_t)code};
    register uint32_t r0 __asm__("r0") = 0x20;
    register const uint32_t* r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    for (;;) {
    }
}

int main(void) {
    set_clocks();
#if defined(FAMILY_F7) || defined(FAMILY_H7)
    set_caches();
#endif
    TIMER(0x28) = kTimerMhz - 1;
    TIMER(0x2C) = 0xFFFFFFFF;
    TIMER(0x14) = 1;
    TIMER(0x00) = 1;
    set_uart();
    print_number("device", device());
    print_number("controller", controller());
    print_number("special", special());
    print_number("data", initialised == 0x12345678 && zeroed == 0);
    print_number("mhz", measure_core());
    print_number("\nus_of_ten", measure_line());
    /* A gate that is closed: the counter reads zero, and goes on afterwards. */
    REG(0xE000E014) = kMhz * 100 - 1; /* 100 us */
    REG(0xE000E018) = 0;
    REG(0xE000E010) = 7;
    while (ticks < 3) {
    }
    REG(0xE000E010) = 0;
    print_number("ticks", ticks);
    REG(0xE000E100 + kLine / 32 * 4) = 1u << kLine % 32;
    UART(0x00) |= 1u << 5;
    print("ready\n");
    while (!done) {
    }
    print_number("\nechoed", echoed);
    end(0);
    return 0;
}

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];

void start(void) {
    const uint32_t* from = data_load;
    for (uint32_t* to = data_start; to < data_end;) *to++ = *from++;
    for (uint32_t* to = bss_start; to < bss_end;) *to++ = 0;
    main();
}

static void trap(void) {
    end(99);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16 + 128])(void) = {
    [0] = (void (*)(void))stack_top,
    [1] = start,
    [2] = trap,
    [3] = trap,
    [4] = trap,
    [5] = trap,
    [6] = trap,
    [15] = tick,
    [16 + kLine] = receive,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include <stddef.h>

/* Start-up, console and interrupt. Register addresses: architecture and device headers. */

#define REG(address) (*(volatile uint32_t*)(uintptr_t)(address))

enum { kWrite0 = 0x04, kExitExtended = 0x20, kApplicationExit = 0x20026 };

static void semihosting(uint32_t operation, const void* argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void* r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char* text) {
    semihosting(kWrite0, text);
}

void board_print_number(const char* name, int32_t value) {
    char digits[13];
    unsigned at = sizeof digits - 1;
    uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    digits[at] = 0;
    digits[--at] = '\n';
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) digits[--at] = '-';
    board_print(name);
    board_print(" ");
    board_print(&digits[at]);
}

void board_print_words(const char* name, const void* words, unsigned count) {
    const uint32_t* const from = words;
    board_print(name);
    for (unsigned i = 0; i < count; ++i) {
        char text[10] = " 00000000";
        for (unsigned digit = 0; digit < 8; ++digit)
            text[1 + digit] = "0123456789abcdef"[from[i] >> (28 - 4 * digit) & 0xF];
        board_print(text);
    }
    board_print("\n");
}

void board_end(int code) {
    const uint32_t block[2] = {kApplicationExit, (uint32_t)code};
    semihosting(kExitExtended, block);
    for (;;) {
    }
}

#if defined(BOARD_M4)
enum { kCrcClock = 0x40021048, kCrcBit = 12 }; /* STM32L4R5: RCC_AHB1ENR */
#elif defined(BOARD_M33)
enum { kCrcClock = 0x46020C88, kCrcBit = 12 }; /* STM32U575: RCC_AHB1ENR */
#elif defined(BOARD_M7)
enum { kCrcClock = 0x58024538, kCrcBit = 9 }; /* STM32H7A3: RCC_AHB1ENR */
#else
#error "say which core: -DBOARD_M4, -DBOARD_M33 or -DBOARD_M7"
#endif

void board_crc_clock(bool on) {
    const uint32_t others = REG(kCrcClock) & ~(1u << kCrcBit);
    REG(kCrcClock) = others | (uint32_t)on << kCrcBit;
    (void)REG(kCrcClock);
}

static void (*volatile interrupt_handler)(void);

static void on_pend_sv(void) {
    interrupt_handler();
}

void board_interrupt(void (*handler)(void)) {
    void (*const before)(void) = interrupt_handler;
    interrupt_handler = handler;
    REG(0xE000ED04) = 1u << 28; /* ICSR: PendSV */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    interrupt_handler = before;
}

/* There is no library. */
void* memcpy(void* to, const void* from, size_t bytes);
void* memcpy(void* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) ((uint8_t*)to)[i] = ((const uint8_t*)from)[i];
    return to;
}
void* memmove(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes) {
    if ((uintptr_t)to <= (uintptr_t)from) return memcpy(to, from, bytes);
    for (size_t i = bytes; i != 0; --i) ((uint8_t*)to)[i - 1] = ((const uint8_t*)from)[i - 1];
    return to;
}
void* memset(void* to, int value, size_t bytes);
void* memset(void* to, int value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) ((uint8_t*)to)[i] = (uint8_t)value;
    return to;
}

int main(void);
extern uint32_t board_data_load[], board_data[], board_data_end[], board_bss[], board_bss_end[];
extern uint32_t board_stack[];

static void start(void) {
    REG(0xE000ED88) |= 0xFu << 20; /* CPACR: FPU */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    const uint32_t* from = board_data_load;
    for (uint32_t* to = board_data; to < board_data_end;) *to++ = *from++;
    for (uint32_t* to = board_bss; to < board_bss_end;) *to++ = 0;
    board_end(main());
}

static void on_fault(void) {
    board_print("fault\n");
    board_end(99);
}

typedef void (*handler)(void);
__attribute__((section(".vectors"), used)) const struct {
    uint32_t* stack;
    handler handlers[15];
} vectors = {board_stack,
             {start, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, NULL, NULL, NULL,
              on_fault, on_fault, NULL, on_pend_sv, on_fault}};

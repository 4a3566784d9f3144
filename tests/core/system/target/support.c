/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

volatile uint32_t resume_pc;

static uint32_t host(uint32_t operation, const void *parameter) {
    register uint32_t r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = parameter;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void print(const char *text) { host(0x04, text); }

void print_hex(uint32_t value) {
    char text[9];
    for (int i = 0; i < 8; ++i) text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    text[8] = 0;
    print(text);
}

void show(const char *name, uint32_t value) {
    print(name);
    print("=");
    print_hex(value);
    print(" ");
}

void line(void) { print("\n"); }

void finish(uint32_t code) {
    const uint32_t block[2] = {0x20026, code};
    host(0x20, block);
    for (;;) {
    }
}

void show_fault(uint32_t ipsr, const Frame *frame, uint32_t exc_return) {
    const uint32_t cfsr = CFSR, hfsr = HFSR, sfsr = SFSR;
    show("exception", ipsr);
    show("cfsr", cfsr);
    show("hfsr", hfsr);
    if (cfsr & 0x80) show("mmfar", MMFAR);
    if (cfsr & 0x8000) show("bfar", BFAR);
    if (sfsr) show("sfsr", sfsr);
    if (sfsr & 0x40) show("sfar", SFAR);
    show("behind", resume_pc - frame->pc);
    show("xpsr", frame->xpsr & 0x0700FFFF);
    show("return", exc_return);
    line();
    CFSR = cfsr;
    HFSR = hfsr;
    SFSR = sfsr;
}

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/* What the test programs of the core's system part share: console, exit, vectors whose handlers are
   C functions, faults that are expected. */

#define REG(address) (*(volatile uint32_t*)(address))
#define REG8(address) (*(volatile uint8_t*)(address))
#define BARRIER() __asm volatile("dsb\n\tisb" ::: "memory")

#define ICSR REG(0xE000ED04)
#define VTOR REG(0xE000ED08)
#define AIRCR REG(0xE000ED0C)
#define SCR REG(0xE000ED10)
#define CCR REG(0xE000ED14)
#define SHCSR REG(0xE000ED24)
#define CFSR REG(0xE000ED28)
#define HFSR REG(0xE000ED2C)
#define MMFAR REG(0xE000ED34)
#define BFAR REG(0xE000ED38)
#define SFSR REG(0xE000EDE4)
#define SFAR REG(0xE000EDE8)
#define CPACR REG(0xE000ED88)
#define NSACR REG(0xE000ED8C)
#define FPCCR REG(0xE000EF34)
#define FPCAR REG(0xE000EF38)
#define MPU_CTRL REG(0xE000ED94)
#define MPU_RNR REG(0xE000ED98)
#define MPU_RBAR REG(0xE000ED9C)
#define MPU_RLAR REG(0xE000EDA0)
#define MPU_MAIR0 REG(0xE000EDC0)
#define SAU_CTRL REG(0xE000EDD0)
#define SAU_RNR REG(0xE000EDD8)
#define SAU_RBAR REG(0xE000EDDC)
#define SAU_RLAR REG(0xE000EDE0)
#define ISER(n) REG(0xE000E100 + 4 * (n))
#define ICER(n) REG(0xE000E180 + 4 * (n))
#define ISPR(n) REG(0xE000E200 + 4 * (n))
#define ICPR(n) REG(0xE000E280 + 4 * (n))
#define IABR(n) REG(0xE000E300 + 4 * (n))
#define ITNS(n) REG(0xE000E380 + 4 * (n))
#define IPR(n) REG8(0xE000E400 + (n))
#define SHPR(exception) REG8(0xE000ED14 + (exception))
#define STIR REG(0xE000EF00)

void print(const char* text);
void print_hex(uint32_t value);
/* "name=xxxxxxxx " */
void show(const char* name, uint32_t value);
void line(void);
__attribute__((noreturn)) void finish(uint32_t code);

/* Stacked by the hardware. */
typedef struct {
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
} Frame;

/* Called for every exception. `ipsr` is its number. */
void on_exception(uint32_t ipsr, Frame* frame, uint32_t exc_return);

extern volatile uint32_t resume_pc; /* where a fault handler sends the program */

/* address rN, value: any 32-bit value or symbol. */
__asm(
    ".macro address register, value\n"
    "movw \\register, #:lower16:(\\value)\n"
    "movt \\register, #:upper16:(\\value)\n"
    ".endm\n");

/* Runs assembly that is to fault; the handler goes on behind it. */
#define FAULT(code)                                                                \
    __asm volatile("adr.w r3, 7f\n\tstr r3, [%0]\n\t" code "\n\t.balign 4\n7:\n\t" \
                   :                                                               \
                   : "r"(&resume_pc)                                               \
                   : "r0", "r1", "r2", "r3", "r4", "r12", "lr", "cc", "memory")

/* The same for code that moves the stack pointer. */
#define FAULT_SP(code)                                                   \
    __asm volatile("mov r4, sp\n\tadr.w r3, 7f\n\tstr r3, [%0]\n\t" code \
                   "\n\t.balign 4\n7:\tmov sp, r4\n\t"                   \
                   :                                                     \
                   : "r"(&resume_pc)                                     \
                   : "r0", "r1", "r2", "r3", "r4", "r12", "lr", "cc", "memory")

/* Prints what a fault left in the status registers and clears it. */
void show_fault(uint32_t ipsr, const Frame* frame, uint32_t exc_return);

extern uint32_t vectors[];

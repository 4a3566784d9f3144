/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point context between the security states: ownership, lazy stacking of Secure registers
   under Non-secure code, VLSTM, FPCXT, access rights. */
#include "support.h"

#define NS_ALIAS(address) ((uint32_t)(address) - 0x10000000u)

uint32_t fp_fill(uint32_t seed);
void fp_read(uint32_t *to);
void fp_status_set(uint32_t value);
uint32_t fp_status_get(void);

typedef struct {
    volatile uint32_t log[64];
    volatile uint32_t count;
} Shared;
static Shared shared __attribute__((section(".shared")));
static uint32_t area[64] __attribute__((aligned(8)));

static volatile uint32_t use_in_handler;

static void show_control(void) {
    uint32_t value = 0;
    __asm volatile("mrs %0, control" : "=r"(value));
    show("control", value);
}

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    show("enter", ipsr);
    show("return", exc_return);
    show_control();
    show("fpccr", FPCCR);
    show("ns", REG(0xE002EF34));
    if (ipsr >= 3 && ipsr <= 7) {
        show("cfsr", CFSR);
        show("sfsr", SFSR & ~0x40u);
        CFSR = CFSR;
        SFSR = SFSR;
        if (exc_return & 0x40) {
            frame->pc = resume_pc;
        } else {
            Frame *ns;
            __asm volatile("mrs %0, msp_ns" : "=r"(ns));
            ns->pc += 4;
        }
    }
    line();
    if (use_in_handler) {
        fp_fill(0x9000);
        show_control();
        show("fpccr", FPCCR);
        show("ns", REG(0xE002EF34));
        line();
    }
}

/* Notes r0 in the log. Everything here is Non-secure code. */
__asm(
    ".section .nonsecure, \"ax\"\n"
    ".fpu fpv5-d16\n"
    ".thumb_func\n"
    "note:\n"
    "movw r2, #0\n"
    "movt r2, #0x2004\n"
    "ldr r3, [r2, #256]\n"
    "str r0, [r2, r3, lsl #2]\n"
    "adds r3, #1\n"
    "str r3, [r2, #256]\n"
    "bx lr\n"
    ".global ns_look\n" /* what it sees of the registers */
    ".thumb_func\n"
    "ns_look:\n"
    "push {r4, lr}\n"
    "mrs r0, control\n"
    "bl note\n"
    "vmov r0, s0\n"
    "bl note\n"
    "vmov r0, s15\n"
    "bl note\n"
    "vmov r0, s16\n"
    "bl note\n"
    "vmrs r0, fpscr\n"
    "bl note\n"
    "mrs r0, control\n"
    "bl note\n"
    "movs r0, #0x55\n"
    "vmov s0, r0\n"
    "pop {r4, pc}\n"
    ".global ns_nothing\n"
    ".thumb_func\n"
    "ns_nothing:\n"
    "bx lr\n"
    ".global ns_interrupted\n" /* uses the unit, then pends interrupt r0 */
    ".thumb_func\n"
    "ns_interrupted:\n"
    "push {r4, lr}\n"
    "movw r1, #0x1234\n"
    "vmov s0, r1\n"
    "vmov s16, r1\n"
    "movw r1, #0xe200\n"
    "movt r1, #0xe000\n"
    "str r0, [r1]\n"
    "dsb\n"
    "isb\n"
    "vmov r0, s0\n"
    "bl note\n"
    "vmov r0, s16\n"
    "bl note\n"
    "mrs r0, control\n"
    "bl note\n"
    "pop {r4, pc}\n"
    ".thumb_func\n"
    "ns_handler:\n"
    "push {r4, lr}\n"
    "bl ns_look\n"
    "mov r0, lr\n"
    "pop {r4, pc}\n"
    ".section .ns_vectors, \"a\"\n"
    ".balign 512\n"
    ".global ns_vectors\n"
    "ns_vectors:\n"
    ".word 0x20070000\n"
    ".word 0\n"
    ".rept 14 + 96\n"
    ".word ns_handler + 1 - 0x10000000\n"
    ".endr\n"
    ".section .gateway, \"ax\"\n"
    ".balign 32\n"
    "nop\n"
    ".text\n");

extern uint8_t ns_look[], ns_nothing[], ns_interrupted[];
extern uint32_t ns_vectors[];

static void call(const uint8_t *function, uint32_t argument) {
    register uint32_t r0 __asm("r0") = argument;
    register uint32_t r1 __asm("r1") = NS_ALIAS(function) & ~1u;
    __asm volatile("blxns r1" : "+r"(r0), "+r"(r1)::"r2", "r3", "r4", "r12", "lr", "cc", "memory");
}

static void show_log(void) {
    for (uint32_t i = 0; i < shared.count && i < 64; ++i) show("", shared.log[i]);
    shared.count = 0;
    line();
}

static void show_registers(void) {
    uint32_t values[6];
    fp_read(values);
    for (int i = 0; i < 6; ++i) show("s", values[i]);
    show("fpscr", fp_status_get());
    show_control();
    line();
}

static void attribute(uint32_t number, uint32_t start, uint32_t end) {
    SAU_RNR = number;
    SAU_RBAR = start;
    SAU_RLAR = (end & ~31u) | 1;
}

static void preserved_call(const uint8_t *function, uint32_t argument) {
    __asm volatile("vlstm %0" ::"r"(area) : "memory");
    show_control();
    show("fpccr", FPCCR);
    show("fpcar", FPCAR - (uint32_t)area);
    line();
    call(function, argument);
    show_control();
    show("fpccr", FPCCR);
    line();
    __asm volatile("vlldm %0" ::"r"(area) : "memory");
    show_registers();
}

static void contexts(void) {
    uint32_t value = 0;
    print("fpcxt\n");
    fp_fill(0x400);
    fp_status_set(0x93440013);
    __asm volatile("vstr fpcxts, [%0]" ::"r"(area) : "memory");
    show("fpcxts", area[0]);
    show_control();
    __asm volatile("vmrs %0, fpcxts" : "=r"(value));
    show("again", value);
    area[0] = 0x80000000u | 0x03440001;
    __asm volatile("vldr fpcxts, [%0]" ::"r"(area) : "memory");
    show_control();
    show("fpscr", fp_status_get());
    line();
    __asm volatile("vstr fpcxtns, [%0]" ::"r"(area) : "memory");
    show("fpcxtns", area[0]);
    show_control();
    line();
    area[0] = 0x80000000u | 0x02440003;
    __asm volatile("vldr fpcxtns, [%0]" ::"r"(area) : "memory");
    show_control();
    show("fpscr", fp_status_get());
    line();
    __asm volatile("msr control, %0\n\tisb" ::"r"(0));
    __asm volatile("vstr fpcxtns, [%0]" ::"r"(area) : "memory");
    show("inactive", area[0]);
    show_control();
    line();
}

int main(void) {
    SHCSR = 0xF0000;
    CPACR = 0xF << 20;
    REG(0xE002ED88) = 0xF << 20;
    NSACR = 0xC00;
    attribute(0, 0x00000000, 0x0007FFFF);
    attribute(1, 0x20000000, 0x2007FFFF);
    SAU_CTRL = 1;
    BARRIER();
    REG(0xE002ED08) = NS_ALIAS(ns_vectors);
    REG(0xE002ED24) = 0x70000;
    __asm volatile("msr msp_ns, %0\n\tmsr control_ns, %1" ::"r"(0x20070000), "r"(0));
    contexts();
    for (uint32_t mode = 0; mode < 3; ++mode) {
        /* Lazy, at once, whole context lazy. */
        FPCCR = mode == 0 ? 0xC0000004u : mode == 1 ? 0x80000004u : 0xE4000004u;
        show("mode", FPCCR);
        line();
        print("call that uses the unit\n");
        fp_fill(0x500);
        fp_status_set(0x00440010);
        preserved_call(ns_look, 0);
        show_log();
        print("call that does not\n");
        fp_fill(0x600);
        preserved_call(ns_nothing, 0);
        show_log();
        print("interrupt to Non-secure\n");
        ITNS(0) = 0xF0;
        ISER(0) = 0xFF;
        fp_fill(0x700);
        ISPR(0) = 0x10;
        BARRIER();
        show_registers();
        show_log();
        print("interrupt of Non-secure to Secure\n");
        for (use_in_handler = 0; use_in_handler < 2; ++use_in_handler) {
            fp_fill(0x800);
            preserved_call(ns_interrupted, 1);
            show_log();
        }
        use_in_handler = 0;
    }
    print("not granted\n");
    FPCCR = 0xC0000004u;
    NSACR = 0;
    fp_fill(0xA00);
    preserved_call(ns_look, 0);
    show_log();
    print("done\n");
    return 0;
}

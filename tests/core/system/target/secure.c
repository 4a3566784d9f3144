/* SPDX-License-Identifier: Apache-2.0 */
/* Secure and Non-secure state: calls both ways, exceptions across, attribution, TT, banked
   registers. Code of the Non-secure side runs at the other alias of the same memory. */
#include "support.h"

#define NS_ALIAS(address) ((uint32_t)(address) - 0x10000000u)
#define NS_CODE __attribute__((section(".nonsecure"), noinline, used))
#define NS_REG(address) (*(volatile uint32_t *)((address) + 0x20000u))

enum { kIrq = 16 };

/* Written by both sides. */
typedef struct {
    volatile uint32_t log[64];
    volatile uint32_t count;
} Shared;
static Shared shared __attribute__((section(".shared")));

extern uint8_t ns_start[], ns_bail[];

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    uint32_t value = 0;
    show("enter", ipsr);
    show("return", exc_return);
    __asm volatile("mrs %0, control" : "=r"(value));
    show("control", value);
    __asm volatile("mrs %0, control_ns" : "=r"(value));
    show("control_ns", value);
    show("icsr", ICSR);
    line();
    if (ipsr >= 3 && ipsr <= 7) {
        const uint32_t cfsr = CFSR, sfsr = SFSR;
        show("cfsr", cfsr);
        show("hfsr", HFSR);
        show("sfsr", sfsr & ~0x40u); /* QEMU has no SFARVALID */
        if (cfsr & 0x80) show("mmfar", MMFAR);
        line();
        CFSR = cfsr;
        SFSR = sfsr;
        HFSR = HFSR;
        /* Of Secure code: go on behind. Of Non-secure code: return to its caller. */
        if (exc_return & 0x40) {
            frame->pc = resume_pc;
            frame->xpsr = (frame->xpsr & ~0x0600FC00u) | 1u << 24;
        } else {
            Frame *ns;
            __asm volatile("mrs %0, msp_ns" : "=r"(ns));
            show("pc", ns->pc & 0xF0000000);
            show("xpsr", ns->xpsr & 0x1FF);
            line();
            ns->pc = NS_ALIAS(ns_bail) & ~1u;
            ns->xpsr = (ns->xpsr & ~0x0600FC00u) | 1u << 24;
        }
    }
}

/* ---- Non-secure side: only registers, its stack and `shared` ---- */

NS_CODE static void ns_note(Shared *to, uint32_t value) {
    to->log[to->count & 63] = value;
    to->count = to->count + 1;
}

NS_CODE uint32_t ns_handler(uint32_t ipsr, uint32_t *sp, uint32_t exc_return) {
    Shared *to = (Shared *)0x20040000;
    ns_note(to, 0x11110000 | ipsr);
    ns_note(to, exc_return);
    ns_note(to, sp[7] & 0x1FF);
    if (ipsr >= 3 && ipsr <= 6) {
        ns_note(to, CFSR);
        CFSR = CFSR;
        sp[6] = (uint32_t)ns_bail - 0x10000000u;
        sp[7] |= 1u << 24;
    }
    return 0;
}

NS_CODE uint32_t ns_work(uint32_t what, uint32_t argument) {
    Shared *to = (Shared *)0x20040000;
    uint32_t value = 0;
    switch (what) {
        case 0:
            __asm volatile("mrs %0, control" : "=r"(value));
            ns_note(to, value);
            __asm volatile("mrs %0, ipsr" : "=r"(value));
            ns_note(to, value);
            __asm volatile("mrs %0, msplim" : "=r"(value));
            ns_note(to, value);
            ns_note(to, VTOR);
            ns_note(to, AIRCR);
            ns_note(to, ICSR);
            ns_note(to, SHCSR);
            ns_note(to, SAU_CTRL);
            ns_note(to, REG(0xE000ED00));
            ns_note(to, NSACR);
            ns_note(to, ISER(0));
            break;
        case 1:
            value = *(volatile uint32_t *)argument;
            break;
        case 2:
            __asm volatile("svc #1");
            break;
        case 3:
            value = ((uint32_t(*)(uint32_t, uint32_t))argument)(5, 7);
            break;
        case 4:
            __asm volatile("udf #1");
            break;
        case 5:
            ISPR(0) = argument;
            BARRIER();
            break;
        case 6:
            __asm volatile("tt %0, %1" : "=r"(value) : "r"(argument));
            break;
        case 7:
            ICSR = 1u << 28;
            BARRIER();
            break;
        case 8:
            __asm volatile("msr primask, %0\n\tmrs %0, primask" : "+r"(argument));
            value = argument;
            break;
        default:
            break;
    }
    return value;
}

__asm(
    ".section .ns_vectors, \"a\"\n"
    ".balign 512\n"
    ".global ns_vectors\n"
    "ns_vectors:\n"
    ".word 0x20070000\n"
    ".word 0\n"
    ".rept 14 + 96\n"
    ".word ns_entry + 1 - 0x10000000\n"
    ".endr\n"
    ".section .nonsecure, \"ax\"\n"
    ".thumb_func\n"
    "ns_entry:\n"
    "tst lr, #8\n"
    "it ne\n"
    "tstne lr, #4\n"
    "mov r1, sp\n"
    "mov r2, lr\n"
    "mrs r0, ipsr\n"
    "push {r4, lr}\n"
    "bl ns_handler\n"
    "pop {r4, pc}\n"
    ".global ns_start\n"
    ".thumb_func\n"
    "ns_start:\n"
    "push {r4, lr}\n"
    "movw r2, #0x1000\n"
    "movt r2, #0x2004\n"
    "str sp, [r2]\n"
    "bl ns_work\n"
    "pop {r4, pc}\n"
    ".global ns_bail\n"
    ".thumb_func\n"
    "ns_bail:\n"
    "movw r2, #0x1000\n"
    "movt r2, #0x2004\n"
    "ldr sp, [r2]\n"
    "movs r0, #0xbb\n"
    "pop {r4, pc}\n"
    ".section .gateway, \"ax\"\n"
    ".balign 32\n"
    ".global gate\n"
    ".thumb_func\n"
    "gate:\n"
    "sg\n"
    "b.w secure_service_entry\n"
    ".global no_gate\n"
    ".thumb_func\n"
    "no_gate:\n"
    "nop.w\n"
    "b.w secure_service_entry\n"
    ".text\n"
    ".thumb_func\n"
    "secure_service_entry:\n"
    "push {r4, lr}\n"
    "bl secure_service\n"
    "pop {r4, lr}\n"
    "bxns lr\n");

extern uint32_t ns_vectors[];
extern uint8_t gate[], no_gate[];

uint32_t secure_service(uint32_t a, uint32_t b) {
    uint32_t value = 0;
    show("service", a);
    show("and", b);
    __asm volatile("mrs %0, control" : "=r"(value));
    show("control", value);
    line();
    return a * 100 + b;
}

static uint32_t call(uint32_t what, uint32_t argument) {
    const uint32_t target = NS_ALIAS(ns_start) & ~1u;
    register uint32_t r0 __asm("r0") = what;
    register uint32_t r1 __asm("r1") = argument;
    shared.count = 0;
    __asm volatile("push {r4-r11}\n\tmov r4, %2\n\tblxns r4\n\tpop {r4-r11}"
                   : "+r"(r0), "+r"(r1)
                   : "r"(target)
                   : "r2", "r3", "r12", "lr", "cc", "memory");
    const uint32_t result = r0;
    show("call", what);
    show("gives", result);
    for (uint32_t i = 0; i < shared.count && i < 64; ++i) show("", shared.log[i]);
    line();
    return result;
}

static void attribute(uint32_t number, uint32_t start, uint32_t end, uint32_t callable) {
    SAU_RNR = number;
    SAU_RBAR = start;
    SAU_RLAR = (end & ~31u) | callable << 1 | 1;
}

static void tt(const char *name, uint32_t address) {
    uint32_t value = 0;
    print(name);
    __asm volatile("tt %0, %1" : "=r"(value) : "r"(address));
    show(" tt", value);
    __asm volatile("ttt %0, %1" : "=r"(value) : "r"(address));
    show("ttt", value);
    __asm volatile("tta %0, %1" : "=r"(value) : "r"(address));
    show("tta", value);
    __asm volatile("ttat %0, %1" : "=r"(value) : "r"(address));
    show("ttat", value);
    line();
}

static void targets(void) {
    tt("secure code", 0x10000000);
    tt("non-secure code", 0x00010000);
    tt("gateway", (uint32_t)gate);
    tt("outside", 0x21000000);
    tt("system", 0xE000E000);
    tt("vendor", 0xF0000000);
    MPU_MAIR0 = 0x44;
    MPU_RNR = 3;
    MPU_RBAR = 0x30000000 | 1 << 1 | 1;
    MPU_RLAR = 0x3007FFE0 | 1;
    MPU_CTRL = 5;
    NS_REG(0xE000ED98) = 2;
    NS_REG(0xE000ED9C) = 0x20000000 | 3 << 1 | 1;
    NS_REG(0xE000EDA0) = 0x2007FFE0 | 1;
    NS_REG(0xE000ED94) = 1;
    tt("secure data", 0x30000100);
    tt("non-secure data", 0x20000100);
    tt("no region", 0x00010000);
    MPU_CTRL = 0;
    NS_REG(0xE000ED94) = 0;
}

int main(void) {
    SHCSR = 0xF0000;
    attribute(0, 0x00000000, 0x0007FFFF, 0);
    attribute(1, 0x20000000, 0x2007FFFF, 0);
    attribute(2, 0x10020000, 0x1002001F, 1);
    SAU_CTRL = 1;
    BARRIER();
    /* The board's own unit marks this region callable only where its registers say so. */
    REG(0x50080014) = 3;
    NS_REG(0xE000ED08) = NS_ALIAS(ns_vectors);
    NS_REG(0xE000ED24) = 0x70000;
    __asm volatile("msr msp_ns, %0\n\tmsr control_ns, %1" ::"r"(0x20070000), "r"(0));
    __asm volatile("msr msplim_ns, %0" ::"r"(0x20060000));
    print("banked registers\n");
    call(0, 0);
    print("faults\n");
    call(1, 0x30000000);
    call(1, (uint32_t)gate);
    call(1, 0x3f000000);
    call(4, 0);
    __asm volatile("" ::: "memory");
    print("calls\n");
    call(2, 0);
    call(3, (uint32_t)gate | 1);
    call(3, (uint32_t)no_gate | 1);
    call(3, (uint32_t)main | 1);
    call(7, 0);
    print("interrupts\n");
    ITNS(0) = 0xF0;
    show("itns", ITNS(0));
    line();
    ISER(0) = 0xFF;
    call(5, 0x10);
    call(5, 0x01);
    ISPR(0) = 0x02;
    BARRIER();
    ISPR(0) = 0x20;
    BARRIER();
    show("log", shared.log[(shared.count - 2) & 63]);
    line();
    print("chains\n");
    __asm volatile("cpsid i");
    ISPR(0) = 0x33;
    BARRIER();
    shared.count = 0;
    __asm volatile("cpsie i\n\tisb");
    for (uint32_t i = 0; i < shared.count; ++i) show("", shared.log[i]);
    line();
    AIRCR = 0x05FA0000 | 1u << 14;
    show("pris", AIRCR);
    IPR(4) = 0x20;
    IPR(0) = 0xA0;
    show("ipr", REG(0xE000E400));
    show("ns", NS_REG(0xE000E400));
    show("ns", NS_REG(0xE000E404));
    line();
    __asm volatile("cpsid i");
    ISPR(0) = 0x11;
    BARRIER();
    shared.count = 0;
    __asm volatile("cpsie i\n\tisb");
    for (uint32_t i = 0; i < shared.count; ++i) show("", shared.log[i]);
    line();
    AIRCR = 0x05FA0000;
    print("masks\n");
    call(8, 1);
    call(5, 0x10);
    call(8, 0);
    print("wrong ways\n");
    FAULT("address r0, 0x00010000\n\torr r0, #1\n\tbx r0");
    FAULT("address r0, 0x20000000\n\tldr r1, [r0]\n\tudf #2");
    print("targets\n");
    targets();
    print("faults to Non-secure\n");
    AIRCR = 0x05FA0000 | 1u << 13;
    show("aircr", AIRCR);
    show("ns", NS_REG(0xE000ED0C));
    line();
    call(1, 0x0f000000);
    AIRCR = 0x05FA0000;
    print("done\n");
    return 0;
}

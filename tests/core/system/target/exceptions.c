/* SPDX-License-Identifier: Apache-2.0 */
/* Order and frames of exceptions: nesting, priorities, masks, tail-chaining, both stacks,
   unprivileged code, floating-point context. */
#include "support.h"

uint32_t fp_fill(uint32_t seed);
void fp_read(uint32_t *to);
void fp_status_set(uint32_t value);
uint32_t fp_status_get(void);

enum { kSvc = 11, kPendSv = 14, kSysTick = 15, kIrq = 16 };

static void (*volatile hook)(uint32_t ipsr, Frame *frame, uint32_t exc_return);
static volatile uint32_t depth;

static void indent(void) {
    for (uint32_t i = 0; i < depth; ++i) print("  ");
}

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    indent();
    show("enter", ipsr);
    show("return", exc_return);
    line();
    ++depth;
    if (hook) hook(ipsr, frame, exc_return);
    --depth;
    indent();
    show("leave", ipsr);
    line();
}

static void pend(uint32_t irq) {
    ISPR(irq / 32) = 1u << irq % 32;
    BARRIER();
}

static void set_up(uint32_t irq, uint8_t priority) {
    IPR(irq) = priority;
    ISER(irq / 32) = 1u << irq % 32;
}

static void show_frame(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    (void)exc_return;
    indent();
    show("r0", frame->r0);
    show("r1", frame->r1);
    show("r2", frame->r2);
    show("r3", frame->r3);
    show("r12", frame->r12);
    show("lr", frame->lr);
    show("xpsr", frame->xpsr);
    show("sp", (uint32_t)frame & 7);
    show("icsr", ICSR);
    show("shcsr", SHCSR);
    show("ipsr", ipsr);
    line();
    frame->r0 = 0x99;
}

static void frames(void) {
    print("frames\n");
    hook = show_frame;
    uint32_t r0 = 0, flags = 0;
    __asm volatile(
        "movs r0, #1\n\tmovs r1, #2\n\tmovs r2, #3\n\tmovs r3, #4\n\tmov r12, #5\n\tmov lr, #6\n\t"
        "cmp r0, #1\n\tsvc #7\n\tmov %0, r0\n\tmrs %1, apsr"
        : "=r"(r0), "=r"(flags)
        :
        : "r0", "r1", "r2", "r3", "r12", "lr", "cc", "memory");
    show("r0", r0);
    show("flags", flags);
    line();
    __asm volatile(
        "mov r5, sp\n\tsub sp, #4\n\tmovs r0, #0\n\tmsr apsr_nzcvqg, r0\n\tsvc #8\n\tmrs r6, apsr\n\t"
        "mov r0, sp\n\tsub r5, r5, r0\n\tadd sp, #4\n\tmov %0, r5\n\tmov %1, r6"
        : "=r"(r0), "=r"(flags)
        :
        : "r0", "r1", "r2", "r3", "r5", "r6", "r12", "lr", "cc", "memory");
    show("moved", r0);
    show("flags", flags);
    line();
    uint32_t a = 0, b = 0;
    __asm volatile(
        "movs r1, #0\n\tmovs r2, #0\n\tmovs r0, #0\n\tmov r3, #0\n\tmov r12, #0\n\tmov lr, #0\n\t"
        "msr apsr_nzcvqg, r0\n\tcmp r0, #0\n\t"
        "ittee eq\n\tsvceq #1\n\tmoveq r1, #1\n\tmovne r2, #1\n\tmovne r1, #7\n\tmov %0, r1\n\tmov %1, r2"
        : "=r"(a), "=r"(b)
        :
        : "r0", "r1", "r2", "r3", "r12", "lr", "cc", "memory");
    show("then", a);
    show("else", b);
    line();
    hook = 0;
}

static void pend_more(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    (void)frame;
    (void)exc_return;
    if (ipsr == kIrq + 3) {
        pend(4); /* more urgent: nests */
        pend(5); /* less urgent: waits */
        ICSR = 1u << 28;
        BARRIER();
        indent();
        show("icsr", ICSR);
        show("active", IABR(0));
        show("pending", ISPR(0));
        line();
    }
    if (ipsr == kIrq + 4) pend(6); /* same group as 4: waits */
}

static void order(void) {
    print("order\n");
    set_up(3, 0x80);
    set_up(4, 0x40);
    set_up(5, 0xC0);
    set_up(6, 0x40);
    SHPR(kPendSv) = 0xFF;
    show("pendsv", SHPR(kPendSv));
    line();
    hook = pend_more;
    pend(3);
    hook = 0;
    print("several at once\n");
    __asm volatile("cpsid i");
    pend(5);
    pend(3);
    pend(6);
    pend(4);
    ICSR = 1u << 28 | 1u << 26;
    show("icsr", ICSR);
    line();
    __asm volatile("cpsie i\n\tisb");
    print("basepri\n");
    __asm volatile("msr basepri, %0\n\tisb" ::"r"(0x80));
    pend(5);
    pend(3);
    pend(4);
    print("lowered\n");
    __asm volatile("msr basepri, %0\n\tisb" ::"r"(0));
    print("faultmask\n");
    __asm volatile("cpsid f\n\tisb");
    pend(4);
    ICSR = 1u << 31;
    BARRIER();
    __asm volatile("cpsie f\n\tisb");
    print("basepri_max\n");
    uint32_t value = 0;
    __asm volatile(
        "msr basepri_max, %1\n\tmsr basepri_max, %2\n\tmrs %0, basepri\n\tmsr basepri_max, %3\n\t"
        : "=r"(value)
        : "r"(0x60), "r"(0xA0), "r"(0x20));
    show("after", value);
    __asm volatile("mrs %0, basepri_max\n\tmsr basepri, %1" : "=&r"(value) : "r"(0));
    show("after", value);
    line();
    print("groups\n");
    AIRCR = 0x05FA0000 | 6 << 8; /* two groups: 4 and 6 against 3 and 5 */
    BARRIER();
    hook = pend_more;
    pend(3);
    hook = 0;
    __asm volatile("cpsid i");
    pend(5);
    pend(3);
    __asm volatile("cpsie i\n\tisb");
    AIRCR = 0x05FA0000;
    print("disabled\n");
    ICER(0) = 1u << 3;
    pend(3);
    show("pending", ISPR(0));
    ICPR(0) = 1u << 3;
    show("pending", ISPR(0));
    line();
    STIR = 4;
    BARRIER();
    ICER(0) = 0xFF;
}

static void unmask_inside(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    (void)frame;
    (void)exc_return;
    uint32_t value = 0;
    if (ipsr != 2) return;
    __asm volatile("mrs %0, faultmask" : "=r"(value));
    show("faultmask", value);
    line();
}

static void non_maskable(void) {
    print("nmi\n");
    hook = unmask_inside;
    __asm volatile("cpsid i");
    ICSR = 1u << 31;
    BARRIER();
    __asm volatile("cpsie i");
    hook = 0;
}

static void show_control(const char *name) {
    uint32_t value = 0;
    __asm volatile("mrs %0, control" : "=r"(value));
    show(name, value);
}

static void privilege(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    (void)exc_return;
    indent();
    show_control("control");
    show("stack", (uint32_t)frame >> 28);
    if (ipsr == 5) show("bfar", BFAR);
    line();
    if (ipsr == kSvc) __asm volatile("msr control, %0" ::"r"(2));
    if (ipsr == 5) {
        CFSR = 0xFFFFFFFF;
        frame->pc = resume_pc;
    }
}

static uint32_t process_stack[256] __attribute__((aligned(16)));

static void stacks(void) {
    print("process stack\n");
    uint32_t value = 0;
    hook = privilege;
    SHCSR = 0x70000;
    __asm volatile("msr psp, %0" ::"r"(process_stack + 200));
    /* SPSEL and nPRIV: from here on the process stack. */
    __asm volatile(
        "mov r4, sp\n\tmovs r0, #3\n\tmsr control, r0\n\tisb\n\tmsr basepri, r0\n\tmrs r5, basepri\n\t"
        "mrs r6, control\n\tmrs r12, ipsr\n\tcpsid i\n\tmrs r8, primask\n\tmrs r9, xpsr\n\t"
        "adr.w r3, 7f\n\tstr r3, [%0]\n\taddress r2, 0xe000ed08\n\tldr r1, [r2]\n\t.balign 4\n7:\n\t"
        "svc #0\n\tisb\n\tmrs r10, control\n\tmovs r0, #0\n\tmsr control, r0\n\tisb\n\tmov sp, r4"
        :
        : "r"(&resume_pc)
        : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r12", "lr", "cc", "memory");
    __asm volatile("mrs %0, psp" : "=r"(value));
    show("psp", value - (uint32_t)process_stack);
    show_control("control");
    line();
    hook = 0;
}

static void use_fp(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    (void)exc_return;
    uint32_t values[6];
    indent();
    show_control("control");
    show("fpccr", FPCCR);
    show("offset", FPCAR - (uint32_t)frame);
    line();
    if (ipsr == kSvc) return;
    fp_fill(0x700);
    fp_status_set(0x03040000);
    indent();
    show_control("control");
    show("fpccr", FPCCR);
    fp_read(values);
    show("s0", ((uint32_t *)frame)[8]);
    show("s15", ((uint32_t *)frame)[23]);
    show("fpscr", ((uint32_t *)frame)[24]);
    show("vpr", ((uint32_t *)frame)[25]);
    line();
}

static void floating_point(void) {
    uint32_t values[6];
    print("floating point\n");
    CPACR = 0xF << 20;
    BARRIER();
    show("fpccr", FPCCR);
    show_control("control");
    hook = use_fp;
    set_up(3, 0x80);
    for (uint32_t lazy = 0; lazy < 2; ++lazy) {
        FPCCR = 0x80000000u | lazy << 30;
        fp_fill(0x100);
        fp_status_set(0x80440010);
        __asm volatile("svc #0");
        pend(3);
        fp_read(values);
        for (int i = 0; i < 6; ++i) show("s", values[i]);
        show("fpscr", fp_status_get());
        show_control("control");
        line();
    }
    print("whole context\n");
    FPCCR = 0xC4000000u;
    fp_fill(0x200);
    pend(3);
    fp_read(values);
    for (int i = 0; i < 6; ++i) show("s", values[i]);
    line();
    print("not automatic\n");
    FPCCR = 0;
    __asm volatile("msr control, %0\n\tisb" ::"r"(0));
    fp_fill(0x300);
    show_control("control");
    pend(3);
    line();
    hook = 0;
    FPCCR = 0xC0000000u;
}

static uint32_t table[16 + 96] __attribute__((aligned(512)));

static void moved_table(void) {
    print("moved vector table\n");
    for (int i = 0; i < 16 + 96; ++i) table[i] = vectors[i];
    VTOR = (uint32_t)table;
    BARRIER();
    __asm volatile("svc #0");
    VTOR = (uint32_t)vectors;
    BARRIER();
}

static volatile uint32_t storm_count, storm_hash;
static void storm_hook(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    storm_hash = (storm_hash ^ ipsr ^ (frame->xpsr & 0x1FF) << 9 ^ exc_return << 18) * 0x01000193u;
    if (++storm_count >= 400) return;
    const uint32_t next = storm_hash >> 8;
    pend(next % 24);
    if (next & 0x1000) pend((next >> 16) % 24);
    if (next & 0x2000) {
        ICSR = 1u << 28;
        BARRIER();
    }
    if (next & 0x4000) IPR((next >> 20) % 24) = (uint8_t)(next >> 24);
}

static void storm(void) {
    print("storm\n");
    for (uint32_t i = 0; i < 24; ++i) set_up(i, (uint8_t)(i * 40));
    hook = storm_hook;
    while (storm_count < 400) {
        storm_hash += 0x9E3779B9u;
        pend(storm_hash % 24);
    }
    show("count", storm_count);
    show("hash", storm_hash);
    line();
    hook = 0;
}

int main(void) {
    frames();
    order();
    non_maskable();
    stacks();
    floating_point();
    moved_table();
    storm();
    print("done\n");
    return 0;
}

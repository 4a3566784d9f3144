/* SPDX-License-Identifier: Apache-2.0 */
/* Every fault that Secure code can make: which exception, which status, from where, and that the
   program goes on. */
#include "support.h"

/* QEMU does otherwise: see system_test.cpp. */
static volatile uint32_t deviates;
static uint32_t area[64] __attribute__((aligned(256)));

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    if (deviates) print("! ");
    show_fault(ipsr, frame, exc_return);
    frame->pc = resume_pc;
    frame->xpsr = (frame->xpsr & ~0x0600FC00u) | 1u << 24;
}

static void usage_faults(void) {
    print("undefined\n");
    FAULT("udf #0");
    FAULT("udf.w #0");
    print("invalid state\n");
    FAULT("adr.w r0, 7f\n\tbic r0, #1\n\tbx r0");
    FAULT("adr.w r0, 7f\n\tblx r0");
    print("coprocessor\n");
    FAULT("mcr p1, #0, r0, c0, c0, #0");
    FAULT("vmrs r0, fpscr");
    print("division\n");
    __asm volatile("movs r0, #0\n\tmovs r1, #5\n\tudiv r2, r1, r0" ::: "r0", "r1", "r2");
    CCR |= 1u << 4;
    FAULT("movs r0, #0\n\tmovs r1, #5\n\tudiv r2, r1, r0");
    FAULT("movs r0, #0\n\tmovs r1, #5\n\tsdiv r2, r1, r0");
    CCR &= ~(1u << 4);
    print("alignment\n");
    FAULT("address r0, area + 1\n\tldrd r1, r2, [r0]");
    FAULT("address r0, area + 2\n\tldm r0, {r1, r2}");
    FAULT("address r0, area + 2\n\tldrex r1, [r0]");
    FAULT("address r0, area + 1\n\tlda r1, [r0]");
    deviates = 1;
    CCR |= 1u << 3;
    FAULT("address r0, area + 1\n\tldr r1, [r0]");
    FAULT("address r0, area + 1\n\tstrh r1, [r0]");
    CCR &= ~(1u << 3);
    deviates = 0;
    print("inside an IT block\n");
    FAULT("movs r0, #0\n\tcmp r0, #0\n\titt eq\n\tmoveq r1, #1\n\tudfeq #3");
    print("bad exception return\n");
    FAULT("address r0, 0xffffffb9\n\tbx r0");
}

static void bus_faults(void) {
    print("bus\n");
    FAULT("address r0, 0x3f000010\n\tldr r1, [r0]");
    FAULT("address r0, 0x3f000020\n\tldr r1, [r0, #4]!");
    FAULT("address r0, 0x3f000030\n\tstrb r1, [r0]");
    FAULT("address r0, 0x3f000040\n\tldm r0!, {r1, r2}");
    print("fetch\n");
    FAULT("address r0, 0x1f000001\n\tbx r0");
    FAULT("address r0, 0xe000e001\n\tbx r0");
    FAULT("address r0, 0x40000001\n\tbx r0");
}

static void region(uint32_t number, uint32_t base, uint32_t limit, uint32_t access, uint32_t never) {
    MPU_RNR = number;
    MPU_RBAR = base | access << 1 | never;
    MPU_RLAR = (limit & ~31u) | 1;
}

static void memory_faults(void) {
    const uint32_t start = (uint32_t)area;
    print("protection\n");
    MPU_MAIR0 = 0x44;
    region(0, start, start + 31, 3, 1);       /* read-only for everyone */
    region(1, start + 32, start + 63, 0, 1);  /* privileged only */
    region(2, start + 64, start + 127, 1, 1); /* everyone */
    region(3, start + 96, start + 127, 1, 1); /* overlaps */
    MPU_CTRL = 5;
    BARRIER();
    FAULT("address r0, area\n\tldr r1, [r0]\n\tstr r1, [r0]");
    FAULT("address r0, area + 32\n\tstr r1, [r0]\n\tldrt r1, [r0]");
    FAULT("address r0, area + 96\n\tldr r1, [r0]");
    FAULT("address r0, area + 64\n\torr r0, #1\n\tbx r0");
    FAULT("address r0, area + 28\n\tldrd r1, r2, [r0, #-4]\n\tstrd r1, r2, [r0, #-4]");
    FAULT("address r0, area + 30\n\tstr r1, [r0]");
    print("no background map\n");
    region(4, 0x10000000, 0x1007ffff, 3, 0);
    region(5, 0x30000000, (uint32_t)area - 1, 1, 1);
    region(6, 0x30000000 + 0x40000, 0x3007ffff, 1, 1);
    MPU_CTRL = 1;
    BARRIER();
    FAULT("address r0, 0x21000000\n\tldr r1, [r0]");
    FAULT("address r0, area + 64\n\tldr r1, [r0]\n\taddress r0, area + 128\n\tldr r1, [r0]");
    MPU_CTRL = 0;
    BARRIER();
}

static void escalated(void) {
    print("escalation\n");
    SHCSR = 0;
    FAULT("udf #1");
    FAULT("address r0, 0x3f000010\n\tldr r1, [r0]");
    SHCSR = 0x70000;
    SHPR(6) = 0x40;
    __asm volatile("msr basepri, %0" ::"r"(0x40));
    FAULT("udf #1");
    __asm volatile("msr basepri, %0" ::"r"(0));
    __asm volatile("cpsid i");
    FAULT("udf #1");
    FAULT("svc #1");
    __asm volatile("cpsie i");
    SHPR(6) = 0;
    SHPR(11) = 0x80;
    __asm volatile("msr basepri, %0" ::"r"(0x80));
    FAULT("svc #1");
    __asm volatile("msr basepri, %0" ::"r"(0));
}

/* The process stack has the limit, so that handlers have room. */
static void stack_limits(void) {
    print("stack limit\n");
    __asm volatile("mov r0, sp\n\tmsr psp, r0\n\taddress r0, stack_top + 0x1000\n\t"
                   "msr msp, r0\n\tmovs r0, #2\n\tmsr control, r0\n\tisb" ::
                       : "r0", "memory");
    FAULT_SP("sub r0, r4, #128\n\tbic r0, #7\n\tmsr psplim, r0\n\tsub sp, #256");
    FAULT_SP("str r0, [sp, #-248]!");
    FAULT_SP("sub sp, #64\n\tpush {r0-r11}");
    FAULT_SP("sub sp, #80\n\tpush {r0-r12}");
    FAULT_SP("sub r0, r4, #512\n\tmov sp, r0");
    print("limit at exception entry\n");
    FAULT_SP("sub r0, r4, #16\n\tbic r0, #7\n\tmsr psplim, r0\n\tudf #1");
    __asm volatile("msr psplim, %0" ::"r"(0));
}

int main(void) {
    SHCSR = 0x70000;
    usage_faults();
    bus_faults();
    memory_faults();
    escalated();
    stack_limits();
    show("shcsr", SHCSR);
    show("icsr", ICSR);
    line();
    print("done\n");
    return 0;
}

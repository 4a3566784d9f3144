/* SPDX-License-Identifier: Apache-2.0 */
/* Which bits of which system register exist: reset values, and what stays of ones and zeros. */
#include "support.h"

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    show_fault(ipsr, frame, exc_return);
    frame->pc = resume_pc;
}

static void probe(const char *name, uint32_t address) {
    const uint32_t before = REG(address);
    print(name);
    show(" reset", before);
    REG(address) = 0xFFFFFFFF;
    BARRIER();
    show("ones", REG(address));
    REG(address) = 0;
    BARRIER();
    show("zeros", REG(address));
    REG(address) = before;
    BARRIER();
    line();
}

static void special(void) {
    uint32_t value = 0;
#define PROBE(name)                                                                              \
    __asm volatile("msr " name ", %1\n\tmrs %0, " name : "=r"(value) : "r"(0xFFFFFFFFu) : "cc"); \
    show(name, value);                                                                           \
    __asm volatile("msr " name ", %1\n\tmrs %0, " name : "=r"(value) : "r"(0) : "cc");           \
    show("zero", value);                                                                         \
    line()
    PROBE("psp");
    PROBE("psplim");
    PROBE("basepri");
    PROBE("psp_ns");
    PROBE("psplim_ns");
    PROBE("msp_ns");
    PROBE("msplim_ns");
    PROBE("control_ns");
    PROBE("primask_ns");
    PROBE("basepri_ns");
    PROBE("faultmask_ns");
    PROBE("primask");
    __asm volatile("msr faultmask, %1\n\tmrs %0, faultmask\n\tmsr faultmask, %2"
                   : "=&r"(value)
                   : "r"(0xFFFFFFFFu), "r"(0));
    show("faultmask", value);
    __asm volatile("msr apsr_nzcvqg, %1\n\tmrs %0, apsr" : "=r"(value) : "r"(0xFFFFFFFFu) : "cc");
    show("apsr", value);
    __asm volatile("msr apsr_nzcvq, %1\n\tmrs %0, xpsr" : "=r"(value) : "r"(0) : "cc");
    show("xpsr", value);
    __asm volatile("msr apsr_g, %1\n\tmrs %0, epsr" : "=r"(value) : "r"(0) : "cc");
    show("epsr", value);
    __asm volatile("mrs %0, ipsr" : "=r"(value));
    show("ipsr", value);
    line();
}

int main(void) {
    SHCSR = 0x70000;
    print("identification\n");
    for (uint32_t address = 0xE000ED40; address < 0xE000ED78; address += 4) show("", REG(address));
    line();
    show("mvfr", REG(0xE000EF40));
    show("", REG(0xE000EF44));
    show("", REG(0xE000EF48));
    show("cpuid", REG(0xE000ED00));
    show("ctr", REG(0xE000ED7C));
    show("ictr", REG(0xE000E004));
    show("mpu", REG(0xE000ED90));
    show("sau", REG(0xE000EDD4));
    line();
    special();
    probe("vtor_ns", 0xE002ED08);
    VTOR = 0xFFFFFFFF;
    show("vtor", VTOR);
    VTOR = (uint32_t)vectors;
    BARRIER();
    /* QEMU has neither cache and loop bits nor STKOFHFNMIGN. */
    REG(0xE002ED14) = 0xFFFFFFFF;
    show("ccr_ns", REG(0xE002ED14) & 0x3FF);
    REG(0xE002ED14) = 0;
    show("ccr_ns", REG(0xE002ED14) & 0x3FF);
    line();
    probe("shpr1", 0xE000ED18);
    probe("shpr2", 0xE000ED1C);
    probe("shpr3", 0xE000ED20);
    probe("shpr1_ns", 0xE002ED18);
    probe("shpr2_ns", 0xE002ED1C);
    /* Without the debug monitor, which QEMU gives to Non-secure state. */
    REG(0xE002ED20) = 0xFFFFFFFF;
    show("shpr3_ns", REG(0xE002ED20) & 0xFFFFFF00);
    REG(0xE002ED20) = 0;
    line();
    probe("cpacr", 0xE000ED88);
    probe("nsacr", 0xE000ED8C);
    probe("fpdscr", 0xE000EF3C);
    probe("fpcar", 0xE000EF38);
    probe("fpccr", 0xE000EF34);
    probe("rnr", 0xE000ED98);
    probe("mair0", 0xE000EDC0);
    probe("sau rbar", 0xE000EDDC);
    probe("sau rlar", 0xE000EDE0);
    probe("sau rnr", 0xE000EDD8);
    probe("ipr0", 0xE000E400);
    probe("ipr23", 0xE000E45C);
    probe("ipr24", 0xE000E460);
    probe("itns0", 0xE000E380);
    probe("itns2", 0xE000E388);
    probe("itns3", 0xE000E38C);
    probe("systick load", 0xE000E014);
    probe("mmfar", 0xE000ED34);
    probe("bfar", 0xE000ED38);
    probe("bfar_ns", 0xE002ED38);
    probe("hfsr_ns", 0xE002ED2C);
    REG(0xE000E100) = 0xFFFFFFFF;
    REG(0xE000E108) = 0xFFFFFFFF;
    REG(0xE000E10C) = 0xFFFFFFFF;
    show("iser", REG(0xE000E100));
    show("", REG(0xE000E108));
    show("", REG(0xE000E10C));
    REG(0xE000E180) = 0x0FF0;
    show("iser", REG(0xE000E100));
    REG(0xE000E180) = 0xFFFFFFFF;
    REG(0xE000E188) = 0xFFFFFFFF;
    show("icer", REG(0xE000E180));
    line();
    /* Regions by number and by alias. */
    for (uint32_t region = 0; region < 16; ++region) {
        MPU_RNR = region;
        MPU_RBAR = 0x20000000 + region * 0x100;
        MPU_RLAR = 0x20000080 + region * 0x100;
    }
    MPU_RNR = 5;
    for (uint32_t address = 0xE000ED9C; address < 0xE000EDBC; address += 4)
        show("", REG(address));
    line();
    REG(0xE000EDB8) = 0x1234FFFE;
    MPU_RNR = 7;
    show("rlar", MPU_RLAR);
    line();
    REG8(0xE000E405) = 0xA5;
    show("byte", REG(0xE000E404));
    *(volatile uint16_t *)0xE000E406 = 0xC3D2;
    show("half", REG(0xE000E404));
    show("byte", REG8(0xE000E407));
    SHPR(15) = 0x77;
    show("shpr", REG(0xE000ED20));
    AIRCR = 0x12340000 | 7 << 8;
    show("aircr", AIRCR);
    AIRCR = 0x05FA0000 | 5 << 8;
    show("aircr", AIRCR);
    line();
    print("done\n");
    return 0;
}

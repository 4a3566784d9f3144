/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point context of Secure code: when it comes to be, the context registers, lazy
   stores by instruction, clearing, and what a disabled unit does. */
#include "support.h"

#define FPDSCR REG(0xE000EF3C)

enum { kFpca = 4, kAspen = 1u << 31, kLspen = 1u << 30, kTs = 1u << 26 };

static uint32_t area[64] __attribute__((aligned(8)));

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    show_fault(ipsr, frame, exc_return);
    frame->pc = resume_pc;
}

static uint32_t control(void) {
    uint32_t value;
    __asm volatile("mrs %0, control" : "=r"(value));
    return value;
}

static void set_control(uint32_t value) {
    __asm volatile("msr control, %0\n\tisb" : : "r"(value) : "memory");
}

static void no_context(void) { set_control(0); }

#define READ(from)                                          \
    ({                                                      \
        uint32_t value_;                                    \
        __asm volatile("vmrs %0, " from : "=r"(value_));    \
        value_;                                             \
    })
#define WRITE(to, value) __asm volatile("vmsr " to ", %0" : : "r"(value))
#define DO(text, operand) __asm volatile(text : : "r"(operand) : "memory")

static void fill(uint32_t value) {
    __asm volatile(
        "vmov s0, %0\n\tvmov s1, %0\n\tvmov s15, %0\n\tvmov s16, %0\n\tvmov s31, %0"
        :
        : "r"(value));
}

static void show_registers(void) {
    uint32_t a, b, c, d;
    __asm volatile("vmov %0, s0\n\tvmov %1, s15\n\tvmov %2, s16\n\tvmov %3, s31"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d));
    show("s0", a);
    show("s15", b);
    show("s16", c);
    show("s31", d);
}

static void show_state(const char *name) {
    print(name);
    print(": ");
    show("control", control());
    show("fpccr", FPCCR);
}

/* Shows what CONTROL is after an instruction without a context before it. */
#define AFTER(text)                                                \
    do {                                                           \
        no_context();                                              \
        __asm volatile(text : : "r"(area) : "r0", "cc", "memory"); \
        show_state(text);                                          \
        line();                                                    \
    } while (0)

static void creation(void) {
    AFTER("vmrs r0, fpscr");
    AFTER("vmrs r0, p0");
    AFTER("vmrs r0, vpr");
    AFTER("vmrs APSR_nzcv, fpscr");
    AFTER("vmov r0, s0");
    AFTER("vldr s0, [%0]");
    AFTER("vstr fpcxtns, [%0, #8]");
    AFTER("vmrs r0, fpcxts");
    AFTER("vstr fpcxts, [%0, #8]");
    FPDSCR = 0x02400000;
    WRITE("fpscr", 0x00C40010);
    WRITE("p0", 0x55AA);
    no_context();
    show("read first", READ("fpscr"));
    show("vpr", READ("vpr"));
    WRITE("fpscr", 0x00C40010);
    no_context();
    WRITE("fpscr", 0x00840003);
    fill(1);
    show("written first", READ("fpscr"));
    show("fpdscr", FPDSCR);
    line();
    FPDSCR = 0;
}

#define CLEAR(text)                \
    do {                           \
        __asm volatile(text);      \
        show_state(text);          \
        show_registers();          \
        show("vpr", READ("vpr"));  \
        line();                    \
    } while (0)

static void clearing(void) {
    fill(0x11111111);
    WRITE("p0", 0x55AA);
    CLEAR("vscclrm {s1-s16, vpr}");
    fill(0x22222222);
    CLEAR("vscclrm {d0-d15, vpr}");
    fill(0x33333333);
    CLEAR(".inst.w 0xEC9F8B22 @ d8-d24");
    fill(0x44444444);
    WRITE("p0", 0x1234);
    CLEAR(".inst.w 0xEC9F0A00 @ vpr alone");
    fill(0x55555555);
    no_context();
    CLEAR("vscclrm {s0-s15, vpr}");
    FPCCR &= ~kAspen;
    no_context();
    CLEAR("vscclrm {s0-s15, vpr}");
    FPCCR |= kAspen;
}

static void show_context(const char *name, uint32_t value) {
    show(name, value);
    show("control", control());
    show("fpscr", READ("fpscr"));
    line();
}

static void context_registers(void) {
    fill(1);
    WRITE("fpscr", 0xF2C40010);
    show_context("vmrs fpcxts", READ("fpcxts"));
    no_context();
    WRITE("fpcxts", 0x81C40010);
    show_context("vmsr fpcxts", 0);
    DO("vstr fpcxts, [%0]", area);
    show_context("vstr fpcxts", area[0]);
    area[1] = 0x80040000;
    DO("vldr fpcxts, [%0, #4]", area);
    show_context("vldr fpcxts", 0);
    WRITE("fpscr", 0x02440003);
    FAULT("mov r0, sp\n\tadds r0, #1\n\tvstr fpcxts, [r0]");
    show_context("after the fault", 0);

    no_context();
    show_context("vmrs fpcxtns, none", READ("fpcxtns"));
    no_context();
    DO("vstr fpcxtns, [%0, #8]", area);
    show_context("vstr fpcxtns, none", area[2]);
    no_context();
    WRITE("fpcxtns", 0x82040010);
    show_context("vmsr fpcxtns, none", 0);
    no_context();
    DO("vldr fpcxtns, [%0, #4]", 1);
    show_context("vldr fpcxtns from nowhere, none", 0);
    for (uint32_t own = 0; own < 2; ++own) {
        fill(1);
        WRITE("fpscr", 0x02440003);
        if (own == 0) set_control(kFpca);
        show_context("vmrs fpcxtns", READ("fpcxtns"));
        if (own == 0) set_control(kFpca);
        WRITE("fpcxtns", 0x81C40010);
        show_context("vmsr fpcxtns", 0);
    }
}

static void show_area(const char *name) {
    show_state(name);
    show("s0", area[0]);
    show("s15", area[15]);
    show("fpscr", area[16]);
    show("vpr", area[17]);
    show("s16", area[18]);
    show("s31", area[33]);
    line();
}

static void start(uint32_t value) {
    for (uint32_t i = 0; i < 64; ++i) area[i] = 0xAAAA0000 + i;
    fill(value);
    WRITE("fpscr", 0x02440003);
    WRITE("p0", 0x1234);
}

static void show_unit(const char *name) {
    show_registers();
    show("fpscr", READ("fpscr"));
    show("vpr", READ("vpr"));
    show_state(name);
    line();
}

static void lazy_stores(void) {
    start(0x11111111);
    DO("vlstm %0", area);
    show("area", FPCAR == (uint32_t)area);
    show_area("vlstm");
    DO("vlldm %0", area);
    show_area("vlldm");
    show_unit("nothing used between");

    start(0x22222222);
    DO("vlstm %0", area);
    DO("vmov s3, %0", 7);
    show_area("vlstm, used");
    show_unit("used");
    for (uint32_t i = 0; i < 34; ++i) area[i] = 0x1000 + i;
    area[16] = 0x01040000;
    area[17] = 0x00451234;
    DO("vlldm %0", area);
    show_unit("vlldm");
    WRITE("vpr", 0);

    fill(1);
    FAULT("mov r0, sp\n\tadds r0, #4\n\tvlstm r0");
    fill(1);
    DO("vlstm %0", area);
    FAULT("sub r0, sp, #128\n\tbic r0, #7\n\tvlstm r0");
    DO("vlldm %0", area);
    no_context();
    DO("vlldm %0", area);
    show_state("vlldm, not Secure's");
    line();
    // Without lazy stores. What S0 to S15 hold after it is not defined unless TS is set.
    FPCCR &= ~kLspen;
    start(0x33333333);
    DO("vlstm %0", area);
    show_area("vlstm at once");
    if ((FPCCR & kTs) != 0) show_unit("vlstm at once");
    FPCCR |= kLspen;
}

static void disabled(void) {
    CPACR &= ~(15u << 20);
    BARRIER();
    no_context();
    FAULT("vmov s0, r0");
    FAULT("vmrs r0, fpscr");
    FAULT("vmsr p0, r0");
    FAULT("vmrs r0, fpcxts");
    FAULT(".inst.w 0xEEFF0B00 @ undefined");
    __asm volatile("vmrs r0, fpcxtns\n\tvscclrm {s0, vpr}\n\tvlstm sp\n\tvlldm sp" : : : "r0");
    show_state("as if not there");
    line();
}

int main(void) {
    SHCSR |= 7u << 16 | 1u << 19;
    CPACR |= 15u << 20;
    BARRIER();
    show_state("start");
    line();
    creation();
    clearing();
    context_registers();
    lazy_stores();
    FPCCR |= kTs;
    lazy_stores();
    FPCCR &= ~kTs;
    disabled();
    print("done\n");
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Random exceptions of both security states with random priorities, groups and masks, with and
   without the floating-point unit. Every entry goes into a hash; parts of it are printed. Without
   ICSR.RETTOBASE: QEMU takes both instances of a banked exception for one. */
#include "support.h"

#define NS_ALIAS(address) ((uint32_t)(address) - 0x10000000u)
#define NS_CODE __attribute__((section(".nonsecure"), noinline, used))

enum { kInterrupts = 16, kRounds = 3000 };

typedef struct {
    volatile uint32_t hash, count, random, nested;
} Shared;
static Shared shared __attribute__((section(".shared")));

/* Each side has its own copy: Secure code may not be called from the other. */
#define DEFINE_STORM(prefix, attribute, where)                                                  \
    attribute static uint32_t prefix##_random(void) {                                           \
        Shared *to = (Shared *)(where);                                                         \
        uint32_t value = to->random;                                                            \
        value ^= value << 13;                                                                   \
        value ^= value >> 17;                                                                   \
        value ^= value << 5;                                                                    \
        to->random = value;                                                                     \
        return value;                                                                           \
    }                                                                                           \
    attribute static void prefix##_note(uint32_t value) {                                       \
        Shared *to = (Shared *)(where);                                                         \
        to->hash = ((to->hash << 5 | to->hash >> 27) ^ value) * 0x01000193u;                    \
    }                                                                                           \
    attribute void prefix##_entered(uint32_t ipsr, uint32_t exc_return, uint32_t control) {     \
        Shared *to = (Shared *)(where);                                                         \
        prefix##_note(ipsr);                                                                    \
        prefix##_note(exc_return);                                                              \
        prefix##_note(control);                                                                 \
        prefix##_note(ICSR & ~0x800u);                                                                   \
        prefix##_note(IABR(0));                                                                 \
        ++to->count;                                                                            \
        if (++to->nested > 6 || to->count % 64 == 0) {                                          \
            --to->nested;                                                                       \
            return;                                                                             \
        }                                                                                       \
        const uint32_t choice = prefix##_random();                                              \
        if (choice & 1) ISPR(0) = 1u << (choice >> 8) % kInterrupts;                            \
        BARRIER();                                                                              \
        if (choice & 2) ICSR = 1u << 28;                                                        \
        BARRIER();                                                                              \
        if (choice & 4) IPR((choice >> 12) % kInterrupts) = (uint8_t)(choice >> 16);            \
        BARRIER();                                                                              \
        if (choice & 8) __asm volatile("vmov s0, %0\n\tvmov s20, %0" ::"r"(choice));            \
        BARRIER();                                                                              \
        if ((choice & 0x70) == 0x70) {                                                          \
            __asm volatile("msr basepri, %0\n\tisb" ::"r"(choice >> 24));                       \
            ISPR(0) = 1u << (choice >> 20) % kInterrupts;                                       \
            BARRIER();                                                                          \
            __asm volatile("msr basepri, %0\n\tisb" ::"r"(0));                                  \
        }                                                                                       \
        --to->nested;                                                                           \
    }

DEFINE_STORM(secure, , 0x30040000)
DEFINE_STORM(ns, NS_CODE, 0x20040000)

/* Callee registers carry a pattern that must survive the handler. */
#define HANDLER(name, entered, section)                                                        \
    __asm(".section " section ", \"ax\"\n.thumb_func\n" name                                    \
          ":\n"                                                                                \
          "push {r4-r11, lr}\n"                                                                \
          "sub sp, #4\n"                                                                       \
          "mrs r0, ipsr\n"                                                                     \
          "mov r1, lr\n"                                                                       \
          "mrs r2, control\n"                                                                  \
          "bl " entered                                                                        \
          "\n"                                                                                 \
          "add sp, #4\n"                                                                       \
          "pop {r4-r11, pc}\n"                                                                 \
          ".text\n")
HANDLER("secure_handler", "secure_entered", ".text");
HANDLER("ns_handler", "ns_entered", ".nonsecure");

__asm(
    ".section .ns_vectors, \"a\"\n"
    ".balign 512\n"
    ".global both_vectors\n"
    "both_vectors:\n"
    ".word 0x20070000\n"
    ".word 0\n"
    ".rept 14 + 96\n"
    ".word ns_handler + 1 - 0x10000000\n"
    ".endr\n"
    ".balign 512\n"
    ".global storm_vectors\n"
    "storm_vectors:\n"
    ".word 0x30070000\n"
    ".word 0\n"
    ".rept 14 + 96\n"
    ".word secure_handler + 1\n"
    ".endr\n"
    ".section .nonsecure, \"ax\"\n"
    ".global ns_pend\n" /* from Non-secure thread code */
    ".thumb_func\n"
    "ns_pend:\n"
    "movw r1, #0xe200\n"
    "movt r1, #0xe000\n"
    "str r0, [r1]\n"
    "dsb\n"
    "isb\n"
    "nop\n"
    "bx lr\n"
    ".text\n");

extern uint32_t both_vectors[], storm_vectors[];
extern uint8_t ns_pend[];

void on_exception(uint32_t ipsr, Frame *frame, uint32_t exc_return) {
    show_fault(ipsr, frame, exc_return);
    finish(1);
}

static void attribute(uint32_t number, uint32_t start, uint32_t end) {
    SAU_RNR = number;
    SAU_RBAR = start;
    SAU_RLAR = (end & ~31u) | 1;
}

static void pend_from_outside(uint32_t bits) {
    register uint32_t r0 __asm("r0") = bits;
    register uint32_t r1 __asm("r1") = NS_ALIAS(ns_pend) & ~1u;
    __asm volatile("blxns r1" : "+r"(r0), "+r"(r1)::"r2", "r3", "r12", "lr", "cc", "memory");
}

/* Returns what became of a pattern in the callee registers while `bits` was pended. */
static uint32_t disturbed(uint32_t bits, uint32_t seed) {
    uint32_t result = 0;
    __asm volatile(
        "mov r4, %2\n\tadd r5, r4, #1\n\tadd r6, r4, #2\n\tadd r8, r4, #3\n\tadd r9, r4, #4\n\t"
        "add r10, r4, #5\n\tadd r11, r4, #6\n\tmov r12, r4\n\tcmp r4, #0\n\t"
        "address r3, 0xe000e200\n\tstr %1, [r3]\n\tdsb\n\tisb\n\t"
        "ite mi\n\taddmi %0, r4, r5\n\taddpl %0, r5, r5\n\t"
        "add %0, r6\n\tadd %0, r8\n\tadd %0, r9\n\tadd %0, r10\n\tadd %0, r11\n\tadd %0, r12"
        : "=&r"(result)
        : "r"(bits), "r"(seed)
        : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "cc", "memory");
    return result;
}

static void reconfigure(uint32_t choice) {
    AIRCR = 0x05FA0000 | (choice & 7) << 8 | (choice & 8) << 11;
    REG(0xE002ED0C) = 0x05FA0000 | (choice >> 4 & 7) << 8;
    ITNS(0) = choice >> 7;
    for (uint32_t i = 0; i < kInterrupts; ++i) IPR(i) = (uint8_t)(secure_random() >> 8);
    SHPR(14) = (uint8_t)(choice >> 16);
    REG8(0xE002ED22) = (uint8_t)(choice >> 12);
    const uint32_t lazy = choice >> 24 & 7;
    FPCCR = 0x80000000u | (lazy & 1) << 30 | (lazy & 2 ? 1u << 26 : 0) | (lazy & 4 ? 1u << 28 : 0);
    BARRIER();
}

int main(void) {
    attribute(0, 0x00000000, 0x0007FFFF);
    attribute(1, 0x20000000, 0x2007FFFF);
    SAU_CTRL = 1;
    CPACR = 0xF << 20;
    REG(0xE002ED88) = 0xF << 20;
    NSACR = 0xC00;
    BARRIER();
    REG(0xE002ED08) = NS_ALIAS(both_vectors);
    VTOR = (uint32_t)storm_vectors;
    __asm volatile("msr msp_ns, %0\n\tmsr control_ns, %1" ::"r"(0x20070000), "r"(0));
    shared.random = 0x2545F491;
    shared.hash = 0;
    shared.count = 0;
    shared.nested = 0;
    ISER(0) = (1u << kInterrupts) - 1;
    for (uint32_t round = 0; round < kRounds; ++round) {
        const uint32_t choice = secure_random();
        if (round % 16 == 0) reconfigure(choice);
        if (choice & 0x10000) {
            __asm volatile("vmov s0, %0\n\tvmov s16, %0" ::"r"(round));
        }
        if (choice & 0x20000) {
            __asm volatile("msr basepri, %0\n\tisb" ::"r"(choice >> 24));
        }
        if (choice & 0x40000) __asm volatile("cpsid i");
        const uint32_t bits = (1u << (choice >> 4) % kInterrupts) | (1u << (choice >> 8) % kInterrupts);
        if (choice & 0x80000) {
            pend_from_outside(bits);
        } else {
            secure_note(disturbed(bits, choice));
        }
        __asm volatile("cpsie i\n\tmsr basepri, %0\n\tisb" ::"r"(0));
        if (choice & 0x10000) {
            uint32_t a = 0, b = 0;
            __asm volatile("vmov %0, s0\n\tvmov %1, s16" : "=r"(a), "=r"(b));
            secure_note(a);
            secure_note(b);
        }
        if (choice & 0x100000) __asm volatile("msr control, %0\n\tisb" ::"r"(0));
        if (round % 100 == 0) {
            show("round", round);
            show("count", shared.count);
            show("hash", shared.hash);
            line();
        }
    }
    show("count", shared.count);
    show("hash", shared.hash);
    line();
    VTOR = (uint32_t)vectors;
    print("done\n");
    return 0;
}

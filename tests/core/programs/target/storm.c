// SPDX-License-Identifier: Apache-2.0
// Exceptions by the thousand, all of the program's own making: supervisor calls, PendSV, software
// interrupts that preempt each other, faults that are mended, floating point in handlers.
#include <stdio.h>

#include "program.h"

enum { kInterrupts = 12 };

static volatile uint32_t order = 1, depth, deepest, faults, taken[kInterrupts];
static volatile float handler_float = 1.5f;
static volatile uint32_t pend_later;

static uint32_t exception_number(void) {
    uint32_t number;
    __asm volatile("mrs %0, ipsr" : "=r"(number));
    return number;
}

static void enter(uint32_t what) {
    ++depth;
    if (depth > deepest) deepest = depth;
    order = mix(order, what << 8 | depth);
}

static void leave(uint32_t what) {
    order = mix(order, ~(what << 8 | depth));
    --depth;
}

static void pend(uint32_t interrupt) {
    REG(0xE000E200 + interrupt / 32 * 4) = 1u << interrupt % 32;
    __asm volatile("dsb\n\tisb" ::: "memory");
}

void on_irq(void) {
    const uint32_t number = exception_number() - 16;
    enter(number);
    ++taken[number];
    handler_float = handler_float * 1.0078125f + (float)number;
    if (handler_float > 1e6f) handler_float = 1.0f;
    // Half of the time something more, or less, urgent.
    if (pend_later != 0) {
        const uint32_t next = pend_later % kInterrupts;
        pend_later /= kInterrupts;
        pend(next);
    }
    leave(number);
}

void on_pendsv(void) {
    enter(200);
    leave(200);
}

void on_svc_c(uint32_t* frame) {
    const uint32_t number = ((uint8_t*)(uintptr_t)frame[6])[-2];
    enter(100 + number);
    frame[0] = frame[0] * 3 + number;
    if (number == 2) REG(0xE000ED04) = 1u << 28;
    if (number == 3) pend(frame[0] % kInterrupts);
    leave(100 + number);
}

__attribute__((naked)) void on_svc(void) {
    __asm volatile(
        "mrs r0, msp\n\t"
        "push {r4, lr}\n\t"
        "bl on_svc_c\n\t"
        "pop {r4, pc}");
}

/// Steps over what faulted: 2 or 4 bytes.
void on_fault_c(uint32_t* frame) {
    const uint16_t first = *(const uint16_t*)(uintptr_t)frame[6];
    enter(300 + exception_number());
    order = mix(order, REG(0xE000ED28));
    REG(0xE000ED28) = REG(0xE000ED28);
    REG(0xE000ED2C) = REG(0xE000ED2C);
    ++faults;
    frame[6] += first >= 0xE800 ? 4 : 2;
    leave(300 + exception_number());
}

__attribute__((naked)) void on_usage_fault(void) {
    __asm volatile(
        "mrs r0, msp\n\t"
        "push {r4, lr}\n\t"
        "bl on_fault_c\n\t"
        "pop {r4, pc}");
}
__attribute__((naked)) void on_bus_fault(void) {
    __asm volatile("b on_usage_fault");
}
__attribute__((naked)) void on_hard_fault(void) {
    __asm volatile("b on_usage_fault");
}

static uint32_t call(uint32_t value, uint32_t kind) {
    register uint32_t r0 __asm("r0") = value;
    switch (kind % 4) {
        case 0:
            __asm volatile("svc #0" : "+r"(r0)::"memory");
            break;
        case 1:
            __asm volatile("svc #1" : "+r"(r0)::"memory");
            break;
        case 2:
            __asm volatile("svc #2" : "+r"(r0)::"memory");
            break;
        default:
            __asm volatile("svc #3" : "+r"(r0)::"memory");
            break;
    }
    return r0;
}

static void fault(uint32_t kind) {
    switch (kind % 4) {
        case 0:
            __asm volatile("udf #1" ::: "memory");
            break;
        case 1:
            __asm volatile("ldr.w r0, [%0]" ::"r"(0x0FFFFF00) : "r0", "memory");
            break;
        case 2:
            __asm volatile("ldrd r0, r1, [%0]" ::"r"(0x30000002) : "r0", "r1", "memory");
            break;
        default:
            __asm volatile("udiv r0, %0, %1" ::"r"(5), "r"(0) : "r0", "memory");
            break;
    }
}

int program(void) {
    REG(0xE000ED24) |= 7u << 16;  // faults on their own
    REG(0xE000ED14) |= 1u << 4;   // DIV_0_TRP
    for (uint32_t i = 0; i < kInterrupts; ++i)
        ((volatile uint8_t*)0xE000E400)[i] = (uint8_t)((i * 5 % 8 + 1) << 5);
    REG(0xE000ED1C) = 0xC0u << 24;  // SVCall
    REG(0xE000ED20) = 0xE0u << 16;  // PendSV
    REG(0xE000E100) = (1u << kInterrupts) - 1;
    uint32_t seed = 77, value = 1;
    volatile float thread_float = 2.0f;
    for (unsigned i = 0; i < 3000; ++i) {
        const uint32_t choice = next_random(&seed);
        thread_float = thread_float * 0.75f + 1.0f;
        pend_later = choice >> 8;
        switch (choice % 5) {
            case 0:
                value = call(value, choice >> 4);
                break;
            case 1:
                fault(choice >> 4);
                break;
            case 2:
                pend(choice >> 4 & 7);
                break;
            case 3:
                // Held back, then let loose together.
                __asm volatile("cpsid i" ::: "memory");
                pend(choice >> 4 & 7);
                pend(choice >> 12 & 7);
                REG(0xE000ED04) = 1u << 28;
                order = mix(order, 1);
                __asm volatile("cpsie i\n\tisb" ::: "memory");
                break;
            default:
                __asm volatile("msr basepri, %0" ::"r"(0x60) : "memory");
                pend(choice >> 4 & 7);
                order = mix(order, 2);
                __asm volatile("msr basepri, %0\n\tisb" ::"r"(0) : "memory");
        }
    }
    printf("order %08lx value %08lx deepest %lu faults %lu\n", (unsigned long)order,
           (unsigned long)value, (unsigned long)deepest, (unsigned long)faults);
    for (uint32_t i = 0; i < kInterrupts; ++i) printf("%lu ", (unsigned long)taken[i]);
    printf("\n%.9g %.9g\n", (double)handler_float, (double)thread_float);
    return 0;
}

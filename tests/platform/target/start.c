/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest.h"

extern uint32_t stack_top, bss_start, bss_end;
int main(void);

void reset(void) {
    /* Compiled code may use Helium registers anywhere. */
    *REGISTER(0xE000ED88) |= 0xFu << 20;
    __asm volatile("dsb 0xF\n\tisb 0xF" ::: "memory");
    for (volatile uint32_t* word = &bss_start; word < &bss_end; ++word) *word = 0;
    host(HOST_EXIT, (uint32_t)main());
    for (;;) {
    }
}

/* Answers with what the fault was: the host ends the run. */
void fault(void) {
    host(HOST_FAULT, *REGISTER(0xE000ED28));
    for (;;) {
    }
}

__attribute__((weak)) void npu_interrupt(void) {
    fault();
}

__attribute__((section(".vectors"), used)) const void* const vectors[16 + 64] = {
    &stack_top, reset, fault, fault, fault, fault, fault, fault, [16 + 53] = npu_interrupt,
};

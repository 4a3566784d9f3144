// SPDX-License-Identifier: Apache-2.0
// Start-up and the few system calls that newlib needs, by semihosting.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "program.h"

extern uint32_t stack_top;
extern char end;

static uint32_t call_host(uint32_t operation, const void* block) {
    register uint32_t r0 __asm("r0") = operation;
    register const void* r1 __asm("r1") = block;
    __asm volatile("bkpt #0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

_Noreturn void _exit(int code) {
    const uint32_t block[2] = {0x20026, (uint32_t)code};
    for (;;) call_host(0x20, block);
}

int _write(int file, const char* text, int count) {
    (void)file;
    for (int i = 0; i < count; ++i) call_host(3, &text[i]);
    return count;
}

void* _sbrk(ptrdiff_t bytes) {
    static char* top = &end;
    char* const old = top;
    top += bytes;
    return old;
}

int _close(int file) {
    (void)file;
    return -1;
}
int _fstat(int file, struct stat* status) {
    (void)file;
    status->st_mode = S_IFCHR;
    return 0;
}
int _isatty(int file) {
    (void)file;
    return 1;
}
int _lseek(int file, int offset, int whence) {
    (void)file, (void)offset, (void)whence;
    return 0;
}
int _read(int file, char* to, int count) {
    (void)file, (void)to, (void)count;
    return 0;
}
int _kill(int process, int signal) {
    (void)process, (void)signal;
    errno = EINVAL;
    return -1;
}
int _getpid(void) {
    return 1;
}

void unexpected(void) {
    uint32_t number;
    __asm volatile("mrs %0, ipsr" : "=r"(number));
    _exit(100 + (int)number);
}

void WEAK on_hard_fault(void) {
    unexpected();
}
void WEAK on_usage_fault(void) {
    unexpected();
}
void WEAK on_bus_fault(void) {
    unexpected();
}
void WEAK on_svc(void) {
    unexpected();
}
void WEAK on_pendsv(void) {
    unexpected();
}
void WEAK on_systick(void) {
    unexpected();
}
void WEAK on_irq(void) {
    unexpected();
}

__attribute__((noreturn)) void reset(void) {
    REG(0xE000ED88) |= 0xFu << 20;  // CP10 and CP11
    __asm volatile("dsb\n\tisb" ::: "memory");
    _exit(program());
}

__attribute__((section(".vectors"), used)) const void* const vectors[16 + 32] = {
    &stack_top, reset,      unexpected, on_hard_fault, unexpected, on_bus_fault, on_usage_fault,
    unexpected, unexpected, unexpected, unexpected,    on_svc,     unexpected,   unexpected,
    on_pendsv,  on_systick, on_irq,     on_irq,        on_irq,     on_irq,       on_irq,
    on_irq,     on_irq,     on_irq,     on_irq,        on_irq,     on_irq,       on_irq,
    on_irq,     on_irq,     on_irq,     on_irq,        on_irq,     on_irq,       on_irq,
    on_irq,     on_irq,     on_irq,     on_irq,        on_irq,     on_irq,       on_irq,
    on_irq,     on_irq,     on_irq,     on_irq,        on_irq,     on_irq};

// SPDX-License-Identifier: Apache-2.0
// Control flow: setjmp, recursion, tables of functions, switches, variable arguments, and code that
// the program writes itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "program.h"

static jmp_buf home;

static int __attribute__((noinline)) descend(int depth, int limit) {
    volatile double kept = depth * 0.5;
    if (depth > limit) return depth;
    if (depth == limit) longjmp(home, limit + 1);
    const int result = descend(depth + 1, limit);
    return result + (int)kept;
}

static int sum_of(int count, ...) {
    va_list arguments;
    va_start(arguments, count);
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += i % 2 == 0 ? va_arg(arguments, int) : va_arg(arguments, double);
    va_end(arguments);
    return (int)sum;
}

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int choose(unsigned key) {
    switch (key) {
        case 0:
            return 7;
        case 1:
            return -3;
        case 2:
            return 11;
        case 3:
            return 13;
        case 4:
            return 1 << 20;
        case 5:
            return 17;
        case 7:
            return 19;
        case 9:
            return 23;
        case 300:
            return 29;
        case 301:
            return 31;
        default:
            return (int)key * 3;
    }
}

static int twice(int x) {
    return 2 * x;
}
static int square(int x) {
    return x * x;
}
static int negate(int x) {
    return -x;
}

typedef int (*Function)(int);
typedef int (*Getter)(void);

/// movs r0, #value; bx lr
static uint16_t code[512] __attribute__((aligned(32)));

static void publish(void) {
    for (unsigned i = 0; i < sizeof code; i += 32)
        REG(0xE000EF58) = (uint32_t)(uintptr_t)code + i;  // ICIMVAU
    __asm volatile("dsb\n\tisb" ::: "memory");
}

static uint32_t written_code(void) {
    uint32_t sum = 0;
    for (unsigned value = 0; value < 200; ++value) {
        // A new constant in code that has just run; every eighth time a longer function as well.
        code[0] = (uint16_t)(0x2000 | (value & 0xFF));
        code[1] = 0x4770;
        if (value % 8 == 0) {
            code[0] = 0x2000;
            const unsigned length = 1 + value % 120;
            for (unsigned i = 1; i <= length; ++i)
                code[i] = (uint16_t)(0x3000 | (i & 0xFF));  // adds
            code[length + 1] = 0x4770;
        }
        publish();
        sum = mix(sum, (uint32_t)((Getter)((uintptr_t)code | 1))());
    }
    return sum;
}

int program(void) {
    for (volatile int limit = 1; limit < 30; limit += 4) {
        const int value = setjmp(home);
        if (value == 0) descend(0, limit);
        printf("back with %d\n", value);
    }
    printf("%d\n", sum_of(6, 1, 2.5, 3, 4.5, 5, 6.5));
    printf("%u %u\n", ackermann(2, 7), ackermann(3, 4));
    uint32_t sum = 0;
    for (unsigned key = 0; key < 310; ++key) sum = mix(sum, (uint32_t)choose(key));
    const Function functions[] = {twice, square, negate};
    int value = 3;
    for (unsigned i = 0; i < 40; ++i)
        value = functions[(i * 7 + (unsigned)value) % 3](value) % 1000;
    printf("%08lx %d\n", (unsigned long)sum, value);
    printf("written code %08lx\n", (unsigned long)written_code());
    return 0;
}

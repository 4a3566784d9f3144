/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that watch their registers, a mutex between three priorities, and a timer above the kernel
 * whose handler knows what it must have interrupted. Prints and ends by semihosting. Register
 * addresses: architecture and device headers. */
#include "kernel.h"

#include <stddef.h>

#if defined(CHIP_N6)
enum { kTimer = 0x50000000, kTimerClock = 0x56028264, kTimerLine = 116 };
#elif defined(CHIP_U5)
enum { kTimer = 0x40000000, kTimerClock = 0x46020C9C, kTimerLine = 45 };
#elif defined(CHIP_H7)
enum { kTimer = 0x40000000, kTimerClock = 0x58024548, kTimerLine = 28 };
#elif defined(CHIP_F7)
enum { kTimer = 0x40000000, kTimerClock = 0x40023840, kTimerLine = 28 };
#else /* L4 */
enum { kTimer = 0x40000000, kTimerClock = 0x40021058, kTimerLine = 28 };
#endif

enum { kSlice = 12000, kTimerPeriod = 1999, kRounds = 40, kRoundTicks = 16, kMostRounds = 64 };
enum { kOfThread, kOfSvc, kOfPendSv, kOfSysTick, kKinds };

/* Of switch.S. */
void watch_core(uint32_t seed, uint32_t* rounds);
void watch_services(uint32_t seed, uint32_t* rounds);
void watch_fp(uint32_t seed, uint32_t* rounds);
void watch_helium(uint32_t seed, uint32_t* rounds);
void probe_service(void);
void pend_sv(void);
void sv_call(void);
void sys_tick(void);
void timer_interrupt(void);

static volatile uint32_t watched[5], timer_count, timer_kinds[kKinds], timer_switches;
static volatile bool timer_asked; /* for the switches before it */
static volatile uint32_t received;
static volatile char order[3 * kMostRounds];
static volatile uint32_t order_count;
static struct mutex shared;

static void semihosting(uint32_t operation, const void* argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void* r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void print(const char* name, uint32_t value) {
    char text[11] = " 00000000\n";
    for (unsigned digit = 0; digit < 8; ++digit)
        text[1 + digit] = "0123456789abcdef"[value >> (28 - 4 * digit) & 0xF];
    semihosting(0x04, name);
    semihosting(0x04, text);
}

static void end(uint32_t code) {
    const uint32_t block[2] = {0x20026, code};
    semihosting(0x20, block);
    for (;;) {
    }
}

void failed(const char* what, uint32_t value) {
    semihosting(0x04, "failed: ");
    print(what, value);
    end(1);
    for (;;) {
    }
}

static void check(bool good, const char* what, uint32_t value) {
    if (!good) failed(what, value);
}

static void barrier(void) {
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

static void pend_timer(void) {
    REG(0xE000E200 + kTimerLine / 32 * 4) = 1u << kTimerLine % 32;
}

/* Active handlers of the kernel, by SHCSR, and EXC_RETURN must tell the same. */
void on_timer(uint32_t exc_return);
void on_timer(uint32_t exc_return) {
    const uint32_t active = REG(0xE000ED24);
    const unsigned kind = (active & 1u << 7) != 0    ? kOfSvc
                          : (active & 1u << 10) != 0 ? kOfPendSv
                          : (active & 1u << 11) != 0 ? kOfSysTick
                                                     : kOfThread;
    REG(kTimer + 0x10) = 0;
    (void)REG(kTimer + 0x10);
    barrier();
    if (((exc_return & 8) != 0) != (kind == kOfThread))
        failed("EXC_RETURN of the timer", exc_return);
    if (kind == kOfThread && (exc_return & 4) == 0) failed("a task on the main stack", exc_return);
    if (kind == kOfThread && !current->uses_fp && (exc_return & 0x10) == 0)
        failed("FP frame of a task without", exc_return);
    ++timer_kinds[kind];
    ++timer_count;
    if (timer_asked) timer_switches = switches;
    timer_asked = false;
}

/* A timer that becomes pending within a service runs before the next instruction of it. */
void svc_probe(void) {
    const uint32_t before = timer_kinds[kOfSvc];
    pend_timer();
    barrier();
    check(timer_kinds[kOfSvc] != before, "the timer did not interrupt SVC", timer_count);
}

uint32_t tick_probe(void) {
    return ticks;
}

/* Both pend while neither may run: the timer first, without the task in between, then the switch.
 */
static void check_late_arrival(void) {
    __asm__ volatile("cpsid i" ::: "memory");
    const uint32_t before = switches;
    REG(0xE000ED04) = 1u << 28;
    timer_asked = true;
    pend_timer();
    barrier();
    check(switches == before, "a switch behind PRIMASK", switches);
    __asm__ volatile("cpsie i\n\tisb" ::: "memory");
    check(timer_switches == before, "the switch came before the timer", timer_switches);
    check(switches != before, "no switch after the timer", switches);
}

static void check_critical(void) {
    const uint32_t before = critical_enter(), tick = ticks, timers = timer_count,
                   switched = switches;
    while ((REG(0xE000ED04) & 1u << 26) == 0 || timer_count - timers < 2) {
    }
    REG(0xE000ED04) = 1u << 28;
    barrier();
    check(ticks == tick, "SysTick behind BASEPRI", ticks);
    check(switches == switched, "PendSV behind BASEPRI", switches);
    critical_leave(before);
    barrier();
    check(ticks != tick, "no SysTick after BASEPRI", ticks);
    check(switches != switched, "no PendSV after BASEPRI", switches);
}

static void busy_until(uint32_t tick) {
    while ((int32_t)(ticks - tick) < 0) {
    }
}

/* Low has the mutex when high wants it; middle, which runs meanwhile, must not hold up either. */
static void low(uint32_t tick, uint32_t* unused) {
    (void)unused;
    for (;; tick += kRoundTicks) {
        task_sleep_until(tick);
        mutex_lock(&shared);
        busy_until(tick + 3);
        order[order_count++] = 'L';
        mutex_unlock(&shared);
    }
}

static void middle(uint32_t tick, uint32_t* unused) {
    (void)unused;
    for (;; tick += kRoundTicks) {
        task_sleep_until(tick + 1);
        busy_until(tick + 5);
        order[order_count++] = 'M';
    }
}

static void high(uint32_t tick, uint32_t* unused) {
    (void)unused;
    for (;; tick += kRoundTicks) {
        task_sleep_until(tick + 1);
        mutex_lock(&shared);
        order[order_count++] = 'H';
        mutex_unlock(&shared);
    }
}

static void receiver(uint32_t unused, uint32_t* also_unused) {
    (void)unused;
    (void)also_unused;
    for (uint32_t expected = 1;; ++expected) {
        const uint32_t item = queue_receive();
        check(item == expected, "item of the queue", item);
        received = item;
    }
}

static void check_all(void) {
    for (uint32_t i = 0; i < kRounds; ++i) {
        const char expected[3] = {'L', 'H', 'M'};
        for (uint32_t j = 0; j < 3; ++j)
            check(order[3 * i + j] == expected[j], "order of the mutex, round", i);
    }
    check(order_count == 3 * kRounds, "steps of the mutex", order_count);
    check(received >= kRounds * kRoundTicks, "items", received);
#ifdef HAS_HELIUM
    const uint32_t watchers = 5;
#else
    const uint32_t watchers = 4;
#endif
    for (uint32_t i = 0; i < watchers; ++i)
        check(watched[i] > 50, "rounds of a watcher", watched[i]);
    for (uint32_t i = 0; i < kKinds; ++i)
        check(timer_kinds[i] != 0, "the timer never interrupted kind", i);
    print("switches", switches);
    print("timer interrupts", timer_count);
    semihosting(0x04, "kernel: all tasks kept their registers\n");
    end(0);
}

static void supervisor(uint32_t tick, uint32_t* unused) {
    (void)unused;
    for (uint32_t round = 0; round < kRounds; ++round, tick += kRoundTicks) {
        task_sleep_until(tick + 9);
        check_late_arrival();
        probe_service();
        task_sleep_until(tick + 11);
        check_critical();
    }
    task_sleep_until(tick);
    check_all();
}

static void start_timer(void) {
    REG(kTimerClock) |= 1;
    (void)REG(kTimerClock);
    REG(kTimer + 0x2C) = kTimerPeriod - 1;
    REG(kTimer + 0x0C) = 1; /* interrupt by update */
    REG(kTimer + 0x00) = 1;
    *(volatile uint8_t*)(uintptr_t)(0xE000E400 + kTimerLine) = 0x20; /* above the kernel */
    REG(0xE000E100 + kTimerLine / 32 * 4) = 1u << kTimerLine % 32;
}

extern uint32_t bss_start[], bss_end[], stack_top[];
struct vector_table {
    uint32_t* stack;
    void (*handlers[15 + kTimerLine + 1])(void);
};
extern const struct vector_table vectors;

static void start(void) {
    __asm__ volatile("cpsid i" ::: "memory");
    REG(0xE000ED88) |= 0xFu << 20; /* CPACR: FPU */
    REG(0xE000ED08) = (uint32_t)(uintptr_t)&vectors;
    barrier();
    for (uint32_t* word = bss_start; word < bss_end; ++word) *word = 0;
    start_timer();
    task_add(watch_core, 0x10000000, (uint32_t*)&watched[0], 1, false);
    task_add(watch_services, 0x20000000, (uint32_t*)&watched[1], 1, false);
    task_add(watch_fp, 0x30000100, (uint32_t*)&watched[2], 1, true);
    task_add(watch_fp, 0x40000200, (uint32_t*)&watched[3], 1, true);
#ifdef HAS_HELIUM
    task_add(watch_helium, 0x01000300, (uint32_t*)&watched[4], 1, true);
#endif
    task_add(low, kRoundTicks, NULL, 2, false);
    task_add(middle, kRoundTicks, NULL, 3, false);
    task_add(high, kRoundTicks, NULL, 4, false);
    task_add(receiver, 0, NULL, 5, false);
    task_add(supervisor, kRoundTicks, NULL, 6, false);
    kernel_start(kSlice);
}

static void on_fault(void) {
    failed("fault, CFSR", REG(0xE000ED28));
}

__attribute__((section(".vectors"), used, aligned(1024))) const struct vector_table vectors = {
    stack_top,
    {start, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, NULL, NULL, NULL, sv_call,
     on_fault, NULL, pend_sv, sys_tick, [15 + kTimerLine] = timer_interrupt}};

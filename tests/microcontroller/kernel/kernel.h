/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERNEL_H
#define KERNEL_H

/* A small preemptive kernel: tasks with stacks of their own, priorities with a time slice, a mutex
 * with priority inheritance, a queue that an interrupt fills. For Cortex-M4, M7, M33 and M55. */

#define TASK_SP 0 /* offsets that switch.S uses */
#define TASK_LIMIT 4
#define REGISTER_MASK 0xB0 /* BASEPRI that holds back the kernel's interrupts */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#define REG(address) (*(volatile uint32_t*)(uintptr_t)(address))

enum { kStackWords = 192, kStackFill = 0x57AC57AC, kQueueItems = 8, kMaxTasks = 10 };

enum task_state { kReady, kSleeping, kWaitingForMutex, kWaitingForItem };

struct task {
    uint32_t* sp;
    uint32_t* limit;
    uint32_t own_priority, priority; /* the larger, the more urgent */
    enum task_state state;
    uint32_t wake; /* tick, of a sleeping task */
    uint32_t item; /* what a receiver got */
    uint32_t slices, last_run;
    bool uses_fp;
    uint32_t stack[kStackWords] __attribute__((aligned(8)));
};

struct mutex {
    struct task* owner;
};

extern struct task* volatile current;
extern volatile uint32_t ticks, switches;

/* Adds a task: before kernel_start. It must not return. */
struct task* task_add(void (*entry)(uint32_t, uint32_t*), uint32_t first, uint32_t* second,
                      uint32_t priority, bool uses_fp);

/* Starts the most urgent task; SysTick ends a slice every `slice` cycles. */
void kernel_start(uint32_t slice) __attribute__((noreturn));

/* Of tasks only. The first ends the slice; the second waits until that tick. */
void task_yield(void);
void task_sleep_until(uint32_t tick);
void mutex_lock(struct mutex* mutex);
void mutex_unlock(struct mutex* mutex);
/* The next item of the queue; waits for one. */
uint32_t queue_receive(void);

/* Holds back SysTick, SVC and PendSV, not the timer; the second takes what the first returned. */
uint32_t critical_enter(void);
void critical_leave(uint32_t before);

/* Given by the test. `svc_probe` runs in the SVC handler of service 5; `tick_probe` gives the item
 * that each tick puts into the queue. */
void svc_probe(void);
uint32_t tick_probe(void);
void failed(const char* what, uint32_t value) __attribute__((noreturn));

#endif
#endif

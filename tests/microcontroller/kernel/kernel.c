/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel.h"

#include <stddef.h>

static struct task tasks[kMaxTasks];
static uint32_t task_count;
static uint32_t queue[kQueueItems], queue_first, queue_count;

struct task* volatile current;
volatile uint32_t ticks, switches;

/* Of switch.S. */
void kernel_first(uint32_t* frame) __attribute__((noreturn));
bool mutex_take(struct mutex* mutex);
bool queue_take(void);

struct task* task_add(void (*entry)(uint32_t, uint32_t*), uint32_t first, uint32_t* second,
                      uint32_t priority, bool uses_fp) {
    struct task* const task = &tasks[task_count++];
    for (unsigned i = 0; i < kStackWords; ++i) task->stack[i] = kStackFill;
    uint32_t* const sp = &task->stack[kStackWords - 17]; /* r4-r11, EXC_RETURN, and a frame */
    sp[8] = 0xFFFFFFFD;                                  /* to thread mode, process stack, no FP */
    sp[9] = first;
    sp[10] = (uint32_t)(uintptr_t)second;
    sp[15] = (uint32_t)(uintptr_t)entry;
    sp[16] = 1u << 24; /* Thumb */
    task->sp = sp;
    task->limit = task->stack + 8;
    task->own_priority = task->priority = priority;
    task->uses_fp = uses_fp;
    return task;
}

/* Of the most urgent the one that has waited longest. */
static struct task* most_urgent(void) {
    struct task* best = NULL;
    for (unsigned i = 0; i < task_count; ++i) {
        struct task* const task = &tasks[i];
        if (task->state != kReady) continue;
        if (best == NULL || task->priority > best->priority ||
            (task->priority == best->priority && task->last_run < best->last_run))
            best = task;
    }
    return best;
}

static void pend_switch(void) {
    REG(0xE000ED04) = 1u << 28;
}

static struct task* waiting(enum task_state state, uint32_t object) {
    struct task* best = NULL;
    for (unsigned i = 0; i < task_count; ++i) {
        struct task* const task = &tasks[i];
        if (task->state == state && task->item == object &&
            (best == NULL || task->priority > best->priority))
            best = task;
    }
    return best;
}

struct task* kernel_switch(uint32_t exc_return);
struct task* kernel_switch(uint32_t exc_return) {
    struct task* const task = current;
    /* Thread mode and process stack, always; FP registers in the frame of tasks that have some. */
    if ((exc_return & 0xC) != 0xC) failed("EXC_RETURN of a switch", exc_return);
    if (!task->uses_fp && (exc_return & 0x10) == 0)
        failed("FP frame of a task without FP", exc_return);
    if (task->sp < task->limit || task->sp > &task->stack[kStackWords])
        failed("process stack", exc_return);
    if (task->stack[0] != kStackFill) failed("stack overflow", task->stack[0]);
    const uint32_t before = critical_enter();
    task->last_run = ++switches;
    current = most_urgent();
    ++current->slices;
    critical_leave(before);
    return current;
}

/* r0 and r1 of the caller: frame[0] and frame[1]. A service that waits returns through the frame.
 */
void kernel_service(uint32_t* frame, uint32_t exc_return);
void kernel_service(uint32_t* frame, uint32_t exc_return) {
    if ((exc_return & 0xC) != 0xC) failed("EXC_RETURN of a service", exc_return);
    struct task* const task = current;
    struct mutex* const mutex = (struct mutex*)(uintptr_t)frame[0];
    const uint8_t service = *((const uint8_t*)(uintptr_t)frame[6] - 2);
    if (service == 1) {
        task->wake = frame[0];
        if ((int32_t)(ticks - task->wake) < 0) task->state = kSleeping;
    } else if (service == 2) {
        if (mutex->owner == NULL) {
            mutex->owner = task;
        } else {
            task->state = kWaitingForMutex;
            task->item = frame[0];
            if (mutex->owner->priority < task->priority) mutex->owner->priority = task->priority;
        }
    } else if (service == 3) {
        if (mutex->owner != task) failed("unlock of another's mutex", frame[0]);
        task->priority = task->own_priority;
        mutex->owner = waiting(kWaitingForMutex, frame[0]);
        if (mutex->owner != NULL) mutex->owner->state = kReady;
    } else if (service == 4) {
        frame[0] = queue_count != 0;
        if (queue_count != 0) {
            task->item = queue[queue_first];
            queue_first = (queue_first + 1) % kQueueItems;
            --queue_count;
        } else {
            task->item = 0;
            task->state = kWaitingForItem;
        }
    } else if (service == 5) {
        svc_probe();
    }
    pend_switch();
}

void sys_tick(void);
void sys_tick(void) {
    ++ticks;
    const uint32_t item = tick_probe();
    if (queue_count == kQueueItems) failed("queue full", item);
    queue[(queue_first + queue_count++) % kQueueItems] = item;
    struct task* const receiver = waiting(kWaitingForItem, 0);
    if (receiver != NULL) receiver->state = kReady;
    for (unsigned i = 0; i < task_count; ++i) {
        if (tasks[i].state == kSleeping && (int32_t)(ticks - tasks[i].wake) >= 0)
            tasks[i].state = kReady;
    }
    pend_switch();
}

void mutex_lock(struct mutex* mutex) {
    (void)mutex_take(mutex);
}

uint32_t queue_receive(void) {
    while (!queue_take()) {
    }
    return current->item;
}

uint32_t critical_enter(void) {
    uint32_t before;
    __asm__ volatile("mrs %0, basepri\n\tmsr basepri_max, %1"
                     : "=&r"(before)
                     : "r"(REGISTER_MASK)
                     : "memory");
    return before;
}

void critical_leave(uint32_t before) {
    __asm__ volatile("msr basepri, %0" : : "r"(before) : "memory");
}

void kernel_start(uint32_t slice) {
    REG(0xE000ED1C) = (uint32_t)REGISTER_MASK << 24;               /* SVC */
    REG(0xE000ED20) = (uint32_t)REGISTER_MASK << 24 | 0xF0u << 16; /* SysTick; PendSV last of all */
    REG(0xE000E014) = slice - 1;
    REG(0xE000E018) = 0;
    REG(0xE000E010) = 7;
    current = most_urgent();
    kernel_first(current->sp);
}

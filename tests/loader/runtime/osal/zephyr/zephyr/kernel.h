/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ZEPHYR_INCLUDE_KERNEL_H_
#define ZEPHYR_INCLUDE_KERNEL_H_

#include <stddef.h>

#include "tests/loader/runtime/osal/fake_kernel.h"

#define ARG_UNUSED(x) (void)(x)
#define K_FOREVER (-1)

struct k_sem {
    fake_object object;
};
struct k_mutex {
    fake_object object;
};

static inline int k_sem_init(struct k_sem* semaphore, unsigned count, unsigned limit) {
    fake_create(&semaphore->object, false, count, limit);
    return 0;
}
static inline int k_sem_take(struct k_sem* semaphore, int timeout) {
    (void)timeout;
    fake_take(&semaphore->object);
    return 0;
}
static inline void k_sem_give(struct k_sem* semaphore) {
    fake_give(&semaphore->object, true);
}
static inline int k_mutex_init(struct k_mutex* mutex) {
    fake_create(&mutex->object, true, 1, 1);
    return 0;
}
static inline int k_mutex_lock(struct k_mutex* mutex, int timeout) {
    (void)timeout;
    fake_take(&mutex->object);
    return 0;
}
static inline int k_mutex_unlock(struct k_mutex* mutex) {
    fake_give(&mutex->object, false);
    return 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* An operating system of one thread, which counts what the runtime wants of it. */
#include <stdint.h>

#include "ll_aton_osal.h"

static uint32_t initialised, opened, waited, signals, npu_locks, cache_locks, failures;
static uint32_t installed;

uint32_t n6vp_osal_failures(void);

static void require(int condition) {
    if (!condition) ++failures;
}

void n6vp_osal_init(void) {
    require(!initialised && !installed);
    initialised = 1;
    ++opened;
}

void n6vp_osal_deinit(void) {
    require(initialised && !installed && npu_locks == 0);
    initialised = 0;
}

void n6vp_osal_install_irq(uint32_t number, void (*handler)(void)) {
    require(initialised && number == 53 && handler != 0);
    installed = 1;
}

void n6vp_osal_remove_irq(uint32_t number) {
    require(installed && number == 53);
    installed = 0;
}

void n6vp_osal_wait(void) {
    require(npu_locks == 1);
    __asm volatile("wfe" ::: "memory");
    ++waited;
}

void n6vp_osal_signal(void) {
    require(npu_locks == 1);
    ++signals;
}

void n6vp_osal_lock_npu(void) {
    require(initialised && npu_locks == 0);
    ++npu_locks;
}

void n6vp_osal_unlock_npu(void) {
    require(npu_locks == 1);
    --npu_locks;
}

void n6vp_osal_lock_caches(void) {
    require(cache_locks == 0);
    ++cache_locks;
}

void n6vp_osal_unlock_caches(void) {
    require(cache_locks == 1);
    --cache_locks;
}

/* Two inferences, and a third time without one. */
uint32_t n6vp_osal_failures(void) {
    require(opened == 3 && !initialised && npu_locks == 0 && cache_locks == 0);
    require(waited >= 2 && signals >= 2);
    return failures;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* ThreadX under the runtime. Compile with the application. */
#include "ll_aton_osal.h"
#include "tx_api.h"

static TX_SEMAPHORE event;
static TX_MUTEX npu, caches;
static UINT ready;

void n6vp_osal_init(void) {
    (void)tx_semaphore_create(&event, (CHAR*)"NPU event", 0);
    (void)tx_mutex_create(&npu, (CHAR*)"NPU", TX_INHERIT);
    (void)tx_mutex_create(&caches, (CHAR*)"NPU caches", TX_INHERIT);
    ready = TX_TRUE;
}

void n6vp_osal_deinit(void) {
    ready = TX_FALSE;
    (void)tx_semaphore_delete(&event);
    (void)tx_mutex_delete(&npu);
    (void)tx_mutex_delete(&caches);
}

void n6vp_osal_wait(void) {
    (void)tx_semaphore_get(&event, TX_WAIT_FOREVER);
}

void n6vp_osal_signal(void) {
    (void)tx_semaphore_ceiling_put(&event, 1);
}

void n6vp_osal_lock_npu(void) {
    (void)tx_mutex_get(&npu, TX_WAIT_FOREVER);
}

void n6vp_osal_unlock_npu(void) {
    (void)tx_mutex_put(&npu);
}

void n6vp_osal_lock_caches(void) {
    if (ready) (void)tx_mutex_get(&caches, TX_WAIT_FOREVER);
}

void n6vp_osal_unlock_caches(void) {
    if (ready) (void)tx_mutex_put(&caches);
}

/* Vectors and priorities are the application's: ThreadX masks all interrupts while it works. */
void n6vp_osal_install_irq(uint32_t number, void (*handler)(void)) {
    (void)number;
    (void)handler;
}

void n6vp_osal_remove_irq(uint32_t number) {
    (void)number;
}

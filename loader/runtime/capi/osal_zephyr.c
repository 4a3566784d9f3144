/* SPDX-License-Identifier: Apache-2.0 */
/* Zephyr under the runtime. Compile with the application; needs CONFIG_DYNAMIC_INTERRUPTS. */
#include <zephyr/irq.h>
#include <zephyr/kernel.h>

#include "ll_aton_osal.h"

#ifndef N6VP_OSAL_IRQ_PRIORITY
#define N6VP_OSAL_IRQ_PRIORITY 0
#endif

static struct k_sem event;
static struct k_mutex npu, caches;
static bool ready;
static void (*npu_handler)(void);

void n6vp_osal_init(void) {
    (void)k_sem_init(&event, 0, 1);
    (void)k_mutex_init(&npu);
    (void)k_mutex_init(&caches);
    ready = true;
}

void n6vp_osal_deinit(void) {
    ready = false;
}

void n6vp_osal_wait(void) {
    (void)k_sem_take(&event, K_FOREVER);
}

void n6vp_osal_signal(void) {
    k_sem_give(&event);
}

void n6vp_osal_lock_npu(void) {
    (void)k_mutex_lock(&npu, K_FOREVER);
}

void n6vp_osal_unlock_npu(void) {
    (void)k_mutex_unlock(&npu);
}

void n6vp_osal_lock_caches(void) {
    if (ready) (void)k_mutex_lock(&caches, K_FOREVER);
}

void n6vp_osal_unlock_caches(void) {
    if (ready) (void)k_mutex_unlock(&caches);
}

static void serve(const void* unused) {
    ARG_UNUSED(unused);
    if (npu_handler != NULL) npu_handler();
}

void n6vp_osal_install_irq(uint32_t number, void (*handler)(void)) {
    npu_handler = handler;
    (void)irq_connect_dynamic(number, N6VP_OSAL_IRQ_PRIORITY, serve, NULL, 0);
}

void n6vp_osal_remove_irq(uint32_t number) {
    ARG_UNUSED(number);
    npu_handler = NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS under the runtime. Compile with the application; needs static allocation and mutexes
 * (configSUPPORT_STATIC_ALLOCATION, configUSE_MUTEXES). */
#include <stddef.h>

#include "FreeRTOS.h"
#include "ll_aton_osal.h"
#include "semphr.h"
#include "task.h"

static StaticSemaphore_t event_memory, npu_memory, caches_memory;
static SemaphoreHandle_t event, npu, caches;

void n6vp_osal_init(void) {
    event = xSemaphoreCreateBinaryStatic(&event_memory);
    npu = xSemaphoreCreateMutexStatic(&npu_memory);
    caches = xSemaphoreCreateMutexStatic(&caches_memory);
}

void n6vp_osal_deinit(void) {
    SemaphoreHandle_t last = caches;
    caches = NULL; /* nobody locks what is being deleted */
    vSemaphoreDelete(event);
    vSemaphoreDelete(npu);
    vSemaphoreDelete(last);
}

void n6vp_osal_wait(void) {
    (void)xSemaphoreTake(event, portMAX_DELAY);
}

void n6vp_osal_signal(void) {
    BaseType_t woken = pdFALSE;
    (void)xSemaphoreGiveFromISR(event, &woken);
    portYIELD_FROM_ISR(woken);
}

void n6vp_osal_lock_npu(void) {
    (void)xSemaphoreTake(npu, portMAX_DELAY);
}

void n6vp_osal_unlock_npu(void) {
    (void)xSemaphoreGive(npu);
}

void n6vp_osal_lock_caches(void) {
    if (caches != NULL) (void)xSemaphoreTake(caches, portMAX_DELAY);
}

void n6vp_osal_unlock_caches(void) {
    if (caches != NULL) (void)xSemaphoreGive(caches);
}

/* The handler calls the kernel, which allows that up to this urgency only. */
void n6vp_osal_install_irq(uint32_t number, void (*handler)(void)) {
    (void)handler; /* in the application's vector table */
    n6vp_set_irq_priority(number, configMAX_SYSCALL_INTERRUPT_PRIORITY);
}

void n6vp_osal_remove_irq(uint32_t number) {
    (void)number;
}

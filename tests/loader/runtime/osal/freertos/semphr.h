/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SEMAPHORE_H
#define SEMAPHORE_H

typedef StaticSemaphore_t* SemaphoreHandle_t;

static inline SemaphoreHandle_t xSemaphoreCreateBinaryStatic(StaticSemaphore_t* memory) {
    fake_create(memory, false, 0, 1);
    return memory;
}
static inline SemaphoreHandle_t xSemaphoreCreateMutexStatic(StaticSemaphore_t* memory) {
    fake_create(memory, true, 1, 1);
    return memory;
}
static inline void vSemaphoreDelete(SemaphoreHandle_t semaphore) {
    fake_delete(semaphore);
}
static inline BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, uint32_t ticks) {
    (void)ticks;
    fake_take(semaphore);
    return pdTRUE;
}
static inline BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore) {
    fake_give(semaphore, false);
    return pdTRUE;
}
static inline BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore, BaseType_t* woken) {
    fake_give(semaphore, true);
    *woken = pdTRUE;
    return pdTRUE;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_API_H
#define TX_API_H

#include "tests/loader/runtime/osal/fake_kernel.h"

#define TX_TRUE 1u
#define TX_FALSE 0u
#define TX_SUCCESS 0u
#define TX_INHERIT 1u
#define TX_WAIT_FOREVER 0xFFFFFFFFul

typedef unsigned int UINT;
typedef unsigned long ULONG;
typedef char CHAR;
typedef fake_object TX_SEMAPHORE;
typedef fake_object TX_MUTEX;

static inline UINT tx_semaphore_create(TX_SEMAPHORE* semaphore, CHAR* name, ULONG count) {
    (void)name;
    fake_create(semaphore, false, (unsigned)count, 0xFFFFFFFFu);
    return TX_SUCCESS;
}
static inline UINT tx_semaphore_delete(TX_SEMAPHORE* semaphore) {
    fake_delete(semaphore);
    return TX_SUCCESS;
}
static inline UINT tx_semaphore_get(TX_SEMAPHORE* semaphore, ULONG ticks) {
    (void)ticks;
    fake_take(semaphore);
    return TX_SUCCESS;
}
static inline UINT tx_semaphore_ceiling_put(TX_SEMAPHORE* semaphore, ULONG ceiling) {
    if (semaphore->count < ceiling) fake_give(semaphore, true);
    return TX_SUCCESS;
}
static inline UINT tx_mutex_create(TX_MUTEX* mutex, CHAR* name, UINT inherit) {
    (void)name;
    (void)inherit;
    fake_create(mutex, true, 1, 1);
    return TX_SUCCESS;
}
static inline UINT tx_mutex_delete(TX_MUTEX* mutex) {
    fake_delete(mutex);
    return TX_SUCCESS;
}
static inline UINT tx_mutex_get(TX_MUTEX* mutex, ULONG ticks) {
    (void)ticks;
    fake_take(mutex);
    return TX_SUCCESS;
}
static inline UINT tx_mutex_put(TX_MUTEX* mutex) {
    fake_give(mutex, false);
    return TX_SUCCESS;
}

#endif

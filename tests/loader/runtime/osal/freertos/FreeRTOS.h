/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include "tests/loader/runtime/osal/fake_kernel.h"

#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x50
#define pdFALSE 0
#define pdTRUE 1
#define portMAX_DELAY 0xFFFFFFFFu

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef fake_object StaticSemaphore_t;

#endif

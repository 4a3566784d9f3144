/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ZEPHYR_INCLUDE_IRQ_H_
#define ZEPHYR_INCLUDE_IRQ_H_

#include "tests/loader/runtime/osal/fake_kernel.h"

static inline int irq_connect_dynamic(unsigned irq, unsigned priority,
                                      void (*routine)(const void* parameter), const void* parameter,
                                      uint32_t flags) {
    (void)flags;
    fake_connect(irq, priority, routine, parameter);
    return (int)irq;
}

#endif

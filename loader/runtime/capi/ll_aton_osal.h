/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_OSAL_H
#define LL_ATON_OSAL_H

#include <stdint.h>

/* What the runtime needs from an operating system. Without one (LL_ATON_OSAL is undefined or
 * LL_ATON_OSAL_BARE_METAL) the library n6vp_runtime_capi needs nothing and calls nothing. With one,
 * link n6vp_runtime_osal_capi and compile osal_threadx.c, osal_freertos.c or osal_zephyr.c with the
 * application, or a file of your own with the functions below. */

#define LL_ATON_OSAL_BARE_METAL 1
#define LL_ATON_OSAL_THREADX 4
#define LL_ATON_OSAL_FREERTOS 5
#define LL_ATON_OSAL_ZEPHYR 6
#define LL_ATON_OSAL_USER_IMPL 256 /* the number is this project's */

#ifndef LL_ATON_OSAL
#define LL_ATON_OSAL LL_ATON_OSAL_BARE_METAL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* At both ends of the runtime's life, with the NPU's lines off. */
void n6vp_osal_init(void);
void n6vp_osal_deinit(void);
/* Blocks the calling thread, which has the NPU, until an event came. An event that came before
 * counts, several count as one; may return without an event. */
void n6vp_osal_wait(void);
/* From the handler of the NPU's interrupt. */
void n6vp_osal_signal(void);
/* One thread at a time has the NPU: from the start of an epoch block to its end, thus across calls
 * of RunEpochBlock. The same thread gives it back. */
void n6vp_osal_lock_npu(void);
void n6vp_osal_unlock_npu(void);
/* Around every cache maintenance, of both caches; the thread may have the NPU. May be called before
 * the initialisation, when no other thread uses the runtime. */
void n6vp_osal_lock_caches(void);
void n6vp_osal_unlock_caches(void);
/* For systems whose vectors are their own: lets `handler` serve the external interrupt `number`. */
void n6vp_osal_install_irq(uint32_t number, void (*handler)(void));
void n6vp_osal_remove_irq(uint32_t number);

/* For those functions: sets the priority byte of an external interrupt, as the NVIC has it. */
void n6vp_set_irq_priority(uint32_t number, uint32_t priority);

/* What an application calls between two epoch blocks. */
#if LL_ATON_OSAL == LL_ATON_OSAL_BARE_METAL
/* An interrupt that came since RunEpochBlock returned counts as an event. */
#define LL_ATON_OSAL_WFE() __asm volatile("wfe" ::: "memory")
#else
#define LL_ATON_OSAL_WFE() n6vp_osal_wait()
#endif

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_CACHES_INTERFACE_H
#define LL_ATON_CACHES_INTERFACE_H

#include <stdint.h>

/* Cache maintenance by address range, as applications do it around an inference: clean inputs that
 * the core wrote, invalidate outputs before the core reads them; clean and invalidate the NPU's
 * cache before something else writes memory that it caches. Performed by the platform's `maintain`
 * on whole lines: 32 bytes of the core's cache, 64 bytes of the NPU's. No bytes, no effect. */

#ifdef __cplusplus
extern "C" {
#endif

void LL_ATON_Cache_MCU_Clean_Range(uintptr_t virtual_addr, uint32_t size);
void LL_ATON_Cache_MCU_Invalidate_Range(uintptr_t virtual_addr, uint32_t size);
void LL_ATON_Cache_MCU_Clean_Invalidate_Range(uintptr_t virtual_addr, uint32_t size);
void LL_ATON_Cache_NPU_Clean_Range(uintptr_t virtual_addr, uint32_t size);
/* The NPU's cache invalidates by range only what it cleans. */
void LL_ATON_Cache_NPU_Clean_Invalidate_Range(uintptr_t virtual_addr, uint32_t size);
/* All of the NPU's cache, without writing back. */
void LL_ATON_Cache_NPU_Invalidate(void);

#ifdef __cplusplus
}
#endif

#endif

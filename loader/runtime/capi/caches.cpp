// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/capi/ll_aton_caches_interface.h"

#include "loader/capi/n6vp_reloc_platform.h"
#include "loader/runtime/capi/ll_aton_osal.h"
#include "loader/runtime/machine.h"

/// The documented names of cache maintenance.

namespace {

using n6vp::loader::CacheOp;

void maintain(CacheOp op, uintptr_t start, uint32_t bytes) {
    n6vp::runtime::machine::maintain(op, static_cast<std::uint32_t>(start), bytes);
}

}  // namespace

void LL_ATON_Cache_MCU_Clean_Range(uintptr_t virtual_addr, uint32_t size) {
    maintain(CacheOp::McuClean, virtual_addr, size);
}

void LL_ATON_Cache_MCU_Invalidate_Range(uintptr_t virtual_addr, uint32_t size) {
    maintain(CacheOp::McuInvalidate, virtual_addr, size);
}

void LL_ATON_Cache_MCU_Clean_Invalidate_Range(uintptr_t virtual_addr, uint32_t size) {
    maintain(CacheOp::McuCleanInvalidate, virtual_addr, size);
}

void LL_ATON_Cache_NPU_Clean_Range(uintptr_t virtual_addr, uint32_t size) {
    maintain(CacheOp::NpuClean, virtual_addr, size);
}

void LL_ATON_Cache_NPU_Clean_Invalidate_Range(uintptr_t virtual_addr, uint32_t size) {
    maintain(CacheOp::NpuCleanInvalidate, virtual_addr, size);
}

void LL_ATON_Cache_NPU_Invalidate() {
    const n6vp_reloc_platform_t& platform = *n6vp_reloc_platform();
    if (platform.maintain == nullptr) return;
    if constexpr (n6vp::runtime::machine::kHasSystem) n6vp_osal_lock_caches();
    platform.maintain(N6VP_RELOC_NPU_INVALIDATE_ALL, 0, 0);
    if constexpr (n6vp::runtime::machine::kHasSystem) n6vp_osal_unlock_caches();
}

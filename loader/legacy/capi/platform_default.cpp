// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/capi/ai_reloc_network.h"
#include "loader/legacy/capi/extensions.h"

// Compiled with AI_RELOC_MALLOC and AI_RELOC_FREE defined, the default has a heap.
namespace {

#ifdef AI_RELOC_MALLOC
void* allocate(ai_size bytes) {
    return AI_RELOC_MALLOC(bytes);
}
void release(void* block) {
    AI_RELOC_FREE(block);
}
constexpr n6vp_rel_platform_t kDefault = {allocate, release, nullptr, nullptr, nullptr, nullptr, 0};
#else
constexpr n6vp_rel_platform_t kDefault = {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0};
#endif

}  // namespace

N6VP_WEAK const n6vp_rel_platform_t* n6vp_rel_platform() {
    return &kDefault;
}

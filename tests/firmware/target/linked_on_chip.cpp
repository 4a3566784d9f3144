// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/n6vp_reloc_platform.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_keys.h"
#include "loader/runtime/capi/ll_aton_runtime.h"

/// The board's side of linked_application.c. Stands in the place of the install job of the firmware
/// for the simulated chip, whose set-up, console and exit it uses.

using namespace n6vp::firmware;

extern "C" {
std::uint32_t n6vp_linked_application(unsigned char* input, std::uint32_t bytes);
#ifdef N6VP_RUNTIME_OSAL
std::uint32_t n6vp_osal_failures();
#endif
extern std::uint8_t n6vp_instance[64];
}
std::uint8_t n6vp_instance[64];

namespace {

constexpr std::uint32_t kBytes = 128;
alignas(64) unsigned char input[kBytes];

void maintain(n6vp_reloc_cache_op op, std::uintptr_t start, std::uint32_t bytes) {
    caches::maintain(static_cast<n6vp::loader::CacheOp>(op),
                     n6vp::GuestAddr{static_cast<std::uint32_t>(start)}, bytes);
}

// Like the application: this file has its options.
/// Returns how often a key was not where it should be.
std::uint32_t try_keys() {
    constexpr std::uint32_t kBusifPages = 0x580E2000, kPage = 0x1000, kFirstValid = 16;
    std::uint32_t failures = 0;
    LL_ATON_RT_RuntimeInit();
    for (int id = 0; id < 2; ++id) {
        const std::uint32_t control = kBusifPages + static_cast<std::uint32_t>(id) * kPage;
        for (int key = 0; key < 2; ++key) {
            const std::uint32_t valid = 1u << (kFirstValid + static_cast<std::uint32_t>(key));
            failures += (read_register(control) & valid) != 0;
            failures += LL_Busif_SetKeys(id, key, 1, 2) != LL_ATON_OK;
            failures += (read_register(control) & valid) == 0;
        }
    }
    failures += LL_Busif_SetKeys(2, 0, 1, 2) != LL_ATON_INVALID_ID;
    failures += LL_Busif_SetKeys(0, 2, 1, 2) != LL_ATON_INVALID_ID;
    LL_Streng_EncryptionTypedef none = {};
    failures += LL_Streng_EncryptionInit(10, &none) != LL_ATON_INVALID_ID;
    failures += LL_EpochCtrl_EncryptionInit(1, &none) != LL_ATON_INVALID_ID;
    LL_ATON_RT_RuntimeDeInit();
    return failures;
}

constexpr n6vp_reloc_platform_t kPlatform = {.profile = N6VP_RELOC_PROFILE_INIT,
                                             .callbacks = nullptr,
                                             .text = nullptr,
                                             .maintain = maintain,
                                             .grants = nullptr,
                                             .grant_count = 0,
                                             .mapped = nullptr,
                                             .mapped_count = 0,
                                             .registry = {},
                                             .rule_name = nullptr,
                                             .part = nullptr};

}  // namespace

void chip::run_install() {
    handle_npu_interrupts_by(LL_ATON_RT_IrqHandler);
    std::uint32_t failures = n6vp_linked_application(input, kBytes) + try_keys();
#ifdef N6VP_RUNTIME_OSAL
    failures += n6vp_osal_failures();
#endif
    Text line;
    line.put("linked network: ").decimal(failures).put(" failures\n");
    say(line.text());
    result().code = static_cast<std::int32_t>(failures);
}

void chip::describe_platform() {}

const n6vp_reloc_platform_t* n6vp_reloc_platform() {
    return &kPlatform;
}

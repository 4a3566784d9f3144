// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/n6vp_reloc_platform.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/state.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_runtime.h"

/// The board's side of linked_application.c. Stands in the place of the install job of the firmware
/// for the simulated chip, whose set-up, console and exit it uses.

using namespace n6vp::firmware;

extern "C" {
std::uint32_t n6vp_linked_application(unsigned char* input, std::uint32_t bytes);
void n6vp_give_lines_up(const void* start, std::uint32_t bytes);
extern std::uint8_t n6vp_instance[64];
}
std::uint8_t n6vp_instance[64];

namespace {

constexpr std::uint32_t kBytes = 64;
alignas(64) unsigned char input[kBytes];

void maintain(n6vp_reloc_cache_op op, std::uintptr_t start, std::uint32_t bytes) {
    caches::maintain(static_cast<n6vp::loader::CacheOp>(op),
                     n6vp::GuestAddr{static_cast<std::uint32_t>(start)}, bytes);
}

// Like the application: this file has its options.
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

void n6vp_give_lines_up(const void* start, std::uint32_t bytes) {
    maintain(N6VP_RELOC_MCU_CLEAN_INVALIDATE, reinterpret_cast<std::uintptr_t>(start), bytes);
}

void chip::run_install() {
    handle_npu_interrupts_by(LL_ATON_RT_IrqHandler);
    const std::uint32_t failures = n6vp_linked_application(input, kBytes);
    Text line;
    line.put("linked network: ").decimal(failures).put(" failures\n");
    say(line.text());
    result().code = static_cast<std::int32_t>(failures);
}

void chip::describe_platform() {}

const n6vp_reloc_platform_t* n6vp_reloc_platform() {
    return &kPlatform;
}

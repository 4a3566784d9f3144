// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/n6vp_reloc_platform.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_runtime.h"

/// A software operator of the vendor's release that refuses its arguments. Stands in the place of
/// the install job of the firmware for the simulated chip, whose console and exit it uses.

using namespace n6vp::firmware;

extern "C" {
void __ll_lib_error(int err_code, int line, const char* func);
extern std::uint8_t n6vp_instance[64];
}
std::uint8_t n6vp_instance[64];

namespace {

void say_text(const char* text, std::uint32_t) {
    chip::say(text);
}

constexpr n6vp_reloc_platform_t kPlatform = {.profile = N6VP_RELOC_PROFILE_INIT,
                                             .callbacks = nullptr,
                                             .text = say_text,
                                             .maintain = nullptr,
                                             .grants = nullptr,
                                             .grant_count = 0,
                                             .mapped = nullptr,
                                             .mapped_count = 0,
                                             .registry = {},
                                             .rule_name = nullptr,
                                             .part = nullptr};

/// As the vendor's macro __LL_LIB_ERROR(_ERR_SHAPE, LL_ATON_INVALID_PARAM) does it.
int slice() {
    constexpr int kShape = 9, kInvalidParam = -2;
    __ll_lib_error(kShape, 123, "slice");
    return kInvalidParam;
}

}  // namespace

void chip::run_install() {
    LL_ATON_RT_RuntimeInit();  // takes over how this file was built
    const int code = slice();
    Text line;
    line.put("slice returned minus ").decimal(static_cast<std::uint32_t>(-code)).put("\n");
    say(line.text());
}

void chip::describe_platform() {}

const n6vp_reloc_platform_t* n6vp_reloc_platform() {
    return &kPlatform;
}

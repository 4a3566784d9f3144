// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::loader {

/// Generations of the vendor's runtime, oldest first. Names are the ST Edge AI Core releases that
/// ship them.
enum class Generation : std::uint8_t { Core21, Core22, Core30, Core4x };

/// A runtime version as `rt_ctx` stores it, plus the dev number, which distinguishes 3.0 and 4.x.
struct RuntimeVersion {
    std::uint8_t major = 0, minor = 0, micro = 0;
    std::uint32_t dev = 0;

    /// Returns major<<24 | minor<<16 | micro<<8, the layout of `rt_ctx.rt_version`.
    [[nodiscard]] constexpr std::uint32_t word() const {
        return std::uint32_t{major} << 24 | std::uint32_t{minor} << 16 | std::uint32_t{micro} << 8;
    }
};

/// What a firmware was built with, as data: one loader serves every generation.
struct RuntimeProfile {
    Generation generation = Generation::Core30;
    RuntimeVersion version{1, 1, 3, 8};
    bool secure = true;    ///< built with __ARM_FEATURE_CMSE == 3
    bool dbg_info = true;  ///< built with LL_ATON_EB_DBG_INFO
    bool async = true;     ///< LL_ATON_RT_MODE == LL_ATON_RT_ASYNC
    bool ndebug = false;   ///< built with NDEBUG: decides the layout of NN_Instance_TypeDef
    std::uint8_t buffer_info_bytes = 56;  ///< sizeof(LL_Buffer_InfoTypeDef)
    std::uint8_t epoch_item_bytes = 48;   ///< sizeof(epoch item): 48 with dbg_info, 20 without
    std::uint32_t cpu_part = 0xD22;       ///< CPUID bits 15..4; 0xD22 is the Cortex-M55
    bool fpu_enabled = true;              ///< CPACR bits 23..20 not zero
};

/// Returns the profile of a firmware built from the given generation's last published runtime,
/// secure, with debug information, asynchronous.
[[nodiscard]] constexpr RuntimeProfile default_profile(Generation generation) {
    RuntimeProfile profile;
    profile.generation = generation;
    switch (generation) {
        case Generation::Core21:
            profile.version = {1, 1, 0, 31};
            break;
        case Generation::Core22:
            profile.version = {1, 1, 1, 14};
            break;
        case Generation::Core30:
            profile.version = {1, 1, 3, 8};
            break;
        case Generation::Core4x:
            profile.version = {1, 1, 3, 262};
            break;
    }
    return profile;
}

/// Returns the generation a version belongs to. Dev numbers of 1.1.3 below 256 are Core 3.0.
/// Published: 5 and 8 for 3.0, 262 for 4.x, the boundary between them is assumed to be 256.
[[nodiscard]] constexpr Generation generation_of(RuntimeVersion version) {
    const std::uint32_t word = version.word();
    if (word <= 0x01010000u) return Generation::Core21;
    if (word <= 0x01010100u) return Generation::Core22;
    if (word == 0x01010200u) return Generation::Core30;
    return (word == 0x01010300u && version.dev < 256) ? Generation::Core30 : Generation::Core4x;
}

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/container.h"

namespace n6vp::loader {

/// `Strict` validates everything before the first write. `Compat` gives the vendor loader's
/// verdicts and image, but stops with WouldOverwrite / WouldFault where the vendor's would leave
/// the granted regions or the mapped memory.
enum class Policy : std::uint8_t { Strict, Compat };

/// Everything an install depends on. The loader keeps no state between calls.
struct InstallRequest {
    GuestAddr file{};
    std::uint32_t file_bytes = kUnknownBytes;
    GuestAddr exec_ram{};
    std::uint32_t exec_ram_bytes = 0;
    GuestAddr ext_ram{};
    std::uint32_t ext_ram_bytes = 0;
    GuestAddr params{};  ///< `ext_param_addr`: 0 unless the file is split
    std::uint32_t params_bytes = kUnknownBytes;
    std::uint32_t mode = 0;  ///< format::kMode* bits
    GuestAddr instance{};    ///< the caller's NN_Instance_TypeDef
    GuestAddr callbacks{};   ///< the callback table whose address goes into rt_ctx.cbs
    const AddressRange* grants =
        nullptr;  ///< where COPY and RESET pools may write, beside exec and external RAM
    std::uint32_t grant_count = 0;
    Policy policy = Policy::Strict;
    RuntimeProfile profile;
};

/// Offsets inside NN_Instance_TypeDef, which depend on how the firmware was built.
struct InstanceLayout {
    std::uint32_t inst_reloc = 0;
    std::uint32_t bytes = 0;
};
[[nodiscard]] constexpr InstanceLayout instance_layout(const RuntimeProfile& profile) {
    if (profile.async)
        return profile.ndebug ? InstanceLayout{0x28, 0x2C} : InstanceLayout{0x30, 0x34};
    return profile.ndebug ? InstanceLayout{0x20, 0x24} : InstanceLayout{0x28, 0x2C};
}

/// Where everything ended up.
struct InstallResult {
    GuestAddr ro_base{}, ram_base{}, param0{}, param1{};
    GuestAddr context{};      ///< installed rt_ctx, the value of inst_reloc
    std::uint32_t state = 0;  ///< rt_ctx.state
    std::uint32_t pools = 0, got_words = 0, relocations = 0;
};

/// Checks file, request and firmware against every rule of the Strict policy and reports all
/// findings in file order. Writes nothing. Returns the status of the first error, or Ok.
[[nodiscard]] Status check(const MemoryPort& port, const InstallRequest& request, FindingSink sink);

/// Checks what can be judged without a request: header, sections, GOT, relocations, rt_ctx, pools,
/// vector, parameter CRC.
[[nodiscard]] Status check_file(const Container& container, GuestAddr params,
                                std::uint32_t params_bytes, FindingSink sink);

/// Installs: checks, pools, RO copy (COPY mode), data and .bss, GOT, relocations, `rt_ctx`,
/// instance. On failure `why` holds the first reason and `result` means nothing.
///
/// Strict: on failure of a check nothing was written. Cache maintenance, in order: for each range a
/// pool writes, NPU clean+invalidate before (1.1.3; for COPY and RESET only if the pool is
/// cacheable, for RESET even without CLEAR) and MCU D clean+invalidate after; one global NPU
/// invalidate after the pools if any was cacheable (before 1.1.3); on 1.1.3 NPU clean+invalidate of
/// RO copy, data and .bss, each before its write; after the last write of all, MCU D
/// clean+invalidate of the RO copy and of the RAM image; on success an I-cache invalidate of exec
/// RAM.
///
/// Compat: verdicts, image and cache calls of the vendor's loader of `profile.generation`, in its
/// order: MCU D operations before `rt_ctx` is written, I-cache invalidated even when the request,
/// the pools or the image were refused (not on 1.1.0). Stops before any write outside exec RAM,
/// external RAM, the instance and the grants (WouldOverwrite; `why.address` and `why.found` are
/// start and length of what would have been overwritten) and before any read outside file,
/// parameters or mapped memory (WouldFault, likewise). What it had legally written until then stays
/// written, as on the chip.
[[nodiscard]] Status install(const MemoryPort& port, const InstallRequest& request,
                             InstallResult& result, Diagnosis& why);

/// Link-address resolution with the four bases of an instance. Returns false for a space that no
/// loader resolves.
struct Resolver {
    GuestAddr ro_base{}, ram_base{}, param0{}, param1{};
    [[nodiscard]] constexpr bool resolve(std::uint32_t value, std::uint32_t& resolved) const {
        if (value == 0) {
            resolved = 0;
            return true;
        }
        const std::uint32_t offset = format::link_offset(value);
        switch (format::space_nibble(value)) {
            case 0x4:
                resolved = to_word(ram_base) + offset;
                return true;
            case 0x2:
                resolved = to_word(ro_base) + offset;
                return true;
            case 0x8:
                resolved = to_word(param0) + offset;
                return true;
            case 0x9:
                resolved = to_word(param1) + offset;
                return true;
            default:
                return false;
        }
    }
};

}  // namespace n6vp::loader

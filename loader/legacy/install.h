// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/install.h"
#include "loader/legacy/container.h"

/// Checks and installs of the older container. Policy, port, findings and phases are those of
/// loader/install.h.
namespace n6vp::loader::legacy {

/// What a firmware and its core are, as data.
struct Target {
    std::uint32_t cpu_part = kCortexM33;  ///< CPUID bits 15..4
    bool fpu_enabled = true;              ///< CPACR bits 23..20 not zero
    bool knows_crc = true;                ///< built with a loader that has them, as of tools v7.2
};

/// Memory for the image where the caller gives none. Returns 0 if there is none left.
struct Heap {
    void* context = nullptr;
    GuestAddr (*allocate)(void* context, std::uint32_t bytes) = nullptr;
    void (*release)(void* context, GuestAddr block) = nullptr;
};

/// Everything an install depends on. The loader keeps no state between calls.
struct Request {
    GuestAddr file{};
    std::uint32_t file_bytes = kUnknownBytes;
    GuestAddr ram{};  ///< 0, or a size of 0: from the heap
    std::uint32_t ram_bytes = 0;
    std::uint32_t mode = 0;    ///< kModeXip or kModeCopy
    bool handle_given = true;  ///< the caller has a place for the handle
    GuestAddr weights{};       ///< as passed at init; 0 = those inside the file
    std::uint32_t weights_bytes = kUnknownBytes;
    GuestAddr activations{};  ///< as passed at init; 0 = not known yet
    std::uint32_t activations_bytes = kUnknownBytes;
    GuestAddr acquire_crc{}, release_crc{};  ///< callbacks for the CRC unit, or 0
    Policy policy = Policy::Strict;
    Target target;
    Heap heap;
};

/// Where everything ended up.
struct Result {
    GuestAddr ro_base{}, ram_base{};
    GuestAddr context{};     ///< installed rt_ctx: the handle
    GuestAddr heap_block{};  ///< to be released with the instance, or 0
    std::uint32_t state = 0;
    std::uint32_t got_words = 0, relocations = 0;
};

/// What `ai_rel_network_rt_get_info` tells.
struct Info {
    GuestAddr name{};
    std::uint32_t variant = 0, code_bytes = 0;
    GuestAddr weights{};  ///< 0 if the file has none
    std::uint32_t weights_bytes = 0, activations_bytes = 0, ram_xip = 0, ram_copy = 0;
};

/// Checks file, request and firmware against every rule and reports all findings. Writes nothing.
/// Returns the status of the first error, or Ok.
[[nodiscard]] Status check(const MemoryPort& port, const Request& request, FindingSink sink);

/// Checks what can be judged without a request.
[[nodiscard]] Status check_file(const Container& container, FindingSink sink);

/// Installs: checks, RO copy (COPY mode), data and .bss, GOT, relocations, `rt_ctx`. The model's
/// own `create` is not called here. On failure `why` holds the first reason and `result` means
/// nothing.
///
/// Strict: on failure of a check nothing was written and nothing allocated. After the last write
/// the MCU D-cache is cleaned over everything written, and the I-cache invalidated in COPY mode. A
/// heap block is released again if the install fails after its allocation.
///
/// Compat: verdicts, image and cache calls of the vendor's loader: whole D-cache cleaned after the
/// RO copy on the Cortex-M7 only, a heap block kept when GOT or relocations fail. Stops before any
/// write outside RAM (WouldOverwrite) and any read outside the file or mapped memory (WouldFault).
[[nodiscard]] Status install(const MemoryPort& port, const Request& request, Result& result,
                             Diagnosis& why);

/// Fills `info` from an opened container. Fails, with `info` untouched, if rt_ctx cannot be read.
[[nodiscard]] bool info_of(const Container& container, Info& info);

/// Resolves a link address with the bases of an instance. Fails for a space that has none.
struct Resolver {
    GuestAddr ro_base{}, ram_base{};
    [[nodiscard]] constexpr bool resolve(std::uint32_t value, std::uint32_t& resolved) const {
        const std::uint32_t offset = format::link_offset(value);
        if (value == 0) {
            resolved = 0;
        } else if (in_ram(value)) {
            resolved = to_word(ram_base) + offset;
        } else if (in_flash(value)) {
            resolved = to_word(ro_base) + offset;
        } else {
            return false;
        }
        return true;
    }
};

}  // namespace n6vp::loader::legacy

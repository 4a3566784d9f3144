// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/guest_addr.h"

namespace n6vp::loader {

/// Cache maintenance that the installer requests, in the documented order.
enum class CacheOp : std::uint8_t {
    McuClean,
    McuCleanInvalidate,
    McuInvalidate,
    McuInstructionInvalidate,
    NpuClean,
    NpuCleanInvalidate,
    NpuInvalidateAll,  ///< whole NPU cache; start and size are 0
};

/// Parts of an install that reports show one by one.
enum class Phase : std::uint8_t { Checks, Pools, ReadOnlyCopy, DataBss, Got, Relocation, Finish };

/// The only way by which the loader touches memory: the caller decides whether that is the chip's
/// own bus, a simulated one, or a buffer under a fuzzer. A table of functions instead of a class
/// keeps bare metal free of C++ runtime symbols. Accessors return false for a bus error. `copy`
/// ranges never overlap when all checks passed; in `Compat` they may, and then bytes move in
/// ascending order.
struct MemoryPort {
    void* context = nullptr;
    bool (*read)(void* context, GuestAddr from, void* to, std::uint32_t bytes) = nullptr;
    bool (*write)(void* context, GuestAddr to, const void* from, std::uint32_t bytes) = nullptr;
    bool (*copy)(void* context, GuestAddr to, GuestAddr from, std::uint32_t bytes) = nullptr;
    bool (*clear)(void* context, GuestAddr to, std::uint32_t bytes) = nullptr;
    void (*maintain)(void* context, CacheOp op, GuestAddr start, std::uint32_t bytes) = nullptr;
    void (*enter)(void* context, Phase phase) = nullptr;  ///< may be null
};

/// Reads one little-endian word. Returns false for a bus error; `value` is then untouched.
[[nodiscard]] inline bool read_word(const MemoryPort& port, GuestAddr from, std::uint32_t& value) {
    std::uint32_t raw = 0;
    if (!port.read(port.context, from, &raw, sizeof raw)) return false;
    value = raw;
    return true;
}

[[nodiscard]] inline bool write_word(const MemoryPort& port, GuestAddr to, std::uint32_t value) {
    return port.write(port.context, to, &value, sizeof value);
}

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/memory_port.h"

namespace n6vp::loader {

/// Memory of the machine that the loader itself runs on: guest addresses are pointers. ILP32 only.
/// Accesses outside `mapped` fail instead of faulting; with no ranges given everything is assumed
/// to exist.
struct DirectMemory {
    const AddressRange* mapped = nullptr;
    std::uint32_t mapped_count = 0;
    void* context = nullptr;  ///< for the two functions below
    void (*maintain)(void* context, CacheOp op, GuestAddr start, std::uint32_t bytes) = nullptr;
    void (*enter)(void* context, Phase phase) = nullptr;
};

/// Returns a port on `memory`, which must outlive it.
[[nodiscard]] MemoryPort direct_port(const DirectMemory& memory);

/// Returns the byte at a guest address of this machine.
[[nodiscard]] std::uint8_t* pointer_to(GuestAddr address);

}  // namespace n6vp::loader

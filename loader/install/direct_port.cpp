// SPDX-License-Identifier: Apache-2.0
#include "loader/direct_port.h"

#include <cstring>

namespace n6vp::loader {

static_assert(sizeof(void*) == sizeof(std::uint32_t), "direct pointers need a 32-bit machine");

namespace {

const DirectMemory& memory_of(void* context) {
    return *static_cast<const DirectMemory*>(context);
}

/// 32-bit arithmetic throughout: an offset into a range that does not wrap cannot wrap either.
bool reachable(const DirectMemory& memory, GuestAddr start, std::uint32_t bytes) {
    if (memory.mapped == nullptr) return bytes == 0 || bytes - 1 <= ~to_word(start);
    for (std::uint32_t i = 0; i < memory.mapped_count; ++i) {
        const std::uint32_t offset = to_word(start) - to_word(memory.mapped[i].start);
        const std::uint32_t length = memory.mapped[i].bytes;
        if (offset <= length && bytes <= length - offset) return true;
    }
    return false;
}

bool read(void* context, GuestAddr from, void* to, std::uint32_t bytes) {
    if (!reachable(memory_of(context), from, bytes)) return false;
    std::memcpy(to, pointer_to(from), bytes);
    return true;
}

bool write(void* context, GuestAddr to, const void* from, std::uint32_t bytes) {
    if (!reachable(memory_of(context), to, bytes)) return false;
    std::memcpy(pointer_to(to), from, bytes);
    return true;
}

bool copy(void* context, GuestAddr to, GuestAddr from, std::uint32_t bytes) {
    const DirectMemory& memory = memory_of(context);
    if (!reachable(memory, to, bytes) || !reachable(memory, from, bytes)) return false;
    std::uint8_t* target = pointer_to(to);
    const std::uint8_t* source = pointer_to(from);
    // Ascending bytes replicate the head of a range that reaches into the target; memmove would
    // not. Volatile keeps the loop a loop.
    if (to_word(to) - to_word(from) >= bytes) {
        std::memmove(target, source, bytes);
        return true;
    }
    volatile std::uint8_t* slow = target;
    for (std::uint32_t i = 0; i < bytes; ++i) slow[i] = source[i];
    return true;
}

bool clear(void* context, GuestAddr to, std::uint32_t bytes) {
    if (!reachable(memory_of(context), to, bytes)) return false;
    std::memset(pointer_to(to), 0, bytes);
    return true;
}

void maintain(void* context, CacheOp op, GuestAddr start, std::uint32_t bytes) {
    const DirectMemory& memory = memory_of(context);
    if (memory.maintain != nullptr) memory.maintain(memory.context, op, start, bytes);
}

void enter(void* context, Phase phase) {
    const DirectMemory& memory = memory_of(context);
    if (memory.enter != nullptr) memory.enter(memory.context, phase);
}

}  // namespace

std::uint8_t* pointer_to(GuestAddr address) {
    return reinterpret_cast<std::uint8_t*>(static_cast<std::uintptr_t>(to_word(address)));
}

MemoryPort direct_port(const DirectMemory& memory) {
    MemoryPort port;
    port.context = const_cast<DirectMemory*>(&memory);  // handed back as const only
    port.read = read;
    port.write = write;
    port.copy = copy;
    port.clear = clear;
    port.maintain = maintain;
    port.enter = enter;
    return port;
}

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/mcu/heap.h"

#include "loader/firmware/mcu/host.h"
#include "loader/firmware/mcu/set_up.h"
#include "loader/legacy/capi/ai_reloc_network.h"

namespace n6vp::firmware::mcu::heap {

namespace {

constexpr std::uint32_t kBlock = 32;

constinit struct { std::uint32_t next, end, used, most; } state = {};

void* allocate(ai_size bytes) {
    const std::uint32_t block = take(bytes);
    if (block != 0) state.used += bytes;
    if (state.used > state.most) state.most = state.used;
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(block));
}

/// The loader has one block at a time.
void release(void*) {
    state.used = 0;
}

void clean(void* start, ai_size bytes) {
    const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(start));
    maintain(loader::CacheOp::McuClean, GuestAddr{address}, bytes);
}

void invalidate() {
    maintain(loader::CacheOp::McuInstructionInvalidate, GuestAddr{0}, 0);
}

void refused(ai_u32 rule, ai_u32 offset, ai_u32 address, ai_u32 expected, ai_u32 found) {
    tell(Event::Refused, {rule, offset, address, expected, found});
}

// One instance, and nothing interrupts its run: no places for networks that run.
constexpr n6vp_rel_platform_t kPlatform = {allocate, release, clean, invalidate,
                                           refused,  nullptr, 0};

}  // namespace

void open(std::uint32_t start, std::uint32_t bytes) {
    const std::uint32_t first = (start + kBlock - 1) & ~(kBlock - 1);
    state = {first, start + bytes, 0, 0};
}

std::uint32_t take(std::uint32_t bytes) {
    const std::uint32_t rounded = (bytes + kBlock - 1) & ~(kBlock - 1);
    if (rounded < bytes || state.end < state.next || rounded > state.end - state.next) return 0;
    const std::uint32_t block = state.next;
    state.next += rounded;
    return block;
}

std::uint32_t most_used() {
    return state.most;
}

}  // namespace n6vp::firmware::mcu::heap

const n6vp_rel_platform_t* n6vp_rel_platform() {
    return &n6vp::firmware::mcu::heap::kPlatform;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/memory_port.h"

namespace n6vp::sim {

/// Makes the loader's port of a class with members `read`, `write`, `copy`, `clear`, `maintain` and
/// `enter`. A class that keeps them private names this one as a friend.
struct MemberPort {
    /// Returns a port on `target`, valid as long as it lives where it is.
    template <class Target>
    [[nodiscard]] static loader::MemoryPort on(Target& target) {
        loader::MemoryPort port;
        port.context = &target;
        port.read = [](void* context, GuestAddr from, void* to, std::uint32_t bytes) {
            return static_cast<Target*>(context)->read(from, to, bytes);
        };
        port.write = [](void* context, GuestAddr to, const void* from, std::uint32_t bytes) {
            return static_cast<Target*>(context)->write(to, from, bytes);
        };
        port.copy = [](void* context, GuestAddr to, GuestAddr from, std::uint32_t bytes) {
            return static_cast<Target*>(context)->copy(to, from, bytes);
        };
        port.clear = [](void* context, GuestAddr to, std::uint32_t bytes) {
            return static_cast<Target*>(context)->clear(to, bytes);
        };
        port.maintain = [](void* context, loader::CacheOp op, GuestAddr start,
                           std::uint32_t bytes) {
            static_cast<Target*>(context)->maintain(op, start, bytes);
        };
        port.enter = [](void* context, loader::Phase phase) {
            static_cast<Target*>(context)->enter(phase);
        };
        return port;
    }
};

}  // namespace n6vp::sim

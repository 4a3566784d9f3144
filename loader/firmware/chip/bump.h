// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::firmware {

/// Hands memory out from its start on. Nothing is given back but all of it at once.
class Bump {
  public:
    /// No part shares a line with another, neither of the D-cache (32 bytes) nor of the NPU cache.
    static constexpr std::uint32_t kAlignment = 64;

    constexpr Bump() = default;
    constexpr Bump(std::uint32_t start, std::uint32_t bytes) : start_(start), bytes_(bytes) {}

    /// Sets `at` to the address of `bytes` bytes. Fails, and takes nothing, if fewer are left.
    [[nodiscard]] constexpr bool take(std::uint32_t bytes, std::uint32_t& at) {
        const std::uint64_t from = next();
        if (from + bytes > start_ + std::uint64_t{bytes_}) return false;
        at = static_cast<std::uint32_t>(from);
        used_ = static_cast<std::uint32_t>(from + bytes - start_);
        return true;
    }
    /// Returns how many bytes may still be taken.
    [[nodiscard]] constexpr std::uint32_t left() const {
        const std::uint64_t from = next(), end = start_ + std::uint64_t{bytes_};
        return from < end ? static_cast<std::uint32_t>(end - from) : 0;
    }
    /// Up to the end of the last part.
    [[nodiscard]] constexpr std::uint32_t used() const { return used_; }

  private:
    [[nodiscard]] constexpr std::uint64_t next() const {
        constexpr std::uint64_t kMask = kAlignment - 1;
        return (start_ + std::uint64_t{used_} + kMask) & ~kMask;
    }

    std::uint32_t start_ = 0, bytes_ = 0, used_ = 0;
};

}  // namespace n6vp::firmware

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace n6vp::models {

/// What stands between a bus and a memory and changes data on their way. Works on blocks that start
/// at multiples of their size; offsets count from the start of the memory.
class MemoryCipher {
  public:
    static constexpr std::uint32_t kBlockBytes = 16;
    using Block = std::array<std::uint8_t, kBlockBytes>;

    /// Returns true if it changes any of these bytes now.
    [[nodiscard]] virtual bool covers(std::uint32_t offset, std::uint32_t bytes) const = 0;
    /// Both for a block that `covers`: what memory holds, and what the bus sees.
    [[nodiscard]] virtual Block to_memory(std::uint32_t offset, const Block& plain) const = 0;
    [[nodiscard]] virtual Block to_bus(std::uint32_t offset, const Block& held) const = 0;

  protected:
    MemoryCipher() = default;
    ~MemoryCipher() = default;
    MemoryCipher(const MemoryCipher&) = default;
    MemoryCipher& operator=(const MemoryCipher&) = default;
};

}  // namespace n6vp::models

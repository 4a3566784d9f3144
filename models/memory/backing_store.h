// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace n6vp::models {

/// Contents of a memory, allocated in blocks when something is stored: 128 MB of flash cost what is
/// used of them. What nothing was stored in reads as the fill byte (erase state of a NOR, power-up
/// pattern of a RAM). Remembers by pages where that is so.
class BackingStore {
  public:
    static constexpr std::uint32_t kBlockBytes = 64 * 1024;
    static constexpr std::uint32_t kPageBytes = 4 * 1024;

    BackingStore(std::uint32_t bytes, std::uint8_t fill);

    [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
    /// Returns true if [offset, offset + count) lies inside.
    [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t count) const {
        return offset <= bytes_ && count <= bytes_ - offset;
    }

    /// Both require the range to be inside.
    void read(std::uint32_t offset, std::uint8_t* to, std::uint32_t count) const;
    void write(std::uint32_t offset, const std::uint8_t* from, std::uint32_t count);

    /// Returns where the range is kept; null if it crosses pages, or if nothing was stored in its
    /// page yet.
    [[nodiscard]] std::uint8_t* stored(std::uint32_t offset, std::uint32_t count) {
        const Block& block = blocks_[offset / kBlockBytes];
        const bool whole = offset % kPageBytes + count <= kPageBytes;
        if (!whole || (block.known >> (offset % kBlockBytes / kPageBytes) & 1) == 0) return nullptr;
        return block.bytes == nullptr ? nullptr : block.bytes.get() + offset % kBlockBytes;
    }
    /// Returns true if something was stored in the page of `offset`, or `expect` was called for it.
    [[nodiscard]] bool known(std::uint32_t offset) const {
        return (blocks_[offset / kBlockBytes].known & mask_of(offset)) != 0;
    }
    /// From now on the page of `offset` counts as stored to.
    void expect(std::uint32_t offset) { blocks_[offset / kBlockBytes].known |= mask_of(offset); }

    /// Returns the block that holds `offset`, allocating it. The pointer stays valid until `reset`.
    [[nodiscard]] std::uint8_t* block(std::uint32_t offset);

    /// Returns every byte to the fill value, forgets what was stored and frees all blocks.
    void reset();
    [[nodiscard]] std::uint64_t allocated_bytes() const;

  private:
    struct Block {
        std::unique_ptr<std::uint8_t[]> bytes;
        std::uint32_t known = 0;  ///< one bit per page
    };
    static_assert(kBlockBytes / kPageBytes <= 32);

    [[nodiscard]] static std::uint32_t mask_of(std::uint32_t offset) {
        return 1u << (offset % kBlockBytes / kPageBytes);
    }

    std::uint32_t bytes_;
    std::uint8_t fill_;
    std::vector<Block> blocks_;
};

}  // namespace n6vp::models

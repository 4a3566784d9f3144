// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
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
    void read(std::uint32_t offset, std::uint8_t* to, std::uint32_t count) const {
        const std::uint32_t within = offset % kBlockBytes;
        const Block& block = blocks_[offset / kBlockBytes];
        if (block.bytes != nullptr && count <= kBlockBytes - within) {
            move(to, block.bytes.get() + within, count);
        } else {
            read_pieces(offset, to, count);
        }
    }
    void write(std::uint32_t offset, const std::uint8_t* from, std::uint32_t count) {
        const std::uint32_t within = offset % kPageBytes;
        const Block& block = blocks_[offset / kBlockBytes];
        if (count <= kPageBytes - within && (block.known & mask_of(offset)) != 0 &&
            block.bytes != nullptr) {
            move(block.bytes.get() + offset % kBlockBytes, from, count);
        } else {
            write_pieces(offset, from, count);
        }
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
    /// Most accesses are one bus beat or one cache line of the core: constant lengths are fast.
    static void move(std::uint8_t* to, const std::uint8_t* from, std::uint32_t count) {
        if (count == 8) {
            std::memcpy(to, from, 8);
        } else if (count == 32) {
            std::memcpy(to, from, 32);
        } else {
            std::memcpy(to, from, count);
        }
    }
    void read_pieces(std::uint32_t offset, std::uint8_t* to, std::uint32_t count) const;
    void write_pieces(std::uint32_t offset, const std::uint8_t* from, std::uint32_t count);

    std::uint32_t bytes_;
    std::uint8_t fill_;
    std::vector<Block> blocks_;
};

}  // namespace n6vp::models

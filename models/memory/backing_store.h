// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace n6vp::models {

/// Contents of a memory, allocated in pages when something is stored: 128 MB of flash cost what is
/// used of them. A page that nothing was stored in reads as the fill byte (erase state of a NOR,
/// power-up pattern of a RAM).
class BackingStore {
  public:
    static constexpr std::uint32_t kPageBytes = 64 * 1024;

    BackingStore(std::uint32_t bytes, std::uint8_t fill);

    [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
    /// Returns true if [offset, offset + count) lies inside.
    [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t count) const {
        return offset <= bytes_ && count <= bytes_ - offset;
    }

    /// Both require the range to be inside.
    void read(std::uint32_t offset, std::uint8_t* to, std::uint32_t count) const;
    void write(std::uint32_t offset, const std::uint8_t* from, std::uint32_t count);

    /// Returns the page that holds `offset`, allocating it. The pointer stays valid until `reset`.
    [[nodiscard]] std::uint8_t* page(std::uint32_t offset);

    /// Returns every byte to the fill value and frees all pages.
    void reset();
    [[nodiscard]] std::uint64_t allocated_bytes() const;

  private:
    std::uint32_t bytes_;
    std::uint8_t fill_;
    std::vector<std::unique_ptr<std::uint8_t[]>> pages_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace n6vp::models {

/// One bit per byte of a line.
using ByteMask = std::uint64_t;
inline constexpr std::uint32_t kLargestLine = 64;

/// Returns the mask of `count` bytes (at most 64) from `first` on.
[[nodiscard]] constexpr ByteMask byte_mask(std::uint32_t first, std::uint32_t count) {
    const ByteMask ones = count >= kLargestLine ? ~ByteMask{0} : (ByteMask{1} << count) - 1;
    return ones << first;
}

using LineBytes = std::array<std::uint8_t, kLargestLine>;

/// What a line of the NPU cache holds. The members after `data` serve the detection of what
/// hardware would have done otherwise (coherence `ideal`).
struct CacheLine {
    std::uint64_t used = 0;   ///< LRU stamp
    std::uint32_t base = 0;   ///< address of the first byte
    bool dirty = false;       ///< to be written back as a whole
    std::uint8_t writer = 0;  ///< initiator of the newest write into the line
    LineBytes data{};         ///< what hardware's line holds
    std::uint64_t in_at = 0;  ///< absolute time in ps at which it holds all of them

    ByteMask foreign = 0;        ///< bytes that others changed in memory since the line has them
    LineBytes foreign_writer{};  ///< initiator, where `foreign`
    ByteMask told_read = 0;      ///< of these, reported as read stale from the line
    ByteMask ahead = 0;          ///< bytes written into the line that hardware's memory lacks
    LineBytes behind{};          ///< hardware's memory, where `ahead`
    ByteMask told_memory = 0;    ///< of these, reported as read stale from memory
};

/// Tags and lines of a set-associative cache with LRU replacement.
class CacheLines {
  public:
    /// `entries`, `ways` and `line_bytes` (at most 64) are powers of two; else throws
    /// std::invalid_argument.
    CacheLines(std::uint32_t entries, std::uint32_t ways, std::uint32_t line_bytes);

    [[nodiscard]] std::uint32_t line_bytes() const { return line_bytes_; }
    [[nodiscard]] std::uint32_t entries() const {
        return static_cast<std::uint32_t>(lines_.size());
    }
    [[nodiscard]] bool empty() const { return valid_ == 0; }
    [[nodiscard]] std::uint32_t valid() const { return valid_; }
    [[nodiscard]] std::uint32_t base_of(std::uint32_t address) const {
        return address & ~(line_bytes_ - 1);
    }

    /// Returns the line that holds `address`, or null.
    [[nodiscard]] CacheLine* find(std::uint32_t address);
    /// Marks as the most recently used.
    void touch(CacheLine& line) { line.used = ++clock_; }

    /// Returns the entry that a line at `address` will take: a free one, else the least recently
    /// used of the set.
    [[nodiscard]] std::uint32_t victim(std::uint32_t address) const;
    /// Returns the valid line of an entry, or null.
    [[nodiscard]] CacheLine* at(std::uint32_t entry);
    /// Replaces what the entry holds; the new line is clean and the most recently used.
    CacheLine& fill(std::uint32_t entry, std::uint32_t address, const LineBytes& data);
    void drop(CacheLine& line);
    void drop_all();

  private:
    static constexpr std::uint32_t kFree = 1;  ///< no base ends in 1

    std::uint32_t ways_, line_bytes_, set_mask_;
    std::uint32_t valid_ = 0;
    std::uint64_t clock_ = 0;
    std::vector<std::uint32_t> tags_;  ///< base address or kFree, apart from the lines for speed
    std::vector<CacheLine> lines_;
};

}  // namespace n6vp::models

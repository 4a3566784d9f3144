// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace n6vp::models::dma {

/// How a channel turns what it reads into what it writes, as CTR1 says.
class Format {
  public:
    explicit Format(std::uint32_t tr1);

    [[nodiscard]] std::uint32_t source_bytes() const { return source_; }  ///< of a beat
    [[nodiscard]] std::uint32_t dest_bytes() const { return dest_; }
    /// Returns true if bytes are packed or unpacked; else each source beat becomes one destination
    /// beat.
    [[nodiscard]] bool packs() const { return pack_ || source_ == dest_; }
    /// Returns the bytes to be written for `bytes` that are read, whole beats.
    [[nodiscard]] std::uint32_t produced(std::uint32_t bytes) const {
        return packs() ? bytes : bytes / source_ * dest_;
    }
    /// Returns the bytes read for `bytes` that are written.
    [[nodiscard]] std::uint32_t consumed(std::uint32_t bytes) const {
        return packs() ? bytes : bytes / dest_ * source_;
    }
    /// Appends what becomes of whole source beats: padding, truncation and the exchange within a
    /// source word.
    void take(std::span<const std::uint8_t> read, std::vector<std::uint8_t>& fifo) const;
    /// The exchanges within destination beats. `bytes` is a number of whole beats.
    void exchange(std::span<std::uint8_t> bytes) const;

  private:
    void pad(std::span<const std::uint8_t> beat, std::vector<std::uint8_t>& fifo) const;

    std::uint32_t source_, dest_;
    bool pack_, second_mode_;
    bool source_bytes_exchanged_;
    bool bytes_exchanged_, halves_exchanged_, words_exchanged_;
};

}  // namespace n6vp::models::dma

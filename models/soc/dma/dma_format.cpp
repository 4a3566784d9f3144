// SPDX-License-Identifier: Apache-2.0
#include "models/soc/dma/dma_format.h"

#include <algorithm>
#include <array>

#include "models/soc/dma/dma_registers.h"

namespace n6vp::models::dma {
namespace {

constexpr std::size_t kWord = 4;

/// Exchanges neighbours of `size` bytes each.
void swap_pairs(std::span<std::uint8_t> bytes, std::size_t size) {
    for (std::size_t at = 0; at + 2 * size <= bytes.size(); at += 2 * size) {
        std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         bytes.begin() + static_cast<std::ptrdiff_t>(at + size),
                         bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    }
}

}  // namespace

Format::Format(std::uint32_t tr1)
    : source_(1u << field(tr1, 0, 2)),
      dest_(1u << field(tr1, 16, 2)),
      pack_((tr1 & bit(12)) != 0),
      second_mode_((tr1 & bit(11)) != 0),
      source_bytes_exchanged_((tr1 & kSourceByteExchange) != 0 && source_ >= kWord),
      bytes_exchanged_((tr1 & kDestByteExchange) != 0 && dest_ >= 2),
      halves_exchanged_((tr1 & kDestHalfExchange) != 0 && dest_ >= kWord),
      words_exchanged_((tr1 & kDestWordExchange) != 0 && dest_ >= 2 * kWord) {}

void Format::pad(std::span<const std::uint8_t> beat, std::vector<std::uint8_t>& fifo) const {
    if (dest_ > source_) {
        const bool negative = second_mode_ && (beat.back() & 0x80) != 0;
        fifo.insert(fifo.end(), beat.begin(), beat.end());
        fifo.insert(fifo.end(), dest_ - source_, negative ? std::uint8_t{0xFF} : std::uint8_t{0});
        return;
    }
    // Truncation keeps the low bytes, or the high ones.
    const std::size_t first = second_mode_ ? source_ - dest_ : 0;
    const auto kept = beat.subspan(first, dest_);
    fifo.insert(fifo.end(), kept.begin(), kept.end());
}

void Format::take(std::span<const std::uint8_t> read, std::vector<std::uint8_t>& fifo) const {
    std::array<std::uint8_t, 2 * kWord> beat{};
    for (std::size_t at = 0; at + source_ <= read.size(); at += source_) {
        std::copy_n(read.begin() + static_cast<std::ptrdiff_t>(at), source_, beat.begin());
        if (source_bytes_exchanged_) {
            for (std::size_t word = 0; word < source_; word += kWord)
                std::swap(beat[word + 1], beat[word + 2]);
        }
        if (packs()) {
            fifo.insert(fifo.end(), beat.begin(), beat.begin() + source_);
        } else {
            pad({beat.data(), source_}, fifo);
        }
    }
}

void Format::exchange(std::span<std::uint8_t> bytes) const {
    if (bytes_exchanged_) swap_pairs(bytes, 1);
    if (halves_exchanged_) swap_pairs(bytes, 2);
    if (words_exchanged_) swap_pairs(bytes, kWord);
}

}  // namespace n6vp::models::dma

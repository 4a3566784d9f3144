// SPDX-License-Identifier: Apache-2.0
// What a stream engine does, byte by byte, from the documents' pseudo-code. Shares nothing with the
// model.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace n6vp::test {

struct ReferenceEngine {
    bool raw = true, cont = false;
    std::uint32_t address = 0, bytes = 1;
    std::uint32_t elements = 0;                      ///< raw
    std::uint32_t width = 1, height = 1, depth = 1;  ///< raster
    std::uint32_t pixel_pitch = 0, line_pitch = 0;
    std::int32_t frame_offset = 0, loop_offset = 0;
    std::uint32_t repeat = 0;

    [[nodiscard]] std::uint32_t start(std::uint32_t n) const {
        const std::uint32_t e = raw ? elements : width * height * depth;
        std::int64_t a = address;
        if (cont) {
            a += std::int64_t{n} * e * bytes;
        } else if (repeat == 0) {
            a += std::int64_t{n} * frame_offset;
        } else {
            a += std::int64_t{n % repeat} * frame_offset + std::int64_t{n / repeat} * loop_offset;
        }
        return static_cast<std::uint32_t>(a);
    }

    /// Returns the address of every byte of frame `n` in order.
    [[nodiscard]] std::vector<std::uint32_t> touched(std::uint32_t n) const {
        std::vector<std::uint32_t> all;
        const auto access = [&](std::uint32_t at) {
            for (std::uint32_t k = 0; k < bytes; ++k) all.push_back(at + k);
        };
        const std::uint32_t a = start(n);
        if (raw) {
            for (std::uint32_t e = 0; e < elements; ++e) access(a + e * bytes);
            return all;
        }
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                for (std::uint32_t s = 0; s < depth; ++s) {
                    access(a + y * line_pitch + x * pixel_pitch + s * bytes);
                }
            }
        }
        return all;
    }

    /// Returns how many bytes of `touched` are one run: a frame, a line or a pixel.
    [[nodiscard]] std::size_t run_length() const {
        if (raw) return std::size_t{elements} * bytes;
        const std::size_t pixel = std::size_t{depth} * bytes, line = pixel * width;
        if (pixel_pitch == pixel && line_pitch == line) return line * height;
        return pixel_pitch == pixel || width == 1 ? line : pixel;
    }
};

/// Beats first and count of each burst of beats `low` to `high` - 1, by halving aligned blocks of
/// `block` beats until a part is covered wholly or not at all.
inline void reference_bursts(std::uint64_t low, std::uint64_t high, std::uint64_t base,
                             std::uint64_t block,
                             std::vector<std::pair<std::uint64_t, std::uint64_t>>& out) {
    if (high <= base || low >= base + block) return;
    if (low <= base && high >= base + block) {
        out.emplace_back(base, block);
        return;
    }
    reference_bursts(low, high, base, block / 2, out);
    reference_bursts(low, high, base + block / 2, block / 2, out);
}

inline std::vector<std::pair<std::uint64_t, std::uint64_t>> reference_bursts(std::uint64_t address,
                                                                             std::uint64_t bytes) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
    const std::uint64_t low = address / 8, high = (address + bytes + 7) / 8;
    for (std::uint64_t base = low / 8 * 8; base < high; base += 8) {
        reference_bursts(low, high, base, 8, out);
    }
    return out;
}

}  // namespace n6vp::test

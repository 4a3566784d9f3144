// SPDX-License-Identifier: Apache-2.0
#include "models/cache/cache_lines.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace n6vp::models {

CacheLines::CacheLines(std::uint32_t entries, std::uint32_t ways, std::uint32_t line_bytes)
    : ways_(ways), line_bytes_(line_bytes), set_mask_(0) {
    if (!std::has_single_bit(entries) || !std::has_single_bit(ways) || ways > entries ||
        !std::has_single_bit(line_bytes) || line_bytes < 2 || line_bytes > kLargestLine) {
        throw std::invalid_argument(
            "NPU cache: entries, ways and line size must be powers of two, lines 2 to 64 bytes");
    }
    set_mask_ = entries / ways - 1;
    tags_.assign(entries, kFree);
    lines_.resize(entries);
}

CacheLine* CacheLines::find(std::uint32_t address) {
    const std::uint32_t base = base_of(address);
    const std::uint32_t first = (base / line_bytes_ & set_mask_) * ways_;
    for (std::uint32_t entry = first; entry < first + ways_; ++entry) {
        if (tags_[entry] == base) return &lines_[entry];
    }
    return nullptr;
}

std::uint32_t CacheLines::victim(std::uint32_t address) const {
    const std::uint32_t first = (base_of(address) / line_bytes_ & set_mask_) * ways_;
    std::uint32_t oldest = first;
    for (std::uint32_t entry = first; entry < first + ways_; ++entry) {
        if (tags_[entry] == kFree) return entry;
        if (lines_[entry].used < lines_[oldest].used) oldest = entry;
    }
    return oldest;
}

CacheLine* CacheLines::at(std::uint32_t entry) {
    return tags_[entry] == kFree ? nullptr : &lines_[entry];
}

CacheLine& CacheLines::fill(std::uint32_t entry, std::uint32_t address, const LineBytes& data) {
    if (tags_[entry] == kFree) ++valid_;
    CacheLine& line = lines_[entry];
    line = CacheLine{};
    line.base = tags_[entry] = base_of(address);
    line.data = data;
    touch(line);
    return line;
}

void CacheLines::drop(CacheLine& line) {
    std::uint32_t& tag = tags_[static_cast<std::size_t>(&line - lines_.data())];
    if (tag != kFree) --valid_;
    tag = kFree;
}

void CacheLines::drop_all() {
    std::fill(tags_.begin(), tags_.end(), kFree);
    valid_ = 0;
}

}  // namespace n6vp::models

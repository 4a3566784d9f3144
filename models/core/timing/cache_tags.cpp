// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/cache_tags.h"

#include <bit>
#include <utility>

namespace n6vp::models {

CacheTags::CacheTags(std::uint32_t bytes, std::uint32_t ways, std::uint32_t line_bytes)
    : ways_(ways),
      line_bytes_(line_bytes),
      sets_(bytes / ways / line_bytes),
      entries_(std::size_t{sets_} * ways) {}

const CacheTags::Line* CacheTags::find(std::uint32_t address) const {
    // The bus asks at most bursts of others: a division would show.
    const std::uint32_t start = line_of(address);
    const std::size_t set =
        std::size_t{start >> std::countr_zero(line_bytes_) & (sets_ - 1)} * ways_;
    for (std::size_t i = set; i < set + ways_; ++i) {
        const Line& line = entries_[i].line;
        if (line.valid && line.address == start) return &line;
    }
    return nullptr;
}

CacheTags::Line* CacheTags::find(std::uint32_t address) {
    return const_cast<Line*>(std::as_const(*this).find(address));
}

CacheTags::Line* CacheTags::look_up(std::uint32_t address) {
    const std::size_t set = set_of(address);
    for (std::size_t i = set; i < set + ways_; ++i) {
        Entry& entry = entries_[i];
        if (entry.line.valid && entry.line.address == line_of(address)) {
            entry.used = ++clock_;
            return &entry.line;
        }
    }
    return nullptr;
}

std::size_t CacheTags::victim_index(std::uint32_t address) const {
    const std::size_t set = set_of(address);
    std::size_t oldest = set;
    for (std::size_t i = set; i < set + ways_; ++i) {
        if (!entries_[i].line.valid) return i;
        if (entries_[i].used < entries_[oldest].used) oldest = i;
    }
    return oldest;
}

const CacheTags::Line& CacheTags::victim(std::uint32_t address) const {
    return entries_[victim_index(address)].line;
}

CacheTags::Line& CacheTags::allocate(std::uint32_t address) {
    Entry& entry = entries_[victim_index(address)];
    entry.line = {line_of(address), true, false};
    entry.used = ++clock_;
    pages_.add(address);
    return entry.line;
}

void CacheTags::invalidate_all() {
    if (pages_.empty()) return;
    pages_.clear();
    for (Entry& entry : entries_) entry = {};
}

}  // namespace n6vp::models

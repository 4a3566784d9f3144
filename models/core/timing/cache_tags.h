// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/ir/page_filter.h"

namespace n6vp::models {

/// Tags of a set-associative cache without data, replaced least recently used first.
class CacheTags {
  public:
    struct Line {
        std::uint32_t address = 0;  ///< of its first byte
        bool valid = false;
        bool dirty = false;
    };

    /// Requires powers of two.
    CacheTags(std::uint32_t bytes, std::uint32_t ways, std::uint32_t line_bytes);

    /// Returns the line that holds `address` and marks it used, or nullptr.
    [[nodiscard]] Line* look_up(std::uint32_t address);
    /// Returns false if no line holds a byte of [first, last].
    [[nodiscard]] bool may_hold(std::uint32_t first, std::uint32_t last) const {
        return pages_.may_have(first, last);
    }
    /// Returns the line that holds `address` without marking it used, or nullptr.
    [[nodiscard]] Line* find(std::uint32_t address);
    [[nodiscard]] const Line* find(std::uint32_t address) const;
    /// Returns the line of a set and way, or nullptr if there is no such set or way.
    [[nodiscard]] Line* at(std::uint32_t set, std::uint32_t way) {
        return set < sets_ && way < ways_ ? &entries_[std::size_t{set} * ways_ + way].line
                                          : nullptr;
    }
    /// Returns the place of a line that this object handed out, 0 to `slots()` - 1.
    [[nodiscard]] std::size_t slot(const Line& line) const {
        return static_cast<std::size_t>(reinterpret_cast<const Entry*>(&line) - entries_.data());
    }
    [[nodiscard]] std::size_t slots() const { return entries_.size(); }
    /// Returns the line that `allocate(address)` would replace.
    [[nodiscard]] const Line& victim(std::uint32_t address) const;
    /// The same, to be changed.
    [[nodiscard]] Line& next_victim(std::uint32_t address) {
        return entries_[victim_index(address)].line;
    }
    /// Replaces the victim by the clean line of `address` and returns it.
    Line& allocate(std::uint32_t address);
    void invalidate_all();

    [[nodiscard]] std::uint32_t line_bytes() const { return line_bytes_; }
    [[nodiscard]] std::uint32_t line_of(std::uint32_t address) const {
        return address & ~(line_bytes_ - 1);
    }

  private:
    struct Entry {
        Line line;
        std::uint64_t used = 0;  ///< stamp of the last use
    };
    [[nodiscard]] std::size_t set_of(std::uint32_t address) const {
        return std::size_t{address / line_bytes_ & (sets_ - 1)} * ways_;
    }
    [[nodiscard]] std::size_t victim_index(std::uint32_t address) const;

    std::uint32_t ways_, line_bytes_, sets_;
    std::vector<Entry> entries_;
    std::uint64_t clock_ = 0;
    PageFilter pages_;  ///< of lines allocated since all were invalidated
};

}  // namespace n6vp::models

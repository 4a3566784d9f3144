// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace n6vp::models {

/// Set of pages that may contain something: a fast negative test for each burst on the
/// bus.
class PageFilter {
  public:
    void add(std::uint32_t address) {
        pages_[address / kPageBytes] = true;
        empty_ = false;
    }
    [[nodiscard]] bool empty() const { return empty_; }
    /// Returns false if there is nothing in the pages of [first, last]. Of large ranges it does not
    /// know.
    [[nodiscard]] bool may_have(std::uint32_t first, std::uint32_t last) const {
        if (empty_) return false;
        if (last - first >= kMaxLooked) return true;
        for (std::uint32_t page = first / kPageBytes; page <= last / kPageBytes; ++page) {
            if (pages_[page]) return true;
        }
        return false;
    }
    void clear() {
        if (!empty_) pages_.assign(kPages, false);
        empty_ = true;
    }

  private:
    static constexpr std::uint32_t kPageBytes = 4096;
    static constexpr std::uint32_t kMaxLooked = 64 * kPageBytes;
    static constexpr std::uint32_t kPages = 0xFFFFFFFFu / kPageBytes + 1;

    std::vector<bool> pages_ = std::vector<bool>(kPages);
    bool empty_ = true;
};

}  // namespace n6vp::models

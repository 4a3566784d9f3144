// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace n6vp::sim {

/// Waiting for the other side to take what is left, at the end.
inline constexpr int kFinishMilliseconds = 100;  ///< per attempt
inline constexpr int kFinishAttempts = 20;

/// Bytes buffered for a reader that may be slow: the newest `most` of them.
class PendingBytes {
  public:
    explicit PendingBytes(std::size_t most) : most_(most) {}

    void add(std::span<const std::uint8_t> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        drop(size() <= most_ ? 0 : size() - most_);
    }
    void remove(std::size_t count) {
        taken_ += count;
        tidy();
    }
    void drop_all() { drop(size()); }
    void drop(std::size_t count) {
        dropped_ += count;
        remove(count);
    }
    [[nodiscard]] std::span<const std::uint8_t> view() const {
        return std::span(bytes_).subspan(taken_);
    }
    [[nodiscard]] std::size_t size() const { return bytes_.size() - taken_; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  private:
    /// Moves rarely: only when at least half of the storage is stale.
    void tidy() {
        if (taken_ * 2 < bytes_.size()) return;
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken_));
        taken_ = 0;
    }

    std::size_t most_, taken_ = 0;
    std::uint64_t dropped_ = 0;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace n6vp::models::npu {

/// A queue in one ring that grows when it is full. Large elements cost std::deque an allocation
/// each.
template <class T>
class Queue {
  public:
    [[nodiscard]] bool empty() const { return first_ == end_; }
    [[nodiscard]] std::size_t size() const { return end_ - first_; }
    /// The element with `index` others before it.
    [[nodiscard]] const T& operator[](std::size_t index) const { return at(first_ + index); }
    [[nodiscard]] const T& front() const { return at(first_); }
    [[nodiscard]] T& front() { return places_[first_ & (places_.size() - 1)]; }
    [[nodiscard]] const T& back() const { return at(end_ - 1); }

    /// Adds an element at the end and returns it: it has any value of an earlier one.
    T& add() {
        if (size() == places_.size()) grow();
        return places_[end_++ & (places_.size() - 1)];
    }
    void push_back(const T& element) { add() = element; }
    void pop_front() { ++first_; }

  private:
    static constexpr std::size_t kFirstPlaces = 16;  ///< a power of two, as all sizes are

    [[nodiscard]] const T& at(std::size_t number) const {
        return places_[number & (places_.size() - 1)];
    }
    void grow() {
        std::vector<T> larger(std::max(kFirstPlaces, 2 * places_.size()));
        for (std::size_t i = first_; i < end_; ++i) larger[i & (larger.size() - 1)] = at(i);
        places_.swap(larger);
    }

    std::vector<T> places_;
    std::size_t first_ = 0, end_ = 0;  ///< numbers of the first element and of the next
};

}  // namespace n6vp::models::npu

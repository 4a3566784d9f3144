// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "models/npu/dataflow/path_time.h"
#include "models/npu/dataflow/queue.h"

namespace n6vp::models::npu {

/// The times of words that wait in a unit, in the order in which they came.
class TimedWords {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    void push(std::size_t words, const WordTimes& pace) {
        if (words == 0) return;
        Batch& batch = bunches_.add();
        batch.words = words;
        batch.pace = pace;
        size_ += words;
    }
    /// Returns when the first and the last of the next `count` words were there. Requires that
    /// many.
    [[nodiscard]] WordTimes next(std::size_t count) const {
        std::size_t last = 0;
        for (; count > bunches_[last].words; ++last) count -= bunches_[last].words;
        const Batch& batch = bunches_[last];
        return {bunches_.front().pace.first, batch.pace.at(count - 1, batch.words)};
    }
    /// Takes the next `count` words away. Requires that many.
    void pop(std::size_t count) {
        size_ -= count;
        while (count > 0) {
            Batch& front = bunches_.front();
            if (count < front.words) {
                front.pace.first = front.pace.at(count, front.words);
                front.words -= count;
                return;
            }
            count -= front.words;
            bunches_.pop_front();
        }
    }

  private:
    struct Batch {
        std::size_t words = 0;
        WordTimes pace;
    };
    Queue<Batch> bunches_;
    std::size_t size_ = 0;
};

}  // namespace n6vp::models::npu

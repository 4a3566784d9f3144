// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace n6vp::sim::model_run {

/// Reports in their order which epochs of an inference are over, from the blocks that the firmware
/// runs and the labels of the epochs within them.
///
/// A block without labels is one epoch, the one behind the last. What an operator inserts behind
/// its block belongs to it: its results are there when the next block of the plan begins.
class EpochEnds {
  public:
    explicit EpochEnds(std::function<void(std::uint32_t epoch)> ended) : ended_(std::move(ended)) {}

    void begin_block(bool inserted) {
        if (!inserted) end_inference();
        inserted_ = inserted;
        label_.reset();
    }
    /// The NPU begins an epoch of this number in the block.
    void begin_epoch(std::uint32_t label) {
        if (inserted_) return;
        if (label_) tell(*label_);
        label_ = label;
    }
    void end_block() {
        if (!inserted_) open_ = label_.value_or(last_ + 1);
    }
    /// No further block follows.
    void end_inference() {
        if (open_) tell(*open_);
        open_.reset();
    }

  private:
    void tell(std::uint32_t epoch) {
        last_ = epoch;
        ended_(epoch);
    }

    std::function<void(std::uint32_t)> ended_;
    std::optional<std::uint32_t> label_;  ///< last one of the block that is under way
    std::optional<std::uint32_t> open_;   ///< of the last block: over when the next one begins
    std::uint32_t last_ = 0;
    bool inserted_ = false;  ///< the block that is under way
};

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/pool_node.h"

#include <algorithm>
#include <span>
#include <utility>

namespace n6vp::models::npu {

namespace {

constexpr std::size_t kMaxGift = 256;  ///< words offered at once

}  // namespace

PoolNode::PoolNode(const Setup& setup, Network& network, Link& out)
    : features(*this),
      unit_(setup.config, setup.rounding),
      cycle_(setup.cycle),
      out_(out),
      lag_(setup.config.global() ? unit_.words_out() : setup.config.out_x * unit_.pixel_words()),
      feature_free_{setup.start, {}},
      out_free_{setup.start, {}} {
    out_.attach(&network, this);
    network.add(*this);
}

void PoolNode::step() {
    (void)features.look();  // what contexts throw away goes by in any state
    bool more = true;
    while (more) {
        more = take_features();
        more |= give();
        more |= end_frame();
    }
}

bool PoolNode::take_features() {
    if (due_.size() > lag_) return false;
    const Port::Words at_hand = features.look();
    const std::size_t count = std::min(at_hand.words.size(), unit_.words_in() - features_taken_);
    if (count == 0) return false;
    if (features_taken_ == 0) unit_.begin();
    const WordTimes come = at_hand.pace(count);
    WordTimes pace;
    pace.first = std::max(come.first, feature_free_);
    pace.last = std::max(come.last, pace.first.plus((count - 1) * cycle_, StallCause::Link));
    feature_free_ = pace.last.plus(cycle_, StallCause::Link);
    unit_.add_features(at_hand.words.first(count));
    const std::size_t before = std::exchange(features_taken_, features_taken_ + count);
    const std::size_t given_or_due = outputs_given_ + due_.size();
    if (const std::size_t words = unit_.computable() - given_or_due; words != 0) {
        const auto when = [&](std::size_t needed) {
            return pace.at(needed > before ? needed - before - 1 : 0, count);
        };
        due_.push(words, {when(unit_.features_needed(given_or_due)),
                          when(unit_.features_needed(given_or_due + words - 1))});
    }
    features.take(count, pace.last);
    return true;
}

bool PoolNode::give() {
    if (!out_.free()) return false;
    if (std::exchange(on_link_, false)) {
        out_free_ = std::max(out_free_, out_.free_at().plus(cycle_, StallCause::Link));
    }
    std::size_t count = std::min(due_.size(), std::max(kMaxGift, unit_.pixel_words()));
    count -= count % unit_.pixel_words();
    if (count == 0) return false;
    given_.resize(count);
    unit_.compute(given_);
    const WordTimes ready = due_.next(count);
    WordTimes pace;
    pace.first = std::max(ready.first, out_free_);
    pace.last = std::max(ready.last, pace.first.plus((count - 1) * cycle_, StallCause::Link));
    out_free_ = pace.last.plus(cycle_, StallCause::Link);
    // Features that had to wait go on when what waits here has shrunk to a line.
    if (due_.size() > lag_) {
        const std::size_t last = std::min(due_.size() - lag_, count) - 1;
        feature_free_ = std::max(feature_free_, pace.at(last, count));
    }
    due_.pop(count);
    outputs_given_ += count;
    on_link_ = true;
    out_.offer(given_, pace, outputs_given_ == unit_.words_out());
    return true;
}

bool PoolNode::end_frame() {
    if (features_taken_ != unit_.words_in() || outputs_given_ != unit_.words_out()) return false;
    if (!out_.free()) return false;
    ++frame_;
    features_taken_ = outputs_given_ = 0;
    feature_free_ = std::max(feature_free_, out_.free_at());
    return true;
}

std::string PoolNode::waits_for() const {
    const std::string frame = " of frame " + std::to_string(frame_);
    return out_.free() ? "features" + frame : "its link to take outputs" + frame;
}

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/convolution_node.h"

#include <algorithm>
#include <span>
#include <utility>

namespace n6vp::models::npu {

namespace {

constexpr std::size_t kMaxGift = 256;  ///< words offered at once

/// Tells whether one output word per cycle keeps the multipliers as busy as measured epochs that
/// wait for them: then the pace of a word per cycle is theirs, else it is that of the links.
bool uses_fully(const ConvolutionConfig& config, const ConvolutionParameters& parameters) {
    const auto& kernel = config.kformat;
    // 16-bit features take the slots of two, 16-bit kernels of four.
    const double products = config.ctrl.simd == 1 ? 1.0 : config.ctrl.simd == 2 ? 2.0 : 4.0;
    const unsigned columns = (kernel.width + config.sample.hstrd - 1u) / config.sample.hstrd;
    const double used = products * kernel.height * columns * kernel.nr;
    return used > parameters.full_use.value * parameters.mac_slots.value;
}

/// Returns the extra cycles per line of features, and of outputs: at full use of the multipliers
/// pads cost what other pixels of the features do.
std::size_t line_extra(const ConvolutionConfig& config, const ConvolutionParameters& parameters) {
    const auto& kernel = config.kformat;
    if (kernel.width <= 1 || config.sample.hstrd != 1) return 0;
    const std::size_t pads = config.sample.lpad + config.sample.rpad;
    return uses_fully(config, parameters) ? pads * kernel.btcdepth : 0;
}

}  // namespace

ConvolutionNode::ConvolutionNode(const Setup& setup, const ConvolutionParameters& parameters,
                                 Network& network, Link& out)
    : features(*this),
      kernels(*this),
      accumulator(*this),
      unit_(setup.config, setup.rounding),
      cycle_(setup.cycle),
      pace_(uses_fully(setup.config, parameters) ? StallCause::Compute : StallCause::Link),
      out_(out),
      lag_(static_cast<std::size_t>(
          parameters.output_lag.value *
          static_cast<double>(unit_.shape().out_width * unit_.pixel_words()))),
      line_extra_(line_extra(setup.config, parameters) * setup.cycle),
      line_words_(std::max<std::size_t>(1, unit_.shape().words_of(unit_.shape().width))),
      most_ahead_((unit_.shape().kernel_height - 1) * line_words_),
      kernel_free_{setup.start, {}},
      frame_free_{setup.start, {}},
      feature_free_{setup.start, {}},
      sum_free_{setup.start, {}},
      out_free_{setup.start, {}} {
    out_.attach(&network, this);
    network.add(*this);
}

void ConvolutionNode::step() {
    // What contexts throw away goes by in any state.
    features.discard();
    kernels.discard();
    accumulator.discard();
    bool more = true;
    while (more) {
        more = take_kernels();
        more |= begin_frame();
        more |= take_features();
        more |= take_sums();
        more |= give();
        more |= end_frame();
    }
}

bool ConvolutionNode::take_kernels() {
    if (set_complete_) return false;
    const Port::Words at_hand = kernels.look();
    const std::size_t count =
        std::min(at_hand.words.size(), unit_.kernel_words() - next_set_.size());
    if (count == 0) return false;
    const WordTimes come = at_hand.pace(count);
    const PathTime first = std::max(come.first, kernel_free_);
    const PathTime last = std::max(come.last, first.plus((count - 1) * cycle_, StallCause::Link));
    kernel_free_ = last.plus(cycle_, StallCause::Link);
    next_set_.insert(next_set_.end(), at_hand.words.begin(),
                     at_hand.words.begin() + static_cast<std::ptrdiff_t>(count));
    if (next_set_.size() == unit_.kernel_words()) {
        set_complete_ = true;
        set_ready_ = kernel_free_;
    }
    kernels.take(count, last);
    return true;
}

bool ConvolutionNode::begin_frame() {
    if (in_frame_ || !set_complete_) return false;
    if (frame_free_ < set_ready_) {
        counters_.kernels_waited += set_ready_.at - frame_free_.at;
        frame_free_ = set_ready_;
    }
    unit_.begin(frame_, next_set_);
    next_set_.clear();
    set_complete_ = false;
    in_frame_ = true;
    const std::size_t features_of_frame = unit_.feature_words(frame_);
    features_left_ = features_of_frame;
    features_taken_ = 0;
    outputs_left_ = unit_.output_words();
    sums_left_ = unit_.accumulator_words(frame_) - std::exchange(sums_ahead_, 0);
    // The next set loads from here on.
    kernel_free_ = std::max(kernel_free_, frame_free_);
    sum_free_ = std::max(sum_free_, frame_free_);
    out_free_ = std::max(out_free_, frame_free_);
    if (features_of_frame == 0) {
        feature_free_ = std::max(feature_free_, frame_free_);
        const std::size_t words = unit_.shape().feature_words();
        features_came(0, {feature_free_, feature_free_.plus((words - 1) * cycle_, pace_)});
        feature_free_ = feature_free_.plus(words * cycle_, pace_);
    } else {
        std::span<const Word> words(ahead_);
        for (const Batch& batch : ahead_bunches_) {
            add_features(words.first(batch.words), batch.pace);
            words = words.subspan(batch.words);
        }
        ahead_.clear();
        ahead_bunches_.clear();
    }
    if (features_left_ == 0) features_end_ = feature_free_;
    return true;
}

/// Returns how many features may be taken: of the frame, or of the next one ahead of it.
std::size_t ConvolutionNode::features_to_come() const {
    if (in_frame_ && features_left_ != 0) {
        const bool ahead = features_taken_ < most_ahead_;
        return ahead ? std::min(most_ahead_ - features_taken_, features_left_) : features_left_;
    }
    const std::size_t most =
        std::min(most_ahead_, unit_.feature_words(in_frame_ ? frame_ + 1 : frame_));
    return most - std::min(most, ahead_.size());
}

bool ConvolutionNode::take_features() {
    const std::size_t to_come = features_to_come();
    if (to_come == 0 || due_.size() > lag_) return false;
    const Port::Words at_hand = features.look();
    const std::size_t count = std::min(at_hand.words.size(), to_come);
    if (count == 0) return false;
    const bool ahead = !in_frame_ || features_left_ == 0;
    const std::size_t taken = ahead ? ahead_.size() : features_taken_;
    // When a frame starts does not matter to what the line buffers take before. They hold lines of
    // one frame that has not started.
    if (taken >= most_ahead_ || (ahead && in_frame_)) feature_free_.wait_for(frame_free_);
    const std::size_t lines = (taken + count) / line_words_ - taken / line_words_;
    WordTimes pace = at_hand.pace(count);
    pace.first.wait_for(feature_free_);
    pace.last.wait_for(pace.first, (count - 1) * cycle_, pace_);
    feature_free_ = pace.last;
    feature_free_.pass(cycle_, pace_);
    feature_free_.pass(lines * line_extra_, StallCause::Compute);
    counters_.words_in += count;
    const std::span<const Word> words = at_hand.words.first(count);
    if (ahead) {
        ahead_.insert(ahead_.end(), words.begin(), words.end());
        ahead_bunches_.push_back({count, pace});
    } else {
        add_features(words, pace);
        if (features_left_ == 0) features_end_ = feature_free_;
    }
    features.take(count, pace.last);
    return true;
}

void ConvolutionNode::add_features(std::span<const Word> words, const WordTimes& pace) {
    unit_.add_features(words);
    features_taken_ += words.size();
    features_left_ -= words.size();
    features_came(words.size(), pace);
}

/// Outputs that have become computable are due when the feature came that they needed last, in
/// their frame.
void ConvolutionNode::features_came(std::size_t count, const WordTimes& pace) {
    const std::size_t given_or_due = unit_.output_words() - outputs_left_ + due_.size();
    const std::size_t words = unit_.computable() - given_or_due;
    if (words == 0) return;
    const auto when = [&](std::size_t needed) {
        const std::size_t before = features_taken_ - count;
        return pace.at(needed > before ? needed - before - 1 : 0, count);
    };
    WordTimes due = count == 0 ? pace
                               : WordTimes{when(unit_.features_needed(given_or_due)),
                                           when(unit_.features_needed(given_or_due + words - 1))};
    due.first.wait_for(frame_free_);
    due.last.wait_for(frame_free_);
    due_.push(words, due);
}

/// Sums of the next frame that may be taken now: a unit that feeds its own accumulator brings them
/// while this frame is at work, and keeps them.
std::size_t ConvolutionNode::sums_of_next() const {
    if (sums_left_ != 0 || !accumulator.hears(out_)) return 0;
    return unit_.accumulator_words(frame_ + 1) - sums_ahead_;
}

bool ConvolutionNode::take_sums() {
    if (!in_frame_) return false;
    // A line ahead is enough: sums wait for products, not the other way round.
    const bool waits = sums_left_ != 0 && sums_.size() > lag_;
    const std::size_t ahead = sums_of_next();
    if (waits || sums_left_ + ahead == 0) return false;
    const Port::Words at_hand = accumulator.look();
    const std::size_t count = std::min(at_hand.words.size(), sums_left_ + ahead);
    if (count == 0) return false;
    if (ahead != 0) sums_ahead_ += count;
    WordTimes pace = at_hand.pace(count);
    pace.first.wait_for(sum_free_);
    pace.last.wait_for(pace.first, (count - 1) * cycle_, StallCause::Link);
    sum_free_ = pace.last;
    sum_free_.pass(cycle_, StallCause::Link);
    sums_.insert(sums_.end(), at_hand.words.begin(),
                 at_hand.words.begin() + static_cast<std::ptrdiff_t>(count));
    sum_times_.push(count, pace);
    if (ahead == 0) sums_left_ -= count;
    accumulator.take(count, pace.last);
    return true;
}

bool ConvolutionNode::give() {
    if (!in_frame_ || !out_.free()) return false;
    if (std::exchange(on_link_, false)) {
        out_free_.wait_for(out_.free_at(), cycle_, StallCause::Link);
    }
    const bool sums = unit_.accumulator_words(frame_) != 0;
    std::size_t count = std::min(due_.size(), std::max(kMaxGift, unit_.pixel_words()));
    if (sums) count = std::min(count, sums_.size());
    count -= count % unit_.pixel_words();
    if (count == 0) return false;
    given_.resize(count);
    unit_.compute(std::span(sums_).first(sums ? count : 0), given_);
    WordTimes pace = due_.next(count);
    if (sums) {
        const WordTimes added = sum_times_.next(count);
        pace.first.wait_for(added.first);
        pace.last.wait_for(added.last);
    }
    pace.first.wait_for(out_free_);
    pace.last.wait_for(pace.first, (count - 1) * cycle_, pace_);
    // Who had to wait goes on when what waits in the unit has shrunk to a line.
    const auto wait_for_room = [&](PathTime& free, std::size_t waiting) {
        if (waiting > lag_) free.wait_for(pace.at(std::min(waiting - lag_, count) - 1, count));
    };
    wait_for_room(feature_free_, due_.size());
    due_.pop(count);
    if (sums) {
        wait_for_room(sum_free_, sums_.size());
        sum_times_.pop(count);
        sums_.erase(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(count));
    }
    const std::size_t line = unit_.shape().out_width * unit_.pixel_words();
    const std::size_t given = unit_.output_words() - outputs_left_;
    const std::size_t lines = (given + count) / line - given / line;
    out_free_ = pace.last;
    out_free_.pass(cycle_, pace_);
    out_free_.pass(lines * line_extra_, StallCause::Compute);
    outputs_left_ -= count;
    counters_.words_out += count;
    on_link_ = true;
    out_.offer(given_, pace, outputs_left_ == 0);
    return true;
}

bool ConvolutionNode::end_frame() {
    if (!in_frame_ || outputs_left_ != 0 || features_left_ != 0 || sums_left_ != 0) return false;
    if (!out_.free()) return false;
    on_link_ = in_frame_ = false;
    ++frame_;
    ++counters_.frames;
    counters_.products += unit_.products();
    // Sums that are not added have come as well.
    frame_free_ = std::max(
        {features_end_, sum_free_, out_free_, out_.free_at().plus(cycle_, StallCause::Link)});
    return true;
}

std::string ConvolutionNode::waits_for() const {
    const std::string frame = " of frame " + std::to_string(frame_);
    if (!in_frame_) return "kernels" + frame;
    if (!out_.free()) return "its link to take outputs" + frame;
    if (due_.size() == 0) return "features" + frame;
    return "partial sums" + frame;
}

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/input_engine.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/npu/dataflow/output_engine.h"

namespace n6vp::models::npu {

InputEngine::InputEngine(const EngineSetup& setup, const EngineParameters& parameters,
                         Network& network, EngineBus& bus, Link& link)
    : setup_(setup),
      network_(network),
      bus_(bus),
      link_(link),
      format_(element_format(setup_.config)),
      frame_time_(static_cast<Picoseconds>(parameters.frame_cycles.value *
                                           static_cast<double>(setup.cycle))),
      outstanding_(static_cast<std::size_t>(
          (setup.cacheable ? parameters.cached_outstanding : parameters.outstanding).value)),
      fifo_(fifo_places(parameters, format_)),
      walk_(setup_.config, 0),
      bus_free_{setup.start, {}},
      word_free_{setup.start, {}} {
    counters_.started = setup.start;
    link_.attach(&network_, this);
    network_.add(*this);
}

void InputEngine::follow(OutputEngine& output, bool whole_frames) {
    followed_ = &output;
    whole_frames_ = whole_frames;
    output.add_follower(*this);
}

void InputEngine::stop_following() {
    if (followed_ == nullptr) return;
    followed_->remove_follower(*this);
    if (source_ready_.at == kNever) source_ready_ = followed_->stored_at();
    followed_ = nullptr;
    network_.wake(*this);
}

std::size_t InputEngine::words_of_next() const {
    return format_.elements(rest_bytes_ + walk_.peek().bytes);
}

void InputEngine::look_at_source() {
    if (source_ready_.at != kNever || walk_.done()) return;
    const std::uint32_t done = followed_->frames_done();
    bool stored = done >= frame_;
    if (!whole_frames_ && done + 1 == frame_) {
        stored = followed_->bytes_stored() >= bytes_fetched_ + walk_.peek().bytes;
    }
    if (stored) source_ready_ = followed_->stored_at();
}

Picoseconds InputEngine::due() const {
    if (finished_ || all_fetched() || walk_.done() || source_ready_.at == kNever) {
        return kNever;
    }
    const std::size_t words = words_of_next();
    if (words > fifo_.available()) return kNever;
    return std::max({bus_free_.at, fifo_.when(words).at, source_ready_.at});
}

void InputEngine::access() {
    const PathTime& asked =
        std::max(std::max(bus_free_, fifo_.when(words_of_next())), source_ready_);
    const BurstWalk::Step step = walk_.peek();
    const EngineBurst what{setup_.engine, step.address, step.burst.beats, setup_.cacheable,
                           setup_.allocate};
    std::array<std::uint8_t, kMaxBurstBytes> data{};
    const std::span<std::uint8_t> bytes = std::span(data).first(step.bytes);
    const BurstAnswer answer = bus_.read(what, bytes, asked.at);
    const WordTimes come = answer.pace(asked, under_way_.empty() ? asked : under_way_.back());
    bus_free_ = asked;
    bus_free_.pass(what.beats * setup_.cycle, StallCause::Port);
    under_way_.push_back(come.last);
    if (under_way_.size() >= outstanding_) {
        bus_free_.wait_for(under_way_.front());
        under_way_.pop_front();
    }
    if (!answer.ok) ++counters_.bus_errors;
    counters_.bytes += step.bytes;
    ++counters_.bursts[static_cast<std::size_t>(std::countr_zero(what.beats))];
    store(step, bytes, come);
    bytes_fetched_ += step.bytes;
    if (step.ends_frame) {
        bytes_fetched_ = 0;
        walk_ = BurstWalk(setup_.config, ++frame_);
    } else {
        walk_.advance();
    }
    if (followed_ != nullptr && frame_ > 0) source_ready_ = {kNever, {}};
    network_.wake(*this);
}

void InputEngine::store(const BurstWalk::Step& step, std::span<const std::uint8_t> data,
                        const WordTimes& come) {
    std::array<std::uint8_t, kMaxBurstBytes + 2> joined;
    std::span<const std::uint8_t> all = data;
    if (rest_bytes_ != 0) {
        const auto end = std::copy_n(rest_.begin(), rest_bytes_, joined.begin());
        all = std::span(joined.begin(), std::ranges::copy(data, end).out);
    }
    const std::size_t count = format_.elements(all.size());
    rest_bytes_ = all.size() - count * format_.bytes;
    if (rest_bytes_ != 0) std::ranges::copy(all.last(rest_bytes_), rest_.begin());
    if (count == 0) return;
    const std::size_t before = words_.size();
    words_.resize(before + count);
    unpack(format_, all, std::span(words_).subspan(before));
    fifo_.take(count);
    // Without increment one element makes the whole frame.
    const std::uint64_t words = setup_.config.noinc ? setup_.config.frame_elements() : count;
    Batch& batch = bunches_.add();
    batch.words = words;
    batch.ready = come;
    batch.ends_frame = step.ends_frame;
}

void InputEngine::step() {
    look_at_source();
    const bool beyond = walk_.limited() && !all_fetched();
    if (beyond && !std::exchange(counters_.beyond_limit, true) && on_limit) on_limit();
    if (!link_.free() || finished_) return;
    finish_offer();
    if (setup_.config.frames() == 0u) finish({setup_.start, {}});
    if (finished_ || bunches_.empty()) return;
    if (setup_.config.noinc) {
        offer_repeated();
    } else {
        offer();
    }
}

/// The link has taken what it was offered.
void InputEngine::finish_offer() {
    if (!std::exchange(offered_, false)) return;
    const PathTime& taken = link_.free_at();
    fifo_.release(std::exchange(offer_places_, 0), taken);
    // `word_free_` is a cycle behind the last word as it was offered.
    const Picoseconds next = taken.at + setup_.cycle;
    if (word_free_.at < next) counters_.stalled += next - word_free_.at;
    word_free_.wait_for(taken, setup_.cycle, StallCause::Link);
    if (!offer_ends_frame_) return;
    word_free_.pass(frame_time_, StallCause::Restart);
    if (++frames_sent_ == setup_.config.frames()) finish(taken);
}

void InputEngine::finish(const PathTime& at) {
    finished_ = true;
    counters_.finished = at.at;
    counters_.spent = at.spent;
    if (on_finished) on_finished(at.at);
}

/// Offers the words of as many batches of one frame as there are.
void InputEngine::offer() {
    std::size_t count = 0;
    WordTimes pace;
    pace.first = bunches_.front().ready.first;
    bool ends_frame = false;
    while (!bunches_.empty() && !ends_frame && count < kMaxOffer) {
        const Batch& batch = bunches_.front();
        count += batch.words;
        ends_frame = batch.ends_frame;
        bunches_.pop_front();
        if (bunches_.empty() || ends_frame || count >= kMaxOffer) pace.last = batch.ready.last;
    }
    offer_places_ = count;
    const std::span<const Word> words = std::span(words_).subspan(sent_, count);
    sent_ += count;
    send(words, pace, ends_frame);
    drop_sent_words();
}

void InputEngine::offer_repeated() {
    Batch& batch = bunches_.front();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(batch.words, kMaxOffer));
    batch.words -= count;
    std::array<Word, kMaxOffer> words{};
    words.fill(words_[sent_]);
    const bool ends_frame = batch.words == 0;
    WordTimes pace = batch.ready;
    if (ends_frame) {
        offer_places_ = 1;
        bunches_.pop_front();
        ++sent_;
    }
    send(std::span(words).first(count), pace, ends_frame);
    drop_sent_words();
}

void InputEngine::send(std::span<const Word> words, WordTimes& pace, bool ends_frame) {
    pace.first.wait_for(word_free_);
    pace.last.wait_for(pace.first, (words.size() - 1) * setup_.cycle, StallCause::Link);
    word_free_ = pace.last;
    word_free_.pass(setup_.cycle, StallCause::Link);
    counters_.words += words.size();
    offered_ = true;
    offer_ends_frame_ = ends_frame;
    link_.offer(words, pace, ends_frame);
}

void InputEngine::drop_sent_words() {
    if (sent_ < words_.size() && sent_ < 16 * kMaxOffer) return;
    words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(sent_));
    sent_ = 0;
}

std::string InputEngine::waits_for() const {
    if (!link_.free()) return "its link to take word " + std::to_string(counters_.words - 1);
    if (counters_.beyond_limit) return "nothing: it has reached its address limit";
    if (source_ready_.at == kNever)
        return "frame " + std::to_string(frame_ - 1) + " of the engine it follows";
    return "its memory";
}

}  // namespace n6vp::models::npu

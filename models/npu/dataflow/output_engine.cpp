// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/output_engine.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace n6vp::models::npu {

OutputEngine::OutputEngine(const EngineSetup& setup, const EngineParameters& parameters,
                           Network& network, EngineBus& bus)
    : setup_(setup),
      network_(network),
      bus_(bus),
      port_(*this),
      format_(element_format(setup_.config)),
      fifo_(fifo_places(parameters, format_)),
      word_free_{setup.start, {}},
      frame_words_left_(setup_.config.frame_elements()),
      walk_(setup_.config, 0),
      bus_free_{setup.start, {}} {
    counters_.started = setup.start;
    network_.add(*this);
}

void OutputEngine::step() {
    if (setup_.config.frames() == 0u && !finished_) finish({setup_.start, {}});
    while (true) {
        // Frames of a disabled context go by even when this engine has had all of its own.
        const Port::Words at_hand = port_.look();
        if (frame_ == setup_.config.frames()) return;
        const std::size_t count = static_cast<std::size_t>(
            std::min<std::uint64_t>({at_hand.words.size(), fifo_.available(), frame_words_left_}));
        if (count == 0) return;
        accept(at_hand, count);
    }
}

void OutputEngine::accept(const Port::Words& at_hand, std::size_t count) {
    const Picoseconds steps = (count - 1) * setup_.cycle;
    WordTimes pace = at_hand.pace(count);
    pace.first.wait_for(word_free_);
    const Picoseconds unstalled = std::max(pace.last.at, pace.first.at + steps);
    pace.first.wait_for(fifo_.when(1));
    pace.last.wait_for(pace.first, steps, StallCause::Link);
    pace.last.wait_for(fifo_.when(count));
    counters_.stalled += pace.last.at - unstalled;
    fifo_.take(count);
    word_free_ = pace.last;
    word_free_.pass(setup_.cycle, StallCause::Link);
    counters_.words += count;
    frame_words_left_ -= count;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + count * format_.bytes);
    pack(format_, at_hand.words.first(count), std::span(bytes_).subspan(before));
    cut(pace, count);
    port_.take(count, pace.last);
}

void OutputEngine::cut(const WordTimes& pace, std::size_t count) {
    const std::size_t before = bytes_.size() - count * format_.bytes;
    std::size_t used = 0;
    while (!walk_.done() && bytes_.size() - used >= walk_.peek().bytes) {
        Pending& burst = pending_.add();
        burst.step = walk_.peek();
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(used), burst.step.bytes,
                    burst.data.begin());
        used += burst.step.bytes;
        const std::size_t last = used > before ? format_.elements(used - before - 1) : 0;
        burst.ready = pace.at(last, count);
        // An element that two bursts share leaves the FIFO with the second.
        const std::uint64_t words = format_.elements(frame_bytes_cut_);
        frame_bytes_cut_ += burst.step.bytes;
        burst.words = static_cast<std::size_t>(format_.elements(frame_bytes_cut_) - words);
        walk_.advance();
    }
    if (used == bytes_.size()) {
        bytes_.clear();
    } else if (used != 0) {
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(used));
    }
    if (walk_.limited() && !std::exchange(counters_.beyond_limit, true) && on_limit) on_limit();
    if (frame_words_left_ != 0 || walk_.limited()) return;
    frame_bytes_cut_ = 0;
    frame_words_left_ = setup_.config.frame_elements();
    walk_ = BurstWalk(setup_.config, ++frame_);
}

Picoseconds OutputEngine::due() const {
    return pending_.empty() ? kNever : std::max(pending_.front().ready.at, bus_free_.at);
}

void OutputEngine::access() {
    const Pending& burst = pending_.front();
    const PathTime& asked = std::max(burst.ready, bus_free_);
    const EngineBurst what{setup_.engine, burst.step.address, burst.step.burst.beats,
                           setup_.cacheable, setup_.allocate};
    const BurstAnswer answer =
        bus_.write(what, std::span(burst.data).first(burst.step.bytes), asked.at);
    const PathTime stored = answer.end(asked, stored_at_);
    bus_free_ = asked;
    bus_free_.pass(what.beats * setup_.cycle, StallCause::Port);
    if (!answer.ok) ++counters_.bus_errors;
    counters_.bytes += burst.step.bytes;
    ++counters_.bursts[static_cast<std::size_t>(std::countr_zero(what.beats))];
    fifo_.release(burst.words, stored);
    bytes_stored_ += burst.step.bytes;
    stored_at_.wait_for(stored);
    const bool ends_frame = burst.step.ends_frame;
    pending_.pop_front();
    if (ends_frame) {
        bytes_stored_ = 0;
        if (++frames_done_ == setup_.config.frames()) finish(stored_at_);
    }
    for (Node* const node : followers_) network_.wake(*node);
    network_.wake(*this);
}

void OutputEngine::finish(const PathTime& at) {
    finished_ = true;
    counters_.finished = at.at;
    counters_.spent = at.spent;
    if (on_finished) on_finished(at.at);
}

std::string OutputEngine::waits_for() const {
    if (counters_.beyond_limit) return "nothing: it has reached its address limit";
    if (!port_.connected()) return "a link: its switch entry is off";
    return "word " + std::to_string(counters_.words) + " from its link";
}

}  // namespace n6vp::models::npu

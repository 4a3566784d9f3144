// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/decun_node.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace n6vp::models::npu {

DecunNode::DecunNode(Decun unit, Picoseconds cycle, Picoseconds start, Network& network, Link& out,
                     std::function<void()> on_unknown)
    : indices(*this),
      unit_(std::move(unit)),
      cycle_(cycle),
      out_(out),
      on_unknown_(std::move(on_unknown)),
      free_{start, {}} {
    out_.attach(&network, this);
    network.add(*this);
}

void DecunNode::step() {
    while (true) {
        const Port::Words at_hand = indices.look();
        if (!out_.free() || at_hand.words.empty()) return;
        // Only the last index of a frame may have a shorter vector: one before it shows the whole.
        const bool last = at_hand.ends_frame && at_hand.words.size() == 1;
        const std::size_t last_words = unit_.words_out(1);
        const std::size_t words = unit_.words_out(2) - last_words;
        const std::array<Word, 2> pair{at_hand.words.front(), at_hand.words.front()};
        given_.resize(last ? last_words : words + last_words);
        const bool known = unit_.compute(std::span(pair).first(last ? 1 : 2), given_);
        given_.resize(last ? last_words : words);
        if (!known) on_unknown_();
        const PathTime come = at_hand.pace(1).first;
        WordTimes pace;
        pace.first = std::max({come, free_, out_.free_at().plus(cycle_, StallCause::Link)});
        pace.last = pace.first.plus((given_.size() - 1) * cycle_, StallCause::Link);
        free_ = pace.last.plus(cycle_, StallCause::Link);
        ++taken_;
        indices.take(1, pace.first);
        out_.offer(given_, pace, last);
    }
}

std::string DecunNode::waits_for() const {
    if (!out_.free()) return "its link to take the words of index " + std::to_string(taken_ - 1);
    return "index " + std::to_string(taken_);
}

}  // namespace n6vp::models::npu

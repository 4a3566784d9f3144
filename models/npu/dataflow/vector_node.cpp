// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/vector_node.h"

#include <algorithm>
#include <utility>

namespace n6vp::models::npu {

VectorNode::VectorNode(Work work, bool two_inputs, Picoseconds cycle, Picoseconds start,
                       Network& network, Link& out)
    : x(*this),
      y(*this),
      work_(std::move(work)),
      two_inputs_(two_inputs),
      cycle_(cycle),
      out_(out),
      free_{start, {}} {
    out_.attach(&network, this);
    network.add(*this);
}

void VectorNode::step() {
    while (true) {
        const Port::Words first = x.look();
        const Port::Words second = two_inputs_ ? y.look() : Port::Words{};
        if (!out_.free()) return;
        if (offered_ != 0) {
            take_inputs();
            continue;
        }
        std::size_t count = first.words.size();
        if (two_inputs_) count = std::min(count, second.words.size());
        if (count == 0) return;
        WordTimes pace = first.pace(count);
        if (two_inputs_) {
            const WordTimes other = second.pace(count);
            pace.first.wait_for(other.first);
            pace.last.wait_for(other.last);
        }
        pace.first.wait_for(free_);
        pace.first.wait_for(out_.free_at(), cycle_, StallCause::Link);
        pace.last.wait_for(pace.first, (count - 1) * cycle_, StallCause::Link);
        free_ = pace.last;
        free_.pass(cycle_, StallCause::Link);
        given_.resize(count);
        work_(first.words.first(count), second.words.first(two_inputs_ ? count : 0), given_);
        words_ += count;
        const bool ends_frame = count == first.words.size() && first.ends_frame;
        offered_ = count;
        breaks_ = {x.breaks(), y.breaks()};
        out_.offer(given_, pace, ends_frame);
    }
}

void VectorNode::take_inputs() {
    const std::size_t count = std::exchange(offered_, 0);
    // What a link that was taken away had offered stays there, or is lost with it.
    if (x.breaks() == breaks_[0]) x.take(count, out_.free_at());
    if (two_inputs_ && y.breaks() == breaks_[1]) y.take(count, out_.free_at());
}

std::string VectorNode::waits_for() const {
    if (!out_.free()) return "its link to take word " + std::to_string(words_ - 1);
    return "word " + std::to_string(words_) + (two_inputs_ ? " of both inputs" : " of its input");
}

}  // namespace n6vp::models::npu

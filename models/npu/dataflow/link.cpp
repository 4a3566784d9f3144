// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/link.h"

#include <algorithm>

#include "models/npu/dataflow/network.h"

namespace n6vp::models::npu {

void Link::offer(std::span<const Word> words, const Pace& pace, bool ends_frame) {
    offered_.assign(words.begin(), words.end());
    pace_ = pace;
    ends_frame_ = ends_frame;
    for (Listener& listener : listeners_) {
        if (listener.node == nullptr) continue;
        listener.taken = 0;
        network_->wake(*listener.node);
    }
}

void Link::clear() {
    offered_.clear();
    free_at_ = {};
    for (Listener& listener : listeners_) listener.taken = 0;
}

std::size_t Link::listen(Node& node) {
    auto place = std::ranges::find(listeners_, nullptr, &Listener::node);
    if (place == listeners_.end()) place = listeners_.insert(place, Listener{});
    *place = {&node, 0};
    if (!free()) network_->wake(node);
    return static_cast<std::size_t>(place - listeners_.begin());
}

void Link::leave(std::size_t listener) {
    listeners_[listener] = {};
    if (!free()) finish_if_taken();
}

void Link::take(std::size_t listener, std::size_t count, const Moment& when) {
    listeners_[listener].taken += count;
    free_at_ = std::max(free_at_, when);
    finish_if_taken();
}

void Link::finish_if_taken() {
    bool heard = false;
    for (const Listener& listener : listeners_) {
        if (listener.node == nullptr) continue;
        if (listener.taken < offered_.size()) return;
        heard = true;
    }
    // Nobody listens any more: the words wait for the next who does.
    if (!heard) return;
    offered_.clear();
    if (source_ != nullptr) network_->wake(*source_);
}

}  // namespace n6vp::models::npu

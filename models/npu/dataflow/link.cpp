// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/link.h"

#include <algorithm>
#include <utility>

#include "models/npu/dataflow/network.h"

namespace n6vp::models::npu {

void Link::offer(std::span<const Word> words, const WordTimes& pace, bool ends_frame) {
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
    ++clears_;
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
    const std::size_t taken = std::exchange(listeners_[listener], {}).taken;
    if (free()) return;
    const bool alone =
        std::ranges::all_of(listeners_, [](const Listener& one) { return one.node == nullptr; });
    if (!alone) {
        finish_if_taken();
    } else if (taken != 0) {
        // The words that are left wait for the next who listens.
        const std::size_t left = offered_.size() - taken;
        pace_ = pace_.part(taken, left, offered_.size());
        offered_.erase(offered_.begin(), offered_.begin() + static_cast<std::ptrdiff_t>(taken));
    }
}

void Link::take(std::size_t listener, std::size_t count, const PathTime& when) {
    listeners_[listener].taken += count;
    free_at_.wait_for(when);
    finish_if_taken();
}

void Link::finish_if_taken() {
    for (const Listener& listener : listeners_) {
        if (listener.node != nullptr && listener.taken < offered_.size()) return;
    }
    offered_.clear();
    if (source_ != nullptr) network_->wake(*source_);
}

}  // namespace n6vp::models::npu

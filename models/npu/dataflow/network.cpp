// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/network.h"

namespace n6vp::models::npu {

void Network::add(Node& node) {
    nodes_.push_back(&node);
    wake(node);
}

void Network::add(MemoryNode& node) {
    memory_nodes_.push_back(&node);
    node.memory_ = &node;
    add(static_cast<Node&>(node));
}

void Network::remove(Node& node) {
    std::erase(nodes_, &node);
    std::erase(woken_, &node);
    std::erase(memory_nodes_, &node);
    node.woken_ = false;
    if (earliest_ == &node) earliest_ = nullptr;
    resume();
}

void Network::settle() {
    while (!woken_.empty() && steps_ < kMaxSteps) {
        ++steps_;
        Node* const node = woken_.back();
        woken_.pop_back();
        node->woken_ = false;
        node->step();
        if (node->memory_ != nullptr) node->memory_->due_ = node->memory_->due();
    }
}

Picoseconds Network::next() {
    settle();
    earliest_ = nullptr;
    Picoseconds when = kNever;
    if (has_livelock()) return when;
    for (MemoryNode* const node : memory_nodes_) {
        if (node->due_ >= when) continue;
        when = node->due_;
        earliest_ = node;
    }
    return when;
}

void Network::advance() {
    steps_ = 0;
    if (earliest_ != nullptr) earliest_->access();
}

std::vector<const Node*> Network::busy() const {
    std::vector<const Node*> found;
    for (const Node* const node : nodes_) {
        if (node->busy()) found.push_back(node);
    }
    return found;
}

}  // namespace n6vp::models::npu

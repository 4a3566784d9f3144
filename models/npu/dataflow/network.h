// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/duration.h"

namespace n6vp::models::npu {

class MemoryNode;

/// One unit or engine at work in the dataflow.
///
/// A node computes its own times from those of the words it takes and of the room it finds, so that
/// the order in which nodes are stepped does not matter. Only what is shared beyond the links, the
/// memory system, needs order: see `MemoryNode`.
class Node {
  public:
    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node() = default;

    /// Does all that words and room allow.
    virtual void step() = 0;
    /// Returns true if the node has work left that it must do before the epoch can end.
    [[nodiscard]] virtual bool busy() const = 0;
    /// Returns what a busy node waits for, as text for a report of a deadlock.
    [[nodiscard]] virtual std::string waits_for() const = 0;

  private:
    friend class Network;
    bool woken_ = false;
    MemoryNode* memory_ = nullptr;  ///< this, if it goes to memory
};

/// A node that goes to memory: it names the time of its next access, and the network lets the
/// earliest go first.
class MemoryNode : public Node {
  public:
    /// When the next access is due; kNever if the node waits for words or room. Changes in `step`
    /// only, and in what wakes the node.
    [[nodiscard]] virtual Picoseconds due() const = 0;
    /// Makes that access. Only called when it is due.
    virtual void access() = 0;

  private:
    friend class Network;
    Picoseconds due_ = kNever;  ///< as it was after the last step
};

/// The active nodes, and which of them can proceed. Nodes outlive the network's use of them.
class Network {
  public:
    /// A node takes part from now on, until `remove`.
    void add(Node& node);
    void add(MemoryNode& node);
    void remove(Node& node);
    /// Something that the node may wait for has happened.
    void wake(Node& node) {
        if (node.woken_) return;
        node.woken_ = true;
        woken_.push_back(&node);
    }

    /// Steps nodes until none has anything to do.
    void settle();
    /// Settles, then returns when the next access to memory is due; kNever if none ever is: the
    /// epoch has ended, the nodes of `busy` wait for each other, or `has_livelock`.
    [[nodiscard]] Picoseconds next();
    /// Returns true if nodes have made words of words without an end and without memory, in a
    /// circle or to be thrown away. Nothing goes on then until `resume`.
    [[nodiscard]] bool has_livelock() const { return steps_ == kMaxSteps && !woken_.empty(); }
    /// Nodes are connected in another way: they get a part of the steps again, and all of them
    /// with the next access.
    void resume() { steps_ = std::min(steps_, kMaxSteps - kMaxSteps / 64); }
    /// Makes the access reported by `next`.
    void advance();

    /// Returns the nodes that have work left.
    [[nodiscard]] std::vector<const Node*> busy() const;

  private:
    /// Between two accesses to memory. The largest frame that a CONVACC computes leaves in an
    /// eighth of them.
    static constexpr std::uint32_t kMaxSteps = std::uint32_t{1} << 21;

    std::vector<Node*> nodes_, woken_;
    std::vector<MemoryNode*> memory_nodes_;
    MemoryNode* earliest_ = nullptr;
    std::uint32_t steps_ = 0;  ///< since the last access
};

}  // namespace n6vp::models::npu

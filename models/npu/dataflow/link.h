// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/npu/dataflow/path_time.h"
#include "models/npu/units/word.h"

namespace n6vp::models::npu {

class Network;
class Node;

/// A stream link: the words that one source offers, until all destinations have accepted them.
///
/// Links have no storage (the FIFOs are in the engines): the source may offer its next words when
/// all destinations have accepted the last ones, so that a stall propagates upstream. Words travel
/// in batches that never cross the end of a frame; each batch has the times of its first and last
/// word, and a destination reports the time of acceptance.
class Link {
  public:
    void attach(Network* network, Node* source) {
        network_ = network;
        source_ = source;
    }

    /// Returns true if the source may offer: the last words have been taken.
    [[nodiscard]] bool free() const { return offered_.empty(); }
    /// When the slowest listener had taken the last word.
    [[nodiscard]] const PathTime& free_at() const { return free_at_; }
    /// Offers `words` (at least one) while the link is free.
    void offer(std::span<const Word> words, const WordTimes& pace, bool ends_frame);
    /// The link loses what is offered and forgets when it was busy.
    void clear();
    [[nodiscard]] std::uint64_t clears() const { return clears_; }

    [[nodiscard]] std::span<const Word> offered() const { return offered_; }
    [[nodiscard]] const WordTimes& pace() const { return pace_; }
    [[nodiscard]] bool ends_frame() const { return ends_frame_; }

    /// `node` takes words from this link from now on, what is offered included. Returns the
    /// listener's number.
    std::size_t listen(Node& node);
    /// The listener goes, whatever it has taken.
    void leave(std::size_t listener);
    /// How many of the words that are offered the listener has taken.
    [[nodiscard]] std::size_t taken(std::size_t listener) const {
        return listeners_[listener].taken;
    }
    /// The listener has taken `count` more words, the last one at `when`.
    void take(std::size_t listener, std::size_t count, const PathTime& when);

  private:
    struct Listener {
        Node* node = nullptr;  ///< null: has left
        std::size_t taken = 0;
    };

    void finish_if_taken();

    Network* network_ = nullptr;
    Node* source_ = nullptr;
    std::vector<Word> offered_;
    WordTimes pace_;
    bool ends_frame_ = false;
    PathTime free_at_;
    std::uint64_t clears_ = 0;
    std::vector<Listener> listeners_;
};

}  // namespace n6vp::models::npu

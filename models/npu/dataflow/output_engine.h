// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/npu/dataflow/burst_walk.h"
#include "models/npu/dataflow/credits.h"
#include "models/npu/dataflow/engine_bus.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/port.h"
#include "models/npu/dataflow/queue.h"
#include "models/npu/stream/packing.h"

namespace n6vp::models::npu {

/// A stream engine that stores what comes over its link.
///
/// Modelled: packing of words to elements, address generation, bursts of each run as soon as their
/// bytes are there, a FIFO that stalls the link, completion after LIMIT frames. At its address
/// limit the engine stops for good, and its link with it.
/// Assumed: beside the FIFO, the words of one burst under way have a place. Words that come after
/// the last frame are not taken.
class OutputEngine final : public MemoryNode {
  public:
    /// Requires a configuration that computes. `network` and `bus` outlive the engine's work.
    OutputEngine(const EngineSetup& setup, const EngineParameters& parameters, Network& network,
                 EngineBus& bus);

    [[nodiscard]] Port& port() { return port_; }
    /// `node` is woken when bytes have reached memory.
    void add_follower(Node& node) { followers_.push_back(&node); }
    void remove_follower(Node& node) { std::erase(followers_, &node); }

    void step() override;
    [[nodiscard]] Picoseconds due() const override;
    void access() override;
    [[nodiscard]] bool busy() const override { return !finished_; }
    [[nodiscard]] std::string waits_for() const override;

    [[nodiscard]] const EngineCounters& counters() const { return counters_; }
    [[nodiscard]] const StreamConfig& config() const { return setup_.config; }
    /// Frames that are in memory.
    [[nodiscard]] std::uint32_t frames_done() const { return frames_done_; }
    /// Bytes of the frame after them that are in memory.
    [[nodiscard]] std::uint64_t bytes_stored() const { return bytes_stored_; }
    /// When the last byte reached memory.
    [[nodiscard]] const PathTime& stored_at() const { return stored_at_; }
    /// Called at the end of the last frame, with its absolute time.
    std::function<void(Picoseconds)> on_finished;
    /// Called once if the engine stops at its address limit.
    std::function<void()> on_limit;

  private:
    struct Pending {
        BurstWalk::Step step;
        std::array<std::uint8_t, kMaxBurstBytes> data{};
        PathTime ready;
        std::size_t words = 0;  ///< FIFO places that the burst frees
    };

    void accept(const Port::Words& at_hand, std::size_t count);
    /// Makes bursts of the bytes that are complete; `count` words came at `pace` with the last of
    /// them.
    void cut(const WordTimes& pace, std::size_t count);
    void finish(const PathTime& at);

    EngineSetup setup_;
    Network& network_;
    EngineBus& bus_;
    Port port_;
    ElementFormat format_;
    Credits fifo_;                       ///< words taken whose burst is not over use a place
    PathTime word_free_;                 ///< the earliest time for the next word
    std::uint32_t frame_ = 0;            ///< being taken
    std::uint64_t frame_words_left_;     ///< still to be taken
    BurstWalk walk_;                     ///< of that frame: bursts still to be made
    std::vector<std::uint8_t> bytes_;    ///< not yet in a burst
    std::uint64_t frame_bytes_cut_ = 0;  ///< in bursts
    Queue<Pending> pending_;
    PathTime bus_free_;
    std::uint32_t frames_done_ = 0;
    std::uint64_t bytes_stored_ = 0;
    PathTime stored_at_;
    bool finished_ = false;
    std::vector<Node*> followers_;
    EngineCounters counters_;
};

}  // namespace n6vp::models::npu

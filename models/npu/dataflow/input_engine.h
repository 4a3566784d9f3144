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
#include "models/npu/dataflow/link.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/queue.h"
#include "models/npu/stream/packing.h"

namespace n6vp::models::npu {

class OutputEngine;

/// A stream engine that brings memory onto its link.
///
/// Modelled: address generation, bursts as soon as the FIFO has room for what they bring, elements
/// to words, one word per cycle, the restart between frames, waiting for the frames of another
/// engine (trigger, or a buffer that both use). At its address limit the engine stops for good.
/// Assumed: the FIFO's room is that of its depth and of one burst under way, as engines ask for the
/// next burst when the FIFO will have room for it.
class InputEngine final : public MemoryNode {
  public:
    /// Requires a configuration that computes. `network`, `bus` and `link` outlive the engine's
    /// work.
    InputEngine(const EngineSetup& setup, const EngineParameters& parameters, Network& network,
                EngineBus& bus, Link& link);

    /// Frame n, from 1 on, is fetched when `output` has stored frame n - 1: all of it, or as far as
    /// the bytes in question.
    void follow(OutputEngine& output, bool whole_frames);
    /// The output is about to go, or this engine is: nothing is waited for any more.
    void stop_following();

    void step() override;
    [[nodiscard]] Picoseconds due() const override;
    void access() override;
    [[nodiscard]] bool busy() const override { return !finished_; }
    [[nodiscard]] std::string waits_for() const override;

    [[nodiscard]] const EngineCounters& counters() const { return counters_; }
    [[nodiscard]] const StreamConfig& config() const { return setup_.config; }
    /// Called when the last word has gone, with its absolute time.
    std::function<void(Picoseconds)> on_finished;
    /// Called once if the engine stops at its address limit.
    std::function<void()> on_limit;

  private:
    /// Words in the FIFO that came with one burst.
    struct Batch {
        std::uint64_t words = 0;
        WordTimes ready;
        bool ends_frame = false;
    };
    static constexpr std::size_t kMaxOffer = 256;  ///< words

    [[nodiscard]] bool all_fetched() const { return frame_ == setup_.config.frames(); }
    /// Words that the next burst completes.
    [[nodiscard]] std::size_t words_of_next() const;
    /// Notes when what the next burst reads was written, once that is known.
    void look_at_source();
    void store(const BurstWalk::Step& step, std::span<const std::uint8_t> data,
               const WordTimes& come);
    void finish_offer();
    void finish(const PathTime& at);
    void offer();
    void offer_repeated();
    /// `pace`: when the words are there; becomes that of the link.
    void send(std::span<const Word> words, WordTimes& pace, bool ends_frame);
    void drop_sent_words();

    EngineSetup setup_;
    Network& network_;
    EngineBus& bus_;
    Link& link_;
    ElementFormat format_;
    Picoseconds frame_time_;   ///< restart
    std::size_t outstanding_;  ///< bursts on their way at most
    Credits fifo_;
    OutputEngine* followed_ = nullptr;
    bool whole_frames_ = false;
    PathTime source_ready_;  ///< of the next burst; kNever if not known yet

    std::uint32_t frame_ = 0;  ///< being fetched
    BurstWalk walk_;
    std::uint64_t bytes_fetched_ = 0;  ///< of that frame
    PathTime bus_free_;
    Queue<PathTime> under_way_;           ///< when the bursts that were asked for last are there
    std::array<std::uint8_t, 2> rest_{};  ///< of an element that two bursts share
    std::size_t rest_bytes_ = 0;
    Queue<Batch> bunches_;
    std::vector<Word> words_;  ///< of all batches, behind `sent_` that have gone
    std::size_t sent_ = 0;
    bool offered_ = false;          ///< words are on the link or have just been taken
    std::size_t offer_places_ = 0;  ///< of the FIFO that they free
    bool offer_ends_frame_ = false;
    PathTime word_free_;  ///< the earliest time for the next word
    std::uint32_t frames_sent_ = 0;
    bool finished_ = false;
    EngineCounters counters_;
};

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/npu/dataflow/link.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/port.h"
#include "models/npu/dataflow/timed_words.h"
#include "models/npu/units/convolution.h"
#include "models/parameter.h"

namespace n6vp::models::npu {

struct ConvolutionParameters {
    Parameter mac_slots{"mac_slots", 72, counts(4096, "MAC/cycle"), Confidence::Documented,
                        "of 8x8 bits and one unit: VERSION.NRCLUSTER and kernel constraints of the "
                        "machine description"};
    Parameter full_use{"full_use", 0.9, "of slots", Confidence::Measured,
                       "above it the pads at both ends of a line cost what other pixels do: epochs "
                       "9, 15, 33 of mobilenet_v2 and conv2d_*"};
    Parameter output_lag{"output_lag", 1, "lines", Confidence::Assumed,
                         "distance of outputs at which features stall"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.mac_slots);
        function(self.full_use);
        function(self.output_lag);
    }
};

/// One CONVACC at work.
///
/// Modelled: one feature word and one output word per cycle; outputs as soon as the features they
/// depend on have come; the next set of kernels loads while a frame is computed, and not earlier; a
/// frame starts when the one before has left and its kernels are there. The line buffers take the
/// lines that a frame's first output needs but one (kernel height less one) before it starts:
/// depthwise layers of stride 2 lose less time to their first kernels than those take. A stored
/// feature frame passes at the pace of a link. A unit whose accumulator listens to its own output
/// keeps a frame of sums for the next one. Not modelled: the latency of the multipliers.
class ConvolutionNode final : public Node {
  public:
    struct Setup {
        ConvolutionConfig config;
        Rounding rounding = Rounding::HalfUp;
        Picoseconds cycle = 1000, start = 0;
    };
    struct Counters {
        std::uint64_t frames = 0, products = 0;
        std::uint64_t words_in = 0, words_out = 0;
        Picoseconds kernels_waited = 0;  ///< frames that could not start for lack of kernels
    };

    /// Requires a configuration that computes. `network` and `out` outlive the node's work.
    ConvolutionNode(const Setup& setup, const ConvolutionParameters& parameters, Network& network,
                    Link& out);

    Port features, kernels, accumulator;

    void step() override;
    [[nodiscard]] bool busy() const override { return in_frame_; }
    [[nodiscard]] std::string waits_for() const override;
    [[nodiscard]] const Counters& counters() const { return counters_; }

  private:
    bool take_kernels();
    bool begin_frame();
    [[nodiscard]] std::size_t features_to_come() const;
    bool take_features();
    [[nodiscard]] std::size_t sums_of_next() const;
    bool take_sums();
    bool give();
    bool end_frame();
    void add_features(std::span<const Word> words, const WordTimes& pace);
    void features_came(std::size_t count, const WordTimes& pace);

    Convolution unit_;
    Picoseconds cycle_;
    StallCause pace_;  ///< what one word a cycle is due to
    Link& out_;
    std::size_t lag_;         ///< words
    Picoseconds line_extra_;  ///< per line of features
    std::size_t line_words_;  ///< of features
    std::size_t most_ahead_;  ///< words of a frame that come before it starts

    std::vector<Word> next_set_;
    bool set_complete_ = false;
    PathTime set_ready_;
    PathTime kernel_free_;  ///< the earliest time for the next word of kernels

    std::uint64_t frame_ = 0;
    bool in_frame_ = false;
    PathTime frame_free_;  ///< when the frame started, or the next one may
    std::size_t features_left_ = 0, features_taken_ = 0, outputs_left_ = 0;
    /// Words of `ahead_` that came together.
    struct Batch {
        std::size_t words = 0;
        WordTimes pace;
    };
    std::vector<Word> ahead_;  ///< features that have come of the next frame
    std::vector<Batch> ahead_bunches_;
    PathTime feature_free_;
    PathTime features_end_;   ///< of the frame
    TimedWords due_;          ///< outputs whose features have come
    std::vector<Word> sums_;  ///< of the accumulator port, not yet used
    TimedWords sum_times_;
    std::size_t sums_left_ = 0;   ///< of this frame, still to come
    std::size_t sums_ahead_ = 0;  ///< of the next frame, among `sums_`
    PathTime sum_free_;
    std::vector<Word> given_;
    bool on_link_ = false;  ///< `given_` is, or has just been taken
    PathTime out_free_;
    Counters counters_;
};

}  // namespace n6vp::models::npu

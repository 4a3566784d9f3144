// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/npu/dataflow/link.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/port.h"
#include "models/npu/dataflow/timed_words.h"
#include "models/npu/units/pool.h"

namespace n6vp::models::npu {

/// One POOL at work.
///
/// Modelled: one word per cycle on either side; outputs as soon as the words they depend on have
/// come. Assumed: features wait when outputs are a line behind; a frame starts when the one before
/// has left. Not modelled: the latency of the unit.
class PoolNode final : public Node {
  public:
    struct Setup {
        PoolConfig config;
        Rounding rounding = Rounding::HalfUp;
        Picoseconds cycle = 1000, start = 0;
    };

    /// Requires a configuration that computes. `network` and `out` outlive the node's work.
    PoolNode(const Setup& setup, Network& network, Link& out);

    Port features;

    void step() override;
    [[nodiscard]] bool busy() const override { return features_taken_ != 0; }
    [[nodiscard]] std::string waits_for() const override;
    [[nodiscard]] std::uint64_t frames() const { return frame_; }

  private:
    bool take_features();
    bool give();
    bool end_frame();

    Pool unit_;
    Picoseconds cycle_;
    Link& out_;
    std::size_t lag_;  ///< words

    std::uint64_t frame_ = 0;
    std::size_t features_taken_ = 0, outputs_given_ = 0;  ///< of this frame
    PathTime feature_free_;
    TimedWords due_;  ///< outputs whose features have come
    std::vector<Word> given_;
    bool on_link_ = false;  ///< `given_` is, or has just been taken
    PathTime out_free_;
};

}  // namespace n6vp::models::npu

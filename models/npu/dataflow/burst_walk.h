// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/npu/stream/address.h"
#include "models/npu/stream/stream_config.h"

namespace n6vp::models::npu {

/// Cuts the runs of one frame into the bursts of `for_each_burst`, one after the other.
class BurstWalk {
  public:
    struct Step {
        Burst burst;
        std::uint32_t address = 0, bytes = 0;  ///< of the run's bytes in this burst: 1 to 64
        bool ends_run = false, ends_frame = false;
    };

    BurstWalk() = default;
    /// `config` outlives the walk.
    BurstWalk(const StreamConfig& config, std::uint32_t frame);

    /// There is no further burst: the frame has ended, or the address limit allows no more.
    [[nodiscard]] bool done() const { return step_.bytes == 0; }
    /// Returns the next burst without going on. Requires that there is one.
    [[nodiscard]] const Step& peek() const { return step_; }
    /// Goes on behind the burst of `peek`.
    void advance();
    /// The walk reached a run that the address limit cuts, and ends with what is allowed of it.
    [[nodiscard]] bool limited() const { return limited_; }

  private:
    void begin_run();
    void make_step();

    const StreamConfig* config_ = nullptr;
    FrameRuns runs_;
    std::uint32_t line_ = 0, pixel_ = 0;
    Run left_;  ///< of the current run
    Step step_;
    bool limited_ = false;
};

}  // namespace n6vp::models::npu

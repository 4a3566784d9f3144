// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/burst_walk.h"

#include <algorithm>
#include <bit>

namespace n6vp::models::npu {

BurstWalk::BurstWalk(const StreamConfig& config, std::uint32_t frame)
    : config_(&config), runs_(frame_runs(config, frame)) {
    if (runs_.count() != 0) begin_run();
}

void BurstWalk::begin_run() {
    const LimitedRun run = limit_run(*config_, runs_.at(line_, pixel_));
    limited_ = run.beyond;
    left_ = run.run;
    make_step();
}

void BurstWalk::make_step() {
    step_ = {};
    if (left_.bytes == 0) return;
    // The first burst of what is left: as what is left begins where a burst ended, the rule of
    // `for_each_burst` gives the same bursts.
    const std::uint64_t beat = left_.address / kBeatBytes;
    const std::uint64_t end = left_.address + left_.bytes;
    const std::uint64_t beats = (end + kBeatBytes - 1) / kBeatBytes - beat;
    const std::uint64_t aligned = beat % kMaxBurst == 0 ? kMaxBurst : beat & -beat;
    const std::uint64_t taken = std::min(std::bit_floor(beats), aligned);
    const std::uint64_t bytes = std::min((beat + taken) * kBeatBytes, end) - left_.address;
    step_.burst = {static_cast<std::uint32_t>(beat * kBeatBytes),
                   static_cast<std::uint32_t>(taken)};
    step_.address = left_.address;
    step_.bytes = static_cast<std::uint32_t>(bytes);
    step_.ends_run = bytes == left_.bytes;
    step_.ends_frame =
        step_.ends_run && !limited_ && pixel_ + 1 == runs_.pixels && line_ + 1 == runs_.lines;
}

void BurstWalk::advance() {
    left_.address += step_.bytes;
    left_.bytes -= step_.bytes;
    if (left_.bytes != 0 || limited_) {
        make_step();
        return;
    }
    if (++pixel_ == runs_.pixels) {
        pixel_ = 0;
        ++line_;
    }
    if (line_ == runs_.lines) {
        step_ = {};
    } else {
        begin_run();
    }
}

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "models/npu/stream/stream_config.h"

namespace n6vp::models::npu {

/// Consecutive bytes that an engine accesses in one go: nothing is kept from one run to the next,
/// and runs of successive frames are not merged. Addresses are 32 bits and wrap.
struct Run {
    std::uint32_t address = 0;
    std::uint64_t bytes = 0;

    friend bool operator==(const Run&, const Run&) = default;
};

/// All runs of one frame, equally long: `lines` times `pixels` of them, in this order.
struct FrameRuns {
    Run first;
    std::uint32_t lines = 0;
    std::uint32_t pixels = 0;
    std::uint32_t line_pitch = 0;   ///< bytes
    std::uint32_t pixel_pitch = 0;  ///< bytes

    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{lines} * pixels; }
    [[nodiscard]] Run at(std::uint32_t line, std::uint32_t pixel) const {
        return {first.address + line * line_pitch + pixel * pixel_pitch, first.bytes};
    }
    template <typename Function>
    void for_each(Function&& function) const {
        for (std::uint32_t line = 0; line < lines; ++line) {
            for (std::uint32_t pixel = 0; pixel < pixels; ++pixel) function(at(line, pixel));
        }
    }
};

/// Returns the address of the first byte of frame `frame`.
[[nodiscard]] std::uint32_t frame_start(const StreamConfig& config, std::uint32_t frame);

/// Returns the runs of a frame: the whole of it, its lines, or its pixels, whichever is the longest
/// contiguous piece. With NOINC a frame is the one element from which all its words are made.
/// Requires a configuration that computes (`judge`).
[[nodiscard]] FrameRuns frame_runs(const StreamConfig& config, std::uint32_t frame);

/// A run as far as LIMITADDR allows it.
struct LimitedRun {
    Run run;
    bool beyond = false;  ///< bytes were cut off (flag RAW_OFLOW_ADD)
};

/// Cuts a run at the address limit, if there is one. What an engine does after that is not known:
/// `kBeyondLimit`.
[[nodiscard]] LimitedRun limit_run(const StreamConfig& config, const Run& run);

inline constexpr Limit kBeyondLimit{"STRENG", "LIMITADDR",
                                    "what an engine does once its address limit is reached"};

inline constexpr std::uint32_t kBeatBytes = 8;
inline constexpr std::uint32_t kMaxBurst = 8;  ///< beats

struct Burst {
    std::uint32_t address = 0;  ///< a multiple of the burst's bytes
    std::uint32_t beats = 0;    ///< 1, 2, 4 or 8

    friend bool operator==(const Burst&, const Burst&) = default;
};

/// Calls `function` with the bursts of a run in order: the 8-byte beats it touches, in the largest
/// powers of two that are left and to which the address is aligned; so none crosses 64 bytes.
/// Source: published burst counters, identical for writes.
template <typename Function>
void for_each_burst(const Run& run, Function&& function) {
    if (run.bytes == 0) return;
    std::uint64_t beat = run.address / kBeatBytes;
    std::uint64_t left = (run.address + run.bytes + kBeatBytes - 1) / kBeatBytes - beat;
    while (left > 0) {
        const std::uint64_t aligned = beat % kMaxBurst == 0 ? kMaxBurst : beat & -beat;
        const std::uint64_t beats = std::min(std::bit_floor(left), aligned);
        function(Burst{static_cast<std::uint32_t>(beat * kBeatBytes),
                       static_cast<std::uint32_t>(beats)});
        beat += beats;
        left -= beats;
    }
}

/// Bursts by length.
struct BurstCounts {
    std::array<std::uint64_t, 4> of{};  ///< of 1, 2, 4 and 8 beats

    [[nodiscard]] std::uint64_t bursts() const { return of[0] + of[1] + of[2] + of[3]; }
    [[nodiscard]] std::uint64_t beats() const { return of[0] + 2 * of[1] + 4 * of[2] + 8 * of[3]; }
    void add(const BurstCounts& more, std::uint64_t times = 1) {
        for (std::size_t i = 0; i < of.size(); ++i) of[i] += more.of[i] * times;
    }
    friend bool operator==(const BurstCounts&, const BurstCounts&) = default;
};

/// Counts without walking the run.
[[nodiscard]] BurstCounts count_bursts(const Run& run);
/// Counts a frame in time that does not depend on its size.
[[nodiscard]] BurstCounts count_bursts(const FrameRuns& runs);

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/stream/extent.h"

#include <algorithm>
#include <initializer_list>

#include "models/npu/stream/address.h"

namespace n6vp::models::npu {

namespace {

constexpr std::int64_t kAllOfMemory = std::int64_t{1} << 32;

/// Offsets from the engine's address, the last one inside.
struct Span {
    std::int64_t first = 0, last = 0;

    void add(std::int64_t offset) {
        first = std::min(first, offset);
        last = std::max(last, offset);
    }
};

/// Pitches and offsets are two's complement.
std::int64_t signed_of(std::uint32_t offset) {
    return static_cast<std::int32_t>(offset);
}

std::int64_t bounded(std::int64_t value) {
    return std::clamp(value, -kAllOfMemory, kAllOfMemory);
}

/// Where frames start. A product is linear in both counters: its extremes are at corners.
Span starts_of_frames(const StreamConfig& config, std::uint32_t frames) {
    Span span;
    const std::int64_t last = std::int64_t{frames} - 1;
    if (config.cont) {
        const auto bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(
            config.frame_elements() * config.element_bytes(), kAllOfMemory));
        span.add(last == 0 ? 0 : bounded(bytes * std::min(last, kAllOfMemory / bytes + 1)));
        return span;
    }
    const std::int64_t inner = signed_of(config.foffset);
    if (config.frame_rpt == 0) {
        span.add(bounded(last * inner));
        return span;
    }
    const std::int64_t loop = signed_of(config.frptoff);
    const std::int64_t whole = frames / config.frame_rpt;
    const std::int64_t rest = frames % config.frame_rpt;
    const std::int64_t most = std::min<std::int64_t>(frames, config.frame_rpt) - 1;
    const auto add_loop = [&](std::int64_t number, std::int64_t last_frame) {
        for (const std::int64_t frame : {std::int64_t{0}, last_frame})
            span.add(bounded(bounded(number * loop) + bounded(frame * inner)));
    };
    add_loop(0, most);
    if (whole > 0) add_loop(whole - 1, most);
    if (rest > 0) add_loop(whole, rest - 1);
    return span;
}

/// Bytes of one frame, from where it starts.
Span bytes_of_frame(const StreamConfig& config) {
    const FrameRuns runs = frame_runs(config, 0);
    const std::int64_t lines = (std::int64_t{runs.lines} - 1) * signed_of(runs.line_pitch);
    const std::int64_t pixels = (std::int64_t{runs.pixels} - 1) * signed_of(runs.pixel_pitch);
    Span span;
    for (const std::int64_t line : {std::int64_t{0}, lines}) {
        for (const std::int64_t pixel : {std::int64_t{0}, pixels}) span.add(bounded(line + pixel));
    }
    span.last = bounded(
        span.last +
        static_cast<std::int64_t>(std::min<std::uint64_t>(runs.first.bytes, kAllOfMemory)) - 1);
    return span;
}

bool stays(const StreamConfig& config) {
    if (config.cont) return false;
    return config.foffset == 0 && (config.frame_rpt == 0 || config.frptoff == 0);
}

bool goes_down(const StreamConfig& config) {
    if (config.cont) return false;
    return signed_of(config.foffset) < 0 ||
           (config.frame_rpt != 0 && signed_of(config.frptoff) < 0);
}

}  // namespace

Extent extent_of(const StreamConfig& config) {
    constexpr Extent kEverything{0, std::uint64_t{1} << 32};
    Span span = bytes_of_frame(config);
    const bool endless = !config.framelimit && !stays(config);
    if (endless && goes_down(config)) return kEverything;
    if (endless) {
        span.last = kAllOfMemory - 1 - config.addr;
    } else {
        const Span starts = starts_of_frames(config, config.frames().value_or(1));
        span.first += starts.first;
        span.last += starts.last;
    }
    const bool wraps = std::int64_t{config.addr} + span.first < 0 ||
                       std::int64_t{config.addr} + span.last >= kAllOfMemory;
    if (span.last - span.first >= kAllOfMemory - 1) return kEverything;
    if (config.addrlimit && !wraps) {
        const std::int64_t last = std::int64_t{config.limitaddr | (kBeatBytes - 1)} - config.addr;
        if (last < span.first) return {config.addr + static_cast<std::uint32_t>(span.first), 0};
        span.last = std::min(span.last, last);
    }
    return {config.addr + static_cast<std::uint32_t>(span.first),
            static_cast<std::uint64_t>(span.last - span.first + 1)};
}

}  // namespace n6vp::models::npu

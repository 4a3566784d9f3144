// SPDX-License-Identifier: Apache-2.0
#include "models/npu/stream/address.h"

namespace n6vp::models::npu {

namespace {

constexpr std::uint32_t kMaxBurstBytes = kBeatBytes * kMaxBurst;

/// Addresses that are equal modulo 64 have the same bursts; a pitch repeats them after this many
/// steps.
std::uint32_t period(std::uint32_t pitch) {
    const std::uint32_t phase = pitch % kMaxBurstBytes;
    return phase == 0 ? 1 : kMaxBurstBytes / (phase & (0u - phase));
}

/// Returns how many of `count` steps have the phase of step `index`, below `period`.
std::uint64_t repeats(std::uint32_t count, std::uint32_t period, std::uint32_t index) {
    return index < count ? (std::uint64_t{count} - index - 1) / period + 1 : 0;
}

}  // namespace

std::uint32_t frame_start(const StreamConfig& config, std::uint32_t frame) {
    if (config.cont) {
        const std::uint64_t bytes = config.frame_elements() * config.element_bytes();
        return config.addr + static_cast<std::uint32_t>(frame * bytes);
    }
    if (config.frame_rpt == 0) return config.addr + frame * config.foffset;
    return config.addr + frame % config.frame_rpt * config.foffset +
           frame / config.frame_rpt * config.frptoff;
}

FrameRuns frame_runs(const StreamConfig& config, std::uint32_t frame) {
    const std::uint32_t start = frame_start(config, frame);
    const std::uint32_t bytes = config.element_bytes();
    if (config.raw) {
        const std::uint64_t length = config.noinc ? bytes : std::uint64_t{config.fsize} * bytes;
        return {{start, length}, 1, 1, 0, 0};
    }
    const std::uint32_t pixel = config.depth_size * bytes;
    const std::uint64_t line = std::uint64_t{config.width()} * pixel;
    const bool dense_pixels = config.pixel_pitch() == pixel;
    if (dense_pixels && config.line_pitch() == line) {
        return {{start, line * config.height()}, 1, 1, 0, 0};
    }
    if (dense_pixels || config.width() == 1) {
        return {{start, line}, config.height(), 1, config.line_pitch(), 0};
    }
    return {
        {start, pixel}, config.height(), config.width(), config.line_pitch(), config.pixel_pitch()};
}

LimitedRun limit_run(const StreamConfig& config, const Run& run) {
    if (!config.addrlimit) return {run, false};
    // The lowest three bits cannot be written: the limit is a whole beat.
    const std::uint64_t end = (config.limitaddr | (kBeatBytes - 1)) + std::uint64_t{1};
    const std::uint64_t allowed = end > run.address ? end - run.address : 0;
    if (run.bytes <= allowed) return {run, false};
    return {{run.address, allowed}, true};
}

BurstCounts count_bursts(const Run& run) {
    // Bursts of 64 bytes inside; before and after them at most 7 beats each.
    BurstCounts counts;
    const auto count = [&counts](const Burst& burst) {
        ++counts.of[std::bit_width(burst.beats) - 1];
    };
    const std::uint64_t head = (0u - run.address) % kMaxBurstBytes;
    if (run.bytes <= head + kMaxBurstBytes) {
        for_each_burst(run, count);
        return counts;
    }
    const std::uint64_t tail = (run.bytes - head) % kMaxBurstBytes;
    for_each_burst(Run{run.address, head}, count);
    for_each_burst(Run{0, tail}, count);
    counts.of[3] += (run.bytes - head) / kMaxBurstBytes;
    return counts;
}

BurstCounts count_bursts(const FrameRuns& runs) {
    std::array<std::uint64_t, kMaxBurstBytes> starts{};  // by address modulo 64
    const std::uint32_t lines = period(runs.line_pitch), pixels = period(runs.pixel_pitch);
    for (std::uint32_t line = 0; line < std::min(lines, runs.lines); ++line) {
        const std::uint64_t alike = repeats(runs.lines, lines, line);
        for (std::uint32_t pixel = 0; pixel < std::min(pixels, runs.pixels); ++pixel) {
            starts[runs.at(line, pixel).address % kMaxBurstBytes] +=
                alike * repeats(runs.pixels, pixels, pixel);
        }
    }
    BurstCounts counts;
    for (std::uint32_t phase = 0; phase < kMaxBurstBytes; ++phase) {
        if (starts[phase] != 0)
            counts.add(count_bursts(Run{phase, runs.first.bytes}), starts[phase]);
    }
    return counts;
}

}  // namespace n6vp::models::npu

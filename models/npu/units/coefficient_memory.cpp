// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/coefficient_memory.h"

#include <algorithm>

namespace n6vp::models::npu {

namespace {
constexpr std::uint32_t kNone = ~0u;
}

CoefficientSequence::CoefficientSequence(std::uint32_t first, std::uint32_t increment_count,
                                         std::int16_t increment,
                                         std::array<CoefficientReset, 3> resets)
    : address_(first % kCoefficients) {
    for (std::size_t i = 0; i < resets.size(); ++i) {
        const CoefficientReset& reset = resets[resets.size() - 1 - i];
        const std::uint32_t period = reset.enabled ? reset.count + 1 : 0;
        counters_[i] = {period, period, reset.offset};
    }
    counters_[3] = {increment_count + 1, increment_count + 1, increment};
}

std::uint32_t CoefficientSequence::steady() const {
    // With an increment at each sample only the resets interrupt.
    const bool each_sample = counters_[3].period == 1;
    std::uint32_t samples = kNone;
    for (std::size_t i = 0; i < (each_sample ? 3u : 4u); ++i) {
        if (counters_[i].period != 0) samples = std::min(samples, counters_[i].left);
    }
    return samples;
}

void CoefficientSequence::advance(std::uint32_t samples) {
    bool moved = false;
    for (Counter& counter : counters_) {
        if (counter.period == 0) continue;
        // A counter of one sample ends with each of them.
        counter.left = counter.period == 1 ? 0 : counter.left - samples;
        if (counter.left != 0) continue;
        counter.left = counter.period;
        if (!moved) {
            address_ = (address_ + static_cast<std::uint32_t>(counter.offset)) % kCoefficients;
        }
        moved = true;
    }
}

void CoefficientSequence::next(std::span<std::uint16_t> entries) {
    while (!entries.empty()) {
        const auto samples =
            static_cast<std::uint32_t>(std::min<std::size_t>(steady(), entries.size()));
        for (std::uint32_t i = 0; i < samples; ++i) {
            entries[i] = static_cast<std::uint16_t>((address_ + i * step()) % kCoefficients);
        }
        address_ = (address_ + (samples - 1) * step()) % kCoefficients;
        advance(samples);
        entries = entries.subspan(samples);
    }
}

CoefficientSequence::Loop CoefficientSequence::loop() const {
    const Counter& inner = counters_[2];
    if (inner.period == 0 || inner.left != inner.period || counters_[3].period != 1) return {};
    const std::uint32_t end =
        (inner.period - 1) * step() + static_cast<std::uint32_t>(inner.offset);
    if (end % kCoefficients != 0) return {};
    std::uint32_t samples = kNone;
    for (std::size_t i = 0; i < 2; ++i) {
        if (counters_[i].period != 0) samples = std::min(samples, counters_[i].left);
    }
    return {inner.period, samples - samples % inner.period};
}

void CoefficientSequence::skip(std::uint32_t samples) {
    const std::uint32_t last = (counters_[2].period - 1) * step();
    bool moved = false;
    for (std::size_t i = 0; i < 2; ++i) {
        Counter& counter = counters_[i];
        if (counter.period == 0) continue;
        counter.left -= samples;
        if (counter.left != 0) continue;
        counter.left = counter.period;
        if (!moved) {
            address_ =
                (address_ + last + static_cast<std::uint32_t>(counter.offset)) % kCoefficients;
        }
        moved = true;
    }
}

}  // namespace n6vp::models::npu

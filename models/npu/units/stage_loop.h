// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/npu/units/output_stage.h"

namespace n6vp::models::npu {

/// An output stage for many words at once: clipping, ORNDMODE and SAT are one range, and the rule
/// of rounding is chosen outside the loop. `OutputStage` says what the result is.
class StageLoop {
  public:
    explicit StageLoop(const OutputStage& stage) : StageLoop(stage, kLowest, kHighest) {}
    /// Clips to `low` and `high` between the shift and the rest. Requires low <= high.
    StageLoop(const OutputStage& stage, std::int64_t low, std::int64_t high)
        : stage_(stage), low_(low), high_(high) {
        if (stage.relu) limit(0, kHighest);
        if (stage.saturate) {
            const std::int64_t most = (std::int64_t{1} << (8 * stage.bytes - 1)) - 1;
            limit(-most - 1, most);
        }
    }

    /// Stores the words for `sum(0)` to `sum(words - 1)`.
    template <typename Sum>
    void store(Word* out, std::size_t words, Sum sum) const {
        switch (stage_.rounding) {
            case Rounding::HalfUp:
                return store_rounded<Rounding::HalfUp>(out, words, sum);
            case Rounding::HalfAway:
                return store_rounded<Rounding::HalfAway>(out, words, sum);
            case Rounding::HalfEven:
                return store_rounded<Rounding::HalfEven>(out, words, sum);
            case Rounding::Floor:
                return store_rounded<Rounding::Floor>(out, words, sum);
        }
    }

    /// The same for numbers of a link word's range without a shift.
    template <typename Number>
    void store_unshifted(Word* out, std::size_t words, Number number) const {
        const auto low = static_cast<std::int32_t>(std::clamp(low_, kLeast32, kMost32));
        const auto high = static_cast<std::int32_t>(std::clamp(high_, kLeast32, kMost32));
        const unsigned unused = stage_.saturate ? 0 : 32 - 8 * stage_.bytes;
        for (std::size_t i = 0; i < words; ++i) {
            const std::int32_t value = std::min(std::max<std::int32_t>(number(i), low), high);
            out[i] = static_cast<Word>(static_cast<std::uint32_t>(value) << unused) >> unused;
        }
    }

    [[nodiscard]] bool shifts() const { return stage_.shift != 0; }

  private:
    static constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int64_t kLeast32 = std::numeric_limits<std::int32_t>::min();
    static constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();

    void limit(std::int64_t low, std::int64_t high) {
        low_ = std::clamp(low_, low, high);
        high_ = std::clamp(high_, low, high);
    }

    template <Rounding kRounding, typename Sum>
    void store_rounded(Word* out, std::size_t words, Sum sum) const {
        const unsigned shift = stage_.shift, bits = 8 * stage_.bytes;
        const std::int64_t low = low_, high = high_;
        if (stage_.saturate) {
            for (std::size_t i = 0; i < words; ++i) {
                const std::int64_t value = shift_right(sum(i), shift, kRounding);
                out[i] = static_cast<Word>(std::min(std::max(value, low), high));
            }
            return;
        }
        for (std::size_t i = 0; i < words; ++i) {
            const std::int64_t value = shift_right(sum(i), shift, kRounding);
            out[i] = static_cast<Word>(sign_extend(std::min(std::max(value, low), high), bits));
        }
    }

    OutputStage stage_;
    std::int64_t low_, high_;
};

}  // namespace n6vp::models::npu

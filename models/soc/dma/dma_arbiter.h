// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/soc/dma/dma_parameters.h"
#include "models/soc/dma/dma_registers.h"

namespace n6vp::models::dma {

/// Whose burst is next. Channels of priority 3 come first; the three other priorities share the
/// rest by their weights. Within a priority the channel that waits longest is served.
class Arbiter {
  public:
    explicit Arbiter(const DmaParameters& parameters)
        : weights_{static_cast<unsigned>(parameters.low_weight.value),
                   static_cast<unsigned>(parameters.mid_weight.value),
                   static_cast<unsigned>(parameters.high_weight.value)} {
        reset();
    }

    struct Candidate {
        unsigned channel = 0, priority = 0;
    };
    /// Returns the index of the winner. `candidates` is not empty.
    [[nodiscard]] std::size_t choose(std::span<const Candidate> candidates) {
        constexpr unsigned kHigh = 3;
        std::array<bool, kHigh + 1> asks{};
        for (const Candidate& each : candidates) asks[each.priority] = true;
        const unsigned priority = asks[kHigh] ? kHigh : next_queue(asks);
        std::size_t best = candidates.size();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (candidates[i].priority != priority) continue;
            const bool longer = best == candidates.size() ||
                                served_[candidates[i].channel] < served_[candidates[best].channel];
            if (longer) best = i;
        }
        served_[candidates[best].channel] = ++count_;
        return best;
    }
    void reset() {
        served_ = {};
        count_ = 0;
        credit_ = weights_;
    }

  private:
    [[nodiscard]] unsigned next_queue(const std::array<bool, 4>& asks) {
        for (const bool refilled : {false, true}) {
            if (refilled) credit_ = weights_;
            for (unsigned queue = 3; queue-- > 0;) {
                if (!asks[queue] || credit_[queue] == 0) continue;
                --credit_[queue];
                return queue;
            }
        }
        return 0;  // a weight is at least one
    }

    std::array<unsigned, 3> weights_, credit_{};
    std::array<std::uint64_t, kChannels> served_{};  ///< number of the last grant
    std::uint64_t count_ = 0;
};

}  // namespace n6vp::models::dma

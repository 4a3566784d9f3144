// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/npu/base/verdict.h"

namespace n6vp::models::npu {

inline constexpr std::uint32_t kSwitchSources = 27;
inline constexpr std::uint32_t kSwitchDestinations = 41;

/// One DST register: what a destination listens to.
struct SwitchConfig {
    bool en0 = false;
    std::uint8_t link0 = 0;  ///< source
    std::uint8_t fnr0 = 0;   ///< ticks of context 0; 0 with context 1 unused: always context 0
    bool en1 = false;
    std::uint8_t link1 = 0;
    std::uint8_t fnr1 = 0;
    bool ticktype = false;  ///< a tick is 0: a frame, 1: a pixel

    /// Tells whether the destination listens to anything at all.
    [[nodiscard]] constexpr bool used() const { return en0 || en1; }
    /// Tells whether context 0 never ends.
    [[nodiscard]] constexpr bool permanent() const { return fnr0 == 0 && !en1 && fnr1 == 0; }

    friend bool operator==(const SwitchConfig&, const SwitchConfig&) = default;
};

/// Says which rule a configuration breaks and what it uses that is not known.
[[nodiscard]] Verdict judge(const SwitchConfig& config);

/// What a destination does with the words of its source now.
struct Route {
    bool used = false;  ///< takes part; else its source does not wait for it
    std::uint8_t source = 0;
    bool deliver = false;  ///< the words reach the unit; else they are discarded
};

/// One destination: two contexts in turn, each for its number of ticks. A disabled context takes
/// the words of its link like an enabled one and throws them away.
class SwitchDestination {
  public:
    SwitchDestination() = default;
    /// Requires a configuration that computes (`judge`).
    explicit SwitchDestination(const SwitchConfig& config) : config_(config) {}

    [[nodiscard]] Route route() const {
        return second_ ? Route{config_.used(), config_.link1, config_.en1}
                       : Route{config_.used(), config_.link0, config_.en0};
    }
    /// Goes on after a frame, or after a pixel if `counts_pixels()`, of the current source.
    void tick();
    [[nodiscard]] bool counts_pixels() const { return config_.ticktype; }
    [[nodiscard]] const SwitchConfig& config() const { return config_; }

  private:
    SwitchConfig config_;
    std::uint8_t ticks_ = 0;  ///< gone by in the current context
    bool second_ = false;     ///< context 1
};

/// Destinations as a set of bits.
using DestinationSet = std::uint64_t;
static_assert(kSwitchDestinations <= 64);

/// All destinations. A source is heard by each of them that is routed to it and advances when every
/// one of these has taken the word.
class StreamSwitch {
  public:
    /// Requires `destination` below 41. Starts its contexts anew.
    void configure(std::uint32_t destination, const SwitchConfig& config) {
        destinations_[destination] = SwitchDestination(config);
    }
    [[nodiscard]] const SwitchDestination& at(std::uint32_t destination) const {
        return destinations_[destination];
    }
    void tick(std::uint32_t destination) { destinations_[destination].tick(); }

    struct Listeners {
        DestinationSet deliver = 0;
        DestinationSet discard = 0;
    };
    [[nodiscard]] Listeners listeners(std::uint32_t source) const;

  private:
    std::array<SwitchDestination, kSwitchDestinations> destinations_{};
};

}  // namespace n6vp::models::npu

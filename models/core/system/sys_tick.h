// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models::core {

/// One SysTick timer. Counts only when asked: time is core cycles since reset.
class SysTick {
  public:
    explicit SysTick(unsigned external_divider) : divider_(external_divider) {}
    void reset();

    /// Brings the counter to `now`. Returns true if it reached zero since with TICKINT set.
    bool advance(std::uint64_t now);
    /// Returns cycles until it next reaches zero with TICKINT set; UINT64_MAX if it will not.
    [[nodiscard]] std::uint64_t next(std::uint64_t now) const;

    /// The clock stops, or starts again: cycles in between are none for the counter, which must be
    /// at `now` when it stops.
    void stop_clock(std::uint64_t now);
    void start_clock(std::uint64_t now);
    [[nodiscard]] bool stopped() const { return stopped_; }

    /// Offsets 0x0 (CTRL) to 0xC (CALIB); the counter must be at `now`.
    [[nodiscard]] std::uint32_t read(std::uint32_t offset);
    void write(std::uint32_t offset, std::uint32_t value, std::uint64_t now);

  private:
    [[nodiscard]] std::uint64_t cycles_per_tick() const;

    unsigned divider_;
    std::uint32_t control_ = 0, reload_ = 0;
    std::uint32_t value_ = 0;    ///< at `since_`
    std::uint64_t since_ = 0;    ///< cycle of the last tick accounted for
    bool reached_zero_ = false;  ///< COUNTFLAG
    bool stopped_ = false;
    std::uint64_t stopped_at_ = 0;
};

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_set>

#include "models/core/ir/state.h"
#include "models/picoseconds.h"
#include "sim/platform/platform.h"

namespace n6vp::sim {

/// Decides from samples whether a program makes progress.
///
/// Something happens as long as the core writes to peripherals or the mailbox, the NPU moves bytes,
/// exceptions begin, semihosting is called or a character leaves the serial port, and while the
/// core sleeps until SysTick. Without that a program may compute: the core then has registers as
/// they never were since something happened. One that waits in a loop, or sleeps, repeats itself;
/// what a poll reads shows in a register, so polling by itself is nothing.
class ProgressWatch {
  public:
    /// How much longer than a repeating program one may be quiet that computes: it may count up
    /// for ever.
    static constexpr unsigned kComputing = 60;

    /// `longest`: simulated time without anything; 0: no end of patience.
    explicit ProgressWatch(models::Picoseconds longest) : longest_(longest) {}

    struct Look {
        models::Picoseconds at = 0;
        std::uint64_t activity = 0;  ///< differs from the last look's if something happened
        std::uint64_t state = 0;     ///< of the core's registers
    };
    /// Takes a sample; returns false if the program makes no progress.
    [[nodiscard]] bool gets_on(const Look& look);
    /// Returns since when nothing has happened.
    [[nodiscard]] models::Picoseconds quiet_since() const { return active_; }

  private:
    static constexpr std::size_t kMaxStates = 100'000;

    models::Picoseconds longest_;
    models::Picoseconds active_ = 0;  ///< something happened last
    models::Picoseconds fresh_ = 0;   ///< that, or registers were new last
    std::uint64_t activity_ = 0;
    std::unordered_set<std::uint64_t> states_;  ///< since then
};

/// Returns a number that changes with what the core writes to devices and the NPU moves.
[[nodiscard]] std::uint64_t bus_activity(Platform& platform);
/// Returns whether SysTick runs with its interrupt, in either security state: it ends a sleep.
[[nodiscard]] bool tick_wakes(models::core::Core& core);
/// Returns a number of the registers that instructions work with.
[[nodiscard]] std::uint64_t register_state(const models::core::CpuState& cpu);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/faults/fault_report.h"
#include "sim/registers/register_names.h"

namespace n6vp::sim::fault_report {

/// Where the core was at the last looks at it, which come at equal distances of simulated time.
class PcHistory {
  public:
    static constexpr std::size_t kKept = 64;

    struct Look {
        std::uint32_t pc = 0;
        std::uint64_t state = 0;     ///< of the core's registers
        std::uint64_t activity = 0;  ///< differs from the look's before if something happened
    };
    void look(const Look& look) { kept_[looks_++ % kKept] = look; }
    void reset() { looks_ = 0; }
    struct Range {
        std::uint32_t first = 0, last = 0;
        std::size_t looks = 0;  ///< in a row, up to the last one, that found the core there
        /// Something happened, or the core was at one place with other registers than before: it
        /// computes, or waits for a time that it sees go by.
        bool gets_on = false;
    };
    /// Returns the stretch of at most `bytes` of code in which the last looks found the core.
    [[nodiscard]] Range loop(std::uint32_t bytes) const;

  private:
    [[nodiscard]] const Look& back(std::size_t looks) const {
        return kept_[(looks_ - looks) % kKept];
    }
    [[nodiscard]] bool gets_on(std::size_t looks) const;

    std::array<Look, kKept> kept_{};
    std::size_t looks_ = 0;
};

/// Samples of a run without progress.
struct Looks {
    const PcHistory& history;
    models::Picoseconds distance = 0;  ///< of two looks
    models::Picoseconds quiet = 0;     ///< for how long nothing happened; 0: not known
    bool limited = false;              ///< a limit ended the run
};

/// Returns why nothing goes on: the core sleeps, or has been in one small loop for the last looks.
/// A run that a limit ended while the program got on has a report of Kind::Limit, with the place.
/// What the core waits for stands in `FaultReport::waiting`.
[[nodiscard]] FaultReport explain_no_progress(Platform& platform, const FaultLog& log,
                                              const Names& names, const Looks& looks,
                                              const RegisterNames& registers);

}  // namespace n6vp::sim::fault_report

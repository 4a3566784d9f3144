// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/npu/control/register_window.h"
#include "models/npu/top/engines.h"
#include "models/npu/top/reporter.h"

namespace n6vp::models::npu {

/// DEBUG_TRACE: its 16 event counters for the signals that a profile of an inference uses. The
/// owner supplies running totals of these signals; a counter is the difference of two of
/// them.
///
/// Modelled: bursts by length, direction and master; cycles (VDD high, GND low); cycles in which
/// the link of an engine does not stall while the engine is enabled, and in which it has a word.
/// Assumed: that a burst is one pulse and a word one cycle, that counters run over, that CLR takes
/// them to zero.
/// Limits: every other signal, counting down, start and stop by events, triggers. Not modelled: the
/// states of links and the interrupt.
class DebugTrace {
  public:
    /// All outlive this.
    DebugTrace(RegisterWindow& window, const Engines& engines, Reporter& report,
               const Picoseconds& now, const Picoseconds& cycle);

    /// A burst of 1, 2, 4 or 8 beats of master 0 or 1.
    void count_burst(unsigned master, std::uint32_t beats, bool write);

    /// CTRL or EVENT may have changed.
    void on_configured();
    void on_clear();
    void on_write(const Register& at, std::uint32_t index);
    /// The period of the clock is about to change: what was counted until now stands.
    void before_clock_changes();
    /// Brings the registers up to date, before software reads them.
    void show();
    void reset();

  private:
    static constexpr std::size_t kCounters = 16;
    static constexpr unsigned kBurstSignals = 16;  ///< from `kFirstBurst` on

    enum class What : std::uint8_t {
        Nothing,
        Bursts,
        Cycles,
        Input,
        Output,
        InputWords,
        OutputWords
    };
    struct Counter {
        What what = What::Nothing;
        unsigned who = 0;          ///< signal of a burst less the first one, or engine
        std::uint32_t event = 0;   ///< the register that says so
        std::uint64_t start = 0;   ///< total when it began to count with this clock
        std::uint32_t before = 0;  ///< count until then
    };

    [[nodiscard]] Counter decode(std::size_t index);
    /// Bursts, words, or picoseconds of what counts in cycles.
    [[nodiscard]] std::uint64_t total(const Counter& counter) const;
    [[nodiscard]] std::uint32_t count(const Counter& counter) const;

    RegisterWindow& window_;
    const Engines& engines_;
    Reporter& report_;
    const Picoseconds& now_;
    const Picoseconds& cycle_;
    std::array<Counter, kCounters> counters_;
    std::array<std::uint64_t, kBurstSignals> bursts_{};
};

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/register_block.h"
#include "models/soc/signal_level.h"

namespace n6vp::models {

struct LowPowerTimerParameters {
    Parameter take_over{"take_over", 3, counts(64, "kernel cycles"), Confidence::Assumed,
                        "a write of ARR, CCR, RCR or DIER to its OK flag: 2 to 3 cycles"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.take_over);
    }
};

/// A low-power timer (LPTIM1 to LPTIM5) as a time base: counts up from 0 to ARR at the kernel clock
/// over 2^PRESC.
///
/// Modelled: CR (ENABLE, SNGSTRT, CNTSTRT, COUNTRST), ARR, CCR1 and CCR2, RCR with the update flag,
/// ARROK, CMP1OK, CMP2OK, REPOK and DIEROK some kernel cycles after their writes, ICR, DIER and the
/// interrupt line. Counting takes no event of the kernel; an enabled interrupt takes one.
/// Not modelled: external clocks, with which the counter stands still, triggers, encoder, capture,
/// outputs, PRELOAD (values hold at once), RSTARE, DMA: these are stored, and switching one of them
/// on answers "not modelled".
/// Source: registers and bits of the CMSIS device header (LPTIM_TypeDef).
class LowPowerTimer : public sc_core::sc_module, public RegisterBlock {
  public:
    LowPowerTimer(const sc_core::sc_module_name& name, const char* block,
                  const LowPowerTimerParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;

    /// Frequency of the kernel clock from the absolute time `at` on; 0 stops it.
    void set_kernel_hz(double hz, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

  private:
    struct Pending {
        std::uint32_t flag = 0;
        Picoseconds due = 0;  ///< 0: nothing is pending
    };
    void step();
    /// All that the counter does up to `at` has happened.
    void settle(Picoseconds at);
    void count(std::uint64_t ticks);
    /// Flags of what the counter meets from `first` to `last`.
    void meet(std::uint64_t first, std::uint64_t last);
    void overflow();
    void restart(Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);
    /// The flag follows a write after some kernel cycles.
    void follow(std::uint32_t flag, Picoseconds at);
    void update(Picoseconds at);
    [[nodiscard]] bool running() const;
    [[nodiscard]] unsigned prescaler() const;  ///< power of two
    [[nodiscard]] Picoseconds next_interrupt() const;
    [[nodiscard]] bool known(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    const double take_over_;
    std::uint64_t hz_ = 0;
    std::array<std::uint32_t, 14> held_{};
    std::array<Pending, 5> pending_{};
    std::uint32_t count_ = 0, repetitions_ = 0;
    bool started_ = false, single_ = false;
    Picoseconds origin_ = 0;   ///< where the clock under way began
    std::uint64_t ticks_ = 0;  ///< since then, of those that are counted
    SignalLevel level_;
    sc_core::sc_event next_;
};

}  // namespace n6vp::models

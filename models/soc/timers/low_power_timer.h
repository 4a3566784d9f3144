// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"

namespace n6vp::models {

struct LowPowerTimerParameters {
    Parameter take_over{"take_over", 3, counts(64, "kernel cycles"), Confidence::Assumed,
                        "a write of ARR, CCR, RCR or DIER to its OK flag: 2 to 3 cycles"};
    Parameter trigger{"trigger", 2, counts(64, "clocks of the counter"), Confidence::Documented,
                      "reference manuals of the family: from a trigger to the start"};
    Parameter lost_edges{"lost_edges", 5, counts(64, "edges"), Confidence::Documented,
                         "reference manuals of the family: of an external clock, after ENABLE"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.take_over);
        function(self.trigger);
        function(self.lost_edges);
    }
};

/// A low-power timer (LPTIM1 to LPTIM5): counts up from 0 to ARR at the kernel clock over 2^PRESC.
///
/// Modelled: CR (ENABLE, SNGSTRT, CNTSTRT, COUNTRST), ARR, CCR1 and CCR2, RCR with the update flag,
/// ARROK, CMP1OK, CMP2OK, REPOK and DIEROK some kernel cycles after their writes, ICR, DIER and the
/// interrupt line. Counting takes no event of the kernel; an enabled interrupt takes one, and so
/// does an output that somebody listens to.
/// With pins (`on_outputs`): the trigger ETR with its edges and filter, EXTTRIG, TIMOUT; edges of
/// IN1 that are counted (COUNTMODE) or are the clock (CKSEL), with polarity and filter; outputs in
/// PWM, one-pulse and set-once mode with polarity. With CKSEL the OK flags, too, wait for edges.
/// Not modelled: other triggers than ETR, with which the counter does not start; the encoder, with
/// which it stands still; capture, PRELOAD (values hold at once), RSTARE, DMA, CFGR2. These are
/// stored, and switching one of them on answers "not modelled". Edges that follow a trigger before
/// the counter has started are ignored. A wave of a counter of edges is not told (`wave`).
/// Sources: registers and bits of the CMSIS device header (LPTIM_TypeDef); behaviour of reference
/// manuals of the family, duty cycles of the vendor's examples.
class LowPowerTimer : public sc_core::sc_module, public RegisterBlock {
  public:
    LowPowerTimer(const sc_core::sc_module_name& name, const char* block,
                  const LowPowerTimerParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;

    /// Levels at the outputs: bit 0 of channel 1, or of the only output; bit 1 of channel 2.
    struct Outputs {
        std::uint8_t driven = 0, high = 0;
        [[nodiscard]] bool operator==(const Outputs&) const = default;
    };
    /// Outputs that somebody listens to have changed at the absolute time `at`; the others are
    /// zero. While it is not connected, there are no pins: their functions answer "not modelled".
    std::function<void(const Outputs& outputs, Picoseconds at)> on_outputs;
    /// Somebody follows these outputs, by their bits, from the absolute time `at` on.
    void listen_to_outputs(std::uint8_t outputs, Picoseconds at);
    /// Returns all levels at the absolute time `at`.
    [[nodiscard]] Outputs outputs(Picoseconds at);

    /// What an output does as long as no register changes.
    struct Wave {
        double hz = 0;          ///< 0: its level stays
        double high_share = 0;  ///< of the time
    };
    /// Returns the wave of an output, by its bit's number; nothing if it is not driven.
    [[nodiscard]] std::optional<Wave> wave(unsigned output) const;

    enum class Input : std::uint8_t { In1, Etr };
    /// The level at an input is another one from the absolute time `at` on.
    void input(Input input, bool level, Picoseconds at);

    /// Frequency of the kernel clock from the absolute time `at` on; 0 stops it.
    void set_kernel_hz(double hz, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

  private:
    /// What waits for a time, or for edges of an external clock; 0 of both: nothing does.
    struct Waiting {
        Picoseconds due = 0;
        std::uint64_t edges = 0;

        [[nodiscard]] bool any() const { return due != 0 || edges != 0; }
        /// Returns true if the edge was the last that it waited for.
        [[nodiscard]] bool edge() { return edges != 0 && --edges == 0; }
    };
    struct Pending : Waiting {
        std::uint32_t flag = 0;
    };
    struct Line {
        bool pin = false, level = false;  ///< in front of the filter and behind it
        Picoseconds due = 0;              ///< the filter lets the pin's level pass; 0: it is there
    };
    void step();
    /// All that the counter does up to `at` has happened.
    void settle(Picoseconds at);
    /// The same without triggers and inputs.
    void advance(Picoseconds at);
    void count(std::uint64_t ticks);
    /// Flags of what the counter meets from `first` to `last`.
    void meet(std::uint64_t first, std::uint64_t last);
    void overflow();
    void restart(Picoseconds at);
    /// The counter starts from zero.
    void begin(Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);
    /// The flag follows a write after some kernel cycles.
    void follow(std::uint32_t flag, Picoseconds at);
    void update(Picoseconds at);
    [[nodiscard]] bool running() const;
    [[nodiscard]] unsigned prescaler() const;  ///< power of two
    [[nodiscard]] Picoseconds next_event() const;
    [[nodiscard]] Picoseconds next_count(std::uint32_t awaited) const;
    [[nodiscard]] bool known(std::uint32_t offset) const;
    [[nodiscard]] bool configuration_known() const;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }
    /// Returns true if one of these bits of CFGR is set.
    [[nodiscard]] bool configured(std::uint32_t bits) const;

    [[nodiscard]] bool has_pins() const { return static_cast<bool>(on_outputs); }
    /// Length of the input's filter in clocks.
    [[nodiscard]] unsigned filter(Input input) const;
    /// The filter has let a level pass.
    void take(Input input, Picoseconds at);
    /// An edge of IN1 or of ETR.
    void clock_edge(bool level, Picoseconds at);
    void trigger_edge(bool level, Picoseconds at);
    /// Time of the first filter that lets a level pass, or of the start; 0: there is none.
    [[nodiscard]] Picoseconds next_moment() const;
    void act(Picoseconds moment);

    [[nodiscard]] std::uint32_t compare(unsigned channel) const;
    [[nodiscard]] bool driven(unsigned channel) const;
    [[nodiscard]] bool inverted(unsigned channel) const;
    [[nodiscard]] Outputs levels() const;
    void update_outputs(Picoseconds at);
    /// Returns true if somebody listens to an output that changes while the timer counts.
    [[nodiscard]] bool shows(unsigned channel) const;

    static constexpr unsigned kChannels = 2;

    const bool one_output_;  ///< LPTIM4 and LPTIM5
    const double take_over_;
    const std::uint64_t trigger_clocks_, lost_edges_;
    std::uint64_t hz_ = 0;
    std::array<std::uint32_t, 14> held_{};
    std::array<Pending, 5> pending_{};
    std::uint32_t count_ = 0, repetitions_ = 0;
    bool started_ = false, single_ = false;
    bool armed_ = false;       ///< SNGSTRT or CNTSTRT waits for triggers
    Waiting start_;            ///< by a trigger
    Picoseconds origin_ = 0;   ///< where the clock under way began
    std::uint64_t ticks_ = 0;  ///< since then, of those that are counted
    std::array<Line, 2> lines_{};
    std::uint64_t lost_ = 0;  ///< edges of an external clock that are still lost
    unsigned phase_ = 0;      ///< edges since the last tick
    std::uint8_t once_ = 0;   ///< outputs that set-once mode has set
    std::uint8_t listened_ = 0;
    Outputs told_;
    SignalLevel level_;
    sc_core::sc_event next_;
};

}  // namespace n6vp::models

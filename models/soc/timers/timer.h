// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <systemc>

#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"

namespace n6vp::models {

/// What differs between the timers of a chip.
struct TimerLayout {
    unsigned bits = 16;       ///< width of the counter: 16 or 32
    unsigned channels = 0;    ///< with a compare register: 0 to 4
    bool repetition = false;  ///< has RCR and BDTR
};

/// Returns the layout of the timer of that name ("TIM2") in any of the chips; the width of TIM3 and
/// TIM4 is the chip's. Source: instance macros of the CMSIS device headers.
[[nodiscard]] TimerLayout timer_layout(std::string_view name, bool wide_3_and_4);

/// A timer (TIM1 to TIM18): counts at the clock over PSC + 1, up from 0 to ARR; one with four
/// channels also down from ARR to 0, or both ways, by CR1.DIR and CMS.
///
/// Modelled: CR1 (CEN, UDIS, URS, OPM, ARPE, UIFREMAP), preload of PSC, ARR, RCR and CCR1 to CCR4,
/// EGR.UG and CCxG, SR.UIF and CCxIF of output channels, DIER and the interrupt lines, CNT of 16 or
/// 32 bits at any time without drift; DMA requests of updates and compare events, single or, by DCR
/// and DMAR of the STM32N6, as bursts; the trigger output TRGO by CR2.MMS 0 to 7 and TRGO2 by MMS2
/// 0 to 7: UG, CEN, update, compare events or captures of channel 1, OC1REF to OC4REF.
/// ARR = 0 stops the counter. Counting takes no event of the kernel; an enabled interrupt or
/// request takes one, and so does a trigger or an output that somebody listens to.
/// With pins (`on_outputs`): output compare modes 0 to 7 with polarity, complementary outputs, MOE,
/// OSSI, OSSR and idle levels; capture of TI1 to TI4 with edges, prescaler and overcapture; of the
/// slave modes reset, gated, trigger, external clock 1 and encoder 1 to 3 by TI1 and TI2. ETR of
/// timers with four channels, with ETP, ETPS and ETF: external clock mode 2, and ETRF as trigger.
/// The same slave modes but the encoder's by TRGO of other timers (`triggers`).
/// Captures by TRC: those triggers, or both edges of TI1.
/// Software that reads the counter ahead of the kernel sees a trigger or an external clock up to
/// that much late. Timers that trigger each other in a ring go round once.
/// Not modelled: other output modes and what they would trigger, dead time and break (the levels
/// are those without them), filters of TI1 to TI4, other sources of ETR than its pin, OCxREF
/// cleared by ETRF, dithering: these registers keep what is written, and a value that switches one
/// of them on answers "not modelled". With a clock that is not modelled the counter stands still.
/// A change of the clock restarts the clock period under way, as does CEN.
/// Source: registers and bits of the CMSIS device headers (TIM_TypeDef); behaviour as the reference
/// manuals of the STM32 families describe it, the same for all.
class Timer : public sc_core::sc_module, public RegisterBlock {
  public:
    Timer(const sc_core::sc_module_name& name, const char* block, const TimerLayout& layout);
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// Set for an advanced timer, which has a line of its own for compare events; without it they
    /// are on the other line, too.
    std::function<void(bool level)> on_compare_interrupt;
    /// The same for triggers.
    std::function<void(bool level)> on_trigger_interrupt;

    /// Sources of DMA requests: the update, then the compare channels.
    static constexpr unsigned kUpdateRequest = 0, kRequests = 5;
    /// A source wants a transfer, or no more, from the absolute time `at` on. While it is not
    /// connected, the enables of DIER answer "not modelled".
    std::function<void(unsigned source, bool level, Picoseconds at)> on_request;
    /// The DMA has taken a request at the absolute time `at`.
    void request_taken(unsigned source, Picoseconds at);

    /// TRGO has changed at the absolute time `at`, while somebody listens. A pulse is told as both
    /// of its edges at once. While it is not connected, MMS answers "not modelled".
    std::function<void(bool level, Picoseconds at)> on_trigger;
    /// Somebody acts on triggers from the absolute time `at` on, or nobody any more.
    void listen_to_trigger(bool listens, Picoseconds at);
    /// The level of TRGO when it was last looked at.
    [[nodiscard]] bool trigger_output() const { return masters_[kTrgo].level; }
    /// The same for TRGO2 by MMS2, which TIM1 and TIM8 have.
    std::function<void(bool level, Picoseconds at)> on_second_trigger;
    void listen_to_second_trigger(bool listens, Picoseconds at);

    /// The internal triggers (ITR0 and so on, by their bits) that TRGO of another timer reaches.
    /// The others answer "not modelled".
    std::uint32_t triggers = 0;
    /// Returns the number of the internal trigger that it acts on as a slave, or captures by.
    [[nodiscard]] std::optional<unsigned> trigger_source() const;
    /// `trigger_source` may be another one from the absolute time `at` on. Returns its level.
    std::function<bool(Picoseconds at)> on_trigger_source;
    /// The level of `trigger_source` is this one from the absolute time `at` on.
    void trigger(bool level, Picoseconds at);

    /// Levels at the outputs: bit 2 x of channel x + 1, bit 2 x + 1 of its complementary output.
    struct Outputs {
        std::uint8_t driven = 0, high = 0;
        [[nodiscard]] bool operator==(const Outputs&) const = default;
    };
    /// Outputs that somebody listens to have changed at the absolute time `at`; the others are
    /// zero. While it is not connected, channels have no pins: outputs and inputs answer "not
    /// modelled".
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

    /// The level at the input of a channel, from 0, is another one from the absolute time `at` on.
    void input(unsigned channel, bool level, Picoseconds at);
    /// The same of the pin ETR.
    void external_trigger(bool level, Picoseconds at);

    /// Frequency of the clock in front of PSC from the kernel's time on; 0 stops it (clock gate).
    void set_kernel_hz(double hz);
    /// The same from the absolute time `at` on, for a change by an access ahead of the kernel.
    void set_kernel_hz(double hz, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    void set_reset_values();
    void step();
    /// All that the counter does up to `at` has happened.
    void settle(Picoseconds at);
    /// The clock under way is the one of that number.
    void advance(std::uint64_t clocks);
    void count(std::uint64_t ticks);
    /// The counter goes on by so many ticks without coming to its end.
    void walk(std::uint32_t ticks);
    /// What happens at the compare registers that the counter meets from `first` to `last`, `times`
    /// times.
    void compare(std::uint64_t first, std::uint64_t last, std::uint64_t times = 1);
    /// End of a period, or UG.
    void load();
    void overflow(Picoseconds at);
    /// The counter is where its way begins: at the end of the one before if it turns round there.
    void begin_way(bool turns);
    /// A counter that goes both ways has come to 0 or ARR by a write.
    void turn_at_ends();
    /// `periods` more of the same length end.
    void repeat(std::uint64_t periods);
    /// The clock under way begins at `at`.
    void restart(Picoseconds at);
    void generate(std::uint32_t events, Picoseconds at);
    /// An update has happened: its requests, and those of the channels if they come with it.
    void ask_for_update();
    void ask(unsigned source);
    /// Returns the sources whose requests DIER enables, by their bits.
    [[nodiscard]] std::uint32_t asking() const;
    void update_requests(Picoseconds at);
    [[nodiscard]] std::uint32_t burst_register() const;
    [[nodiscard]] Answer access_burst(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                      bool write, Picoseconds at);

    static constexpr unsigned kTrgo = 0, kTrgo2 = 1;
    struct TriggerOutput {
        bool listened = false, level = false;
    };
    void listen(unsigned output, bool listens, Picoseconds at);
    void tell(unsigned output, bool level, Picoseconds at) const;
    /// MMS or MMS2.
    [[nodiscard]] unsigned master_mode(unsigned output) const;
    /// Returns true if somebody listens to an output of that mode.
    [[nodiscard]] bool triggers_by(unsigned mode) const;
    /// Those outputs have a pulse.
    void pulse(unsigned mode, Picoseconds at) const;
    [[nodiscard]] bool trigger_level(unsigned output) const;
    void update_triggers(Picoseconds at);
    /// Returns the ticks to where a compare event may change an output that somebody listens to, 0
    /// if there is none.
    [[nodiscard]] std::uint64_t to_edge() const;
    [[nodiscard]] bool trigger_known(unsigned output) const;
    [[nodiscard]] bool master_known(std::uint32_t value) const;
    void write_control(std::uint32_t next, Picoseconds at);

    /// The byte of CCMR1 or CCMR2 that is the channel's, and what is above it.
    [[nodiscard]] std::uint32_t channel_mode(unsigned channel) const;
    /// OCxM or what a slave does, by their numbers.
    [[nodiscard]] unsigned output_mode(unsigned channel) const;
    [[nodiscard]] unsigned slave_mode() const;
    /// OCxREF.
    [[nodiscard]] bool reference(unsigned channel) const;
    /// The same of PWM mode 1.
    [[nodiscard]] bool pulse_width(unsigned channel) const;
    /// Keeps the references of modes that are about to change.
    void hold_references();
    void meet(unsigned channel, std::uint64_t times);
    /// A compare event or a capture: its flag and what comes with it.
    void mark(unsigned channel);
    /// The end of the counter's way is that event of channels whose value is beyond ARR.
    void mark_beyond();
    [[nodiscard]] bool complementary(unsigned channel) const;
    [[nodiscard]] Outputs levels() const;
    /// Returns the part of its period that an output is high.
    [[nodiscard]] double toggle_share(unsigned channel, bool high) const;
    void update_outputs(Picoseconds at);
    /// Returns true if OCxREF changes while the timer counts.
    [[nodiscard]] bool moves(unsigned channel) const;
    /// The same for an output that somebody listens to.
    [[nodiscard]] bool shows(unsigned channel) const;

    [[nodiscard]] bool captures(unsigned channel) const;
    /// TI1 or another of these inputs, by its number from 0.
    [[nodiscard]] bool timer_input(std::uint32_t inputs, unsigned number) const;
    /// Returns true if the edge of an input is one that the channel's polarity selects.
    [[nodiscard]] bool selects(unsigned channel, bool before, bool after) const;
    /// One of the events of which the prescaler of the channel lets some pass.
    void capture(unsigned channel);
    void keep_count(unsigned channel);
    /// TRC, the internal trigger or both edges of TI1: whether there is one, whether a channel
    /// captures by it, and its edge.
    [[nodiscard]] bool has_capture_trigger() const;
    [[nodiscard]] bool captures_triggers() const;
    [[nodiscard]] bool captures_trigger(unsigned channel) const;
    void capture_trigger();
    void write_channels(std::uint32_t offset, std::uint32_t next, Picoseconds at);
    /// The counter is where it was at `at`, if it has come further.
    void go_back(Picoseconds at);
    /// A channel that is off counts its events from the start again.
    void forget_events();
    /// TI1FP1 or TI2FP2, by its channel.
    [[nodiscard]] bool filtered(std::uint32_t inputs, unsigned channel) const;
    [[nodiscard]] std::optional<unsigned> internal_trigger() const;
    void follow_trigger_source(Picoseconds at);
    [[nodiscard]] bool has_trigger() const;
    [[nodiscard]] bool has_external_pin() const;
    /// Returns true if the pin ETR is the external trigger.
    [[nodiscard]] bool has_external_trigger() const;
    void write_slave(std::uint32_t offset, std::uint32_t next, Picoseconds at);
    /// Behind ETP: an edge goes on to the prescaler.
    void prescale(bool level);
    /// Returns how long a level in front of the filter ETF stays until it is the one behind it.
    [[nodiscard]] Picoseconds filter_time() const;
    /// A level has come through the filter.
    void filter_step();
    void set_etrf(bool level, Picoseconds at);
    /// ETP, ETPS or ETF may have changed.
    void restart_external_trigger();
    [[nodiscard]] bool trigger_input(std::uint32_t inputs) const;
    void act_as_slave(std::uint32_t before, Picoseconds at);
    /// Returns true if a slave mode other than an encoder's acts on TRGI.
    [[nodiscard]] bool obeys_trigger() const;
    /// TRGI has had its edge, or has opened or closed the gate.
    void react(Picoseconds at);
    /// Something from outside happens at `at`, of which software may have looked at a later time.
    void come_to(Picoseconds at);
    void follow_encoder(std::uint32_t before);
    /// One clock from outside; of an encoder with its direction.
    void tick();
    void encode(bool up);
    [[nodiscard]] bool encodes() const;
    [[nodiscard]] bool gate_closed() const;
    [[nodiscard]] bool channel_known(unsigned channel) const;
    [[nodiscard]] bool slave_known(std::uint32_t value) const;
    void write_compare(unsigned channel);
    void update(Picoseconds at);
    [[nodiscard]] bool running() const;
    /// Returns true if the counter has inputs in place of its clock.
    [[nodiscard]] bool clocked_outside() const;
    [[nodiscard]] bool has_directions() const { return layout_.channels == 4; }
    [[nodiscard]] bool counts_down() const;
    /// Returns true if the counter goes both ways.
    [[nodiscard]] bool centred() const;
    /// Returns true if the counter is behind the end of its way, ARR.
    [[nodiscard]] bool beyond() const;
    /// Returns the ticks of a period, and from its beginning, where the counter is.
    [[nodiscard]] std::uint64_t period() const;
    [[nodiscard]] std::uint64_t place() const;
    void go_to(std::uint64_t tick);
    /// Returns the ticks to the end of the counter's way, and of a whole way.
    [[nodiscard]] std::uint64_t to_turn() const;
    [[nodiscard]] std::uint64_t way() const { return std::uint64_t{reload_} + (centred() ? 0 : 1); }
    /// Returns true if a compare event at this count sets its flag.
    [[nodiscard]] bool flags_at(std::uint32_t count) const;
    /// Returns the ticks to where the counter meets the channel's value, or to the end of its way
    /// if that is before: beyond it other values may hold.
    [[nodiscard]] std::uint64_t to_match(unsigned channel) const;
    /// Returns true if the channel compares: it exists and is an output.
    [[nodiscard]] bool compares(unsigned channel) const;
    [[nodiscard]] bool preloads(unsigned channel) const;
    /// Returns the ticks to the next event that somebody awaits, 0 if there is none.
    [[nodiscard]] std::uint64_t to_event() const;
    [[nodiscard]] bool known(std::uint32_t offset, std::uint32_t value) const;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    const TimerLayout layout_;
    const std::uint32_t top_;  ///< largest count
    std::uint64_t hz_ = 0;
    std::array<std::uint32_t, 0x70 / 4> held_{};
    std::uint32_t count_ = 0;
    std::uint32_t prescaler_ = 0, reload_ = 0;  ///< in use; PSC and ARR are their preloads
    std::array<std::uint32_t, 4> compare_{};    ///< in use; CCR1 to CCR4 are their preloads
    std::uint64_t repetitions_ = 0;             ///< periods that end before that of the next update
    Picoseconds origin_ = 0;                    ///< where the clock under way began
    std::uint64_t clocks_ = 0;                  ///< since then, of those that are counted
    std::uint64_t phase_ = 0;                   ///< of them, since the last tick
    std::uint32_t burst_ = 0;                   ///< DCR
    unsigned burst_index_ = 0;                  ///< of the next access to DMAR
    std::array<unsigned, kRequests> wanted_{};  ///< transfers of each source
    std::array<bool, kRequests> request_level_{};
    std::array<TriggerOutput, 2> masters_;
    bool first_met_ = false;       ///< an event of channel 1 of which triggers do not tell yet
    bool internal_level_ = false;  ///< of `trigger_source`
    bool busy_ = false;            ///< counts, or reacts to a trigger
    std::uint8_t references_ = 0;  ///< OCxREF of modes that keep it
    std::uint8_t listened_outputs_ = 0;
    Outputs told_;
    std::uint8_t inputs_ = 0;               ///< levels of the channels' pins
    bool external_pin_ = false;             ///< level of the pin ETR
    bool divided_ = false, etrf_ = false;   ///< ETR after its prescaler; after its filter
    unsigned external_edges_ = 0;           ///< of ETRP, since the prescaler has begun
    std::array<std::uint8_t, 4> events_{};  ///< since the last capture
    SignalLevel level_, compare_level_, trigger_interrupt_;
    sc_core::sc_event next_, filter_end_;
};

}  // namespace n6vp::models

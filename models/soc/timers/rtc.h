// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/register_block.h"
#include "models/soc/timers/calendar.h"

namespace n6vp::models {

struct RtcParameters {
    Parameter clock{"clock",
                    32768,
                    {"Hz", {1, 1e6}},
                    Confidence::Documented,
                    "crystal of the boards, until RCC_CCIPR7.RTCSEL selects a clock"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.clock);
    }
};

/// The real-time clock.
///
/// Modelled: write protection of what sets the time, initialisation mode, prescalers, the calendar
/// in 24 and 12 hours, sub-seconds, alarms A and B with their masks, the wake-up timer, time stamps
/// of the pin RTC_TS and of tampers with their overflow, flags, SCR, MISR and SMISR, the two
/// interrupt lines; INITF, RSF, WUTWF, SHPF and RECALPF follow after `FlagTimes::rtc`. An event of
/// the kernel is pending only while an alarm or the wake-up timer is on.
///
/// Not modelled: the freeze of DR after a read of TR, sub-second compare, binary mode, calibration,
/// shift, time stamps of the supply, outputs, daylight saving, access rights to the
/// registers.
///
/// Assumed: WUCKSEL = 6 adds 65536 to the count; a time stamp takes no clocks; a reset of the chip
/// leaves the calendar and its clock alone; without a selection, or with a source that is off, the
/// clock runs on as before.
class Rtc : public sc_core::sc_module, public RegisterBlock {
  public:
    Rtc(const sc_core::sc_module_name& name, const char* block,
        const RtcParameters& parameters = {}, const FlagTimes& times = {});
    using RegisterBlock::name;

    /// Levels of the lines RTC and RTC_S.
    std::function<void(bool secure, bool level)> on_interrupt;

    /// Frequency of the clock from the absolute time `at` on, above zero; before, it is that of
    /// the parameters.
    void set_clock_hz(double hz, Picoseconds at);

    /// Returns true if an alarm or the wake-up timer is on that interrupts.
    [[nodiscard]] bool will_interrupt() const;

    /// A tamper was detected: a time stamp, if CR.TAMPTS asks for it.
    void note_tamper(Picoseconds at);

    /// Level of the pin RTC_TS from the absolute time `at` on; low before.
    void set_stamp_pin(bool level, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    /// A reset of the chip: the registers are in the backup domain and stay.
    void reset() override;
    /// The state after power-on, at the absolute time `at`.
    void power_on(Picoseconds at);

  private:
    void step();
    void settle(Picoseconds at);
    void stamp(Picoseconds at);
    void schedule(Picoseconds at);
    void update_lines();
    [[nodiscard]] std::uint64_t second_clocks() const;
    [[nodiscard]] std::uint64_t clocks(Picoseconds at) const;
    [[nodiscard]] Calendar now(Picoseconds at) const;
    [[nodiscard]] Picoseconds time_after(Picoseconds at, std::uint64_t clocks) const;
    [[nodiscard]] Picoseconds time_of(std::uint64_t seconds) const;
    [[nodiscard]] std::uint64_t wake_up_clocks() const;
    [[nodiscard]] Picoseconds next_alarm(unsigned alarm, Picoseconds at) const;
    [[nodiscard]] std::uint32_t status(Picoseconds at) const;
    /// Values of TR, DR and SSR; INITF holds them.
    [[nodiscard]] bool held(Picoseconds at) const;
    [[nodiscard]] std::uint32_t time(Picoseconds at) const;
    [[nodiscard]] std::uint32_t date(Picoseconds at) const;
    [[nodiscard]] std::uint32_t subsecond(Picoseconds at) const;
    [[nodiscard]] std::uint32_t masked(bool secure) const;
    void write_init(std::uint32_t value, std::uint32_t mask, Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);
    void write_calendar(std::uint32_t offset, std::uint32_t value);
    void write_key(std::uint32_t key);
    bool write_alarm(std::uint32_t offset, std::uint32_t value, std::uint32_t mask, Picoseconds at);
    bool write_access(std::uint32_t offset, std::uint32_t value, std::uint32_t mask);
    bool write_clock(std::uint32_t offset, std::uint32_t value, std::uint32_t mask, Picoseconds at);
    void stop(Picoseconds at);
    void start(Picoseconds at);
    [[nodiscard]] bool twelve() const { return (control_ & 1u << 6) != 0; }

    const RtcParameters parameters_;
    const Picoseconds delay_;
    unsigned keys_ = 0;  ///< of the two of WPR, written
    bool init_ = false;
    Picoseconds init_at_ = 0;  ///< INITF follows INIT
    Picoseconds synchronised_ = 0, shifted_ = 0, calibrated_ = 0, timer_free_ = 0;
    std::uint32_t control_ = 0, prescaler_ = 0, wake_up_ = 0, flags_ = 0;
    std::uint32_t privilege_ = 0, security_ = 0, calibration_ = 0;
    std::array<std::uint32_t, 2> alarms_{}, subseconds_{}, binary_{};
    std::array<std::uint32_t, 3> stamp_{};  ///< TSTR, TSDR, TSSSR
    bool stamp_pin_ = false;
    std::array<Picoseconds, 2> alarm_at_{kNever, kNever};
    Picoseconds wake_up_at_ = kNever;
    Calendar start_;  ///< of the calendar, at `started_`
    Picoseconds started_ = 0;
    std::uint64_t hz_ = 1;
    std::uint64_t carried_ = 0;          ///< clocks of that second which had passed by then
    std::uint32_t time_ = 0, date_ = 0;  ///< TR and DR while it is stopped
    std::array<bool, 2> levels_{};
    sc_core::sc_event next_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/timers/rtc.h"

#include <algorithm>
#include <cmath>

#include "models/duration.h"
#include "models/soc/base/clock_periods.h"

namespace n6vp::models {
namespace {

enum RtcOffset : std::uint32_t {
    kRtcTr = 0x00,
    kRtcDr = 0x04,
    kRtcSsr = 0x08,
    kRtcIcsr = 0x0C,
    kRtcPrer = 0x10,
    kRtcWutr = 0x14,
    kRtcCr = 0x18,
    kRtcPrivcfgr = 0x1C,
    kRtcSeccfgr = 0x20,
    kRtcWpr = 0x24,
    kRtcCalr = 0x28,
    kRtcShiftr = 0x2C,
    kRtcStampTime = 0x30,
    kRtcStampDate = 0x34,
    kRtcStampSub = 0x38,
    kRtcAlarmA = 0x40,
    kRtcSubA = 0x44,
    kRtcAlarmB = 0x48,
    kRtcSubB = 0x4C,
    kRtcSr = 0x50,
    kRtcMisr = 0x54,
    kRtcSmisr = 0x58,
    kRtcScr = 0x5C,
    kRtcBinaryA = 0x70,
    kRtcBinaryB = 0x74,
    kRtcLast = kRtcBinaryB,
};
constexpr std::uint32_t kRtcInit = 1u << 7, kRtcInitFlag = 1u << 6, kRtcSynchronised = 1u << 5,
                        kRtcYearSet = 1u << 4, kRtcShifts = 1u << 3, kRtcTimerFree = 1u << 2,
                        kRtcCalibrates = 1u << 16;
constexpr std::uint32_t kRtcTimer = 1u << 10;     ///< CR.WUTE; ALRAE is two below
constexpr std::uint32_t kRtcAlarms = 3u << 8;     ///< CR: ALRAE, ALRBE
constexpr std::uint32_t kRtcTimerFlag = 1u << 2;  ///< SR.WUTF
constexpr std::uint32_t kRtcStampFlag = 1u << 3, kRtcStampLost = 1u << 4;   ///< SR: TSF, TSOVF
constexpr std::uint32_t kRtcStampFalling = 1u << 3, kRtcStamps = 1u << 11;  ///< CR: TSEDGE, TSE
constexpr std::uint32_t kRtcTamperStamps = 1u << 25;                        ///< CR.TAMPTS
constexpr std::uint32_t kRtcFlags = 0x7F;
constexpr std::uint32_t kRtcPrerReset = 0x007F00FF, kRtcDrReset = 0x2101;
/// CR: what is modelled of it. FMT, alarms, timer and time stamps with their interrupts,
/// WUCKSEL, BYPSHAD.
constexpr std::uint32_t kRtcControl = 0x7 | 1u << 5 | 1u << 6 | kRtcAlarms | kRtcTimer |
                                      kRtcStampFalling | kRtcStamps | kRtcTamperStamps | 15u << 12;

/// Of ALRMxSSR and ALRxBINR: the same 15 bits.
constexpr std::uint32_t kRtcSharedSub = 0x7FFF;

/// Bits that WPR protects: what sets the time and its pace. Alarms, wake-up timer, time stamps,
/// outputs and the flags that software clears are free. Source: which functions of the HAL unlock.
[[nodiscard]] std::uint32_t protected_bits(std::uint32_t offset) {
    constexpr std::uint32_t kBinary = 3u << 8 | 7u << 10;          // ICSR: BIN, BCDU
    constexpr std::uint32_t kFormat = 1u << 6, kHours = 3u << 16;  // CR: FMT, ADD1H, SUB1H
    constexpr std::uint32_t kReference = 1u << 4;                  // CR: REFCKON
    switch (offset) {
        case kRtcTr:
        case kRtcDr:
        case kRtcPrer:
        case kRtcCalr:
        case kRtcShiftr:
            return ~0u;
        case kRtcIcsr:
            return kRtcInit | kBinary;
        case kRtcCr:
            return kFormat | kHours | kReference;
        default:
            return 0;
    }
}

[[nodiscard]] const char* rtc_name(std::uint32_t offset) {
    constexpr const char* kNames[] = {
        "TR",      "DR",       "SSR",    "ICSR",     "PRER",     "WUTR",    "CR",    "PRIVCFGR",
        "SECCFGR", "WPR",      "CALR",   "SHIFTR",   "TSTR",     "TSDR",    "TSSSR", "",
        "ALRMAR",  "ALRMASSR", "ALRMBR", "ALRMBSSR", "SR",       "MISR",    "SMISR", "SCR",
        "",        "",         "",       "",         "ALRABINR", "ALRBBINR"};
    return offset <= kRtcLast ? kNames[offset / 4] : "";
}

[[nodiscard]] std::uint64_t rounded_hz(double hz) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(hz)));
}

/// Bits of SR that the secure line reports, by SECCFGR.
[[nodiscard]] std::uint32_t secure_flags(std::uint32_t security) {
    constexpr std::uint32_t kAll = 1u << 15, kSingle = 0xF;
    if ((security & kAll) != 0) return kRtcFlags;
    const std::uint32_t single = security & kSingle;
    return single | ((single & kRtcStampFlag) != 0 ? kRtcStampLost : 0);
}

}  // namespace

Rtc::Rtc(const sc_core::sc_module_name& name, const char* block, const RtcParameters& parameters,
         const FlagTimes& times)
    : sc_module(name),
      RegisterBlock(block),
      parameters_(parameters),
      delay_(std::max<Picoseconds>(1, ns_to_ps(times.rtc.value * 1e3))) {
    SC_HAS_PROCESS(Rtc);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    power_on(0);
}

void Rtc::power_on(Picoseconds at) {
    keys_ = 0;
    hz_ = rounded_hz(parameters_.clock.value);
    init_ = false;
    init_at_ = synchronised_ = shifted_ = calibrated_ = timer_free_ = 0;
    control_ = flags_ = privilege_ = security_ = calibration_ = 0;
    prescaler_ = kRtcPrerReset;
    wake_up_ = 0xFFFF;
    alarms_ = subseconds_ = binary_ = {};
    stamp_ = {};
    time_ = 0;
    date_ = kRtcDrReset;
    start(at);
    update_lines();
}

void Rtc::reset() {
    keys_ = 0;
}

// Time ---------------------------------------------------------------------------------------

void Rtc::set_clock_hz(double hz, Picoseconds at) {
    const std::uint64_t next = rounded_hz(hz);
    if (next == hz_) return;
    settle(at);
    // What has passed of the second and of the timer's period, in clocks, has passed.
    const std::uint64_t passed = clocks(at), second = second_clocks();
    const bool timer = wake_up_at_ != kNever;
    const std::uint64_t left = timer ? periods_in(wake_up_at_ - at, hz_) : 0;
    start_ = start_.after(passed / second);
    carried_ = passed % second;
    started_ = at;
    hz_ = next;
    if (timer) wake_up_at_ = time_after(at, left);
    schedule(at);
    update_lines();
}

/// Clocks since the second in which the calendar has started.
std::uint64_t Rtc::clocks(Picoseconds at) const {
    return carried_ + periods_in(at > started_ ? at - started_ : 0, hz_);
}

std::uint64_t Rtc::second_clocks() const {
    return ((prescaler_ >> 16 & 0x7F) + std::uint64_t{1}) * ((prescaler_ & 0x7FFF) + 1);
}

Calendar Rtc::now(Picoseconds at) const {
    return start_.after(clocks(at) / second_clocks());
}

/// When so many clocks have passed since `at`; kNever if that is behind the end of the simulation's
/// time, 213 days.
Picoseconds Rtc::time_after(Picoseconds at, std::uint64_t clocks) const {
    if (clocks / hz_ >= (kNever - at) / (kMillion * kMillion)) return kNever;
    return at + periods_to_ps(clocks, hz_);
}

/// When so many seconds of the calendar have passed since its start.
Picoseconds Rtc::time_of(std::uint64_t seconds) const {
    return time_after(started_, seconds * second_clocks() - carried_);
}

void Rtc::stop(Picoseconds at) {
    const Calendar held = now(at);
    time_ = held.tr(twelve());
    date_ = held.dr();
}

void Rtc::start(Picoseconds at) {
    start_ = Calendar::from(time_, date_, twelve());
    started_ = at;
    carried_ = 0;
    schedule(at);
}

std::uint64_t Rtc::wake_up_clocks() const {
    const std::uint32_t select = control_ & 7;
    const std::uint64_t count = (wake_up_ & 0xFFFF) + std::uint64_t{1};
    if (select < 4) return count << (4 - select);
    return (select >= 6 ? count + 0x10000 : count) * second_clocks();
}

Picoseconds Rtc::next_alarm(unsigned alarm, Picoseconds at) const {
    if ((control_ & 1u << (8 + alarm)) == 0 || init_) return kNever;
    const std::uint64_t passed = clocks(at) / second_clocks();
    const std::uint64_t seconds = start_.after(passed).to_match(alarms_[alarm], twelve());
    return seconds == 0 ? kNever : time_of(passed + seconds);
}

/// Alarms and timer begin anew: software has changed what they depend on.
void Rtc::schedule(Picoseconds at) {
    for (unsigned alarm = 0; alarm < alarm_at_.size(); ++alarm)
        alarm_at_[alarm] = next_alarm(alarm, at);
    const bool timer = (control_ & kRtcTimer) != 0;
    if (!timer) wake_up_at_ = kNever;
    if (timer && wake_up_at_ == kNever) wake_up_at_ = time_after(at, wake_up_clocks());
    const Picoseconds next = std::min({alarm_at_[0], alarm_at_[1], wake_up_at_});
    next_.cancel();
    if (next != kNever) next_.notify(delay_until(next));
}

void Rtc::settle(Picoseconds at) {
    for (Picoseconds next = 0; next <= at;) {
        next = std::min({alarm_at_[0], alarm_at_[1], wake_up_at_});
        if (next > at) break;
        for (unsigned alarm = 0; alarm < alarm_at_.size(); ++alarm) {
            if (alarm_at_[alarm] > next) continue;
            flags_ |= 1u << alarm;
            alarm_at_[alarm] = next_alarm(alarm, next);
        }
        if (wake_up_at_ > next) continue;
        flags_ |= kRtcTimerFlag;
        wake_up_at_ = time_after(next, wake_up_clocks());
    }
}

void Rtc::step() {
    const Picoseconds at = sc_core::sc_time_stamp().value();
    settle(at);
    schedule(at);
    update_lines();
}

void Rtc::set_stamp_pin(bool level, Picoseconds at) {
    if (level == stamp_pin_) return;
    stamp_pin_ = level;
    const bool falling = (control_ & kRtcStampFalling) != 0;
    if ((control_ & kRtcStamps) == 0 || level == falling) return;
    stamp(at);
}

void Rtc::note_tamper(Picoseconds at) {
    if ((control_ & kRtcTamperStamps) != 0) stamp(at);
}

void Rtc::stamp(Picoseconds at) {
    settle(at);
    if ((flags_ & kRtcStampFlag) != 0) {
        flags_ |= kRtcStampLost;  // the registers keep the first
    } else {
        constexpr std::uint32_t kNoYear = 0xFFFF;
        flags_ |= kRtcStampFlag;
        stamp_ = {time(at), date(at) & kNoYear, subsecond(at)};
    }
    update_lines();
}

bool Rtc::will_interrupt() const {
    const auto interrupts = [this](unsigned bit) { return (control_ >> (12 + bit) & 1) != 0; };
    constexpr unsigned kTimer = 2;
    return (alarm_at_[0] != kNever && interrupts(0)) || (alarm_at_[1] != kNever && interrupts(1)) ||
           (wake_up_at_ != kNever && interrupts(kTimer));
}

std::uint32_t Rtc::masked(bool secure) const {
    // CR has the enables of SR's bits from bit 12 on, as far as they are modelled.
    const std::uint32_t enables = control_ >> 12 & 15;
    const std::uint32_t lost = (enables & kRtcStampFlag) != 0 ? kRtcStampLost : 0;
    const std::uint32_t enabled = flags_ & (enables | lost);
    const std::uint32_t of_secure = secure_flags(security_);
    return enabled & (secure ? of_secure : ~of_secure);
}

void Rtc::update_lines() {
    for (const bool secure : {false, true}) {
        const bool level = masked(secure) != 0;
        if (level == levels_[secure ? 1 : 0]) continue;
        levels_[secure ? 1 : 0] = level;
        if (on_interrupt) on_interrupt(secure, level);
    }
}

// Registers ----------------------------------------------------------------------------------

std::uint32_t Rtc::status(Picoseconds at) const {
    std::uint32_t flags = 3 | (init_ ? kRtcInit : 0);  // alarms can be written
    if (held(at)) flags |= kRtcInitFlag;
    if (!init_ && at >= synchronised_) flags |= kRtcSynchronised;
    if ((date(at) >> 16 & 0xFF) != 0) flags |= kRtcYearSet;
    if (at < shifted_) flags |= kRtcShifts;
    if (at < calibrated_) flags |= kRtcCalibrates;
    if ((control_ & kRtcTimer) == 0 ? at >= timer_free_ : at < timer_free_) flags |= kRtcTimerFree;
    return flags;
}

bool Rtc::held(Picoseconds at) const {
    return init_ && at >= init_at_;
}

std::uint32_t Rtc::time(Picoseconds at) const {
    return held(at) ? time_ : now(at).tr(twelve());
}

std::uint32_t Rtc::date(Picoseconds at) const {
    return held(at) ? date_ : now(at).dr();
}

std::uint32_t Rtc::subsecond(Picoseconds at) const {
    const std::uint64_t passed = held(at) ? 0 : clocks(at) % second_clocks();
    const auto ticks = static_cast<std::uint32_t>(passed / ((prescaler_ >> 16 & 0x7F) + 1));
    return (prescaler_ & 0x7FFF) - ticks;
}

RegisterBlock::Answer Rtc::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    update_lines();
    Answer answer{.name = rtc_name(offset)};
    switch (offset) {
        case kRtcTr:
            answer.value = time(at);
            break;
        case kRtcDr:
            answer.value = date(at);
            break;
        case kRtcSsr:
            answer.value = subsecond(at);
            break;
        case kRtcIcsr:
            answer.value = status(at);
            break;
        case kRtcPrer:
            answer.value = prescaler_;
            break;
        case kRtcWutr:
            answer.value = wake_up_;
            break;
        case kRtcCr:
            answer.value = control_;
            break;
        case kRtcPrivcfgr:
            answer.value = privilege_;
            break;
        case kRtcSeccfgr:
            answer.value = security_;
            break;
        case kRtcCalr:
            answer.value = calibration_;
            break;
        case kRtcStampTime:
        case kRtcStampDate:
        case kRtcStampSub:
            answer.value = stamp_[(offset - kRtcStampTime) / 4];
            break;
        case kRtcAlarmA:
        case kRtcAlarmB:
            answer.value = alarms_[offset == kRtcAlarmB ? 1 : 0];
            break;
        case kRtcSubA:
        case kRtcSubB:
            answer.value = subseconds_[offset == kRtcSubB ? 1 : 0];
            break;
        case kRtcBinaryA:
        case kRtcBinaryB:
            answer.value = binary_[offset == kRtcBinaryB ? 1 : 0];
            break;
        case kRtcSr:
            answer.value = flags_;
            break;
        case kRtcMisr:
        case kRtcSmisr:
            answer.value = masked(offset == kRtcSmisr);
            break;
        case kRtcWpr:
        case kRtcScr:
            break;
        default:
            answer.modelled = false;
            break;
    }
    return answer;
}

void Rtc::write_init(std::uint32_t value, std::uint32_t mask, Picoseconds at) {
    // RSF is cleared by writing zero.
    if ((mask & kRtcSynchronised) != 0 && (value & kRtcSynchronised) == 0)
        synchronised_ = at + delay_;
    if ((mask & kRtcInit) == 0) return;
    const bool asks = (value & kRtcInit) != 0;
    if (asks == init_) return;
    init_ = asks;
    if (asks) {
        init_at_ = at + delay_;
        stop(init_at_);
        schedule(at);
    } else {
        synchronised_ = at + delay_;
        start(at);
    }
}

void Rtc::write_control(std::uint32_t next, Picoseconds at) {
    const std::uint32_t changed = next ^ control_;
    if ((changed & kRtcTimer) != 0) {
        timer_free_ = at + delay_;
        wake_up_at_ = kNever;
    }
    if ((changed & 1u << 6) != 0 && !init_) {
        stop(at);  // another format of the same time
        control_ = next;
        time_ = now(at).tr(twelve());
    }
    control_ = next;
    schedule(at);
}

void Rtc::write_calendar(std::uint32_t offset, std::uint32_t value) {
    if (!init_) return;
    if (offset == kRtcTr) time_ = value & 0x007F7F7F;
    if (offset == kRtcDr) date_ = value & 0x00FFFF3F;
    if (offset == kRtcPrer) prescaler_ = value & 0x007F7FFF;
}

void Rtc::write_key(std::uint32_t key) {
    constexpr std::uint32_t kFirstKey = 0xCA, kSecondKey = 0x53;
    if (keys_ == 1 && key == kSecondKey) {
        keys_ = 2;
    } else {
        keys_ = key == kFirstKey ? 1 : 0;
    }
}

bool Rtc::write_alarm(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                      Picoseconds at) {
    const auto merge = [=](std::uint32_t& held) { held = (held & ~mask) | (value & mask); };
    const bool binary = offset == kRtcBinaryA || offset == kRtcBinaryB;
    const unsigned alarm =
        offset == kRtcAlarmB || offset == kRtcSubB || offset == kRtcBinaryB ? 1 : 0;
    if (binary) {
        merge(binary_[alarm]);
        subseconds_[alarm] =
            (subseconds_[alarm] & ~kRtcSharedSub) | (binary_[alarm] & kRtcSharedSub);
        return true;  // compared by what ALRMxSSR asks for
    }
    if (offset == kRtcSubA || offset == kRtcSubB) {
        merge(subseconds_[alarm]);
        binary_[alarm] = (binary_[alarm] & ~kRtcSharedSub) | (subseconds_[alarm] & kRtcSharedSub);
        return (subseconds_[alarm] >> 24 & 0x3F) == 0;
    }
    merge(alarms_[alarm]);
    schedule(at);
    return true;
}

/// Keys, clears of flags and access rights. Returns false if it is none of them.
bool Rtc::write_access(std::uint32_t offset, std::uint32_t value, std::uint32_t mask) {
    const std::uint32_t written = value & mask;
    if (offset == kRtcWpr) write_key(written & 0xFF);
    if (offset == kRtcScr) flags_ &= ~written;
    if ((flags_ & kRtcStampFlag) == 0) stamp_ = {};  // as the HAL says of its handler
    if (offset == kRtcPrivcfgr) privilege_ = (privilege_ & ~mask) | written;
    if (offset == kRtcSeccfgr) security_ = (security_ & ~mask) | written;
    return offset == kRtcWpr || offset == kRtcScr || offset == kRtcPrivcfgr ||
           offset == kRtcSeccfgr;
}

RegisterBlock::Answer Rtc::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    settle(at);
    Answer answer{.name = rtc_name(offset)};
    const std::uint32_t open = keys_ == 2 ? mask : mask & ~protected_bits(offset);
    if (write_access(offset, value, mask)) {
        answer.modelled = offset != kRtcPrivcfgr || privilege_ == 0;
    } else if (open != 0) {
        answer.modelled = write_clock(offset, value, open, at);
    }
    update_lines();
    return answer;
}

/// Returns false if the value asks for something that is not modelled.
bool Rtc::write_clock(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                      Picoseconds at) {
    const auto merged = [&](std::uint32_t held) { return (held & ~mask) | (value & mask); };
    switch (offset) {
        case kRtcTr:
            write_calendar(offset, merged(time_));
            return true;
        case kRtcDr:
            write_calendar(offset, merged(date_));
            return true;
        case kRtcPrer:
            write_calendar(offset, merged(prescaler_));
            return true;
        case kRtcIcsr:
            write_init(value, mask, at);
            return (value & mask & 3u << 8) == 0;
        case kRtcWutr:
            wake_up_ = merged(wake_up_);
            return wake_up_ >> 16 == 0;
        case kRtcCr:
            write_control(merged(control_), at);
            return (control_ & ~kRtcControl) == 0;
        case kRtcCalr:
            calibration_ = merged(calibration_);
            calibrated_ = at + delay_;
            return calibration_ == 0;
        case kRtcShiftr:
            shifted_ = at + delay_;
            return false;
        case kRtcAlarmA:
        case kRtcAlarmB:
        case kRtcSubA:
        case kRtcSubB:
        case kRtcBinaryA:
        case kRtcBinaryB:
            return write_alarm(offset, value, mask, at);
        default:
            return offset == kRtcSsr || (offset >= kRtcStampTime && offset <= kRtcStampSub) ||
                   (offset >= kRtcSr && offset <= kRtcSmisr);
    }
}

}  // namespace n6vp::models

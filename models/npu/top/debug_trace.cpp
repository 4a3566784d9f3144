// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/debug_trace.h"

#include <bit>

#include "models/npu/registers/field_value.h"

namespace n6vp::models::npu {

namespace {

using memmap::npu::kDebugTrace;

constexpr RegisterWindow::Unit kUnit{&kDebugTrace, 0};
constexpr Register kCount = reg(kDebugTrace, "EVENT_CNT");
constexpr Register kEvents = reg(kDebugTrace, "EVENT");
constexpr Register kTriggers = reg(kDebugTrace, "TRIG");

// Numbers of signals. Bursts lie in pairs, one for each master: reads of 1, 2, 4, 8 beats, then
// writes.
constexpr unsigned kGround = 0, kSupply = 1, kFirstSourceStall = 2, kFirstSourceValid = 56,
                   kFirstDestinationStall = 83, kFirstDestinationValid = 165, kFirstBurst = 276;
constexpr unsigned kLow = 0, kHigh = 1;  ///< EVENT_TYPE

constexpr Limit kSignal{kDebugTrace.name, "EVENT.SEL",
                        "when this signal is up; only bursts, cycles and links of engines that do "
                        "not stall or have a word are counted"};
constexpr Limit kMode{kDebugTrace.name, "EVENT.CNT_DOWN, START_EVENT_EN, STOP_EVENT_EN",
                      "what they do to a counter"};
constexpr Limit kTrigger{kDebugTrace.name, "TRIG", "what a trigger does"};

}  // namespace

DebugTrace::DebugTrace(RegisterWindow& window, const Engines& engines, Reporter& report,
                       const Picoseconds& now, const Picoseconds& cycle)
    : window_(window), engines_(engines), report_(report), now_(now), cycle_(cycle) {}

void DebugTrace::count_burst(unsigned master, std::uint32_t beats, bool write) {
    const auto length = static_cast<unsigned>(std::countr_zero(beats));
    ++bursts_[(write ? 8u : 0u) + 2 * length + master];
}

std::uint64_t DebugTrace::total(const Counter& counter) const {
    switch (counter.what) {
        case What::Bursts:
            return bursts_[counter.who];
        case What::Cycles:
            return now_;
        case What::Input:
        case What::Output:
            return engines_.active(counter.who, counter.what == What::Output);
        case What::InputWords:
        case What::OutputWords:
            return engines_.words(counter.who, counter.what == What::OutputWords);
        case What::Nothing:
            break;
    }
    return 0;
}

std::uint32_t DebugTrace::count(const Counter& counter) const {
    const std::uint64_t now = total(counter);
    // Stalls are known a little ahead of time: a total may seem to go back by them.
    const std::uint64_t more = now > counter.start ? now - counter.start : 0;
    const bool is_time =
        counter.what == What::Cycles || counter.what == What::Input || counter.what == What::Output;
    return counter.before + static_cast<std::uint32_t>(more / (is_time ? cycle_ : 1));
}

DebugTrace::Counter DebugTrace::decode(std::size_t index) {
    const RegisterFile& registers = window_.registers(kUnit.page());
    const auto i = static_cast<std::uint32_t>(index);
    Counter counter;
    counter.event = registers.word(kEvents, i);
    const bool on = field_value<kDebugTrace, "CTRL.EN">(registers);
    const bool enabled = field_value<kDebugTrace, "EVENT.EN">(registers, i);
    if (!on || !enabled) return counter;
    const unsigned signal = field_value<kDebugTrace, "EVENT.SEL">(registers, i);
    const unsigned type = field_value<kDebugTrace, "EVENT.EVENT_TYPE">(registers, i);
    const bool down = field_value<kDebugTrace, "EVENT.CNT_DOWN">(registers, i);
    const bool starts = field_value<kDebugTrace, "EVENT.START_EVENT_EN">(registers, i);
    const bool stops = field_value<kDebugTrace, "EVENT.STOP_EVENT_EN">(registers, i);
    const auto among = [signal](unsigned first, unsigned signals) {
        return signal >= first && signal - first < signals;
    };
    if (down || starts || stops) {
        report_.refused(name_of(kUnit), kMode);
    } else if (type != kLow && among(kFirstBurst, kBurstSignals)) {
        counter.what = What::Bursts;
        counter.who = signal - kFirstBurst;
    } else if ((signal == kSupply && type == kHigh) || (signal == kGround && type == kLow)) {
        counter.what = What::Cycles;
    } else {
        const struct {
            What what;
            unsigned first, type;
        } groups[] = {{What::Input, kFirstSourceStall, kLow},
                      {What::Output, kFirstDestinationStall, kLow},
                      {What::InputWords, kFirstSourceValid, kHigh},
                      {What::OutputWords, kFirstDestinationValid, kHigh}};
        for (const auto& group : groups) {
            if (type != group.type || !among(group.first, Engines::kCount)) continue;
            counter.what = group.what;
            counter.who = signal - group.first;
        }
        if (counter.what == What::Nothing) report_.refused(name_of(kUnit), kSignal);
    }
    return counter;
}

void DebugTrace::on_configured() {
    for (std::size_t i = 0; i < kCounters; ++i) {
        const std::uint32_t reached = count(counters_[i]);
        counters_[i] = decode(i);
        counters_[i].before = reached;
        counters_[i].start = total(counters_[i]);
    }
}

void DebugTrace::on_clear() {
    for (Counter& counter : counters_) {
        counter.before = 0;
        counter.start = total(counter);
    }
}

void DebugTrace::on_write(const Register& at, std::uint32_t index) {
    const RegisterFile& registers = window_.registers(kUnit.page());
    if (at.offset == kEvents.offset) {
        if (counters_[index].event != registers.word(kEvents, index)) on_configured();
    } else if (at.offset == kCount.offset) {
        counters_[index].before = registers.word(kCount, index);
        counters_[index].start = total(counters_[index]);
    } else if (at.offset == kTriggers.offset &&
               field_value<kDebugTrace, "TRIG.EN">(registers, index)) {
        report_.refused(name_of(kUnit), kTrigger);
    }
}

void DebugTrace::before_clock_changes() {
    for (Counter& counter : counters_) {
        counter.before = count(counter);
        counter.start = total(counter);
    }
}

void DebugTrace::show() {
    for (std::size_t i = 0; i < kCounters; ++i)
        window_.set_word(kUnit, kCount, count(counters_[i]), static_cast<std::uint32_t>(i));
}

void DebugTrace::reset() {
    counters_ = {};
    bursts_ = {};
}

}  // namespace n6vp::models::npu

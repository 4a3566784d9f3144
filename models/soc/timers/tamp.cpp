// SPDX-License-Identifier: Apache-2.0
#include "models/soc/timers/tamp.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "models/duration.h"
#include "models/soc/base/clock_periods.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {
namespace {

enum TampOffset : std::uint32_t {
    kTampCr1 = 0x00,
    kTampCr2 = 0x04,
    kTampCr3 = 0x08,
    kTampFltcr = 0x0C,
    kTampAtcr1 = 0x10,
    kTampSeed = 0x14,
    kTampAtor = 0x18,
    kTampAtcr2 = 0x1C,
    kTampSeccfgr = 0x20,
    kTampPrivcfgr = 0x24,
    kTampIer = 0x2C,
    kTampSr = 0x30,
    kTampMisr = 0x34,
    kTampSmisr = 0x38,
    kTampScr = 0x3C,
    kTampCount = 0x40,
    kTampOr = 0x50,
    kTampRpcfgr = 0x54,
    kTampBackup = 0x100,
    kTampEnd = 0x180,
};
constexpr std::uint32_t kTampInputs = (1u << Tamp::kInputs) - 1;
constexpr std::uint32_t kTampBlock = 1u << 22, kTampErase = 1u << 23;   ///< CR2
constexpr unsigned kTampMask = 16, kTampTrigger = 24;                   ///< CR2, first bits
constexpr std::uint32_t kTampShare = 1u << 30, kTampFilter = 1u << 31;  ///< ATCR1
constexpr std::uint32_t kTampStarted = 1u << 15;                        ///< ATOR.INITS
constexpr std::uint32_t kTampSecure = 1u << 31;                         ///< SECCFGR.TAMPSEC
constexpr unsigned kTampFirstInternal = 16, kTampCounterBit = 23;       ///< SR: ITAMP1F, ITAMP8F
constexpr unsigned kTampSeedWords = 4, kTampOutputs = 8;
/// ATCR1 after reset. Source: HAL driver, HAL_RTCEx_DeactivateActiveTampers.
constexpr std::uint32_t kTampAtcr1Reset = 7u << 16;

[[nodiscard]] constexpr std::uint32_t tamp_bit(unsigned number) {
    return 1u << number;
}

[[nodiscard]] bool tamp_is_backup(std::uint32_t offset) {
    return offset >= kTampBackup && offset < kTampEnd;
}

}  // namespace

Tamp::Tamp(const sc_core::sc_module_name& name, const char* block, const FlagTimes& times)
    : sc_module(name), StubBlock(*stub_of("TAMP"), block, times) {
    SC_HAS_PROCESS(Tamp);
    SC_METHOD(step);
    sensitive << event_;
    dont_initialize();
    power_on(0);
}

void Tamp::power_on(Picoseconds at) {
    StubBlock::reset();
    preset(kTampAtcr1, kTampAtcr1Reset);
    backup_ = {};
    levels_ = 0;
    due_.fill(kNever);
    counter_ = 0;
    seed_words_ = 0;
    next_ = kNever;
    false_ = {};
    outputs_ = 0;
    drive(at);
    update_line();
    schedule();
}

void Tamp::set_clock_hz(double hz) {
    hz_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(hz)));
}

void Tamp::set_pin(unsigned input, std::optional<bool> level, Picoseconds at) {
    pins_[input] = level;
    look_at_inputs(at);
    schedule();
}

// Passive tampers ------------------------------------------------------------------------------

std::uint32_t Tamp::passive() const {
    return held(kTampCr1) & kTampInputs & ~held(kTampAtcr1);
}

/// By edge CR2.TAMPxTRG is 0 for rising; by level it is 0 for low.
bool Tamp::active_level(unsigned input) const {
    const bool by_level = (held(kTampFltcr) >> 3 & 3) != 0;
    const bool trigger = (held(kTampCr2) >> (kTampTrigger + input) & 1) != 0;
    const bool high = by_level == trigger;
    const bool pulled_up = by_level && (held(kTampFltcr) >> 7 & 1) == 0;
    if (!pins_[input]) return pulled_up && high;
    return *pins_[input] == high;
}

Picoseconds Tamp::sample_period() const {
    constexpr unsigned kSlowest = 15;  // RTCCLK / 32768
    return periods_to_ps(std::uint64_t{1} << (kSlowest - (held(kTampFltcr) & 7)), hz_);
}

void Tamp::look_at_inputs(Picoseconds at) {
    const unsigned filter = held(kTampFltcr) >> 3 & 3;
    std::uint32_t now = 0;
    for (unsigned input = 0; input < kInputs; ++input) {
        if ((passive() >> input & 1) != 0 && active_level(input)) now |= tamp_bit(input);
    }
    const std::uint32_t risen = now & ~std::exchange(levels_, now);
    for (unsigned input = 0; input < kInputs; ++input) {
        if ((now >> input & 1) == 0) due_[input] = kNever;
        if ((risen >> input & 1) == 0) continue;
        if (filter == 0) {
            detect(input, at);
            continue;
        }
        const Picoseconds period = sample_period(), since = at - std::min(at, enabled_at_[input]);
        const std::uint64_t samples = since / period + (std::uint64_t{1} << filter);
        due_[input] = enabled_at_[input] + samples * period;
    }
}

// Active tampers -------------------------------------------------------------------------------

std::uint32_t Tamp::active() const {
    return held(kTampCr1) & held(kTampAtcr1) & kTampInputs;
}

unsigned Tamp::output_of(unsigned input) const {
    if ((held(kTampAtcr1) & kTampShare) == 0) return input;
    return held(kTampAtcr2) >> (8 + 3 * input) & 7;
}

/// New levels of the outputs, from `at` on, for one period.
void Tamp::run_outputs(Picoseconds at) {
    // SplitMix64: any sequence does that nobody guesses by eye.
    sequence_ += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = (sequence_ ^ sequence_ >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    outputs_ = static_cast<std::uint32_t>(mixed >> 56);
    const unsigned clocks = (held(kTampAtcr1) >> 16 & 0xF) + (held(kTampAtcr1) >> 24 & 7);
    next_ = at + periods_to_ps(std::uint64_t{1} << clocks, hz_);
    drive(at);
}

void Tamp::drive(Picoseconds at) {
    std::uint32_t used = 0;
    for (unsigned input = 0; next_ != kNever && input < kInputs; ++input)
        if ((active() >> input & 1) != 0) used |= tamp_bit(output_of(input));
    const std::uint32_t changes = used | std::exchange(driven_, used);
    for (unsigned output = 0; on_output && output < kTampOutputs; ++output) {
        if ((changes >> output & 1) == 0) continue;
        std::optional<bool> level;
        if ((used >> output & 1) != 0) level = (outputs_ >> output & 1) != 0;
        on_output(output, level, at);
    }
}

void Tamp::compare(Picoseconds at) {
    const bool filtered = (held(kTampAtcr1) & kTampFilter) != 0;
    for (unsigned input = 0; input < kInputs; ++input) {
        if ((active() >> input & 1) == 0) continue;
        const bool sent = (outputs_ >> output_of(input) & 1) != 0;
        const bool wrong = pins_[input].value_or(false) != sent;
        false_[input] = static_cast<std::uint8_t>((false_[input] << 1 | (wrong ? 1 : 0)) & 0xF);
        const int most = filtered ? std::popcount(false_[input]) : (wrong ? 2 : 0);
        if (most >= 2) detect(input, at);
    }
}

// Detection ------------------------------------------------------------------------------------

void Tamp::detect(unsigned bit, Picoseconds at) {
    const bool internal = bit >= kTampFirstInternal;
    // A masked tamper leaves no flag and erases nothing; TAMP1 to TAMP3 can be masked.
    if (bit < 3 && (held(kTampCr2) >> (kTampMask + bit) & 1) != 0) return;
    if ((held(kTampSr) >> bit & 1) != 0) return;
    change(kTampSr, tamp_bit(bit), true);
    const std::uint32_t potential =
        internal ? held(kTampCr3) >> (bit - kTampFirstInternal) : held(kTampCr2) >> bit;
    if ((potential & 1) == 0) backup_ = {};
    if (on_tamper) on_tamper(at);
    update_line();
}

/// As long as a potential tamper is neither confirmed nor cleared, too.
bool Tamp::blocked() const {
    const std::uint32_t potential =
        (held(kTampCr2) & kTampInputs) | (held(kTampCr3) << kTampFirstInternal);
    return (held(kTampCr2) & kTampBlock) != 0 || (held(kTampSr) & potential) != 0;
}

std::uint32_t Tamp::masked(bool secure) const {
    const bool to_secure = (held(kTampSeccfgr) & kTampSecure) != 0;
    return secure == to_secure ? held(kTampSr) & held(kTampIer) : 0;
}

void Tamp::update_line() {
    const bool level = (held(kTampSr) & held(kTampIer)) != 0;
    if (level == std::exchange(level_, level)) return;
    if (on_interrupt) on_interrupt(level);
}

void Tamp::schedule() {
    event_.cancel();
    const Picoseconds due = std::min(next_, *std::min_element(due_.begin(), due_.end()));
    if (due != kNever) event_.notify(delay_until(due));
}

void Tamp::step() {
    const Picoseconds at = sc_core::sc_time_stamp().value();
    for (unsigned input = 0; input < kInputs; ++input) {
        if (due_[input] > at) continue;
        due_[input] = kNever;
        detect(input, at);
    }
    if (next_ <= at) {
        compare(at);
        run_outputs(at);
    }
    schedule();
}

// Registers ------------------------------------------------------------------------------------

bool Tamp::is_modelled(std::uint32_t offset) const {
    const std::uint32_t enabled = held(kTampCr1);
    switch (offset) {
        case kTampCr1:
            if ((enabled & ~(tamp_bit(kWiredInput) | tamp_bit(kTampCounterBit))) != 0) return false;
            return (active() & tamp_bit(kWiredInput)) == 0 ||
                   output_of(kWiredInput) == kWiredOutput;
        case kTampSeccfgr:
            return (held(offset) & ~kTampSecure) == 0;
        case kTampPrivcfgr:
            return held(offset) == 0;
        case kTampOr:
        case kTampRpcfgr:
            return false;
        default:
            return offset <= kTampCount || tamp_is_backup(offset);
    }
}

RegisterBlock::Answer Tamp::read(std::uint32_t offset, Picoseconds at) {
    Answer answer = StubBlock::read(offset, at);
    answer.modelled = is_modelled(offset);
    if (tamp_is_backup(offset)) answer.value = blocked() ? 0 : backup_[(offset - kTampBackup) / 4];
    if (offset == kTampMisr || offset == kTampSmisr) answer.value = masked(offset == kTampSmisr);
    if (offset == kTampCount) answer.value = static_cast<std::uint32_t>(counter_);
    if (offset == kTampAtor) answer.value |= outputs_ | (next_ != kNever ? kTampStarted : 0);
    if (offset == kTampScr || offset == kTampSeed) answer.value = 0;
    return answer;
}

RegisterBlock::Answer Tamp::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    const std::uint32_t before = held(offset);
    Answer answer;
    if (tamp_is_backup(offset)) {
        std::uint32_t& word = backup_[(offset - kTampBackup) / 4];
        if (!blocked()) word = (word & ~mask) | (value & mask);
        answer.name = StubBlock::read(offset, at).name;
    } else {
        answer = StubBlock::write(offset, value, mask, at);
        if (offset == kTampScr) change(kTampSr, value & mask, false);
        if (offset == kTampSeed) write_seed(value & mask, at);
        write_register(offset, before, at);
    }
    answer.modelled = is_modelled(offset);
    return answer;
}

void Tamp::write_register(std::uint32_t offset, std::uint32_t before, Picoseconds at) {
    if (offset == kTampCr2 && (held(kTampCr2) & kTampErase) != 0) {
        backup_ = {};
        change(kTampCr2, kTampErase, false);
    }
    if (offset == kTampCount && counter_ < 0xFFFFFFFF && ++counter_ == 0xFFFFFFFF &&
        (held(kTampCr1) & tamp_bit(kTampCounterBit)) != 0)
        detect(kTampCounterBit, at);
    if (offset == kTampCr1) {
        for (unsigned input = 0; input < kInputs; ++input) {
            if ((held(kTampCr1) & ~before & tamp_bit(input)) == 0) continue;
            enabled_at_[input] = at;
            false_[input] = 0;
        }
    }
    // Cleared with its level still there, a filtered tamper is detected again.
    if (offset == kTampScr && (held(kTampFltcr) >> 3 & 3) != 0) levels_ &= held(kTampSr);
    if (active() == 0) next_ = kNever;
    look_at_inputs(at);
    if (offset == kTampCr1 || offset == kTampAtcr1 || offset == kTampAtcr2) drive(at);
    update_line();
    schedule();
}

/// The outputs begin with the last word of a seed.
void Tamp::write_seed(std::uint32_t value, Picoseconds at) {
    sequence_ = (sequence_ << 32 | sequence_ >> 32) ^ value;
    if (++seed_words_ % kTampSeedWords != 0 || active() == 0) return;
    run_outputs(at);
}

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/analog/adc.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "models/duration.h"

namespace n6vp::models {

namespace {

// Offsets and bits: public register description.
enum AdcOffset : std::uint32_t {
    kAdcIsr = 0x00,
    kAdcIer = 0x04,
    kAdcCr = 0x08,
    kAdcCfgr1 = 0x0C,
    kAdcCfgr2 = 0x10,
    kAdcSmpr1 = 0x14,
    kAdcSqr1 = 0x30,
    kAdcDr = 0x40,
    kAdcOfr1 = 0x60,
    kAdcOfr4 = 0x6C,
    kAdcGcomp = 0x70,
    kAdcAwd2cr = 0xA0,
    kAdcAwd3cr = 0xA4,
    kAdcAwd1ltr = 0xA8,
    kAdcAwd1htr = 0xAC,
    kAdcDifsel = 0xC0,
};
constexpr std::pair<std::uint32_t, const char*> kAdcNames[] = {
    {0x00, "ISR"},     {0x04, "IER"},     {0x08, "CR"},      {0x0C, "CFGR1"},   {0x10, "CFGR2"},
    {0x14, "SMPR1"},   {0x18, "SMPR2"},   {0x1C, "PCSEL"},   {0x30, "SQR1"},    {0x34, "SQR2"},
    {0x38, "SQR3"},    {0x3C, "SQR4"},    {0x40, "DR"},      {0x4C, "JSQR"},    {0x50, "OFCFGR1"},
    {0x54, "OFCFGR2"}, {0x58, "OFCFGR3"}, {0x5C, "OFCFGR4"}, {0x60, "OFR1"},    {0x64, "OFR2"},
    {0x68, "OFR3"},    {0x6C, "OFR4"},    {0x70, "GCOMP"},   {0x80, "JDR1"},    {0x84, "JDR2"},
    {0x88, "JDR3"},    {0x8C, "JDR4"},    {0xA0, "AWD2CR"},  {0xA4, "AWD3CR"},  {0xA8, "AWD1LTR"},
    {0xAC, "AWD1HTR"}, {0xB0, "AWD2LTR"}, {0xB4, "AWD2HTR"}, {0xB8, "AWD3LTR"}, {0xBC, "AWD3HTR"},
    {0xC0, "DIFSEL"},  {0xC4, "CALFACT"}, {0xD0, "OR"}};

// ISR and IER.
constexpr std::uint32_t kAdcReady = 1, kAdcSampled = 2, kAdcConverted = 4, kAdcSequence = 8,
                        kAdcOverrun = 16, kAdcWatchdog = 1u << 7, kAdcFlags = 0x7FF;
// CR.
constexpr std::uint32_t kAdcEnable = 1, kAdcDisable = 2, kAdcStart = 4, kAdcInjectedStart = 8,
                        kAdcStop = 16, kAdcDeepPower = 1u << 29, kAdcDifferential = 1u << 30,
                        kAdcCalibrates = 1u << 31;
// CFGR1.
constexpr std::uint32_t kAdcOverwrites = 1u << 12, kAdcContinuous = 1u << 13, kAdcWaits = 1u << 14,
                        kAdcDiscontinuous = 1u << 16, kAdcWatchdogSingle = 1u << 22,
                        kAdcWatchdogOn = 1u << 23;
/// DMNGT: 1 and 3 are DMA, once and circular; 2 is MDF.
constexpr std::uint32_t kAdcDma = 1, kAdcMdf = 2;
/// EXTSEL, and EXTEN with the edges: rising, falling.
constexpr unsigned kAdcTrigger = 5;
constexpr std::uint32_t kAdcTriggerMask = 0x1F, kAdcRising = 1u << 10, kAdcFalling = 1u << 11,
                        kAdcTriggered = kAdcRising | kAdcFalling;
/// JDISCEN, JAWD1EN, JAUTO.
constexpr std::uint32_t kAdcCfgr1NotModelled = 1u << 20 | 1u << 24 | 1u << 25;
/// JOVSE, TROVS, BULB, SWTRIG, SMPTRIG.
constexpr std::uint32_t kAdcCfgr2NotModelled = 2 | 1u << 9 | 7u << 13;
constexpr std::uint32_t kAdcGain = 1u << 31;
constexpr unsigned kAdcInternal = 17;

}  // namespace

Adc::Adc(const sc_core::sc_module_name& name, const char* block, double internal,
         const AdcParameters& parameters)
    : sc_module(name), RegisterBlock(block), parameters_(parameters) {
    millivolts_.fill(parameters.input.value);
    millivolts_[kAdcInternal] = internal;
    SC_HAS_PROCESS(Adc);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    reset();
}

void Adc::reset() {
    held_ = {};
    at(kAdcCr) = kAdcDeepPower;
    at(kAdcGcomp) = 0x1000;
    for (const std::uint32_t limit : {0xACu, 0xB4u, 0xBCu}) at(limit) = 0x3FFFFF;
    phase_ = Phase::Idle;
    rank_ = of_trigger_ = 0;
    due_ = ready_at_ = 0;
    statistics_ = {};
    update(sc_core::sc_time_stamp().value());
}

void Adc::set_millivolts(unsigned channel, double millivolts) {
    millivolts_.at(channel) = millivolts;
}

void Adc::set_kernel_hz(double hz) {
    hz_ = hz;
}

Picoseconds Adc::clocks(double count) const {
    // A stopped clock would hold a conversion for ever: it counts as one of 1 MHz.
    constexpr double kSlow = 1e6;
    return std::max<Picoseconds>(1, cycles_to_ps(count, hz_ > 0 ? hz_ : kSlow));
}

unsigned Adc::ranks() const {
    return (get(kAdcSqr1) & 0xF) + 1;
}

/// Channel of the rank under way: fields of 5 bits, of which SQR1 has one less, behind L.
unsigned Adc::channel() const {
    constexpr unsigned kFields = 5, kBits = 6;
    const unsigned place = rank_ + 1;
    return get(kAdcSqr1 + place / kFields * 4) >> place % kFields * kBits & 0x1F;
}

unsigned Adc::bits() const {
    return 12 - 2 * (get(kAdcCfgr1) >> 2 & 3);
}

unsigned Adc::samples() const {
    return (get(kAdcCfgr2) & 1) != 0 ? (get(kAdcCfgr2) >> 16 & 0x3FF) + 1 : 1;
}

std::uint32_t Adc::code() const {
    const std::uint32_t control = get(kAdcCr), range = 1u << bits();
    const unsigned input = channel();
    double value = 0;
    if ((control & kAdcCalibrates) != 0) {
        const std::uint32_t middle = (control & kAdcDifferential) != 0 ? range / 2 - 1 : 0;
        value = middle + parameters_.offset.value;
    } else if (input < kChannels) {
        value = millivolts_[input] / parameters_.reference.value * range;
        if ((get(kAdcDifsel) >> input & 1) != 0) value = (value + range) / 2;
    }
    const auto one = static_cast<std::uint64_t>(
        std::clamp<double>(std::round(value), 0, static_cast<double>(range) - 1));
    const std::uint32_t settings = get(kAdcCfgr2);
    const std::uint64_t sum = one * samples() >> ((settings & 1) != 0 ? settings >> 5 & 0xF : 0);
    return static_cast<std::uint32_t>(sum << (settings >> 28 & 0xF));
}

// Conversions --------------------------------------------------------------------------------

void Adc::start(Picoseconds at) {
    this->at(kAdcCr) |= kAdcStart;
    if ((get(kAdcCfgr1) & kAdcDiscontinuous) == 0) rank_ = 0;
    of_trigger_ = 0;
    if ((get(kAdcCfgr1) & kAdcTriggered) == 0) convert(at);
}

unsigned Adc::trigger_source() const {
    const std::uint32_t settings = get(kAdcCfgr1);
    const bool waits = (get(kAdcCr) & kAdcStart) != 0 && (settings & kAdcTriggered) != 0;
    return waits ? settings >> kAdcTrigger & kAdcTriggerMask : kNoTrigger;
}

void Adc::trigger(unsigned source, bool level, Picoseconds at) {
    settle(at);
    const std::uint32_t settings = get(kAdcCfgr1);
    // A trigger during a conversion is lost, and so is one while AUTDLY waits for a read.
    const bool unread = (settings & kAdcWaits) != 0 && (get(kAdcIsr) & kAdcConverted) != 0;
    if (source == trigger_source() && (settings & (level ? kAdcRising : kAdcFalling)) != 0 &&
        phase_ == Phase::Idle && !unread) {
        of_trigger_ = 0;
        convert(at);
    }
    update(at);
}

void Adc::convert(Picoseconds at) {
    constexpr std::array<double, 8> kSampling{1.5, 2.5, 6.5, 11.5, 23.5, 46.5, 246.5, 1499.5};
    const unsigned input = channel();
    constexpr unsigned kFields = 10;
    const std::uint32_t times = get(kAdcSmpr1 + input / kFields * 4);
    phase_ = Phase::Sampling;
    sampling_from_ = at;
    due_ = at + clocks(kSampling[times >> input % kFields * 3 & 7]);
}

/// The rest of the time: the bits, and what other samples take.
void Adc::sampled(Picoseconds at) {
    const double one = parameters_.conversion.value - (12 - static_cast<double>(bits()));
    this->at(kAdcIsr) |= kAdcSampled;
    phase_ = Phase::Converting;
    const Picoseconds sampling = at - sampling_from_;
    due_ = at + clocks(std::max(one, 0.5)) * samples() + sampling * (samples() - 1);
}

void Adc::converted(Picoseconds at) {
    const std::uint32_t value = code(), settings = get(kAdcCfgr1);
    ++statistics_.conversions;
    const bool unread = (get(kAdcIsr) & kAdcConverted) != 0;
    if (unread) {
        this->at(kAdcIsr) |= kAdcOverrun;
        ++statistics_.overruns;
    }
    if (!unread || (settings & kAdcOverwrites) != 0) this->at(kAdcDr) = value;
    this->at(kAdcIsr) |= kAdcConverted;
    const bool watched =
        (settings & kAdcWatchdogOn) != 0 &&
        ((settings & kAdcWatchdogSingle) == 0 || (settings >> 26 & 0x1F) == channel());
    const std::uint32_t low = get(kAdcAwd1ltr) & 0x7FFFFF, high = get(kAdcAwd1htr) & 0x7FFFFF;
    if (watched && (value < low || value > high)) this->at(kAdcIsr) |= kAdcWatchdog;
    phase_ = Phase::Idle;
    const bool last = ++rank_ >= ranks();
    if (last) {
        rank_ = 0;
        this->at(kAdcIsr) |= kAdcSequence;
    }
    const bool discontinuous = (settings & kAdcDiscontinuous) != 0;
    const bool ends = discontinuous ? last || ++of_trigger_ > (settings >> 17 & 7)
                                    : last && (settings & kAdcContinuous) == 0;
    if (ends) {
        // With a hardware trigger the next one is waited for.
        if ((settings & kAdcTriggered) == 0) this->at(kAdcCr) &= ~kAdcStart;
    } else if ((settings & kAdcWaits) != 0) {
        phase_ = Phase::AwaitRead;
    } else {
        convert(at);
    }
}

void Adc::settle(Picoseconds at) {
    if (ready_at_ != 0 && ready_at_ <= at) {
        ready_at_ = 0;
        this->at(kAdcIsr) |= kAdcReady;
    }
    while (due_ != 0 && due_ <= at) {
        const Picoseconds end = std::exchange(due_, 0);
        if (phase_ == Phase::Sampling) {
            sampled(end);
        } else {
            converted(end);
        }
    }
}

void Adc::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Adc::update(Picoseconds at) {
    level_.set((get(kAdcIsr) & get(kAdcIer) & kAdcFlags) != 0, on_interrupt);
    const bool wants = (get(kAdcCfgr1) & kAdcDma) != 0 && (get(kAdcIsr) & kAdcConverted) != 0;
    request_level_.set(wants, at, on_request);
    next_.cancel();
    const Picoseconds due = due_ == 0 || (ready_at_ != 0 && ready_at_ < due_) ? ready_at_ : due_;
    if (due != 0) next_.notify(delay_until(std::max(due, at)));
    const unsigned source = trigger_source();
    if (std::exchange(told_source_, source) != source && on_trigger_source) on_trigger_source(at);
}

// Registers ----------------------------------------------------------------------------------

void Adc::write_control(std::uint32_t written, Picoseconds at) {
    constexpr std::uint32_t kKept = kAdcDeepPower | kAdcDifferential | kAdcCalibrates;
    // The other bits are set by software, and cleared by the unit.
    this->at(kAdcCr) = (get(kAdcCr) & ~kKept) | (written & kKept);
    if ((written & kAdcDeepPower) != 0) {
        this->at(kAdcCr) &= ~(kAdcEnable | kAdcStart);
        phase_ = Phase::Idle;
        due_ = ready_at_ = 0;
        return;
    }
    const bool enabled = (get(kAdcCr) & kAdcEnable) != 0;
    if ((written & kAdcEnable) != 0 && !enabled) {
        this->at(kAdcCr) |= kAdcEnable;
        ready_at_ = at + std::max<Picoseconds>(1, ns_to_ps(parameters_.enable.value * 1e3));
    }
    if ((written & kAdcStop) != 0) {
        this->at(kAdcCr) &= ~kAdcStart;
        phase_ = Phase::Idle;
        due_ = 0;
        rank_ = 0;
    }
    if ((written & kAdcDisable) != 0 && (get(kAdcCr) & kAdcStart) == 0) {
        this->at(kAdcCr) &= ~kAdcEnable;
        ready_at_ = 0;
    }
    const bool idle = phase_ == Phase::Idle && (get(kAdcCr) & kAdcStart) == 0;
    if ((written & kAdcStart) != 0 && enabled && idle) start(at);
}

/// Returns false if what was just written asks for something that is not modelled.
bool Adc::modelled(std::uint32_t offset) const {
    const std::uint32_t value = get(offset);
    if (offset == kAdcCfgr1) {
        const bool dma = (value & 3) == 0 || ((value & 3) != kAdcMdf && on_request);
        const bool triggered = (value & kAdcTriggered) != 0;
        const bool connected = (triggers >> (value >> kAdcTrigger & kAdcTriggerMask) & 1) != 0;
        return dma && (!triggered || connected) && (value & kAdcCfgr1NotModelled) == 0;
    }
    if (offset == kAdcCfgr2) return (value & kAdcCfgr2NotModelled) == 0;
    if (offset == kAdcGcomp) return (value & kAdcGain) == 0;
    if (offset >= kAdcOfr1 && offset <= kAdcOfr4) return value == 0;
    return (offset != kAdcAwd2cr && offset != kAdcAwd3cr) || value == 0;
}

RegisterBlock::Answer Adc::read(std::uint32_t offset, Picoseconds at) {
    const auto* const row =
        std::find_if(std::begin(kAdcNames), std::end(kAdcNames),
                     [offset](const auto& each) { return each.first == offset; });
    if (row == std::end(kAdcNames)) return {.modelled = false};
    settle(at);
    const Answer answer{.value = get(offset), .name = row->second};
    if (offset == kAdcDr) {
        this->at(kAdcIsr) &= ~kAdcConverted;
        if (phase_ == Phase::AwaitRead) convert(at);
    }
    update(at);
    return answer;
}

bool Adc::reads_freely(std::uint32_t offset) const {
    return offset != kAdcDr;
}

RegisterBlock::Answer Adc::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    const auto* const row =
        std::find_if(std::begin(kAdcNames), std::end(kAdcNames),
                     [offset](const auto& each) { return each.first == offset; });
    if (row == std::end(kAdcNames)) return {.modelled = false};
    settle(at);
    Answer answer{.name = row->second};
    const bool data = offset == kAdcDr || (offset >= 0x80 && offset <= 0x8C);
    if (offset == kAdcCr) {
        const std::uint32_t written = (get(offset) & ~mask) | (value & mask);
        write_control(written, at);
        answer.modelled = (value & mask & kAdcInjectedStart) == 0;
    } else if (offset == kAdcIsr) {
        this->at(offset) &= ~(value & mask);
    } else if (!data) {
        this->at(offset) = (get(offset) & ~mask) | (value & mask);
        answer.modelled = modelled(offset);
    }
    update(at);
    return answer;
}

// Common registers ---------------------------------------------------------------------------

namespace {
constexpr std::uint32_t kAdcCsr = 0x00, kAdcCcr = 0x08, kAdcDual = 0x1F;
}  // namespace

AdcCommon::AdcCommon(const char* name, Adc& first, Adc& second)
    : RegisterBlock(name), first_(first), second_(second) {}

RegisterBlock::Answer AdcCommon::read(std::uint32_t offset, Picoseconds at) {
    if (offset == kAdcCsr) {
        const auto flags = [at](Adc& adc) { return adc.read(kAdcIsr, at).value & 0x3FF; };
        return {.value = flags(first_) | flags(second_) << 16, .name = "CSR"};
    }
    if (offset == kAdcCcr) return {.value = control_, .name = "CCR"};
    return {.modelled = false, .name = offset == 0x0C ? "CDR" : offset == 0x10 ? "CDR2" : ""};
}

RegisterBlock::Answer AdcCommon::write(std::uint32_t offset, std::uint32_t value,
                                       std::uint32_t mask, Picoseconds at) {
    Answer answer = read(offset, at);
    answer.value = 0;
    if (offset != kAdcCcr) return answer;
    control_ = (control_ & ~mask) | (value & mask);
    answer.modelled = (control_ & kAdcDual) == 0;
    return answer;
}

}  // namespace n6vp::models

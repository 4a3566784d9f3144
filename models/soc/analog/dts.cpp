// SPDX-License-Identifier: Apache-2.0
#include "models/soc/analog/dts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "models/duration.h"

namespace n6vp::models {

namespace {

// Offsets and bits: device header.
enum DtsOffset : std::uint32_t {
    kDtsLock = 0x10,
    kDtsLockStatus = 0x14,
    kDtsTimer = 0x20,
    kDtsInterrupts = 0x40,
    kDtsMask = 0x54,
    kDtsStatus = 0x64,
    kDtsRawStatus = 0x74,
    kDtsClock = 0x80,
    kDtsDisable = 0x84,
    kDtsSerialStatus = 0x88,
    kDtsSerial = 0x8C,
    kDtsHalt = 0x90,
    kDtsInhibit = 0x94,
    kDtsSamples = 0xA0,
    kDtsSamplesClear = 0xA4,
    kDtsSampleCount = 0xA8,
    kDtsSensors = 0xC0,  ///< of the first; offsets below count from here
    kDtsSensorBytes = 0x40,
};
enum DtsSensorOffset : std::uint32_t {
    kDtsSensorIer = 0x00,
    kDtsSensorIsr = 0x04,
    kDtsSensorIcr = 0x08,
    kDtsSensorTest = 0x0C,
    kDtsSensorReadData = 0x10,
    kDtsSensorDone = 0x14,
    kDtsSensorData = 0x18,
    kDtsSensorAlarmA = 0x20,
    kDtsSensorAlarmB = 0x24,
    kDtsSensorExtremes = 0x28,
    kDtsSensorExtremesReset = 0x2C,
};
constexpr std::pair<std::uint32_t, const char*> kDtsNames[] = {
    {0x10, "PVTREG_LOCKR"},    {0x14, "PVTLOCK_SR"},   {0x20, "PVTTMR_CR"},
    {0x24, "PVTTMR_SR"},       {0x40, "PVT_IER"},      {0x50, "PVTIRQTRMASKR"},
    {0x54, "TS_MR"},           {0x60, "PVTTR_SR"},     {0x64, "TS_ISR"},
    {0x70, "PVTTMRRAW_ISR"},   {0x74, "TSRAW_ISR"},    {0x80, "TSCCLKSYNTHR"},
    {0x84, "TSCSDIFDISABLER"}, {0x88, "TSCSDIF_SR"},   {0x8C, "TSCSDIF_CR"},
    {0x90, "TSCSDIFHALTR"},    {0x94, "TSCSDIF_CFGR"}, {0xA0, "TSCSMPL_CR"},
    {0xA4, "TSCSDIFSMPLCLRR"}, {0xA8, "TSCSMPLCNTR"}};
constexpr std::pair<std::uint32_t, const char*> kDtsSensorNames[] = {
    {kDtsSensorIer, "TSx_IER"},
    {kDtsSensorIsr, "TSx_ISR"},
    {kDtsSensorIcr, "TSx_ICR"},
    {kDtsSensorTest, "TSxIRQTESTR"},
    {kDtsSensorReadData, "TSxSDIFRDATAR"},
    {kDtsSensorDone, "TSxSDIFDONER"},
    {kDtsSensorData, "TSxSDIFDATAR"},
    {kDtsSensorAlarmA, "TSxALARMA_CFGR"},
    {kDtsSensorAlarmB, "TSxALARMB_CFGR"},
    {kDtsSensorExtremes, "TSxHLSAMPLER"},
    {kDtsSensorExtremesReset, "TSxHILORESETR"}};

constexpr std::uint32_t kDtsSensorInterrupt = 1u << 1;  ///< PVT_IER
constexpr std::uint32_t kDtsSynthesiserOn = 1u << 24;
constexpr std::uint32_t kDtsBusy = 1;
constexpr std::uint32_t kDtsProgram = 1u << 31, kDtsWriteWord = 1u << 27;
constexpr std::uint32_t kDtsCounterOff = 1, kDtsCounterHold = 2, kDtsDiscard = 4;
/// Flags of a sensor.
constexpr std::uint32_t kDtsDone = 1u << 1, kDtsAlarmA = 1u << 3, kDtsAlarmB = 1u << 4,
                        kDtsSensorFlags = 0x1B;
/// Words of a sensor, and bits of the first.
constexpr unsigned kDtsControlWord = 0, kDtsConfigurationWord = 1, kDtsDelayWord = 5;
constexpr std::uint32_t kDtsPowerDown = 1, kDtsOnce = 1u << 2, kDtsContinuous = 1u << 3;

/// HAL: Celsius = G + H x (sample / Cal5 - 0.5) + J x MHz of the sensor's clock.
constexpr double kDtsG = 60, kDtsH = 200, kDtsJ = -0.1, kDtsCal5 = 4094;

template <std::size_t count>
[[nodiscard]] const char* dts_name(const std::pair<std::uint32_t, const char*> (&names)[count],
                                   std::uint32_t offset) {
    const auto* const found =
        std::find_if(std::begin(names), std::end(names),
                     [offset](const auto& row) { return row.first == offset; });
    return found == std::end(names) ? nullptr : found->second;
}

/// Both halves of an alarm: the limit above, the hysteresis value below. Returns true if the alarm
/// rises by this sample.
[[nodiscard]] bool dts_alarm(std::uint32_t setting, std::uint32_t sample, bool& armed) {
    const std::uint32_t limit = setting >> 16, hysteresis = setting & 0xFFFF;
    if (setting == 0) return false;  // HAL: the alarm is off
    const bool upper = limit >= hysteresis;
    const bool beyond = upper ? sample >= limit : sample <= limit;
    const bool rises = beyond && armed;
    if (beyond) armed = false;
    if (upper ? sample < hysteresis : sample > hysteresis) armed = true;
    return rises;
}

}  // namespace

Dts::Dts(const sc_core::sc_module_name& name, const char* block, const DtsParameters& parameters)
    : sc_module(name), RegisterBlock(block), parameters_(parameters) {
    for (Sensor& sensor : sensors_) sensor.celsius = parameters.temperature.value;
    SC_HAS_PROCESS(Dts);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    Dts::reset();
}

void Dts::reset() {
    held_ = {};
    word_ = 0;
    word_until_ = 0;
    for (Sensor& sensor : sensors_) {
        const double celsius = sensor.celsius;
        sensor = {};
        sensor.celsius = celsius;
        sensor.control = kDtsPowerDown;
    }
    update(sc_core::sc_time_stamp().value());
}

void Dts::set_celsius(unsigned sensor, double celsius) {
    settle(sc_core::sc_time_stamp().value());
    sensors_.at(sensor).celsius = celsius;
}

double Dts::sensor_hz() const {
    const std::uint32_t clock = get(kDtsClock);
    if ((clock & kDtsSynthesiserOn) == 0) return 0;
    const std::uint32_t periods = (clock & 0xFF) + 1 + (clock >> 8 & 0xFF) + 1;
    return parameters_.clock.value * 1e6 / periods;
}

Picoseconds Dts::clocks(double count) const {
    return std::max<Picoseconds>(1, cycles_to_ps(count, sensor_hz()));
}

void Dts::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Dts::settle(Picoseconds at) {
    if (word_until_ != 0 && word_until_ <= at) {
        const Picoseconds heard = word_until_;
        word_until_ = 0;
        program(word_, heard);
    }
    for (Sensor& sensor : sensors_) {
        while (sensor.due != 0 && sensor.due <= at) {
            const Picoseconds end = sensor.due;
            sensor.due = 0;
            sample(sensor);
            if ((sensor.control & kDtsContinuous) != 0) start(sensor, end);
        }
    }
}

/// The line, and an event for the next change that could move it.
void Dts::update(Picoseconds /*at*/) {
    const bool listens = (get(kDtsInterrupts) & kDtsSensorInterrupt) != 0;
    level_.set(listens && pending() != 0, on_interrupt);
    next_.cancel();
    Picoseconds due = kNever;
    if (word_until_ != 0) due = word_until_;
    for (const Sensor& sensor : sensors_)
        if (sensor.due != 0 && sensor.enables != 0) due = std::min(due, sensor.due);
    if (due != kNever && listens) next_.notify(delay_until(due));
}

std::uint32_t Dts::pending() const {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < kSensors; ++i)
        if ((sensors_[i].flags & sensors_[i].enables) != 0) bits |= 1u << i;
    return bits & ~get(kDtsMask);
}

void Dts::program(std::uint32_t word, Picoseconds at) {
    const std::uint32_t value = word & 0xFFFFFF;
    const unsigned target = word >> 24 & 7;
    for (unsigned i = 0; i < kSensors; ++i) {
        if (((get(kDtsInhibit) | get(kDtsDisable)) >> i & 1) != 0) continue;
        Sensor& sensor = sensors_[i];
        if (target == kDtsConfigurationWord) sensor.configuration = value;
        if (target == kDtsDelayWord) sensor.delay = value;
        if (target != kDtsControlWord) continue;
        sensor.control = value;
        sensor.due = 0;
        if ((value & (kDtsOnce | kDtsContinuous)) == 0 || (value & kDtsPowerDown) != 0) continue;
        start(sensor, at + clocks(sensor.delay));
    }
}

void Dts::start(Sensor& sensor, Picoseconds at) {
    if (sensor_hz() == 0) return;
    const std::uint32_t steps = sensor.configuration >> 5 & 3;
    sensor.due = at + clocks(parameters_.conversion.value / (1u << 2 * steps));
}

void Dts::sample(Sensor& sensor) {
    const double wanted =
        ((sensor.celsius - kDtsG - kDtsJ * sensor_hz() / 1e6) / kDtsH + 0.5) * kDtsCal5;
    const unsigned lost = 2 * (sensor.configuration >> 5 & 3);
    const auto value =
        static_cast<std::uint32_t>(std::lround(std::clamp(wanted, 0.0, kDtsCal5))) >> lost << lost;
    sensor.data = value;
    sensor.done = true;
    sensor.flags |= kDtsDone;
    sensor.highest = std::max(sensor.highest, value);
    sensor.lowest = std::min(sensor.lowest, value);
    if (dts_alarm(sensor.alarm_a, value, sensor.armed_a)) sensor.flags |= kDtsAlarmA;
    if (dts_alarm(sensor.alarm_b, value, sensor.armed_b)) sensor.flags |= kDtsAlarmB;
    if ((get(kDtsSamples) & (kDtsCounterOff | kDtsCounterHold)) == 0)
        at(kDtsSampleCount) = (get(kDtsSampleCount) + 1) & 0xFFFF;
}

bool Dts::reads_freely(std::uint32_t offset) const {
    return offset < kDtsSensors || (offset - kDtsSensors) % kDtsSensorBytes != kDtsSensorData;
}

RegisterBlock::Answer Dts::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    if (offset >= kDtsSensors + kSensors * kDtsSensorBytes) return {.modelled = false};
    if (offset >= kDtsSensors) {
        const Answer answer = read_sensor(sensors_[(offset - kDtsSensors) / kDtsSensorBytes],
                                          (offset - kDtsSensors) % kDtsSensorBytes);
        update(at);
        return answer;
    }
    const char* const known = dts_name(kDtsNames, offset);
    if (known == nullptr) return {.modelled = false};
    switch (offset) {
        case kDtsStatus:
            return {.value = pending(), .name = known};
        case kDtsRawStatus: {
            std::uint32_t bits = 0;
            for (unsigned i = 0; i < kSensors; ++i)
                if ((sensors_[i].flags & sensors_[i].enables) != 0) bits |= 1u << i;
            return {.value = bits, .name = known};
        }
        case kDtsSerialStatus:
            return {.value = word_until_ != 0 ? kDtsBusy : 0, .name = known};
        case kDtsLock:
        case kDtsLockStatus:
        case kDtsTimer:
        case kDtsTimer + 4:
        case kDtsHalt:
            return {.value = get(offset), .modelled = false, .name = known};
        default:
            return {.value = get(offset), .name = known};
    }
}

RegisterBlock::Answer Dts::read_sensor(Sensor& sensor, std::uint32_t offset) {
    const char* const known = dts_name(kDtsSensorNames, offset);
    if (known == nullptr) return {.modelled = false};
    switch (offset) {
        case kDtsSensorIer:
            return {.value = sensor.enables, .name = known};
        case kDtsSensorIsr:
            return {.value = sensor.flags, .name = known};
        case kDtsSensorDone:
            return {.value = sensor.done ? 1u : 0u, .name = known};
        case kDtsSensorData:
            sensor.done = false;
            return {.value = sensor.data, .name = known};
        case kDtsSensorAlarmA:
            return {.value = sensor.alarm_a, .name = known};
        case kDtsSensorAlarmB:
            return {.value = sensor.alarm_b, .name = known};
        case kDtsSensorExtremes:
            return {.value = sensor.highest << 16 | sensor.lowest, .name = known};
        case kDtsSensorReadData:
            return {.modelled = false, .name = known};
        default:
            return {.name = known};  // commands
    }
}

RegisterBlock::Answer Dts::write_sensor(Sensor& sensor, std::uint32_t offset, std::uint32_t value,
                                        std::uint32_t mask) {
    const char* const known = dts_name(kDtsSensorNames, offset);
    if (known == nullptr) return {.modelled = false};
    const auto merged = [&](std::uint32_t held) { return (held & ~mask) | (value & mask); };
    const std::uint32_t written = value & mask;
    switch (offset) {
        case kDtsSensorIer:
            sensor.enables = merged(sensor.enables) & kDtsSensorFlags;
            break;
        case kDtsSensorIcr:
            sensor.flags &= ~written;
            break;
        case kDtsSensorTest:
            sensor.flags |= written & kDtsSensorFlags;
            break;
        case kDtsSensorAlarmA:
            sensor.alarm_a = merged(sensor.alarm_a);
            sensor.armed_a = true;
            break;
        case kDtsSensorAlarmB:
            sensor.alarm_b = merged(sensor.alarm_b);
            sensor.armed_b = true;
            break;
        case kDtsSensorExtremesReset:
            if ((written & 1) != 0) sensor.lowest = 0xFFFF;
            if ((written & 2) != 0) sensor.highest = 0;
            break;
        default:
            break;
    }
    return {.name = known};
}

RegisterBlock::Answer Dts::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    settle(at);
    if (offset >= kDtsSensors + kSensors * kDtsSensorBytes) return {.modelled = false};
    if (offset >= kDtsSensors) {
        const Answer answer = write_sensor(sensors_[(offset - kDtsSensors) / kDtsSensorBytes],
                                           (offset - kDtsSensors) % kDtsSensorBytes, value, mask);
        update(at);
        return answer;
    }
    const char* const known = dts_name(kDtsNames, offset);
    if (known == nullptr) return {.modelled = false};
    const std::uint32_t merged = (get(offset) & ~mask) | (value & mask);
    Answer answer{.name = known};
    switch (offset) {
        case kDtsLockStatus:
        case kDtsStatus:
        case kDtsRawStatus:
        case kDtsSerialStatus:
        case kDtsSampleCount:
            return answer;
        case kDtsSamplesClear:
            if ((merged & 1) != 0) this->at(kDtsSampleCount) = 0;
            return answer;
        case kDtsSerial:
            answer.modelled = write_serial(merged, at);
            break;
        case kDtsSamples:
            answer.modelled = (merged & kDtsDiscard) == 0;
            break;
        case kDtsLock:
        case kDtsTimer:
        case kDtsHalt:
            answer.modelled = merged == 0;
            break;
        default:
            break;
    }
    this->at(offset) = merged;
    if (offset == kDtsClock && sensor_hz() == 0) {
        word_until_ = 0;
        for (Sensor& sensor : sensors_) sensor.due = 0;
    }
    update(at);
    return answer;
}

/// Returns false for what is not modelled. Without a clock the word goes nowhere.
bool Dts::write_serial(std::uint32_t word, Picoseconds at) {
    if ((word & kDtsProgram) == 0) return true;
    if ((word & kDtsWriteWord) == 0) return false;
    const bool control = (word >> 24 & 7) == kDtsControlWord;
    if (sensor_hz() > 0 && word_until_ == 0) {
        word_ = word;
        word_until_ = at + clocks(parameters_.serial.value);
    }
    // Neither once nor continuous nor off: by a trigger.
    return !control || (word & (kDtsPowerDown | kDtsOnce | kDtsContinuous)) != 0;
}

}  // namespace n6vp::models

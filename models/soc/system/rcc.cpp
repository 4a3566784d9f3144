// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/rcc.h"

#include <algorithm>
#include <utility>

#include "models/soc/system/rcc_tables.h"

namespace n6vp::models {
namespace {

using memmap::ClockDomain;

[[nodiscard]] std::uint32_t field(std::uint32_t value, unsigned position, unsigned width) {
    return (value >> position) & ((1u << width) - 1);
}

[[nodiscard]] AccessFilter::Verdict closed_verdict(const Parameter& parameter) {
    return parameter.value == 0 ? AccessFilter::Verdict::Zero : AccessFilter::Verdict::Error;
}

[[nodiscard]] std::string bit_name(const ClockGateRow& row, const char* register_kind,
                                   const char* bit_kind, const char* value) {
    const auto bus =
        std::find_if(std::begin(rcc::kBuses), std::end(rcc::kBuses), [&](const auto& b) {
            return b.enable_offset == static_cast<std::uint16_t>(row.clock.bus);
        });
    const char* const bit = row.clock.name != nullptr ? row.clock.name : row.unit;
    return std::string("RCC_") + bus->bus + register_kind + bus->suffix + "." + bit + bit_kind +
           " = " + value;
}

}  // namespace

ClockGate::ClockGate(const ClockGateRow& row, Verdict closed)
    : row_(row),
      closed_(closed),
      reason_(bit_name(row, "ENR", "EN", "0")),
      reset_reason_(bit_name(row, "RSTR", "RST", "1")),
      sleep_reason_(bit_name(row, "LPENR", "LPEN", "0")) {}

void ClockGate::update(bool enabled, bool enabled_asleep, bool in_reset, Picoseconds at) {
    const bool same =
        enabled == enabled_ && enabled_asleep == enabled_asleep_ && in_reset == in_reset_;
    const bool reset_begins = in_reset && !in_reset_;
    enabled_ = enabled;
    enabled_asleep_ = enabled_asleep;
    in_reset_ = in_reset;
    if (reset_begins && on_reset) on_reset(at);
    if (!same && on_change) on_change();
}

Rcc::Rcc(const RccParameters& parameters, ClockTree& clocks, const FlagTimes& times)
    : RegisterBlock("RCC"), parameters_(parameters), times_(times), clocks_(clocks) {
    for (const ClockGateRow& row : rcc::kMemoryGates) {
        gates_.push_back(
            std::make_unique<ClockGate>(row, closed_verdict(parameters.closed_memory)));
    }
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        if (!row.clock.exists()) continue;
        gates_.push_back(std::make_unique<ClockGate>(ClockGateRow{row.name, row.clock},
                                                     closed_verdict(parameters.closed_registers)));
    }
    for (const rcc::NamedRegister& row : rcc::kRegisters) names_[row.offset] = row.name;
    for (unsigned i = 0; i < rcc::kDividers; ++i) {
        names_[rcc::kIcCfgr + 4 * i] = "IC" + std::to_string(i + 1) + "CFGR";
    }
    for (const rcc::BusRow& row : rcc::kBuses) {
        const std::string bus = row.bus;
        names_[row.enable_offset] = bus + "ENR" + row.suffix;
        if (row.has_reset) names_[row.enable_offset - rcc::kToReset] = bus + "RSTR" + row.suffix;
        if (row.has_sleep) names_[row.enable_offset + rcc::kToSleep] = bus + "LPENR" + row.suffix;
    }
    // The set and clear registers have the name of what they change with an S or C before the
    // final R, and before its number.
    const std::map<std::uint32_t, std::string> plain = names_;
    for (const auto& [offset, name] : plain) {
        const bool has_aliases =
            offset == rcc::kCr || offset == 0x008 || offset >= rcc::kFirstReset;
        if (!has_aliases) continue;
        const std::size_t end = name.rfind('R');
        names_[offset + rcc::kSetAlias] = std::string(name).insert(end, "S");
        names_[offset + rcc::kClearAlias] = std::string(name).insert(end, "C");
    }
    power_on();
    reset();
}

void Rcc::power_on() {
    constexpr std::uint32_t kByBrownOut = 1u << 21, kByPowerOn = 1u << 23;
    at(rcc::kRsr) = kByBrownOut | kByPin | kByPowerOn;
}

void Rcc::reset() {
    const std::uint32_t causes = get(rcc::kRsr);
    held_.fill(0);
    at(rcc::kRsr) = causes;
    for (const rcc::ResetValue& row : rcc::kResetValues) at(row.offset) = row.value;
    ready_ = get(rcc::kCr) & rcc::kOscillators;
    switched_ = get(rcc::kCfgr1) & rcc::kSwitches;
    ready_due_.fill(0);
    switched_due_ = 0;
    update_interrupts();
    system_driven_ = false;
    xspi_driven_.fill(false);
    for (const auto& [domain, hz] : scenario_hz_) clocks_.set(domain, hz);
    scenario_hz_.clear();
    update_gates(sc_core::sc_time_stamp().value());
}

void Rcc::note_reset(std::uint32_t flag) {
    at(rcc::kRsr) |= flag;
}

ClockGate* Rcc::gate(std::string_view unit) {
    const auto found = std::find_if(gates_.begin(), gates_.end(),
                                    [unit](const auto& gate) { return unit == gate->unit(); });
    return found == gates_.end() ? nullptr : found->get();
}

namespace {

[[nodiscard]] bool is_modelled(std::uint32_t plain_offset) {
    const bool divider =
        plain_offset >= rcc::kIcCfgr && plain_offset < rcc::kIcCfgr + 4 * rcc::kDividers;
    const bool gate = plain_offset >= rcc::kFirstReset && plain_offset <= rcc::kLastSleep;
    if (divider || gate) return true;
    const auto row = std::find_if(std::begin(rcc::kRegisters), std::end(rcc::kRegisters),
                                  [=](const auto& r) { return r.offset == plain_offset; });
    return row != std::end(rcc::kRegisters) && row->modelled;
}

}  // namespace

RegisterBlock::Answer Rcc::read(std::uint32_t offset, Picoseconds at_time) {
    if (offset >= rcc::kBytes) return {.modelled = false};
    settle(at_time);
    Answer answer;
    const auto name = names_.find(offset);
    const std::uint32_t plain = offset % rcc::kSetAlias;
    answer.name = name == names_.end() ? "" : name->second.c_str();
    if (name == names_.end() && offset != plain) return {.modelled = false};
    answer.modelled = name != names_.end() && is_modelled(plain);
    answer.value = get(plain);
    if (offset == rcc::kSr) answer.value = ready_;
    if (offset == rcc::kCfgr1) answer.value |= switched_ << 4;
    return answer;
}

RegisterBlock::Answer Rcc::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at_time) {
    if (offset >= rcc::kBytes) return {.modelled = false};
    settle(at_time);
    Answer answer;
    const auto name = names_.find(offset);
    const std::uint32_t plain = offset % rcc::kSetAlias;
    // Most registers have no set and clear alias.
    if (name == names_.end() && offset != plain) return {.modelled = false};
    answer.name = name == names_.end() ? "" : name->second.c_str();
    answer.modelled = name != names_.end() && is_modelled(plain);
    const std::uint32_t written = value & mask;
    const std::uint32_t before = get(plain);
    if (offset >= rcc::kClearAlias) {
        at(plain) &= ~written;
    } else if (offset >= rcc::kSetAlias) {
        at(plain) |= written;
    } else if (offset == rcc::kRsr) {
        if ((written & (1u << 16)) != 0) at(plain) = 0;  // RMVF
    } else if (offset != rcc::kSr && offset != rcc::kCifr && offset != rcc::kCicr) {
        at(plain) = (at(plain) & ~mask) | written;
    }
    if (offset == rcc::kCfgr1) at(plain) &= ~(rcc::kSwitches << 4);  // status: follows when read
    for (unsigned i = 0; plain == rcc::kCcipr6 && i < xspi_driven_.size(); ++i) {
        if (field(before ^ get(plain), 4 * i, 2) != 0) xspi_driven_[i] = true;
    }
    if (!write_interrupts(offset, written)) answer.modelled = false;
    writing_ = true;
    changed(plain, at_time);
    writing_ = false;
    update_interrupts();
    if (on_peripheral_clocks && clocks_peripherals(plain)) on_peripheral_clocks(at_time);
    constexpr std::uint32_t kBackupReset = 1u << 31;
    const bool resets = offset == rcc::kBdcr && (get(plain) & ~before & kBackupReset) != 0;
    if (resets && on_backup_reset) on_backup_reset(at_time);
    return answer;
}

void Rcc::leave_stop(Picoseconds at_time) {
    settle(at_time);
    const bool by_msi = (get(rcc::kCfgr1) & rcc::kWakeByMsi) != 0;
    const std::uint32_t kept = (get(rcc::kStopcr) & rcc::kStopOscillators) << rcc::kToOscillators;
    std::uint32_t& on = at(rcc::kCr);
    const std::uint32_t stays = on & (rcc::kLsi | rcc::kLse | kept);
    on = (on & ~rcc::kOscillators) | stays | (by_msi ? rcc::kMsi : rcc::kHsi);
    // The low-speed ones are on their way as before.
    const std::uint32_t slow = rcc::kLsi | rcc::kLse;
    ready_ = (ready_ & slow) | (on & rcc::kOscillators & ~slow);
    at(rcc::kCfgr1) &= ~rcc::kSwitches;
    if (by_msi) at(rcc::kCfgr1) |= rcc::kSwitchesToMsi;
    switched_ = get(rcc::kCfgr1) & rcc::kSwitches;
    writing_ = true;
    changed(rcc::kCr, at_time);
    changed(rcc::kCfgr1, at_time);
    writing_ = false;
    if (on_peripheral_clocks) on_peripheral_clocks(at_time);
}

void Rcc::settle(Picoseconds at_time) {
    for (unsigned i = 0; i < std::size(rcc::kReadyTimes); ++i) {
        if (ready_due_[i] == 0 || ready_due_[i] > at_time) continue;
        ready_due_[i] = 0;
        ready_ ^= 1u << i;
        at(rcc::kCifr) |= ready_ & get(rcc::kCier) & 1u << i;
    }
    update_interrupts();
    if (switched_due_ == 0 || switched_due_ > at_time) return;
    switched_due_ = 0;
    switched_ = get(rcc::kCfgr1) & rcc::kSwitches;
}

void Rcc::look(Picoseconds at_time) {
    settle(at_time);
}

void Rcc::update_interrupts() {
    const std::uint32_t enabled = get(rcc::kCier) & rcc::kOscillators;
    const std::uint32_t pending = get(rcc::kCifr) & enabled;
    const std::uint32_t secure = (get(rcc::kSecCfgr0) & 0x1F) | (get(rcc::kSecCfgr1) & 0xF)
                                                                    << rcc::kFirstPll;
    for (const bool hidden : {false, true}) {
        const bool level = (pending & (hidden ? secure : ~secure)) != 0;
        if (std::exchange(interrupt_levels_[hidden ? 1 : 0], level) != level && on_interrupt)
            on_interrupt(hidden, level);
    }
    // Without an interrupt the ready bits are found when software looks.
    Picoseconds due = 0;
    for (unsigned i = 0; i < std::size(rcc::kReadyTimes); ++i) {
        const bool rises = ready_due_[i] != 0 && ((enabled & ~ready_ & ~pending) >> i & 1) != 0;
        if (rises && (due == 0 || ready_due_[i] < due)) due = ready_due_[i];
    }
    if (std::exchange(told_due_, due) != due && on_due) on_due(due);
}

/// Returns false if an enabled interrupt is not modelled.
bool Rcc::write_interrupts(std::uint32_t offset, std::uint32_t written) {
    if (offset == rcc::kCicr) {
        at(rcc::kCifr) &= ~written;
        return true;
    }
    return offset != rcc::kCier || (written & ~rcc::kOscillators) == 0;
}

/// Status bits that differ from what CR and CFGR1 ask for will follow.
void Rcc::follow_switches(Picoseconds at_time) {
    const auto due = [&](Parameter FlagTimes::*time) {
        return at_time + std::max<Picoseconds>(1, ns_to_ps((times_.*time).value * 1e3));
    };
    const std::uint32_t differ = (get(rcc::kCr) & rcc::kOscillators) ^ ready_;
    for (unsigned i = 0; i < std::size(rcc::kReadyTimes); ++i) {
        if ((differ >> i & 1u) == 0) {
            ready_due_[i] = 0;
        } else if (ready_due_[i] == 0) {
            ready_due_[i] = due(rcc::kReadyTimes[i]);
        }
    }
    const bool switches = (get(rcc::kCfgr1) & rcc::kSwitches) != switched_;
    switched_due_ = switches ? due(&FlagTimes::clock_switch) : 0;
}

void Rcc::changed(std::uint32_t offset, Picoseconds at_time) {
    if (offset == rcc::kCr || offset == rcc::kCfgr1) follow_switches(at_time);
    if (offset >= rcc::kFirstReset && offset <= rcc::kLastSleep) update_gates(at_time);
    if (offset == rcc::kCfgr1) system_driven_ = true;
    const bool clocks = offset < rcc::kIcCfgr + 4 * rcc::kDividers || offset == rcc::kDivEnr;
    if (clocks && system_driven_) update_system_clocks();
    for (unsigned i = 0; i < xspi_driven_.size(); ++i) {
        const bool driven = xspi_driven_[i] || system_driven_;
        if (driven && (clocks || offset == rcc::kCcipr6)) update_xspi_clock(i);
    }
}

void Rcc::update_gates(Picoseconds at_time) {
    for (const auto& gate : gates_) {
        const memmap::ClockBit& clock = gate->row_.clock;
        const auto enable = static_cast<std::uint32_t>(clock.bus);
        const std::uint32_t bit = 1u << clock.position;
        gate->update((get(enable) & bit) != 0, (get(enable + rcc::kToSleep) & bit) != 0,
                     clock.resets && (get(enable - rcc::kToReset) & bit) != 0, at_time);
    }
}

/// Sources by number: HSI, MSI, HSE. Returns 0 if the oscillator is off.
double Rcc::oscillator_hz(std::uint32_t select) const {
    const std::uint32_t on = get(rcc::kCr);
    switch (select) {
        case 0: {
            if (field(on, 3, 1) == 0) return 0;
            return parameters_.hsi.value * 1e6 / (1u << field(get(rcc::kHsiCfgr), 7, 2));
        }
        case 1: {
            if (field(on, 2, 1) == 0) return 0;
            return parameters_.msi.value * 1e6 * (field(get(rcc::kMsiCfgr), 9, 1) != 0 ? 4 : 1);
        }
        case 2:
            return field(on, 4, 1) == 0 ? 0 : parameters_.hse.value * 1e6;
        default:
            return 0;  // an external pin with nothing on it
    }
}

/// Output of PLL 1 to 4 after its dividers, or its input where it is bypassed; 0 if off.
double Rcc::pll_hz(unsigned pll) const {
    const std::uint32_t base = rcc::kPllCfgr1 + rcc::kPllStride * (pll - 1);
    const std::uint32_t first = get(base), third = get(base + 8);
    const double input = oscillator_hz(field(first, 28, 3));
    if (field(first, 27, 1) != 0) return input;
    if (field(get(rcc::kCr), 8 + pll - 1, 1) == 0 || field(third, 30, 1) == 0) return 0;
    const std::uint32_t m = field(first, 20, 6), n = field(first, 8, 12);
    const std::uint32_t p1 = field(third, 27, 3), p2 = field(third, 24, 3);
    if (m == 0 || p1 == 0 || p2 == 0) return 0;
    const double fraction = field(get(base + 4), 0, 24) / double{1u << 24};
    return input / m * (n + fraction) / (p1 * p2);
}

/// Output of divider IC1 to IC20.
double Rcc::divider_hz(unsigned divider) const {
    if (field(get(rcc::kDivEnr), divider - 1, 1) == 0) return 0;
    const std::uint32_t config = get(rcc::kIcCfgr + 4 * (divider - 1));
    return pll_hz(field(config, 28, 2) + 1) / (field(config, 16, 8) + 1);
}

double Rcc::system_hz(std::uint32_t select, unsigned divider) const {
    return select == 3 ? divider_hz(divider) : oscillator_hz(select);
}

void Rcc::update_system_clocks() {
    const std::uint32_t cpu = field(get(rcc::kCfgr1), 16, 2);
    const std::uint32_t system = field(get(rcc::kCfgr1), 24, 2);
    drive(ClockDomain::Cpu, system_hz(cpu, 1));
    drive(ClockDomain::Noc, system_hz(system, 2));
    drive(ClockDomain::Npu, system_hz(system, 6));
    drive(ClockDomain::Nic, system_hz(system, 11));
    drive(ClockDomain::Ahb, system_hz(system, 2) / (1u << field(get(rcc::kCfgr2), 20, 3)));
}

void Rcc::update_xspi_clock(unsigned instance) {
    constexpr ClockDomain kDomains[] = {ClockDomain::Xspi1, ClockDomain::Xspi2, ClockDomain::Xspi3};
    switch (field(get(rcc::kCcipr6), 4 * instance, 2)) {
        case 0:
            drive(kDomains[instance], clocks_.hz(ClockDomain::Ahb));
            break;
        case 2:
            drive(kDomains[instance], divider_hz(3));
            break;
        case 3:
            drive(kDomains[instance], divider_hz(4));
            break;
        default:
            break;  // per_ck is not modelled
    }
}

void Rcc::drive(ClockDomain domain, double hz) {
    if (hz <= 0) return;
    scenario_hz_.emplace(domain, clocks_.hz(domain));
    clocks_.set(domain, hz);
}

}  // namespace n6vp::models

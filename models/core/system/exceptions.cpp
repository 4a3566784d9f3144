// SPDX-License-Identifier: Apache-2.0
#include "models/core/system/exceptions.h"

#include <algorithm>

namespace n6vp::models::core {

namespace {

constexpr bool is(unsigned number, Exception exception) {
    return number == static_cast<unsigned>(exception);
}

void note(std::vector<Exceptions::Slot>& slots, Exceptions::Slot slot, bool present) {
    const auto place = std::find(slots.begin(), slots.end(), slot);
    if (present && place == slots.end()) slots.push_back(slot);
    if (!present && place != slots.end()) slots.erase(place);
}

}  // namespace

Exceptions::Exceptions(const SystemConfig& config)
    : count_(kInternal + config.interrupts),
      priority_mask_(static_cast<std::uint8_t>(0xFFu << (8 - config.priority_bits))) {
    reset();
}

void Exceptions::reset() {
    // A line keeps its level: it belongs to the device behind it.
    std::vector<bool> levels(count_ + kInternal);
    for (std::size_t i = 0; i < states_.size(); ++i) levels[i] = states_[i].level;
    states_.assign(count_ + kInternal, {});
    pending_.clear();
    active_.clear();
    priority_group = {};
    prioritise_secure = faults_non_secure = false;
    for (Slot each = 0; each < states_.size(); ++each) {
        if (levels[each]) set_level(each, true);
    }
}

bool Exceptions::banked(unsigned number) {
    return is(number, Exception::HardFault) || is(number, Exception::MemManage) ||
           is(number, Exception::UsageFault) || is(number, Exception::SvCall) ||
           is(number, Exception::PendSv) || is(number, Exception::SysTick);
}

Exceptions::Slot Exceptions::slot(unsigned number, bool secure) const {
    return !secure && banked(number) ? count_ + number : number;
}

bool Exceptions::targets_secure(Slot slot) const {
    if (slot >= count_) return false;
    if (slot >= kInternal) return !states_[slot].non_secure;
    if (is(slot, Exception::NonMaskable) || is(slot, Exception::BusFault))
        return !faults_non_secure;
    return true;
}

bool Exceptions::enabled(Slot slot) const {
    const unsigned n = number(slot);
    if (is(n, Exception::MemManage) || is(n, Exception::BusFault) || is(n, Exception::UsageFault) ||
        is(n, Exception::SecureFault) || is(n, Exception::DebugMonitor) || n >= kInternal)
        return states_[slot].enabled;
    if (slot == this->slot(Exception::HardFault, false)) return faults_non_secure;
    return true;
}

void Exceptions::set_pending(Slot slot, bool on) {
    states_[slot].pending = on;
    note(pending_, slot, on);
}

void Exceptions::set_active(Slot slot, bool on) {
    states_[slot].active = on;
    note(active_, slot, on);
}

void Exceptions::set_priority(Slot slot, std::uint32_t value) {
    states_[slot].priority = static_cast<std::uint8_t>(value & priority_mask_);
}

bool Exceptions::set_level(Slot slot, bool high) {
    State& state = states_[slot];
    const bool rises = high && !state.level;
    state.level = high;
    if (!rises || state.pending) return false;
    set_pending(slot, true);
    return true;
}

void Exceptions::acknowledge(Slot slot) {
    set_pending(slot, false);
    set_active(slot, true);
}

void Exceptions::deactivate(Slot slot) {
    set_active(slot, false);
    if (states_[slot].level) set_pending(slot, true);
}

int Exceptions::raw_priority(Slot slot) const {
    const unsigned n = number(slot);
    if (is(n, Exception::Reset)) return -4;
    if (is(n, Exception::NonMaskable)) return -2;
    if (is(n, Exception::HardFault))
        return targets_secure(slot) && faults_non_secure ? kSecureHardFaultPriority
                                                         : kHardFaultPriority;
    return states_[slot].priority;
}

int Exceptions::grouped(int priority, bool secure) const {
    if (priority < 0) return priority;
    const int group = priority & ~((2 << priority_group[secure ? kSecure : kNonSecure]) - 1);
    return secure ? group : non_secure_level(group);
}

int Exceptions::group_priority(Slot slot) const {
    return grouped(raw_priority(slot), targets_secure(slot));
}

int Exceptions::subpriority(Slot slot) const {
    const int raw = raw_priority(slot);
    const unsigned group = priority_group[targets_secure(slot) ? kSecure : kNonSecure];
    return raw < 0 ? 0 : raw & ((2 << group) - 1);
}

int Exceptions::active_priority() const {
    int lowest = kNothingActive;
    for (const Slot slot : active_) lowest = std::min(lowest, group_priority(slot));
    return lowest;
}

int Exceptions::execution_priority(const CpuState& cpu, bool ignore_primask) const {
    int lowest = active_priority();
    for (const bool secure : {false, true}) {
        const Security bank = secure ? kSecure : kNonSecure;
        const int base = cpu.basepri[bank];
        if (base != 0) lowest = std::min(lowest, grouped(base, secure));
        if (cpu.primask[bank] != 0 && !ignore_primask)
            lowest = std::min(lowest, secure ? 0 : non_secure_level(0));
    }
    if (cpu.faultmask[kNonSecure] != 0)
        lowest = std::min(lowest, faults_non_secure ? kHardFaultPriority : non_secure_level(0));
    if (cpu.faultmask[kSecure] != 0)
        lowest =
            std::min(lowest, faults_non_secure ? kSecureHardFaultPriority : kHardFaultPriority);
    return lowest;
}

bool Exceptions::negative_priority(const CpuState& cpu, bool secure) const {
    if (cpu.faultmask[secure ? kSecure : kNonSecure] != 0) return true;
    if (active(slot(Exception::HardFault, secure))) return true;
    const Slot nmi = slot(Exception::NonMaskable, secure);
    return active(nmi) && targets_secure(nmi) == secure;
}

bool Exceptions::most_urgent(Slot& slot) const {
    bool found = false;
    // Lower group, then lower subpriority, then lower number, then Secure first.
    const auto before = [this](Slot a, Slot b) {
        const int group_a = group_priority(a), group_b = group_priority(b);
        if (group_a != group_b) return group_a < group_b;
        const int sub_a = subpriority(a), sub_b = subpriority(b);
        if (sub_a != sub_b) return sub_a < sub_b;
        if (number(a) != number(b)) return number(a) < number(b);
        return a < b;
    };
    for (const Slot each : pending_) {
        if (!enabled(each)) continue;
        if (!found || before(each, slot)) slot = each;
        found = true;
    }
    return found;
}

bool Exceptions::preempts(const CpuState& cpu, bool ignore_primask) const {
    Slot slot = 0;
    if (pending_.empty() || !most_urgent(slot)) return false;
    return group_priority(slot) < execution_priority(cpu, ignore_primask);
}

}  // namespace n6vp::models::core

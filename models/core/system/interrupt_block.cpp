// SPDX-License-Identifier: Apache-2.0
// NVIC registers, priorities, SysTick and what makes exceptions pending from outside.
#include <algorithm>
#include <array>
#include <limits>

#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kEnable = 0x100, kDisable = 0x180, kSetPending = 0x200,
                        kClearPending = 0x280, kActive = 0x300, kTargets = 0x380,
                        kPriorities = 0x400, kPrioritiesEnd = 0x5F0;
constexpr std::uint32_t kSystemPriorities = 0xD18, kSystemPrioritiesEnd = 0xD24;

}  // namespace

bool SystemRegisters::byte_accessible(std::uint32_t offset) const {
    return (offset >= kPriorities && offset < kPrioritiesEnd) ||
           (offset >= kSystemPriorities && offset < kSystemPrioritiesEnd);
}

bool SystemRegisters::priority_slot(std::uint32_t offset, bool secure, Slot& slot) const {
    if (offset >= kPriorities) {
        const bool system = offset >= kSystemPriorities;
        const unsigned number =
            system ? offset - kSystemPriorities + 4 : offset - kPriorities + Exceptions::kInternal;
        if (number >= exceptions_.count()) return false;
        if (system) {
            constexpr std::array kConfigurable{Exception::MemManage,  Exception::BusFault,
                                               Exception::UsageFault, Exception::SecureFault,
                                               Exception::SvCall,     Exception::DebugMonitor,
                                               Exception::PendSv,     Exception::SysTick};
            if (std::find(kConfigurable.begin(), kConfigurable.end(),
                          static_cast<Exception>(number)) == kConfigurable.end())
                return false;
            if (static_cast<Exception>(number) == Exception::SecureFault && !has_security())
                return false;
        }
        slot = exceptions_.slot(number, secure);
        return secure || !exceptions_.targets_secure(slot);
    }
    return false;
}

std::uint8_t SystemRegisters::read_priority_byte(std::uint32_t offset, bool secure) const {
    Slot slot = 0;
    return priority_slot(offset, secure, slot) ? exceptions_.priority(slot) : std::uint8_t{0};
}

void SystemRegisters::write_priority_byte(std::uint32_t offset, bool secure, std::uint8_t value) {
    Slot slot = 0;
    if (priority_slot(offset, secure, slot)) exceptions_.set_priority(slot, value);
}

std::uint32_t SystemRegisters::read_interrupts(std::uint32_t offset, bool secure) const {
    const std::uint32_t group = offset & ~0x7Fu;
    if (offset < kEnable || offset >= kPriorities) return 0;
    if (group == kTargets && (!secure || !has_security())) return 0;
    std::uint32_t value = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
        const Slot slot = Exceptions::kInternal + (offset & 0x7F) * 8 + bit;
        if (slot >= exceptions_.count()) break;
        if (!secure && exceptions_.targets_secure(slot)) continue;
        const bool set = group == kTargets  ? !exceptions_.targets_secure(slot)
                         : group == kActive ? exceptions_.active(slot)
                         : group == kSetPending || group == kClearPending
                             ? exceptions_.pending(slot)
                             : exceptions_.enabled(slot);
        if (set) value |= 1u << bit;
    }
    return value;
}

void SystemRegisters::write_interrupts(CpuState& cpu, std::uint32_t offset, bool secure,
                                       std::uint32_t value) {
    const std::uint32_t group = offset & ~0x7Fu;
    if (group == kTargets && (!secure || !has_security())) return;
    for (unsigned bit = 0; bit < 32; ++bit) {
        const Slot slot = Exceptions::kInternal + (offset & 0x7F) * 8 + bit;
        if (slot >= exceptions_.count()) break;
        const bool one = (value >> bit & 1) != 0;
        if (group == kTargets) {
            exceptions_.set_targets_non_secure(slot, one);
            continue;
        }
        if (!one || (!secure && exceptions_.targets_secure(slot))) continue;
        switch (group) {
            case kEnable:
                exceptions_.set_enabled(slot, true);
                break;
            case kDisable:
                exceptions_.set_enabled(slot, false);
                break;
            case kSetPending:
                pend(cpu, slot);
                break;
            case kClearPending:
                // A line that stays high stays pending.
                exceptions_.set_pending(slot, exceptions_.level(slot) && !exceptions_.active(slot));
                break;
            default:
                break;
        }
    }
}

void SystemRegisters::pend(CpuState& cpu, Slot slot) {
    if (!exceptions_.pending(slot) &&
        (sleep_control_[exceptions_.targets_secure(slot) ? kSecure : kNonSecure] &
         scr::kEventOnPending) != 0)
        cpu.event = true;
    exceptions_.set_pending(slot, true);
}

void SystemRegisters::set_interrupt(CpuState& cpu, unsigned irq, bool level) {
    const Slot slot = Exceptions::kInternal + irq;
    if (slot >= exceptions_.count()) return;
    const bool pended = exceptions_.set_level(slot, level);
    const Security target = exceptions_.targets_secure(slot) ? kSecure : kNonSecure;
    if (pended && (sleep_control_[target] & scr::kEventOnPending) != 0) cpu.event = true;
}

bool SystemRegisters::interrupt_enabled(unsigned irq) const {
    const Slot slot = Exceptions::kInternal + irq;
    return slot < exceptions_.count() && exceptions_.enabled(slot);
}

void SystemRegisters::set_tcm_sizes(unsigned itcm, unsigned dtcm) {
    constexpr std::uint32_t kEnabled = 1;
    config_.itcm_control = itcm << 3 | kEnabled;
    config_.dtcm_control = dtcm << 3 | kEnabled;
}

void SystemRegisters::set_non_maskable(CpuState& cpu) {
    pend(cpu, exceptions_.slot(Exception::NonMaskable, true));
}

void SystemRegisters::send_event(CpuState& cpu) {
    cpu.event = true;
    if (config_.event_output) config_.event_output();
}

void SystemRegisters::advance(CpuState& cpu, std::uint64_t now) {
    for (const bool secure : {false, true}) {
        if (timers_[bank(secure)].advance(now))
            pend(cpu, exceptions_.slot(Exception::SysTick, secure));
    }
}

bool SystemRegisters::preempts(CpuState& cpu, std::uint64_t now) {
    advance(cpu, now);
    return !locked_up_ && exceptions_.preempts(cpu);
}

std::uint64_t SystemRegisters::next_event(const CpuState& cpu, std::uint64_t now) {
    static_cast<void>(cpu);
    return std::min(timers_[kNonSecure].next(now), timers_[kSecure].next(now));
}

bool SystemRegisters::sleeps_deeply() const {
    return (sleep_control_[kSecure] & scr::kSleepDeep) != 0;
}

void SystemRegisters::stop_clock(CpuState& cpu, std::uint64_t now) {
    advance(cpu, now);
    for (SysTick& timer : timers_) timer.stop_clock(now);
    counters_.stop_clock(cpu, now);
}

void SystemRegisters::start_clock(CpuState& cpu, std::uint64_t now) {
    for (SysTick& timer : timers_) timer.start_clock(now);
    counters_.start_clock(cpu, now);
}

bool SystemRegisters::wakes(CpuState& cpu, bool for_event) {
    if (for_event && cpu.event) {
        cpu.event = false;
        return true;
    }
    // PRIMASK does not keep WFI asleep; WFE wants an exception that can be taken.
    return exceptions_.preempts(cpu, !for_event);
}

}  // namespace n6vp::models::core

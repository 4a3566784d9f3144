// SPDX-License-Identifier: Apache-2.0
#include "models/core/system/counters.h"

namespace n6vp::models::core {

namespace {

// DWT_CTRL: CYCCNTENA and the enables of the profile counters may be written.
constexpr std::uint32_t kDwtWritable = 0x007F1FFF;
constexpr std::uint32_t kLockAccess = 0xFB0, kLockStatus = 0xFB4, kUnlock = 0xC5ACCE55;
constexpr std::uint32_t kCycleEnable = 1, kExceptionEnable = 1u << 18;
constexpr std::uint32_t kDwtArchitecture = 0x47711A02, kPmuArchitecture = 0x47700A06;
// PMU_TYPE: 8 counters, cycle counter, freeze and trace on overflow.
constexpr std::uint32_t kPmuType = 0x00A05F08;
// PMU_CTRL.
constexpr std::uint32_t kRun = 1, kClearEvents = 2, kClearCycles = 4, kFreeze = 1u << 9,
                        kControlBits = kRun | 1u << 5 | kFreeze | 1u << 11;
constexpr std::uint32_t kCycleBit = 1u << 31,
                        kCounterBits = kCycleBit | ((1u << Counters::kEventCounters) - 1);
constexpr unsigned kSoftwareIncrement = 0x00, kInstructionsRetired = 0x08, kExceptionTaken = 0x09,
                   kExceptionReturn = 0x0A, kCpuCycles = 0x11, kChain = 0x1E;

}  // namespace

void Counters::reset() {
    Counters fresh(*core_);
    fresh.source_ = source_;
    fresh.locked_ = core_->dwt_locks;
    fresh.dwt_control_ = core_->dwt_reset;
    *this = fresh;
}

bool Counters::cycles_run() const {
    if (!trace_enabled_) return false;
    const bool for_pmu = events_run() && (enabled_ & kCycleBit) != 0;
    return (dwt_control_ & kCycleEnable) != 0 || for_pmu;
}

bool Counters::events_run() const {
    const bool frozen = (pmu_control_ & kFreeze) != 0 && overflow_ != 0;
    return trace_enabled_ && (pmu_control_ & kRun) != 0 && !frozen;
}

std::uint64_t Counters::total(const CpuState& cpu, unsigned event, std::uint64_t now) const {
    std::uint64_t value = 0;
    switch (event) {
        case kInstructionsRetired:
            return cpu.instructions;
        case kExceptionTaken:
            return exceptions_;
        case kExceptionReturn:
            return returns_;
        case kCpuCycles:
            return now;
        case kSoftwareIncrement:
        case kChain:
            return 0;  // counted where they happen
        default:
            return source_ != nullptr && source_->events(cpu, event, value) ? value : 0;
    }
}

void Counters::add(unsigned index, std::uint64_t events) {
    const std::uint64_t sum = values_[index] + events;
    values_[index] = static_cast<std::uint32_t>(sum & 0xFFFF);
    const std::uint64_t overflows = sum >> 16;
    if (overflows == 0) return;
    overflow_ |= 1u << index;
    // An odd counter set to CHAIN is the upper half of the even one before it.
    const unsigned next = index + 1;
    const bool chained = next % 2 == 1 && next < kEventCounters && types_[next] == kChain &&
                         (enabled_ >> next & 1) != 0;
    if (chained) add(next, overflows);
}

void Counters::advance(const CpuState& cpu, std::uint64_t now) {
    if (cycles_run()) {
        const std::uint64_t before = cycles_ >> 32;
        cycles_ += now - seen_at_;
        if (cycles_ >> 32 != before && (enabled_ & kCycleBit) != 0) overflow_ |= kCycleBit;
    }
    seen_at_ = now;
    const bool run = events_run();
    for (unsigned i = 0; i < kEventCounters; ++i) {
        const std::uint64_t seen = total(cpu, types_[i], now);
        const std::uint64_t fresh = seen - totals_[i];
        totals_[i] = seen;
        if (run && (enabled_ >> i & 1) != 0 && fresh != 0) add(i, fresh);
    }
}

void Counters::set_trace_enabled(const CpuState& cpu, bool on, std::uint64_t now) {
    advance(cpu, now);
    trace_enabled_ = on;
}

void Counters::start_clock(const CpuState& cpu, std::uint64_t now) {
    seen_at_ = now;
    for (unsigned i = 0; i < kEventCounters; ++i) totals_[i] = total(cpu, types_[i], now);
}

void Counters::count_exception(std::uint64_t overhead_cycles) {
    ++exceptions_;
    count_return(overhead_cycles);
    --returns_;
}

void Counters::count_return(std::uint64_t overhead_cycles) {
    ++returns_;
    if (trace_enabled_ && (dwt_control_ & kExceptionEnable) != 0)
        exception_cycles_ += overhead_cycles;
}

std::uint32_t Counters::read_dwt(const CpuState& cpu, std::uint32_t offset, std::uint64_t now) {
    advance(cpu, now);
    switch (offset) {
        case 0x00:
            return dwt_control_;
        case 0x04:
            return static_cast<std::uint32_t>(cycles_);
        case 0x0C:
            return static_cast<std::uint32_t>(exception_cycles_ & 0xFF);
        case 0xFBC:
            return core_->v8() ? kDwtArchitecture : 0;
        case kLockStatus:
            return core_->dwt_locks ? 1u | (locked_ ? 2u : 0u) : 0u;
        default:
            break;
    }
    return offset >= 0x20 && offset < 0xA0 ? comparators_[(offset - 0x20) / 4] : 0;
}

bool Counters::write_lock(std::uint32_t offset, std::uint32_t value) {
    if (core_->dwt_locks && offset == kLockAccess) locked_ = value != kUnlock;
    return !locked_;
}

void Counters::write_dwt(const CpuState& cpu, std::uint32_t offset, std::uint32_t value,
                         std::uint64_t now) {
    advance(cpu, now);
    if (!write_lock(offset, value)) return;
    if (offset == 0x00) {
        dwt_control_ = (dwt_control_ & ~kDwtWritable) | (value & kDwtWritable);
    } else if (offset == 0x04) {
        cycles_ = value;
    } else if (offset == 0x0C) {
        exception_cycles_ = value & 0xFF;
    } else if (offset >= 0x20 && offset < 0xA0) {
        comparators_[(offset - 0x20) / 4] = value;
    }
}

std::uint32_t Counters::read_pmu(const CpuState& cpu, std::uint32_t offset, std::uint64_t now) {
    advance(cpu, now);
    if (offset < kEventCounters * 4) return values_[offset / 4];
    if (offset >= 0x400 && offset < 0x400 + kEventCounters * 4) return types_[(offset - 0x400) / 4];
    switch (offset) {
        case 0x07C:
            return static_cast<std::uint32_t>(cycles_);
        case 0x47C:
            return filter_;
        case 0xC00:
        case 0xC20:
            return enabled_;
        case 0xC40:
        case 0xC60:
            return interrupt_;
        case 0xC80:
        case 0xCC0:
            return overflow_;
        case 0xE00:
            return kPmuType;
        case 0xE04:
            return pmu_control_;
        case 0xFBC:
            return kPmuArchitecture;
        default:
            return 0;
    }
}

void Counters::write_control(std::uint32_t value) {
    if ((value & kClearEvents) != 0) values_ = {};
    if ((value & kClearCycles) != 0) cycles_ = 0;
    pmu_control_ = value & kControlBits;
}

void Counters::write_pmu(const CpuState& cpu, std::uint32_t offset, std::uint32_t value,
                         std::uint64_t now) {
    advance(cpu, now);
    if (offset < kEventCounters * 4) {
        values_[offset / 4] = value & 0xFFFF;
        return;
    }
    if (offset >= 0x400 && offset < 0x400 + kEventCounters * 4) {
        const unsigned index = (offset - 0x400) / 4;
        types_[index] = value & 0xFFFF;
        totals_[index] = total(cpu, types_[index], now);
        return;
    }
    const std::uint32_t bits = value & kCounterBits;
    switch (offset) {
        case 0x07C:
            cycles_ = value;
            break;
        case 0xC00:
            enabled_ |= bits;
            break;
        case 0xC20:
            enabled_ &= ~bits;
            break;
        case 0xC40:
            interrupt_ |= bits;
            break;
        case 0xC60:
            interrupt_ &= ~bits;
            break;
        case 0xC80:
            overflow_ &= ~bits;
            break;
        case 0xCA0:
            for (unsigned i = 0; i < kEventCounters; ++i) {
                const bool counts = (value >> i & 1) != 0 && types_[i] == kSoftwareIncrement &&
                                    (enabled_ >> i & 1) != 0 && events_run();
                if (counts) add(i, 1);
            }
            break;
        case 0xCC0:
            overflow_ |= bits;
            break;
        case 0x47C:
            filter_ = value;
            break;
        case 0xE04:
            write_control(value);
            break;
        default:
            break;
    }
}

}  // namespace n6vp::models::core

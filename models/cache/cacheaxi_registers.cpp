// SPDX-License-Identifier: Apache-2.0
#include "models/cache/cacheaxi_registers.h"

#include <algorithm>

namespace n6vp::models {

namespace {

enum Offset : std::uint32_t {
    kCr1 = 0x00,
    kSr = 0x04,
    kIer = 0x08,
    kFcr = 0x0C,
    kMonitorsStart = 0x10,
    kMonitorsEnd = 0x30,
    kCr2 = 0x100,
    kFirst = 0x104,
    kLast = 0x108,
};

constexpr std::uint32_t kCr1Enable = 1u << 0;
constexpr std::uint32_t kCr1Invalidate = 1u << 1;
constexpr std::uint32_t kCr1MonitorEnables = 0x33330000u;
constexpr unsigned kResetAboveEnable = 2;  // a monitor's reset bit is its enable bit + 2

constexpr std::uint32_t kBusy = 1u << 0;
constexpr std::uint32_t kBusyEnd = 1u << 1;
constexpr std::uint32_t kError = 1u << 2;
constexpr std::uint32_t kCommandBusy = 1u << 3;
constexpr std::uint32_t kCommandEnd = 1u << 4;
constexpr std::uint32_t kFlags = kBusyEnd | kError | kCommandEnd;

constexpr std::uint32_t kCr2Start = 1u << 0;
constexpr std::uint32_t kCr2Command = 3u << 1;
constexpr std::uint32_t kCommandClean = 1u << 1;
constexpr std::uint32_t kCommandCleanInvalidate = 3u << 1;

constexpr std::uint32_t kLineAddress = 0xFFFFFFC0u;

struct MonitorRow {
    const char* name;
    unsigned enable_bit;  // of CR1
};
// By ascending offset, as CacheAxiRegisters::Monitor.
constexpr MonitorRow kMonitorRows[CacheAxiRegisters::kMonitors] = {
    {"RHMONR", 16}, {"RMMONR", 17}, {"RAMMONR", 24}, {"EVIMONR", 29},
    {"WHMONR", 20}, {"WMMONR", 21}, {"WAMMONR", 25}, {"WTMONR", 28}};

const char* register_name(std::uint32_t offset) {
    switch (offset) {
        case kCr1:
            return "CR1";
        case kSr:
            return "SR";
        case kIer:
            return "IER";
        case kFcr:
            return "FCR";
        case kCr2:
            return "CR2";
        case kFirst:
            return "CMDRSADDRR";
        case kLast:
            return "CMDREADDRR";
        default:
            return offset >= kMonitorsStart && offset < kMonitorsEnd
                       ? kMonitorRows[(offset - kMonitorsStart) / 4].name
                       : "";
    }
}

}  // namespace

CacheAxiRegisters::Plain CacheAxiRegisters::plain(std::uint32_t offset) {
    switch (offset) {
        case kIer:
            return {&ier_, kFlags};
        case kFirst:
            return {&range_first_, kLineAddress};
        case kLast:
            return {&range_last_, kLineAddress};
        default:
            return {};
    }
}

void CacheAxiRegisters::settle(Picoseconds at) {
    if (busy_end_due_ && at >= busy_until_) {
        busy_end_due_ = false;
        flags_ |= kBusyEnd;
    }
    if (command_end_due_ && at >= command_until_) {
        command_end_due_ = false;
        flags_ |= kCommandEnd;
    }
}

std::uint32_t CacheAxiRegisters::status(Picoseconds at) const {
    return flags_ | (at < busy_until_ ? kBusy : 0) | (at < command_until_ ? kCommandBusy : 0);
}

RegisterBlock::Answer CacheAxiRegisters::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    Answer answer;
    answer.name = register_name(offset);
    if (offset == kCr1) {
        answer.value = cr1_;
    } else if (offset == kSr) {
        answer.value = status(at);
    } else if (offset == kCr2) {
        answer.value = cr2_;
    } else if (const Plain kept = plain(offset); kept.storage != nullptr) {
        answer.value = *kept.storage;
    } else if (offset >= kMonitorsStart && offset < kMonitorsEnd) {
        answer.value = monitors_[(offset - kMonitorsStart) / 4];
    } else {
        answer.modelled = offset == kFcr;  // write-only: reads as zero
    }
    return answer;
}

RegisterBlock::Answer CacheAxiRegisters::write(std::uint32_t offset, std::uint32_t value,
                                               std::uint32_t mask, Picoseconds at) {
    settle(at);
    Answer answer;
    answer.name = register_name(offset);
    if (offset == kCr1) {
        write_cr1((cr1_ & ~mask) | (value & mask), at);
    } else if (offset == kCr2) {
        write_cr2((cr2_ & ~mask) | (value & mask), at);
    } else if (offset == kFcr) {
        flags_ &= ~(value & mask & kFlags);
        operations_.flags_change(at);
    } else if (const Plain kept = plain(offset); kept.storage != nullptr) {
        *kept.storage = ((*kept.storage & ~mask) | (value & mask)) & kept.writable;
        if (offset == kIer) operations_.flags_change(at);
    } else {
        // SR and the monitors cannot be written.
        answer.modelled = answer.name[0] != '\0';
    }
    return answer;
}

void CacheAxiRegisters::write_cr1(std::uint32_t value, Picoseconds at) {
    for (std::size_t i = 0; i < kMonitors; ++i) {
        const unsigned bit = kMonitorRows[i].enable_bit + kResetAboveEnable;
        if ((value >> bit & 1u) != 0) monitors_[i] = 0;
    }
    const bool was_enabled = enabled();
    const bool busy = at < busy_until_;
    const std::uint32_t enable = was_enabled || !busy ? value & kCr1Enable : 0;
    cr1_ = (value & kCr1MonitorEnables) | enable;
    if (was_enabled != enabled()) operations_.enable_changed();
    if (was_enabled && !enabled() && operations_.disable_invalidates()) {
        start_invalidate(at, false);
    } else if ((value & kCr1Invalidate) != 0 && !busy && at >= command_until_) {
        start_invalidate(at, true);
    }
}

void CacheAxiRegisters::start_invalidate(Picoseconds at, bool by_driver) {
    busy_until_ = operations_.invalidate_all(at, false);
    busy_end_due_ = by_driver;
    operations_.flags_change(busy_until_);
}

void CacheAxiRegisters::write_cr2(std::uint32_t value, Picoseconds at) {
    cr2_ = value & kCr2Command;
    if ((value & kCr2Start) == 0 || at < busy_until_ || at < command_until_) return;
    if (cr2_ != kCommandClean && cr2_ != kCommandCleanInvalidate) return;
    command_until_ =
        operations_.maintain(range_first_, range_last_, cr2_ == kCommandCleanInvalidate, at);
    command_end_due_ = true;
    operations_.flags_change(command_until_);
}

void CacheAxiRegisters::reset_at(Picoseconds at) {
    const bool was_enabled = enabled();
    cr1_ = cr2_ = ier_ = flags_ = 0;
    range_first_ = range_last_ = 0;
    monitors_.fill(0);
    command_until_ = 0;
    busy_end_due_ = command_end_due_ = false;
    busy_until_ = operations_.invalidate_all(at, true);
    if (was_enabled) operations_.enable_changed();
    operations_.flags_change(at);
}

void CacheAxiRegisters::count(Monitor monitor) {
    const auto index = static_cast<std::size_t>(monitor);
    if ((cr1_ >> kMonitorRows[index].enable_bit & 1u) != 0) ++monitors_[index];
}

void CacheAxiRegisters::write_back_failed(Picoseconds at) {
    flags_ |= kError;
    operations_.flags_change(at);
}

bool CacheAxiRegisters::interrupt(Picoseconds at) {
    settle(at);
    return (flags_ & ier_) != 0;
}

Picoseconds CacheAxiRegisters::next_flag() const {
    if (busy_end_due_ && command_end_due_) return std::min(busy_until_, command_until_);
    if (busy_end_due_) return busy_until_;
    return command_end_due_ ? command_until_ : 0;
}

}  // namespace n6vp::models

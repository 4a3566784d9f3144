// SPDX-License-Identifier: Apache-2.0
#include "models/chip/mcu/timer.h"

#include <cmath>

namespace n6vp::models::mcu_chip {

namespace {

constexpr std::uint32_t kCr1 = 0x00, kSr = 0x10, kEgr = 0x14, kCnt = 0x24, kPsc = 0x28, kArr = 0x2C;
constexpr std::uint32_t kEnable = 1, kUpdate = 1;
constexpr std::array<const char*, 24> kNames{"CR1",   "CR2",   "SMCR", "DIER",  "SR",   "EGR",
                                             "CCMR1", "CCMR2", "CCER", "CNT",   "PSC",  "ARR",
                                             "RCR",   "CCR1",  "CCR2", "CCR3",  "CCR4", "BDTR",
                                             "DCR",   "DMAR",  "OR1",  "CCMR3", "CCR5", "CCR6"};

}  // namespace

Timer::Timer(const char* name, unsigned bits)
    : RegisterBlock(name), limit_(bits == 32 ? 0xFFFFFFFF : (1u << bits) - 1) {
    Timer::reset();
}

std::uint64_t Timer::period() const {
    return std::uint64_t{held_[kArr / 4]} + 1;
}

void Timer::settle(Picoseconds at) {
    if (at <= counted_to_) return;
    const bool runs = (held_[kCr1 / 4] & kEnable) != 0 && hz_ > 0 && held_[kArr / 4] != 0;
    if (runs) {
        const double ticks =
            static_cast<double>(at - counted_to_) * 1e-12 * hz_ / divider_ + remainder_;
        const double whole = std::floor(ticks);
        remainder_ = ticks - whole;
        count_ += static_cast<std::uint64_t>(whole);
        if (count_ >= period()) {
            count_ %= period();
            divider_ = held_[kPsc / 4] + 1;
            held_[kSr / 4] |= kUpdate;
        }
    }
    counted_to_ = at;
}

void Timer::set_kernel_hz(double hz, Picoseconds at) {
    settle(at);
    hz_ = hz;
}

RegisterBlock::Answer Timer::read(std::uint32_t offset, Picoseconds at) {
    if (offset / 4 >= kRegisters) return {0, true, false, ""};
    settle(at);
    Answer answer;
    answer.value = offset == kCnt ? static_cast<std::uint32_t>(count_) : held_[offset / 4];
    answer.name = offset / 4 < kNames.size() ? kNames[offset / 4] : "";
    return answer;
}

RegisterBlock::Answer Timer::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds at) {
    if (offset / 4 >= kRegisters) return {0, true, false, ""};
    settle(at);
    std::uint32_t& held = held_[offset / 4];
    const std::uint32_t next = (held & ~mask) | (value & mask);
    Answer answer;
    answer.name = offset / 4 < kNames.size() ? kNames[offset / 4] : "";
    switch (offset) {
        case kSr:
            held &= value | ~mask;
            break;
        case kCnt:
            count_ = next & limit_;
            remainder_ = 0;
            break;
        case kArr:
            held = next & limit_;
            break;
        case kEgr:
            if ((value & mask & kUpdate) == 0) break;
            count_ = 0;
            remainder_ = 0;
            divider_ = held_[kPsc / 4] + 1;
            held_[kSr / 4] |= kUpdate;
            break;
        case kPsc:
            held = next & 0xFFFF;
            break;
        default:
            held = next;
            // Modes other than counting up, interrupts and channels.
            answer.modelled = offset == kCr1 ? (next & 0x70) == 0 : (next & mask) == 0;
            break;
    }
    return answer;
}

void Timer::reset() {
    held_.fill(0);
    held_[kArr / 4] = limit_;
    divider_ = 1;
    count_ = 0;
    remainder_ = 0;
}

}  // namespace n6vp::models::mcu_chip

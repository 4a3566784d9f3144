// SPDX-License-Identifier: Apache-2.0
// The registers of a channel as software sees them.
#include "models/soc/dma/dma_channel.h"

namespace n6vp::models::dma {

bool Channel::exists(std::uint32_t offset, const ChannelTraits& traits) {
    switch (offset) {
        case kCidcfgr:
        case kSemcr:
            return traits.isolation;
        case kTr3:
        case kBr2:
            return traits.two_d;
        case kLbar:
        case kFcr:
        case kSr:
        case kCr:
        case kTr1:
        case kTr2:
        case kBr1:
        case kSar:
        case kDar:
        case kLlr:
            return true;
        default:
            return false;
    }
}

std::uint32_t* Channel::stored(std::uint32_t offset) {
    switch (offset) {
        case kLbar:
            return &lbar_;
        case kCidcfgr:
            return &isolation_;
        case kSemcr:
            return &semaphore_;
        case kTr1:
            return &tr1_;
        case kTr2:
            return &tr2_;
        case kBr1:
            return &br1_;
        case kSar:
            return &sar_;
        case kDar:
            return &dar_;
        case kTr3:
            return &tr3_;
        case kBr2:
            return &br2_;
        case kLlr:
            return &llr_;
        default:
            return nullptr;
    }
}

/// Bits that a register has.
std::uint32_t Channel::writable(std::uint32_t offset) const {
    constexpr std::uint32_t kTr1Bits = 0xCFFBFBFB, kTr2Bits = 0xC37FDEFF;
    constexpr std::uint32_t kRepeatBits = 0xF7FF0000, kOffsetBits = 0x1FFF1FFF;
    constexpr std::uint32_t kUpdates = 0xF8010000, kUpdates2d = 0x06000000;
    switch (offset) {
        case kLbar:
            return 0xFFFF0000;
        case kCidcfgr:
            return 0x007F0073;
        case kSemcr:
            return 1;
        case kTr1: {
            const std::uint32_t bits = kTr1Bits | (traits_.wide_port_0 ? kDestWordExchange : 0);
            return secure_ ? bits : bits & ~(kSourceSecure | kDestSecure);
        }
        case kTr2:
            return kTr2Bits;
        case kBr1:
            return 0xFFFF | (traits_.two_d ? kRepeatBits : 0);
        case kTr3:
            return traits_.two_d ? kOffsetBits : 0;
        case kBr2:
            return traits_.two_d ? 0xFFFFFFFF : 0;
        case kLlr:
            return kUpdates | kLinkAddress | (traits_.two_d ? kUpdates2d : 0);
        default:
            return 0xFFFFFFFF;
    }
}

std::uint32_t Channel::read(std::uint32_t offset) const {
    if (offset == kCr) return cr_;
    if (offset == kSr) {
        const bool runs = phase_ != Phase::Off && !suspended_;
        const auto beats = static_cast<std::uint32_t>(fifo_.size()) / format_.dest_bytes();
        return flags_ | (runs ? 0 : kIdle) | beats << 16;
    }
    const std::uint32_t* const held = const_cast<Channel*>(this)->stored(offset);
    return held != nullptr ? *held : 0;
}

bool Channel::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask, Picoseconds at) {
    if (offset == kFcr) {
        flags_ &= ~(value & mask & kFlags);
        return true;
    }
    if (offset == kCr) {
        write_control(value, mask, at);
        return true;
    }
    std::uint32_t* const held = stored(offset);
    const bool about_isolation = offset == kCidcfgr || offset == kSemcr;
    // Of an enabled channel they are the transfer's.
    if (held == nullptr || (!about_isolation && (cr_ & kEnable) != 0)) return true;
    *held = ((*held & ~mask) | (value & mask)) & writable(offset);
    if (offset == kTr2) {
        const unsigned edge = field(tr2_, 24, 2);
        const bool asks = edge == 1 || edge == 2;
        return asks == triggered() && (tr2_ & kFlowControl) == 0;
    }
    return offset != kSemcr && (offset != kCidcfgr || (isolation_ & kSemaphore) == 0);
}

void Channel::write_control(std::uint32_t value, std::uint32_t mask, Picoseconds at) {
    const std::uint32_t written = value & mask;
    const bool enabled = (cr_ & kEnable) != 0;
    const std::uint32_t bits = mask & kCrBits & ~(enabled ? kFixedWhileEnabled : 0);
    const std::uint32_t before = cr_;
    cr_ = (cr_ & ~bits) | (written & bits);
    if ((written & kReset) != 0) {
        stop(0);
        cr_ &= ~kSuspend;
        flags_ = 0;
        suspended_ = false;
        suspend_at_ = kNever;
        return;
    }
    const bool suspends = (cr_ & kSuspend) != 0;
    if (suspends && (before & kSuspend) == 0) {
        suspend_at_ = at + times_.suspend;
    } else if (!suspends && (before & kSuspend) != 0) {
        suspend_at_ = kNever;
        suspended_ = false;
        for (Picoseconds* from : {&read_from_, &write_from_, &link_from_})
            *from = std::max(*from, at + times_.grant);
    }
    if ((written & kEnable) != 0 && !enabled) start(at);
}

void Channel::set_secure(bool secure) {
    secure_ = secure;
    if (!secure) tr1_ &= ~(kSourceSecure | kDestSecure);
}

void Channel::reset() {
    stop(0);
    lbar_ = isolation_ = semaphore_ = flags_ = cr_ = 0;
    tr1_ = tr2_ = br1_ = sar_ = dar_ = tr3_ = br2_ = llr_ = 0;
    programmed_br1_ = 0;
    secure_ = suspended_ = false;
    suspend_at_ = kNever;
    format_ = Format(0);
}

}  // namespace n6vp::models::dma

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace n6vp::models::dma {

// Offsets and bits of GPDMA and HPDMA. Source: public register description of the chip.

inline constexpr unsigned kChannels = 16;
inline constexpr std::uint32_t kSeccfgr = 0x00, kPrivcfgr = 0x04, kRcfglockr = 0x08, kMisr = 0x0C,
                               kSmisr = 0x10;
inline constexpr std::uint32_t kFirstChannel = 0x50, kChannelStride = 0x80;

/// Of a channel.
enum Offset : std::uint32_t {
    kLbar = 0x00,
    kCidcfgr = 0x04,
    kSemcr = 0x08,
    kFcr = 0x0C,
    kSr = 0x10,
    kCr = 0x14,
    kTr1 = 0x40,
    kTr2 = 0x44,
    kBr1 = 0x48,
    kSar = 0x4C,
    kDar = 0x50,
    kTr3 = 0x54,
    kBr2 = 0x58,
    kLlr = 0x7C,
};

[[nodiscard]] constexpr std::uint32_t bit(unsigned position) {
    return 1u << position;
}
[[nodiscard]] constexpr std::uint32_t field(std::uint32_t value, unsigned lsb, unsigned width) {
    return value >> lsb & ((1u << width) - 1);
}

// CSR, CFCR, and the enables in CCR.
inline constexpr std::uint32_t kIdle = bit(0), kComplete = bit(8), kHalf = bit(9),
                               kDataError = bit(10), kLinkError = bit(11), kUserError = bit(12),
                               kSuspended = bit(13), kTriggerOverrun = bit(14);
inline constexpr std::uint32_t kFlags = 0x7F00;
// CCR.
inline constexpr std::uint32_t kEnable = bit(0), kReset = bit(1), kSuspend = bit(2),
                               kLinkStep = bit(16), kLinkPort = bit(17);
inline constexpr std::uint32_t kFixedWhileEnabled = kLinkStep | kLinkPort | 3u << 22;
inline constexpr std::uint32_t kCrBits = kFlags | kFixedWhileEnabled | kSuspend;
// CTR1.
inline constexpr std::uint32_t kSourceIncrements = bit(3), kSourceByteExchange = bit(13),
                               kSourcePort = bit(14), kSourceSecure = bit(15),
                               kDestIncrements = bit(19), kDestByteExchange = bit(26),
                               kDestHalfExchange = bit(27), kDestWordExchange = bit(28),
                               kDestPort = bit(30), kDestSecure = bit(31);
// CTR2.
inline constexpr std::uint32_t kSoftwareRequest = bit(9), kDestRequest = bit(10),
                               kBlockRequest = bit(11), kFlowControl = bit(12);
// CBR1.
inline constexpr std::uint32_t kSourceDecrements = bit(28), kDestDecrements = bit(29),
                               kSourceRepeatDecrements = bit(30), kDestRepeatDecrements = bit(31);
// CLLR.
inline constexpr std::uint32_t kUpdateLlr = bit(16), kLinkAddress = 0xFFFC;
// CIDCFGR.
inline constexpr std::uint32_t kIsolated = bit(0), kSemaphore = bit(1);

/// Trigger inputs of CTR2.TRIGSEL: transfer complete of channels 0 to 15, of HPDMA1 and GPDMA1.
inline constexpr unsigned kHpdmaComplete = 60, kGpdmaComplete = 76;
inline constexpr unsigned kFirstTrigger = kHpdmaComplete, kTriggersEnd = kGpdmaComplete + kChannels;

/// Words of a list item: each is present if its bit of CLLR is one, in this order.
struct LinkWord {
    std::uint32_t update;
    Offset offset;
};
inline constexpr std::array<LinkWord, 8> kLinkWords{{{bit(31), kTr1},
                                                     {bit(30), kTr2},
                                                     {bit(29), kBr1},
                                                     {bit(28), kSar},
                                                     {bit(27), kDar},
                                                     {bit(26), kTr3},
                                                     {bit(25), kBr2},
                                                     {kUpdateLlr, kLlr}}};

/// What differs between the channels.
struct ChannelTraits {
    std::uint32_t fifo_bytes = 8;
    bool two_d = false;        ///< has CTR3, CBR2 and the repeat counter
    bool wide_port_0 = false;  ///< AXI, with double-words; else both ports are AHB
    bool isolation = false;    ///< has CIDCFGR and SEMCR
};

}  // namespace n6vp::models::dma

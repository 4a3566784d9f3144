// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// Registers and bits of a low-power timer. Source: CMSIS device header, LPTIM_TypeDef.
namespace n6vp::models {

enum LptimOffset : std::uint32_t {
    kLptimIsr = 0x00,
    kLptimIcr = 0x04,
    kLptimDier = 0x08,
    kLptimCfgr = 0x0C,
    kLptimCr = 0x10,
    kLptimCcr1 = 0x14,
    kLptimArr = 0x18,
    kLptimCnt = 0x1C,
    kLptimCfgr2 = 0x24,
    kLptimRcr = 0x28,
    kLptimCcmr1 = 0x2C,
    kLptimCcr2 = 0x34,
    kLptimEnd = 0x38,
};
constexpr std::array<const char*, kLptimEnd / 4> kLptimNames{
    "ISR", "ICR", "DIER",  "CFGR", "CR",    "CCR1", "ARR",
    "CNT", "",    "CFGR2", "RCR",  "CCMR1", "",     "CCR2"};

// CR.
constexpr std::uint32_t kLptimEnable = 1, kLptimSingle = 2, kLptimContinuous = 4,
                        kLptimCountReset = 8, kLptimReadReset = 16;
// ISR; DIER and ICR have the same places.
constexpr std::uint32_t kLptimCc1 = 1, kLptimArrm = 2, kLptimTriggered = 4, kLptimCmp1Ok = 8,
                        kLptimArrOk = 16, kLptimUpdate = 1u << 7, kLptimRepOk = 1u << 8,
                        kLptimCc2 = 1u << 9, kLptimCmp2Ok = 1u << 19, kLptimDierOk = 1u << 24;
constexpr std::uint32_t kLptimFlags = kLptimCc1 | kLptimArrm | kLptimCmp1Ok | kLptimArrOk |
                                      kLptimUpdate | kLptimRepOk | kLptimCc2 | kLptimCmp2Ok;
// CFGR: CKSEL, TRIGSEL, TRIGEN, TIMOUT, WAVE, WAVPOL, COUNTMODE, ENC.
constexpr std::uint32_t kLptimOutsideClock = 1, kLptimTriggerSource = 7u << 13,
                        kLptimTriggerEdges = 3u << 17, kLptimTimeOut = 1u << 19,
                        kLptimSetOnce = 1u << 20, kLptimWavePolarity = 1u << 21,
                        kLptimCountEdges = 1u << 23, kLptimEncoder = 1u << 24;
/// The counter has inputs in place of its kernel clock.
constexpr std::uint32_t kLptimByInputs = kLptimOutsideClock | kLptimCountEdges | kLptimEncoder;
// CCMR1: CC1SEL, CC2SEL; CC1E and the lower bit of CC1P, those of channel 2 16 bits higher.
constexpr std::uint32_t kLptimCaptures = 1 | 1u << 16;
constexpr std::uint32_t kLptimOutputOn = 2, kLptimOutputInverted = 4;

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Registers and bits of timers. Source: CMSIS device headers (TIM_TypeDef).
namespace n6vp::models {

enum TimerOffset : std::uint32_t {
    kTimCr1 = 0x00,
    kTimCr2 = 0x04,
    kTimSmcr = 0x08,
    kTimDier = 0x0C,
    kTimSr = 0x10,
    kTimEgr = 0x14,
    kTimCcmr1 = 0x18,
    kTimCcmr2 = 0x1C,
    kTimCcer = 0x20,
    kTimCnt = 0x24,
    kTimPsc = 0x28,
    kTimArr = 0x2C,
    kTimRcr = 0x30,
    kTimCcr1 = 0x34,
    kTimCcr4 = 0x40,
    kTimBdtr = 0x44,
    kTimAf1 = 0x60,
    kTimAf2 = 0x64,
    kTimEnd = 0x70,
    kTimDcr = 0x3DC,
    kTimDmar = 0x3E0,
};
inline constexpr std::uint32_t kTimCen = 1, kTimUdis = 2, kTimUrs = 4, kTimOpm = 8,
                               kTimArpe = 1u << 7;
inline constexpr std::uint32_t kTimUifRemap = 1u << 11, kTimUif = 1, kTimUie = 1, kTimUg = 1;
inline constexpr std::uint32_t kTimWithUpdate = 1u << 3;  ///< CR2.CCDS
/// CR2.MMS with its bit 3 at bit 25, and MMS2. Values from 8 on are not modelled.
inline constexpr unsigned kTimMaster = 4, kTimMasterTop = 25, kTimSecondMaster = 20;
inline constexpr std::uint32_t kTimMasterMask = 7;
enum TimerMasterMode : unsigned {
    kTimMasterReset = 0,
    kTimMasterEnable = 1,
    kTimMasterUpdate = 2,
    kTimMasterCompare = 3,
    kTimMasterReference = 4,  ///< OC1REF; the other channels follow
    kTimMasterEncoder = 8,
};
/// CR2: TI1S, and OIS1, OIS1N, OIS2 and so on from here.
inline constexpr std::uint32_t kTimXor = 1u << 7, kTimIdleLevels = 0xFF00;
inline constexpr unsigned kTimIdleLevel = 8;
/// SMCR: SMS with its bit 3 at bit 16, ETF, ETPS, ECE, ETP and MSM. Of SMS, encoder modes 1 to 3
/// and 10 to 15 and external clock mode 1, which is 7; source: public driver.
inline constexpr std::uint32_t kTimExternalModes = 0xFC8E, kTimEce = 1u << 14, kTimEtp = 1u << 15;
inline constexpr std::uint32_t kTimExternalTrigger = 0xBF00;
inline constexpr unsigned kTimEtf = 8, kTimEtps = 12;
/// CR1.CKD: clocks of t_DTS, by their power of two.
inline constexpr unsigned kTimClockDivision = 8;
/// AF1.ETRSEL: what ETR is; 0 is the pin.
inline constexpr std::uint32_t kTimTriggerSelection = 0xFu << 14;
enum TimerSlaveMode : unsigned {
    kTimEncoderTi1 = 1,
    kTimEncoderTi2 = 2,
    kTimEncoderBoth = 3,
    kTimSlaveReset = 4,
    kTimGated = 5,
    kTimTrigger = 6,
    kTimExternalClock = 7,
    kTimResetAndTrigger = 8,
};
/// SMCR.TS: three bits, and two more above them at bit 20. ITR0 to ITR3 come before these, ITR4 and
/// the others behind ETRF, which is 7.
enum TimerTriggerSource : unsigned {
    kTimTi1Edges = 4,
    kTimTi1 = 5,
    kTimTi2 = 6,
    kTimEtrf = 7,
    kTimLaterTriggers = 8
};
inline constexpr unsigned kTimFirstLaterTrigger = 4;
constexpr unsigned trigger_code(std::uint32_t smcr) {
    return (smcr >> 4 & 7) | (smcr >> 17 & 0x18);
}
inline constexpr std::uint32_t kTimTif = 1u << 6, kTimTie = 1u << 6, kTimTriggerEvent = 1u << 6;
inline constexpr unsigned kTimOvercapture = 9;  ///< of CC1OF in SR; the other channels follow
inline constexpr std::uint32_t kTimDir = 1u << 4, kTimCms = 3u << 5;
/// CR1.CMS, by its number: where compare flags rise while the counter goes both ways.
inline constexpr unsigned kTimAlignment = 5;
inline constexpr std::uint32_t kTimFlagsDown = 1, kTimFlagsUp = 2;
/// Output compare modes, OCxM.
enum TimerOutputMode : unsigned {
    kTimFrozen = 0,
    kTimActive = 1,
    kTimInactive = 2,
    kTimToggle = 3,
    kTimForcedInactive = 4,
    kTimForcedActive = 5,
    kTimPwm1 = 6,
    kTimPwm2 = 7,
};
inline constexpr std::uint32_t kTimByTrigger = 3;  ///< CCxS: by TRC
/// Of a channel's four bits in CCER.
inline constexpr std::uint32_t kTimOn = 1, kTimInverted = 2, kTimComplementOn = 4,
                               kTimComplementInverted = 8;
/// BDTR.
inline constexpr std::uint32_t kTimOssi = 1u << 10, kTimOssr = 1u << 11, kTimMoe = 1u << 15;
inline constexpr unsigned kTimRequestEnables = 8;  ///< of UDE in DIER; the channels follow
inline constexpr std::uint32_t kTimCr1Bits = 0x1BFF;
inline constexpr std::uint32_t kTimDithers = 1u << 12;
inline constexpr std::uint32_t kTimDisarm = 3u << 26;  // BKDSRM, BK2DSRM
/// CCxIF of SR, CCxIE of DIER and CCxG of EGR are at the same places.
constexpr std::uint32_t channel_flag(unsigned channel) {
    return 2u << channel;
}
constexpr std::uint32_t channel_flags(unsigned channels) {
    return ((1u << channels) - 1) << 1;
}

}  // namespace n6vp::models

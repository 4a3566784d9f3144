// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Offsets and bits of SDMMC. Source: CMSIS device header, SDMMC_TypeDef.
namespace n6vp::models::sdmmc {

enum Offset : std::uint32_t {
    kPower = 0x00,
    kClkcr = 0x04,
    kArgr = 0x08,
    kCmdr = 0x0C,
    kRespcmdr = 0x10,
    kResp1r = 0x14,
    kDtimer = 0x24,
    kDlenr = 0x28,
    kDctrl = 0x2C,
    kDcntr = 0x30,
    kStar = 0x34,
    kIcr = 0x38,
    kMaskr = 0x3C,
    kAcktimer = 0x40,
    kFifothrr = 0x44,
    kIdmactrlr = 0x50,
    kIdmabsizer = 0x54,
    kIdmabaser = 0x58,
    kIdmalar = 0x64,
    kIdmabar = 0x68,
    kFifor = 0x80,
    kFiforEnd = 0xC0,
};
inline constexpr std::size_t kWordBytes = 4;

// POWER: VSWITCH, VSWITCHEN.
inline constexpr std::uint32_t kVoltageSwitch = 3u << 2;
// CLKCR.
inline constexpr std::uint32_t kFlowControl = 1u << 17, kDoubleRate = 1u << 18;
// CMDR.
inline constexpr std::uint32_t kCmdIndex = 0x3F, kCmdTrans = 1u << 6, kCmdStop = 1u << 7,
                               kCpsmEnable = 1u << 12;
/// WAITINT, WAITPEND, DTHOLD, BOOTMODE, BOOTEN, CMDSUSPEND.
inline constexpr std::uint32_t kCmdNotModelled = 3u << 10 | 0xFu << 13;
[[nodiscard]] constexpr std::uint32_t wait_response(std::uint32_t command) {
    return command >> 8 & 3;
}
// DCTRL.
inline constexpr std::uint32_t kDataEnable = 1, kFromCard = 1u << 1, kFifoReset = 1u << 13;
/// DTMODE, read wait, SDIOEN, BOOTACKEN.
inline constexpr std::uint32_t kDctrlNotModelled = 3u << 2 | 0x1Fu << 8;
// STAR, ICR, MASKR.
inline constexpr std::uint32_t kCcrcFail = 1u << 0, kDcrcFail = 1u << 1, kCtimeout = 1u << 2,
                               kDtimeout = 1u << 3, kTxUnderrun = 1u << 4, kRxOverrun = 1u << 5,
                               kCmdrEnd = 1u << 6, kCmdSent = 1u << 7, kDataEnd = 1u << 8,
                               kDabort = 1u << 11, kDpsmActive = 1u << 12, kCpsmActive = 1u << 13,
                               kTxFifoHalfEmpty = 1u << 14, kRxFifoHalfFull = 1u << 15,
                               kTxFifoFull = 1u << 16, kRxFifoFull = 1u << 17,
                               kTxFifoEmpty = 1u << 18, kRxFifoEmpty = 1u << 19, kBusyd0 = 1u << 20,
                               kBusyd0End = 1u << 21, kIdmaError = 1u << 27,
                               kIdmaBufferEnd = 1u << 28;
inline constexpr std::uint32_t kCleared = 0x1FE00FFF, kMaskable = 0x17E6CFFF;
// Internal DMA.
inline constexpr std::uint32_t kIdmaLinked = 1u << 1, kIdmaSize = 0x0001FFC0,
                               kIdmaLink = 0xE000FFFC, kIdmaOffset = 0xFFFC, kIdmaReady = 1u << 29,
                               kIdmaUpdateSize = 1u << 30, kIdmaUpdateAddress = 1u << 31;

}  // namespace n6vp::models::sdmmc

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Registers of the STM32N6 that the set-up writes: bases, offsets and bits of the public device
/// header, secure aliases.
namespace n6vp::firmware::chip {

inline constexpr std::uint32_t kRcc = 0x56028000, kRamcfg = 0x52023000, kRifsc = 0x54024000,
                               kIac = 0x54025000, kBsec = 0x56009000, kPwr = 0x56024800,
                               kCacheAxi = 0x580DFC00, kNpu = 0x580E0000, kGpioE = 0x56021000;
/// The NPU seen by a non-secure access.
inline constexpr std::uint32_t kNpuNonSecure = 0x480E0000;

/// A write of ones to a register of RCC at these distances sets or clears its bits.
inline constexpr std::uint32_t kRccSet = 0x800, kRccClear = 0x1000;
inline constexpr std::uint32_t kRccCr = 0x000, kRccSr = 0x004, kRccCfgr1 = 0x020, kRccCfgr2 = 0x024,
                               kRccPll1Cfgr1 = 0x080, kRccPll1Cfgr2 = 0x084, kRccPll1Cfgr3 = 0x088,
                               kRccIc1Cfgr = 0x0C4, kRccCcipr6 = 0x158, kRccAhb3Rstr = 0x218,
                               kRccAhb5Rstr = 0x220, kRccDivEnr = 0x240, kRccMemEnr = 0x24C,
                               kRccAhb3Enr = 0x258, kRccAhb4Enr = 0x25C, kRccAhb5Enr = 0x260,
                               kRccApb2Enr = 0x26C, kRccMemLpEnr = 0x28C, kRccAhb5LpEnr = 0x2A0;
inline constexpr std::uint32_t kPllStride = 0x10, kIcStride = 0x4;

inline constexpr std::uint32_t kPwrVoscr = 0x20;

/// Control register of each RAM bank from AXISRAM2 on; a bank's register is this far from the last.
inline constexpr std::uint32_t kRamcfgAxisram2 = 0x080, kRamcfgStride = 0x080,
                               kRamcfgAxisram6 = 0x280;
inline constexpr std::uint32_t kRamShutDown = 1u << 20;

/// Compartment, security and privilege of master 1, the NPU.
inline constexpr std::uint32_t kRimcAttrNpu = 0xC14;
/// Security and privilege of peripherals 96 to 127; the NPU is bit 10.
inline constexpr std::uint32_t kRiscSeccfgr3 = 0x01C, kRiscPrivcfgr3 = 0x03C, kRiscNpu = 1u << 10;

inline constexpr std::uint32_t kIacIsr = 0x080, kIacIcr = 0x100;
inline constexpr std::uint32_t kIacWords = 5;

inline constexpr std::uint32_t kBsecOtpcr = 0xC04, kBsecWdr = 0xC08;

// Nested vectored interrupt controller, Armv8-M.
inline constexpr std::uint32_t kNvicEnable = 0xE000E100, kNvicDisable = 0xE000E180,
                               kNvicPend = 0xE000E200, kNvicPriority = 0xE000E400;

}  // namespace n6vp::firmware::chip

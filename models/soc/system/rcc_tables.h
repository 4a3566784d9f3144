// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/soc/system/rcc.h"

/// Names and positions of the RCC. Source: CMSIS device header.
namespace n6vp::models::rcc {

inline constexpr std::uint32_t kCr = 0x000, kSr = 0x004, kStopcr = 0x008, kCfgr1 = 0x020,
                               kCfgr2 = 0x024, kBdcr = 0x02C, kRsr = 0x034, kMsiCfgr = 0x044,
                               kHsiCfgr = 0x048, kPllCfgr1 = 0x080, kPllStride = 0x10,
                               kIcCfgr = 0x0C4, kCier = 0x124, kCifr = 0x128, kCicr = 0x12C,
                               kCcipr1 = 0x144, kCcipr3 = 0x14C, kCcipr4 = 0x150, kCcipr5 = 0x154,
                               kCcipr6 = 0x158, kCcipr7 = 0x15C, kCcipr8 = 0x160, kCcipr9 = 0x164,
                               kCcipr12 = 0x170, kCcipr13 = 0x174, kCcipr14 = 0x178,
                               kFirstReset = 0x208, kSecCfgr0 = 0x780, kSecCfgr1 = 0x790,
                               kDivEnr = 0x240, kMemEnr = 0x24C, kAhb3Enr = 0x258, kAhb5Enr = 0x260,
                               kLastSleep = 0x2BC;
/// From an enable register to the reset and the sleep-enable register of the same bus.
inline constexpr std::uint32_t kToReset = 0x40, kToSleep = 0x40;
inline constexpr std::uint32_t kSetAlias = 0x800, kClearAlias = 0x1000, kBytes = 0x1800;
/// Oscillator and PLL switches of CR, their ready bits in SR, and the interrupts of these in CIER,
/// CIFR and CICR.
inline constexpr std::uint32_t kOscillators = 0xF1F;
inline constexpr unsigned kFirstPll = 8;
inline constexpr std::uint32_t kLsi = 1u << 0, kLse = 1u << 1, kMsi = 1u << 2, kHsi = 1u << 3;
/// STOPCR keeps MSI and HSI on in Stop mode; they stand two positions higher in CR.
inline constexpr std::uint32_t kStopOscillators = 3, kToOscillators = 2;
inline constexpr std::uint32_t kWakeByMsi = 1u << 0;  ///< CFGR1.STOPWUCK
/// The time of each to its ready bit, by bit.
inline constexpr Parameter FlagTimes::*kReadyTimes[] = {
    &FlagTimes::lsi, &FlagTimes::lse, &FlagTimes::msi, &FlagTimes::hsi,
    &FlagTimes::hse, nullptr,         nullptr,         nullptr,
    &FlagTimes::pll, &FlagTimes::pll, &FlagTimes::pll, &FlagTimes::pll};
/// CPUSW and SYSSW of CFGR1; the status bits are four positions above.
inline constexpr std::uint32_t kSwitches = 0x03030000, kSwitchesToMsi = 0x01010000;

struct NamedRegister {
    std::uint16_t offset;
    const char* name;
    bool modelled;  ///< does what the hardware does, within the limits that `Rcc` states
};

inline constexpr NamedRegister kRegisters[] = {
    {0x000, "CR", true},         {0x004, "SR", true},         {0x008, "STOPCR", true},
    {0x020, "CFGR1", true},      {0x024, "CFGR2", true},      {0x02C, "BDCR", true},
    {0x030, "HWRSR", false},     {0x034, "RSR", true},        {0x040, "LSECFGR", false},
    {0x044, "MSICFGR", true},    {0x048, "HSICFGR", true},    {0x04C, "HSIMCR", false},
    {0x050, "HSIMSR", false},    {0x054, "HSECFGR", true},    {0x080, "PLL1CFGR1", true},
    {0x084, "PLL1CFGR2", true},  {0x088, "PLL1CFGR3", true},  {0x090, "PLL2CFGR1", true},
    {0x094, "PLL2CFGR2", true},  {0x098, "PLL2CFGR3", true},  {0x0A0, "PLL3CFGR1", true},
    {0x0A4, "PLL3CFGR2", true},  {0x0A8, "PLL3CFGR3", true},  {0x0B0, "PLL4CFGR1", true},
    {0x0B4, "PLL4CFGR2", true},  {0x0B8, "PLL4CFGR3", true},  {0x124, "CIER", true},
    {0x128, "CIFR", true},       {0x12C, "CICR", true},       {0x144, "CCIPR1", true},
    {0x148, "CCIPR2", false},    {0x14C, "CCIPR3", true},     {0x150, "CCIPR4", true},
    {0x154, "CCIPR5", true},     {0x158, "CCIPR6", true},     {0x15C, "CCIPR7", true},
    {0x160, "CCIPR8", true},     {0x164, "CCIPR9", true},     {0x170, "CCIPR12", true},
    {0x174, "CCIPR13", true},    {0x178, "CCIPR14", true},    {0x44C, "RDCR", false},
    {0x780, "SECCFGR0", false},  {0x784, "PRIVCFGR0", false}, {0x788, "LOCKCFGR0", false},
    {0x78C, "PUBCFGR0", false},  {0x790, "SECCFGR1", false},  {0x794, "PRIVCFGR1", false},
    {0x798, "LOCKCFGR1", false}, {0x79C, "PUBCFGR1", false},  {0x7A0, "SECCFGR2", false},
    {0x7A4, "PRIVCFGR2", false}, {0x7A8, "LOCKCFGR2", false}, {0x7AC, "PUBCFGR2", false},
    {0x7B0, "SECCFGR3", false},  {0x7B4, "PRIVCFGR3", false}, {0x7B8, "LOCKCFGR3", false},
    {0x7BC, "PUBCFGR3", false},  {0x7C0, "SECCFGR4", false},  {0x7C4, "PRIVCFGR4", false},
    {0x7C8, "LOCKCFGR4", false}, {0x7CC, "PUBCFGR4", false},  {0x7D0, "PUBCFGR5", false},
};
inline constexpr unsigned kPlls = 4, kDividers = 20;

/// One bus of the enable, reset and sleep-enable registers; offsets count from the enable register.
struct BusRow {
    std::uint16_t enable_offset;
    const char* bus;
    const char* suffix;
    bool has_reset, has_sleep;
};
inline constexpr BusRow kBuses[] = {
    {0x240, "DIV", "", false, false}, {0x244, "BUS", "", false, true},
    {0x248, "MISC", "", true, true},  {0x24C, "MEM", "", true, true},
    {0x250, "AHB1", "", true, true},  {0x254, "AHB2", "", true, true},
    {0x258, "AHB3", "", true, true},  {0x25C, "AHB4", "", true, true},
    {0x260, "AHB5", "", true, true},  {0x264, "APB1", "1", true, true},
    {0x268, "APB1", "2", true, true}, {0x26C, "APB2", "", true, true},
    {0x270, "APB3", "", false, true}, {0x274, "APB4", "1", true, true},
    {0x278, "APB4", "2", true, true}, {0x27C, "APB5", "", true, true},
};

/// Those of the peripherals are in the address map.
inline constexpr ClockGateRow kMemoryGates[] = {
    {"AXISRAM3", {memmap::ClockBus::Mem, 0}},
    {"AXISRAM4", {memmap::ClockBus::Mem, 1}},
    {"AXISRAM5", {memmap::ClockBus::Mem, 2}},
    {"AXISRAM6", {memmap::ClockBus::Mem, 3}},
    {"AHBSRAM1", {memmap::ClockBus::Mem, 4}},
    {"AHBSRAM2", {memmap::ClockBus::Mem, 5}},
    {"BKPSRAM", {memmap::ClockBus::Mem, 6}},
    {"AXISRAM1", {memmap::ClockBus::Mem, 7}},
    {"AXISRAM2", {memmap::ClockBus::Mem, 8}},
    {"FLEXMEM", {memmap::ClockBus::Mem, 9, memmap::ResetBit::Present, "FLEXRAM"}},
    {"CACHEAXIRAM", {memmap::ClockBus::Mem, 10}},
    {"VENCRAM", {memmap::ClockBus::Mem, 11}},
    {"BOOTROM", {memmap::ClockBus::Mem, 12}},
};

struct ResetValue {
    std::uint16_t offset;
    std::uint32_t value;
};
/// What differs from zero. HSI on; prescalers and PLLs as the vendor's de-initialisation writes
/// them; memories as the vendor's start-up comment names them; RAMCFG, PWR and BSEC as the SVD has
/// them. Assumed: the boot ROM leaves the clocks of the flash controllers, RIF and the console on,
/// and all others off.
inline constexpr ResetValue kResetValues[] = {
    {kCr, 0x00000008},      {kCfgr2, 0x00100000}, {0x080, 0x08202500},
    {0x084, 0x00800000},    {0x088, 0x4900000D},  {0x090, 0x08000000},
    {0x098, 0x49000005},    {0x0A0, 0x08000000},  {0x0A8, 0x49000005},
    {0x0B0, 0x08000000},    {0x0B8, 0x49000005},  {0x04C, 0x001F07A1},
    {0x054, 0x00000800},    {0x008, 0x00000002},  {kMemEnr, 0x000013F0},
    {kAhb3Enr, 0x00004200},                       // RIFSC, RISAF
    {0x254, 0x00001000},    {0x25C, 0x00040000},  // RAMCFG, PWR
    {0x278, 0x00000002},                          // BSEC
    {kAhb5Enr, 0x00003020},                       // XSPI1, XSPI2, XSPIM
    {0x26C, 0x00000010},                          // USART1
};

}  // namespace n6vp::models::rcc

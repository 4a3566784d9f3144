// SPDX-License-Identifier: Apache-2.0
#include "models/soc/mcu/set_up_tables.h"

namespace n6vp::models::mcu {
namespace f7 {
namespace {

using Kind = StubRule::Kind;
using On = StubRule::On;

constexpr StubRow kRccRows[] = {
    {.offset = 0x0, .name = "CR", .reset = 0x83, .writable = ~0x2A02FF02u, .modelled = true},
    {.offset = 0x4, .name = "PLLCFGR", .reset = 0x24003010, .modelled = true},
    {.offset = 0x8, .name = "CFGR", .writable = ~0xCu, .modelled = true},
    {.offset = 0xc, .name = "CIR"},
    {.offset = 0x10, .name = "AHB1RSTR"},
    {.offset = 0x14, .name = "AHB2RSTR"},
    {.offset = 0x18, .name = "AHB3RSTR"},
    {.offset = 0x20, .name = "APB1RSTR"},
    {.offset = 0x24, .name = "APB2RSTR"},
    {.offset = 0x30, .name = "AHB1ENR", .reset = 0x100000, .modelled = true},
    {.offset = 0x34, .name = "AHB2ENR", .modelled = true},
    {.offset = 0x38, .name = "AHB3ENR", .modelled = true},
    {.offset = 0x40, .name = "APB1ENR", .modelled = true},
    {.offset = 0x44, .name = "APB2ENR", .modelled = true},
    {.offset = 0x50, .name = "AHB1LPENR", .reset = 0x7E6791FF},
    {.offset = 0x54, .name = "AHB2LPENR", .reset = 0xF1},
    {.offset = 0x58, .name = "AHB3LPENR", .reset = 0x1},
    {.offset = 0x60, .name = "APB1LPENR", .reset = 0x36FEC9FF},
    {.offset = 0x64, .name = "APB2LPENR", .reset = 0x75F33},
    {.offset = 0x70, .name = "BDCR", .writable = ~0x2u, .modelled = true},
    {.offset = 0x74, .name = "CSR", .reset = 0xE000000, .writable = ~0x2u, .modelled = true},
    {.offset = 0x80, .name = "SSCGR"},
    {.offset = 0x84, .name = "PLLI2SCFGR", .reset = 0x20003000},
    {.offset = 0x88, .name = "PLLSAICFGR", .reset = 0x20003000},
    {.offset = 0x8c, .name = "DCKCFGR1", .modelled = true},
    {.offset = 0x90, .name = "DCKCFGR2", .reset = 0x20003000, .modelled = true},
};

constexpr StubRow kPwrRows[] = {
    {.offset = 0x0, .name = "CR1", .reset = 0xC000, .modelled = true},
    {.offset = 0x4,
     .name = "CSR1",
     .reset = 0x4000,
     .writable = 0xC0300,
     .write_one_clears = 0xC0000,
     .modelled = true},
    {.offset = 0x8, .name = "CR2"},
    {.offset = 0xc, .name = "CSR2"},
};

constexpr StubRow kFlashRows[] = {
    {.offset = 0x0, .name = "ACR", .modelled = true},
    {.offset = 0x4, .name = "KEYR"},
    {.offset = 0x8, .name = "OPTKEYR"},
    {.offset = 0xc, .name = "SR", .writable = 0xF3, .write_one_clears = 0xF3},
    {.offset = 0x10, .name = "CR", .reset = 0x80000000},
    {.offset = 0x14, .name = "OPTCR", .reset = 0xFFFAAED},
    {.offset = 0x18, .name = "OPTCR1", .reset = 0xFFF0000},
};

constexpr StubRow kSyscfgRows[] = {
    {.offset = 0x0, .name = "MEMRMP"},
    {.offset = 0x4, .name = "PMC"},
    {.offset = 0x8, .name = "EXTICR1"},
    {.offset = 0xc, .name = "EXTICR2"},
    {.offset = 0x10, .name = "EXTICR3"},
    {.offset = 0x14, .name = "EXTICR4"},
    {.offset = 0x20, .name = "CMPCR", .writable = 0x1, .modelled = true},
};

constexpr StubRow kDbgmcuRows[] = {
    {.offset = 0x0, .name = "IDCODE", .reset = 0x10016449, .writable = 0, .modelled = true},
    {.offset = 0x4, .name = "CR"},
    {.offset = 0x8, .name = "APB1FZ"},
    {.offset = 0xC, .name = "APB2FZ"}};

// SWS is the work of `Rcc`.
constexpr StubRule kRccRules[] = {{Kind::Follow, 0x0, 1u << 1, 0x0, 1u << 0, &FlagTimes::hsi},
                                  {Kind::Follow, 0x0, 1u << 17, 0x0, 1u << 16, &FlagTimes::hse},
                                  {Kind::Follow, 0x0, 1u << 25, 0x0, 1u << 24, &FlagTimes::pll},
                                  {Kind::Follow, 0x0, 1u << 27, 0x0, 1u << 26, &FlagTimes::pll},
                                  {Kind::Follow, 0x0, 1u << 29, 0x0, 1u << 28, &FlagTimes::pll},
                                  {Kind::Follow, 0x70, 1u << 1, 0x70, 1u << 0, &FlagTimes::lse},
                                  {Kind::Follow, 0x74, 1u << 1, 0x74, 1u << 0, &FlagTimes::lsi}};

constexpr StubRule kPwrRules[] = {
    {Kind::Dip, 0x4, 1u << 14, 0x0, 3u << 14, &FlagTimes::voltage, On::Change},
    {Kind::Follow, 0x4, 1u << 16, 0x0, 1u << 16, &FlagTimes::voltage},
    {Kind::Follow, 0x4, 1u << 17, 0x0, 1u << 17, &FlagTimes::voltage},
    {Kind::Follow, 0x4, 1u << 3, 0x4, 1u << 9, &FlagTimes::voltage}};
constexpr StubRule kSyscfgRules[] = {
    {Kind::Follow, 0x20, 1u << 8, 0x20, 1u << 0, &FlagTimes::compensation}};

constexpr StubTable kF7[] = {{"RCC", kRccRows, kRccRules},
                             {"PWR", kPwrRows, kPwrRules},
                             {"FLASH", kFlashRows},
                             {"SYSCFG", kSyscfgRows, kSyscfgRules},
                             {"DBGMCU", kDbgmcuRows}};

}  // namespace
}  // namespace f7

const std::span<const StubTable> kF7Tables = f7::kF7;

}  // namespace n6vp::models::mcu

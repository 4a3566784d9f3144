// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "models/soc/mcu/set_up_tables.h"

namespace n6vp::models::mcu {
namespace l4 {
namespace {

using Kind = StubRule::Kind;
using On = StubRule::On;

constexpr StubRow kRccRows[] = {
    {.offset = 0x0, .name = "CR", .reset = 0x63, .writable = ~0x2A020402u, .modelled = true},
    {.offset = 0x4, .name = "ICSCR", .reset = 0x10000000, .writable = ~0xFF00FFu, .modelled = true},
    {.offset = 0x8, .name = "CFGR", .writable = ~0xCu, .modelled = true},
    {.offset = 0xc, .name = "PLLCFGR", .reset = 0x1000, .modelled = true},
    {.offset = 0x10, .name = "PLLSAI1CFGR", .reset = 0x1000},
    {.offset = 0x14, .name = "PLLSAI2CFGR", .reset = 0x1000},
    {.offset = 0x18, .name = "CIER"},
    {.offset = 0x1c, .name = "CIFR", .writable = 0},
    {.offset = 0x20, .name = "CICR", .self_clearing = 0xFFFFFFFF},
    {.offset = 0x28, .name = "AHB1RSTR"},
    {.offset = 0x2c, .name = "AHB2RSTR"},
    {.offset = 0x30, .name = "AHB3RSTR"},
    {.offset = 0x38, .name = "APB1RSTR1"},
    {.offset = 0x3c, .name = "APB1RSTR2"},
    {.offset = 0x40, .name = "APB2RSTR"},
    {.offset = 0x48, .name = "AHB1ENR", .reset = 0x100, .modelled = true},
    {.offset = 0x4c, .name = "AHB2ENR", .modelled = true},
    {.offset = 0x50, .name = "AHB3ENR", .modelled = true},
    {.offset = 0x58, .name = "APB1ENR1", .modelled = true},
    {.offset = 0x5c, .name = "APB1ENR2", .modelled = true},
    {.offset = 0x60, .name = "APB2ENR", .modelled = true},
    {.offset = 0x68, .name = "AHB1SMENR", .reset = 0x11303},
    {.offset = 0x6c, .name = "AHB2SMENR", .reset = 0x532FF},
    {.offset = 0x70, .name = "AHB3SMENR", .reset = 0x101},
    {.offset = 0x78, .name = "APB1SMENR1", .reset = 0xF2FECA3F},
    {.offset = 0x7c, .name = "APB1SMENR2", .reset = 0x25},
    {.offset = 0x80, .name = "APB2SMENR", .reset = 0x1677C01},
    {.offset = 0x88, .name = "CCIPR", .modelled = true},
    {.offset = 0x90, .name = "BDCR", .writable = ~0x42u, .modelled = true},
    {.offset = 0x94, .name = "CSR", .reset = 0xC000600, .writable = ~0xFF000002u, .modelled = true},
    {.offset = 0x98, .name = "CRRCR", .writable = 0x1, .modelled = true},
    {.offset = 0x9c, .name = "CCIPR2"},
    {.offset = 0xa4, .name = "DLYCFGR"},
};

/// RM0432: the clock of the RTC's registers runs out of reset. The L475 has no gate for it.
constexpr auto kRccL4r5Rows = [] {
    auto rows = std::to_array(kRccRows);
    for (StubRow& row : rows) {
        if (row.offset == 0x58) row.reset = 1u << 10;
    }
    return rows;
}();

constexpr StubRow kPwrRows[] = {
    {.offset = 0x0, .name = "CR1", .reset = 0x200, .modelled = true},
    {.offset = 0x4, .name = "CR2"},
    {.offset = 0x8, .name = "CR3", .reset = 0x8000, .modelled = true},
    {.offset = 0xc, .name = "CR4", .modelled = true},
    {.offset = 0x10, .name = "SR1", .writable = 0},
    {.offset = 0x14, .name = "SR2", .writable = 0, .modelled = true},
    {.offset = 0x18, .name = "SCR", .self_clearing = 0xFFFFFFFF},
    {.offset = 0x20, .name = "PUCRA"},
    {.offset = 0x24, .name = "PDCRA"},
    {.offset = 0x28, .name = "PUCRB"},
    {.offset = 0x2c, .name = "PDCRB"},
    {.offset = 0x30, .name = "PUCRC"},
    {.offset = 0x34, .name = "PDCRC"},
    {.offset = 0x38, .name = "PUCRD"},
    {.offset = 0x3c, .name = "PDCRD"},
    {.offset = 0x40, .name = "PUCRE"},
    {.offset = 0x44, .name = "PDCRE"},
    {.offset = 0x48, .name = "PUCRF"},
    {.offset = 0x4c, .name = "PDCRF"},
    {.offset = 0x50, .name = "PUCRG"},
    {.offset = 0x54, .name = "PDCRG"},
    {.offset = 0x58, .name = "PUCRH"},
    {.offset = 0x5c, .name = "PDCRH"},
    {.offset = 0x60, .name = "PUCRI"},
    {.offset = 0x64, .name = "PDCRI"},
    {.offset = 0x80, .name = "CR5", .reset = 0x100, .modelled = true},
};

constexpr StubRow kFlashRows[] = {
    {.offset = 0x0, .name = "ACR", .reset = 0x600, .modelled = true},
    {.offset = 0x4, .name = "PDKEYR"},
    {.offset = 0x8, .name = "KEYR"},
    {.offset = 0xc, .name = "OPTKEYR"},
    {.offset = 0x10, .name = "SR", .writable = 0xC3FB, .write_one_clears = 0xC3FB},
    {.offset = 0x14, .name = "CR", .reset = 0xC0000000},
    {.offset = 0x18, .name = "ECCR", .writable = 0xC1000000},
    {.offset = 0x20, .name = "OPTR", .reset = 0xFFEFF8AA},
    {.offset = 0x24, .name = "PCROP1SR", .reset = 0xFFFF0000},
    {.offset = 0x28, .name = "PCROP1ER", .reset = 0xFFF0000},
    {.offset = 0x2c, .name = "WRP1AR", .reset = 0xFF00FF00},
    {.offset = 0x30, .name = "WRP1BR", .reset = 0xFF00FF00},
    {.offset = 0x44, .name = "PCROP2SR", .reset = 0xFFFF0000},
    {.offset = 0x48, .name = "PCROP2ER", .reset = 0xFFFF0000},
    {.offset = 0x4c, .name = "WRP2AR", .reset = 0xFF00FF00},
    {.offset = 0x50, .name = "WRP2BR", .reset = 0xFF00FF00},
    {.offset = 0x130, .name = "CFGR"},
};

constexpr StubRow kSyscfgRows[] = {
    {.offset = 0x0, .name = "MEMRMP"},
    {.offset = 0x4, .name = "CFGR1", .reset = 0x7C000001},
    {.offset = 0x8, .name = "EXTICR1"},
    {.offset = 0xc, .name = "EXTICR2"},
    {.offset = 0x10, .name = "EXTICR3"},
    {.offset = 0x14, .name = "EXTICR4"},
    {.offset = 0x18, .name = "SCSR", .writable = 0x1},
    {.offset = 0x1c, .name = "CFGR2"},
    {.offset = 0x20, .name = "SWPR"},
    {.offset = 0x24, .name = "SKR"},
    {.offset = 0x28, .name = "SWPR2"},
};

constexpr StubRow kDbgmcuL475Rows[] = {
    {.offset = 0x0, .name = "IDCODE", .reset = 0x10076415, .writable = 0, .modelled = true},
    {.offset = 0x4, .name = "CR"},
    {.offset = 0x8, .name = "APB1FZR1"},
    {.offset = 0xC, .name = "APB1FZR2"},
    {.offset = 0x10, .name = "APB2FZ"}};
constexpr StubRow kDbgmcuL4r5Rows[] = {
    {.offset = 0x0, .name = "IDCODE", .reset = 0x10006470, .writable = 0, .modelled = true},
    {.offset = 0x4, .name = "CR"},
    {.offset = 0x8, .name = "APB1FZR1"},
    {.offset = 0xC, .name = "APB1FZR2"},
    {.offset = 0x10, .name = "APB2FZ"}};

// SWS is the work of `Rcc`.
constexpr StubRule kRccRules[] = {{Kind::Follow, 0x0, 1u << 1, 0x0, 1u << 0, &FlagTimes::msi},
                                  {Kind::Follow, 0x0, 1u << 10, 0x0, 1u << 8, &FlagTimes::hsi},
                                  {Kind::Follow, 0x0, 1u << 17, 0x0, 1u << 16, &FlagTimes::hse},
                                  {Kind::Follow, 0x0, 1u << 25, 0x0, 1u << 24, &FlagTimes::pll},
                                  {Kind::Follow, 0x0, 1u << 27, 0x0, 1u << 26, &FlagTimes::pll},
                                  {Kind::Follow, 0x0, 1u << 29, 0x0, 1u << 28, &FlagTimes::pll},
                                  {Kind::Follow, 0x90, 1u << 1, 0x90, 1u << 0, &FlagTimes::lse},
                                  {Kind::Follow, 0x94, 1u << 1, 0x94, 1u << 0, &FlagTimes::lsi},
                                  {Kind::Follow, 0x98, 1u << 1, 0x98, 1u << 0, &FlagTimes::hsi}};
/// Without HSI48.
constexpr std::span<const StubRule> kRccL475Rules = std::span(kRccRules).first<8>();

constexpr StubRule kPwrRules[] = {
    // VOSF: the regulator is on its way to another range.
    {Kind::Pulse, 0x14, 1u << 10, 0x0, 3u << 9, &FlagTimes::voltage, On::Change},
    // REGLPF: low-power run.
    {Kind::Follow, 0x14, 1u << 9, 0x0, 1u << 14, &FlagTimes::voltage}};

constexpr StubTable kL475[] = {
    {"RCC", std::span(kRccRows).first<30>(), kRccL475Rules},
    {"PWR", std::span(kPwrRows).first<std::size(kPwrRows) - 1>(), kPwrRules},
    {"FLASH", kFlashRows},
    {"SYSCFG", kSyscfgRows},
    {"DBGMCU", kDbgmcuL475Rows}};
constexpr StubTable kL4r5[] = {{"RCC", kRccL4r5Rows, kRccRules},
                               {"PWR", kPwrRows, kPwrRules},
                               {"FLASH", kFlashRows},
                               {"SYSCFG", kSyscfgRows},
                               {"DBGMCU", kDbgmcuL4r5Rows}};

}  // namespace
}  // namespace l4

const std::span<const StubTable> kL475Tables = l4::kL475, kL4r5Tables = l4::kL4r5;

}  // namespace n6vp::models::mcu

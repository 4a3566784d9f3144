// SPDX-License-Identifier: Apache-2.0
#include "models/chip/mcu/set_up_tables.h"

#include <array>

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipFamily;
using enum StubRule::Kind;

constexpr std::uint32_t bit(unsigned position) {
    return 1u << position;
}
constexpr std::uint32_t bits(unsigned high, unsigned low) {
    return (~0u >> (31 - high)) & (~0u << low);
}

/// A register of which all that matters is modelled here or read by the clock tree.
constexpr StubRow reg(std::uint32_t offset, const char* name, std::uint32_t reset = 0,
                      std::uint32_t writable = 0xFFFFFFFF, std::uint32_t ones = 0) {
    return {.offset = offset,
            .name = name,
            .reset = reset,
            .writable = writable,
            .ones = ones,
            .modelled = true};
}
/// A flag that follows its enable bit in the same register.
constexpr StubRule ready(std::uint32_t offset, unsigned flag, unsigned enable) {
    return {Follow, offset, bit(flag), offset, bit(enable)};
}

// L4. RCC.
constexpr std::uint32_t kL4Ready = bit(1) | bit(10) | bit(17) | bit(25) | bit(27) | bit(29);
constexpr std::array kL4RccRows{
    reg(0x00, "CR", 0x63, ~kL4Ready),
    reg(0x04, "ICSCR", 0x40000000),
    reg(0x08, "CFGR", 0, ~bits(3, 2)),
    reg(0x0C, "PLLCFGR", 0x1000),
    reg(0x10, "PLLSAI1CFGR", 0x1000),
    reg(0x14, "PLLSAI2CFGR", 0x1000),
    reg(0x18, "CIER"),
    reg(0x1C, "CIFR", 0, 0),
    reg(0x20, "CICR"),
    reg(0x28, "AHB1RSTR"),
    reg(0x2C, "AHB2RSTR"),
    reg(0x30, "AHB3RSTR"),
    reg(0x38, "APB1RSTR1"),
    reg(0x3C, "APB1RSTR2"),
    reg(0x40, "APB2RSTR"),
    reg(0x48, "AHB1ENR", 0x100),
    reg(0x4C, "AHB2ENR"),
    reg(0x50, "AHB3ENR"),
    reg(0x58, "APB1ENR1"),
    reg(0x5C, "APB1ENR2"),
    reg(0x60, "APB2ENR"),
    reg(0x88, "CCIPR"),
    reg(0x90, "BDCR", 0, ~bit(1)),
    reg(0x94, "CSR", 0x0C000600, ~bit(1)),
    reg(0x98, "CRRCR", 0, ~bit(1)),
    reg(0x9C, "CCIPR2"),
};
constexpr std::array kL4RccRules{
    ready(0x00, 1, 0),   ready(0x00, 10, 8),  ready(0x00, 17, 16), ready(0x00, 25, 24),
    ready(0x00, 27, 26), ready(0x00, 29, 28), ready(0x08, 2, 0),   ready(0x08, 3, 1),
    ready(0x90, 1, 0),   ready(0x94, 1, 0),   ready(0x98, 1, 0),
};
constexpr std::array kL4PwrRows{
    reg(0x00, "CR1", 0x200), reg(0x04, "CR2"),        reg(0x08, "CR3", 0x8000),
    reg(0x0C, "CR4"),        reg(0x10, "SR1", 0, 0),  reg(0x14, "SR2", 0x100, 0),
    reg(0x18, "SCR"),        reg(0x80, "CR5", 0x100),
};
constexpr std::array kL4FlashRows{
    reg(0x00, "ACR", 0x600),
    reg(0x08, "KEYR"),
    reg(0x10, "SR", 0, 0),
    reg(0x14, "CR", 0xC0000000),
    // Single-bank mode: the state in which the published benchmark firmware runs.
    reg(0x20, "OPTR", 0xFFEFF8AA & ~bit(22), 0),
};

// U5.
constexpr std::uint32_t kU5Ready =
    bit(2) | bit(5) | bit(10) | bit(13) | bit(15) | bit(17) | bit(25) | bit(27) | bit(29);
constexpr std::array kU5RccRows{
    reg(0x00, "CR", 0x35, ~kU5Ready),
    reg(0x08, "ICSCR1", 0x44000000),
    reg(0x0C, "ICSCR2"),
    reg(0x10, "ICSCR3"),
    reg(0x14, "CRRCR"),
    reg(0x1C, "CFGR1", 0, ~bits(3, 2)),
    reg(0x20, "CFGR2"),
    reg(0x24, "CFGR3"),
    reg(0x28, "PLL1CFGR"),
    reg(0x2C, "PLL2CFGR"),
    reg(0x30, "PLL3CFGR"),
    reg(0x34, "PLL1DIVR", 0x01010280),
    reg(0x38, "PLL1FRACR"),
    reg(0x3C, "PLL2DIVR", 0x01010280),
    reg(0x40, "PLL2FRACR"),
    reg(0x44, "PLL3DIVR", 0x01010280),
    reg(0x48, "PLL3FRACR"),
    reg(0x50, "CIER"),
    reg(0x54, "CIFR", 0, 0),
    reg(0x58, "CICR"),
    reg(0x60, "AHB1RSTR"),
    reg(0x64, "AHB2RSTR1"),
    reg(0x68, "AHB2RSTR2"),
    reg(0x6C, "AHB3RSTR"),
    reg(0x74, "APB1RSTR1"),
    reg(0x78, "APB1RSTR2"),
    reg(0x7C, "APB2RSTR"),
    reg(0x80, "APB3RSTR"),
    reg(0x88, "AHB1ENR", 0xD0200100),
    reg(0x8C, "AHB2ENR1", 0xC0000000),
    reg(0x90, "AHB2ENR2"),
    reg(0x94, "AHB3ENR", 0x80000000),
    reg(0x9C, "APB1ENR1"),
    reg(0xA0, "APB1ENR2"),
    reg(0xA4, "APB2ENR"),
    reg(0xA8, "APB3ENR"),
    reg(0xE0, "CCIPR1"),
    reg(0xE4, "CCIPR2"),
    reg(0xE8, "CCIPR3"),
    reg(0xF0, "BDCR", 0, ~(bit(1) | bit(11) | bit(27))),
    reg(0xF4, "CSR", 0x0C004400),
};
constexpr std::array kU5RccRules{
    ready(0x00, 2, 0),   ready(0x00, 5, 4),   ready(0x00, 10, 8),  ready(0x00, 13, 12),
    ready(0x00, 15, 14), ready(0x00, 17, 16), ready(0x00, 25, 24), ready(0x00, 27, 26),
    ready(0x00, 29, 28), ready(0x1C, 2, 0),   ready(0x1C, 3, 1),   ready(0xF0, 1, 0),
    ready(0xF0, 27, 26), ready(0xF0, 11, 7),
};
constexpr std::array kU5PwrRows{
    reg(0x00, "CR1"),   reg(0x04, "CR2"),
    reg(0x08, "CR3"),   reg(0x0C, "VOSR", 0x8000, ~(bit(14) | bit(15)), bit(15)),
    reg(0x10, "SVMCR"), reg(0x28, "DBPR"),
    reg(0x2C, "UCPDR"), reg(0x3C, "SVMSR", 0x8000, 0, bit(15)),
};
constexpr std::array kU5PwrRules{
    ready(0x0C, 14, 18),
    StubRule{Follow, 0x3C, bit(1), 0x08, bit(1)},    // REGS: SMPS in use
    StubRule{Follow, 0x3C, bit(16), 0x0C, bit(16)},  // ACTVOS
    StubRule{Follow, 0x3C, bit(17), 0x0C, bit(17)},
};
constexpr std::array kU5FlashRows{
    reg(0x00, "ACR", 0x1),
    reg(0x20, "NSSR", 0, 0),
    reg(0x28, "NSCR", 0xC0000000),
    // TZEN = 0, two banks.
    reg(0x40, "OPTR", 0x1FEFF8AA, 0),
};
constexpr std::array kIcacheRows{
    StubRow{.offset = 0x00,
            .name = "CR",
            .reset = 0x4,
            .writable = bit(0) | bit(2) | bits(19, 16),
            .self_clearing = bit(1),
            .modelled = true},
    reg(0x04, "SR", bit(1), 0),
    reg(0x08, "IER"),
    reg(0x0C, "FCR"),
};
constexpr std::array kIcacheRules{
    StubRule{SetBy, 0x04, bit(1), 0x00, bit(1)},
    StubRule{Erase, 0x04, bit(1), 0x0C, bit(1)},
};
constexpr std::array kDcacheRows{
    StubRow{.offset = 0x00,
            .name = "CR",
            .writable = 0xFFFFFFFF & ~(bit(1) | bit(11)),
            .self_clearing = bit(1) | bit(11),
            .modelled = true},
    reg(0x04, "SR", bit(1), 0),
    reg(0x08, "IER"),
    reg(0x0C, "FCR"),
};
constexpr std::array kDcacheRules{
    StubRule{SetBy, 0x04, bit(1), 0x00, bit(1)},
    StubRule{SetBy, 0x04, bit(4), 0x00, bit(11)},
    StubRule{Erase, 0x04, bit(1) | bit(4), 0x0C, bit(1) | bit(4)},
};

// F7.
constexpr std::uint32_t kF7Ready = bit(1) | bit(17) | bit(25) | bit(27) | bit(29);
constexpr std::array kF7RccRows{
    reg(0x00, "CR", 0x83, ~kF7Ready),
    reg(0x04, "PLLCFGR", 0x24003010),
    reg(0x08, "CFGR", 0, ~bits(3, 2)),
    reg(0x0C, "CIR"),
    reg(0x10, "AHB1RSTR"),
    reg(0x14, "AHB2RSTR"),
    reg(0x18, "AHB3RSTR"),
    reg(0x20, "APB1RSTR"),
    reg(0x24, "APB2RSTR"),
    reg(0x30, "AHB1ENR", 0x00100000),
    reg(0x34, "AHB2ENR"),
    reg(0x38, "AHB3ENR"),
    reg(0x40, "APB1ENR"),
    reg(0x44, "APB2ENR"),
    reg(0x70, "BDCR", 0, ~bit(1)),
    reg(0x74, "CSR", 0x0E000000, ~bit(1)),
    reg(0x8C, "DCKCFGR1"),
    reg(0x90, "DCKCFGR2"),
};
constexpr std::array kF7RccRules{
    ready(0x00, 1, 0),   ready(0x00, 17, 16), ready(0x00, 25, 24),
    ready(0x00, 27, 26), ready(0x00, 29, 28), ready(0x08, 2, 0),
    ready(0x08, 3, 1),   ready(0x70, 1, 0),   ready(0x74, 1, 0),
};
constexpr std::array kF7PwrRows{
    reg(0x00, "CR1", 0xC000),
    reg(0x04, "CSR1", 0x4000, ~(bit(14) | bit(16) | bit(17)), bit(14)),
    reg(0x08, "CR2"),
    reg(0x0C, "CSR2"),
};
constexpr std::array kF7PwrRules{
    StubRule{Follow, 0x04, bit(16), 0x00, bit(16)},
    StubRule{Follow, 0x04, bit(17), 0x00, bit(17)},
};
constexpr std::array kF7FlashRows{
    reg(0x00, "ACR"),
    reg(0x04, "KEYR"),
    reg(0x0C, "SR", 0, 0),
    reg(0x10, "CR", 0x80000000),
};

// H7.
constexpr std::uint32_t kH7Ready =
    bit(2) | bit(5) | bit(8) | bit(13) | bit(14) | bit(15) | bit(17) | bit(25) | bit(27) | bit(29);
constexpr std::array kH7RccRows{
    reg(0x00, "CR", 0x25, ~kH7Ready, bit(5) | bit(14) | bit(15)),
    reg(0x04, "HSICFGR", 0x40000000),
    reg(0x08, "CRRCR"),
    reg(0x0C, "CSICFGR"),
    reg(0x10, "CFGR", 0, ~bits(5, 3)),
    reg(0x18, "D1CFGR"),
    reg(0x1C, "D2CFGR"),
    reg(0x20, "D3CFGR"),
    reg(0x28, "PLLCKSELR", 0x02020200),
    reg(0x2C, "PLLCFGR", 0x01FF0000),
    reg(0x30, "PLL1DIVR", 0x01010280),
    reg(0x34, "PLL1FRACR"),
    reg(0x38, "PLL2DIVR", 0x01010280),
    reg(0x3C, "PLL2FRACR"),
    reg(0x40, "PLL3DIVR", 0x01010280),
    reg(0x44, "PLL3FRACR"),
    reg(0x60, "CIER"),
    reg(0x64, "CIFR", 0, 0),
    reg(0x68, "CICR"),
    reg(0x70, "BDCR", 0, ~bit(1)),
    reg(0x74, "CSR", 0, ~bit(1)),
};
constexpr std::array kH7RccRules{
    ready(0x00, 2, 0),   ready(0x00, 8, 7),   ready(0x00, 13, 12), ready(0x00, 17, 16),
    ready(0x00, 25, 24), ready(0x00, 27, 26), ready(0x00, 29, 28), ready(0x10, 3, 0),
    ready(0x10, 4, 1),   ready(0x10, 5, 2),   ready(0x70, 1, 0),   ready(0x74, 1, 0),
};
constexpr std::array kH7PwrRows{
    reg(0x00, "CR1", 0xF000C000),
    reg(0x04, "CSR1", 0x4000, 0, bit(13)),
    reg(0x08, "CR2"),
    reg(0x0C, "CR3", 0x6, ~bit(16), bit(16)),
    reg(0x10, "CPUCR"),
    reg(0x18, "D3CR", 0x4000, ~bit(13), bit(13)),
};
constexpr std::array kH7PwrRules{
    StubRule{Follow, 0x04, bit(14), 0x18, bit(14)},
    StubRule{Follow, 0x04, bit(15), 0x18, bit(15)},
};
constexpr std::array kH7FlashRows{
    reg(0x00, "ACR", 0x37),
    reg(0x04, "KEYR1"),
    reg(0x0C, "CR1", 0x31),
    reg(0x10, "SR1", 0, 0),
};

constexpr std::array kL4Tables{
    StubTable{"RCC", kL4RccRows, kL4RccRules},
    StubTable{"PWR", kL4PwrRows},
    StubTable{"FLASH", kL4FlashRows},
};
constexpr std::array kU5Tables{
    StubTable{"RCC", kU5RccRows, kU5RccRules},
    StubTable{"PWR", kU5PwrRows, kU5PwrRules},
    StubTable{"FLASH", kU5FlashRows},
    StubTable{"ICACHE", kIcacheRows, kIcacheRules},
    StubTable{"DCACHE1", kDcacheRows, kDcacheRules},
};
constexpr std::array kF7Tables{
    StubTable{"RCC", kF7RccRows, kF7RccRules},
    StubTable{"PWR", kF7PwrRows, kF7PwrRules},
    StubTable{"FLASH", kF7FlashRows},
};
constexpr std::array kH7Tables{
    StubTable{"RCC", kH7RccRows, kH7RccRules},
    StubTable{"PWR", kH7PwrRows, kH7PwrRules},
    StubTable{"FLASH", kH7FlashRows},
};
constexpr StubTable kNone{"", {}};

std::span<const StubTable> tables_of(ChipFamily family) {
    switch (family) {
        case ChipFamily::L4:
            return kL4Tables;
        case ChipFamily::U5:
            return kU5Tables;
        case ChipFamily::F7:
            return kF7Tables;
        default:
            return kH7Tables;
    }
}

}  // namespace

const StubTable* set_up_table(ChipFamily family, std::string_view peripheral) {
    for (const StubTable& table : tables_of(family)) {
        if (table.type == peripheral) return &table;
    }
    return nullptr;
}

const StubTable& no_table() {
    return kNone;
}

}  // namespace n6vp::models::mcu_chip

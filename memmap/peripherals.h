// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/guest_addr.h"
#include "memmap/regions.h"

/// The peripherals that firmware and runtime touch, all that is fixed about each in one row.
/// Source: CMSIS device header and HAL.
namespace n6vp::memmap {

/// The enable register of RCC that holds a clock bit: its offset. Reset and sleep-enable register
/// of the same bus stand at fixed distances from it.
enum class ClockBus : std::uint16_t {
    None = 0,
    Misc = 0x248,
    Mem = 0x24C,
    Ahb1 = 0x250,
    Ahb2 = 0x254,
    Ahb3 = 0x258,
    Ahb4 = 0x25C,
    Ahb5 = 0x260,
    Apb1 = 0x264,
    Apb1High = 0x268,
    Apb2 = 0x26C,
    Apb4 = 0x274,
    Apb4High = 0x278,
    Apb5 = 0x27C,
};
enum class ResetBit : bool { Absent, Present };

/// The clock bit of a peripheral. Has no default: a row must say that there is none.
struct ClockBit {
    constexpr ClockBit(ClockBus at, std::uint8_t bit, ResetBit reset = ResetBit::Present,
                       const char* bit_name = nullptr)
        : bus(at), position(bit), resets(reset == ResetBit::Present), name(bit_name) {}
    [[nodiscard]] constexpr bool exists() const { return bus != ClockBus::None; }

    ClockBus bus;
    std::uint8_t position;
    bool resets;       ///< the reset register has a bit at the same position
    const char* name;  ///< without EN; nullptr: as the peripheral
};
inline constexpr ClockBit kAlwaysClocked{ClockBus::None, 0, ResetBit::Absent};

/// Number of a peripheral in the security registers of RIFSC (RISC) and in IAC. Has no default.
struct FilterIndex {
    constexpr FilterIndex(int number) : index(number) {}
    [[nodiscard]] constexpr bool exists() const { return index >= 0; }

    int index;
};
inline constexpr FilterIndex kNoFilter = -1;

/// A run of consecutive lines of the NVIC of one source; channel n of it has line `first` + n.
struct Interrupt {
    const char* name = nullptr;
    std::uint16_t first = 0;
    std::uint16_t count = 1;
};

struct Peripheral {
    const char* name;
    const char* type;  ///< peripherals of one type have the same registers
    GuestAddr secure;  ///< the non-secure alias is kSecureOffset below, unless `secure_only`
    std::uint32_t bytes;
    ClockBit clock;
    FilterIndex filter;
    Interrupt interrupts[4];  ///< without name: no more
    bool secure_only = false;

    [[nodiscard]] constexpr GuestAddr non_secure() const {
        return GuestAddr{to_word(secure) - (secure_only ? 0 : kSecureOffset)};
    }
};

inline constexpr std::uint32_t kNpuBytes = 0x20000;  ///< 32 pages of 4 KB

inline constexpr ResetBit kNoReset = ResetBit::Absent;
inline constexpr ClockBit kRisafClock{ClockBus::Ahb3, 14, kNoReset, "RISAF"};  ///< of all of them
inline constexpr ClockBit kAdcClock{ClockBus::Ahb1, 5, ResetBit::Present, "ADC12"};  ///< of both
/// Of all FDCAN and their message RAM (that of the RAM is inferred).
inline constexpr ClockBit kCanClock{ClockBus::Apb1High, 8, ResetBit::Present, "FDCAN"};

/// By ascending address.
inline constexpr Peripheral kPeripherals[] = {
    {"TIM2", "TIM", GuestAddr{0x50000000}, 0x400, {ClockBus::Apb1, 0}, 28, {{"TIM2", 116}}},
    {"TIM3", "TIM", GuestAddr{0x50000400}, 0x400, {ClockBus::Apb1, 1}, 29, {{"TIM3", 117}}},
    {"TIM4", "TIM", GuestAddr{0x50000800}, 0x400, {ClockBus::Apb1, 2}, 30, {{"TIM4", 118}}},
    {"TIM5", "TIM", GuestAddr{0x50000C00}, 0x400, {ClockBus::Apb1, 3}, 31, {{"TIM5", 119}}},
    {"TIM6", "TIM", GuestAddr{0x50001000}, 0x400, {ClockBus::Apb1, 4}, 32, {{"TIM6", 120}}},
    {"TIM7", "TIM", GuestAddr{0x50001400}, 0x400, {ClockBus::Apb1, 5}, 33, {{"TIM7", 121}}},
    {"TIM12", "TIM", GuestAddr{0x50001800}, 0x400, {ClockBus::Apb1, 6}, 38, {{"TIM12", 129}}},
    {"TIM13", "TIM", GuestAddr{0x50001C00}, 0x400, {ClockBus::Apb1, 7}, 39, {{"TIM13", 130}}},
    {"TIM14", "TIM", GuestAddr{0x50002000}, 0x400, {ClockBus::Apb1, 8}, 40, {{"TIM14", 131}}},
    {"LPTIM1", "LPTIM", GuestAddr{0x50002400}, 0x400, {ClockBus::Apb1, 9}, 46, {{"LPTIM1", 136}}},
    {"WWDG", "WWDG", GuestAddr{0x50002C00}, 0x400, {ClockBus::Apb1, 11}, 69, {{"WWDG", 19}}},
    {"TIM10", "TIM", GuestAddr{0x50003000}, 0x400, {ClockBus::Apb1, 12}, 36, {{"TIM10", 127}}},
    {"TIM11", "TIM", GuestAddr{0x50003400}, 0x400, {ClockBus::Apb1, 13}, 37, {{"TIM11", 128}}},
    {"SPI2", "SPI", GuestAddr{0x50003800}, 0x400, {ClockBus::Apb1, 14}, 1, {{"SPI2", 154}}},
    {"SPI3", "SPI", GuestAddr{0x50003C00}, 0x400, {ClockBus::Apb1, 15}, 2, {{"SPI3", 155}}},
    {"USART2", "USART", GuestAddr{0x50004400}, 0x400, {ClockBus::Apb1, 17}, 16, {{"USART2", 160}}},
    {"USART3", "USART", GuestAddr{0x50004800}, 0x400, {ClockBus::Apb1, 18}, 17, {{"USART3", 161}}},
    {"UART4", "USART", GuestAddr{0x50004C00}, 0x400, {ClockBus::Apb1, 19}, 18, {{"UART4", 162}}},
    {"UART5", "USART", GuestAddr{0x50005000}, 0x400, {ClockBus::Apb1, 20}, 19, {{"UART5", 163}}},
    {"I2C1",
     "I2C",
     GuestAddr{0x50005400},
     0x400,
     {ClockBus::Apb1, 21},
     9,
     {{"I2C1_EV", 100}, {"I2C1_ER", 101}}},
    {"I2C2",
     "I2C",
     GuestAddr{0x50005800},
     0x400,
     {ClockBus::Apb1, 22},
     10,
     {{"I2C2_EV", 102}, {"I2C2_ER", 103}}},
    {"I2C3",
     "I2C",
     GuestAddr{0x50005C00},
     0x400,
     {ClockBus::Apb1, 23},
     11,
     {{"I2C3_EV", 104}, {"I2C3_ER", 105}}},
    {"UART7", "USART", GuestAddr{0x50007800}, 0x400, {ClockBus::Apb1, 30}, 21, {{"UART7", 165}}},
    {"UART8", "USART", GuestAddr{0x50007C00}, 0x400, {ClockBus::Apb1, 31}, 22, {{"UART8", 166}}},
    {"FDCAN1",
     "FDCAN",
     GuestAddr{0x5000A000},
     0x400,
     kCanClock,
     kNoFilter,
     {{"FDCAN1_IT0", 180}, {"FDCAN1_IT1", 181}, {"FDCAN_CU", 186}}},
    {"FDCAN2",
     "FDCAN",
     GuestAddr{0x5000A400},
     0x400,
     kCanClock,
     kNoFilter,
     {{"FDCAN2_IT0", 182}, {"FDCAN2_IT1", 183}, {"FDCAN_CU", 186}}},
    {"SRAMCAN", "FDCAN_RAM", GuestAddr{0x5000C000}, 0x2800, kCanClock, kNoFilter, {}},
    {"FDCAN3",
     "FDCAN",
     GuestAddr{0x5000E800},
     0x400,
     kCanClock,
     kNoFilter,
     {{"FDCAN3_IT0", 184}, {"FDCAN3_IT1", 185}, {"FDCAN_CU", 186}}},
    {"GPDMA1",
     "DMA",
     GuestAddr{0x50021000},
     0x1000,
     {ClockBus::Ahb1, 4},
     kNoFilter,
     {{"GPDMA1", 84, 16}}},
    {"ADC1", "ADC", GuestAddr{0x50022000}, 0x100, kAdcClock, 64, {{"ADC1_2", 46}}},
    {"ADC2", "ADC", GuestAddr{0x50022100}, 0x100, kAdcClock, 64, {{"ADC1_2", 46}}},
    {"ADC12_COMMON", "ADC_COMMON", GuestAddr{0x50022300}, 0x100, kAdcClock, 64, {}},
    {"TIM1",
     "TIM",
     GuestAddr{0x52000000},
     0x400,
     {ClockBus::Apb2, 0},
     27,
     {{"TIM1_BRK", 112}, {"TIM1_UP", 113}, {"TIM1_TRG_COM", 114}, {"TIM1_CC", 115}}},
    {"TIM8",
     "TIM",
     GuestAddr{0x52000400},
     0x400,
     {ClockBus::Apb2, 1},
     34,
     {{"TIM8_BRK", 122}, {"TIM8_UP", 123}, {"TIM8_TRG_COM", 124}, {"TIM8_CC", 125}}},
    {"USART1", "USART", GuestAddr{0x52001000}, 0x400, {ClockBus::Apb2, 4}, 15, {{"USART1", 159}}},
    {"USART6", "USART", GuestAddr{0x52001400}, 0x400, {ClockBus::Apb2, 5}, 20, {{"USART6", 164}}},
    {"UART9", "USART", GuestAddr{0x52001800}, 0x400, {ClockBus::Apb2, 6}, 23, {{"UART9", 167}}},
    {"USART10", "USART", GuestAddr{0x52001C00}, 0x400, {ClockBus::Apb2, 7}, 24, {{"USART10", 168}}},
    {"SPI1", "SPI", GuestAddr{0x52003000}, 0x400, {ClockBus::Apb2, 12}, 0, {{"SPI1", 153}}},
    {"SPI4", "SPI", GuestAddr{0x52003400}, 0x400, {ClockBus::Apb2, 13}, 3, {{"SPI4", 156}}},
    {"TIM18", "TIM", GuestAddr{0x52003C00}, 0x400, {ClockBus::Apb2, 15}, 44, {{"TIM18", 135}}},
    {"TIM15", "TIM", GuestAddr{0x52004000}, 0x400, {ClockBus::Apb2, 16}, 41, {{"TIM15", 132}}},
    {"TIM16", "TIM", GuestAddr{0x52004400}, 0x400, {ClockBus::Apb2, 17}, 42, {{"TIM16", 133}}},
    {"TIM17", "TIM", GuestAddr{0x52004800}, 0x400, {ClockBus::Apb2, 18}, 43, {{"TIM17", 134}}},
    {"TIM9", "TIM", GuestAddr{0x52004C00}, 0x400, {ClockBus::Apb2, 19}, 35, {{"TIM9", 126}}},
    {"SPI5", "SPI", GuestAddr{0x52005000}, 0x400, {ClockBus::Apb2, 20}, 4, {{"SPI5", 157}}},
    {"SAI1",
     "SAI",
     GuestAddr{0x52005800},
     0x400,
     {ClockBus::Apb2, 21},
     6,
     {{"SAI1_A", 148}, {"SAI1_B", 149}}},
    {"SAI2",
     "SAI",
     GuestAddr{0x52005C00},
     0x400,
     {ClockBus::Apb2, 22},
     8,
     {{"SAI2_A", 150}, {"SAI2_B", 151}}},
    {"RAMCFG", "RAMCFG", GuestAddr{0x52023000}, 0x1000, {ClockBus::Ahb2, 12}, kNoFilter, {}},
    {"MDF1",
     "MDF",
     GuestAddr{0x52025000},
     0x1000,
     {ClockBus::Ahb2, 16},
     52,
     {{"MDF1_FLT", 142, 6}}},
    {"ADF1", "MDF", GuestAddr{0x52026000}, 0x1000, {ClockBus::Ahb2, 17}, 51, {{"ADF1_FLT", 141}}},
    {"DBGMCU",
     "DBGMCU",
     GuestAddr{0x54001000},
     0x1000,
     {ClockBus::Misc, 0, ResetBit::Present, "DBG"},
     kNoFilter,
     {}},
    {"RNG", "RNG", GuestAddr{0x54020000}, 0x400, {ClockBus::Ahb3, 0}, 76, {{"RNG", 40}}},
    {"HASH", "HASH", GuestAddr{0x54020400}, 0x400, {ClockBus::Ahb3, 1}, 79, {{"HASH", 39}}},
    {"CRYP", "CRYP", GuestAddr{0x54020800}, 0x800, {ClockBus::Ahb3, 2}, 80, {{"CRYP", 37}}},
    {"SAES", "SAES", GuestAddr{0x54021000}, 0x1000, {ClockBus::Ahb3, 4}, 78, {{"SAES", 36}}},
    {"PKA", "PKA", GuestAddr{0x54022000}, 0x2000, {ClockBus::Ahb3, 8}, 77, {{"PKA", 38}}},
    {"RIFSC",
     "RIFSC",
     GuestAddr{0x54024000},
     0x1000,
     {ClockBus::Ahb3, 9, kNoReset},
     kNoFilter,
     {{"RIFSC_TAMPER", 12}}},
    {"IAC",
     "IAC",
     GuestAddr{0x54025000},
     0x400,
     {ClockBus::Ahb3, 10},
     kNoFilter,
     {{"IAC", 13}},
     true},
    {"RISAF1", "RISAF", GuestAddr{0x54026000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF2", "RISAF", GuestAddr{0x54027000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF3", "RISAF", GuestAddr{0x54028000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF4", "RISAF", GuestAddr{0x54029000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF5", "RISAF", GuestAddr{0x5402A000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF6", "RISAF", GuestAddr{0x5402B000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF7", "RISAF", GuestAddr{0x5402C000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF8", "RISAF", GuestAddr{0x5402D000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF9", "RISAF", GuestAddr{0x5402E000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF11", "RISAF", GuestAddr{0x54030000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF12", "RISAF", GuestAddr{0x54031000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF13", "RISAF", GuestAddr{0x54032000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF14", "RISAF", GuestAddr{0x54033000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF15", "RISAF", GuestAddr{0x54034000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF21", "RISAF", GuestAddr{0x54035000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF22", "RISAF", GuestAddr{0x54036000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"RISAF23", "RISAF", GuestAddr{0x54037000}, 0x1000, kRisafClock, kNoFilter, {}},
    {"LPUART1", "USART", GuestAddr{0x56000C00}, 0x400, {ClockBus::Apb4, 3}, 25, {{"LPUART1", 169}}},
    {"SPI6", "SPI", GuestAddr{0x56001400}, 0x400, {ClockBus::Apb4, 5}, 5, {{"SPI6", 158}}},
    {"I2C4",
     "I2C",
     GuestAddr{0x56001C00},
     0x400,
     {ClockBus::Apb4, 7},
     12,
     {{"I2C4_EV", 106}, {"I2C4_ER", 107}}},
    {"LPTIM2", "LPTIM", GuestAddr{0x56002400}, 0x400, {ClockBus::Apb4, 9}, 47, {{"LPTIM2", 137}}},
    {"LPTIM3", "LPTIM", GuestAddr{0x56002800}, 0x400, {ClockBus::Apb4, 10}, 48, {{"LPTIM3", 138}}},
    {"LPTIM4", "LPTIM", GuestAddr{0x56002C00}, 0x400, {ClockBus::Apb4, 11}, 49, {{"LPTIM4", 139}}},
    {"LPTIM5", "LPTIM", GuestAddr{0x56003000}, 0x400, {ClockBus::Apb4, 12}, 50, {{"LPTIM5", 140}}},
    {"RTC",
     "RTC",
     GuestAddr{0x56004000},
     0x400,
     {ClockBus::Apb4, 16},
     kNoFilter,
     {{"RTC_S", 10}, {"RTC", 16}}},
    {"TAMP",
     "TAMP",
     GuestAddr{0x56004400},
     0x400,
     {ClockBus::Apb4, 17, kNoReset, "RTCAPB"},
     kNoFilter,
     {{"TAMP", 11}}},
    {"IWDG", "IWDG", GuestAddr{0x56004800}, 0x400, kAlwaysClocked, 68, {{"IWDG", 18}}},
    {"SYSCFG", "SYSCFG", GuestAddr{0x56008000}, 0x1000, {ClockBus::Apb4High, 0}, 62, {}},
    {"BSEC",
     "BSEC",
     GuestAddr{0x56009000},
     0x1000,
     {ClockBus::Apb4High, 1, kNoReset},
     kNoFilter,
     {}},
    {"DTS", "DTS", GuestAddr{0x5600A000}, 0x1000, {ClockBus::Apb4High, 2}, kNoFilter, {{"DTS", 2}}},
    {"GPIOA", "GPIO", GuestAddr{0x56020000}, 0x400, {ClockBus::Ahb4, 0}, kNoFilter, {}},
    {"GPIOB", "GPIO", GuestAddr{0x56020400}, 0x400, {ClockBus::Ahb4, 1}, kNoFilter, {}},
    {"GPIOC", "GPIO", GuestAddr{0x56020800}, 0x400, {ClockBus::Ahb4, 2}, kNoFilter, {}},
    {"GPIOD", "GPIO", GuestAddr{0x56020C00}, 0x400, {ClockBus::Ahb4, 3}, kNoFilter, {}},
    {"GPIOE", "GPIO", GuestAddr{0x56021000}, 0x400, {ClockBus::Ahb4, 4}, kNoFilter, {}},
    {"GPIOF", "GPIO", GuestAddr{0x56021400}, 0x400, {ClockBus::Ahb4, 5}, kNoFilter, {}},
    {"GPIOG", "GPIO", GuestAddr{0x56021800}, 0x400, {ClockBus::Ahb4, 6}, kNoFilter, {}},
    {"GPIOH", "GPIO", GuestAddr{0x56021C00}, 0x400, {ClockBus::Ahb4, 7}, kNoFilter, {}},
    {"GPION", "GPIO", GuestAddr{0x56023400}, 0x400, {ClockBus::Ahb4, 13}, kNoFilter, {}},
    {"GPIOO", "GPIO", GuestAddr{0x56023800}, 0x400, {ClockBus::Ahb4, 14}, kNoFilter, {}},
    {"GPIOP", "GPIO", GuestAddr{0x56023C00}, 0x400, {ClockBus::Ahb4, 15}, kNoFilter, {}},
    {"GPIOQ", "GPIO", GuestAddr{0x56024000}, 0x400, {ClockBus::Ahb4, 16}, kNoFilter, {}},
    {"PWR",
     "PWR",
     GuestAddr{0x56024800},
     0x400,
     {ClockBus::Ahb4, 18},
     kNoFilter,
     {{"PVD_PVM", 0}, {"WAKEUP_PIN", 189}}},
    {"CRC", "CRC", GuestAddr{0x56024C00}, 0x400, {ClockBus::Ahb4, 19}, 67, {}},
    {"EXTI", "EXTI", GuestAddr{0x56025000}, 0x400, kAlwaysClocked, kNoFilter, {{"EXTI", 20, 16}}},
    {"RCC",
     "RCC",
     GuestAddr{0x56028000},
     0x1800,
     kAlwaysClocked,
     kNoFilter,
     {{"RCC", 3}, {"RCC_S", 14}}},
    {"LTDC",
     "LTDC",
     GuestAddr{0x58001000},
     0x1000,
     {ClockBus::Apb5, 1},
     102,
     {{"LTDC_LO", 58}, {"LTDC_LO_ERR", 59}, {"LTDC_UP", 193}, {"LTDC_UP_ERR", 194}}},
    {"DCMIPP", "DCMIPP", GuestAddr{0x58002000}, 0x1000, {ClockBus::Apb5, 2}, 93, {{"DCMIPP", 48}}},
    {"VENC", "VENC", GuestAddr{0x58005000}, 0x800, {ClockBus::Apb5, 5}, 97, {{"VENC", 62}}},
    {"CSI", "CSI", GuestAddr{0x58006000}, 0x2000, {ClockBus::Apb5, 6}, 92, {{"CSI", 47}}},
    {"HPDMA1",
     "DMA",
     GuestAddr{0x58020000},
     0x1000,
     {ClockBus::Ahb5, 0},
     kNoFilter,
     {{"HPDMA1", 68, 16}}},
    {"DMA2D", "DMA2D", GuestAddr{0x58021000}, 0x1000, {ClockBus::Ahb5, 1}, 101, {{"DMA2D", 60}}},
    {"JPEG", "JPEG", GuestAddr{0x58023000}, 0x1000, {ClockBus::Ahb5, 3}, 96, {{"JPEG", 61}}},
    {"FMC", "FMC", GuestAddr{0x58024000}, 0x400, {ClockBus::Ahb5, 4}, 90, {{"FMC", 173}}},
    {"XSPI1", "XSPI", GuestAddr{0x58025000}, 0x400, {ClockBus::Ahb5, 5}, 86, {{"XSPI1", 170}}},
    {"SDMMC2", "SDMMC", GuestAddr{0x58026800}, 0x400, {ClockBus::Ahb5, 7}, 54, {{"SDMMC2", 175}}},
    {"SDMMC1", "SDMMC", GuestAddr{0x58027000}, 0x1000, {ClockBus::Ahb5, 8}, 53, {{"SDMMC1", 174}}},
    {"XSPI2", "XSPI", GuestAddr{0x5802A000}, 0x400, {ClockBus::Ahb5, 12}, 87, {{"XSPI2", 171}}},
    {"XSPIM", "XSPIM", GuestAddr{0x5802B400}, 0x400, {ClockBus::Ahb5, 13}, 89, {}},
    {"MCE1",
     "MCE",
     GuestAddr{0x5802B800},
     0x400,
     {ClockBus::Ahb5, 14, kNoReset},
     81,
     {{"MCE1", 42}}},
    {"MCE2",
     "MCE",
     GuestAddr{0x5802BC00},
     0x400,
     {ClockBus::Ahb5, 15, kNoReset},
     82,
     {{"MCE2", 43}}},
    {"MCE3",
     "MCE",
     GuestAddr{0x5802C000},
     0x400,
     {ClockBus::Ahb5, 16, kNoReset},
     83,
     {{"MCE3", 44}}},
    {"XSPI3", "XSPI", GuestAddr{0x5802D000}, 0x400, {ClockBus::Ahb5, 17}, 88, {{"XSPI3", 172}}},
    {"MCE4",
     "MCE",
     GuestAddr{0x5802E000},
     0x400,
     {ClockBus::Ahb5, 18, kNoReset},
     84,
     {{"MCE4", 45}}},
    {"GPU2D",
     "GPU2D",
     GuestAddr{0x58034000},
     0x1000,
     {ClockBus::Ahb5, 20},
     99,
     {{"GPU2D", 65}, {"GPU2D_ER", 66}}},
    {"ICACHE", "ICACHE", GuestAddr{0x58035000}, 0x400, kAlwaysClocked, 98, {{"ICACHE", 67}}},
    {"ETH1", "ETH", GuestAddr{0x58036000}, 0x9C00, {ClockBus::Ahb5, 25}, 60, {{"ETH1", 179}}},
    {"USB1_HS_PHYC",
     "USB_PHYC",
     GuestAddr{0x5803FC00},
     0x400,
     {ClockBus::Ahb5, 27, ResetBit::Present, "OTGPHY1"},
     56,
     {}},
    {"USB1_OTG_HS",
     "USB",
     GuestAddr{0x58040000},
     0x40000,
     {ClockBus::Ahb5, 26, ResetBit::Present, "OTG1"},
     56,
     {{"USB1_OTG_HS", 177}}},
    {"USB2_OTG_HS",
     "USB",
     GuestAddr{0x58080000},
     0x40000,
     {ClockBus::Ahb5, 29, ResetBit::Present, "OTG2"},
     57,
     {{"USB2_OTG_HS", 178}}},
    {"USB2_HS_PHYC",
     "USB_PHYC",
     GuestAddr{0x580C0000},
     0x400,
     {ClockBus::Ahb5, 28, ResetBit::Present, "OTGPHY2"},
     57,
     {}},
    {"CACHEAXI",
     "CACHEAXI",
     GuestAddr{0x580DFC00},
     0x400,
     {ClockBus::Ahb5, 30},
     kNoFilter,
     {{"CACHEAXI", 57}}},
    {"NPU",
     "NPU",
     GuestAddr{0x580E0000},
     kNpuBytes,
     {ClockBus::Ahb5, 31},
     106,
     {{"NPU0", 53}, {"NPU1", 54}, {"NPU2", 55}, {"NPU3", 56}}},
};
inline constexpr std::uint32_t kPeripheralCount = sizeof kPeripherals / sizeof kPeripherals[0];

/// Returns the row of a peripheral, or nullptr.
[[nodiscard]] constexpr const Peripheral* peripheral_named(const char* name) {
    for (const Peripheral& row : kPeripherals) {
        const char *a = row.name, *b = name;
        while (*a != '\0' && *a == *b) {
            ++a;
            ++b;
        }
        if (*a == *b) return &row;
    }
    return nullptr;
}

/// One bank of the RAM configuration block, at RAMCFG + `offset`; its control register is the first
/// word.
struct RamConfigBank {
    const char* name;
    std::uint32_t offset;
};
inline constexpr RamConfigBank kRamConfigBanks[] = {
    {"AXISRAM1", 0x000}, {"AXISRAM2", 0x080}, {"AXISRAM3", 0x100}, {"AXISRAM4", 0x180},
    {"AXISRAM5", 0x200}, {"AXISRAM6", 0x280}, {"AHBSRAM1", 0x300}, {"AHBSRAM2", 0x380},
    {"VENCRAM", 0x400},  {"BKPSRAM", 0x480},  {"FLEXMEM", 0x500},
};

/// A peripheral and how far into the space behind its base an address lies.
struct PeripheralHit {
    const Peripheral* peripheral = nullptr;
    bool secure = false;
    std::uint32_t offset = 0;
    [[nodiscard]] constexpr explicit operator bool() const { return peripheral != nullptr; }
};

[[nodiscard]] constexpr bool in_peripheral_space(GuestAddr address) {
    return to_word(address) >= 0x40000000u && to_word(address) < 0x60000000u;
}

/// Returns the known peripheral with the highest base at or below `address` in the same alias.
/// An offset beyond its bytes means an address that may belong to a peripheral this table does not
/// know.
[[nodiscard]] constexpr PeripheralHit find_peripheral(GuestAddr address) {
    PeripheralHit hit;
    if (!in_peripheral_space(address)) return hit;
    const bool secure = to_word(address) >= 0x50000000u;
    for (const Peripheral& candidate : kPeripherals) {
        if (!secure && candidate.secure_only) continue;
        const GuestAddr base = secure ? candidate.secure : candidate.non_secure();
        if (to_word(base) > to_word(address)) break;
        hit = {&candidate, secure, to_word(address) - to_word(base)};
    }
    return hit;
}

namespace detail {
[[nodiscard]] constexpr bool peripherals_ascend() {
    for (std::uint32_t i = 0; i < kPeripheralCount; ++i) {
        if (to_word(kPeripherals[i].secure) >> 28 != 5) return false;
        const bool overlaps =
            i != 0 && to_word(kPeripherals[i].secure) <
                          to_word(kPeripherals[i - 1].secure) + kPeripherals[i - 1].bytes;
        if (overlaps) return false;
    }
    return true;
}
}  // namespace detail
static_assert(detail::peripherals_ascend());

}  // namespace n6vp::memmap

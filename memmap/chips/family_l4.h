// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"

/// What the STM32L475 and the STM32L4R5 have in common.
namespace n6vp::memmap::family_l4 {

using enum ChipMemoryKind;

inline constexpr const char *kCodePort = "I-Code and D-Code", *kSystemPort = "S-bus";

[[nodiscard]] constexpr ChipMemory flash(std::uint32_t bytes) {
    return {"flash",
            Flash,
            0x08000000,
            bytes,
            64,
            "I-Code and D-Code, ART",
            {0x00000000, kNoAlias, kNoAlias}};
}
/// Boot loader, OTP at 0x1FFF7000, unique ID at 0x1FFF7590.
inline constexpr ChipMemory kSystemMemory{"system_memory", Rom, 0x1FFF0000,
                                          32 * 1024,       64,  kCodePort};

inline constexpr ChipPeripheral kPeripherals[] = {
    {"TIM2", 0x40000000, 104, 0x58, 0, {28}},
    {"TIM3", 0x40000400, 104, 0x58, 1, {29}},
    {"TIM4", 0x40000800, 104, 0x58, 2, {30}},
    {"TIM5", 0x40000C00, 104, 0x58, 3, {50}},
    {"TIM6", 0x40001000, 104, 0x58, 4, {54}},
    {"TIM7", 0x40001400, 104, 0x58, 5, {55}},
    {"WWDG", 0x40002C00, 12, 0x58, 11, {0}},
    {"IWDG", 0x40003000, 20, -1, -1},
    {"SPI2", 0x40003800, 28, 0x58, 14, {36}},
    {"SPI3", 0x40003C00, 28, 0x58, 15, {51}},
    {"USART2", 0x40004400, 48, 0x58, 17, {38}},
    {"USART3", 0x40004800, 48, 0x58, 18, {39}},
    {"UART4", 0x40004C00, 48, 0x58, 19, {52}},
    {"UART5", 0x40005000, 48, 0x58, 20, {53}},
    {"I2C1", 0x40005400, 44, 0x58, 21, {31, 32}},
    {"I2C2", 0x40005800, 44, 0x58, 22, {33, 34}},
    {"I2C3", 0x40005C00, 44, 0x58, 23, {72, 73}},
    {"CAN1", 0x40006400, 800, 0x58, 25, {19, 20, 21, 22}},
    {"PWR", 0x40007000, 132, 0x58, 28, {1}},
    {"DAC", 0x40007400, 80, 0x58, 29, {54}},
    {"OPAMP", 0x40007800, 12, 0x58, 30},
    {"OPAMP2", 0x40007810, 12, 0x58, 30},
    {"LPTIM1", 0x40007C00, 36, 0x58, 31, {65}},
    {"LPUART1", 0x40008000, 48, 0x5C, 0, {70}},
    {"LPTIM2", 0x40009400, 36, 0x5C, 5, {66}},
    {"SYSCFG", 0x40010000, 44, 0x60, 0},
    {"VREFBUF", 0x40010030, 8, 0x60, 0},
    {"COMP1", 0x40010200, 4, 0x60, 0, {64}},
    {"COMP2", 0x40010204, 4, 0x60, 0, {64}},
    {"EXTI", 0x40010400, 56, -1, -1, {6, 7, 8, 9, 10, 23, 40}},
    {"FIREWALL", 0x40011C00, 36, 0x60, 7},
    {"TIM1", 0x40012C00, 104, 0x60, 11, {24, 25, 26, 27}},
    {"SPI1", 0x40013000, 28, 0x60, 12, {35}},
    {"TIM8", 0x40013400, 104, 0x60, 13, {43, 44, 45, 46}},
    {"USART1", 0x40013800, 48, 0x60, 14, {37}},
    {"TIM15", 0x40014000, 104, 0x60, 16, {24}},
    {"TIM16", 0x40014400, 104, 0x60, 17, {25}},
    {"TIM17", 0x40014800, 104, 0x60, 18, {26}},
    {"SAI1", 0x40015400, 4, 0x60, 21, {74}},
    {"SAI1_Block_A", 0x40015404, 32, 0x60, 21},
    {"SAI1_Block_B", 0x40015424, 32, 0x60, 21},
    {"SAI2", 0x40015800, 4, 0x60, 22, {75}},
    {"SAI2_Block_A", 0x40015804, 32, 0x60, 22},
    {"SAI2_Block_B", 0x40015824, 32, 0x60, 22},
    {"DFSDM1_Channel0", 0x40016000, 24, 0x60, 24},
    {"DFSDM1_Channel1", 0x40016020, 24, 0x60, 24},
    {"DFSDM1_Channel2", 0x40016040, 24, 0x60, 24},
    {"DFSDM1_Channel3", 0x40016060, 24, 0x60, 24},
    {"DFSDM1_Channel4", 0x40016080, 24, 0x60, 24},
    {"DFSDM1_Channel5", 0x400160A0, 24, 0x60, 24},
    {"DFSDM1_Channel6", 0x400160C0, 24, 0x60, 24},
    {"DFSDM1_Channel7", 0x400160E0, 24, 0x60, 24},
    {"DFSDM1_Filter0", 0x40016100, 60, 0x60, 24, {61}},
    {"DFSDM1_Filter1", 0x40016180, 60, 0x60, 24, {62}},
    {"DFSDM1_Filter2", 0x40016200, 60, 0x60, 24, {63}},
    {"DFSDM1_Filter3", 0x40016280, 60, 0x60, 24, {42}},
    {"DMA1", 0x40020000, 8, 0x48, 0},
    {"DMA1_Channel1", 0x40020008, 16, 0x48, 0, {11}},
    {"DMA1_Channel2", 0x4002001C, 16, 0x48, 0, {12}},
    {"DMA1_Channel3", 0x40020030, 16, 0x48, 0, {13}},
    {"DMA1_Channel4", 0x40020044, 16, 0x48, 0, {14}},
    {"DMA1_Channel5", 0x40020058, 16, 0x48, 0, {15}},
    {"DMA1_Channel6", 0x4002006C, 16, 0x48, 0, {16}},
    {"DMA1_Channel7", 0x40020080, 16, 0x48, 0, {17}},
    {"DMA2", 0x40020400, 8, 0x48, 1},
    {"DMA2_Channel1", 0x40020408, 16, 0x48, 1, {56}},
    {"DMA2_Channel2", 0x4002041C, 16, 0x48, 1, {57}},
    {"DMA2_Channel3", 0x40020430, 16, 0x48, 1, {58}},
    {"DMA2_Channel4", 0x40020444, 16, 0x48, 1, {59}},
    {"DMA2_Channel5", 0x40020458, 16, 0x48, 1, {60}},
    {"DMA2_Channel6", 0x4002046C, 16, 0x48, 1, {68}},
    {"DMA2_Channel7", 0x40020480, 16, 0x48, 1, {69}},
    {"FLASH", 0x40022000, 308, 0x48, 8, {4}},
    {"CRC", 0x40023000, 24, 0x48, 12},
    {"TSC", 0x40024000, 84, 0x48, 16, {77}},
    {"GPIOA", 0x48000000, 44, 0x4C, 0},
    {"GPIOB", 0x48000400, 44, 0x4C, 1},
    {"GPIOC", 0x48000800, 44, 0x4C, 2},
    {"GPIOD", 0x48000C00, 44, 0x4C, 3},
    {"GPIOE", 0x48001000, 44, 0x4C, 4},
    {"GPIOF", 0x48001400, 44, 0x4C, 5},
    {"GPIOG", 0x48001800, 44, 0x4C, 6},
    {"GPIOH", 0x48001C00, 44, 0x4C, 7},
    {"USB_OTG_FS", 0x50000000, 320, 0x4C, 12, {67}},
    {"ADC1", 0x50040000, 184, 0x4C, 13, {18}},
    {"RNG", 0x50060800, 12, 0x4C, 18, {80}},
    {"FMC_Bank1_R", 0xA0000000, 32, 0x50, 0},
    {"FMC_Bank3_R", 0xA0000080, 24, 0x50, 0},
    {"FMC_Bank1E_R", 0xA0000104, 28, 0x50, 0},
    {"DBGMCU", 0xE0042000, 20, -1, -1},
};

// clang-format off
inline constexpr ChipInterrupt kInterrupts[] = {
    {0, "WWDG"}, {1, "PVD_PVM"}, {2, "TAMP_STAMP"}, {3, "RTC_WKUP"}, {4, "FLASH"}, {5, "RCC"},
    {6, "EXTI0"}, {7, "EXTI1"}, {8, "EXTI2"}, {9, "EXTI3"}, {10, "EXTI4"}, {11, "DMA1_Channel1"},
    {12, "DMA1_Channel2"}, {13, "DMA1_Channel3"}, {14, "DMA1_Channel4"}, {15, "DMA1_Channel5"},
    {16, "DMA1_Channel6"}, {17, "DMA1_Channel7"}, {19, "CAN1_TX"}, {20, "CAN1_RX0"},
    {21, "CAN1_RX1"}, {22, "CAN1_SCE"}, {23, "EXTI9_5"}, {24, "TIM1_BRK_TIM15"},
    {25, "TIM1_UP_TIM16"}, {26, "TIM1_TRG_COM_TIM17"}, {27, "TIM1_CC"}, {28, "TIM2"}, {29, "TIM3"},
    {30, "TIM4"}, {31, "I2C1_EV"}, {32, "I2C1_ER"}, {33, "I2C2_EV"}, {34, "I2C2_ER"}, {35, "SPI1"},
    {36, "SPI2"}, {37, "USART1"}, {38, "USART2"}, {39, "USART3"}, {40, "EXTI15_10"},
    {41, "RTC_Alarm"}, {42, "DFSDM1_FLT3"}, {43, "TIM8_BRK"}, {44, "TIM8_UP"}, {45, "TIM8_TRG_COM"},
    {46, "TIM8_CC"}, {48, "FMC"}, {49, "SDMMC1"}, {50, "TIM5"}, {51, "SPI3"}, {52, "UART4"},
    {53, "UART5"}, {54, "TIM6_DAC"}, {55, "TIM7"}, {56, "DMA2_Channel1"}, {57, "DMA2_Channel2"},
    {58, "DMA2_Channel3"}, {59, "DMA2_Channel4"}, {60, "DMA2_Channel5"}, {61, "DFSDM1_FLT0"},
    {62, "DFSDM1_FLT1"}, {63, "DFSDM1_FLT2"}, {64, "COMP"}, {65, "LPTIM1"}, {66, "LPTIM2"},
    {67, "OTG_FS"}, {68, "DMA2_Channel6"}, {69, "DMA2_Channel7"}, {70, "LPUART1"}, {72, "I2C3_EV"},
    {73, "I2C3_ER"}, {74, "SAI1"}, {75, "SAI2"}, {77, "TSC"}, {80, "RNG"}, {81, "FPU"},
};
// clang-format on

}  // namespace n6vp::memmap::family_l4

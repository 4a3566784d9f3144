// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/soc/stubs/stub_block.h"

/// What the peripherals that are not modelled show to firmware.
namespace n6vp::models {

// stub_tables_system.cpp
extern const StubTable kPwrStub, kSyscfgStub, kExtiStub, kDbgmcuStub, kRtcStub, kTampStub,
    kIwdgStub, kGpioStub;
// stub_tables_memory.cpp
extern const StubTable kXspiStub, kXspimStub, kMceStub, kDmaStub, kFmcStub, kBsecStub;
// stub_tables_other.cpp
extern const StubTable kHashStub, kCrcStub, kRngStub, kI2cStub, kTimStub, kVencStub;

/// A peripheral of the address map and the table that answers for it.
struct StubUnit {
    const char* name;
    const StubTable& table;
};
/// Every unit that is a plain stub. Not here: BSEC (`Bsec`), XSPI (`XspiController`).
inline const StubUnit kStubUnits[] = {
    {"PWR", kPwrStub},    {"SYSCFG", kSyscfgStub}, {"EXTI", kExtiStub},  {"DBGMCU", kDbgmcuStub},
    {"RTC", kRtcStub},    {"TAMP", kTampStub},     {"IWDG", kIwdgStub},  {"GPIOA", kGpioStub},
    {"GPIOB", kGpioStub}, {"GPIOC", kGpioStub},    {"GPIOD", kGpioStub}, {"GPIOE", kGpioStub},
    {"GPIOF", kGpioStub}, {"GPIOG", kGpioStub},    {"GPIOH", kGpioStub}, {"GPION", kGpioStub},
    {"GPIOO", kGpioStub}, {"GPIOP", kGpioStub},    {"GPIOQ", kGpioStub}, {"XSPIM", kXspimStub},
    {"MCE1", kMceStub},   {"MCE2", kMceStub},      {"MCE3", kMceStub},   {"MCE4", kMceStub},
    {"HPDMA1", kDmaStub}, {"GPDMA1", kDmaStub},    {"FMC", kFmcStub},    {"HASH", kHashStub},
    {"CRC", kCrcStub},    {"RNG", kRngStub},       {"I2C2", kI2cStub},   {"TIM2", kTimStub},
    {"TIM5", kTimStub},   {"VENC", kVencStub},
};

}  // namespace n6vp::models

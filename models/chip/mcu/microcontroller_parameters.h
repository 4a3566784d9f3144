// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/system/exception_costs.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/cortex_m33_parameters.h"
#include "models/core/timing/cortex_m4_parameters.h"
#include "models/core/timing/cortex_m7_parameters.h"
#include "models/memory/external_memory.h"
#include "models/memory/flash_memory.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/peripheral_bus.h"
#include "models/soc/crypto/rng.h"
#include "models/soc/mcu/frequencies.h"
#include "models/soc/serial/uart.h"
#include "models/soc/system/crc_unit.h"
#include "models/soc/timers/iwdg.h"

namespace n6vp::models::mcu_chip {

/// Every number of an older chip, one struct per block.
struct MicrocontrollerParameters {
    mcu::OscillatorParameters oscillators;
    // Pipelines of the cores and, in the same blocks, what their exceptions cost.
    core::CortexM4Parameters cortex_m4;
    core::CortexM33Parameters cortex_m33;
    core::CortexM7Parameters cortex_m7;
    core::OtherExceptionParameters exceptions;
    core::CacheParameters cache;  ///< of the Cortex-M7
    FlashParameters flash;
    SramParameters ram;
    TcmParameters tcm;
    ExternalMemoryParameters external;  ///< of the board
    PeripheralBusParameters peripheral_bus;
    FlagTimes flags;
    CrcParameters crc;
    RngParameters rng;
    IwdgParameters iwdg;
    UartParameters uart;

    /// Calls `function(block, parameter)` for every parameter, in a fixed order.
    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        const auto block = [&](const char* name, auto& parameters) {
            parameters.visit(parameters, [&](auto& parameter) { function(name, parameter); });
        };
        block("oscillators", self.oscillators);
        block("cortex_m4", self.cortex_m4);
        block("cortex_m4", self.exceptions.m4);
        block("cortex_m33", self.cortex_m33);
        block("cortex_m33", self.exceptions.m33);
        block("cortex_m7", self.cortex_m7);
        block("cortex_m7", self.exceptions.m7);
        block("cache", self.cache);
        block("flash", self.flash);
        block("ram", self.ram);
        block("tcm", self.tcm);
        block("external", self.external);
        block("peripheral_bus", self.peripheral_bus);
        block("flags", self.flags);
        block("crc", self.crc);
        block("rng", self.rng);
        block("iwdg", self.iwdg);
        block("uart", self.uart);
    }
};

}  // namespace n6vp::models::mcu_chip

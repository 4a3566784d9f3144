// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/chip/mcu/clocks.h"
#include "models/core/system/system_config.h"
#include "models/memory/flash_memory.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/soc/peripheral_bus.h"
#include "models/soc/uart.h"

namespace n6vp::models::mcu_chip {

/// Every number of an older chip, one struct per block.
struct MicrocontrollerParameters {
    OscillatorParameters oscillators;
    core::ExceptionParameters exception;
    FlashParameters flash;
    SramParameters ram;
    TcmParameters tcm;
    PeripheralBusParameters peripheral_bus;
    UartParameters uart;

    /// Calls `function(block, parameter)` for every parameter, in a fixed order.
    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        const auto block = [&](const char* name, auto& parameters) {
            parameters.visit(parameters, [&](auto& parameter) { function(name, parameter); });
        };
        block("oscillators", self.oscillators);
        block("exception", self.exception);
        block("flash", self.flash);
        block("ram", self.ram);
        block("tcm", self.tcm);
        block("peripheral_bus", self.peripheral_bus);
        block("uart", self.uart);
    }
};

}  // namespace n6vp::models::mcu_chip

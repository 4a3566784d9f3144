// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/cache/cacheaxi_parameters.h"
#include "models/core/data_path_parameters.h"
#include "models/core/system/system_config.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/issue_parameters.h"
#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/memory/xspi_memory.h"
#include "models/npu/npu.h"
#include "models/soc/bsec.h"
#include "models/soc/console_parameters.h"
#include "models/soc/peripheral_bus.h"
#include "models/soc/ram_config.h"
#include "models/soc/rcc.h"
#include "models/soc/rif/rifsc.h"
#include "models/soc/uart.h"
#include "models/soc/xspi_controller.h"

namespace n6vp::sim {

struct ClockParameters {
    models::Parameter cpu{"cpu", 800, "MHz", models::Confidence::Documented,
                          "validation firmware: PLL1 through IC1 (600 without overdrive)"};
    models::Parameter noc{"noc", 400, "MHz", models::Confidence::Documented,
                          "validation firmware: PLL1 through IC2"};
    models::Parameter nic{"nic", 900, "MHz", models::Confidence::Documented,
                          "validation firmware: PLL3 through IC11 (800 without overdrive)"};
    models::Parameter npu{"npu", 1000, "MHz", models::Confidence::Documented,
                          "validation firmware: PLL2 through IC6 (800 without overdrive)"};
    models::Parameter ahb{"ahb", 100, "MHz", models::Confidence::Documented,
                          "validation firmware: SYSCLK / 4; kernel clock of the serial ports"};
    models::Parameter xspi1{"xspi1", 200, "MHz", models::Confidence::Documented,
                            "validation firmware: IC4 = 800 / 4"};
    models::Parameter xspi2{"xspi2", 200, "MHz", models::Confidence::Documented,
                            "validation firmware: IC3 = 800 / 4"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.cpu);
        function(self.noc);
        function(self.nic);
        function(self.npu);
        function(self.ahb);
        function(self.xspi1);
        function(self.xspi2);
    }
};

/// What `n6vp epoch` adds, which has no processor.
struct EpochBenchParameters {
    models::Parameter host_start{
        "host_start", 900, "NPU cycles", models::Confidence::Measured,
        "what an epoch that the processor starts takes beyond the model's cycles: adds of 320 to "
        "965 elements in eco8_lisennet, +-40; n6vp epoch only"};
    models::Parameter longest{
        "longest", 100e6, "NPU cycles", models::Confidence::Assumed,
        "how long an epoch may take before it counts as endless; n6vp epoch only"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.host_start);
        function(self.longest);
    }
};

/// Returns the parameters of AHBSRAM1, AHBSRAM2 and BKPSRAM.
[[nodiscard]] models::SramParameters ahb_ram_parameters();

/// Every timing parameter of the platform, one struct per block.
struct PlatformParameters {
    ClockParameters clock;
    models::DataPathParameters cpu;
    models::core::IssueParameters pipeline;
    models::core::CacheParameters cache;
    models::core::ExceptionParameters exception;
    models::BusParameters fabric;
    models::SramParameters noc_ram;
    models::SramParameters nic_ram = models::nic_sram_parameters();
    models::SramParameters ahb_ram = ahb_ram_parameters();
    models::TcmParameters tcm;
    models::XspiParameters nor;
    models::XspiParameters psram = models::psram_parameters();
    models::NpuCacheParameters npu_cache;
    models::npu::NpuParameters npu;
    models::PeripheralBusParameters peripheral_bus;
    models::RccParameters rcc;
    models::RamConfigParameters ram_config;
    models::RifParameters rif;
    models::BsecParameters bsec;
    models::XspiControllerParameters xspi;
    models::UartParameters uart;
    models::ConsoleParameters console;
    EpochBenchParameters epoch_bench;

    /// Calls `function(block, parameter)` for every parameter, in a fixed order.
    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        const auto block = [&](const char* name, auto& parameters) {
            parameters.visit(parameters, [&](auto& parameter) { function(name, parameter); });
        };
        block("clock", self.clock);
        block("cpu", self.cpu);
        block("pipeline", self.pipeline);
        block("cache", self.cache);
        block("exception", self.exception);
        block("fabric", self.fabric);
        block("noc_ram", self.noc_ram);
        block("nic_ram", self.nic_ram);
        block("ahb_ram", self.ahb_ram);
        block("tcm", self.tcm);
        block("nor", self.nor);
        block("psram", self.psram);
        block("npu_cache", self.npu_cache);
        block("npu", self.npu);
        block("peripheral_bus", self.peripheral_bus);
        block("rcc", self.rcc);
        block("ramcfg", self.ram_config);
        block("rif", self.rif);
        block("bsec", self.bsec);
        block("xspi", self.xspi);
        block("uart", self.uart);
        block("console", self.console);
        block("epoch_bench", self.epoch_bench);
    }
};

/// Returns "measured", "documented" or "assumed".
[[nodiscard]] std::string_view confidence_text(models::Confidence confidence);

/// Applies texts of the form block.name=value and marks what they change with the source "set by
/// option". Fails with UserError for an unknown name, for text that is no number, and for a value
/// that the platform cannot be built with.
void apply_settings(PlatformParameters& parameters, const std::vector<std::string>& settings);

}  // namespace n6vp::sim

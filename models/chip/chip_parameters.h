// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cache/cacheaxi_parameters.h"
#include "models/core/data_path_parameters.h"
#include "models/core/system/system_config.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/issue_parameters.h"
#include "models/fabric/bus.h"
#include "models/memory/nor_flash.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/memory/xspi_memory.h"
#include "models/npu/npu.h"
#include "models/simulator/traffic_pattern.h"
#include "models/soc/analog/adc.h"
#include "models/soc/analog/dts.h"
#include "models/soc/audio/mdf_parameters.h"
#include "models/soc/audio/sai_block.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/peripheral_bus.h"
#include "models/soc/camera/camera_parameters.h"
#include "models/soc/crypto/cryp.h"
#include "models/soc/crypto/pka.h"
#include "models/soc/crypto/rng.h"
#include "models/soc/crypto/saes.h"
#include "models/soc/dma/dma_parameters.h"
#include "models/soc/graphics/dma2d.h"
#include "models/soc/graphics/ltdc.h"
#include "models/soc/rif/rifsc.h"
#include "models/soc/sdmmc/sdmmc_controller.h"
#include "models/soc/serial/console_parameters.h"
#include "models/soc/serial/i2c.h"
#include "models/soc/serial/spi.h"
#include "models/soc/serial/uart.h"
#include "models/soc/serial/xspi_controller.h"
#include "models/soc/system/boot_rom.h"
#include "models/soc/system/bsec.h"
#include "models/soc/system/crc_unit.h"
#include "models/soc/system/ram_config.h"
#include "models/soc/system/rcc.h"
#include "models/soc/timers/iwdg.h"
#include "models/soc/timers/low_power_timer.h"
#include "models/soc/timers/rtc.h"

namespace n6vp::models {

struct ClockParameters {
    Parameter cpu{"cpu", 800, kMegahertz, Confidence::Documented,
                  "validation firmware: PLL1 through IC1 (600 without overdrive)"};
    Parameter noc{"noc", 400, kMegahertz, Confidence::Documented,
                  "validation firmware: PLL1 through IC2"};
    Parameter nic{"nic", 900, kMegahertz, Confidence::Documented,
                  "validation firmware: PLL3 through IC11 (800 without overdrive)"};
    Parameter npu{"npu", 1000, kMegahertz, Confidence::Documented,
                  "validation firmware: PLL2 through IC6 (800 without overdrive)"};
    Parameter ahb{"ahb", 100, kMegahertz, Confidence::Documented,
                  "validation firmware: SYSCLK / 4; kernel clock of the serial ports"};
    Parameter xspi1{"xspi1", 200, kMegahertz, Confidence::Documented,
                    "validation firmware: IC4 = 800 / 4"};
    Parameter xspi2{"xspi2", 200, kMegahertz, Confidence::Documented,
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

/// Returns the parameters of AHBSRAM1, AHBSRAM2 and BKPSRAM.
[[nodiscard]] SramParameters ahb_ram_parameters();

/// Returns the parameters of the serial ports: a deeper FIFO than older chips have.
[[nodiscard]] UartParameters serial_parameters();

/// Every timing parameter of the chip and its board, one struct per block.
struct ChipParameters {
    ClockParameters clock;
    DataPathParameters cpu;
    core::IssueParameters pipeline;
    core::CacheParameters cache;
    core::ExceptionParameters exception;
    BusParameters fabric;
    TrafficParameters traffic;
    SramParameters noc_ram;
    SramParameters nic_ram = nic_sram_parameters();
    SramParameters ahb_ram = ahb_ram_parameters();
    TcmParameters tcm;
    XspiParameters nor;
    NorFlashParameters nor_commands;
    XspiParameters psram = psram_parameters();
    NpuCacheParameters npu_cache;
    npu::NpuParameters npu;
    PeripheralBusParameters peripheral_bus;
    RccParameters rcc;
    FlagTimes flags;
    RamConfigParameters ram_config;
    RifParameters rif;
    BsecParameters bsec;
    BootRomParameters boot_rom;
    XspiControllerParameters xspi;
    UartParameters uart = serial_parameters();
    I2cParameters i2c;
    SpiParameters spi;
    AdcParameters adc;
    DtsParameters dts;
    LowPowerTimerParameters lptim;
    DmaParameters dma;
    CrcParameters crc;
    RngParameters rng;
    IwdgParameters iwdg;
    RtcParameters rtc;
    LtdcParameters ltdc;
    Dma2dParameters dma2d;
    CameraParameters camera;
    SdmmcParameters sdmmc;
    SdCardParameters sd_card;
    CrypParameters cryp;
    SaesParameters saes;
    PkaParameters pka;
    MdfParameters mdf;
    SaiParameters sai;
    ConsoleParameters console;

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
        block("traffic", self.traffic);
        block("noc_ram", self.noc_ram);
        block("nic_ram", self.nic_ram);
        block("ahb_ram", self.ahb_ram);
        block("tcm", self.tcm);
        block("nor", self.nor);
        block("nor_commands", self.nor_commands);
        block("psram", self.psram);
        block("npu_cache", self.npu_cache);
        block("npu", self.npu);
        block("peripheral_bus", self.peripheral_bus);
        block("rcc", self.rcc);
        block("flags", self.flags);
        block("ramcfg", self.ram_config);
        block("rif", self.rif);
        block("bsec", self.bsec);
        block("boot_rom", self.boot_rom);
        block("xspi", self.xspi);
        block("uart", self.uart);
        block("i2c", self.i2c);
        block("spi", self.spi);
        block("adc", self.adc);
        block("dts", self.dts);
        block("lptim", self.lptim);
        block("dma", self.dma);
        block("crc", self.crc);
        block("rng", self.rng);
        block("iwdg", self.iwdg);
        block("rtc", self.rtc);
        block("ltdc", self.ltdc);
        block("dma2d", self.dma2d);
        block("camera", self.camera);
        block("sdmmc", self.sdmmc);
        block("sd_card", self.sd_card);
        block("cryp", self.cryp);
        block("saes", self.saes);
        block("pka", self.pka);
        block("mdf", self.mdf);
        block("sai", self.sai);
        block("console", self.console);
    }
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// Delays of ready and busy flags after a request of software. No public source gives times of
/// these blocks of the STM32N6: the values are typical of related parts, unless the source says
/// more. A loop that waits for either level of a flag ends after this time.
struct FlagTimes {
    Parameter hsi{"hsi", 5, "us", Confidence::Assumed, "RCC: HSION to HSIRDY, and back"};
    Parameter msi{"msi", 5, "us", Confidence::Assumed, "RCC: MSION to MSIRDY, and back"};
    Parameter lsi{"lsi", 100, "us", Confidence::Assumed, "RCC: LSION to LSIRDY, and back"};
    Parameter hse{"hse", 1000, "us", Confidence::Assumed, "RCC: HSEON to HSERDY, and back"};
    Parameter lse{"lse", 2000, "us", Confidence::Assumed,
                  "RCC: LSEON to LSERDY, and back; a real crystal needs up to 2 s"};
    Parameter pll{"pll", 50, "us", Confidence::Assumed, "RCC: PLLnON to PLLnRDY, and back"};
    Parameter clock_switch{"clock_switch", 0.1, "us", Confidence::Assumed,
                           "RCC: CPUSW and SYSSW to CPUSWS and SYSSWS"};
    Parameter supply_monitor{"supply_monitor", 10, "us", Confidence::Assumed,
                             "PWR: xxxVMEN to xxxRDY; examples poll USB33RDY for 0, then for 1"};
    Parameter voltage{"voltage", 20, "us", Confidence::Assumed,
                      "PWR: a change of VOS to VOSRDY and ACTVOSRDY"};
    Parameter compensation{"compensation", 10, "us", Confidence::Assumed,
                           "SYSCFG: EN of a compensation cell to READY"};
    Parameter rtc{"rtc", 61, "us", Confidence::Assumed,
                  "RTC: at most 2 cycles of 32.768 kHz to INITF, RSF, WUTWF, SHPF, RECALPF"};
    Parameter tamper_seed{"tamper_seed", 10, "us", Confidence::Assumed,
                          "TAMP: ATSEEDR written to SEEDF = 0"};
    Parameter random_reset{"random_reset", 0.1, "us", Confidence::Assumed,
                           "RNG: CONDRST = 0 written to CONDRST = 0 read: 2 AHB and 2 RNG cycles"};
    Parameter hash{"hash", 1, "us", Confidence::Assumed, "HASH: a block or the digest"};
    Parameter fuse{"fuse", 50, "us", Confidence::Assumed, "BSEC: OTPCR written to BUSY = 0"};
    Parameter key{"key", 1, "us", Confidence::Assumed, "MCE: last key word to MKVALID, FMKVALID"};
    Parameter i2c_address{"i2c_address", 100, "us", Confidence::Assumed,
                          "I2C: START to NACKF and STOPF: 10 bits at 100 kHz"};
    Parameter dma_stop{"dma_stop", 0.1, "us", Confidence::Assumed, "HPDMA, GPDMA: SUSP to SUSPF"};
    Parameter xspi_command{"xspi_command", 0.5, "us", Confidence::Assumed,
                           "XSPI: ABORT to BUSY = 0 and TCF"};
    Parameter mdio{"mdio", 26, "us", Confidence::Assumed,
                   "ETH: a frame on MDIO, 64 clocks of 2.5 MHz"};
    Parameter link_reset{"link_reset", 1, "us", Confidence::Assumed,
                         "ETH: SWR to its end; USB: CSRST and flushes to theirs, a forced "
                         "mode to CMOD"};
    Parameter cache_maintenance{"cache_maintenance", 1, "us", Confidence::Assumed,
                                "ICACHE, DCACHE of the STM32U5: a command to BUSYF = 0"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.hsi);
        function(self.msi);
        function(self.lsi);
        function(self.hse);
        function(self.lse);
        function(self.pll);
        function(self.clock_switch);
        function(self.supply_monitor);
        function(self.voltage);
        function(self.compensation);
        function(self.rtc);
        function(self.tamper_seed);
        function(self.random_reset);
        function(self.hash);
        function(self.fuse);
        function(self.key);
        function(self.i2c_address);
        function(self.dma_stop);
        function(self.xspi_command);
        function(self.mdio);
        function(self.link_reset);
        function(self.cache_maintenance);
    }
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/regions.h"
#include "models/cache/cacheaxi.h"
#include "models/chip/can_peripherals.h"
#include "models/chip/chip_parameters.h"
#include "models/chip/io_peripherals.h"
#include "models/core/core_module.h"
#include "models/npu/module/npu_module.h"
#include "models/soc/analog/dts.h"
#include "models/soc/base/peripheral_bus.h"
#include "models/soc/base/write_sink.h"
#include "models/soc/camera/camera_link.h"
#include "models/soc/camera/csi.h"
#include "models/soc/camera/dcmipp.h"
#include "models/soc/crypto/cryp.h"
#include "models/soc/crypto/hash.h"
#include "models/soc/crypto/mce.h"
#include "models/soc/crypto/pka.h"
#include "models/soc/crypto/rng.h"
#include "models/soc/crypto/saes.h"
#include "models/soc/dma/dma_controller.h"
#include "models/soc/graphics/dma2d.h"
#include "models/soc/graphics/ltdc.h"
#include "models/soc/rif/iac.h"
#include "models/soc/rif/rifsc.h"
#include "models/soc/rif/risaf.h"
#include "models/soc/serial/xspi_controller.h"
#include "models/soc/serial/xspim.h"
#include "models/soc/stubs/ethernet_stub.h"
#include "models/soc/stubs/stub_block.h"
#include "models/soc/system/boot_rom.h"
#include "models/soc/system/bsec.h"
#include "models/soc/system/clock_tree.h"
#include "models/soc/system/crc_unit.h"
#include "models/soc/system/pwr.h"
#include "models/soc/system/ram_config.h"
#include "models/soc/system/rcc.h"
#include "models/soc/system/set_up.h"
#include "models/soc/system/syscfg.h"
#include "models/soc/timers/iwdg.h"
#include "models/soc/timers/rtc.h"
#include "models/soc/timers/tamp.h"
#include "models/soc/timers/wwdg.h"

namespace n6vp::models {

/// The peripherals: every register block at its place, and the wires between them.
class Peripherals {
  public:
    Peripherals(const ChipParameters& parameters, ClockTree& clocks, RegisterLog& log);

    /// Puts the registers of the NPU cache in their place.
    void add_cache(CacheAxi& cache);
    /// The same for the NPU.
    void add_npu(NpuModule& npu);
    /// `drive` returns what sets the core's interrupt line of that number.
    void connect_interrupts(const std::function<std::function<void(bool)>(unsigned)>& drive);

    PeripheralBus bus;
    Rcc rcc;
    Pwr pwr;
    Syscfg syscfg;
    RamConfig ram_config;
    Iac iac;
    Rifsc rifsc;
    Bsec bsec;
    IoPeripherals io;  ///< serial ports, I2C, timers, GPIO, EXTI
    CanPeripherals can;
    dma::Requests dma_requests;
    dma::Controller gpdma1, hpdma1;
    CrcUnit crc;
    Rng rng;
    Dts dts;
    Iwdg iwdg;
    Wwdg wwdg;
    Rtc rtc;
    Tamp tamp;
    Hash hash;
    crypto::Cryp cryp;
    crypto::Saes saes;
    crypto::Pka pka;
    Xspim xspim;
    EthernetStub ethernet;
    Ltdc ltdc;
    Dma2d dma2d;
    Csi csi;
    Dcmipp dcmipp;
    CameraLink camera;         ///< between a sensor and these two
    WriteSink trace_channels;  ///< STM-500
    BootRom boot_rom;
    [[nodiscard]] static const memmap::Region& trace_region();
    /// Where `boot_rom` is, in both aliases.
    [[nodiscard]] static std::array<AddressRange, 2> boot_rom_lines();
    /// The console of the discovery kit.
    [[nodiscard]] Uart& usart1() { return *io.uart("USART1"); }
    [[nodiscard]] Risaf& risaf(std::string_view name);
    /// `instance` is 1, 2 or 3.
    [[nodiscard]] XspiController& xspi(unsigned instance) { return *xspis_[instance - 1]; }
    /// `instance` is 1 to 4.
    [[nodiscard]] crypto::Mce& mce(unsigned instance) { return *mces_[instance - 1]; }
    [[nodiscard]] const std::vector<std::unique_ptr<Risaf>>& risafs() const { return risafs_; }

    /// Every block to its state after power-on, at the absolute time `at`, but for what the backup
    /// domain keeps.
    void reset(Picoseconds at);
    /// The backup domain, too: calendar and backup registers.
    void power_on(Picoseconds at);
    /// All of the chip that loses its power in Standby mode.
    void enter_standby(Picoseconds at);
    /// A source that ends Standby mode rises: a wake-up pin, or an interrupt of RTC or TAMP.
    std::function<void()> on_wake_up;
    [[nodiscard]] bool wake_up_pending() const { return wake_lines_ != 0 || pwr.wake_up_pending(); }
    /// "PC13", `pin` from 0 on.
    [[nodiscard]] static std::string wake_up_pin(unsigned pin);
    /// SYSCFG.INITSVTORCR.
    [[nodiscard]] std::uint32_t initial_vectors(Picoseconds at);
    void set_initial_vectors(std::uint32_t vectors);
    /// Writes what firmware writes before an application may use all of the chip, but for the
    /// steps whose bit (1 << SetUpStep) is set; XSPI1 and 2 are memory-mapped then.
    void set_up(std::uint32_t omitted, Picoseconds at);

  private:
    /// Maps a block at the address of its peripheral row and adds its clock gate and access filter.
    void add(RegisterBlock& block, const char* name);
    void add_small();
    void add_ciphers();
    void add_display();
    void add_camera();
    void add_stubs(const FlagTimes& times);
    void add_dma(dma::Controller& controller, const char* name, unsigned iac_source);
    /// Request lines of the peripherals.
    void connect_requests();
    /// Pins that work whatever the mode of their port.
    void connect_board_pins();
    void follow_board(std::string_view port, std::uint16_t levels, std::uint16_t driven,
                      Picoseconds at);
    void connect_tampers();
    void connect_wake_up();
    /// Level of an interrupt that ends Standby mode; `line` numbers them.
    void note_wake_up(unsigned line, bool level);

    sc_core::sc_event rcc_due_;  ///< an oscillator becomes ready that interrupts
    std::vector<std::unique_ptr<Risaf>> risafs_;
    std::vector<std::unique_ptr<StubBlock>> stubs_;
    std::vector<std::unique_ptr<XspiController>> xspis_;
    std::vector<std::unique_ptr<crypto::Mce>> mces_;
    std::vector<RegisterBlock*> blocks_;  ///< all of them, in the order of `add`
    std::uint32_t wake_lines_ = 0;        ///< of `note_wake_up`, high
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/soc/polled_flags_world.h"

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <systemc>
#include <utility>

#include "models/cache/cacheaxi_registers.h"
#include "models/soc/analog/adc.h"
#include "models/soc/audio/sai.h"
#include "models/soc/camera/csi.h"
#include "models/soc/camera/dcmipp.h"
#include "models/soc/can/fdcan.h"
#include "models/soc/crypto/cryp.h"
#include "models/soc/crypto/hash.h"
#include "models/soc/crypto/mce.h"
#include "models/soc/crypto/pka.h"
#include "models/soc/crypto/rng.h"
#include "models/soc/crypto/saes.h"
#include "models/soc/dma/dma_controller.h"
#include "models/soc/graphics/dma2d.h"
#include "models/soc/graphics/ltdc.h"
#include "models/soc/sdmmc/sdmmc_controller.h"
#include "models/soc/serial/i2c.h"
#include "models/soc/serial/i2c_register_device.h"
#include "models/soc/serial/spi.h"
#include "models/soc/serial/xspi_controller.h"
#include "models/soc/stubs/stub_tables.h"
#include "models/soc/system/bsec.h"
#include "models/soc/system/ram_config.h"
#include "models/soc/system/rcc.h"
#include "models/soc/timers/iwdg.h"
#include "models/soc/timers/low_power_timer.h"
#include "models/soc/timers/rtc.h"
#include "models/soc/timers/timer.h"
#include "tests/models/soc/dma/dma_bench.h"

namespace n6vp::test {

using namespace models;

namespace {

/// What the NPU cache does, as far as its registers see it.
class CacheLines : public CacheOperations {
  public:
    Picoseconds invalidate_all(Picoseconds at, bool) override { return at + 640'000; }
    Picoseconds maintain(std::uint32_t, std::uint32_t, bool, Picoseconds at) override {
        return at + 640'000;
    }
    bool disable_invalidates() const override { return true; }
    void enable_changed() override {}
    void flags_change(Picoseconds) override {}
};

/// Never asked: LTDC scans nothing here, DMA2D moves nothing, and DCMIPP has no camera.
struct NoPixels : sc_core::sc_module {
    tlm_utils::simple_target_socket<NoPixels> from, from_mover, from_camera, from_card;
    explicit NoPixels(const sc_core::sc_module_name& name)
        : sc_module(name),
          from("from"),
          from_mover("from_mover"),
          from_camera("from_camera"),
          from_card("from_card") {}
};

}  // namespace

struct World::Surroundings {
    ClockTree clocks;
    CacheLines lines;
    dma::Requests requests;
    SlowMemory memory{"memory"};  ///< behind the DMA
    NoPixels pixels{"pixels"};
    SoundSource microphone;
    can::MessageRam messages{"SRAMCAN"};
};

World::World() : around_(std::make_unique<Surroundings>()) {
    for (const StubTables& tables : {kSystemStubs, kMemoryStubs, kLinkStubs, kOtherStubs}) {
        for (const StubTable& table : tables) {
            blocks[table.type] = std::make_unique<StubBlock>(table, table.type);
        }
    }
    auto converter = std::make_unique<Adc>("adc1", "ADC1", 1210);
    converter->set_kernel_hz(50e6);
    blocks["ADC"] = std::move(converter);
    blocks["BSEC"] = std::make_unique<Bsec>(BsecParameters{});
    blocks["CSI"] = std::make_unique<Csi>("CSI");
    auto camera = std::make_unique<Dcmipp>("dcmipp", "DCMIPP");
    camera->port.to.bind(around_->pixels.from_camera);
    blocks["DCMIPP"] = std::move(camera);
    blocks["CACHEAXI"] = std::make_unique<CacheAxiRegisters>(around_->lines);
    blocks["RAMCFG"] = std::make_unique<RamConfig>(RamConfigParameters{});
    blocks["RCC"] = std::make_unique<Rcc>(RccParameters{}, around_->clocks);
    auto controller = std::make_unique<dma::Controller>(
        "dma", "GPDMA1", dma::Controller::Kind::General, around_->requests);
    for (unsigned port : {0u, 1u}) controller->to[port].bind(around_->memory.from[port]);
    blocks["DMA"] = std::move(controller);
    blocks["FDCAN"] = std::make_unique<can::Fdcan>("fdcan1", "FDCAN1", around_->messages);
    blocks["HASH"] = std::make_unique<Hash>("hash", "HASH");
    blocks["IWDG"] =
        std::make_unique<Iwdg>("iwdg", "IWDG", IwdgParameters{}, Iwdg::Traits{4, 8, true});
    auto display = std::make_unique<Ltdc>("ltdc", "LTDC");
    display->port.to.bind(around_->pixels.from);
    blocks["LTDC"] = std::move(display);
    auto mover = std::make_unique<Dma2d>("dma2d", "DMA2D");
    mover->port.to.bind(around_->pixels.from_mover);
    blocks["DMA2D"] = std::move(mover);
    auto cards = std::make_unique<sdmmc::Controller>("sdmmc", "SDMMC1");
    cards->port.to.bind(around_->pixels.from_card);
    blocks["SDMMC"] = std::move(cards);
    blocks["CRYP"] = std::make_unique<crypto::Cryp>("cryp", "CRYP");
    blocks["SAES"] = std::make_unique<crypto::Saes>("saes", "SAES");
    blocks["MCE"] = std::make_unique<crypto::Mce>("MCE1", 0x90000000);
    blocks["PKA"] = std::make_unique<crypto::Pka>("pka", "PKA");
    blocks["RNG"] = std::make_unique<Rng>("rng", "RNG", RngParameters{},
                                          Rng::Traits{0x800D00, 0x3FFFF, 0x72AC, 100'000});
    blocks["RTC"] = std::make_unique<Rtc>("rtc", "RTC");
    auto frames = std::make_unique<Spi>("spi1", "SPI1", 16);
    frames->set_kernel_hz(100e6);
    frames->attach(std::make_unique<SpiLoopback>(), Spi::ChipSelect::OfController);
    blocks["SPI"] = std::move(frames);
    blocks["XSPI"] = std::make_unique<XspiController>("xspi1", "XSPI1");
    auto port = std::make_unique<Uart>("uart", "USART1", Uart::Kind::Usart);
    port->set_kernel_hz(100e6);
    uart = port.get();
    blocks["USART"] = std::move(port);
    auto bus = std::make_unique<I2c>("i2c", "I2C1");
    bus->set_kernel_hz(100e6);
    bus->attach(std::make_unique<I2cRegisterDevice>(I2cRegisterDevice::Layout{0x1A, 1, 1}));
    blocks["I2C"] = std::move(bus);
    auto slow = std::make_unique<LowPowerTimer>("lptim", "LPTIM1");
    slow->set_kernel_hz(32768, 0);
    blocks["LPTIM"] = std::move(slow);
    auto sound = std::make_unique<Sai>("sai", "SAI1", around_->microphone);
    sound->set_kernel_hz(12.288e6, 0);
    blocks["SAI"] = std::move(sound);
    blocks["TIM"] = std::make_unique<Timer>("tim", "TIM1", timer_layout("TIM1", true));
    for (auto& [name, block] : blocks) block->reset_at(0);
}

World::~World() = default;

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "models/chip/peripherals.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "memmap/interrupts.h"
#include "memmap/peripherals.h"
#include "memmap/regions.h"
#include "models/duration.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {

namespace {

constexpr unsigned kIacLine = memmap::interrupt_line("IAC"),
                   kBackupEccLine = memmap::interrupt_line("BKP_ECC"),
                   kPostedErrorLine = memmap::interrupt_line("PAHB_ERR"),
                   kGpdmaLine = memmap::interrupt_line("GPDMA1"),
                   kHpdmaLine = memmap::interrupt_line("HPDMA1"),
                   kRngLine = memmap::interrupt_line("RNG"),
                   kHashLine = memmap::interrupt_line("HASH"),
                   kCrypLine = memmap::interrupt_line("CRYP"),
                   kSaesLine = memmap::interrupt_line("SAES"),
                   kPkaLine = memmap::interrupt_line("PKA"),
                   kRccLine = memmap::interrupt_line("RCC"),
                   kRccSecureLine = memmap::interrupt_line("RCC_S"),
                   kRtcLine = memmap::interrupt_line("RTC"),
                   kRtcSecureLine = memmap::interrupt_line("RTC_S"),
                   kTampLine = memmap::interrupt_line("TAMP"),
                   kIwdgLine = memmap::interrupt_line("IWDG"),
                   kWwdgLine = memmap::interrupt_line("WWDG"),
                   kDma2dLine = memmap::interrupt_line("DMA2D"),
                   kLtdcLine = memmap::interrupt_line("LTDC_LO"),
                   kLtdcErrorLine = memmap::interrupt_line("LTDC_LO_ERR"),
                   kLtdcUpperLine = memmap::interrupt_line("LTDC_UP"),
                   kLtdcUpperErrorLine = memmap::interrupt_line("LTDC_UP_ERR"),
                   kCsiLine = memmap::interrupt_line("CSI"),
                   kDcmippLine = memmap::interrupt_line("DCMIPP"),
                   kXspiLines[] = {memmap::interrupt_line("XSPI1"), memmap::interrupt_line("XSPI2"),
                                   memmap::interrupt_line("XSPI3")};
/// PR has four bits, of which 8 and above divide by 1024 (assumed: as on the STM32H5).
constexpr Iwdg::Traits kIwdgTraits{4, 8, true};

[[nodiscard]] const memmap::Region& region_named(std::string_view name) {
    const auto found =
        std::find_if(std::begin(memmap::kRegions), std::end(memmap::kRegions),
                     [name](const memmap::Region& region) { return name == region.name; });
    if (found == std::end(memmap::kRegions))
        throw std::logic_error("no such region in the address map: " + std::string(name));
    return *found;
}

/// Reset values: SVD.
[[nodiscard]] Rng::Traits rng_traits(const FlagTimes& times) {
    return {0x00800D00, 0x0003FFFF, 0x000072AC, ns_to_ps(times.random_reset.value * 1e3)};
}

/// Their flags in the IAC. Source: HAL.
constexpr unsigned kGpdmaIllegalAccess = 130, kHpdmaIllegalAccess = 131;
/// Of CTR2.REQSEL, the same for both controllers. Source: HAL.
constexpr unsigned kHashRequest = 13, kCrypInput = 9, kCrypOutput = 10, kSaesOutput = 11,
                   kSaesInput = 12;

}  // namespace

Peripherals::Peripherals(const ChipParameters& parameters, ClockTree& clocks, RegisterLog& log)
    : bus("peripheral_bus", parameters.peripheral_bus, log),
      rcc(parameters.rcc, clocks, parameters.flags),
      pwr(parameters.flags),
      syscfg(parameters.flags),
      ram_config(parameters.ram_config),
      rifsc(parameters.rif, iac),
      bsec(parameters.bsec, parameters.flags),
      io(parameters, clocks, rcc),
      gpdma1("gpdma1", "GPDMA1", dma::Controller::Kind::General, dma_requests, parameters.dma,
             parameters.flags),
      hpdma1("hpdma1", "HPDMA1", dma::Controller::Kind::HighPerformance, dma_requests,
             parameters.dma, parameters.flags),
      crc("CRC", 32, parameters.crc, true),
      rng("rng", "RNG", parameters.rng, rng_traits(parameters.flags)),
      dts("dts", "DTS", parameters.dts),
      iwdg("iwdg", "IWDG", parameters.iwdg, kIwdgTraits),
      wwdg("wwdg", "WWDG"),
      rtc("rtc", "RTC", parameters.rtc, parameters.flags),
      tamp("tamp", "TAMP", parameters.flags),
      hash("hash", "HASH", parameters.flags),
      cryp("cryp", "CRYP", parameters.cryp),
      saes("saes", "SAES", parameters.saes),
      pka("pka", "PKA", parameters.pka),
      xspim("XSPIM"),
      ethernet(*stub_of("ETH"), "ETH1", parameters.flags),
      ltdc("ltdc", "LTDC", parameters.ltdc),
      dma2d("dma2d", "DMA2D", parameters.dma2d),
      csi("CSI"),
      dcmipp("dcmipp", "DCMIPP"),
      camera("camera", parameters.camera, csi, dcmipp),
      trace_channels("STM500"),
      boot_rom(parameters.boot_rom) {
    clocks.follow(memmap::ClockDomain::Ahb, [this](double hz) { bus.set_clock_hz(hz); });
    add(rcc, "RCC");
    rcc.on_due = [this](Picoseconds due) {
        rcc_due_.cancel();
        if (due != 0) rcc_due_.notify(delay_until(due));
    };
    sc_core::sc_spawn_options at_due;
    at_due.spawn_method();
    at_due.dont_initialize();
    at_due.set_sensitivity(&rcc_due_);
    sc_core::sc_spawn([this] { rcc.look(sc_core::sc_time_stamp().value()); }, "rcc_ready", &at_due);
    add(pwr, "PWR");
    add(syscfg, "SYSCFG");
    add(ram_config, "RAMCFG");
    add(iac, "IAC");
    add(rifsc, "RIFSC");
    add(bsec, "BSEC");
    io.for_each([this](RegisterBlock& block, const char* name) { add(block, name); });
    can.for_each([this](RegisterBlock& block, const char* name) { add(block, name); });
    add_dma(gpdma1, "GPDMA1", kGpdmaIllegalAccess);
    add_dma(hpdma1, "HPDMA1", kHpdmaIllegalAccess);
    hpdma1.perceived_compartment = [this](bool privileged) {
        return syscfg.dma_compartment(privileged);
    };
    add_small();
    add_ciphers();
    add(ethernet, "ETH1");
    add_display();
    add_camera();
    connect_requests();
    for (const RisafRow& row : kRisafs) {
        risafs_.push_back(std::make_unique<Risaf>(row, parameters.rif, iac));
        add(*risafs_.back(), row.name);
    }
    for (const auto& [module, name] :
         {std::pair{"xspi1_controller", "XSPI1"}, std::pair{"xspi2_controller", "XSPI2"},
          std::pair{"xspi3_controller", "XSPI3"}}) {
        // Nothing is behind XSPI3 that the boot ROM could have looked at.
        const bool mapped =
            parameters.xspi.mapped_after_boot.value != 0 && std::string_view(name) != "XSPI3";
        xspis_.push_back(std::make_unique<XspiController>(module, name, mapped, parameters.flags));
        add(*xspis_.back(), name);
    }
    for (const auto& [name, memory] : {std::pair{"MCE1", "XSPI1"}, std::pair{"MCE2", "XSPI2"},
                                       std::pair{"MCE3", "XSPI3"}, std::pair{"MCE4", "FMC"}}) {
        const std::uint32_t start = to_word(region_named(memory).non_secure);
        mces_.push_back(std::make_unique<crypto::Mce>(name, start, parameters.flags));
        add(*mces_.back(), name);
    }
    add(xspim, "XSPIM");
    add_stubs(parameters.flags);
    bus.add(trace_channels, trace_region().secure, trace_region().bytes);
    bus.add(boot_rom, boot_rom_lines().back().start, BootRom::kBytes);
    iac.clocked = [gate = rcc.gate("IAC")] { return gate->open(); };
}

const memmap::Region& Peripherals::trace_region() {
    return region_named("STM500");
}

std::array<AddressRange, 2> Peripherals::boot_rom_lines() {
    const memmap::Region& rom = region_named("BOOTROM");
    const auto line = [](GuestAddr start) {
        return AddressRange{GuestAddr{to_word(start) + BootRom::kStart}, BootRom::kBytes};
    };
    return {line(rom.non_secure), line(rom.secure)};
}

void Peripherals::add(RegisterBlock& block, const char* name) {
    const memmap::Peripheral* const row = memmap::peripheral_named(name);
    if (row == nullptr) {
        throw std::logic_error("no such peripheral in the address map: " + std::string(name));
    }
    bus.add(block, row->secure, row->bytes, row->secure_only);
    blocks_.push_back(&block);
    if (ClockGate* gate = rcc.gate(name)) {
        bus.add_filter(block, *gate);
        gate->on_reset = [&block](Picoseconds at) { block.reset_at(at); };
    }
    if (AccessFilter* filter = rifsc.filter(name)) bus.add_filter(block, *filter);
}

void Peripherals::add_dma(dma::Controller& controller, const char* name, unsigned iac_source) {
    controller.on_illegal_access = [this, iac_source] { iac.flag(iac_source); };
    add(controller, name);
    bus.add_filter(controller, controller.guard());
    ClockGate* const gate = rcc.gate(name);
    controller.clocked = [gate] { return gate->open(); };
    gate->on_change = [&controller] { controller.clock_changed(); };
}

/// Checksums, random numbers, watchdogs, clock.
void Peripherals::add_small() {
    add(crc, "CRC");
    add(rng, "RNG");
    add(dts, "DTS");
    add(iwdg, "IWDG");
    add(wwdg, "WWDG");
    add(rtc, "RTC");
    add(tamp, "TAMP");
    connect_board_pins();
    connect_tampers();
    add(hash, "HASH");
}

void Peripherals::add_ciphers() {
    add(cryp, "CRYP");
    add(saes, "SAES");
    add(pka, "PKA");
    cryp.shared_key = [this] { return saes.shared_key(); };
}

void Peripherals::add_display() {
    add(ltdc, "LTDC");
    ClockGate* const gate = rcc.gate("LTDC");
    ltdc.clocked = [gate] { return gate->open(); };
    gate->on_change = [this] { ltdc.clock_changed(); };
    add(dma2d, "DMA2D");
    ClockGate* const mover = rcc.gate("DMA2D");
    dma2d.clocked = [mover] { return mover->open(); };
    mover->on_change = [this] { dma2d.clock_changed(); };
    rcc.on_peripheral_clocks = [this](Picoseconds at) {
        io.update_clocks(at);
        can.set_kernel_hz(rcc.kernel_hz("FDCAN1"));
        ltdc.set_pixel_hz(rcc.kernel_hz("LTDC"));
        if (const double hz = rcc.kernel_hz("RTC"); hz > 0) {
            rtc.set_clock_hz(hz, at);
            tamp.set_clock_hz(hz);
        }
    };
}

void Peripherals::add_camera() {
    add(csi, "CSI");
    add(dcmipp, "DCMIPP");
    csi.clocked = [gate = rcc.gate("CSI")] { return gate->open(); };
    dcmipp.clocked = [gate = rcc.gate("DCMIPP")] { return gate->open(); };
}

void Peripherals::connect_requests() {
    const auto line = [this](unsigned number) {
        return [this, number](bool level, Picoseconds at) { dma_requests.set(number, level, at); };
    };
    io.connect_requests(line);
    dma_requests.on_take.listen(
        0, [this](unsigned number, Picoseconds at) { io.request_taken(number, at); });
    hash.on_request = line(kHashRequest);
    cryp.on_input_request = line(kCrypInput);
    cryp.on_output_request = line(kCrypOutput);
    saes.on_input_request = line(kSaesInput);
    saes.on_output_request = line(kSaesOutput);
    dma_requests.on_end.listen(0, [this](unsigned number, Picoseconds at) {
        if (number == kHashRequest) hash.end_of_requests(at);
    });
}

/// What has registers in a table, and no model.
void Peripherals::add_stubs(const FlagTimes& times) {
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        const auto is_it = [&](const RegisterBlock* block) {
            return std::string_view(block->name()) == row.name;
        };
        const StubTable* const table = stub_of(row.type);
        if (table == nullptr || std::any_of(blocks_.begin(), blocks_.end(), is_it)) continue;
        stubs_.push_back(std::make_unique<StubBlock>(*table, row.name, times));
        add(*stubs_.back(), row.name);
    }
}

void Peripherals::add_cache(CacheAxi& cache) {
    add(cache.registers(), "CACHEAXI");
    bus.add_filter(cache.registers(), risaf("RISAF15").filter(0));
    // Its registers are a part of it.
    rcc.gate("CACHEAXI")->on_reset = [&cache](Picoseconds at) { cache.reset(at); };
}

void Peripherals::add_npu(NpuModule& npu) {
    add(npu.registers(), "NPU");
}

void Peripherals::connect_interrupts(
    const std::function<std::function<void(bool)>(unsigned)>& drive) {
    iac.on_interrupt = drive(kIacLine);
    ram_config.on_interrupt = drive(kBackupEccLine);
    syscfg.on_posted_error = drive(kPostedErrorLine);
    io.connect_interrupts(drive);
    can.connect_interrupts(drive);
    rcc.on_interrupt = [plain = drive(kRccLine), hidden = drive(kRccSecureLine)](
                           bool secure, bool level) { (secure ? hidden : plain)(level); };
    for (std::size_t i = 0; i < xspis_.size(); ++i) xspis_[i]->on_interrupt = drive(kXspiLines[i]);
    rng.on_interrupt = drive(kRngLine);
    hash.on_interrupt = drive(kHashLine);
    cryp.on_interrupt = drive(kCrypLine);
    saes.on_interrupt = drive(kSaesLine);
    pka.on_interrupt = drive(kPkaLine);
    dma2d.on_interrupt = drive(kDma2dLine);
    ltdc.on_interrupt = [low = drive(kLtdcLine), up = drive(kLtdcUpperLine)](bool level) {
        low(level);
        up(level);
    };
    ltdc.on_error_interrupt = [low = drive(kLtdcErrorLine),
                               up = drive(kLtdcUpperErrorLine)](bool level) {
        low(level);
        up(level);
    };
    csi.on_interrupt = drive(kCsiLine);
    dcmipp.on_interrupt = drive(kDcmippLine);
    dts.on_interrupt = drive(memmap::interrupt_line("DTS"));
    iwdg.on_interrupt = drive(kIwdgLine);
    wwdg.on_interrupt = drive(kWwdgLine);
    rtc.on_interrupt = [this, plain = drive(kRtcLine), hidden = drive(kRtcSecureLine)](bool secure,
                                                                                       bool level) {
        (secure ? hidden : plain)(level);
        note_wake_up(secure ? 1 : 0, level);
    };
    tamp.on_interrupt = [this, line = drive(kTampLine)](bool level) {
        line(level);
        note_wake_up(2, level);
    };
    connect_wake_up();
    const auto channels = [&drive](dma::Controller& controller, unsigned first) {
        std::vector<std::function<void(bool)>> lines;
        for (unsigned i = 0; i < dma::kChannels; ++i) lines.push_back(drive(first + i));
        controller.on_interrupt = [lines](unsigned channel, bool level) { lines[channel](level); };
    };
    channels(gpdma1, kGpdmaLine);
    channels(hpdma1, kHpdmaLine);
}

Risaf& Peripherals::risaf(std::string_view name) {
    const auto found = std::find_if(risafs_.begin(), risafs_.end(),
                                    [name](const auto& each) { return name == each->row().name; });
    if (found == risafs_.end()) throw std::logic_error("no such RISAF");
    return **found;
}

void Peripherals::reset(Picoseconds at) {
    bus.reset();
    dma_requests.reset();
    camera.reset();
    for (RegisterBlock* block : blocks_) block->reset_at(at);
    io.update_clocks(at);
}

void Peripherals::power_on(Picoseconds at) {
    io.power_on();
    rcc.power_on();
    syscfg.power_on();
    pwr.power_on();
    wake_lines_ = 0;
    rtc.power_on(at);
    tamp.power_on(at);
    io.sound.microphone.reset();
}

void Peripherals::set_up(std::uint32_t omitted, Picoseconds at) {
    SetUpBlocks blocks{rcc, ram_config, rifsc, iac, {}, at};
    for (const auto& filter : risafs_) blocks.risafs.push_back(filter.get());
    models::set_up(blocks, omitted);
    constexpr std::uint32_t kCr = 0, kMapped = 3u << 28 | 1;  // FMODE, EN
    for (const unsigned instance : {1u, 2u}) {
        if (xspi(instance).memory_mapped()) continue;
        (void)xspi(instance).write(kCr, kMapped, 0xFFFFFFFF, at);
    }
}

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "memmap/interrupts.h"
#include "memmap/mailbox.h"
#include "models/chip/stm32n6.h"
#include "models/chip/stm32n6_parts.h"
#include "models/memory/ecc_sram.h"

namespace n6vp::models {

namespace {

using memmap::ClockDomain;
using memmap::McuPath;
using memmap::Region;
using memmap::RegionKind;

constexpr unsigned kCacheLine = memmap::interrupt_line("CACHEAXI");

[[nodiscard]] bool external(const Region& region) {
    return region.kind == RegionKind::Nor || region.kind == RegionKind::Psram;
}

/// Returns true for a write that the core's port for peripherals, P-AHB, has posted. Source:
/// Cortex-M55 TRM, memory map of the processor. Accesses to addresses of the peripheral bus that
/// hold no register do not fail here.
[[nodiscard]] bool is_posted(const AccessFault& what) {
    const bool peripherals = what.address >= 0x40000000 && what.address <= 0x5FFFFFFF;
    const bool vendor = what.address >= 0xE0100000 && what.address <= 0xFFFFFFFF;
    return what.initiator == number(Initiator::CoreData) && (peripherals || vendor);
}

[[nodiscard]] std::uint32_t mask_of(Initiator initiator) {
    return 1u << number(initiator);
}

}  // namespace

bool Stm32n6::reaches(Initiator from, const Region& region) const {
    if (region.kind == RegionKind::Tcm) return from == Initiator::CoreTcm;
    if (from == Initiator::CoreTcm) return false;
    return !on_npu_side(from) || region.npu;
}

/// Ports on AHB come to the memories by the bridge; the way behind it is that of the core.
Route Stm32n6::dma_route(Initiator from, const Region& region) const {
    const BusParameters& fabric = parameters_.fabric;
    const bool axi = from == Initiator::Hpdma0 || moves_pixels(from);
    const double noc_hz = clocks_.hz(ClockDomain::Noc), ahb_hz = clocks_.hz(ClockDomain::Ahb);
    const auto beats = static_cast<std::uint32_t>(fabric.beat_bytes.value);
    Route way = route(Initiator::CoreData, region);
    way.beat = cycles_to_ps(1, axi ? noc_hz : ahb_hz);
    way.beat_bytes = axi ? beats : std::min<std::uint32_t>(beats, 4);
    if (axi) return way;
    const bool near = region.clock == ClockDomain::Ahb;
    if (near) way.request = way.response = 0;
    const double bridge = near ? 0 : fabric.dma_bridge.value / 2;
    way.request += cycles_to_ps(bridge, ahb_hz);
    way.response += cycles_to_ps(bridge, ahb_hz);
    return way;
}

Route Stm32n6::route(Initiator from, const Region& region) const {
    if (of_dma(from) || of_sdmmc(from) || moves_pixels(from)) return dma_route(from, region);
    const BusParameters& fabric = parameters_.fabric;
    const double noc_hz = clocks_.hz(ClockDomain::Noc);
    const double nic_hz = clocks_.hz(ClockDomain::Nic);
    Route way;
    way.beat_bytes = static_cast<std::uint32_t>(fabric.beat_bytes.value);
    if (region.kind == RegionKind::Tcm) return way;
    const bool nic = region.clock == ClockDomain::Nic;
    if (!on_npu_side(from)) {
        way.beat = cycles_to_ps(1, noc_hz);
        if (external(region)) {
            way.request = way.response = ns_to_ps(fabric.cpu_xspi_control.value / 2);
            return way;
        }
        const double bridge = region.mcu == McuPath::AxiBridge ? fabric.cpu_bridge.value / 2 : 0;
        way.request = cycles_to_ps(fabric.cpu_noc_ram_request.value + bridge, noc_hz);
        way.response = cycles_to_ps(fabric.cpu_noc_ram_response.value + bridge, noc_hz);
        return way;
    }
    way.beat = cycles_to_ps(1, nic ? nic_hz : noc_hz);
    if (external(region)) {
        way.request = way.response = ns_to_ps(fabric.npu_xspi_control.value / 2);
        return way;
    }
    // The published latency includes the cycle of the bank.
    const Picoseconds whole = cycles_to_ps(fabric.npu_nic_ram.value, clocks_.hz(ClockDomain::Npu));
    const Picoseconds bank = cycles_to_ps(1, nic_hz);
    Picoseconds both = whole > bank ? whole - bank : 0;
    if (!nic) both += cycles_to_ps(fabric.npu_bridge.value, noc_hz);
    way.request = both / 2;
    way.response = both - way.request;
    return way;
}

void Stm32n6::set_routes() {
    for (unsigned port = 0; port < initiators(); ++port) {
        const bool generated = port >= kInitiators;
        const Initiator from = generated ? options_.masters[port - kInitiators].place.like
                                         : static_cast<Initiator>(port);
        for (unsigned i = 0; i < memories_.size(); ++i) {
            const Region& region = *memories_[i].region;
            if (reaches(from, region)) bus_->set_route(port, i, route(from, region));
        }
    }
}

void Stm32n6::connect_bus() {
    core_->instruction_port.bind(bus_->from[number(Initiator::CoreCode)]);
    core_->m_axi.bind(bus_->from[number(Initiator::CoreData)]);
    core_->tcm.bind(bus_->from[number(Initiator::CoreTcm)]);
    host.bind(bus_->from[number(Initiator::Host)]);
    for (unsigned i = 0; i < memories_.size(); ++i) {
        const Region& region = *memories_[i].region;
        bus_->to[i].bind(memories_[i].model->port);
        bus_->map(i, {region.non_secure, region.fitted_bytes});
        core_observer_->add_alias(i, to_word(region.non_secure));
        if (!region.has_two_aliases()) continue;
        bus_->map(i, {region.secure, region.fitted_bytes});
        core_observer_->add_alias(i, to_word(region.secure));
    }
    // Offsets of the peripheral bus are addresses; the mailbox page is cut out of both aliases.
    bus_->to[peripheral_target()].bind(soc_->bus.port);
    bus_->to[mailbox_target()].bind(mailbox_->port);
    for (const auto& [page, start] : {std::pair{memmap::mailbox::kNonSecurePage, 0x40000000u},
                                      std::pair{memmap::mailbox::kSecurePage, 0x50000000u}}) {
        const std::uint32_t end = to_word(page.start);
        bus_->map(peripheral_target(), {GuestAddr{start}, end - start}, start);
        bus_->map(mailbox_target(), page);
    }
    for (unsigned port = 0; port < dma::Controller::kPorts; ++port) {
        soc_->gpdma1.to[port].bind(bus_->from[number(Initiator::Gpdma0) + port]);
        soc_->hpdma1.to[port].bind(bus_->from[number(Initiator::Hpdma0) + port]);
        for (const Initiator first : {Initiator::Gpdma0, Initiator::Hpdma0})
            bus_->set_route(number(first) + port, peripheral_target(), {0, 0, 0, 4});
    }
    soc_->ltdc.port.to.bind(bus_->from[number(Initiator::Ltdc)]);
    soc_->dma2d.port.to.bind(bus_->from[number(Initiator::Dma2d)]);
    soc_->dcmipp.port.to.bind(bus_->from[number(Initiator::Dcmipp)]);
    for (const auto& [name, port] :
         {std::pair{"SDMMC1", Initiator::Sdmmc1}, std::pair{"SDMMC2", Initiator::Sdmmc2}})
        soc_->io.sdmmc(name)->port.to.bind(bus_->from[number(port)]);
    const Region& trace = Peripherals::trace_region();
    for (const GuestAddr start : {trace.non_secure, trace.secure}) {
        bus_->map(peripheral_target(), {start, trace.bytes}, to_word(start));
    }
    for (const AddressRange line : Peripherals::boot_rom_lines()) {
        bus_->map(peripheral_target(), line, to_word(line.start));
    }
    for (const Initiator from : {Initiator::CoreData, Initiator::Host}) {
        bus_->set_route(number(from), peripheral_target(), {0, 0, 0, 4});
        bus_->set_route(number(from), mailbox_target(), {0, 0, 0, 4});
    }
    set_routes();
}

void Stm32n6::connect_npu_side() {
    constexpr const char* kNames[kNpuPorts] = {"npu_port_0", "npu_port_1", "epoch_controller_port"};
    for (unsigned i = 0; i < kNpuPorts; ++i) {
        npu_ports_[i] = std::make_unique<MasterPort>(kNames[i]);
        npu_ports_[i]->to.bind(npu_cache_->from[i]);
        npu_cache_->to[i].bind(bus_->from[number(Initiator::Npu0) + i]);
    }
    for (unsigned i = 0; i < memories_.size(); ++i) {
        const Region& region = *memories_[i].region;
        if (!region.npu_cacheable) continue;
        npu_cache_->add_memory(i, {region.non_secure, region.fitted_bytes}, 0,
                               region.kind == RegionKind::Psram);
    }
    soc_->add_cache(*npu_cache_);
    const unsigned npu0 = number(Initiator::Npu0), npu1 = number(Initiator::Npu1),
                   controller = number(Initiator::EpochController),
                   host_port = number(Initiator::Host), code = number(Initiator::CoreCode),
                   data = number(Initiator::CoreData);
    std::vector<unsigned> to_core{npu0, npu1, controller, host_port},
        to_cache{code, data, host_port};
    for (const Initiator from :
         {Initiator::Gpdma0, Initiator::Gpdma1, Initiator::Hpdma0, Initiator::Hpdma1,
          Initiator::Dma2d, Initiator::Dcmipp, Initiator::Sdmmc1, Initiator::Sdmmc2}) {
        to_core.push_back(number(from));
        to_cache.push_back(number(from));
    }
    bus_->observe(*core_observer_, to_core);
    bus_->observe(*npu_cache_, to_cache);
    soc_->rifsc.on_master = [this](unsigned) { set_master_attributes(); };
}

void Stm32n6::set_master_attributes() {
    const MasterAttributes held = soc_->rifsc.master(Rifsc::kNpuMaster);
    for (const auto& port : npu_ports_) port->attributes = held;
    for (unsigned layer = 0; layer < Ltdc::kLayers; ++layer)
        soc_->ltdc.attributes[layer] = soc_->rifsc.master(Rifsc::kLtdcMaster + layer);
    soc_->dma2d.attributes = soc_->rifsc.master(Rifsc::kDma2dMaster);
    soc_->dcmipp.attributes = soc_->rifsc.master(Rifsc::kDcmippMaster);
    soc_->io.sdmmc("SDMMC1")->attributes = soc_->rifsc.master(Rifsc::kSdmmc1Master);
    soc_->io.sdmmc("SDMMC2")->attributes = soc_->rifsc.master(Rifsc::kSdmmc2Master);
}

void Stm32n6::add_filter(unsigned target, AccessFilter* filter) {
    if (filter != nullptr) bus_->add_filter(target, *filter);
}

AccessFilter* Stm32n6::sleep_filter(std::string_view unit) {
    const ClockGate* const gate = soc_->rcc.gate(unit);
    if (gate == nullptr) return nullptr;
    return sleep_filters_.emplace_back(std::make_unique<SleepFilter>(*gate, *core_)).get();
}

/// Clocks and power.
void Stm32n6::connect_switch_filters(unsigned target) {
    const Region& region = *memories_[target].region;
    const auto changed = [this, target] { bus_->filter_changed(target); };
    if (ClockGate* gate = soc_->rcc.gate(region.name)) {
        add_filter(target, gate);
        gate->on_change = changed;
    }
    if (PowerSwitch* power = soc_->ram_config.power(region.name)) {
        add_filter(target, power);
        power->on_change = [this, target, power] {
            if (!power->on()) memories_[target].model->reset();
            bus_->filter_changed(target);
        };
    }
    if (external(region)) {
        const unsigned instance = region.clock == ClockDomain::Xspi1 ? 1 : 2;
        XspiController& controller = soc_->xspi(instance);
        add_filter(target, &controller.window());
        controller.on_mapped = changed;
        if (region.npu) add_filter(target, sleep_filter(controller.name()));
    }
    if (!region.npu) return;
    add_filter(target, sleep_filter(region.name));
    add_filter(target, sleep_filter("NPU"));
}

void Stm32n6::connect_risafs(unsigned target) {
    // RISAF4 and 5 are the NPU's ports' own; RISAF6 stands at the other ways into its side.
    constexpr unsigned kNpuPort0Filter = 4, kNpuPort1Filter = 5, kNpuBanksFilter = 6;
    const bool banks = parameters_.rif.npu_banks_filtered.value != 0;
    const bool controller = parameters_.rif.controller_filtered.value != 0;
    const std::uint32_t port_0 =
        mask_of(Initiator::Npu0) | (controller ? mask_of(Initiator::EpochController) : 0);
    const std::uint32_t port_1 = mask_of(Initiator::Npu1);
    const std::uint32_t others = ~(mask_of(Initiator::Npu0) | port_1);
    const Region& region = *memories_[target].region;
    const std::uint32_t start = to_word(region.non_secure);
    for (const auto& risaf : soc_->risafs()) {
        const unsigned number = risaf->row().number;
        if (region.npu && number == kNpuPort0Filter) {
            add_filter(target, &risaf->filter(start, port_0));
        } else if (region.npu && number == kNpuPort1Filter) {
            add_filter(target, &risaf->filter(start, port_1));
        } else if (number == region.risaf) {
            const bool all = number != kNpuBanksFilter || banks;
            add_filter(target, &risaf->filter(start, all ? Risaf::kAllInitiators : others));
        }
    }
}

/// What stands before the look-up: a hit does not come to the bus. Assumed: the filters of the
/// NPU's ports are on the NPU's side of its cache. While the core sleeps, the cache asks for its
/// own sleep bit only: the public object detection of the discovery kit infers without that of its
/// RAM.
void Stm32n6::connect_npu_cache_filters() {
    constexpr const char* kUnits[] = {"CACHEAXI", "CACHEAXIRAM"};
    constexpr std::pair<unsigned, const char*> kFilters[] = {{0, "RISAF4"}, {1, "RISAF5"}};
    for (unsigned port = 0; port < kNpuPorts; ++port) {
        for (const char* const unit : kUnits) {
            npu_cache_->add_filter(port, *soc_->rcc.gate(unit));
        }
        npu_cache_->add_filter(port, *sleep_filter("CACHEAXI"));
        npu_cache_->add_filter(port, *sleep_filter("NPU"));
    }
    for (const auto& [port, risaf] : kFilters) {
        npu_cache_->add_filter(port, soc_->risaf(risaf).filter(0));
    }
    if (parameters_.rif.controller_filtered.value != 0) {
        npu_cache_->add_filter(2, soc_->risaf("RISAF4").filter(0));
    }
    npu_cache_->may_write = [this](const Transfer& transfer, std::uint32_t address,
                                   std::uint32_t bytes) {
        return bus_->may_write(transfer, address, bytes);
    };
    const auto cache_ram = static_cast<unsigned>(target_of("CACHEAXIRAM"));
    npu_cache_->on_enable_changed = [this, cache_ram] { bus_->filter_changed(cache_ram); };
}

/// External memories have one alias.
std::function<void(std::uint32_t, std::uint32_t)> Stm32n6::change_of(const Region& region) {
    return [this, &region](std::uint32_t offset, std::uint32_t bytes) {
        const std::uint32_t start = to_word(region.non_secure) + offset;
        core_->core().other_writes(start, start + (bytes - 1), "commands of the XSPI");
    };
}

/// Port 1 of the discovery kit is with XSPI1, port 2 with XSPI2, until XSPIM swaps them.
void Stm32n6::connect_serial_devices() {
    for (const Memory& memory : memories_) {
        const Region& region = *memory.region;
        BackingStore& cells = memory.model->cells();
        if (region.kind == RegionKind::Nor) {
            nor_ = std::make_unique<NorFlash>(cells, parameters_.nor_commands);
            nor_->on_change = change_of(region);
            soc_->xspi(2).connect(nor_.get());
        } else if (region.kind == RegionKind::Psram) {
            psram_ = std::make_unique<PsramDevice>(cells);
            psram_->on_change = change_of(region);
            soc_->xspi(1).connect(psram_.get());
        }
    }
}

void Stm32n6::connect_filters() {
    for (unsigned i = 0; i < memories_.size(); ++i) {
        const Region& region = *memories_[i].region;
        if (region.kind == RegionKind::Tcm) continue;
        connect_switch_filters(i);
        if (region.kind == RegionKind::NpuCacheRam) add_filter(i, &npu_cache_->ram_filter());
        connect_risafs(i);
    }
    for (const auto& risaf : soc_->risafs()) {
        risaf->on_change = [this] {
            for (unsigned i = 0; i < memories_.size(); ++i) bus_->filter_changed(i);
        };
    }
    // Units whose sleep bit decides about more than their own registers.
    for (const char* const unit : {"NPU", "XSPI1", "XSPI2"}) {
        soc_->rcc.gate(unit)->on_change = [this] {
            for (unsigned i = 0; i < memories_.size(); ++i) bus_->filter_changed(i);
        };
    }
    soc_->ram_config.on_erase = [this](const char* name) { erase(name); };
    connect_check_bits();
    connect_tcm_sizes();
    connect_npu_cache_filters();
    connect_external_memories();
}

void Stm32n6::connect_check_bits() {
    const auto number = static_cast<unsigned>(target_of(kCheckedMemory));
    auto& memory = dynamic_cast<EccSram&>(*memories_[number].model);
    soc_->ram_config.on_checks = [&memory](bool on) { memory.set_checks(on); };
    memory.on_error = [this](EccSram::Error error, std::uint32_t offset) {
        soc_->ram_config.note_error(error == EccSram::Error::Double, offset);
    };
}

/// Fills a bank with zeros and revokes the direct pointers to it.
void Stm32n6::erase(std::string_view memory) {
    const int target = target_of(memory);
    const PowerSwitch* const power = soc_->ram_config.power(memory);
    if (target < 0 || (power != nullptr && !power->on())) return;
    const Region& region = *memories_[static_cast<unsigned>(target)].region;
    (void)store(region.non_secure, std::vector<std::uint8_t>(region.fitted_bytes));
    bus_->filter_changed(static_cast<unsigned>(target));
}

void Stm32n6::connect_clocks() {
    clocks_.follow(ClockDomain::Cpu, [this](double hz) { core_->set_clock_hz(hz); });
    for (const ClockDomain domain :
         {ClockDomain::Noc, ClockDomain::Nic, ClockDomain::Npu, ClockDomain::Ahb}) {
        clocks_.follow(domain, [this](double) { set_routes(); });
    }
    clocks_.follow(ClockDomain::Nic, [this](double hz) { npu_cache_->set_clock_hz(hz); });
    clocks_.follow(ClockDomain::Noc, [this](double hz) { soc_->dma2d.set_clock_hz(hz); });
    clocks_.follow(ClockDomain::Ahb, [this](double hz) {
        soc_->gpdma1.set_clock_hz(hz);
        soc_->hpdma1.set_clock_hz(hz);
        soc_->crc.set_clock_hz(hz);
        soc_->cryp.set_clock_hz(hz);
        soc_->saes.set_clock_hz(hz);
        soc_->wwdg.set_clock_hz(hz);
    });
    for (const Memory& memory : memories_) {
        if (external(*memory.region)) continue;
        clocks_.follow(memory.region->clock,
                       [model = memory.model.get()](double hz) { model->set_clock_hz(hz); });
    }
    for (const ClockDomain domain : {ClockDomain::Xspi1, ClockDomain::Xspi2}) {
        clocks_.follow(domain, [this](double) { set_xspi_clocks(); });
    }
    soc_->xspi(1).on_divider = soc_->xspi(2).on_divider = [this] { set_xspi_clocks(); };
    soc_->bsec.on_fuse = [this] { set_xspi_clocks(); };
}

void Stm32n6::set_xspi_clocks() {
    // Pins without the fuse for high speed at low voltage: the 50 MHz class.
    constexpr double kSlowPins = 50e6;
    for (const Memory& memory : memories_) {
        if (!external(*memory.region)) continue;
        const bool port_1 = memory.region->clock == ClockDomain::Xspi1;
        const bool first = port_1 != soc_->xspim.swapped();
        const bool fast = port_1 ? soc_->bsec.fast_pins_xspi1() : soc_->bsec.fast_pins_xspi2();
        XspiController& controller = soc_->xspi(first ? 1 : 2);
        const ClockDomain domain = first ? ClockDomain::Xspi1 : ClockDomain::Xspi2;
        const double pins = clocks_.hz(domain) / controller.divider();
        const double hz = fast ? pins : std::min(pins, kSlowPins);
        memory.model->set_clock_hz(hz);
        controller.set_clock_hz(hz);
    }
}

void Stm32n6::request_reset() {
    if (on_reset_request) {
        on_reset_request();
    } else {
        reset(core::Reset::Warm);
    }
}

void Stm32n6::connect_events() {
    const auto fault = [this](const AccessFault& what) { events.access_fault(what); };
    bus_->on_fault = fault;
    bus_->posts = [this](const AccessFault& what) -> const char* {
        if (!is_posted(what)) return nullptr;
        soc_->syscfg.note_posted_error(static_cast<std::uint32_t>(what.address));
        return "posted, for SYSCFG_AHBWP_ERROR_SR and interrupt 52";
    };
    soc_->bus.on_fault = fault;
    npu_cache_->on_fault = fault;
    bus_->on_buffer_in_use = [this](const BufferInUse& what) {
        // Engines that follow each other through a buffer keep their distance themselves.
        const bool among_engines = on_npu_side(static_cast<Initiator>(what.initiator)) &&
                                   on_npu_side(static_cast<Initiator>(what.user));
        if (!among_engines) events.buffer_in_use(what);
    };
    npu_cache_->on_event([this](const NpuCacheEvent& what) { events.npu_cache_coherence(what); });
    npu_cache_->on_interrupt.listen(kOwnPlace, drive(kCacheLine));
    soc_->connect_interrupts([this](unsigned line) { return drive(line); });
    core_->core().set_coherence_hook(
        [this](const core::CoherenceEvent& what) { events.core_coherence(what); });
    core_->core().set_fault_hook([this](const core::CoreFault& what) { events.core_fault(what); });
    const auto by = [this](std::uint32_t flag) {
        return [this, flag] {
            soc_->rcc.note_reset(flag | Rcc::kByPin);
            request_reset();
        };
    };
    core_->on_reset_request = [this, reset = by(Rcc::kBySoftware)] {
        soc_->syscfg.note_reset_request();
        reset();
    };
    soc_->iwdg.on_reset = by(Rcc::kByIwdg);
    soc_->wwdg.on_reset = by(Rcc::kByWwdg);
    core_->on_deep_sleep = [this] {
        sleep_deeply();
        return true;
    };
    soc_->on_wake_up = [this] { wake_from_standby(); };
    core_->on_deep_wake = [this] {
        soc_->pwr.note_stop();
        soc_->rcc.leave_stop(sc_core::sc_time_stamp().value());
    };
    for (unsigned i = 0; i < memories_.size(); ++i) {
        memories_[i].model->on_unwritten_read = [this, i](std::uint32_t offset, Picoseconds at) {
            events.unwritten_read(i, offset, at);
        };
    }
}

}  // namespace n6vp::models

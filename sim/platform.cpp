// SPDX-License-Identifier: Apache-2.0
#include "sim/platform.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace n6vp::sim {

namespace {

constexpr double kHzPerMhz = 1e6;
constexpr unsigned kCpuData = 0;
constexpr unsigned kInitiators = 1;

[[nodiscard]] bool is_modelled(const memmap::Region& region) {
    switch (region.kind) {
        case memmap::RegionKind::Ram:
            return region.clock == memmap::ClockDomain::Noc ||
                   region.clock == memmap::ClockDomain::Nic;
        case memmap::RegionKind::NpuCacheRam:
        case memmap::RegionKind::Nor:
        case memmap::RegionKind::Psram:
            return true;
        default:
            return false;
    }
}

}  // namespace

Platform::Platform(const PlatformParameters& parameters) : parameters_(parameters) {
    if (sc_core::sc_get_curr_simcontext()->elaboration_done()) {
        throw std::logic_error("one platform per process: SystemC has elaborated already");
    }
    // The kernel must not write into reports on standard output; errors come as exceptions.
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    for (const memmap::Region& region : memmap::kRegions) {
        if (is_modelled(region)) add_memory(region);
    }
    bus_ =
        std::make_unique<models::Bus>("bus", kInitiators, static_cast<unsigned>(memories_.size()));
    data_path_ = std::make_unique<models::DataPath>(
        "cpu_data", parameters_.clock.cpu.value * kHzPerMhz, parameters_.cpu, parameters_.cache);
    connect();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
}

Platform::~Platform() = default;

void Platform::add_memory(const memmap::Region& region) {
    const ClockParameters& clock = parameters_.clock;
    const std::uint32_t bytes = region.fitted_bytes;
    std::string name(region.name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    std::unique_ptr<models::TimedMemory> model;
    if (region.kind == memmap::RegionKind::Nor) {
        model = std::make_unique<models::XspiMemory>(
            name.c_str(), bytes, clock.xspi2.value * kHzPerMhz, parameters_.nor);
    } else if (region.kind == memmap::RegionKind::Psram) {
        model = std::make_unique<models::XspiMemory>(
            name.c_str(), bytes, clock.xspi1.value * kHzPerMhz, parameters_.psram);
    } else {
        const bool nic = region.clock == memmap::ClockDomain::Nic;
        model = std::make_unique<models::Sram>(name.c_str(), bytes,
                                               (nic ? clock.nic : clock.noc).value * kHzPerMhz,
                                               nic ? parameters_.nic_ram : parameters_.noc_ram);
    }
    memories_.push_back({&region, std::move(model)});
}

models::Route Platform::route(const memmap::Region& region) const {
    const models::BusParameters& fabric = parameters_.fabric;
    const double noc_hz = parameters_.clock.noc.value * kHzPerMhz;
    models::Route route;
    route.beat = models::cycles_to_ps(1, noc_hz);
    route.beat_bytes = static_cast<std::uint32_t>(fabric.beat_bytes.value);
    if (region.kind == memmap::RegionKind::Nor || region.kind == memmap::RegionKind::Psram) {
        route.request = route.response = models::ns_to_ps(fabric.cpu_xspi_control.value / 2);
        return route;
    }
    const double bridge =
        region.mcu == memmap::McuPath::AxiBridge ? fabric.cpu_bridge.value / 2 : 0;
    route.request = models::cycles_to_ps(fabric.cpu_noc_ram_request.value + bridge, noc_hz);
    route.response = models::cycles_to_ps(fabric.cpu_noc_ram_response.value + bridge, noc_hz);
    return route;
}

void Platform::connect() {
    data_path_->m_axi.bind(bus_->from[kCpuData]);
    for (unsigned i = 0; i < memories_.size(); ++i) {
        const memmap::Region& region = *memories_[i].region;
        bus_->to[i].bind(memories_[i].model->port);
        bus_->map(i, {region.non_secure, region.fitted_bytes});
        if (region.has_two_aliases()) bus_->map(i, {region.secure, region.fitted_bytes});
        bus_->set_route(kCpuData, i, route(region));
    }
}

void Platform::synchronise() {
    const sc_core::sc_time lead = models::delay_until(data_path_->time());
    if (lead != sc_core::SC_ZERO_TIME) sc_core::sc_start(lead);
}

void Platform::run(const std::function<void()>& work) {
    work();
    synchronise();
}

void Platform::reset() {
    for (const Memory& memory : memories_) memory.model->reset();
    data_path_->reset();
}

bool Platform::present(AddressRange range) const {
    std::uint64_t at = to_word(range.start);
    while (at < range.end()) {
        if (at > 0xFFFFFFFFu) return false;
        const memmap::Location location =
            memmap::find_region(GuestAddr{static_cast<std::uint32_t>(at)});
        if (!location || !is_modelled(*location.region) ||
            location.offset >= location.region->fitted_bytes) {
            return false;
        }
        at += location.region->fitted_bytes - location.offset;
    }
    return true;
}

unsigned Platform::debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                         std::size_t count) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(to_word(at));
    trans.set_data_ptr(bytes);
    trans.set_data_length(static_cast<unsigned>(count));
    return data_path_->m_axi->transport_dbg(trans);
}

bool Platform::store(GuestAddr to, std::span<const std::uint8_t> bytes) {
    // TLM has one data pointer for both directions; a write command leaves the bytes alone.
    auto* data = const_cast<std::uint8_t*>(bytes.data());
    return debug(tlm::TLM_WRITE_COMMAND, to, data, bytes.size()) == bytes.size();
}

bool Platform::fetch(GuestAddr from, std::span<std::uint8_t> bytes) {
    return debug(tlm::TLM_READ_COMMAND, from, bytes.data(), bytes.size()) == bytes.size();
}

}  // namespace n6vp::sim

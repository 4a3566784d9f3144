// SPDX-License-Identifier: Apache-2.0
#include "tests/shape/chip.h"

#include <algorithm>
#include <string>

#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/memory/xspi_memory.h"

namespace n6vp::test {

using memmap::ClockDomain;
using memmap::McuPath;
using memmap::Region;
using memmap::RegionKind;
using models::Picoseconds;
using models::Route;

namespace {

constexpr double kHz = 1e6;

[[nodiscard]] bool is_serial(const Region& region) {
    return region.kind == RegionKind::Nor || region.kind == RegionKind::Psram;
}

[[nodiscard]] bool is_present(const Region& region) {
    switch (region.kind) {
        case RegionKind::Ram:
            return region.clock == ClockDomain::Noc || region.clock == ClockDomain::Nic;
        case RegionKind::Tcm:
        case RegionKind::NpuCacheRam:
        case RegionKind::Nor:
        case RegionKind::Psram:
            return true;
        default:
            return false;
    }
}

[[nodiscard]] std::unique_ptr<models::TimedMemory> make_memory(const Region& region,
                                                               const Clocks& clocks) {
    const char* const name = region.name;
    const std::uint32_t bytes = region.fitted_bytes;
    if (region.kind == RegionKind::Nor) {
        return std::make_unique<models::XspiMemory>(name, bytes, clocks.xspi2 * kHz,
                                                    models::XspiParameters{});
    }
    if (region.kind == RegionKind::Psram) {
        return std::make_unique<models::XspiMemory>(name, bytes, clocks.xspi1 * kHz,
                                                    models::psram_parameters());
    }
    if (region.kind == RegionKind::Tcm) {
        models::TcmParameters tcm;
        tcm.beat_bytes.value = std::min<double>(tcm.beat_bytes.value, region.width_bits / 8.0);
        return std::make_unique<models::Tcm>(name, bytes, clocks.cpu * kHz, tcm);
    }
    const bool nic = region.clock == ClockDomain::Nic;
    return std::make_unique<models::Sram>(
        name, bytes, (nic ? clocks.nic : clocks.noc) * kHz,
        nic ? models::nic_sram_parameters() : models::SramParameters{});
}

/// Both halves of a way are equal, except for the core's to on-chip RAM, of which the parameters
/// know each.
[[nodiscard]] Route halves(Picoseconds both, Picoseconds beat) {
    return {both / 2, both - both / 2, beat, BusMaster::kBeatBytes};
}

[[nodiscard]] Route core_route(const Region& region, const Clocks& clocks) {
    const models::BusParameters fabric;
    const double noc_hz = clocks.noc * kHz;
    const Picoseconds beat = models::cycles_to_ps(1, noc_hz);
    if (is_serial(region)) return halves(models::ns_to_ps(fabric.cpu_xspi_control.value), beat);
    const double bridge = region.mcu == McuPath::AxiBridge ? fabric.cpu_bridge.value / 2 : 0;
    return {models::cycles_to_ps(fabric.cpu_noc_ram_request.value + bridge, noc_hz),
            models::cycles_to_ps(fabric.cpu_noc_ram_response.value + bridge, noc_hz), beat,
            BusMaster::kBeatBytes};
}

[[nodiscard]] Route npu_route(const Region& region, const Clocks& clocks) {
    const models::BusParameters fabric;
    const Picoseconds noc_beat = models::cycles_to_ps(1, clocks.noc * kHz);
    const Picoseconds nic_beat = models::cycles_to_ps(1, clocks.nic * kHz);
    if (is_serial(region)) return halves(models::ns_to_ps(fabric.npu_xspi_control.value), noc_beat);
    const Picoseconds near =
        models::cycles_to_ps(fabric.npu_nic_ram.value, clocks.npu * kHz) - nic_beat;
    if (region.clock == ClockDomain::Nic) return halves(near, nic_beat);
    return halves(near + models::cycles_to_ps(fabric.npu_bridge.value, clocks.noc * kHz), noc_beat);
}

}  // namespace

const char* name_of(Master master) {
    switch (master) {
        case Master::CoreCode:
            return "core code";
        case Master::CoreData:
            return "core data";
        case Master::CoreTcm:
            return "core TCM";
        case Master::Npu0:
            return "NPU port 0";
        case Master::Npu1:
            return "NPU port 1";
        case Master::EpochController:
            return "epoch controller";
        case Master::Host:
            return "host";
    }
    return "";
}

std::uint32_t base_of(const Region& region) {
    return to_word(region.secure);
}

struct Chip::Parts {
    struct Memory {
        const Region* region;
        std::unique_ptr<models::TimedMemory> model;
    };
    std::vector<Memory> memories;
    std::unique_ptr<models::Bus> bus;
    std::vector<std::unique_ptr<TrafficGenerator>> masters;

    explicit Parts(const Clocks& clocks) {
        for (const Region& region : memmap::kRegions) {
            if (is_present(region)) memories.push_back({&region, make_memory(region, clocks)});
        }
        bus = std::make_unique<models::Bus>("bus", static_cast<unsigned>(std::size(kMasters)),
                                            static_cast<unsigned>(memories.size()));
        for (unsigned i = 0; i < memories.size(); ++i) connect(i, clocks);
        for (unsigned i = 0; i < std::size(kMasters); ++i) {
            const std::string name = "master" + std::to_string(i);
            masters.push_back(std::make_unique<TrafficGenerator>(name.c_str()));
            masters.back()->port.bind(bus->from[i]);
        }
    }

    void connect(unsigned target, const Clocks& clocks) {
        const Region& region = *memories[target].region;
        bus->to[target].bind(memories[target].model->port);
        bus->map(target, {region.non_secure, region.fitted_bytes});
        if (region.has_two_aliases()) bus->map(target, {region.secure, region.fitted_bytes});
        const auto route = [&](Master master, const Route& way) {
            bus->set_route(static_cast<unsigned>(master), target, way);
        };
        if (region.mcu == McuPath::Tcm) {
            route(Master::CoreTcm, {});
            return;
        }
        for (const Master master : {Master::CoreCode, Master::CoreData, Master::Host})
            route(master, core_route(region, clocks));
        if (!region.npu) return;
        for (const Master master : {Master::Npu0, Master::Npu1, Master::EpochController})
            route(master, npu_route(region, clocks));
    }
};

Chip::Chip(const Clocks& clocks, Picoseconds quantum) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    parts_ = std::make_unique<Parts>(clocks);
    set_quantum(quantum);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
}

Chip::~Chip() = default;

TrafficGenerator& Chip::master(Master which) {
    return *parts_->masters[static_cast<unsigned>(which)];
}

void Chip::set_quantum(Picoseconds quantum) {
    for (const auto& master : parts_->masters) master->set_quantum(quantum);
}

void Chip::run() {
    constexpr Picoseconds kStep = 1'000'000;
    const auto busy = [](const auto& master) { return master->busy(); };
    while (std::any_of(parts_->masters.begin(), parts_->masters.end(), busy))
        sc_core::sc_start(models::to_sc_time(kStep));
}

const TrafficResult& Chip::run(Master which, const TrafficPlan& plan) {
    master(which).begin(plan);
    run();
    return master(which).result();
}

void Chip::settle() {
    // More than the horizon of any port schedule and the longest NCS low time.
    constexpr Picoseconds kIdle = 100'000'000;
    sc_core::sc_start(models::to_sc_time(kIdle));
    for (const Parts::Memory& memory : parts_->memories) memory.model->reset();
    parts_->bus->reset();
}

std::vector<const Region*> Chip::regions() const {
    std::vector<const Region*> regions;
    for (const Parts::Memory& memory : parts_->memories) regions.push_back(memory.region);
    return regions;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
// The chip's bus: which memory and which registers stand where, and who hears of what.
#include <algorithm>

#include "models/chip/mcu/microcontroller.h"

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipMemory;
using memmap::ChipMemoryKind;

constexpr std::uint32_t kPeripheralsStart = 0x40000000, kPeripheralsEnd = 0x60000000;
/// Controllers of external memory of L4 and F7: FMC, QUADSPI, OCTOSPI.
constexpr std::uint32_t kControllersStart = 0xA0000000, kControllersBytes = 0x2000;

}  // namespace

void Microcontroller::connect_bus() {
    const auto number = [](Master master) { return static_cast<unsigned>(master); };
    core_->instruction_port.bind(bus_->from[number(Master::CoreCode)]);
    core_->m_axi.bind(bus_->from[number(Master::CoreData)]);
    core_->tcm.bind(bus_->from[number(Master::CoreTcm)]);
    host_.bind(bus_->from[number(Master::Host)]);
    for (unsigned i = 0; i < memories_.size(); ++i) {
        const ChipMemory& row = *memories_[i].row;
        bus_->to[i].bind(memories_[i].model->port);
        bus_->map(i, {GuestAddr{row.start}, row.bytes});
        for (const std::uint32_t alias : row.aliases) {
            if (alias != memmap::kNoAlias) bus_->map(i, {GuestAddr{alias}, row.bytes});
        }
        const bool tcm = row.kind == ChipMemoryKind::Itcm || row.kind == ChipMemoryKind::Dtcm;
        Route way;
        way.beat_bytes = row.width_bits / 8u;
        for (const Master from : {Master::CoreCode, Master::CoreData, Master::CoreTcm}) {
            // A core without caches has its RAM on this port, too: see core_of_chip.
            const bool by_tcm_port = from == Master::CoreTcm;
            if (tcm == by_tcm_port || (by_tcm_port && row.kind == ChipMemoryKind::Ram))
                bus_->set_route(number(from), i, way);
        }
        bus_->set_route(number(Master::Host), i, way);
    }
    bus_->to[peripheral_target()].bind(peripherals_->port);
    map_peripherals();
    for (const Master from : {Master::CoreData, Master::Host})
        bus_->set_route(number(from), peripheral_target(), {0, 0, 0, 4});
}

/// Offsets of the peripheral bus are addresses; memories among the peripherals are cut out.
void Microcontroller::map_peripherals() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> holes;
    for (const ChipMemory& row : chip_.memories) {
        const auto add = [&](std::uint32_t start) {
            if (start >= kPeripheralsStart && start < kPeripheralsEnd)
                holes.emplace_back(start, start + row.bytes);
        };
        add(row.start);
        for (const std::uint32_t alias : row.aliases) add(alias);
    }
    std::ranges::sort(holes);
    holes.emplace_back(kPeripheralsEnd, kPeripheralsEnd);
    std::uint32_t start = kPeripheralsStart;
    for (const auto& [hole, end] : holes) {
        bus_->map(peripheral_target(), {GuestAddr{start}, hole - start}, start);
        start = end;
    }
    const auto controller = [](const memmap::ChipPeripheral& row) {
        return row.base - kControllersStart < kControllersBytes;
    };
    if (std::ranges::any_of(chip_.peripherals, controller))
        bus_->map(peripheral_target(), {GuestAddr{kControllersStart}, kControllersBytes},
                  kControllersStart);
}

void Microcontroller::connect_events() {
    const auto fault = [this](const AccessFault& what) { access_fault(what); };
    bus_->on_fault = fault;
    peripherals_->on_fault = fault;
    core_->core().set_fault_hook([this](const core::CoreFault& what) { core_fault(what); });
    core_->on_reset_request = [this] { request_reset(); };
}

void Microcontroller::request_reset() {
    if (on_reset_request) {
        on_reset_request();
    } else {
        reset(core::Reset::Warm);
    }
}

void Microcontroller::drive(unsigned line, Source source, bool level) {
    std::set<Source>& sources = driven_[line];
    const bool before = !sources.empty();
    if (level) {
        sources.insert(source);
    } else {
        sources.erase(source);
    }
    if (before != !sources.empty()) core_->set_interrupt(line, !before);
}

}  // namespace n6vp::models::mcu_chip

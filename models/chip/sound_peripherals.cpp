// SPDX-License-Identifier: Apache-2.0
#include "models/chip/sound_peripherals.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "models/chip/lower_case.h"

namespace n6vp::models {

namespace {

/// The first of consecutive requests of GPDMA1 and HPDMA1. Source: HAL.
struct FirstRequest {
    std::string_view unit;
    unsigned number;
};
constexpr FirstRequest kFirstRequests[] = {
    {"SAI1", 91}, {"SAI2", 93}, {"ADF1", 131}, {"MDF1", 132}};

[[nodiscard]] unsigned first_request(std::string_view unit) {
    return std::find_if(std::begin(kFirstRequests), std::end(kFirstRequests),
                        [unit](const FirstRequest& each) { return each.unit == unit; })
        ->number;
}

}  // namespace

void SoundPeripherals::make(const memmap::Peripheral& row, const ChipParameters& parameters) {
    const std::string_view type = row.type, name = row.name;
    const std::string module = lower_case(name);
    if (type == "MDF") {
        const Mdf::Kind kind = name == "ADF1" ? Mdf::Kind::Audio : Mdf::Kind::MultiFunction;
        mdfs_.emplace_back(&row, std::make_unique<Mdf>(module.c_str(), row.name, kind, microphone,
                                                       parameters.mdf));
    } else if (type == "SAI") {
        sais_.emplace_back(
            &row, std::make_unique<Sai>(module.c_str(), row.name, microphone, parameters.sai));
        sais_.back().second->on_frame = [this, unit = row.name](unsigned block,
                                                                const AudioFrame& frame) {
            if (on_frame) on_frame(unit, block, frame);
        };
    }
}

void SoundPeripherals::for_each(const std::function<void(RegisterBlock&, const char*)>& add) {
    for (const auto& [row, unit] : mdfs_) add(*unit, row->name);
    for (const auto& [row, unit] : sais_) add(*unit, row->name);
}

void SoundPeripherals::connect_interrupts(const InterruptLines& drive) {
    for (const auto& [row, unit] : mdfs_) {
        std::vector<std::function<void(bool)>> lines;
        for (unsigned i = 0; i < unit->filters(); ++i)
            lines.push_back(drive(row->interrupts[0].first + i));
        unit->on_interrupt = numbered_lines(std::move(lines));
    }
    for (const auto& [row, unit] : sais_) {
        unit->on_interrupt = numbered_lines(std::vector<std::function<void(bool)>>{
            drive(row->interrupts[0].first), drive(row->interrupts[1].first)});
    }
}

void SoundPeripherals::connect_requests(const RequestLines& request) {
    const auto lines = [&request](std::string_view unit, unsigned count) {
        std::vector<std::function<void(bool, Picoseconds)>> made;
        for (unsigned i = 0; i < count; ++i) made.push_back(request(first_request(unit) + i));
        return numbered_lines(std::move(made));
    };
    for (const auto& [row, unit] : mdfs_) unit->on_request = lines(row->name, unit->filters());
    for (const auto& [row, unit] : sais_) unit->on_request = lines(row->name, Sai::kBlocks);
}

void SoundPeripherals::update_clocks(const Rcc& rcc, Picoseconds at) {
    for (const auto& [row, unit] : mdfs_) unit->set_kernel_hz(rcc.kernel_hz(row->name), at);
    for (const auto& [row, unit] : sais_) unit->set_kernel_hz(rcc.kernel_hz(row->name), at);
}

}  // namespace n6vp::models

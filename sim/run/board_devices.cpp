// SPDX-License-Identifier: Apache-2.0
#include "sim/run/board_devices.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/soc/audio/wm8904.h"
#include "models/soc/serial/i2c_echo.h"

namespace n6vp::sim {

namespace {

using Follow = std::function<void(std::uint16_t levels, models::Picoseconds at)>;

/// Calls `follow` with each change of a port's output levels, and of which pins are outputs.
void follow_outputs(models::Gpio& port, Follow follow) {
    const auto shared = std::make_shared<Follow>(std::move(follow));
    for (Follow* const event : {&port.on_output, &port.on_output_pins}) {
        *event = [shared, others = std::move(*event)](std::uint16_t levels,
                                                      models::Picoseconds at) {
            if (others) others(levels, at);
            (*shared)(levels, at);
        };
    }
}

}  // namespace

BoardDevices::BoardDevices(const sc_core::sc_module_name& name, const BoardSetup& setup,
                           models::IoPeripherals& io, models::CameraLink& camera)
    : sc_module(name), io_(io), camera_(camera) {
    for (const BoardSetup::I2cDevice& device : setup.i2c) attach(device);
    for (const BoardSetup::SpiDevice& device : setup.spi) attach(device);
    add_codec();
    watched_.reserve(setup.pins.size());
    for (const BoardSetup::Pin& pin : setup.pins) {
        models::Gpio* const port = io.gpio(pin.port);
        if (port == nullptr) throw std::logic_error("no such port of the chip: " + pin.port);
        for (const auto& [at, level] : pin.levels) edges_.push_back({at, port, pin.number, level});
        if (pin.watch) watch(pin);
        if (!pin.wired_port.empty()) wire(pin);
    }
    std::stable_sort(edges_.begin(), edges_.end(),
                     [](const Edge& a, const Edge& b) { return a.at < b.at; });
    SC_HAS_PROCESS(BoardDevices);
    if (!edges_.empty()) SC_METHOD(drive);
}

void BoardDevices::attach(const BoardSetup::I2cDevice& device) {
    models::I2c* const bus = io_.i2c(device.bus);
    if (bus == nullptr) throw std::logic_error("no such bus of the chip: " + device.bus);
    if (device.sensor) return bus->attach(sensor(device));
    if (device.echo) {
        const models::I2cRegisterDevice::Layout& layout = device.layout;
        return bus->attach(
            std::make_unique<models::I2cEcho>(layout.address, layout.ten_bits, device.answer));
    }
    auto model = std::make_unique<models::I2cRegisterDevice>(device.layout);
    for (const auto& [number, value] : device.values) model->set(number, value);
    bus->attach(std::move(model));
}

std::unique_ptr<models::I2cDevice> BoardDevices::sensor(const BoardSetup::I2cDevice& device) {
    auto model = std::make_unique<models::ImageSensor>(*device.sensor, device.values);
    model->on_streaming = [this](bool streams, const models::SensorOutput& output) {
        camera_.set_streaming(streams, output);
    };
    follow_reset_pin(device.bus, *model);
    return model;
}

void BoardDevices::follow_reset_pin(std::string_view bus, models::ImageSensor& sensor) {
    // NRST of the camera connector: discovery kit, and Nucleo board (public camera middleware).
    const bool nucleo = bus == "I2C2";
    constexpr unsigned kKitPin = 8, kNucleoPin = 5;
    models::Gpio* const port = io_.gpio(nucleo ? "GPIOO" : "GPIOC");
    if (port == nullptr) return;
    port->on_output = [&sensor, pin = nucleo ? kNucleoPin : kKitPin, before = false,
                       others = std::move(port->on_output)](std::uint16_t levels,
                                                            models::Picoseconds at) mutable {
        if (others) others(levels, at);
        const bool level = (levels >> pin & 1) != 0;
        if (std::exchange(before, level) && !level) sensor.restart();
    };
}

void BoardDevices::attach(const BoardSetup::SpiDevice& device) {
    models::Spi* const bus = io_.spi(device.bus);
    if (bus == nullptr) throw std::logic_error("no such bus of the chip: " + device.bus);
    std::unique_ptr<models::SpiDevice> model;
    if (device.loopback) {
        model = std::make_unique<models::SpiLoopback>();
    } else {
        auto registers = std::make_unique<models::SpiRegisterDevice>(device.layout);
        for (const auto& [number, value] : device.values) registers->set(number, value);
        model = std::move(registers);
    }
    using enum models::Spi::ChipSelect;
    const bool by_pin = !device.select_port.empty();
    const std::size_t index = bus->attach(std::move(model), by_pin ? OfPin : OfController);
    if (!by_pin) return;
    models::Gpio& port = *io_.gpio(device.select_port);
    // A pin that is no output selects nothing: its level is the pull's of the board.
    follow_outputs(port, [&port, bus, index, pin = device.select_pin, selected = false](
                             std::uint16_t levels, models::Picoseconds at) mutable {
        const unsigned lows = ~unsigned{levels} & port.output_pins();
        const bool low = (lows >> pin & 1) != 0;
        if (std::exchange(selected, low) != low) bus->select(index, low, at);
    });
}

void BoardDevices::add_codec() {
    models::I2c& bus = *io_.i2c("I2C2");
    if (bus.device(models::Wm8904::kAddress) == nullptr)
        bus.attach(std::make_unique<models::Wm8904>());
}

void BoardDevices::watch(const BoardSetup::Pin& pin) {
    models::Gpio& port = *io_.gpio(pin.port);
    port.watch(pin.number);
    const std::size_t index = watched_.size();
    Watched& added = watched_.emplace_back();
    added.name = "P" + pin.port.substr(4) + std::to_string(pin.number);
    added.label = pin.label;
    added.lit_low = pin.lit_low;
    added.port = &port;
    added.number = pin.number;
    port.on_output = [this, index, number = pin.number, before = false,
                      others = std::move(port.on_output)](std::uint16_t levels,
                                                          models::Picoseconds at) mutable {
        if (others) others(levels, at);
        const bool level = (levels >> number & 1) != 0;
        if (level == std::exchange(before, level)) return;
        note(index, level, at);
    };
}

void BoardDevices::wire(const BoardSetup::Pin& pin) {
    models::Gpio& from = *io_.gpio(pin.port);
    models::Gpio* const to = io_.gpio(pin.wired_port);
    if (to == nullptr) throw std::logic_error("no such port of the chip: " + pin.wired_port);
    from.watch(pin.number);
    const Follow follow = [&from, to, number = pin.number, other = pin.wired_number,
                           before = std::optional<bool>()](std::uint16_t levels,
                                                           models::Picoseconds at) mutable {
        std::optional<bool> level;
        if ((from.output_pins() >> number & 1) != 0) level = (levels >> number & 1) != 0;
        if (level == std::exchange(before, level)) return;
        if (level) {
            to->drive(other, *level, at);
        } else {
            to->release(other, at);
        }
    };
    follow_outputs(from, follow);
}

void BoardDevices::note(std::size_t index, bool level, models::Picoseconds at) {
    Watched& pin = watched_[index];
    ++pin.changes;
    pin.level = level;
    if (pin.kept.size() < kMaxKept) pin.kept.emplace_back(at, level);
    if (level) {
        if (pin.rising++ == 0) pin.first_rise = at;
        pin.last_rise = at;
    }
    if (on_change) on_change(index, level, at);
}

void BoardDevices::drive() {
    const models::Picoseconds now = sc_core::sc_time_stamp().value();
    for (; next_ < edges_.size() && edges_[next_].at <= now; ++next_) {
        const Edge& edge = edges_[next_];
        edge.port->drive(edge.pin, edge.level, now);
    }
    if (next_ < edges_.size()) next_trigger(models::delay_until(edges_[next_].at));
}

}  // namespace n6vp::sim

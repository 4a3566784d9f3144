// SPDX-License-Identifier: Apache-2.0
#include "models/chip/low_power_timer_pins.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "memmap/low_power_timer_pins.h"

namespace n6vp::models {

void LowPowerTimerPins::connect(const std::function<LowPowerTimer*(std::string_view name)>& timer,
                                const std::function<Gpio*(std::string_view name)>& port) {
    using Signal = memmap::LowPowerTimerSignal;
    for (const memmap::LowPowerTimerPin& row : memmap::kLowPowerTimerPins) {
        const std::string timer_name = "LPTIM" + std::to_string(row.timer);
        Link link;
        link.port = port(std::string("GPIO") + row.port);
        link.timer = timer(timer_name);
        if (link.port == nullptr || link.timer == nullptr) continue;
        link.pin = row.pin;
        link.function = row.function;
        link.is_input = row.signal == Signal::In1 || row.signal == Signal::Etr;
        link.input =
            row.signal == Signal::Etr ? LowPowerTimer::Input::Etr : LowPowerTimer::Input::In1;
        link.output = row.signal == Signal::Ch2 ? 1 : 0;
        const bool only_output = row.timer > 3;
        link.name = timer_name + (only_output ? "_OUT" : link.output == 0 ? "_CH1" : "_CH2");
        link.pin_name = std::string("P") + row.port + std::to_string(row.pin);
        links_.push_back(std::move(link));
    }
    for (Link& link : links_) {
        link.timer->on_outputs = [this, &unit = *link.timer](const LowPowerTimer::Outputs& outputs,
                                                             Picoseconds at) {
            drive(unit, outputs, at);
        };
    }
}

void LowPowerTimerPins::follow_functions(Gpio& port, bool takes, Picoseconds at) {
    for (Link& link : links_) {
        if (link.port != &port) continue;
        const bool connected = port.function(link.pin) == link.function;
        if (connected != takes || connected == std::exchange(link.connected, connected)) continue;
        if (link.is_input) {
            const bool high = connected && (port.levels() >> link.pin & 1) != 0;
            link.timer->input(link.input, high, at);
        } else {
            if (!connected) port.drive_function(link.pin, std::nullopt, at);
            listen(*link.timer, at);
        }
    }
}

void LowPowerTimerPins::follow_levels(const Gpio& port, std::uint16_t levels, Picoseconds at) {
    for (const Link& link : links_) {
        if (link.port != &port || !link.connected || !link.is_input) continue;
        link.timer->input(link.input, (levels >> link.pin & 1) != 0, at);
    }
}

bool LowPowerTimerPins::is_at(const Gpio& port) const {
    return std::any_of(links_.begin(), links_.end(), [&port](const Link& link) {
        return link.port == &port && link.connected && !link.is_input;
    });
}

/// A timer that begins to be listened to tells its levels at once.
void LowPowerTimerPins::listen(LowPowerTimer& timer, Picoseconds at) {
    std::uint32_t listened = 0;
    for (const Link& link : links_) {
        if (link.timer != &timer || link.is_input || !link.connected) continue;
        if (link.port->watched(link.pin)) listened |= 1u << link.output;
    }
    timer.listen_to_outputs(static_cast<std::uint8_t>(listened), at);
}

void LowPowerTimerPins::drive(const LowPowerTimer& timer, const LowPowerTimer::Outputs& outputs,
                              Picoseconds at) {
    for (const Link& link : links_) {
        if (link.timer != &timer || link.is_input || !link.connected) continue;
        if (!link.port->watched(link.pin)) continue;
        std::optional<bool> level;
        if ((outputs.driven >> link.output & 1) != 0)
            level = (outputs.high >> link.output & 1) != 0;
        link.port->drive_function(link.pin, level, at);
    }
}

Gpio::Driven LowPowerTimerPins::look(const Gpio& port, Picoseconds at) {
    std::uint32_t pins = 0, high = 0;
    for (const Link& link : links_) {
        if (link.port != &port || link.is_input || !link.connected) continue;
        const LowPowerTimer::Outputs outputs = link.timer->outputs(at);
        if ((outputs.driven >> link.output & 1) == 0) continue;
        pins |= 1u << link.pin;
        high |= (outputs.high >> link.output & 1u) << link.pin;
    }
    return {static_cast<std::uint16_t>(pins), static_cast<std::uint16_t>(high)};
}

void LowPowerTimerPins::add_outputs(std::vector<TimerPins::Output>& list, Picoseconds at) {
    for (const Link& link : links_) {
        if (link.is_input || !link.connected) continue;
        static_cast<void>(link.timer->outputs(at));
        const std::optional<LowPowerTimer::Wave> wave = link.timer->wave(link.output);
        if (wave) list.push_back({link.name, link.pin_name, {wave->hz, wave->high_share}});
    }
}

}  // namespace n6vp::models

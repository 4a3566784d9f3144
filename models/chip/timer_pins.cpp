// SPDX-License-Identifier: Apache-2.0
#include "models/chip/timer_pins.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "memmap/timer_pins.h"

namespace n6vp::models {

void TimerPins::connect(const std::function<Timer*(std::string_view name)>& timer,
                        const std::function<Gpio*(std::string_view name)>& port) {
    for (const memmap::TimerPin& row : memmap::kTimerPins) {
        const std::string name = "TIM" + std::to_string(row.timer);
        add(port(std::string("GPIO") + row.port), row.pin, row.function, timer(name),
            2 * (row.channel - 1u) + (row.complementary ? 1 : 0),
            name + "_CH" + std::to_string(row.channel) + (row.complementary ? "N" : ""));
    }
    for (const memmap::TimerTriggerPin& row : memmap::kTimerTriggerPins) {
        const std::string name = "TIM" + std::to_string(row.timer);
        add(port(std::string("GPIO") + row.port), row.pin, row.function, timer(name),
            kExternalTrigger, name + "_ETR");
    }
    for (Link& link : links_) {
        link.timer->on_outputs = [this, &timer = *link.timer](const Timer::Outputs& outputs,
                                                              Picoseconds at) {
            drive(timer, outputs, at);
        };
    }
}

void TimerPins::add(Gpio* port, unsigned pin, unsigned function, Timer* timer, unsigned output,
                    const std::string& name) {
    if (port == nullptr || timer == nullptr) return;
    Link link;
    link.port = port;
    link.pin = pin;
    link.function = function;
    link.timer = timer;
    link.output = output;
    link.name = name;
    link.pin_name = std::string("P") + port->name()[4] + std::to_string(pin);
    links_.push_back(std::move(link));
}

/// Complementary outputs are no inputs.
void TimerPins::feed(const Link& link, bool high, Picoseconds at) {
    if (link.output == kExternalTrigger) {
        link.timer->external_trigger(high, at);
    } else if (link.output % 2 == 0) {
        link.timer->input(link.output / 2, high, at);
    }
}

void TimerPins::follow_functions(Gpio& port, bool takes, Picoseconds at) {
    for (Link& link : links_) {
        if (link.port != &port) continue;
        const bool connected = port.function(link.pin) == link.function;
        if (connected != takes || connected == std::exchange(link.connected, connected)) continue;
        if (!connected) link.port->drive_function(link.pin, std::nullopt, at);
        const bool high = connected && (port.levels() >> link.pin & 1) != 0;
        feed(link, high, at);
        listen(*link.timer, at);
    }
}

bool TimerPins::is_at(const Gpio& port) const {
    return std::any_of(links_.begin(), links_.end(), [&port](const Link& link) {
        return link.port == &port && link.connected && link.output != kExternalTrigger;
    });
}

/// A timer that begins to be listened to tells its levels at once.
void TimerPins::listen(const Timer& timer, Picoseconds at) {
    std::uint32_t listened = 0;
    Timer* found = nullptr;
    for (const Link& link : links_) {
        if (link.timer != &timer) continue;
        found = link.timer;
        if (link.output != kExternalTrigger && link.connected && link.port->watched(link.pin))
            listened |= 1u << link.output;
    }
    if (found != nullptr) found->listen_to_outputs(static_cast<std::uint8_t>(listened), at);
}

void TimerPins::drive(const Timer& timer, const Timer::Outputs& outputs, Picoseconds at) {
    for (const Link& link : links_) {
        if (link.timer != &timer || !link.connected || link.output == kExternalTrigger ||
            !link.port->watched(link.pin))
            continue;
        std::optional<bool> level;
        if ((outputs.driven >> link.output & 1) != 0)
            level = (outputs.high >> link.output & 1) != 0;
        link.port->drive_function(link.pin, level, at);
    }
}

void TimerPins::follow_levels(const Gpio& port, std::uint16_t levels, Picoseconds at) {
    for (const Link& link : links_) {
        if (link.port == &port && link.connected) feed(link, (levels >> link.pin & 1) != 0, at);
    }
}

Gpio::Driven TimerPins::look(const Gpio& port, Picoseconds at) {
    std::uint32_t pins = 0, high = 0;
    for (const Link& link : links_) {
        if (link.port != &port || !link.connected) continue;
        const Timer::Outputs outputs = link.timer->outputs(at);
        if ((outputs.driven >> link.output & 1) == 0) continue;
        pins |= 1u << link.pin;
        high |= (outputs.high >> link.output & 1u) << link.pin;
    }
    return {static_cast<std::uint16_t>(pins), static_cast<std::uint16_t>(high)};
}

std::vector<TimerPins::Output> TimerPins::outputs(Picoseconds at) {
    std::vector<Output> list;
    for (const Link& link : links_) {
        if (!link.connected) continue;
        static_cast<void>(link.timer->outputs(at));
        const std::optional<Timer::Wave> wave = link.timer->wave(link.output);
        if (wave) list.push_back({link.name, link.pin_name, *wave});
    }
    return list;
}

}  // namespace n6vp::models

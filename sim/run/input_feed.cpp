// SPDX-License-Identifier: Apache-2.0
#include "sim/run/input_feed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim {

InputFeed::InputFeed(const sc_core::sc_module_name& name, const std::vector<BoardInput>& inputs,
                     const ConsoleGroup::Chip& chip, DrivePin drive)
    : sc_module(name), drive_(std::move(drive)) {
    for (const BoardInput& input : inputs) {
        if (!input.port.empty() && !drive_) {
            throw UserError(fmt::format("{}: a pin and the {}", input.origin, chip.title),
                            "pins of [[input]] are for the STM32N6");
        }
        const std::size_t port = input.port.empty() ? port_of(input, chip) : 0;
        entries_.push_back({&input, port, input.at, 0});
    }
    SC_HAS_PROCESS(InputFeed);
    if (!entries_.empty()) SC_METHOD(step);
}

std::size_t InputFeed::port_of(const BoardInput& input, const ConsoleGroup::Chip& chip) {
    const std::string name = input.uart.empty() ? chip.main : serial_port_name(input.uart);
    models::Uart* const uart = chip.find(name);
    if (uart == nullptr) {
        const std::string_view near = nearest(name, chip.ports);
        throw UserError(fmt::format("{}: the {} has no serial port '{}'", input.origin, chip.title,
                                    traces::terminal_text(input.uart)),
                        near.empty() ? fmt::format("give one of {}", fmt::join(chip.ports, ", "))
                                     : fmt::format("did you mean {}?", near));
    }
    const auto found = std::find_if(ports_.begin(), ports_.end(),
                                    [uart](const Port& each) { return each.uart == uart; });
    if (found != ports_.end()) return static_cast<std::size_t>(found - ports_.begin());
    ports_.push_back({name, uart, 0});
    return ports_.size() - 1;
}

void InputFeed::send(const Entry& entry, models::Picoseconds now) {
    const BoardInput& input = *entry.input;
    if (!input.port.empty()) return drive_(input.port, input.pin, input.level, now);
    Port& port = ports_[entry.port];
    port.characters += input.bytes.size();
    for (const std::uint8_t byte : input.bytes) port.uart->receive(byte);
}

void InputFeed::step() {
    const models::Picoseconds now = sc_core::sc_time_stamp().value();
    models::Picoseconds next = models::kNever;
    for (Entry& entry : entries_) {
        if (entry.next <= now) {
            send(entry, now);
            ++entry.done;
            const bool over = entry.input->count != 0 && entry.done == entry.input->count;
            entry.next = over ? models::kNever : entry.next + entry.input->every;
        }
        next = std::min(next, entry.next);
    }
    if (next != models::kNever) next_trigger(models::delay_until(next));
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/input_feed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim {

InputFeed::InputFeed(const sc_core::sc_module_name& name, const std::vector<BoardInput>& inputs,
                     const ConsoleGroup::Chip& chip, Board board)
    : sc_module(name), board_(std::move(board)) {
    for (const BoardInput& input : inputs)
        entries_.push_back({&input, place_of(input, chip), input.at, 0});
    SC_HAS_PROCESS(InputFeed);
    if (!entries_.empty()) SC_METHOD(step);
}

std::size_t InputFeed::place_of(const BoardInput& input, const ConsoleGroup::Chip& chip) {
    if (!input.port.empty() && !board_.drive) {
        throw UserError(fmt::format("{}: a pin and the {}", input.origin, chip.title),
                        "pins of [[input]] are for the STM32N6");
    }
    if (!input.i2c.empty() && !board_.i2c) {
        throw UserError(fmt::format("{}: an I2C bus and the {}", input.origin, chip.title),
                        "buses of [[input]] are for the STM32N6");
    }
    if (!input.i2c.empty()) return target_of(input);
    return input.port.empty() ? port_of(input, chip) : 0;
}

std::size_t InputFeed::target_of(const BoardInput& input) {
    const Target* const known = target_at(input.i2c, input.address, input.ten_bits);
    if (known != nullptr) return static_cast<std::size_t>(known - targets_.data());
    const bool followed =
        std::any_of(targets_.begin(), targets_.end(),
                    [&input](const Target& each) { return each.bus == input.i2c; });
    models::I2c* const bus = board_.i2c(input.i2c);
    if (bus == nullptr) throw std::logic_error("no such bus of the chip: " + input.i2c);
    if (!followed) follow(input.i2c, *bus);
    Target& added = targets_.emplace_back();
    added.bus = input.i2c;
    added.address = input.address;
    added.ten_bits = input.ten_bits;
    return targets_.size() - 1;
}

InputFeed::Target* InputFeed::target_at(const std::string& bus, std::uint16_t address,
                                        bool ten_bits) {
    const auto found = std::find_if(targets_.begin(), targets_.end(), [&](const Target& each) {
        return each.bus == bus && each.address == address && each.ten_bits == ten_bits;
    });
    return found == targets_.end() ? nullptr : &*found;
}

void InputFeed::follow(const std::string& name, models::I2c& bus) {
    bus.on_transfer = [this, name](const models::I2cForeignTransfer& done,
                                   const models::I2cForeignResult& result, models::Picoseconds) {
        Target& target = *target_at(name, done.address, done.ten_bits);
        ++target.done;
        target.acknowledged += result.acknowledged ? 1 : 0;
        target.written += result.taken;
        target.read += result.read.size();
        if (done.reads != 0) target.last = result.read;
    };
}

void InputFeed::transfer(const Entry& entry, models::Picoseconds now) {
    const BoardInput& input = *entry.input;
    ++targets_[entry.place].asked;
    models::I2cForeignTransfer wanted;
    wanted.address = input.address;
    wanted.ten_bits = input.ten_bits;
    wanted.written = input.bytes;
    wanted.reads = input.reads;
    board_.i2c(input.i2c)->transfer(std::move(wanted), now);
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
    if (!input.port.empty()) return board_.drive(input.port, input.pin, input.level, now);
    if (!input.i2c.empty()) return transfer(entry, now);
    Port& port = ports_[entry.place];
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

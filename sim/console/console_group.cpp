// SPDX-License-Identifier: Apache-2.0
#include "sim/console/console_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

[[noreturn]] void refuse_port(const PortPlace& place, const ConsoleGroup::Chip& chip) {
    const std::string_view near = nearest(serial_port_name(place.port), chip.ports);
    throw UserError(fmt::format("{}: the {} has no serial port '{}'", place.origin, chip.title,
                                traces::terminal_text(place.port)),
                    near.empty() ? fmt::format("give one of {}", fmt::join(chip.ports, ", "))
                                 : fmt::format("did you mean {}?", near));
}

}  // namespace

std::string serial_port_name(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    });
    return result;
}

PortPlace port_place(std::string_view text, std::string origin) {
    const std::size_t equals = text.find('='), colon = text.find(':');
    const bool named = equals != std::string_view::npos && equals < colon;
    std::string port(named ? text.substr(0, equals) : "");
    std::transform(port.begin(), port.end(), port.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    return {std::move(port), std::string(named ? text.substr(equals + 1) : text),
            std::move(origin)};
}

PortPlace main_place(std::vector<PortPlace>& places, const PortPlace& standard) {
    const auto found =
        std::find_if(places.begin(), places.end(), [&standard](const PortPlace& each) {
            return serial_port_name(each.port) == serial_port_name(standard.port);
        });
    if (found == places.end()) return standard;
    if (standard.origin != "default") {
        throw UserError(fmt::format("{}: {} has a place already ({})", found->origin,
                                    serial_port_name(standard.port), standard.origin),
                        "connect each serial port once");
    }
    PortPlace result = *found;
    places.erase(found);
    return result;
}

void ConsoleGroup::open(const std::vector<PortPlace>& places, const Chip& chip, std::ostream& err) {
    for (const PortPlace& place : places) {
        const std::string name = serial_port_name(place.port);
        models::Uart* const port = chip.find(name);
        if (port == nullptr) refuse_port(place, chip);
        const bool twice = std::any_of(entries_.begin(), entries_.end(),
                                       [port](const Entry& each) { return each.port == port; });
        if (twice || name == chip.main) {
            throw UserError(
                fmt::format("{}: {} has a place already", place.origin, name),
                "connect each serial port once; a place without a port is that of " + chip.main);
        }
        std::unique_ptr<ConsoleBackend> backend;
        try {
            backend = open_console(place.place);
        } catch (const UserError& error) {
            throw UserError(fmt::format("{}: {}", place.origin, error.what()), error.remedy(),
                            error.exit_code());
        }
        log(LogComponent::Console, LogLevel::Info, "{} is connected to {}", name, backend->place());
        entries_.push_back({port, std::make_unique<Console>(("console_" + place.port).c_str(),
                                                            *port, std::move(backend))});
        entries_.back().console->announce(err, name);
    }
}

void ConsoleGroup::set_on_failure(const std::function<void()>& on_failure) {
    for (const Entry& each : entries_) each.console->on_failure = on_failure;
}

void ConsoleGroup::finish() {
    std::exception_ptr failure;
    for (const Entry& each : entries_) {
        try {
            each.console->finish();
        } catch (const UserError&) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

bool ConsoleGroup::gone() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& each) { return each.console->gone(); });
}

bool ConsoleGroup::repeatable() const {
    return std::all_of(entries_.begin(), entries_.end(),
                       [](const Entry& each) { return each.console->repeatable(); });
}

models::Picoseconds ConsoleGroup::frame_ps() const {
    models::Picoseconds longest = 0;
    for (const Entry& each : entries_) longest = std::max(longest, each.port->frame_ps());
    return longest;
}

}  // namespace n6vp::sim

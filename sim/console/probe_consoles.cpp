// SPDX-License-Identifier: Apache-2.0
#include "sim/console/probe_consoles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/host/numbers.h"

namespace n6vp::sim {

namespace {

constexpr unsigned kItmPorts = 32;
/// Programs have a few; the control block says how many.
constexpr unsigned kRttChannels = 256;

/// Returns the number behind `word`, 0 if there is none; none if the name is another.
[[nodiscard]] std::optional<unsigned> channel_of(std::string_view name, std::string_view word,
                                                 unsigned count) {
    if (!name.starts_with(word)) return std::nullopt;
    name.remove_prefix(word.size());
    if (name.empty()) return 0;
    const auto number = parse_digits<unsigned>(name);
    return number && *number < count ? number : std::nullopt;
}

}  // namespace

void ProbeConsoles::open(std::vector<PortPlace>& places, std::ostream& err) {
    for (const PortPlace& place : places) {
        const auto itm = channel_of(place.port, "itm", kItmPorts);
        const auto rtt = channel_of(place.port, "rtt", kRttChannels);
        if (!itm && !rtt) continue;
        Entry entry{place.port, itm.has_value(), itm ? *itm : *rtt, nullptr, false};
        for (const Entry& each : entries_) {
            if (each.itm == entry.itm && each.channel == entry.channel) {
                throw UserError(fmt::format("{}: {} has a place already", place.origin, place.port),
                                "connect each channel of the debug probe once");
            }
        }
        try {
            entry.place = open_console(place.place);
        } catch (const UserError& error) {
            throw UserError(fmt::format("{}: {}", place.origin, error.what()), error.remedy(),
                            error.exit_code());
        }
        log(LogComponent::Console, LogLevel::Info, "{} is connected to {}", entry.name,
            entry.place->place());
        if (entry.place->for_clients())
            err << "debug probe " << entry.name << ": " << entry.place->place() << std::endl;
        entries_.push_back(std::move(entry));
    }
    std::erase_if(places, [](const PortPlace& place) {
        return channel_of(place.port, "itm", kItmPorts) ||
               channel_of(place.port, "rtt", kRttChannels);
    });
}

std::uint32_t ProbeConsoles::itm_ports() const {
    std::uint32_t ports = 0;
    for (const Entry& each : entries_) {
        if (each.itm) ports |= 1u << each.channel;
    }
    return ports;
}

bool ProbeConsoles::wants_rtt() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& each) { return !each.itm; });
}

void ProbeConsoles::guarded(Entry& entry, const std::function<void()>& work) {
    if (entry.failed) return;
    try {
        work();
    } catch (const UserError& error) {
        log(LogComponent::Console, LogLevel::Info, "debug probe: {}", error.what());
        entry.failed = true;
        if (!failure_) failure_ = std::current_exception();
        if (on_failure) on_failure();
    }
}

void ProbeConsoles::put(Entry& entry, std::string_view text) {
    if (text.empty()) return;
    if (on_text) on_text(text);
    guarded(entry, [&] {
        entry.place->put({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    });
}

void ProbeConsoles::stimulus(unsigned port, std::uint32_t value, unsigned bytes) {
    // A write of 4 or 2 bytes sends as many, the lowest first.
    std::array<char, 4> text{};
    const std::size_t count = std::min<std::size_t>(bytes, text.size());
    for (std::size_t i = 0; i < count; ++i) text[i] = static_cast<char>(value >> 8 * i);
    for (Entry& each : entries_) {
        if (each.itm && each.channel == port) put(each, std::string_view(text.data(), count));
    }
}

void ProbeConsoles::read_rtt(RttReader reader, models::Picoseconds interval) {
    rtt_.emplace(std::move(reader));
    interval_ = interval;
}

void ProbeConsoles::take_rtt() {
    if (!rtt_) return;
    rtt_->look();
    if (!rtt_->found()) return;
    for (Entry& each : entries_) {
        if (!each.itm) put(each, rtt_->take(each.channel));
    }
}

void ProbeConsoles::look(models::Picoseconds now) {
    if (now < next_) return;
    // Intervals count from the beginning of the run, wherever the looks are.
    if (interval_ != 0) next_ = (now / interval_ + 1) * interval_;
    take_rtt();
    for (Entry& each : entries_) {
        if (!each.place->for_clients()) continue;
        guarded(each, [&each] {
            each.place->flush();
            std::array<std::uint8_t, 64> dropped{};
            static_cast<void>(each.place->take(dropped));
        });
    }
}

void ProbeConsoles::finish() {
    take_rtt();
    for (Entry& each : entries_) guarded(each, [&each] { each.place->finish(); });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

bool ProbeConsoles::gone() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& each) { return each.place->gone(); });
}

}  // namespace n6vp::sim

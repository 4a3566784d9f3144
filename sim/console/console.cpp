// SPDX-License-Identifier: Apache-2.0
#include "sim/console/console.h"

#include <array>
#include <ostream>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/log.h"

namespace n6vp::sim {

Console::Console(const sc_core::sc_module_name& name, models::Uart& uart,
                 std::unique_ptr<ConsoleBackend> place)
    : sc_module(name), uart_(uart), place_(std::move(place)) {
    uart_.on_character = [this](std::uint8_t character, models::Picoseconds) {
        if (on_character) on_character(static_cast<char>(character));
        guarded([&] { place_->put({&character, 1}); });
    };
    SC_HAS_PROCESS(Console);
    if (place_->has_input()) SC_METHOD(poll);
}

void Console::announce(std::ostream& err, std::string_view port) const {
    if (!place_->for_clients()) return;
    err << "serial port" << (port.empty() ? "" : " ") << port << ": " << place_->place()
        << std::endl;
}

Console::~Console() {
    uart_.on_character = nullptr;
}

// The kernel would turn what a process throws into a report of its own, without the remedy.
void Console::guarded(const std::function<void()>& work) {
    if (failure_) return;
    try {
        work();
    } catch (const UserError& error) {
        log(LogComponent::Console, LogLevel::Info, "{}: {}", place_->place(), error.what());
        failure_ = std::current_exception();
        if (on_failure) on_failure();
    }
}

void Console::poll() {
    next_trigger(models::to_sc_time(kPollPeriod));
    guarded([this] {
        place_->flush();
        if (uart_.on_the_way() >= kMaxAhead) return;
        std::array<std::uint8_t, kMaxAhead> input{};
        const std::size_t count =
            place_->take(std::span(input).first(kMaxAhead - uart_.on_the_way()));
        if (count != 0) log(LogComponent::Console, LogLevel::Debug, "{} bytes of input", count);
        for (std::size_t i = 0; i < count; ++i) uart_.receive(input[i]);
    });
}

void Console::finish() {
    guarded([this] { place_->finish(); });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace n6vp::sim

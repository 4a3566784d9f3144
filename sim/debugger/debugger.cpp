// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/debugger.h"

#include <array>
#include <optional>

#include "sim/host/log.h"
#include "sim/host/signals.h"

namespace n6vp::sim::debugger {

Debugger::Debugger(const DebuggerChoice& choice)
    // GDB has started the tool of a pipe: a short program would end before its first packet.
    : wait_(choice.wait || choice.place == "stdio"), link_(open_link(choice.place)) {}

Server::State Debugger::serve(ControlledMachine& machine, const Halt& halt) {
    log(LogComponent::Debugger, LogLevel::Info, "a client has come");
    constexpr int kLongest = 200;  // ms
    std::array<std::uint8_t, 4096> room{};
    bool gone = false;
    Server* listener = nullptr;
    const auto pump = [&](int milliseconds) {
        const int count = link_->read(room, milliseconds);
        if (count > 0) listener->receive(std::span(room).first(static_cast<std::size_t>(count)));
        gone = gone || count < 0 || interrupted();
        return !gone;
    };
    Server server(machine, {[this](std::string_view bytes) { link_->write(bytes); },
                            [&pump] { return pump(0); }});
    listener = &server;
    server.note_halt(halt);
    machine.attend(true);
    while (server.state() == Server::State::Serving && pump(kLongest)) server.work();
    machine.attend(false);
    log(LogComponent::Debugger, LogLevel::Info, "the client has {}", gone ? "gone" : "left");
    link_->disconnect();
    return server.state();
}

void Debugger::drive(ControlledMachine& machine) {
    // Not before: the first line on standard error names the place.
    log(LogComponent::Debugger, LogLevel::Info, "waits for a client at {}", link_->place());
    const auto client_comes = [this] { return link_->has_client(); };
    Halt halt = wait_ ? machine.start() : machine.run(client_comes);
    while (halt.reason != Halt::Reason::Ended) {
        // A stop without a client is the end of the run, as it is without a debugger.
        const bool stands = halt.reason == Halt::Reason::Step;
        if (!stands && halt.reason != Halt::Reason::Interrupt) return;
        if (!link_->connect()) return machine.end();
        switch (serve(machine, halt)) {
            case Server::State::Ended:
                return;
            case Server::State::Killed:
                return machine.end();
            case Server::State::Detached:
                halt = machine.run(client_comes);
                break;
            case Server::State::Serving:
                // It broke off: the machine waits for the next as it is.
                if (interrupted()) return machine.end();
                halt = Halt{};
                break;
        }
    }
}

}  // namespace n6vp::sim::debugger

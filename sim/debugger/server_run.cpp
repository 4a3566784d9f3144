// SPDX-License-Identifier: Apache-2.0
// Continuing, stepping, stopping, and the end of the service.
#include <fmt/format.h>

#include "sim/debugger/server.h"

namespace n6vp::sim::debugger {

namespace {

/// Passes the two digits of a signal, which the core has no use for, and the ';' before an address.
[[nodiscard]] bool skip_signal(PayloadReader& arguments) {
    return arguments.number() && (arguments.at_end() || arguments.skip(";"));
}

}  // namespace

void Server::report(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    reply_stop();
}

bool Server::wants_stop() {
    const bool gone = client_.pump && !client_.pump();
    return reader_.take_interrupt() || gone;
}

void Server::stopped(const Halt& halt) {
    halt_ = halt;
    threads_.reset();
    chosen_thread_ = 0;
    show(halt_.text);
    reply_stop();
}

bool Server::pass_watched() {
    if (halt_.reason != Halt::Reason::Watchpoint || !points_.any_watchpoint()) return true;
    points_.disarm();
    const Halt halt = machine_.step([this] { return wants_stop(); });
    points_.arm();
    if (halt.reason == Halt::Reason::Step) return true;
    stopped(halt);
    return false;
}

void Server::go_on() {
    if (!pass_watched()) return;
    stopped(machine_.run([this] { return wants_stop(); }));
}

Halt Server::step_once() {
    if (halt_.reason == Halt::Reason::OtherAccess) {
        // The access is done, by another master. Clients for Arm take a watchpoint for one before
        // the access, and step before they look at the value.
        return Halt{};
    }
    if (halt_.reason == Halt::Reason::Watchpoint && points_.any_watchpoint()) {
        points_.disarm();
        Halt halt = machine_.step([this] { return wants_stop(); });
        points_.arm();
        return halt;
    }
    return machine_.step([this] { return wants_stop(); });
}

void Server::step_through(std::uint32_t start, std::uint32_t end) {
    constexpr unsigned kBetweenLooks = 64;
    for (unsigned count = 1;; ++count) {
        halt_ = step_once();
        const std::uint32_t pc = machine_.core().pc();
        if (halt_.reason != Halt::Reason::Step || pc < start || pc >= end) break;
        if (points_.has_breakpoint(PointKind::Software, pc) ||
            points_.has_breakpoint(PointKind::Hardware, pc))
            break;
        if (count % kBetweenLooks == 0 && wants_stop()) {
            halt_.reason = Halt::Reason::Interrupt;
            break;
        }
    }
    stopped(Halt(halt_));
}

bool Server::jump(PayloadReader& arguments) {
    if (arguments.at_end()) return true;
    const auto address = arguments.number();
    if (!address || !arguments.at_end()) {
        reply_error(kMalformed);
        return false;
    }
    machine_.core().set_pc(*address);
    halt_ = Halt{};
    return true;
}

void Server::run(PayloadReader arguments) {
    if (jump(arguments)) go_on();
}

void Server::run_with_signal(PayloadReader arguments) {
    if (!skip_signal(arguments)) return reply_error(kMalformed);
    run(arguments);
}

void Server::step(PayloadReader arguments) {
    if (jump(arguments)) step_through(0, 0);
}

void Server::step_with_signal(PayloadReader arguments) {
    if (!skip_signal(arguments)) return reply_error(kMalformed);
    step(arguments);
}

void Server::list_actions(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    reply("vCont;c;C;s;S;r");
}

void Server::run_threads(PayloadReader arguments) {
    // There is one core: the first action counts, whichever thread it names.
    const std::string_view rest = arguments.rest();
    if (rest.empty()) return reply_error(kMalformed);
    const char action = rest.front();
    static_cast<void>(arguments.skip(rest.substr(0, 1)));
    switch (action) {
        case 'C':
        case 'S':
            if (!arguments.number()) return reply_error(kMalformed);
            break;
        case 'c':
        case 's':
            break;
        case 'r': {
            const auto start = arguments.number();
            if (!start || !arguments.skip(",")) return reply_error(kMalformed);
            const auto end = arguments.number();
            if (!end) return reply_error(kMalformed);
            return step_through(*start, *end);
        }
        default:
            return reply_error(kMalformed);
    }
    if (action == 'c' || action == 'C') return go_on();
    step_through(0, 0);
}

void Server::interrupt(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    reply("OK");
}

void Server::restart(PayloadReader /*arguments*/) {
    // Has no answer: the client asks for the reason of the stop.
    machine_.reset(ResetKind::Cold);
    halt_ = Halt{};
    threads_.reset();
}

void Server::start(PayloadReader /*arguments*/) {
    machine_.reset(ResetKind::Cold);
    stopped(Halt{});
}

void Server::detach(PayloadReader arguments) {
    if (!arguments.at_end() && !arguments.skip(";")) return reply("");
    points_.clear();
    state_ = State::Detached;
    reply("OK");
}

void Server::kill(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    state_ = State::Killed;  // has no answer
}

void Server::kill_process(PayloadReader arguments) {
    if (!arguments.number() || !arguments.at_end()) return reply_error(kMalformed);
    reply("OK");
    if (!extended_) {
        state_ = State::Killed;
        return;
    }
    // The client stays, and may run the program again.
    points_.clear();
    machine_.reset(ResetKind::Cold);
    halt_ = Halt{};
    threads_.reset();
}

void Server::extend(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    extended_ = true;
    reply("OK");
}

}  // namespace n6vp::sim::debugger

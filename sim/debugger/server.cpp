// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/host/log.h"

namespace n6vp::sim::debugger {

namespace {

/// Signals by their numbers in the protocol.
enum Signal : unsigned { kInt = 2, kTrap = 5, kSegmentation = 11 };

[[nodiscard]] unsigned signal_of(Halt::Reason reason) {
    if (reason == Halt::Reason::Interrupt) return kInt;
    return reason == Halt::Reason::Lockup ? kSegmentation : kTrap;
}

}  // namespace

Server::Server(Machine& machine, Client client)
    : machine_(machine),
      client_(std::move(client)),
      registers_(machine.core(), machine.profile()),
      points_(machine) {}

/// Longer names come before those that they begin with.
const std::vector<Server::Command>& Server::commands() {
    static const std::vector<Command> kCommands = {
        {"vFlashErase:", &Server::erase_flash},
        {"vFlashWrite:", &Server::write_flash},
        {"vFlashDone", &Server::finish_flash},
        {"vCont?", &Server::list_actions},
        {"vCont;", &Server::run_threads},
        {"vCtrlC", &Server::interrupt},
        {"vKill;", &Server::kill_process},
        {"vRun;", &Server::start},
        {"qSupported", &Server::say_support},
        {"QStartNoAckMode", &Server::start_no_ack},
        {"qXfer:features:read:", &Server::describe_target},
        {"qXfer:memory-map:read:", &Server::describe_memory},
        {"qfThreadInfo", &Server::list_threads},
        {"qsThreadInfo", &Server::list_no_threads},
        {"qThreadExtraInfo,", &Server::describe_thread},
        {"qAttached", &Server::say_attached},
        {"qSymbol:", &Server::say_ok},
        {"qRcmd,", &Server::monitor},
        {"qCRC:", &Server::compare_memory},
        {"qC", &Server::say_thread},
        {"?", &Server::report},
        {"!", &Server::extend},
        {"g", &Server::read_registers},
        {"G", &Server::write_registers},
        {"p", &Server::read_register},
        {"P", &Server::write_register},
        {"m", &Server::read_memory},
        {"M", &Server::write_memory},
        {"X", &Server::write_binary},
        {"Z", &Server::insert_point},
        {"z", &Server::remove_point},
        {"H", &Server::set_thread},
        {"T", &Server::is_alive},
        {"c", &Server::run},
        {"C", &Server::run_with_signal},
        {"s", &Server::step},
        {"S", &Server::step_with_signal},
        {"R", &Server::restart},
        {"D", &Server::detach},
        {"k", &Server::kill},
    };
    return kCommands;
}

void Server::work() {
    while (state_ == State::Serving) {
        const std::optional<Incoming> item = reader_.take();
        if (!item) return;
        handle(*item);
    }
}

void Server::handle(const Incoming& item) {
    switch (item.kind) {
        case Incoming::Kind::Packet:
            if (acks_) client_.write("+");
            dispatch(item.payload);
            break;
        case Incoming::Kind::Damaged:
            log(LogComponent::Debugger, LogLevel::Warn, "a damaged packet came");
            if (acks_) client_.write("-");
            break;
        case Incoming::Kind::Nak:
            if (!last_frame_.empty()) client_.write(last_frame_);
            break;
        default:
            break;  // a machine that stands still has nothing to interrupt
    }
}

void Server::dispatch(std::string_view payload) {
    log(LogComponent::Debugger, LogLevel::Trace, "client: {}", payload);
    for (const Command& command : commands()) {
        if (!payload.starts_with(command.name)) continue;
        (this->*command.handler)(PayloadReader(payload.substr(command.name.size())));
        return;
    }
    reply("");  // not supported, in the words of the protocol
}

void Server::reply(std::string_view payload) {
    log(LogComponent::Debugger, LogLevel::Trace, "server: {}", payload);
    last_frame_ = frame(payload);
    client_.write(last_frame_);
}

void Server::reply_error(Error number) {
    reply(fmt::format("E{:02x}", static_cast<unsigned>(number)));
}

void Server::show(std::string_view text) {
    // Hexadecimal, behind one letter.
    constexpr std::size_t kPiece = kMaxPayload / 2 - 1;
    for (std::size_t at = 0; at < text.size(); at += kPiece)
        reply("O" + hex_of(text.substr(at, kPiece)));
}

std::string Server::stop_reply() {
    if (halt_.reason == Halt::Reason::Ended) {
        constexpr unsigned kTerminated = 15;
        if (halt_.exit_code) return fmt::format("W{:02x}", *halt_.exit_code & 0xFF);
        return fmt::format("X{:02x}", kTerminated);
    }
    std::string text = fmt::format("T{:02x}", signal_of(halt_.reason));
    for (const unsigned number : {CoreRegisters::kStackPointer, CoreRegisters::kLink,
                                  CoreRegisters::kProgramCounter, CoreRegisters::kStatus}) {
        text += fmt::format("{:02x}:{};", number,
                            hex_of(registers_.read(number), registers_.bytes(number)));
    }
    text += fmt::format("thread:{:x};", threads().front().id);
    const std::uint32_t pc = machine_.core().pc();
    if (halt_.reason == Halt::Reason::Breakpoint) {
        if (software_stops_ && points_.has_breakpoint(PointKind::Software, pc)) {
            text += "swbreak:;";
        } else if (hardware_stops_ && points_.has_breakpoint(PointKind::Hardware, pc)) {
            text += "hwbreak:;";
        }
    }
    if (halt_.reason == Halt::Reason::Watchpoint || halt_.reason == Halt::Reason::OtherAccess) {
        const Points::Hit hit = points_.watchpoint_of(halt_.address, halt_.write);
        const char* const name = hit.kind == PointKind::Write  ? "watch"
                                 : hit.kind == PointKind::Read ? "rwatch"
                                                               : "awatch";
        text += fmt::format("{}:{:x};", name, hit.address);
    }
    return text;
}

void Server::reply_stop() {
    reply(stop_reply());
    if (halt_.reason == Halt::Reason::Ended) state_ = State::Ended;
}

}  // namespace n6vp::sim::debugger

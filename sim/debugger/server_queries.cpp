// SPDX-License-Identifier: Apache-2.0
// What a client asks about the server, the machine and its threads; commands of `monitor`.
#include <fmt/format.h>

#include <algorithm>

#include "sim/debugger/server.h"
#include "traces/escape.h"

namespace n6vp::sim::debugger {

namespace {

/// Answers name no more.
constexpr std::size_t kMostThreads = 512;

/// Returns the first word, and the rest without the blanks before it.
[[nodiscard]] std::pair<std::string, std::string> first_word(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) return {};
    const std::size_t end = line.find_first_of(" \t", begin);
    if (end == std::string::npos) return {line.substr(begin), {}};
    const std::size_t next = line.find_first_not_of(" \t", end);
    return {line.substr(begin, end - begin),
            next == std::string::npos ? std::string() : line.substr(next)};
}

[[nodiscard]] std::string list_of(const std::vector<MonitorCommand>& commands) {
    std::string text =
        "monitor help\n"
        "monitor reset [warm|cold]\n    warm: as by the reset pin, memory stays; cold: as after "
        "power-on, with the files of the run\n";
    for (const MonitorCommand& each : commands) {
        text += fmt::format("monitor {}{}{}\n    {}\n", each.name,
                            each.arguments.empty() ? "" : " ", each.arguments, each.meaning);
    }
    return text;
}

}  // namespace

void Server::say_support(PayloadReader arguments) {
    // ":FEATURE;FEATURE..." of the client.
    std::string_view rest = arguments.skip(":") ? arguments.rest() : std::string_view();
    software_stops_ = hardware_stops_ = false;
    while (!rest.empty()) {
        const std::string_view feature = rest.substr(0, rest.find(';'));
        software_stops_ = software_stops_ || feature == "swbreak+";
        hardware_stops_ = hardware_stops_ || feature == "hwbreak+";
        rest.remove_prefix(std::min(rest.size(), feature.size() + 1));
    }
    reply(
        fmt::format("PacketSize={:x};QStartNoAckMode+;qXfer:features:read+;"
                    "qXfer:memory-map:read+;swbreak+;hwbreak+;vContSupported+",
                    kMaxPayload));
}

void Server::start_no_ack(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    reply("OK");
    acks_ = false;
    reader_.ignore_checksums();
}

void Server::send_part(const std::string& document, PayloadReader arguments) {
    const auto range = range_of(arguments);
    if (!range || !arguments.at_end()) return reply_error(kMalformed);
    if (range->address >= document.size()) return reply("l");
    const std::size_t count =
        std::min<std::size_t>({range->bytes, kMaxPayload - 1, document.size() - range->address});
    const bool last = range->address + count == document.size();
    reply((last ? "l" : "m") + document.substr(range->address, count));
}

void Server::describe_target(PayloadReader arguments) {
    if (!arguments.skip("target.xml:")) return reply_error(kNoAnnex);
    send_part(registers_.description(), arguments);
}

void Server::describe_memory(PayloadReader arguments) {
    if (!arguments.skip(":")) return reply_error(kNoAnnex);
    std::string xml =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map "
        "V1.0//EN\" \"http://sourceware.org/gdb/gdb-memory-map.dtd\">\n<memory-map>\n";
    // Flash of the simulator needs no erase: the size of its blocks is free.
    constexpr std::uint32_t kBlock = 4096;
    for (const MemoryArea& area : machine_.areas()) {
        xml += fmt::format("  <memory type=\"{}\" start=\"0x{:x}\" length=\"0x{:x}\"",
                           area.flash ? "flash" : "ram", area.start, area.bytes);
        xml +=
            area.flash
                ? fmt::format("><property name=\"blocksize\">0x{:x}</property></memory>\n", kBlock)
                : "/>\n";
    }
    send_part(xml + "</memory-map>\n", arguments);
}

const std::vector<ThreadInfo>& Server::threads() {
    if (!threads_) threads_ = machine_.threads();
    if (threads_->empty()) threads_->push_back({1, "core", {}});
    if (threads_->size() > kMostThreads) threads_->resize(kMostThreads);
    return *threads_;
}

void Server::set_thread(PayloadReader arguments) {
    const bool registers = arguments.skip("g");
    if (!registers && !arguments.skip("c")) return reply_error(kMalformed);
    if (arguments.rest() == "-1") {
        chosen_thread_ = 0;
        return reply("OK");
    }
    const auto id = arguments.number();
    if (!id || !arguments.at_end()) return reply_error(kMalformed);
    const std::vector<ThreadInfo>& all = threads();
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&id](const ThreadInfo& each) { return each.id == *id; });
    if (*id != 0 && !known) return reply_error(kNoThread);
    if (registers) chosen_thread_ = *id;
    reply("OK");
}

void Server::is_alive(PayloadReader arguments) {
    const auto id = arguments.number();
    if (!id || !arguments.at_end()) return reply_error(kMalformed);
    const std::vector<ThreadInfo>& all = threads();
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&id](const ThreadInfo& each) { return each.id == *id; });
    if (!known) return reply_error(kNoThread);
    reply("OK");
}

void Server::say_thread(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    reply(fmt::format("QC{:x}", threads().front().id));
}

void Server::list_threads(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    std::string text = "m";
    for (const ThreadInfo& each : threads()) {
        if (text.size() > 1) text += ',';
        text += fmt::format("{:x}", each.id);
    }
    reply(text);
}

void Server::list_no_threads(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    reply("l");
}

void Server::describe_thread(PayloadReader arguments) {
    const auto id = arguments.number();
    if (!id || !arguments.at_end()) return reply_error(kMalformed);
    for (const ThreadInfo& each : threads()) {
        if (each.id == *id) return reply(hex_of(traces::terminal_text(each.text)));
    }
    reply_error(kNoThread);
}

void Server::say_attached(PayloadReader /*arguments*/) {
    reply("1");
}

void Server::say_ok(PayloadReader /*arguments*/) {
    reply("OK");
}

void Server::monitor(PayloadReader arguments) {
    const auto line = bytes_of_hex(arguments.rest());
    if (!line) return reply_error(kMalformed);
    const auto words = first_word(*line);
    const std::string& name = words.first;
    const std::string& rest = words.second;
    const std::vector<MonitorCommand> commands = machine_.monitor_commands();
    if (name == "reset") {
        reset_machine(rest);
    } else if (name.empty() || name == "help") {
        show(list_of(commands));
    } else {
        const auto found =
            std::find_if(commands.begin(), commands.end(),
                         [&name](const MonitorCommand& each) { return each.name == name; });
        if (found == commands.end()) {
            show(fmt::format("there is no command '{}'; monitor help lists them\n",
                             traces::terminal_text(name)));
        } else {
            show(found->run(rest));
        }
    }
    reply("OK");
}

void Server::reset_machine(const std::string& arguments) {
    if (!arguments.empty() && arguments != "warm" && arguments != "cold" && arguments != "halt" &&
        arguments != "init") {
        show("write monitor reset, monitor reset warm or monitor reset cold\n");
        return;
    }
    machine_.reset(arguments == "cold" ? ResetKind::Cold : ResetKind::Warm);
    halt_ = Halt{};
    threads_.reset();
    chosen_thread_ = 0;
    show(
        "the core stands before its first instruction; maintenance flush register-cache makes GDB "
        "read it again\n");
}

}  // namespace n6vp::sim::debugger

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/board_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace n6vp::sim {

namespace {

[[nodiscard]] double edge_us(models::Picoseconds time) {
    return static_cast<double>(time) * 1e-6;
}

/// "high", or "high, lit" of a LED.
[[nodiscard]] std::string level_text(const BoardDevices::Watched& pin) {
    std::string text = pin.level ? "high" : "low";
    if (!pin.label.empty()) text += pin.lit() ? ", lit" : ", dark";
    return text;
}

}  // namespace

void write_pins(std::ostream& out, const BoardDevices& board) {
    constexpr std::size_t kMost = 4;  // the document has more
    if (board.watched().empty()) return;
    out << "\npins:\n";
    for (const BoardDevices::Watched& pin : board.watched()) {
        out << fmt::format("{:<5} {} changes", pin.name, pin.changes);
        for (std::size_t i = 0; i < std::min(kMost, pin.kept.size()); ++i) {
            const auto& [at, level] = pin.kept[i];
            out << fmt::format("{} {:.3f} us {}", i == 0 ? ":" : ",", edge_us(at),
                               level ? "high" : "low");
        }
        if (pin.changes > kMost) out << ", ...";
        out << "; at the end " << level_text(pin);
        if (const models::Picoseconds period = pin.period(); period != 0)
            out << fmt::format("; period {:.3f} us", edge_us(period));
        out << (pin.label.empty() ? "\n" : fmt::format(" ({})\n", pin.label));
    }
}

Json pins_json(const BoardDevices& board) {
    Json pins = Json::array();
    for (const BoardDevices::Watched& pin : board.watched()) {
        Json levels = Json::array();
        for (const auto& [at, level] : pin.kept)
            levels.push_back({{"ps", at}, {"level", level ? 1 : 0}});
        Json row{{"name", pin.name},
                 {"changes", pin.changes},
                 {"rising", pin.rising},
                 {"falling", pin.changes - pin.rising},
                 {"last_level", pin.level ? 1 : 0},
                 {"levels", std::move(levels)}};
        if (pin.period() != 0) row["period_ps"] = pin.period();
        if (!pin.label.empty()) {
            row["label"] = pin.label;
            row["lit"] = pin.lit();
        }
        pins.push_back(std::move(row));
    }
    return pins;
}

void write_timer_outputs(std::ostream& out, const BoardDevices& board, models::Picoseconds at) {
    const auto outputs = board.timer_outputs(at);
    if (outputs.empty()) return;
    out << "\ntimer outputs at the end:\n";
    for (const models::TimerPins::Output& each : outputs) {
        out << fmt::format("{:<5} {:<9} ", each.pin, each.signal);
        if (each.wave.hz == 0) {
            out << (each.wave.high_share == 0 ? "low\n" : "high\n");
        } else {
            out << fmt::format("{:.3f} kHz, high {:.2f} % of the time\n", each.wave.hz * 1e-3,
                               each.wave.high_share * 100);
        }
    }
}

Json timer_outputs_json(const BoardDevices& board, models::Picoseconds at) {
    Json list = Json::array();
    for (const models::TimerPins::Output& each : board.timer_outputs(at)) {
        list.push_back({{"pin", each.pin},
                        {"signal", each.signal},
                        {"hz", each.wave.hz},
                        {"high_share", each.wave.high_share}});
    }
    return list;
}

namespace {

/// Returns "0d 0a", of the first bytes.
std::string hex_bytes(const std::vector<std::uint8_t>& bytes) {
    constexpr std::size_t kShown = 64;
    std::string text;
    for (std::size_t i = 0; i < bytes.size() && i < kShown; ++i)
        text += fmt::format("{}{:02x}", i == 0 ? "" : " ", bytes[i]);
    return bytes.size() > kShown ? text + " ..." : text;
}

}  // namespace

void write_inputs(std::ostream& out, const InputFeed& inputs) {
    if (inputs.ports().empty() && inputs.targets().empty()) return;
    out << "\ninputs:\n";
    for (const InputFeed::Target& target : inputs.targets()) {
        out << fmt::format(
            "{} address 0x{:02x}: {} transfers, {} acknowledged, {} bytes written, "
            "{} read",
            target.bus, target.address, target.done, target.acknowledged, target.written,
            target.read);
        if (target.asked != target.done)
            out << fmt::format(", {} not ended", target.asked - target.done);
        if (!target.last.empty()) out << ", last " << hex_bytes(target.last);
        out << '\n';
    }
    for (const InputFeed::Port& port : inputs.ports()) {
        const models::Uart::Statistics& counted = port.uart->statistics();
        out << fmt::format("{} {} characters", port.name, port.characters);
        if (const std::size_t late = port.uart->on_the_way(); late != 0)
            out << fmt::format(", {} still on the line", late);
        if (counted.unheard != 0)
            out << fmt::format(", {} while its receiver was off", counted.unheard);
        if (counted.overrun != 0) out << fmt::format(", {} lost by overrun", counted.overrun);
        out << '\n';
    }
}

Json inputs_json(const InputFeed& inputs) {
    Json list = Json::array();
    for (const InputFeed::Target& target : inputs.targets()) {
        list.push_back({{"bus", target.bus},
                        {"address", target.address},
                        {"address_bits", target.ten_bits ? 10 : 7},
                        {"transfers", target.done},
                        {"not_ended", target.asked - target.done},
                        {"acknowledged", target.acknowledged},
                        {"written", target.written},
                        {"read", target.read},
                        {"last", hex_bytes(target.last)}});
    }
    for (const InputFeed::Port& port : inputs.ports()) {
        const models::Uart::Statistics& counted = port.uart->statistics();
        list.push_back({{"port", port.name},
                        {"characters", port.characters},
                        {"on_the_line", port.uart->on_the_way()},
                        {"unheard", counted.unheard},
                        {"overrun", counted.overrun}});
    }
    return list;
}

}  // namespace n6vp::sim

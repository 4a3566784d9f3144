// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_report.h"

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/platform_parameters.h"
#include "sim/run/board_report.h"
#include "sim/run/run_report.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

[[nodiscard]] std::string pc_text(const McuSession& session, const McuOutcome& outcome) {
    const auto& symbols = session.firmware().symbols;
    const std::string symbol = symbols ? symbols->describe(outcome.pc) : "";
    return fmt::format("pc 0x{:08x}{}{}", outcome.pc, symbol.empty() ? "" : " ",
                       traces::terminal_text(symbol));
}

/// Returns the registers with the addresses that they have on the chip.
[[nodiscard]] std::vector<RegisterReport::Line> not_modelled_of(McuSession& session) {
    std::vector<RegisterReport::Line> lines = session.registers().not_modelled();
    for (RegisterReport::Line& line : lines) line = line_on_chip(std::move(line));
    return lines;
}

[[nodiscard]] std::vector<const memmap::ChipMemory*> external_of(McuSession& session) {
    std::vector<const memmap::ChipMemory*> result;
    for (const memmap::ChipMemory& row : session.chip().chip().memories)
        if (row.kind == memmap::ChipMemoryKind::External) result.push_back(&row);
    return result;
}

[[nodiscard]] Json external_json(McuSession& session) {
    Json result = Json::array();
    const auto& times = session.chip().parameters().external;
    for (const memmap::ChipMemory* const row : external_of(session)) {
        Json memory = {{"address", hex_word(row->start)}, {"bytes", row->bytes}};
        for (const models::Parameter* each : {&times.access_cycles, &times.byte_cycles}) {
            memory[each->name] = {{"value", each->value},
                                  {"confidence", confidence_text(each->confidence)}};
        }
        result.push_back(std::move(memory));
    }
    return result;
}

[[nodiscard]] Judgement text_judgement(const char* key, const RunExpectations::Text& text,
                                       bool found, bool wanted) {
    return {text.origin, key, text.value, found ? "found" : "not found", found == wanted};
}

}  // namespace

void write_external_memory(std::ostream& out, McuSession& session) {
    const auto& times = session.chip().parameters().external;
    const auto value = [](const models::Parameter& parameter) {
        return fmt::format("{:g} ({})", parameter.value, confidence_text(parameter.confidence));
    };
    for (const memmap::ChipMemory* const row : external_of(session)) {
        out << fmt::format(
            "external memory at 0x{:08x}: HCLK cycles: start of an access {}, a byte {}; --set "
            "external.access_cycles=N and external.byte_cycles=N state those of the board\n",
            row->start, value(times.access_cycles), value(times.byte_cycles));
    }
}

void write_mcu_run(std::ostream& out, McuSession& session, const McuOutcome& outcome) {
    constexpr double kPerMillisecond = 1e-9, kMega = 1e6;
    out << fmt::format(
        "\n{}: {} at {}\n{} instructions, {} cycles, {:.6f} ms simulated, core at {:.3f} MHz; "
        "{:.2f} s on the host\n",
        session.chip().chip().title, verdict_name(outcome.verdict), pc_text(session, outcome),
        outcome.instructions, outcome.cycles, static_cast<double>(outcome.time) * kPerMillisecond,
        outcome.core_hz / kMega, outcome.host_seconds);
    if (outcome.resets != 0)
        out << fmt::format("started again after a reset: {} times\n", outcome.resets);
    write_external_memory(out, session);
    const models::Uart::Statistics& serial = session.console_port().statistics();
    out << fmt::format("{}: {} characters sent, {} received, {} lost\n", session.port_name(),
                       serial.sent, serial.received, serial.overrun + serial.unheard);
    if (outcome.core_faults != 0)
        out << fmt::format("{} faults of the program, the first: {}\n", outcome.core_faults,
                           outcome.first_fault);
    for (const auto& [name, count] : session.unclocked())
        out << fmt::format(
            "{} without clock: {} reads gave 0, {} writes were lost, the first at pc 0x{:08x}\n",
            name, count.reads, count.writes, count.first_pc);
    const std::string table = RegisterReport::text(not_modelled_of(session)) +
                              core_registers_text(outcome.core_registers);
    if (!table.empty()) out << "\nregisters without model:\n" << table;
    write_inputs(out, session.inputs());
}

void write_mcu_verdict(std::ostream& err, McuSession& session, const McuOutcome& outcome) {
    const std::string place = pc_text(session, outcome);
    const auto say = [&err](const std::string& cause, const char* remedy) {
        err << fmt::format("n6vp: {}\n      {}\n", cause, remedy);
    };
    switch (outcome.verdict) {
        case RunVerdict::Exit:
            if (outcome.exit_code == 0) return;
            return say(fmt::format("the program ended with exit code {}", outcome.exit_code),
                       "an exit code of the program, not of the simulator");
        case RunVerdict::Reset:
            return say("the program or a watchdog requested a reset, " + place,
                       "--resets N lets it start again, N times; without it a reset ends the run");
        case RunVerdict::Breakpoint:
            return say("BKPT, " + place, "only BKPT 0xAB (semihosting) is supported");
        case RunVerdict::Lockup:
            return say(fmt::format("lockup, {}: CFSR 0x{:08x}, HFSR 0x{:08x}, BFAR 0x{:08x}; {}",
                                   place, outcome.status.cfsr, outcome.status.hfsr,
                                   outcome.status.bfar, outcome.first_fault),
                       "a fault occurred and no handler could be entered");
        case RunVerdict::Unmodelled:
            return say(fmt::format("{} is not modelled and was accessed, {}",
                                   traces::terminal_text(outcome.what), place),
                       "without --strict the run continues and the report lists all of them");
        case RunVerdict::Limit:
            return say("a limit of time or instructions ended the run, " + place,
                       "--max-time, --max-instr or --max-host-time sets it");
        case RunVerdict::Asleep:
            return say("the core sleeps without a wake-up source, " + place,
                       "check that the expected interrupt is enabled");
        case RunVerdict::NoProgress:
            return say("the program makes no progress, " + place,
                       "--max-quiet sets the time limit without activity");
        case RunVerdict::Interrupted:
            return say("interrupted, " + place, "results are partial");
    }
}

Json mcu_document(McuSession& session, const McuOutcome& outcome) {
    Json document = json_document("run");
    document["chip"] = session.chip().chip().name;
    document["end"] = verdict_name(outcome.verdict);
    document["exit_code"] = outcome.exit_code;
    document["pc"] = hex_word(outcome.pc);
    document["timing"] =
        session.plan().options.timing == models::core::Timing::Functional ? "functional"
        : session.plan().options.timing == models::core::Timing::Approx   ? "approx"
                                                                          : "precise";
    document["instructions"] = outcome.instructions;
    if (session.plan().resets != 0) document["resets"] = outcome.resets;
    document["cycles"] = outcome.cycles;
    document["time_ps"] = outcome.time;
    document["core_hz"] = outcome.core_hz;
    const models::Uart::Statistics& serial = session.console_port().statistics();
    document["console"] = {{"port", session.port_name()},
                           {"sent", serial.sent},
                           {"received", serial.received},
                           {"overrun", serial.overrun},
                           {"unheard", serial.unheard}};
    if (!session.inputs().ports().empty()) document["inputs"] = inputs_json(session.inputs());
    document["faults"] = {{"core", outcome.core_faults},
                          {"access", outcome.access_faults},
                          {"cfsr", hex_word(outcome.status.cfsr)},
                          {"hfsr", hex_word(outcome.status.hfsr)},
                          {"bfar", hex_word(outcome.status.bfar)}};
    document["external_memory"] = external_json(session);
    document["unclocked"] = Json::array();
    for (const auto& [name, count] : session.unclocked()) {
        document["unclocked"].push_back({{"peripheral", name},
                                         {"reads", count.reads},
                                         {"writes", count.writes},
                                         {"first_pc", hex_word(count.first_pc)}});
    }
    document["not_modelled"] = RegisterReport::json(not_modelled_of(session));
    document["core_registers_not_modelled"] = core_registers_json(outcome.core_registers);
    return document;
}

std::vector<Judgement> judge_mcu(McuSession& session, const McuOutcome& outcome) {
    const RunExpectations& expected = session.plan().expect;
    std::vector<Judgement> result;
    if (expected.end) {
        result.push_back(
            {expected.end->origin, "end", std::string(verdict_name(expected.end->value)),
             std::string(verdict_name(outcome.verdict)), expected.end->value == outcome.verdict});
    }
    if (expected.exit_code) {
        const bool exited = outcome.verdict == RunVerdict::Exit;
        result.push_back({expected.exit_code->origin, "exit_code",
                          std::to_string(expected.exit_code->value),
                          exited ? std::to_string(outcome.exit_code) : "no exit",
                          exited && expected.exit_code->value == outcome.exit_code});
    }
    std::size_t index = 0;
    for (const RunExpectations::Text& text : expected.console)
        result.push_back(text_judgement("console", text, session.watch().found(index++), true));
    for (const RunExpectations::Text& text : expected.console_without)
        result.push_back(
            text_judgement("console_without", text, session.watch().found(index++), false));
    const auto time = [&](const char* key, const auto& demand, bool holds) {
        result.push_back({demand->origin, key, fmt::format("{} ps", demand->value),
                          fmt::format("{} ps", outcome.time), holds});
    };
    if (expected.min_time)
        time("min_time", expected.min_time, outcome.time >= expected.min_time->value);
    if (expected.max_time)
        time("max_time", expected.max_time, outcome.time <= expected.max_time->value);
    for (const auto& demand : expected.memory) {
        std::vector<std::uint8_t> found(demand.value.bytes.size());
        const bool present = session.chip().fetch(demand.value.at, found);
        const bool holds = present && found == demand.value.bytes;
        result.push_back({demand.origin, "memory",
                          fmt::format("{} bytes at 0x{:08x}", demand.value.bytes.size(),
                                      to_word(demand.value.at)),
                          holds ? "equal" : (present ? "different" : "no memory"), holds});
    }
    return result;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/mcu_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "models/chip/mcu/core_of_chip.h"
#include "sim/debugger/debugger.h"

namespace n6vp::sim::debugger {

namespace {

using models::core::Stop;

[[nodiscard]] const models::core::CoreProfile& profile_of(const memmap::Chip& chip) {
    const models::core::CoreProfile* const found = models::core::find_core_profile(chip.core);
    return found != nullptr ? *found : models::core::cortex_m4();
}

}  // namespace

McuMachine::McuMachine(McuSession& session, McuSession::Advance advance)
    : session_(session),
      chip_(session.chip()),
      advance_(std::move(advance)),
      profile_(profile_of(chip_.chip())),
      view_(chip_),
      memory_(chip_.core().core(), view_,
              [this](std::uint32_t address) -> std::optional<std::uint32_t> {
                  const auto answer = chip_.peripherals().peek(GuestAddr{address});
                  if (!answer) return std::nullopt;
                  return answer->value;
              }) {}

const models::core::CoreProfile& McuMachine::profile() const {
    return profile_;
}

bool McuMachine::read(std::uint32_t address, std::span<std::uint8_t> bytes) {
    return memory_.read(address, bytes);
}

bool McuMachine::write(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    return memory_.write(address, bytes);
}

std::vector<MemoryArea> McuMachine::areas() const {
    std::vector<MemoryArea> areas;
    for (const auto& memory : chip_.memories()) {
        const memmap::ChipMemory& row = *memory.row;
        const bool flash = row.kind == memmap::ChipMemoryKind::Flash;
        areas.push_back({row.start, row.bytes, flash, row.name});
        for (const std::uint32_t alias : row.aliases) {
            if (alias != memmap::kNoAlias) areas.push_back({alias, row.bytes, flash, row.name});
        }
    }
    areas.push_back({0x40000000, 0x20000000, false, "peripherals"});
    areas.push_back({0xE0000000, 0x00100000, false, "private registers"});
    std::sort(areas.begin(), areas.end(),
              [](const MemoryArea& a, const MemoryArea& b) { return a.start < b.start; });
    return areas;
}

Halt McuMachine::start() {
    module().stop_at_reset();
    return go_on({});
}

Halt McuMachine::run(const Interrupt& interrupt) {
    if (module().stopped() != Stop::Budget) module().resume();
    return go_on(interrupt);
}

Halt McuMachine::step(const Interrupt& interrupt) {
    module().step();
    return go_on(interrupt);
}

Halt McuMachine::go_on(const Interrupt& interrupt) {
    session_.leave_out(stood());
    Halt halt = run_to_halt(interrupt);
    stand();
    return halt;
}

Halt McuMachine::run_to_halt(const Interrupt& interrupt) {
    while (true) {
        const std::optional<RunVerdict> verdict = advance_();
        if (verdict) {
            end_ = *verdict;
            return halted(*verdict);
        }
        slept_ = false;
        if (!interrupt || !interrupt()) continue;
        finish_instruction();
        module().cancel_step();
        return {Halt::Reason::Interrupt, 0, false, {}, {}};
    }
}

void McuMachine::finish_instruction() {
    const sc_core::sc_time quantum = models::to_sc_time(session_.plan().options.quantum);
    while (!module().between_instructions()) sc_core::sc_start(quantum, sc_core::SC_RUN_TO_TIME);
}

Halt McuMachine::halted(RunVerdict verdict) {
    const bool slept = std::exchange(slept_, verdict == RunVerdict::Asleep);
    switch (verdict) {
        case RunVerdict::Breakpoint:
            break;
        case RunVerdict::Lockup:
            return {Halt::Reason::Lockup,
                    0,
                    false,
                    "the core is locked up: monitor reset ends it\n",
                    {}};
        case RunVerdict::Reset:
            if (!attended() || !session_.take_reset_request())
                return {Halt::Reason::Ended, 0, false, {}, {}};
            reset(ResetKind::Warm);
            return {Halt::Reason::Message,
                    0,
                    false,
                    "the program has requested a reset, which is done\n",
                    {}};
        case RunVerdict::Asleep:
            // Said once: who goes on nevertheless comes to the end of the run.
            if (slept) return {Halt::Reason::Ended, 0, false, {}, {}};
            return {Halt::Reason::Message,
                    0,
                    false,
                    "the core sleeps, and nothing is left that could wake it\n",
                    {}};
        default:
            return {Halt::Reason::Ended, 0, false, {}, session_.exit_code()};
    }
    if (module().stopped() == Stop::Breakpoint) return {Halt::Reason::Breakpoint, 0, false, {}, {}};
    if (module().stopped() != Stop::Watchpoint) return {};
    return {Halt::Reason::Watchpoint, core().watch_hit().address, core().watch_hit().write, {}, {}};
}

void McuMachine::reset(ResetKind /*kind*/) {
    session_.restart();
}

Peek McuMachine::peek() {
    return [this](std::uint32_t address) { return chip_.peripherals().peek(GuestAddr{address}); };
}

std::string McuMachine::registers_text(const std::string& name) {
    if (name.empty()) return "write monitor registers PERIPHERAL, as in monitor registers RCC\n";
    const std::string wanted = upper_case(name);
    std::vector<std::string> names;
    for (const memmap::ChipPeripheral& row : chip_.chip().peripherals) {
        names.emplace_back(row.name);
        if (upper_case(row.name) == wanted)
            return register_lines(row.base, row.bytes, peek(), nullptr);
    }
    return no_peripheral(name, names);
}

std::string McuMachine::gpio_text() {
    constexpr std::string_view kPort = "GPIO";
    std::string text;
    for (const memmap::ChipPeripheral& row : chip_.chip().peripherals) {
        const std::string_view name = row.name;
        if (name.starts_with(kPort)) text += gpio_line(name.substr(kPort.size()), row.base, peek());
    }
    return text;
}

std::vector<MonitorCommand> McuMachine::monitor_commands() {
    constexpr double kPerMicrosecond = 1e6;
    return {
        {"time", "", "simulated time, cycles and instructions",
         [this](const std::string&) {
             return fmt::format(
                 "{:.3f} us simulated; core: {} cycles, {} instructions since reset, {:.3f} MHz, "
                 "{}\n",
                 static_cast<double>(sc_core::sc_time_stamp().value()) / kPerMicrosecond,
                 core().cycles(), core().instructions(), module().clock_hz() / kPerMicrosecond,
                 module().asleep() ? "asleep" : "awake");
         }},
        {"gpio", "", "pins: their modes and levels",
         [this](const std::string&) { return gpio_text(); }},
        {"registers", "PERIPHERAL",
         "registers of a peripheral that can be read without effect, with names",
         [this](const std::string& name) { return registers_text(name); }},
    };
}

std::vector<ThreadInfo> McuMachine::threads() {
    const std::optional<ElfFile>& symbols = session_.firmware().symbols;
    return threads_by(symbols ? &*symbols : nullptr);
}

void attach(Debugger& debugger, McuSession& session) {
    session.drive = [&debugger, &session](const McuSession::Advance& advance) {
        McuMachine machine(session, advance);
        debugger.drive(machine);
        return machine.run_end();
    };
}

}  // namespace n6vp::sim::debugger

// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <span>
#include <utility>

#include "sim/host/cpu_time.h"
#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/host/signals.h"
#include "sim/platform/object_names.h"
#include "sim/platform/platform_log.h"
#include "sim/run/run_files.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::Picoseconds;
using models::core::Stop;

/// Longest stretch of simulated time without a look at the limits.
constexpr Picoseconds kMcuSlice = 1'000'000'000;  // 1 ms

[[nodiscard]] Picoseconds mcu_now() {
    return sc_core::sc_time_stamp().value();
}

/// Returns true if bytes went into memory that a program can write, all of them.
[[nodiscard]] bool store_as_program(models::mcu_chip::Microcontroller& chip, std::uint32_t to,
                                    std::span<const std::uint8_t> bytes) {
    using memmap::ChipMemoryKind;
    const std::uint64_t writable = memmap::for_memories(
        chip.chip(), to, bytes.size(),
        [](const memmap::ChipMemory& memory, std::uint32_t, std::uint64_t) {
            return memory.kind != ChipMemoryKind::Flash && memory.kind != ChipMemoryKind::Rom;
        });
    return writable == bytes.size() && chip.store(GuestAddr{to}, bytes);
}

}  // namespace

/// Ends the run where strictness refused an access.
class McuSession::Log : public models::RegisterLog {
  public:
    explicit Log(McuSession& session) : session_(session) {}
    [[nodiscard]] bool accessed(const models::RegisterAccess& access) override {
        models::RegisterAccess kept = access;
        kept.address = key_of_address(access.address);
        const bool allowed = session_.registers_->accessed(kept);
        if (access.write) ++session_.happened_;
        if (!allowed && session_.unmodelled_.empty()) {
            const auto& refused = session_.registers_->refused();
            session_.unmodelled_ = refused ? line_on_chip(*refused).name : "a register";
            session_.chip_->core().stop();
        }
        return allowed;
    }

  private:
    McuSession& session_;
};

RegisterReport::Line line_on_chip(RegisterReport::Line line) {
    line.address = address_of_key(line.address);
    if (line.name.starts_with("0x")) line.name = fmt::format("0x{:08X}", line.address);
    return line;
}

McuSession::McuSession(const RunPlan& plan, const memmap::Chip& chip,
                       const models::mcu_chip::MicrocontrollerParameters& parameters,
                       std::string port, Streams streams)
    : plan_(plan),
      streams_(streams),
      port_name_(port.empty() ? chip.console : std::move(port)),
      firmware_(read_mcu_firmware(plan, chip)),
      watch_(plan.expect.console_texts()),
      progress_(plan.quiet) {
    build(chip, parameters);
    load();
}

McuSession::~McuSession() {
    sim::Log::set_clock({});
}

void McuSession::build(const memmap::Chip& chip,
                       const models::mcu_chip::MicrocontrollerParameters& parameters) {
    registers_ = std::make_unique<RegisterReport>(plan_.strict ? StrictRegisters::All
                                                               : StrictRegisters::Off);
    log_ = std::make_unique<Log>(*this);
    log_kernel_reports();
    models::mcu_chip::MicrocontrollerOptions options;
    options.timing = plan_.options.timing;
    options.quantum = plan_.options.quantum;
    options.vectors = mcu_vectors(plan_, chip, firmware_);
    chip_ = std::make_unique<models::mcu_chip::Microcontroller>("chip", chip, parameters, options,
                                                                log_.get());
    sim::Log::set_clock(mcu_now);
    connect_console(chip);
    listen();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

void McuSession::connect_console(const memmap::Chip& chip) {
    ConsoleGroup::Chip ports{
        chip.title, {}, serial_port_name(port_name_), [this](std::string_view name) {
            return chip_->uart(name);
        }};
    for (const memmap::ChipPeripheral& row : chip.peripherals) {
        if (chip_->uart(row.name) != nullptr) ports.ports.emplace_back(row.name);
    }
    port_ = chip_->uart(ports.main);
    if (port_ == nullptr) {
        throw UserError(fmt::format("--uart-port: the {} has no serial port '{}'", chip.title,
                                    traces::terminal_text(port_name_)),
                        fmt::format("give one of {}", fmt::join(ports.ports, ", ")));
    }
    std::vector<PortPlace> others = plan_.uarts;
    connect_probe(others);
    const PortPlace console = main_place(others, {port_name_, plan_.uart.text, plan_.uart.origin});
    std::unique_ptr<ConsoleBackend> place =
        told_from(console.origin, [&] { return open_console(console.place); });
    log(LogComponent::Console, LogLevel::Info, "{} is connected to {}", port_name_, place->place());
    console_ = std::make_unique<Console>("console", *port_, std::move(place));
    console_->announce(streams_.err, others.empty() ? std::string_view() : ports.main);
    consoles_.open(others, ports, streams_.err);
    inputs_ = std::make_unique<InputFeed>("inputs", plan_.board.inputs, ports);
    const auto on_failure = [this] {
        output_gone_ = true;
        chip_->core().stop();
    };
    console_->on_failure = on_failure;
    consoles_.set_on_failure(on_failure);
    console_->on_character = [this](char character) {
        ++happened_;
        watch_.take(ConsoleWatch::Channel::Serial, {&character, 1});
    };
}

void McuSession::connect_probe(std::vector<PortPlace>& places) {
    probe_.open(places, streams_.err);
    probe_.on_text = [this](std::string_view text) {
        happened_ += text.size();
        watch_.take(ConsoleWatch::Channel::Probe, text);
    };
    probe_.on_failure = [this] {
        output_gone_ = true;
        chip_->core().stop();
    };
    models::CoreModule& core = chip_->core();
    core.probe_ports = probe_.itm_ports();
    core.on_stimulus = [this](unsigned port, std::uint32_t value, unsigned bytes) {
        probe_.stimulus(port, value, bytes);
    };
    if (!probe_.wants_rtt()) return;
    view_.emplace(*chip_);
    RttReader::Memory memory{[this](std::uint32_t from, std::span<std::uint8_t> bytes) {
                                 return view_->fetch(from, bytes);
                             },
                             [this](std::uint32_t to, std::span<const std::uint8_t> bytes) {
                                 return view_->store(to, bytes);
                             },
                             {}};
    for (const auto& each : chip_->memories()) {
        const memmap::ChipMemory& row = *each.row;
        using memmap::ChipMemoryKind;
        if (row.kind != ChipMemoryKind::Ram && row.kind != ChipMemoryKind::Itcm &&
            row.kind != ChipMemoryKind::Dtcm)
            continue;
        memory.ram.push_back({row.start, row.bytes});
        for (const std::uint32_t alias : row.aliases) {
            if (alias != memmap::kNoAlias) memory.ram.push_back({alias, row.bytes});
        }
    }
    probe_.read_rtt(RttReader(std::move(memory), firmware_.symbols ? &*firmware_.symbols : nullptr),
                    plan_.rtt_interval);
}

void McuSession::listen() {
    chip_->core().on_stop = [] { sc_core::sc_pause(); };
    chip_->on_reset_request = [this] {
        reset_requested_ = true;
        chip_->core().stop();
    };
    chip_->exception.listen(0, [this](unsigned, bool begins) {
        if (begins) ++happened_;
    });
    chip_->core_fault.listen(0, [this](const models::core::CoreFault& fault) {
        if (core_faults_++ == 0) first_fault_ = fmt::format("fault at pc 0x{:08x}", fault.pc);
    });
    chip_->access_fault.listen(0, [this](const models::AccessFault& fault) { note_fault(fault); });
    if (plan_.strict) {
        chip_->unmodelled_core_register.listen(0, [this](std::uint32_t address, bool) {
            if (!unmodelled_.empty()) return;
            unmodelled_ = register_text(address);
            chip_->core().stop();
        });
    }
    listen_to_semihosting();
}

void McuSession::listen_to_semihosting() {
    Semihosting::Setup services;
    services.out = &streams_.out;
    services.err = &streams_.err;
    services.budget->on_refusal = [this](const std::string& text) { streams_.err << text; };
    services.on_text = [this](std::string_view text) {
        watch_.take(ConsoleWatch::Channel::Semihosting, text);
    };
    semihosting_ = std::make_unique<RunSemihosting>(
        plan_, std::move(services),
        RunSemihosting::Memory{[this](std::uint32_t from, std::span<std::uint8_t> bytes) {
                                   return chip_->fetch(GuestAddr{from}, bytes);
                               },
                               [this](std::uint32_t to, std::span<const std::uint8_t> bytes) {
                                   return store_as_program(*chip_, to, bytes);
                               }},
        chip_->chip().max_hz, mcu_now);
    chip_->core().on_semihosting = [this](models::core::Core& core) {
        ++happened_;
        constexpr std::uint32_t kFirst = 0x100, kCount = 0x100;
        if (core.reg(0) - kFirst < kCount && on_application_call) {
            on_application_call(core);
            return true;
        }
        semihosting_->answer(core);
        if (semihosting_->exit_code()) chip_->core().stop();
        return true;
    };
}

void McuSession::note_fault(const models::AccessFault& fault) {
    if (fault.answered_zero) {
        const memmap::ChipPeripheral* const row =
            memmap::peripheral_at(chip_->chip(), static_cast<std::uint32_t>(fault.address));
        McuUnclocked& count = unclocked_[row == nullptr ? "" : row->name];
        if (count.reads + count.writes == 0) {
            count.first_pc = chip_->core().core().pc();
            log(LogComponent::Bus, LogLevel::Info, "{} at 0x{:08x} without clock",
                fault.write ? "write" : "read", fault.address);
        }
        ++(fault.write ? count.writes : count.reads);
        return;
    }
    if (access_faults_++ != 0) return;
    log(LogComponent::Bus, LogLevel::Info, "{} of {} bytes at 0x{:08x} failed",
        fault.write ? "write" : "read", fault.bytes, fault.address);
}

void McuSession::load() {
    for (const McuFirmware::Part& part : firmware_.parts) {
        if (chip_->store(GuestAddr{part.address}, part.content)) continue;
        throw UserError(fmt::format("{}: {} does not fit at 0x{:08x}", part.origin,
                                    traces::terminal_text(part.name), part.address),
                        "choose another address");
    }
}

Picoseconds McuSession::slice() const {
    Picoseconds slice = kMcuSlice;
    // A debugger may have let more time pass than the limit.
    const Picoseconds most = plan_.limits.time;
    if (most != 0) slice = std::min(slice, most - std::min(most, mcu_now()));
    if (plan_.limits.instructions != 0) {
        const std::uint64_t done = instructions();
        const std::uint64_t left =
            plan_.limits.instructions > done ? plan_.limits.instructions - done : 0;
        // Not more than two instructions go into a cycle.
        const auto safe = static_cast<Picoseconds>(static_cast<double>(left) / 2 * 1e12 /
                                                   chip_->core().clock_hz());
        slice = std::min(slice, std::max(safe, plan_.options.quantum));
    }
    return slice;
}

RunVerdict McuSession::verdict_of_stop() const {
    return chip_->core().stopped() == Stop::Lockup ? RunVerdict::Lockup : RunVerdict::Breakpoint;
}

/// Between two stretches: returns why the run is over, if it is.
std::optional<RunVerdict> McuSession::look() {
    probe_.look(mcu_now());
    if (interrupted() || output_gone_ || console_->gone() || consoles_.gone() || probe_.gone() ||
        !streams_.out)
        return RunVerdict::Interrupted;
    if (plan_.host_seconds != 0) {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
        if (taken.count() > plan_.host_seconds) return RunVerdict::Limit;
    }
    models::core::Core& core = chip_->core().core();
    if (chip_->core().asleep() && tick_wakes(core)) ++happened_;
    if (!progress_.gets_on({mcu_now(), happened_, register_state(core.state())}))
        return RunVerdict::NoProgress;
    return std::nullopt;
}

std::optional<RunVerdict> McuSession::advance() {
    const std::uint64_t most = plan_.limits.instructions;
    if (most != 0 && instructions() >= most) return RunVerdict::Limit;
    const Picoseconds duration = slice();
    if (duration == 0) return RunVerdict::Limit;
    sc_core::sc_start(models::to_sc_time(duration), sc_core::SC_RUN_TO_TIME);
    if (!unmodelled_.empty()) return RunVerdict::Unmodelled;
    if (semihosting_->exit_code()) return RunVerdict::Exit;
    if (reset_requested_) return RunVerdict::Reset;
    if (output_gone_) return RunVerdict::Interrupted;
    if (chip_->core().stopped() != Stop::Budget) return verdict_of_stop();
    if (!sc_core::sc_pending_activity()) return RunVerdict::Asleep;
    return look();
}

std::uint64_t McuSession::instructions() const {
    return instructions_before_ + chip_->core().core().instructions();
}

void McuSession::restart() {
    models::CoreModule& core = chip_->core();
    core.stop_at_reset();
    chip_->reset(models::core::Reset::Warm);
    while (core.stops_at_reset())
        sc_core::sc_start(models::to_sc_time(plan_.options.quantum), sc_core::SC_RUN_TO_TIME);
}

bool McuSession::start_again() {
    if (resets_ == plan_.resets || !take_reset_request()) return false;
    ++resets_;
    const std::uint64_t instructions = chip_->core().core().instructions();
    const std::uint64_t cycles = chip_->core().core().cycles();
    restart();
    instructions_before_ += instructions;
    cycles_before_ += cycles;
    progress_ = ProgressWatch(plan_.quiet);
    chip_->core().resume();
    return true;
}

McuOutcome McuSession::run() {
    const InterruptGuard guard;
    const double start = cpu_seconds();
    begun_ = std::chrono::steady_clock::now();
    chip_->core().release_reset();
    std::optional<RunVerdict> end;
    if (drive) end = drive([this] { return advance(); });
    while (!end) {
        end = advance();
        // A program may reset the chip before every look.
        if (end == RunVerdict::Reset && start_again()) end = look();
    }
    McuOutcome outcome;
    outcome.verdict = *end;
    describe(outcome);
    outcome.host_seconds = cpu_seconds() - start;
    // What the program gave the serial port leaves it: a full FIFO and the frame on the line.
    constexpr unsigned kFrames = 10;
    const bool stopped = chip_->core().stopped() != Stop::Budget;
    if (stopped)
        sc_core::sc_start(models::to_sc_time(std::max<Picoseconds>(
                              1, kFrames * std::max(port_->frame_ps(), consoles_.frame_ps()))),
                          sc_core::SC_RUN_TO_TIME);
    semihosting_->finish();
    streams_.out.flush();
    // Each by itself: what one place does not take costs no text of the others.
    const auto finish = [this](auto& console) {
        try {
            console.finish();
        } catch (const UserError&) {
            if (!console_failure_) console_failure_ = std::current_exception();
        }
    };
    finish(*console_);
    finish(consoles_);
    finish(probe_);
    return outcome;
}

void McuSession::describe(McuOutcome& outcome) {
    models::core::Core& core = chip_->core().core();
    outcome.exit_code = semihosting_->exit_code().value_or(0);
    outcome.pc = core.pc();
    outcome.what = unmodelled_;
    outcome.instructions = instructions();
    outcome.cycles = cycles_before_ + core.cycles();
    outcome.resets = resets_;
    outcome.time = mcu_now();
    outcome.core_hz = chip_->core().clock_hz();
    outcome.core_faults = core_faults_;
    outcome.access_faults = access_faults_;
    outcome.first_fault = first_fault_;
    outcome.status = read_fault_status(core);
    outcome.core_registers = unmodelled_registers(core);
}

std::optional<std::uint32_t> McuSession::exit_code() const {
    return semihosting_->exit_code();
}

void McuSession::require_console() {
    if (console_failure_) std::rethrow_exception(console_failure_);
}

}  // namespace n6vp::sim

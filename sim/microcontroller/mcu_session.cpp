// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <iostream>
#include <utility>
#include <vector>

#include "sim/console/semihosting.h"
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

[[nodiscard]] double mcu_cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// What a scenario looks for, in the order that McuSession::watch promises.
[[nodiscard]] std::vector<std::string> console_texts_of(const RunExpectations& expected) {
    std::vector<std::string> texts;
    for (const RunExpectations::Text& text : expected.console) texts.push_back(text.value);
    for (const RunExpectations::Text& text : expected.console_without) texts.push_back(text.value);
    return texts;
}

}  // namespace

/// Semihosting over the chip's memory.
class McuSession::Host {
  public:
    Host(models::mcu_chip::Microcontroller& chip, const RunPlan& plan, Streams streams)
        : chip_(chip), host_(setup(plan, streams)) {}

    void answer(models::core::Core& core) {
        constexpr std::uint32_t kFailed = 0xFFFFFFFF;
        std::uint32_t result = host_.call(core.reg(0), core.reg(1), core.cycles());
        for (const Buffer& buffer : buffers_) {
            if (buffer.written && !chip_.store(GuestAddr{buffer.address}, buffer.bytes))
                result = kFailed;
        }
        buffers_.clear();
        core.set_reg(0, result);
    }
    void finish() { host_.finish(); }
    [[nodiscard]] const std::optional<std::uint32_t>& exit_code() const {
        return host_.exit_code();
    }

  private:
    struct Buffer {
        std::uint32_t address = 0;
        std::vector<std::uint8_t> bytes;
        bool written = false;
    };
    static constexpr std::uint32_t kMost = 4u << 20;

    [[nodiscard]] Semihosting::Setup setup(const RunPlan& plan, Streams streams) {
        Semihosting::Setup services;
        services.view = [this](std::uint32_t address, std::uint32_t bytes) {
            if (bytes > kMost) return std::span<std::uint8_t>();
            buffers_.push_back({address, std::vector<std::uint8_t>(bytes), false});
            Buffer& buffer = buffers_.back();
            if (!chip_.fetch(GuestAddr{address}, buffer.bytes)) return std::span<std::uint8_t>();
            // What stands in flash is only read.
            const memmap::ChipMemory* const memory = memmap::memory_at(chip_.chip(), address);
            buffer.written = memory != nullptr && memory->kind != memmap::ChipMemoryKind::Flash &&
                             memory->kind != memmap::ChipMemoryKind::Rom;
            return std::span(buffer.bytes);
        };
        services.out = &streams.out;
        services.err = &streams.err;
        services.in = &std::cin;
        services.folder = plan.files.text;
        services.budget->on_refusal = [&err = streams.err](const std::string& text) {
            err << text;
        };
        services.command_line =
            plan.elf.text + (plan.arguments.text.empty() ? "" : " " + plan.arguments.text);
        services.hz = chip_.chip().max_hz;
        return services;
    }

    models::mcu_chip::Microcontroller& chip_;
    std::deque<Buffer> buffers_;  ///< of the call that is being answered
    Semihosting host_;
};

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
            session_.unmodelled_ = refused ? refused->name : "a register";
            session_.chip_->core().stop();
        }
        return allowed;
    }

  private:
    McuSession& session_;
};

McuSession::McuSession(const RunPlan& plan, const memmap::Chip& chip,
                       const models::mcu_chip::MicrocontrollerParameters& parameters,
                       std::string port, Streams streams)
    : plan_(plan),
      streams_(streams),
      port_name_(port.empty() ? chip.console : std::move(port)),
      firmware_(read_mcu_firmware(plan, chip)),
      watch_(console_texts_of(plan.expect)),
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
    port_ = chip_->uart(port_name_);
    if (port_ == nullptr) {
        std::string names;
        for (const memmap::ChipPeripheral& row : chip.peripherals) {
            if (chip_->uart(row.name) == nullptr) continue;
            names += (names.empty() ? "" : ", ") + std::string(row.name);
        }
        throw UserError(fmt::format("--uart-port: the {} has no serial port '{}'", chip.title,
                                    traces::terminal_text(port_name_)),
                        "give one of " + names);
    }
    std::unique_ptr<ConsoleBackend> place =
        told_from(plan_.uart.origin, [this] { return open_console(plan_.uart.text); });
    log(LogComponent::Console, LogLevel::Info, "{} is connected to {}", port_name_, place->place());
    console_ = std::make_unique<Console>("console", *port_, std::move(place));
    console_->announce(streams_.err);
    console_->on_failure = [this] {
        output_gone_ = true;
        chip_->core().stop();
    };
    console_->on_character = [this](char character) {
        ++happened_;
        watch_.take(ConsoleWatch::Channel::Serial, {&character, 1});
    };
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
            unmodelled_ = fmt::format("core register 0x{:08x}", address);
            chip_->core().stop();
        });
    }
    host_ = std::make_unique<Host>(*chip_, plan_, streams_);
    chip_->core().on_semihosting = [this](models::core::Core& core) {
        ++happened_;
        constexpr std::uint32_t kFirst = 0x100, kCount = 0x100;
        if (core.reg(0) - kFirst < kCount && on_application_call) {
            on_application_call(core);
            return true;
        }
        host_->answer(core);
        if (host_->exit_code()) chip_->core().stop();
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
    if (plan_.limits.time != 0) slice = std::min(slice, plan_.limits.time - mcu_now());
    if (plan_.limits.instructions != 0) {
        const std::uint64_t done = chip_->core().core().instructions();
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
    if (interrupted() || output_gone_ || console_->gone()) return RunVerdict::Interrupted;
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
    if (most != 0 && chip_->core().core().instructions() >= most) return RunVerdict::Limit;
    const Picoseconds duration = slice();
    if (duration == 0) return RunVerdict::Limit;
    sc_core::sc_start(models::to_sc_time(duration), sc_core::SC_RUN_TO_TIME);
    if (!unmodelled_.empty()) return RunVerdict::Unmodelled;
    if (host_->exit_code()) return RunVerdict::Exit;
    if (reset_requested_) return RunVerdict::Reset;
    if (output_gone_) return RunVerdict::Interrupted;
    if (chip_->core().stopped() != Stop::Budget) return verdict_of_stop();
    if (!sc_core::sc_pending_activity()) return RunVerdict::Asleep;
    return look();
}

McuOutcome McuSession::run() {
    const InterruptGuard guard;
    const double start = mcu_cpu_seconds();
    begun_ = std::chrono::steady_clock::now();
    chip_->core().release_reset();
    std::optional<RunVerdict> end;
    while (!end) end = advance();
    McuOutcome outcome;
    outcome.verdict = *end;
    describe(outcome);
    outcome.host_seconds = mcu_cpu_seconds() - start;
    // What the program gave the serial port leaves it: a full FIFO and the frame on the line.
    constexpr unsigned kFrames = 10;
    const bool stopped = chip_->core().stopped() != Stop::Budget;
    if (stopped)
        sc_core::sc_start(models::to_sc_time(std::max<Picoseconds>(1, kFrames * port_->frame_ps())),
                          sc_core::SC_RUN_TO_TIME);
    host_->finish();
    streams_.out.flush();
    try {
        console_->finish();
    } catch (const UserError&) {
        console_failure_ = std::current_exception();
    }
    return outcome;
}

void McuSession::describe(McuOutcome& outcome) {
    models::core::Core& core = chip_->core().core();
    outcome.exit_code = host_->exit_code().value_or(0);
    outcome.pc = core.pc();
    outcome.what = unmodelled_;
    outcome.instructions = core.instructions();
    outcome.cycles = core.cycles();
    outcome.time = mcu_now();
    outcome.core_hz = chip_->core().clock_hz();
    outcome.core_faults = core_faults_;
    outcome.access_faults = access_faults_;
    outcome.first_fault = first_fault_;
    models::core::CpuState& cpu = core.state();
    const bool secure = std::exchange(cpu.secure, true);
    const auto word = [&](std::uint32_t address) {
        std::uint32_t value = 0;
        return core.system().read_ppb(cpu, address, 4, core.cycles(), value) ? value : 0;
    };
    outcome.cfsr = word(0xE000ED28);
    outcome.hfsr = word(0xE000ED2C);
    outcome.bfar = word(0xE000ED38);
    cpu.secure = secure;
}

void McuSession::require_console() {
    if (console_failure_) std::rethrow_exception(console_failure_);
}

}  // namespace n6vp::sim

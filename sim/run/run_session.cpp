// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <span>

#include "memmap/chips/chips.h"
#include "sim/faults/state_dump.h"
#include "sim/host/cpu_time.h"
#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/host/png.h"
#include "sim/host/signals.h"
#include "sim/info/image_report.h"
#include "sim/model_file/model_pools.h"
#include "sim/run/camera_setup.h"
#include "sim/run/run_files.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::core::Stop;

/// The phases of the program, such as the inferences of the tool's own firmware.
void log_phase(const Phase& phase) {
    constexpr double kPerMicrosecond = 1e6;
    if (phase.ended) {
        log(LogComponent::Inference, LogLevel::Info, "phase {} '{}' ends after {:.3f} us", phase.id,
            phase.name, static_cast<double>(phase.duration()) / kPerMicrosecond);
    } else {
        log(LogComponent::Inference, LogLevel::Info, "phase {} '{}' begins", phase.id, phase.name);
    }
}

/// The enabled wake-up pins: "PC13 rising, PD2 falling".
[[nodiscard]] std::string wake_up_pins(const models::Peripherals& soc) {
    std::vector<std::string> pins;
    for (unsigned pin = 0; pin < models::Pwr::kPins; ++pin) {
        if ((soc.pwr.enabled_pins() >> pin & 1) == 0) continue;
        const bool falling = (soc.pwr.falling_pins() >> pin & 1) != 0;
        pins.push_back(models::Peripherals::wake_up_pin(pin) + (falling ? " falling" : " rising"));
    }
    return fmt::format("{}", fmt::join(pins, ", "));
}

}  // namespace

/// Ends the run where strictness refused an access.
struct RunSession::Log : models::RegisterLog {
    explicit Log(RegisterReport& to) : report(to) {}
    [[nodiscard]] bool accessed(const models::RegisterAccess& access) override {
        const bool allowed = report.accessed(access);
        if (!allowed && on_refusal) on_refusal();
        return allowed;
    }
    RegisterReport& report;
    std::function<void()> on_refusal;
};

RunSession::RunSession(const RunPlan& plan, Streams streams)
    : plan_(plan),
      streams_(streams),
      watch_(plan.expect.console_texts()),
      mailbox_text_(&streams.out),
      budget_(std::make_shared<FileBudget>()),
      card_(plan),
      progress_(plan.quiet) {
    budget_->on_refusal = [this](const std::string& text) { streams_.err << text; };
    if (!plan.elf.text.empty()) read_program();
    if (!plan.svd.text.empty()) {
        names_ = told_from(plan.svd.origin, [&] { return RegisterNames::read(plan.svd.text); });
    }
    if (!plan.camera.text.empty()) {
        pictures_ =
            told_from(plan.camera.origin, [&] { return read_camera_pictures(plan.camera.text); });
    }
    std::vector<RunFile> files = read_run_files(plan, program_, symbols_ ? &*symbols_ : nullptr);
    start_at_ = start_of(plan, program_, symbols_ ? &*symbols_ : nullptr, files);
    for (const RunFile& file : files) {
        if (file.path.empty() || !models::is_boot_image(file.content)) continue;
        boot_images_.push_back(
            {file.name, file.address, report::boot_header_of(file.path, file.content)});
    }
    build();
    load(files);
}

RunSession::~RunSession() = default;

void RunSession::read_program() {
    program_ = told_from(plan_.elf.origin, [this] { return ExecProgram::read(plan_.elf.text); });
    try {
        symbols_.emplace(ElfFile::read(plan_.elf.text));
    } catch (const UserError&) {
        // It runs without symbols, too: it may be stripped of its sections.
    }
}

void RunSession::build() {
    registers_ = std::make_unique<RegisterReport>(
        plan_.strict ? StrictRegisters::All : StrictRegisters::Off, &names_);
    log_ = std::make_unique<Log>(*registers_);
    record_phases();
    connect_mailbox();
    PlatformOptions options = plan_.options;
    options.vectors = start_at_.vectors;
    options.start = start_at_.registers;
    std::vector<PortPlace> places = plan_.uarts;
    const std::string& port = plan_.uart_port.text;
    const PortPlace console =
        main_place(places, {port.empty() ? "usart1" : port, plan_.uart.text, plan_.uart.origin});
    std::unique_ptr<ConsoleBackend> place =
        told_from(console.origin, [&] { return open_console(console.place); });
    if (streams_.replace_console) place = streams_.replace_console(std::move(place));
    platform_ = std::make_unique<Platform>(plan_.parameters, options, log_.get(), mailbox_.get());
    connect_probe(places);
    connect_consoles(std::move(place), places);
    board_ = std::make_unique<BoardDevices>("board", plan_.board, platform_->soc().io,
                                            platform_->soc().camera);
    if (!plan_.camera.text.empty()) platform_->soc().camera.show(std::move(pictures_));
    card_.connect(platform_->soc().io);
    sound_ = std::make_unique<BoardSound>(plan_, platform_->soc().io.sound);
    events_ = std::make_unique<RunEvents>(*platform_, symbols_ ? &*symbols_ : nullptr);
    events_->listen();
    watch_faults();
    platform_->events().exception.listen(kDriverPlace, [this](unsigned, bool begins) {
        if (begins) ++exceptions_;
    });
    connect_semihosting();
    platform_->hooks.reset_request = [this] {
        if (!reset_pc_) reset_pc_ = platform_->core().core().pc();
        platform_->stop();
    };
    if (plan_.strict) stop_at_unmodelled();
    platform_->elaborate();
}

void RunSession::record_phases() {
    PhaseNames names;
    names.initiators = models::Stm32n6::initiator_names(plan_.options);
    names.targets = Platform::target_names();
    phases_ = std::make_unique<PhaseRecorder>(
        names, [this](models::Picoseconds at) { return sample(at); });
    phases_->on_change = [this](const Phase& phase) {
        log_phase(phase);
        if (streams_.on_phase) guarded([&] { streams_.on_phase(phase); });
    };
}

void RunSession::connect_consoles(std::unique_ptr<ConsoleBackend> place,
                                  const std::vector<PortPlace>& others) {
    models::IoPeripherals& io = platform_->soc().io;
    ConsoleGroup::Chip chip{
        "STM32N6", {}, "USART1", [&io](std::string_view name) { return io.uart(name); }};
    for (const auto& each : io.uarts()) chip.ports.emplace_back(each.row->name);
    if (!plan_.uart_port.text.empty()) chip.main = serial_port_name(plan_.uart_port.text);
    port_ = io.uart(chip.main);
    if (port_ == nullptr) {
        throw UserError(
            fmt::format("{}: the STM32N6 has no serial port '{}'", plan_.uart_port.origin,
                        traces::terminal_text(plan_.uart_port.text)),
            fmt::format("give one of {}", fmt::join(chip.ports, ", ")));
    }
    log(LogComponent::Console, LogLevel::Info, "{} is connected to {}", chip.main, place->place());
    console_ = std::make_unique<Console>("console", *port_, std::move(place));
    console_->announce(streams_.err, others.empty() ? std::string_view() : chip.main);
    consoles_.open(others, chip, streams_.err);
    inputs_ = std::make_unique<InputFeed>(
        "inputs", plan_.board.inputs, chip,
        InputFeed::Board{[&io](const std::string& port, unsigned pin, bool level,
                               models::Picoseconds at) { io.gpio(port)->drive(pin, level, at); },
                         [&io](const std::string& bus) { return io.i2c(bus); }});
    const auto on_failure = [this] {
        output_gone_ = console_failed_ = true;
        platform_->stop();
    };
    console_->on_failure = on_failure;
    consoles_.set_on_failure(on_failure);
    console_->on_character = [this](char character) {
        ++happened_;
        watch_.take(ConsoleWatch::Channel::Serial, {&character, 1});
    };
}

void RunSession::connect_probe(std::vector<PortPlace>& places) {
    probe_.open(places, streams_.err);
    probe_.on_text = [this](std::string_view text) {
        happened_ += text.size();
        watch_.take(ConsoleWatch::Channel::Probe, text);
    };
    probe_.on_failure = [this] {
        output_gone_ = console_failed_ = true;
        platform_->stop();
    };
    models::CoreModule& core = platform_->core();
    core.probe_ports = probe_.itm_ports();
    core.on_stimulus = [this](unsigned port, std::uint32_t value, unsigned bytes) {
        probe_.stimulus(port, value, bytes);
    };
    if (!probe_.wants_rtt()) return;
    RttReader::Memory memory{[this](std::uint32_t from, std::span<std::uint8_t> bytes) {
                                 return platform_->core_view().fetch(from, bytes);
                             },
                             [this](std::uint32_t to, std::span<const std::uint8_t> bytes) {
                                 return platform_->core_view().store(to, bytes);
                             },
                             {}};
    for (const Platform::Memory& each : platform_->memories()) {
        const memmap::Region& region = *each.region;
        using memmap::RegionKind;
        if (region.kind != RegionKind::Ram && region.kind != RegionKind::Tcm) continue;
        if (region.has_two_aliases())
            memory.ram.push_back({to_word(region.secure), region.fitted_bytes});
        memory.ram.push_back({to_word(region.non_secure), region.fitted_bytes});
    }
    probe_.read_rtt(RttReader(std::move(memory), symbols_ ? &*symbols_ : nullptr),
                    plan_.rtt_interval);
}

void RunSession::connect_semihosting() {
    Semihosting::Setup services;
    services.out = &streams_.out;
    services.err = &streams_.err;
    services.budget = budget_;
    services.on_text = [this](std::string_view text) {
        watch_.take(ConsoleWatch::Channel::Semihosting, text);
    };
    semihosting_ = std::make_unique<RunSemihosting>(
        plan_, std::move(services),
        RunSemihosting::Memory{[this](std::uint32_t from, std::span<std::uint8_t> bytes) {
                                   return platform_->core_view().fetch(from, bytes);
                               },
                               [this](std::uint32_t to, std::span<const std::uint8_t> bytes) {
                                   return platform_->core_view().store(to, bytes);
                               }},
        plan_.parameters.clock.cpu.value * 1e6, [this] { return platform_->time(); });
    platform_->hooks.semihosting = [this](models::core::Core& core) {
        ++happened_;
        guarded([&] { semihosting_->answer(core); });
        look_for_readers();
        if (semihosting_->exit_code()) {
            exit_code_ = semihosting_->exit_code();
            platform_->stop();
        }
        return true;
    };
}

void RunSession::stop_at_unmodelled() {
    log_->on_refusal = [this] {
        if (unmodelled_.empty()) unmodelled_ = registers_->refused()->name;
        platform_->stop();
    };
    events_->on_npu_refusal = [this](const std::string& name) {
        if (unmodelled_.empty()) unmodelled_ = name;
        platform_->stop();
    };
    events_->on_npu_assumption = [this](const RunAssumption& assumption) {
        if (unmodelled_.empty()) {
            unmodelled_ = fmt::format("NPU {} with {}", assumption.unit, assumption.feature);
            assumed_ = true;
        }
        platform_->stop();
    };
    platform_->events().unmodelled_core_register.listen(
        kDriverPlace, [this](std::uint32_t address, bool) {
            if (unmodelled_.empty()) unmodelled_ = register_text(address);
            platform_->stop();
        });
}

void RunSession::watch_faults() {
    fault_report::Setup setup;
    setup.program = symbols_ ? &*symbols_ : nullptr;
    setup.names = &names_;
    for (const RunConfig::Value& file : plan_.symbols) setup.symbols.push_back(file.text);
    const std::string origin = plan_.symbols.empty() ? "" : plan_.symbols.front().origin;
    faults_ = told_from(
        origin, [&] { return std::make_unique<fault_report::RunFaults>(*platform_, setup); });
    faults_->log().phase = [this] { return phases_->path(); };
    faults_->listen();
    if (!plan_.screen.text.empty())
        told_from(plan_.screen.origin, [this] { screen_.emplace(plan_.screen.text); });
    if (!plan_.dump.text.empty()) {
        told_from(plan_.dump.origin, [this] { fault_report::prepare_dump(plan_.dump.text); });
    }
}

void RunSession::connect_mailbox() {
    RunMailbox::Setup setup;
    setup.folder = plan_.files.text;
    setup.arguments = plan_.arguments.text;
    setup.budget = budget_;
    setup.on_text = [this](std::span<const std::uint8_t> text) {
        const std::string_view shown(reinterpret_cast<const char*>(text.data()), text.size());
        watch_.take(ConsoleWatch::Channel::Mailbox, shown);
        mailbox_text_.put(shown);
        if (streams_.on_mailbox) guarded([&] { streams_.on_mailbox(shown); });
        look_for_readers();
        // The serial port may write to the same place, without this stream.
        if (!text.empty() && text.back() == '\n') streams_.out.flush();
    };
    setup.on_exit = [this](std::uint32_t code, models::Picoseconds) {
        exit_code_ = code;
        platform_->stop();
    };
    setup.cycles = [this](models::Picoseconds at) { return platform_->core().cycles_at(at); };
    told_from(plan_.files.origin,
              [&] { mailbox_ = std::make_unique<RunMailbox>(std::move(setup), *phases_); });
}

void RunSession::load(std::vector<RunFile>& files) {
    for (RunFile& file : files) {
        const std::size_t bytes = file.content.size();
        if (is_model(file.content)) {
            faults_->add_model({file.address, static_cast<std::uint32_t>(bytes), file.name});
        }
        if (platform_->load(GuestAddr{file.address}, std::move(file.content))) continue;
        // A program for the flash of an older chip, without --chip.
        const bool other =
            std::ranges::any_of(memmap::kChips, [&file](const memmap::Chip* const chip) {
                return memmap::memory_at(*chip, file.address) != nullptr;
            });
        throw UserError(
            fmt::format("{}: {} at 0x{:08x}, {} bytes: no memory, or too little, at this address",
                        file.origin, file.name, file.address, bytes),
            nearest_memory(file.address) + "; `n6vp map` shows all of them" +
                (other ? "; older chips have memory there: --chip NAME" : ""));
    }
}

PhaseCounters RunSession::sample(models::Picoseconds at) {
    PhaseCounters counters;
    if (platform_ == nullptr) return counters;
    counters.cycles = cycles_before_ + platform_->core().cycles_at(at);
    counters.instructions = instructions();
    for (unsigned initiator = 0; initiator < platform_->initiators(); ++initiator) {
        for (unsigned target = 0; target < platform_->targets(); ++target) {
            const models::Flow& flow = platform_->bus().flow(initiator, target);
            if (flow.reads + flow.writes == 0) continue;
            counters.flows.push_back({initiator, target, flow.bytes_read, flow.bytes_written,
                                      flow.waited, flow.waited_for});
        }
    }
    return counters;
}

template <typename Work>
void RunSession::guarded(Work work) {
    if (failure_) return;
    try {
        work();
    } catch (...) {
        failure_ = std::current_exception();
        platform_->stop();
    }
}

void RunSession::look_for_readers() {
    if (output_gone_ || (streams_.out && !console_->gone() && !consoles_.gone() && !probe_.gone()))
        return;
    output_gone_ = true;
    platform_->stop();
}

bool RunSession::poll() {
    if (interrupted()) return false;
    probe_.look(sc_core::sc_time_stamp().value());
    const std::uint64_t activity = bus_activity(*platform_) + happened_;
    faults_->look(activity);
    look_for_readers();
    if (output_gone_) return false;
    if (plan_.host_seconds != 0) {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
        host_time_over_ = taken.count() > plan_.host_seconds;
        if (host_time_over_) return false;
    }
    models::core::Core& core = platform_->core().core();
    if (waits_for_clock()) ++exceptions_;
    no_progress_ = !progress_.gets_on(
        {platform_->time(), activity + exceptions_, register_state(core.state())});
    if (no_progress_) return false;
    constexpr double kInterval = 0.5;  // s of CPU time
    const double now = streams_.progress ? cpu_seconds() : 0;
    if (now - last_progress_ > kInterval) show_progress(now);
    return true;
}

bool RunSession::waits_for_clock() {
    if (platform_->chip().in_standby()) return platform_->soc().rtc.will_interrupt();
    return platform_->core().asleep() && tick_wakes(platform_->core().core());
}

void RunSession::show_progress(double now) {
    last_progress_ = now;
    progress_shown_ = true;
    const std::string activity =
        streams_.activity ? streams_.activity() : traces::terminal_text(phases_->current());
    const double ms = static_cast<double>(platform_->time()) * 1e-9;
    streams_.err << fmt::format(
        "\r{}{}{:.1f} ms simulated, {:.1f} million instructions, {:.1f} ms per host second \033[K",
        activity, activity.empty() ? "" : ": ", ms, static_cast<double>(instructions()) * 1e-6,
        ms / (now - start_));
    streams_.err.flush();
}

RunVerdict RunSession::verdict_of(RunEnd end) {
    if (!unmodelled_.empty()) return RunVerdict::Unmodelled;
    if (exit_code_) return RunVerdict::Exit;
    if (reset_pc_) return RunVerdict::Reset;
    if (output_gone_) return RunVerdict::Interrupted;
    switch (end) {
        case RunEnd::Polled:
            if (no_progress_) return RunVerdict::NoProgress;
            return host_time_over_ ? RunVerdict::Limit : RunVerdict::Interrupted;
        case RunEnd::Asleep:
            return RunVerdict::Asleep;
        case RunEnd::Stopped:
            return platform_->core().stopped() == Stop::Lockup ? RunVerdict::Lockup
                                                               : RunVerdict::Breakpoint;
        default:
            return RunVerdict::Limit;
    }
}

void RunSession::describe(RunOutcome& outcome) {
    models::core::Core& core = platform_->core().core();
    outcome.exit_code = exit_code_.value_or(0);
    outcome.pc = reset_pc_ ? *reset_pc_ : core.pc();
    outcome.what = unmodelled_;
    outcome.assumed = assumed_;
    outcome.npu_fault = events_->npu_fault();
    outcome.output_gone = output_gone_;
    outcome.console_failed = console_failed_;
    faults_->finish(outcome.verdict, outcome.exit_code,
                    no_progress_ ? platform_->time() - progress_.quiet_since() : 0);
    outcome.faulted = faults_->ended_run();
    outcome.doubtful = faults_->found_some();
    outcome.instructions = instructions();
    outcome.cycles = cycles_before_ + core.cycles();
    outcome.resets = resets_;
    outcome.wake_ups = wake_ups_;
    outcome.standby = platform_->chip().in_standby();
    if (outcome.standby) outcome.wake_up_pins = wake_up_pins(platform_->soc());
    outcome.time = platform_->time();
    outcome.core = collect_statistics(core, events_->core_coherence());
    outcome.status = read_fault_status(core);
}

EpochLog& RunSession::log_epochs() {
    if (!epochs_) epochs_ = std::make_unique<EpochLog>(*platform_);
    return *epochs_;
}

std::uint64_t RunSession::instructions() const {
    return instructions_before_ + platform_->core().core().instructions();
}

bool RunSession::restart() {
    const bool ends = exit_code_ || failure_ || !unmodelled_.empty() || output_gone_;
    const bool woken = platform_->chip().wakes_from_standby();
    if (!reset_pc_ || ends || (!woken && resets_ == plan_.resets)) return false;
    if (woken) {
        log(LogComponent::Platform, LogLevel::Info, "wake-up {} from Standby mode", ++wake_ups_);
    } else {
        log(LogComponent::Platform, LogLevel::Info, "reset {} of {}, requested at pc 0x{:08x}",
            resets_ + 1, plan_.resets, *reset_pc_);
        ++resets_;
    }
    reset_pc_.reset();
    const std::uint64_t instructions = platform_->core().core().instructions();
    const std::uint64_t cycles = platform_->core().core().cycles();
    platform_->restart(models::core::Reset::Warm);
    instructions_before_ += instructions;
    cycles_before_ += cycles;
    note_reset();
    return true;
}

RunEnd RunSession::advance(const std::function<bool()>& look) {
    while (true) {
        RunLimits left = plan_.limits;
        if (left.time != 0) left.time -= std::min(left.time - 1, platform_->time());
        if (left.instructions != 0)
            left.instructions -= std::min(left.instructions - 1, instructions_before_);
        const RunEnd end = platform_->advance(left, look);
        if (!restart()) return end;
        // The last start may have ended within the limits, all together not.
        if (plan_.limits.time != 0 && platform_->time() >= plan_.limits.time) return RunEnd::Time;
        if (plan_.limits.instructions != 0 && instructions() >= plan_.limits.instructions)
            return RunEnd::Instructions;
        // A program may reset the chip before every look of the platform.
        if (!look()) return RunEnd::Polled;
    }
}

RunOutcome RunSession::run() {
    const InterruptGuard guard;
    RunOutcome outcome;
    const double start = cpu_seconds();
    last_progress_ = start_ = start;
    begun_ = std::chrono::steady_clock::now();
    const auto look = [this] { return poll(); };
    const RunEnd end = drive ? drive(look) : advance(look);
    outcome.verdict = verdict_of(end);
    if (failure_) std::rethrow_exception(failure_);
    describe(outcome);
    outcome.hash = platform_->trace_hash();
    outcome.host_seconds = cpu_seconds() - start;
    phases_->finish(sc_core::sc_time_stamp().value());
    // What the program gave the serial port leaves it: a full FIFO and the frame on the line. A
    // limit of time is one for the line, too, and a core that sleeps for ever waits for no line.
    constexpr unsigned kFrames = 10;
    if (outcome.verdict != RunVerdict::Limit && outcome.verdict != RunVerdict::Asleep &&
        outcome.verdict != RunVerdict::NoProgress) {
        platform_->let_pass(kFrames * std::max(port_->frame_ps(), consoles_.frame_ps()));
    }
    if (epochs_) epochs_->finish();
    if (progress_shown_) streams_.err << "\r\033[K";
    semihosting_->finish();
    mailbox_text_.finish();
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

void RunSession::require_console() {
    if (console_failure_) std::rethrow_exception(console_failure_);
}

void RunSession::write_dump() {
    if (plan_.dump.text.empty()) return;
    (void)fault_report::write_state(plan_.dump.text, *platform_, *faults_);
}

void RunSession::write_screen() {
    if (!screen_) return;
    const models::Picture picture = platform_->soc().ltdc.picture();
    if (picture.rgb.empty()) {
        streams_.err << fmt::format("{}: LTDC has shown no whole picture: {} is not written\n",
                                    plan_.screen.origin, traces::terminal_text(plan_.screen.text));
    } else {
        write_png(screen_->stream(), picture.width, picture.height, picture.rgb);
        screen_->commit();
    }
    screen_.reset();
}

}  // namespace n6vp::sim

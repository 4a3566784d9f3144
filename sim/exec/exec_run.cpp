// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ostream>

#include "models/core/system/exception_costs.h"
#include "sim/console/semihosting.h"
#include "sim/exec/exec_memory.h"
#include "sim/exec/exec_trace.h"
#include "sim/host/cpu_time.h"
#include "sim/host/errors.h"
#include "sim/host/signals.h"

namespace n6vp::sim {

namespace {

using models::core::Core;
using models::core::CoreConfig;
using models::core::CpuState;
using models::core::Stop;
using models::core::Timing;

/// Longest stretch without a look at the limits, cycles: some hundredths of a second.
constexpr std::uint64_t kStretch = 1'000'000;
constexpr std::uint32_t kItcmSecure = 0x10000000, kAliasBit = 0x10000000;

/// What the core's registers say while it runs. The first thing that ends the run counts.
class RegisterWatch {
  public:
    struct End {
        ExecEnd end = ExecEnd::Reset;
        std::uint32_t pc = 0, address = 0;
        bool write = false;
    };

    void listen(models::core::SystemConfig& config, bool strict) {
        config.reset_request = [this] { stop({ExecEnd::Reset, 0, 0, true}); };
        if (!strict) return;
        config.unmodelled = [this](std::uint32_t address, bool write) {
            stop({ExecEnd::Unmodelled, 0, address, write});
        };
    }
    void attach(Core& core) { core_ = &core; }
    [[nodiscard]] const std::optional<End>& end() const { return end_; }

  private:
    void stop(End end) {
        if (core_ == nullptr || end_) return;
        end.pc = core_->pc();
        end_ = end;
        core_->request_stop();
    }

    Core* core_ = nullptr;
    std::optional<End> end_;
};

void load(FlatMemory& memory, const ExecProgram& program) {
    for (const ExecProgram::Segment& segment : program.segments) {
        const auto bytes = static_cast<std::uint32_t>(segment.content.size());
        const auto place = memory.view(segment.address, bytes);
        if (place.empty())
            throw UserError(
                fmt::format("no memory for a segment of {} bytes at 0x{:08x}", bytes,
                            segment.address),
                "link the program to RAM of the STM32N6 or of the mps3-an547 board, see n6vp map");
        std::memcpy(place.data(), segment.content.data(), bytes);
    }
}

std::uint32_t word_at(FlatMemory& memory, std::uint32_t address) {
    const auto bytes = memory.view(address, 4);
    std::uint32_t value = 0;
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

/// Returns true if a stack pointer and an address of code stand at `address`.
bool looks_like_vectors(FlatMemory& memory, std::uint32_t address) {
    const std::uint32_t sp = word_at(memory, address), pc = word_at(memory, address + 4);
    const bool stack = sp != 0 && sp % 4 == 0 && !memory.view(sp - 4, 4).empty();
    return stack && (pc & 1) != 0 && !memory.view(pc & ~1u, 2).empty();
}

std::uint32_t find_vectors(FlatMemory& memory, const ExecProgram& program, const ExecSetup& setup) {
    if (setup.vectors) return *setup.vectors;
    // The core starts Secure: code at the Secure alias, which is where it fetches from.
    for (const ExecProgram::Segment& segment : program.segments) {
        if (looks_like_vectors(memory, segment.address)) return segment.address;
    }
    const std::uint32_t start =
        setup.core->has(models::core::isa::Feature::Security) ? kItcmSecure : 0;
    if (looks_like_vectors(memory, start)) return start;
    throw UserError("no vector table at the start of any segment",
                    "name its address: --vectors ADDR");
}

models::core::Attribution board_attribution(FlatMemory& memory, std::uint32_t address) {
    models::core::Attribution result;
    const unsigned region = address >> 28;
    // The private bus and the megabyte at its other alias.
    result.exempt = (address & 0xEFF00000) == 0xE0000000;
    result.region_valid = !result.exempt;
    result.region = static_cast<std::uint8_t>(region);
    result.secure = (address & kAliasBit) != 0;
    const std::uint32_t callable = word_at(memory, FlatMemory::kCallableControl);
    result.callable = (region == 1 && (callable & 1) != 0) || (region == 3 && (callable & 2) != 0);
    return result;
}

void take_on_board(models::core::SystemConfig& system, const ExecSetup& setup, FlatMemory& memory) {
    switch (setup.board) {
        case ExecBoard::N6:
            return;
        case ExecBoard::An547:
            system.interrupts = 128;  // 32 of the subsystem, 96 of the board
            if (setup.core == &models::core::cortex_m55()) system.core.cpuid = 0x410FD221;  // r0p1
            break;
        case ExecBoard::An505:
            system.interrupts = 124;  // 32 and 92
            break;
        case ExecBoard::An386:
            system.interrupts = 32;
            break;
    }
    system.priority_bits = 8;
    if (setup.board == ExecBoard::An386) return;
    system.attribution = [&memory](std::uint32_t address) {
        return board_attribution(memory, address);
    };
}

CoreConfig core_config(const ExecSetup& setup, std::uint32_t vectors, FlatMemory& memory) {
    CoreConfig config;
    config.timing = setup.timing;
    config.system.core = *setup.core;
    config.issue = setup.pipeline;
    config.cortex_m4 = setup.cortex_m4;
    config.cortex_m33 = setup.cortex_m33;
    config.cortex_m7 = setup.cortex_m7;
    config.caches = setup.cache;
    config.system.exceptions = setup.exception
                                   ? *setup.exception
                                   : models::core::exception_parameters(setup.core->pipeline);
    // The N6's with all of FLEXMEM given to either.
    const std::uint32_t tcm = setup.board == ExecBoard::N6 ? 256 * 1024 : 512 * 1024;
    for (const std::uint32_t start : {0x00000000u, 0x10000000u, 0x20000000u, 0x30000000u})
        config.tcm.push_back({start, start + (tcm - 1)});
    config.system.vector_table = vectors;
    take_on_board(config.system, setup, memory);
    return config;
}

std::uint32_t system_word(Core& core, std::uint32_t address) {
    std::uint32_t value = 0;
    const bool read = core.system().read_ppb(core.state(), address, 4, core.cycles(), value);
    return read ? value : 0;
}

void describe_fault(Core& core, ExecOutcome& outcome) {
    // As Secure code sees them, whatever state the core locked up in.
    CpuState& cpu = core.state();
    const bool secure = cpu.secure;
    outcome.cfsr = system_word(core, 0xE000ED28);
    outcome.mmfar = system_word(core, 0xE000ED34);
    cpu.secure = true;
    outcome.hfsr = system_word(core, 0xE000ED2C);
    outcome.bfar = system_word(core, 0xE000ED38);
    outcome.sfsr = system_word(core, 0xE000EDE4);
    cpu.secure = secure;
}

/// Lets the core run until something ends the program.
class Runner {
  public:
    Runner(Core& core, Semihosting& host, const RegisterWatch& watch, const ExecSetup& setup)
        : core_(core), host_(host), watch_(watch), setup_(setup) {}

    ExecEnd run() {
        while (true) {
            if (interrupted()) return ExecEnd::Interrupted;
            const std::uint64_t left = instructions_left(), cycles = cycles_left();
            if (left == 0 || cycles == 0 || host_time_over()) return ExecEnd::Limit;
            // More than one instruction may go into a cycle, but not four: the last ones singly.
            const Stop stop =
                left > 256 ? core_.run(std::min({left / 4, cycles, kStretch})) : core_.step();
            // The block of the access went on to its end: what stopped the core then is too late.
            if (watch_.end()) return watch_.end()->end;
            if (stop == Stop::Semihosting) {
                answer();
                if (host_.exit_code()) return ExecEnd::Exit;
            } else if (stop == Stop::Lockup) {
                return ExecEnd::Lockup;
            } else if (stop == Stop::Sleep && nothing_wakes()) {
                return ExecEnd::Asleep;
            }
        }
    }

  private:
    [[nodiscard]] std::uint64_t instructions_left() const {
        if (setup_.most_instructions == 0) return 4 * kStretch;
        const std::uint64_t done = core_.instructions();
        return done >= setup_.most_instructions ? 0 : setup_.most_instructions - done;
    }
    [[nodiscard]] std::uint64_t cycles_left() const {
        if (setup_.most_cycles == 0) return kStretch;
        const std::uint64_t done = core_.cycles();
        return done >= setup_.most_cycles ? 0 : setup_.most_cycles - done;
    }
    [[nodiscard]] bool host_time_over() const {
        if (setup_.host_seconds == 0) return false;
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
        return taken.count() > setup_.host_seconds;
    }
    /// Returns true if no timer is left to wake the core, or a timer's longest period went by and
    /// did not.
    [[nodiscard]] bool nothing_wakes() {
        constexpr std::uint64_t kMaxPeriod = std::uint64_t{1} << 30;
        if (core_.instructions() != asleep_since_instruction_) {
            asleep_since_instruction_ = core_.instructions();
            asleep_since_cycle_ = core_.cycles();
        }
        return core_.system().next_event(core_.state(), core_.cycles()) == ~std::uint64_t{0} ||
               core_.cycles() - asleep_since_cycle_ > kMaxPeriod;
    }
    void answer() {
        const std::uint32_t result = host_.call(core_.reg(0), core_.reg(1), core_.cycles());
        core_.set_reg(0, result);
        core_.skip_breakpoint();
    }

    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::uint64_t asleep_since_instruction_ = 0, asleep_since_cycle_ = 0;
    Core& core_;
    Semihosting& host_;
    const RegisterWatch& watch_;
    const ExecSetup& setup_;
};

}  // namespace

const char* timing_name(Timing timing) {
    switch (timing) {
        case Timing::Functional:
            return "functional";
        case Timing::Approx:
            return "approx";
        default:
            return "precise";
    }
}

namespace {

Semihosting::Setup services(FlatMemory& memory, const ExecSetup& setup) {
    Semihosting::Setup result;
    result.view = [&memory](std::uint32_t address, std::uint32_t bytes) {
        return memory.view(address, bytes);
    };
    result.out = setup.out;
    result.err = setup.err;
    result.in = setup.in;
    result.folder = setup.folder;
    result.command_line = setup.command_line;
    result.hz = kExecCoreHz;
    result.budget->on_refusal = [err = setup.err](const std::string& text) {
        if (err != nullptr) *err << text;
    };
    return result;
}

}  // namespace

ExecOutcome run_program(const ExecProgram& program, const ExecSetup& setup) {
    FlatMemory memory;
    if (setup.board == ExecBoard::An505) memory.add_an505();
    load(memory, program);
    RegisterWatch watch;
    CoreConfig config = core_config(setup, find_vectors(memory, program, setup), memory);
    watch.listen(config.system, setup.strict);
    Core core(config, memory);
    watch.attach(core);
    CoherenceLog coherence;
    core.set_coherence_hook(
        [&coherence](const models::core::CoherenceEvent& event) { coherence.add(event); });
    core.reset();
    Semihosting host(services(memory, setup));
    host.about_to_write = [&core](std::uint32_t start, std::uint32_t end) {
        core.other_writes(start, end, kSemihostingMaster);
    };
    if (setup.trace && setup.trace_out != nullptr) {
        core.set_trace([trace = InstructionTrace(*setup.trace_out)](
                           const CpuState& /*cpu*/, std::uint32_t pc,
                           std::uint32_t encoding) mutable { trace(pc, encoding); });
    }
    ExecOutcome outcome;
    const InterruptGuard guard;
    const double start = cpu_seconds();
    outcome.end = Runner(core, host, watch, setup).run();
    host.finish();
    outcome.host_seconds = cpu_seconds() - start;
    outcome.instructions = core.instructions();
    outcome.cycles = core.cycles();
    outcome.pc = watch.end() ? watch.end()->pc : core.pc();
    if (watch.end()) {
        outcome.register_address = watch.end()->address;
        outcome.register_written = watch.end()->write;
    }
    if (host.exit_code()) outcome.exit_code = *host.exit_code();
    outcome.statistics = collect_statistics(core, coherence);
    if (outcome.end == ExecEnd::Lockup) describe_fault(core, outcome);
    return outcome;
}

}  // namespace n6vp::sim

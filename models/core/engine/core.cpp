// SPDX-License-Identifier: Apache-2.0
#include "models/core/core.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/core/engine/engine.h"
#include "models/core/system/system_registers.h"
#include "models/core/timing/cortex_m33_model.h"
#include "models/core/timing/cortex_m4_model.h"
#include "models/core/timing/cortex_m7_model.h"
#include "models/core/timing/memory_stalls.h"
#include "models/core/timing/pipeline_model.h"

namespace n6vp::models::core {

namespace {

/// Where a called function returns to: execute-never on every Armv8-M, so no program lives there.
constexpr std::uint32_t kCallReturn = 0xEFFFFFF0;

struct KeptRegister {
    std::uint32_t address, bits;
};
/// DEMCR.TRCENA, DWT_CTRL, DWT_CYCCNT, ITM_TCR, ITM_TER, ITM_TPR.
constexpr std::array kKept{KeptRegister{0xE000EDFC, 1u << 24}, KeptRegister{0xE0001000, ~0u},
                           KeptRegister{0xE0001004, ~0u},      KeptRegister{0xE0000E80, ~0u},
                           KeptRegister{0xE0000E00, ~0u},      KeptRegister{0xE0000E40, ~0u}};

/// Debug registers that a warm reset does not touch: DEMCR.TRCENA, DWT and ITM.
class DebugRegisters {
  public:
    DebugRegisters(System& system, CpuState& cpu, std::uint64_t now)
        : lock_(read(system, cpu, kDwtLockStatus, now)) {
        for (std::size_t i = 0; i < kKept.size(); ++i)
            values_[i] = read(system, cpu, kKept[i].address, now) & kKept[i].bits;
    }

    static void enable_trace(System& system, CpuState& cpu, std::uint64_t now,
                             std::uint32_t ports) {
        constexpr std::uint32_t kDemcr = 0xE000EDFC, kTraceEnable = 1u << 24, kTer = 0xE0000E00,
                                kTcr = 0xE0000E80, kItmEnableAsBus1 = 1u << 16 | 1;
        const auto set = [&](std::uint32_t address, std::uint32_t bits) {
            write(system, cpu, address, read(system, cpu, address, now) | bits, now);
        };
        set(kDemcr, kTraceEnable);
        set(kTcr, kItmEnableAsBus1);
        set(kTer, ports);
    }

    void restore(System& system, CpuState& cpu, std::uint64_t now) const {
        const bool locks = (lock_ & kLockExists) != 0, locked = (lock_ & kLocked) != 0;
        if (locks) write(system, cpu, kDwtLockAccess, kUnlock, now);
        for (std::size_t i = 0; i < kKept.size(); ++i)
            write(system, cpu, kKept[i].address, values_[i], now);
        if (locks && locked) write(system, cpu, kDwtLockAccess, 0, now);
    }

  private:
    static constexpr std::uint32_t kDwtLockAccess = 0xE0001FB0, kDwtLockStatus = 0xE0001FB4,
                                   kUnlock = 0xC5ACCE55, kLockExists = 1, kLocked = 2;

    /// The debugger's view: privileged and secure whatever the core is.
    class Rights {
      public:
        explicit Rights(CpuState& cpu)
            : cpu_(cpu), secure_(cpu.secure), privileged_(cpu.privileged) {
            cpu.secure = cpu.privileged = true;
        }
        Rights(const Rights&) = delete;
        Rights& operator=(const Rights&) = delete;
        ~Rights() {
            cpu_.secure = secure_;
            cpu_.privileged = privileged_;
        }

      private:
        CpuState& cpu_;
        bool secure_, privileged_;
    };

    static std::uint32_t read(System& system, CpuState& cpu, std::uint32_t address,
                              std::uint64_t now) {
        const Rights rights(cpu);
        std::uint32_t value = 0;
        return system.read_ppb(cpu, address, 4, now, value) ? value : 0;
    }
    static void write(System& system, CpuState& cpu, std::uint32_t address, std::uint32_t value,
                      std::uint64_t now) {
        const Rights rights(cpu);
        static_cast<void>(system.write_ppb(cpu, address, 4, now, value));
    }

    std::uint32_t lock_;  ///< DWT_LSR
    std::array<std::uint32_t, kKept.size()> values_{};
};

/// The core is busy: neither run nor reset it from inside.
class Running {
  public:
    explicit Running(bool& running) : running_(running) { running_ = true; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() { running_ = false; }

  private:
    bool& running_;
};

}  // namespace

struct Core::Parts {
    Parts(const CoreConfig& config, CoreBus& bus, std::unique_ptr<System> system)
        : engine(bus, std::move(system), make_issue_model(config), config.system.core) {
        engine.skips_polling = config.timing != Timing::Precise;
        if (config.timing != Timing::Functional && config.system.core.has_caches())
            caches = std::make_unique<CoreCaches>(config.caches, engine.bus, config.tcm,
                                                  config.coherence);
        if (config.timing == Timing::Functional || caches != nullptr || !config.memory_stalls)
            return;
        fetches = std::make_unique<FetchStalls>(engine.bus, config.tcm);
        loads = std::make_unique<LoadStalls>(engine.bus, config.tcm);
        fetches->set_loads(*loads);
        loads->set_fetches(*fetches);
    }

    static std::unique_ptr<IssueModel> make_issue_model(const CoreConfig& config) {
        if (config.timing == Timing::Functional) return std::make_unique<UnitIssueModel>();
        switch (config.system.core.pipeline) {
            case Pipeline::CortexM4:
                return std::make_unique<CortexM4Model>(config.cortex_m4);
            case Pipeline::CortexM7:
                return std::make_unique<CortexM7Model>(config.cortex_m7);
            case Pipeline::CortexM33:
                return std::make_unique<CortexM33Model>(config.cortex_m33);
            default:
                return std::make_unique<PipelineModel>(config.issue);
        }
    }

    Engine engine;
    std::unique_ptr<CoreCaches> caches;
    std::unique_ptr<FetchStalls> fetches;  ///< of a core without caches
    std::unique_ptr<LoadStalls> loads;
    std::vector<Watchpoint> watchpoints;
    WatchHit watch_hit;
    unsigned open_calls = 0;      ///< whose return has not been seen
    bool own_breakpoint = false;  ///< at kCallReturn, while calls are open
    bool running = false;
    std::optional<Reset> reset;  ///< asked for by what the core runs
};

Core::Core(const CoreConfig& config, CoreBus& bus)
    : Core(config, bus, std::make_unique<SystemRegisters>(config.system)) {}

Core::Core(const CoreConfig& config, CoreBus& bus, std::unique_ptr<System> system)
    : parts_(std::make_unique<Parts>(config, bus, std::move(system))) {
    if (parts_->caches != nullptr) {
        parts_->engine.cpu.data_cache = &parts_->caches->data;
        parts_->engine.cpu.instruction_cache = &parts_->caches->instructions;
        parts_->engine.builder.model_fetches = true;
        Parts& parts = *parts_;
        parts.caches->data.about_to_write_back = [&parts](std::uint32_t start, std::uint32_t end) {
            parts.engine.blocks.drop(start, end);
            parts.caches->instructions.memory_changes(start, end);
        };
        parts.caches->instructions.on_other_code = [&parts](std::uint32_t start,
                                                            std::uint32_t end) {
            parts.engine.blocks.drop(start, end);
        };
    }
    if (parts_->fetches != nullptr) {
        parts_->engine.cpu.data_cache = parts_->loads.get();
        parts_->engine.cpu.instruction_cache = parts_->fetches.get();
        parts_->engine.builder.model_fetches = true;
    }
    if (config.timing != Timing::Functional && config.system.core.pipeline == Pipeline::CortexM55) {
        parts_->engine.cpu.divide_bits_per_cycle =
            static_cast<std::uint8_t>(config.issue.divide_bits_per_cycle.value);
    }
    parts_->engine.system().attach(parts_->engine.memory, parts_->caches.get(),
                                   parts_->caches.get());
    parts_->engine.clear();
}

Core::~Core() = default;

template <class Execute>
Stop Core::execute(Execute execute) {
    if (parts_->running) return Stop::Requested;
    Stop stop = Stop::Budget;
    {
        const Running running(parts_->running);
        stop = execute();
    }
    if (!parts_->reset) return stop;
    reset_now(*std::exchange(parts_->reset, std::nullopt));
    return Stop::Requested;
}

void Core::reset(Reset kind) {
    if (!parts_->running) {
        reset_now(kind);
        return;
    }
    // A power-on reset forgets more than a warm one.
    if (parts_->reset != Reset::PowerOn) parts_->reset = kind;
    parts_->engine.request_stop();
}

void Core::reset_now(Reset kind) {
    reset_once(kind);
    while (parts_->reset) reset_once(*std::exchange(parts_->reset, std::nullopt));
}

void Core::reset_once(Reset kind) {
    const Running running(parts_->running);
    forget_calls();
    Engine& engine = parts_->engine;
    std::optional<DebugRegisters> kept;
    if (kind == Reset::Warm) kept.emplace(engine.system(), engine.cpu, engine.now());
    if (parts_->caches != nullptr) parts_->caches->reset();
    if (parts_->fetches != nullptr) {
        parts_->fetches->forget();
        parts_->loads->forget();
    }
    static_cast<void>(engine.memory.take_watch_hit());
    engine.reset();
    if (kept) kept->restore(engine.system(), engine.cpu, engine.now());
}

void Core::enable_trace(std::uint32_t ports) {
    Engine& engine = parts_->engine;
    DebugRegisters::enable_trace(engine.system(), engine.cpu, engine.now(), ports);
}

Stop Core::explain(Stop stop) {
    Engine& engine = parts_->engine;
    if (stop == Stop::Watchpoint) {
        parts_->watch_hit = engine.memory.take_watch_hit();
    } else if (stop == Stop::Breakpoint && parts_->open_calls != 0 &&
               engine.cpu.pc == kCallReturn) {
        if (parts_->open_calls == 1) {
            forget_calls();
        } else {
            --parts_->open_calls;
        }
        return Stop::Returned;
    }
    return stop;
}

void Core::forget_calls() {
    parts_->open_calls = 0;
    if (std::exchange(parts_->own_breakpoint, false)) remove_breakpoint(kCallReturn);
}

Stop Core::run(std::uint64_t cycles) {
    return execute([&] { return explain(parts_->engine.run(cycles)); });
}

Stop Core::run_awake(std::uint64_t cycles) {
    return execute([&] { return explain(parts_->engine.run(cycles, false)); });
}

void Core::pass_time(std::uint64_t cycles) {
    parts_->engine.pass_time(cycles);
}

bool Core::try_wake() {
    return parts_->engine.try_wake();
}

Stop Core::step() {
    return execute([this] { return step_engine(); });
}

Stop Core::step_engine() {
    Engine& engine = parts_->engine;
    const Stop stop = engine.step();
    if (stop == Stop::Watchpoint) return explain(stop);
    if (stop != Stop::Budget) return stop;
    if (engine.memory.watch_hit()) return explain(Stop::Watchpoint);
    // A step ends before the breakpoint that the return of a call is.
    const bool returned = parts_->open_calls != 0 && engine.cpu.pc == kCallReturn;
    return returned ? explain(Stop::Breakpoint) : stop;
}

std::uint64_t Core::cycles() const {
    return parts_->engine.now();
}
std::uint64_t Core::instructions() const {
    return parts_->engine.cpu.instructions;
}
void Core::set_skips_polling(bool on) {
    parts_->engine.skips_polling = on;
}
std::uint64_t Core::skipped_rounds() const {
    return parts_->engine.polling().skipped_rounds();
}
std::uint32_t Core::pc() const {
    return parts_->engine.cpu.pc;
}

void Core::set_pc(std::uint32_t pc) {
    CpuState& cpu = parts_->engine.cpu;
    cpu.pc = pc & ~1u;
    cpu.thumb = true;
    cpu.itstate = 0;
    parts_->engine.moved();
}

std::uint32_t Core::reg(unsigned number) const {
    const CpuState& cpu = parts_->engine.cpu;
    return number == 15 ? cpu.pc : cpu.r[number & 15];
}

void Core::set_reg(unsigned number, std::uint32_t value) {
    if (number == 15) {
        set_pc(value);
    } else {
        parts_->engine.cpu.r[number & 15] = number == 13 ? value & ~3u : value;
    }
}

CpuState& Core::state() {
    return parts_->engine.cpu;
}
const CoreCaches* Core::caches() const {
    return parts_->caches.get();
}

System& Core::system() {
    return parts_->engine.system();
}

Stop Core::call(std::uint32_t address, std::span<const std::uint32_t> arguments,
                std::uint64_t max_cycles) {
    if (parts_->running) return Stop::Requested;
    if (parts_->open_calls++ == 0 && !parts_->engine.builder.breakpoints.contains(kCallReturn)) {
        add_breakpoint(kCallReturn);
        parts_->own_breakpoint = true;
    }
    for (unsigned i = 0; i < std::min<std::size_t>(arguments.size(), 4); ++i)
        set_reg(i, arguments[i]);
    set_reg(14, kCallReturn | 1);
    set_pc(address);
    return run(max_cycles);
}

void Core::set_interrupt(unsigned irq, bool level) {
    Engine& engine = parts_->engine;
    engine.system().set_interrupt(engine.cpu, irq, level);
    ask_for_attention(engine.cpu);
}

void Core::receive_event() {
    parts_->engine.cpu.event = true;
}
void Core::request_stop() {
    parts_->engine.request_stop();
}
void Core::end_run_at(std::uint64_t cycle) {
    parts_->engine.end_run_at(cycle);
}
void Core::skip_breakpoint() {
    parts_->engine.skip_instruction(2);
}

void Core::add_breakpoint(std::uint32_t address) {
    parts_->engine.builder.breakpoints.insert(address & ~1u);
    parts_->engine.blocks.drop(address, address);
}

void Core::remove_breakpoint(std::uint32_t address) {
    parts_->engine.builder.breakpoints.erase(address & ~1u);
    parts_->engine.blocks.drop(address, address);
}

void Core::add_watchpoint(const Watchpoint& watchpoint) {
    parts_->watchpoints.push_back(watchpoint);
    parts_->engine.memory.set_watchpoints(parts_->watchpoints);
}

void Core::clear_watchpoints() {
    parts_->watchpoints.clear();
    parts_->engine.memory.set_watchpoints({});
}

void Core::set_halting_debug(bool on) {
    parts_->engine.halting_debug = on;
}

const WatchHit& Core::watch_hit() const {
    return parts_->watch_hit;
}

void Core::set_trace(TraceHook hook) {
    parts_->engine.set_hook(std::move(hook));
}

void Core::invalidate(std::uint32_t start, std::uint32_t end) {
    parts_->engine.memory.invalidate(start, end);
}

void Core::other_writes(std::uint32_t start, std::uint32_t end, const char* other) {
    parts_->engine.blocks.drop(start, end);
    if (parts_->caches == nullptr) return;
    parts_->caches->data.other_writes(start, end, other);
    parts_->caches->instructions.memory_changes(start, end);
}

void Core::other_reads(std::uint32_t start, std::uint32_t end, const char* other) {
    if (parts_->caches != nullptr) parts_->caches->data.other_reads(start, end, other);
}

void Core::look_through_cache(std::uint32_t start, std::span<std::uint8_t> bytes) {
    if (parts_->caches != nullptr) parts_->caches->data.look(start, bytes);
}

void Core::change_through_cache(std::uint32_t start, std::span<const std::uint8_t> bytes) {
    if (parts_->caches == nullptr) return;
    parts_->caches->data.replace(start, bytes);
    parts_->caches->instructions.replace(start, bytes);
}

void Core::set_coherence_hook(const CoherenceHook& hook) {
    if (parts_->caches == nullptr) return;
    parts_->caches->data.set_hook(hook);
    parts_->caches->instructions.set_hook(hook);
}

void Core::set_fault_hook(FaultHook hook) {
    parts_->engine.system().set_fault_hook(std::move(hook));
}

}  // namespace n6vp::models::core

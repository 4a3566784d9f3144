// SPDX-License-Identifier: Apache-2.0
#include "models/core/core.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "models/core/engine/engine.h"
#include "models/core/system/system_registers.h"
#include "models/core/timing/pipeline_model.h"

namespace n6vp::models::core {

namespace {

/// Where a called function returns to: execute-never on every Armv8-M, so no program lives there.
constexpr std::uint32_t kCallReturn = 0xEFFFFFF0;

}  // namespace

struct Core::Parts {
    Parts(const CoreConfig& config, CoreBus& bus, std::unique_ptr<System> system)
        : engine(bus, std::move(system), make_issue_model(config)) {
        if (config.timing != Timing::Functional)
            caches = std::make_unique<CoreCaches>(config.caches, bus, config.tcm, config.coherence);
    }

    static std::unique_ptr<IssueModel> make_issue_model(const CoreConfig& config) {
        if (config.timing == Timing::Functional) return std::make_unique<UnitIssueModel>();
        return std::make_unique<PipelineModel>(config.issue);
    }

    Engine engine;
    std::unique_ptr<CoreCaches> caches;
    std::vector<Watchpoint> watchpoints;
    WatchHit watch_hit;
};

Core::Core(const CoreConfig& config, CoreBus& bus)
    : Core(config, bus, std::make_unique<SystemRegisters>(config.system)) {}

Core::Core(const CoreConfig& config, CoreBus& bus, std::unique_ptr<System> system)
    : parts_(std::make_unique<Parts>(config, bus, std::move(system))) {
    if (parts_->caches != nullptr) {
        parts_->engine.cpu.data_cache = &parts_->caches->data;
        parts_->engine.cpu.instruction_cache = &parts_->caches->instructions;
        parts_->engine.builder.model_fetches = true;
        parts_->engine.cpu.divide_bits_per_cycle =
            static_cast<std::uint8_t>(config.issue.divide_bits_per_cycle.value);
    }
    parts_->engine.system().attach(parts_->engine.memory, parts_->caches.get(),
                                   parts_->caches.get());
    parts_->engine.clear();
}

Core::~Core() = default;

void Core::reset() {
    if (parts_->caches != nullptr) parts_->caches->reset();
    parts_->engine.reset();
}

Stop Core::run(std::uint64_t cycles) {
    const Stop stop = parts_->engine.run(cycles);
    if (stop == Stop::Watchpoint) parts_->watch_hit = parts_->engine.memory.take_watch_hit();
    return stop;
}

void Core::pass_time(std::uint64_t cycles) {
    parts_->engine.pass_time(cycles);
}

Stop Core::step() {
    return parts_->engine.step();
}

std::uint64_t Core::cycles() const {
    return parts_->engine.now();
}
std::uint64_t Core::instructions() const {
    return parts_->engine.cpu.instructions;
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
    Engine& engine = parts_->engine;
    const bool own_breakpoint = engine.builder.breakpoints.insert(kCallReturn).second;
    for (unsigned i = 0; i < std::min<std::size_t>(arguments.size(), 4); ++i)
        set_reg(i, arguments[i]);
    set_reg(14, kCallReturn | 1);
    set_pc(address);
    const Stop stop = run(max_cycles);
    if (own_breakpoint) engine.builder.breakpoints.erase(kCallReturn);
    return stop;
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

const WatchHit& Core::watch_hit() const {
    return parts_->watch_hit;
}

void Core::set_trace(TraceHook hook) {
    parts_->engine.builder.hook = std::move(hook);
    parts_->engine.drop_code();
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

void Core::set_coherence_hook(const CoherenceHook& hook) {
    if (parts_->caches == nullptr) return;
    parts_->caches->data.set_hook(hook);
    parts_->caches->instructions.set_hook(hook);
}

}  // namespace n6vp::models::core

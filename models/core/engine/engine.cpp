// SPDX-License-Identifier: Apache-2.0
#include "models/core/engine/engine.h"

#include <algorithm>
#include <utility>

#include "models/core/ir/branches.h"

namespace n6vp::models::core {

namespace {

std::uint8_t advance(std::uint8_t itstate) {
    if ((itstate & 7) == 0) return 0;
    return static_cast<std::uint8_t>((itstate & 0xE0) | (itstate << 1 & 0x1F));
}

}  // namespace

Engine::Engine(CoreBus& chip, std::unique_ptr<System> system, std::unique_ptr<IssueModel> issue,
               const CoreProfile& profile)
    : bus(chip, cpu),
      memory(cpu, bus, blocks),
      builder(memory, *issue, profile),
      system_(std::move(system)),
      issue_(std::move(issue)),
      polling_(cpu, memory, bus) {
    memory.attach(*system_);
    cpu.dynamic = issue_->dynamic();
    if (issue_->predictor_entries() != 0) cpu.predictor = &predictor_;
}

void Engine::clear() {
    blocks.drop_all();
    blocks.bury();
    memory.forget_pages();
    DataCache* const data_cache = cpu.data_cache;
    InstructionCache* const instruction_cache = cpu.instruction_cache;
    const std::uint8_t divide_bits_per_cycle = cpu.divide_bits_per_cycle;
    cpu = {};
    cpu.divide_bits_per_cycle = divide_bits_per_cycle;
    cpu.dynamic = issue_->dynamic();
    if (issue_->predictor_entries() != 0) {
        predictor_.reset(issue_->predictor_entries());
        cpu.predictor = &predictor_;
    }
    cpu.data_cache = data_cache;
    cpu.instruction_cache = instruction_cache;
    cpu.jump_cache = &blocks.jumps;
    cpu.memory = &memory;
    cpu.system = system_.get();
    asleep_ = stop_requested_ = at_breakpoint_ = false;
    memory.select_context();
}

void Engine::reset() {
    clear();
    system_->reset(cpu);
    memory.select_context();
}

void Engine::drop_code() {
    blocks.drop_all();
    memory.forget_pages();
}

void Engine::set_hook(InstructionHook hook) {
    next_hook_ = std::move(hook);
    drop_code();
}

void Engine::between_blocks() {
    blocks.bury();
    memory.select_context();
    if (!next_hook_) return;
    builder.hook = std::move(*next_hook_);
    next_hook_.reset();
}

void Engine::skip_instruction(unsigned bytes) {
    cpu.pc += bytes;
    cpu.itstate = advance(cpu.itstate);
}

void Engine::request_stop() {
    stop_requested_ = true;
    ask_for_attention(cpu);
}

void Engine::end_run_at(std::uint64_t cycle) {
    if (cycle >= run_end_) return;
    run_end_ = cycle;
    ask_for_attention(cpu);
}

void Engine::grant(std::uint64_t cycles) {
    cpu.cycle_base = now() + cycles;
    cpu.budget = static_cast<std::int64_t>(cycles);
}

const MicroOp* Engine::execute(const MicroOp* entry) {
    cpu.exit = Exit::None;
#if N6VP_TAIL_CALLS
    return entry->handler(cpu, entry);
#else
    const MicroOp* op = entry;
    while (true) {
        const MicroOp* next = op->handler(cpu, op);
        if (cpu.exit != Exit::None) return next;
        op = next;
    }
#endif
}

Block& Engine::block_here() {
    const BlockKey key = key_here();
    if (Block* known = blocks.find(key)) return *known;
    bus.forbid_repetition();
    std::unique_ptr<Block> built = builder.build(key);
    if (built->transient) {
        transient_ = std::move(built);
        return *transient_;
    }
    Block& block = blocks.insert(std::move(built));
    memory.guard_code(key.pc / kPageBytes, (key.pc + (block.bytes - 1)) / kPageBytes);
    return block;
}

const MicroOp* Engine::successor(const MicroOp* last) const {
    if (last != nullptr) return last->link;
    return cpu.thumb ? cpu.jump_cache->find(cpu.pc | (cpu.secure ? 1u : 0u)) : nullptr;
}

const MicroOp* Engine::execute_watching(const MicroOp* entry, bool& alone) {
    const Block* block = blocks.peek(key_here());
    if (block == nullptr || !block->plain) {
        alone = false;
        polling_.give_up();
        return execute(entry);
    }
    polling_.hold();
    const MicroOp* last = execute(entry);
    alone = polling_.end_block();
    return last;
}

void Engine::settle(const MicroOp& op, bool completed) {
    cpu.instructions += op.index + (completed ? 1u : 0u);
    cpu.budget -= op.cycles_before + (completed ? 1u : 0u);
    cpu.pc = op.pc + (completed ? op.bytes : 0u);
    const std::uint8_t itstate = itstate_of(op);
    cpu.itstate = completed ? advance(itstate) : itstate;
}

bool Engine::after_system(Stop& stop) {
    cpu.issue_state = 0;
    memory.select_context();
    if (!system_->locked_up()) return true;
    stop = Stop::Lockup;
    return false;
}

bool Engine::take_fault(Stop& stop) {
    const bool taken = system_->take_fault(cpu);
    if (!taken) stop = Stop::Lockup;
    return after_system(stop) && taken;
}

void Engine::fall_asleep(bool for_event) {
    asleep_ = true;
    asleep_for_event_ = for_event;
    // Assumed: a core whose clock stops has empty buffers.
    if (cpu.data_cache != nullptr) cpu.data_cache->complete_due(DataCache::kNever);
}

std::uint64_t Engine::complete_cleans() {
    if (cpu.data_cache == nullptr) return DataCache::kNever;
    cpu.data_cache->complete_due(now());
    return cpu.data_cache->clean_due();
}

bool Engine::handle(const MicroOp* op, Stop& stop) {
    cpu.issue_state = 0;
    switch (cpu.exit) {
        case Exit::Fault:
            settle(*op, false);
            return take_fault(stop);
        case Exit::Call:
            settle(*op, true);
            system_->call_supervisor(cpu);
            break;
        case Exit::Return:
            system_->leave(cpu);
            if (cpu.exit == Exit::Wait) fall_asleep(false);  // SLEEPONEXIT
            break;
        case Exit::BranchNonSecure:
            system_->branch_non_secure(cpu, cpu.pc);
            break;
        case Exit::CallNonSecure:
            if (!system_->call_non_secure(cpu, cpu.pc, (op->pc + op->bytes) | 1)) {
                cpu.pc = op->pc;
                cpu.itstate = itstate_of(*op);
                return take_fault(stop);
            }
            break;
        case Exit::Wait:
            settle(*op, true);
            fall_asleep(op->imm != 0);
            break;
        case Exit::Breakpoint:
            settle(*op, false);
            if (memory.watch_hit()) {
                stop = Stop::Watchpoint;
                return false;
            }
            if (!is_debugger_stop(*op) && !halting_debug) {
                system_->take_breakpoint(cpu);
                break;
            }
            at_breakpoint_ = is_debugger_stop(*op);
            stop = Stop::Breakpoint;
            return false;
        case Exit::Semihosting:
            settle(*op, false);
            stop = Stop::Semihosting;
            return false;
        default:
            break;
    }
    return after_system(stop);
}

bool Engine::run_slice(Stop& stop) {
    between_blocks();
    if (!cpu.thumb) {
        raise_usage(cpu, cfsr::kInvState);
        return take_fault(stop);
    }
    const std::uint64_t drops = blocks.drops();
    const MicroOp* entry = block_here().entry();
    bool alone = may_skip_polling() && polling_.begin_slice();
    while (true) {
        const MicroOp* last = alone ? execute_watching(entry, alone) : execute(entry);
        if (cpu.exit == Exit::Budget) {
            if (cpu.budget <= 0) return true;
            // A block that ran alone, with cycles left: on the way that it would have taken.
            if (const MicroOp* next = successor(last); next != nullptr) {
                entry = next;
                continue;
            }
            cpu.exit = Exit::Lookup;
        }
        if (cpu.exit != Exit::Lookup) return handle(last, stop);
        // The block that ran may be among the dropped ones: no link may start there.
        if (!cpu.thumb || blocks.drops() != drops) {
            if (alone) polling_.give_up();
            return true;
        }
        Block& next = block_here();
        // Building it may have dropped the others.
        if (last != nullptr && !next.transient && blocks.drops() == drops) {
            // Code that is not in the cache is fetched anew each time round.
            const bool fetched =
                next.lines == 0 || cpu.instruction_cache->holds_still(next.key.pc, next.lines);
            BlockCache::link(*last, next, fetched);
        }
        entry = next.entry();
    }
}

bool Engine::sleep_until(std::uint64_t end) {
    // Asking first for exceptions brings timers up to date.
    while (!system_->preempts(cpu, now()) && !system_->wakes(cpu, asleep_for_event_)) {
        const std::uint64_t current = now();
        if (current >= end) return false;
        grant(0);
        cpu.cycle_base += std::min(end - current, system_->next_event(cpu, current));
    }
    asleep_ = false;
    return true;
}

Stop Engine::run(std::uint64_t cycles, bool sleeps) {
    run_end_ = now() + cycles;
    Stop stop = Stop::Budget;
    if (std::exchange(at_breakpoint_, false)) cpu.resume_pc = cpu.pc;
    while (true) {
        if (std::exchange(stop_requested_, false)) return Stop::Requested;
        if (memory.watch_hit()) return Stop::Watchpoint;
        if (asleep_ && !sleep_until(sleeps ? run_end_ : now())) return Stop::Sleep;
        if (system_->preempts(cpu, now())) {
            system_->take_exception(cpu);
            if (!after_system(stop)) return stop;
        }
        const std::uint64_t clean_due = complete_cleans();
        const std::uint64_t current = now();
        if (current >= run_end_) return Stop::Budget;
        grant(std::min(
            {run_end_ - current, system_->next_event(cpu, current), clean_due - current, kSlice}));
        if (!run_slice(stop)) return stop;
    }
}

Stop Engine::step() {
    Stop stop = Stop::Budget;
    if (asleep_ && !sleep_until(now() + 1)) {
        stop = Stop::Sleep;
    } else {
        if (system_->preempts(cpu, now())) {
            system_->take_exception(cpu);
            if (!after_system(stop)) return stop;
            // A run would stop here, too, before the handler's first instruction.
            if (builder.breakpoints.contains(cpu.pc)) {
                at_breakpoint_ = true;
                return Stop::Breakpoint;
            }
        }
        complete_cleans();
        grant(1);
        between_blocks();
        if (!cpu.thumb) {
            raise_usage(cpu, cfsr::kInvState);
            take_fault(stop);
            return stop;
        }
        cpu.resume_pc = builder.breakpoints.contains(cpu.pc) ? cpu.pc : 1;
        at_breakpoint_ = false;
        const unsigned at_most = std::exchange(builder.max_instructions, 1);
        cpu.issue_state = 0;
        const std::unique_ptr<Block> block =
            builder.build({cpu.pc, cpu.itstate, cpu.secure, memory.context()});
        builder.max_instructions = at_most;
        block->ops.front().extra = 0;
        // Its lines come into the instruction cache, too.
        if (builder.model_fetches)
            memory.guard_code(cpu.pc / kPageBytes, (cpu.pc + (block->bytes - 1)) / kPageBytes);
        const MicroOp* last = execute(block->entry());
        if (cpu.exit != Exit::Lookup && cpu.exit != Exit::Budget) handle(last, stop);
    }
    return stop;
}

}  // namespace n6vp::models::core

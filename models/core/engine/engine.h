// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/core/core.h"
#include "models/core/engine/block_builder.h"
#include "models/core/engine/core_memory.h"
#include "models/core/engine/observed_bus.h"
#include "models/core/engine/polling_loops.h"
#include "models/core/ir/block.h"
#include "models/core/ir/system.h"
#include "models/core/timing/issue_model.h"

namespace n6vp::models::core {

/// Runs blocks one after the other and takes exceptions between them.
class Engine {
  public:
    Engine(CoreBus& chip, std::unique_ptr<System> system, std::unique_ptr<IssueModel> issue,
           const CoreProfile& profile);

    /// Registers and decoded code as before anything ran. Touches no memory.
    void clear();
    void reset();
    /// `sleeps`: time passes here while asleep; else the run ends when the core falls asleep.
    Stop run(std::uint64_t cycles, bool sleeps = true);
    Stop step();

    [[nodiscard]] std::uint64_t now() const {
        return cpu.cycle_base - static_cast<std::uint64_t>(cpu.budget);
    }
    /// Decoded code is forgotten: hook, breakpoints or timing changed.
    void drop_code();
    /// Calls `hook` before every instruction of the blocks that run from now on. The one before
    /// may be running, and sees the rest of its block.
    void set_hook(InstructionHook hook);
    void skip_instruction(unsigned bytes);
    /// To be called after a write to `pc`: the core is awake and at no breakpoint.
    void moved() {
        asleep_ = at_breakpoint_ = false;
        cpu.issue_state = 0;
    }
    void request_stop();
    /// The current run ends at `cycle` if it would end later.
    void end_run_at(std::uint64_t cycle);
    /// Time passes without an instruction.
    void pass_time(std::uint64_t cycles) { cpu.cycle_base += cycles; }
    bool try_wake() { return !asleep_ || sleep_until(now()); }

    CpuState cpu;
    ObservedBus bus;  ///< of all parts of the core
    BlockCache blocks;
    CoreMemory memory;
    BlockBuilder builder;
    bool halting_debug = false;  ///< BKPT stops in place of an exception
    bool skips_polling = true;   ///< unless a debugger or a hook looks on

    [[nodiscard]] System& system() { return *system_; }
    [[nodiscard]] const PollingLoops& polling() const { return polling_; }

  private:
    /// Longest interval between two samples of unannounced interrupts. Also bounds the host
    /// stack should a compiler not turn a handler's last call into a jump.
    static constexpr std::uint64_t kSlice = 20000;

    void grant(std::uint64_t cycles);
    const MicroOp* execute(const MicroOp* entry);
    /// Does what had to wait until no block runs.
    void between_blocks();
    [[nodiscard]] BlockKey key_here() const {
        return {cpu.pc, cpu.itstate, cpu.secure, memory.context(), cpu.issue_state};
    }
    /// Returns the entry of the block at `cpu.pc`, built if need be.
    [[nodiscard]] Block& block_here();
    /// Returns where threaded code would have gone on from `last`, the branch that ended a block;
    /// null if it would have asked for the block.
    [[nodiscard]] const MicroOp* successor(const MicroOp* last) const;
    [[nodiscard]] bool may_skip_polling() const {
        return skips_polling && !halting_debug && !builder.hook && builder.breakpoints.empty() &&
               !memory.has_watchpoints();
    }
    /// Runs the block at `entry` with what follows it, or alone if it may be part of a polling
    /// loop: `alone` says so, for this block and then for the next one.
    const MicroOp* execute_watching(const MicroOp* entry, bool& alone);
    /// Runs until the budget is used up or something happens. Returns true to go on.
    bool run_slice(Stop& stop);
    bool handle(const MicroOp* op, Stop& stop);
    /// Brings counters and `pc` to `op`, which was not executed, or was if `completed`.
    void settle(const MicroOp& op, bool completed);
    bool take_fault(Stop& stop);
    /// The system registers may have changed state, privilege or everything. Returns false on
    /// lockup.
    bool after_system(Stop& stop);
    void fall_asleep(bool for_event);
    /// Completes the cleans that are due. Returns the cycle of the next.
    std::uint64_t complete_cleans();
    /// Passes time while asleep. Returns true if awake.
    bool sleep_until(std::uint64_t end);

    std::unique_ptr<System> system_;
    std::unique_ptr<Block> transient_;  ///< of a fetch fault, while it runs
    std::unique_ptr<IssueModel> issue_;
    PollingLoops polling_;
    BranchPredictor predictor_;  ///< of cores that have one
    std::uint64_t run_end_ = 0;
    bool asleep_ = false, asleep_for_event_ = false;
    bool stop_requested_ = false;
    std::optional<InstructionHook> next_hook_;
    bool at_breakpoint_ = false;  ///< the next run passes it
};

}  // namespace n6vp::models::core

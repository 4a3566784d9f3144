// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "models/core/ir/bus.h"
#include "models/core/ir/core_fault.h"
#include "models/core/ir/state.h"
#include "models/core/system/system_config.h"
#include "models/core/timing/caches.h"
#include "models/core/timing/cortex_m33_parameters.h"
#include "models/core/timing/cortex_m4_parameters.h"
#include "models/core/timing/cortex_m7_parameters.h"
#include "models/core/timing/issue_parameters.h"

namespace n6vp::models::core {

enum class Timing : std::uint8_t { Functional, Approx, Precise };

/// What made `Core::run` return.
enum class Stop : std::uint8_t {
    Budget,       ///< the cycles are used up
    Sleep,        ///< WFI or WFE
    Breakpoint,   ///< at `Core::pc`, before the instruction
    Watchpoint,   ///< the access was done, unless `Watchpoint::before`; see `Core::watch_hit`
    Semihosting,  ///< BKPT 0xAB at `Core::pc`: answer it, then `Core::skip_breakpoint`
    Lockup,       ///< a fault that cannot be taken
    Requested,    ///< `request_stop`
    Returned,     ///< a function that `Core::call` started came back; its result is in reg(0)
};

enum class Reset : std::uint8_t {
    PowerOn,
    /// What the debug logic holds stays: DEMCR.TRCENA, DWT_CTRL, DWT_CYCCNT, the lock of DWT, ITM.
    /// Of the rest of it (DFSR, comparators, PMU) nothing does; real silicon keeps that, too.
    Warm,
};

struct Watchpoint {
    std::uint32_t address = 0, bytes = 4;
    bool on_read = false, on_write = true;
    /// Stops at the instruction, before its access: it runs again when the core goes on, and stops
    /// again while the watchpoint is there. A store of several registers may have stored some.
    /// False: the core stops after the block.
    bool before = false;
};

struct WatchHit {
    std::uint32_t address = 0, pc = 0;
    bool write = false;
};

struct CoreConfig {
    Timing timing = Timing::Functional;
    SystemConfig system;
    IssueParameters issue;                   ///< of a Cortex-M55, unless functional
    CortexM4Parameters cortex_m4;            ///< of a Cortex-M4, unless functional
    CortexM33Parameters cortex_m33;          ///< of a Cortex-M33, unless functional
    CortexM7Parameters cortex_m7;            ///< of a Cortex-M7, unless functional
    CacheParameters caches;                  ///< unless functional
    Coherence coherence = Coherence::Ideal;  ///< unless functional
    std::vector<TcmRange> tcm;               ///< memory without waiting
    /// A core without caches asks the bus how long fetches and loads outside `tcm` take, see
    /// memory_stalls.h; unless functional.
    bool memory_stalls = false;
};

/// A Cortex-M55 without SystemC: `CoreBus` is its bus port, the caller of `run` owns time.
class Core {
  public:
    /// With the system registers of a Cortex-M55. Touches no memory: call `reset` when there is
    /// some.
    Core(const CoreConfig& config, CoreBus& bus);
    /// With a stand-in for them.
    Core(const CoreConfig& config, CoreBus& bus, std::unique_ptr<System> system);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;
    ~Core();

    /// Loads stack pointer and PC from the vector table. Cycles and instructions count from zero
    /// again; interrupt lines keep their levels, unfinished calls are forgotten. From inside a run
    /// (a bus access, a hook, SystemConfig::reset_request) it happens at the end of the block: the
    /// run then returns Requested, and nothing else has been executed. From inside a reset (the
    /// read of the vector table) another follows.
    void reset(Reset kind = Reset::PowerOn);
    /// Executes until `cycles` more cycles have passed or something stops it. Overshoots by less
    /// than a block and what its memory accesses cost. While asleep, time passes to the end or to
    /// the timer that wakes. From inside a run or a reset, this, `step` and `call` do nothing and
    /// return Requested.
    Stop run(std::uint64_t cycles);
    /// The same, but returns Sleep as soon as the core sleeps: the caller lets time pass.
    Stop run_awake(std::uint64_t cycles);
    /// Time passes while the core sleeps or is held; nothing executes.
    void pass_time(std::uint64_t cycles);
    /// Returns true if the core is awake, or something wakes it now. Executes nothing.
    bool try_wake();
    /// Executes one instruction. Returns what came of it: Budget if nothing special, Watchpoint if
    /// its access was watched, Returned if it was the return of a call.
    Stop step();

    [[nodiscard]] std::uint64_t cycles() const;
    [[nodiscard]] std::uint64_t instructions() const;
    /// Rounds of polling loops are skipped, with all results of the executed ones: see
    /// engine/polling_loops.h. Default: on, unless timing is precise.
    void set_skips_polling(bool on);
    /// Rounds that were skipped since construction; their cycles and instructions are among those
    /// above.
    [[nodiscard]] std::uint64_t skipped_rounds() const;

    [[nodiscard]] std::uint32_t pc() const;
    void set_pc(std::uint32_t pc);
    [[nodiscard]] std::uint32_t reg(unsigned number) const;
    void set_reg(unsigned number, std::uint32_t value);
    [[nodiscard]] CpuState& state();
    [[nodiscard]] System& system();
    /// As a debug probe does that listens: sets DEMCR.TRCENA, ITM_TCR.ITMENA with TraceBusID 1, and
    /// those bits of ITM_TER.
    void enable_trace(std::uint32_t ports);
    /// Caches and their counters; null when functional.
    [[nodiscard]] const CoreCaches* caches() const;

    /// Calls the function at `address` with up to four arguments in r0 to r3. Returns Returned if
    /// it came back, else what stopped it: `run`, `step` or another call go on from there, and the
    /// return ends that run the same way.
    Stop call(std::uint32_t address, std::span<const std::uint32_t> arguments,
              std::uint64_t max_cycles);

    void set_interrupt(unsigned irq, bool level);
    /// Event input of the chip: wakes WFE.
    void receive_event();
    /// Makes `run` return soon; may be called from inside a bus access.
    void request_stop();
    /// From inside a bus access: the current run is to end at `cycle` (since reset) if it would end
    /// later, because something happens then.
    void end_run_at(std::uint64_t cycle);
    /// Passes the BKPT that `run` stopped at.
    void skip_breakpoint();

    void add_breakpoint(std::uint32_t address);
    void remove_breakpoint(std::uint32_t address);
    void add_watchpoint(const Watchpoint& watchpoint);
    void clear_watchpoints();
    [[nodiscard]] const WatchHit& watch_hit() const;
    /// A debugger is attached: BKPT stops with Stop::Breakpoint, at its address, in place of an
    /// exception.
    void set_halting_debug(bool on);

    /// Called before every instruction while set; costs nothing otherwise. A hook may set another:
    /// that one is called from the next block on.
    using TraceHook =
        std::function<void(const CpuState& cpu, std::uint32_t pc, std::uint32_t encoding)>;
    void set_trace(TraceHook hook);

    /// Memory in [start, end] was changed or moved by another agent: drops direct pointers and
    /// decoded code of it.
    void invalidate(std::uint32_t start, std::uint32_t end);
    /// Another master, named for reports, is about to write [start, end]: decoded code of it is
    /// dropped, direct pointers stay.
    void other_writes(std::uint32_t start, std::uint32_t end, const char* other);
    /// Another master reads [start, end].
    void other_reads(std::uint32_t start, std::uint32_t end, const char* other);
    /// Coherence::Real: overlays `bytes`, read from memory, with data-cache content of the range.
    void look_through_cache(std::uint32_t start, std::span<std::uint8_t> bytes);
    /// A debugger changed memory to `bytes`: updates the caches as well.
    void change_through_cache(std::uint32_t start, std::span<const std::uint8_t> bytes);
    /// Called for every access served by hardware from a stale line. The hook may set
    /// another.
    void set_coherence_hook(const CoherenceHook& hook);
    /// Called for every fault of the program, escalated, handled or not; no hook costs nothing.
    void set_fault_hook(FaultHook hook);

  private:
    struct Parts;
    /// Runs or steps the engine, then processes pending requests.
    template <class Execute>
    Stop execute(Execute execute);
    void reset_now(Reset kind);
    void reset_once(Reset kind);
    Stop step_engine();
    /// Interprets `stop`: which watchpoint, whether a call returned.
    Stop explain(Stop stop);
    void forget_calls();

    std::unique_ptr<Parts> parts_;
};

}  // namespace n6vp::models::core

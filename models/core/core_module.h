// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "models/core/core.h"
#include "models/core/ir/bus.h"
#include "models/event.h"
#include "models/fabric/repeatable_target.h"
#include "models/fabric/transfer.h"
#include "models/picoseconds.h"

namespace n6vp::models {

struct CoreModuleConfig {
    core::CoreConfig core;
    double core_hz = 800e6;
    /// Longest time the core runs ahead of the kernel while the kernel has events to come. At most
    /// 100 ns if timing is precise.
    sc_core::sc_time quantum = sc_core::sc_time(1, sc_core::SC_US);
    /// Quanta that the core runs at once, at least 1, while the kernel has no event in all of them:
    /// no model can observe the difference, and kernel calls are rarer. The core may be so far
    /// ahead when `sc_start` returns, too. Precise timing takes 1.
    double idle_quanta = 8;
};

/// The core as a SystemC module.
///
/// The core runs ahead of the kernel by the quantum, and never past the kernel's next event, so
/// that an interrupt that a model announced by a timed notification arrives on time. An access to
/// Device memory first lets everything happen that is due by then, unless timing is functional, and
/// so does an access over the bus to claimed pages (`Bus::claim`), whatever the
/// timing; the time ahead is the annotation of every access. What changes an interrupt line must do
/// so from a process or from such an access.
///
/// An unannounced interrupt, event or reset (by a process not yet scheduled when the core read the
/// kernel's schedule, or from outside the simulation) finds the core up to that time
/// ahead. It is taken at the core's own time, before its next block, and never earlier than
/// that. A sleeping core is not ahead: it wakes on time.
///
/// DSB waits until all writes to devices have taken effect, posted ones of a target included
/// (`Transfer::effect`), and synchronises with the kernel. In functional time writes take
/// effect at once.
///
/// Results of DMI requests are kept, refusals included. A target that revokes memory must
/// invalidate it. A target that grants refused memory must invalidate it too, or set the hint
/// `dmi_allowed` in its response to an access there.
///
/// Not modelled in `approx`: a block that began before another master's write, or before a claim,
/// may read old data after it, unless the memory was claimed when the block began. So
/// a polling loop can see a write to unclaimed memory one iteration later than in `precise`.
///
/// Cycles of `core()` count from its last reset. A sleeping or stopped core's are brought up to
/// date when it goes on.
class CoreModule : public sc_core::sc_module, private core::CoreBus, private RunsAhead {
  public:
    tlm_utils::simple_initiator_socket_tagged<CoreModule> instruction_port;  ///< code
    tlm_utils::simple_initiator_socket_tagged<CoreModule> m_axi;             ///< data, peripherals
    tlm_utils::simple_initiator_socket_tagged<CoreModule> tcm;               ///< both TCMs

    CoreModule(const sc_core::sc_module_name& name, const CoreModuleConfig& config);

    [[nodiscard]] core::Core& core() { return core_; }
    /// Starts the core from reset: now, or at the start of the simulation.
    void release_reset();
    /// Resets the core, running, asleep or stopped. Cycle 0 is the core's own time then, so that
    /// simulated time goes on; interrupt lines keep their levels, clock and direct memory stay. May
    /// be called from inside an access of the core. Does nothing before `release_reset`.
    void reset(core::Reset kind);
    struct Start {
        std::uint32_t stack = 0, pc = 0;
        /// VTOR of the secure state, in place of that of the configuration.
        std::optional<std::uint32_t> vectors = std::nullopt;
    };
    /// Called at every reset, before the core reads its vector table, from its process: what code
    /// before the program's own does that is not executed, such as a boot ROM. What it returns
    /// replaces the first two words of the table, which must be readable all the same.
    std::function<std::optional<Start>()> on_start;
    /// Called when the program wrote AIRCR.SYSRESETREQ, from the core's process and at that time.
    /// The core itself does not react: the callee calls `reset`.
    std::function<void()> on_reset_request;

    /// Changes the core's clock, above 0 Hz: anything else is a fatal report. Cycles so far keep
    /// their times. Inside an access of the core to a device it holds from the end of that access
    /// on, else from now or, where the core is ahead, from the core's own time on. Every change
    /// rounds the timeline to a picosecond once. SysTick's external clock stays in its ratio to
    /// this one.
    void set_clock_hz(double hz);
    [[nodiscard]] double clock_hz() const { return clock_hz_; }
    /// Returns the core's cycle at an absolute time since the last change of the clock; exact
    /// within an access of the core, where `core().cycles()` is that of the block's start.
    [[nodiscard]] std::uint64_t cycles_at(Picoseconds time) const { return cycle_of(time); }

    /// Returns the absolute time that the core has reached, kernel time or later: that of its
    /// block's start.
    [[nodiscard]] Picoseconds own_time() const;

    /// Interrupt line `irq` (0 = first external interrupt) changes its level.
    void set_interrupt(unsigned irq, bool level);
    /// Event input: wakes WFE.
    void receive_event();

    /// Why the core stopped: Stop::Budget while it has not. `reset` starts it again, and `resume`
    /// unless it is locked up.
    [[nodiscard]] core::Stop stopped() const { return stop_; }
    /// Returns true while the core waits for an interrupt or event.
    [[nodiscard]] bool asleep() const {
        return released_ && waiting_ && stop_ == core::Stop::Budget;
    }
    /// Stops the core after its current block, with Stop::Requested. Does nothing while it is
    /// stopped.
    void stop();
    /// Called when the core has stopped, whatever the reason, at that time.
    std::function<void()> on_stop;
    /// Continues after a stop; a sleeping core checks its wake-up condition again.
    void resume();
    /// Executes one instruction, or takes an exception and executes the first of its handler, and
    /// stops with Stop::Requested or what came of it. A sleeping core wakes first. Continues after
    /// a stop, like `resume`.
    void step();
    /// A step that the core has not begun, because it sleeps, is none any more.
    void cancel_step() { stepping_ = false; }
    /// The next reset stops the core before its first instruction, with Stop::Requested.
    void stop_at_reset() { stop_at_reset_ = true; }
    /// Returns true if it is still to come.
    [[nodiscard]] bool stops_at_reset() const { return stop_at_reset_; }
    /// Returns false while the core is inside an instruction whose access lets time pass: registers
    /// must not be changed then.
    [[nodiscard]] bool between_instructions() const { return !executing_; }
    /// Stimulus ports of the ITM that a debug probe listens to: it enables them after every reset,
    /// before the first instruction.
    std::uint32_t probe_ports = 0;
    /// The program wrote an enabled stimulus port. From inside an access of the core.
    std::function<void(unsigned port, std::uint32_t value, unsigned bytes)> on_stimulus;
    /// The core falls asleep, at its own time, or has woken, at kernel time.
    Event<bool /*asleep*/> on_sleep;
    /// Called when the core has fallen asleep with SCR.SLEEPDEEP set, at its own time. Returns true
    /// if that stops the core's clock: SysTick and the counters stand until something else wakes
    /// the core. None: such a sleep is like every other.
    std::function<bool()> on_deep_sleep;
    /// Called at kernel time when something has woken the core from a sleep in which its clock
    /// stood, before it goes on. A reset ends such a sleep without.
    std::function<void()> on_deep_wake;
    /// From inside `on_deep_sleep`: the core loses its power. Nothing but a reset wakes it, and its
    /// cycles do not count until then.
    void power_off() { off_ = true; }
    /// Called at BKPT 0xAB: serves the call, returns true to continue. None: the core stops there.
    std::function<bool(core::Core&)> on_semihosting;

  private:
    using Socket = tlm_utils::simple_initiator_socket_tagged<CoreModule>;

    [[nodiscard]] core::CoreConfig wired(core::CoreConfig config);
    void run_core();
    void start(core::Reset kind);
    void answer(core::Stop stop);
    void sleep();
    void start_clock();
    void halt(core::Stop stop);
    void wait_for_wake();
    void wait_for_reset();
    void wake();
    /// Accounts for uncounted cycles until now.
    void pass_idle_time();
    [[nodiscard]] std::uint64_t slice() const;
    /// Cycles are those since reset, times those since the start of the simulation.
    [[nodiscard]] Picoseconds time_of(std::uint64_t cycle) const;
    [[nodiscard]] std::uint64_t cycle_of(Picoseconds time) const;
    /// The same for durations.
    [[nodiscard]] Picoseconds duration_of(std::uint64_t cycles) const;
    [[nodiscard]] std::uint64_t cycles_in(Picoseconds duration) const;
    void change_clock(double hz, std::uint64_t cycle);
    /// The kernel's time becomes that of the cycle.
    void catch_up(std::uint64_t cycle);
    /// What is due at the kernel's time has happened.
    void let_deltas_pass();
    void synchronise(sc_core::sc_time& delay) override;

    core::BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                         const core::BusAttributes& attributes, std::uint64_t at) override;
    core::BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                          const core::BusAttributes& attributes, std::uint64_t at) override;
    bool read_again(std::uint32_t address, std::span<std::uint8_t> data,
                    const core::BusAttributes& attributes, std::uint64_t at,
                    std::uint64_t& cycles) override;
    std::uint64_t finish_writes(std::uint64_t at) override;
    core::DirectMemory direct(std::uint32_t address,
                              const core::BusAttributes& attributes) override;
    /// Memory that others work on at the moment is refused as direct memory, but can be looked at.
    bool look(std::uint32_t address, std::span<std::uint8_t> bytes) override;
    core::BusAnswer transport(tlm::tlm_command command, std::uint32_t address, std::uint8_t* data,
                              std::size_t bytes, const core::BusAttributes& attributes,
                              std::uint64_t at);
    void end_run_at_next_event();
    /// Makes `payload_` that of the read.
    void prepare_again(std::uint32_t address, std::span<std::uint8_t> data,
                       const core::BusAttributes& attributes);
    [[nodiscard]] Socket& port_for(std::uint32_t address, const core::BusAttributes& attributes);
    static void attribute(Transfer& transfer, const core::BusAttributes& attributes);
    /// Asks again for direct memory of the page, should it have been refused.
    void forget_refusal(std::uint32_t address, const core::BusAttributes& attributes);
    void invalidate_direct(int tag, sc_dt::uint64 start, sc_dt::uint64 end);

    CoreModuleConfig config_;
    double clock_hz_, ps_per_cycle_, cycles_per_ps_;
    /// Time of a cycle, and the rate from there on: since reset or the last change of the clock.
    std::uint64_t anchor_cycle_ = 0;
    Picoseconds anchor_time_ = 0;
    core::Core core_;
    bool released_ = false;
    std::optional<core::Reset> reset_pending_;
    bool reset_requested_ = false;  ///< by the program
    bool stop_requested_ = false, stop_at_reset_ = false;
    bool stepping_ = false;   ///< one instruction, then a stop
    bool executing_ = false;  ///< the core runs: this process is inside it
    core::Stop stop_ = core::Stop::Budget;
    sc_core::sc_event wake_;
    bool woken_ = false;    ///< something came since `run` began
    bool waiting_ = false;  ///< for `wake_`
    bool clock_stopped_ = false;
    bool off_ = false;  ///< without power
    bool in_access_ = false;
    bool others_ran_ = false;       ///< since the access began
    Picoseconds posted_until_ = 0;  ///< writes to devices have taken effect; 0: none pending
    double next_clock_hz_ = 0;      ///< from the end of the access on; 0: as it is
    /// What the target said of a page, port, security and privilege: no direct memory is an answer
    /// too.
    std::unordered_map<std::uint32_t, core::DirectMemory> direct_;
    static constexpr std::uint32_t kNoKey = 0xFFFFFFFF;
    std::uint32_t last_key_ = kNoKey;  ///< of `direct_`, found last
    core::DirectMemory last_direct_;
    /// What one `read_again` after the other need not find out anew. No other access, no process
    /// and no notification comes between them.
    struct Repetition {
        bool known = false;
        Picoseconds now = 0, quiet_until = 0;  ///< kernel time, and that of its next event
        const std::uint8_t* data = nullptr;    ///< of the read that `payload_` describes
        RepeatableTarget* target = nullptr;    ///< of that read; null: it cannot be repeated
    };
    Repetition repetition_;
    std::uint64_t series_ = 0;  ///< see RepeatableTarget
    tlm::tlm_generic_payload payload_;
    std::uint8_t no_byte_ = TLM_BYTE_DISABLED;  ///< a byte enable
    Transfer transfer_;
    /// For questions about direct memory, which may come while others go first in an access.
    tlm::tlm_generic_payload query_;
    Transfer query_transfer_;
};

}  // namespace n6vp::models

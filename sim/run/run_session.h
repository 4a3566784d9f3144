// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/console/console.h"
#include "sim/console/console_group.h"
#include "sim/console/mailbox_service.h"
#include "sim/console/phase_recorder.h"
#include "sim/console/probe_consoles.h"
#include "sim/exec/exec_program.h"
#include "sim/faults/run_events.h"
#include "sim/faults/run_faults.h"
#include "sim/faults/run_verdict.h"
#include "sim/host/console_text.h"
#include "sim/host/elf.h"
#include "sim/host/output_file.h"
#include "sim/platform/epoch_log.h"
#include "sim/platform/platform.h"
#include "sim/platform/progress_watch.h"
#include "sim/registers/register_report.h"
#include "sim/run/board_devices.h"
#include "sim/run/board_sound.h"
#include "sim/run/card_slot.h"
#include "sim/run/input_feed.h"
#include "sim/run/run_config.h"
#include "sim/run/run_files.h"
#include "sim/run/run_semihosting.h"
#include "sim/run/run_watch.h"

namespace n6vp::sim {

struct RunOutcome {
    RunVerdict verdict = RunVerdict::Exit;
    std::uint32_t exit_code = 0;  ///< of the program
    std::uint32_t pc = 0;
    std::string what;             ///< for Unmodelled: the register, or the use of the NPU
    bool assumed = false;         ///< for Unmodelled: it is computed, but by an assumption
    std::string npu_fault;        ///< what stopped work on the NPU, if anything
    bool faulted = false;         ///< a fault, of the program or the NPU, ended the run
    bool doubtful = false;        ///< stale bytes, a buffer in use, an access denied
    bool output_gone = false;     ///< for Interrupted: the reader of the program's output is gone
    bool console_failed = false;  ///< for output_gone: a console could not be written
    std::uint64_t instructions = 0, cycles = 0;  ///< of all starts together
    std::uint64_t resets = 0;                    ///< after which the program started again
    std::uint64_t wake_ups = 0;                  ///< the same for wake-ups from Standby mode
    bool standby = false;                        ///< the run ended in Standby mode
    std::string wake_up_pins;                    ///< enabled then: "PC13 rising"
    models::Picoseconds time = 0;
    double host_seconds = 0;  ///< CPU time of this process while it ran
    std::uint64_t hash = 0;
    ExecStatistics core;
    FaultStatus status;
};

/// A program on the platform with everything around it: console, mailbox, files, reports.
class RunSession {
  public:
    struct Streams {
        std::ostream& out;  ///< text of mailbox and semihosting
        std::ostream& err;
        bool progress = false;  ///< a terminal: show the progress regularly
        /// Gets what the program gives the mailbox, as it comes. What it throws ends the run.
        std::function<void(std::string_view)> on_mailbox = {};
        /// Gets the phases that the program begins and ends.
        std::function<void(const Phase&)> on_phase = {};
        /// What to show of how far the program is, in place of the phase's name.
        std::function<std::string()> activity = {};
        /// Returns what stands between the console's port and its place. May be empty.
        std::function<std::unique_ptr<ConsoleBackend>(std::unique_ptr<ConsoleBackend>)>
            replace_console = {};
    };
    /// Reads every file that the plan names and builds the platform. Fails with UserError, before
    /// anything was written.
    RunSession(const RunPlan& plan, Streams streams);
    ~RunSession();
    RunSession(const RunSession&) = delete;
    RunSession& operator=(const RunSession&) = delete;

    /// Runs the platform in place of `Platform::advance`, if set before `run`. Gets what that is
    /// given as its last argument. What it holds outlives the platform.
    std::function<RunEnd(const std::function<bool()>& poll)> drive;
    /// Returns true if the program, its output or a setting of the plan wants the run to end.
    [[nodiscard]] bool over() const {
        return exit_code_ || reset_pc_ || failure_ || !unmodelled_.empty() || output_gone_;
    }
    /// What the program ended the run with.
    [[nodiscard]] const std::optional<std::uint32_t>& exit_code() const { return exit_code_; }
    /// Returns true if the program requested a reset, which then does not end the run: who asks
    /// carries it out.
    [[nodiscard]] bool take_reset_request() { return std::exchange(reset_pc_, {}).has_value(); }

    /// The run stood for that long, by a debugger: no limit of the host's time counts it.
    void leave_out(std::chrono::steady_clock::duration stood) { begun_ += stood; }

    /// The platform was reset, and its time begins again: progress is judged from there on.
    void note_reset() { progress_ = ProgressWatch(plan_.quiet); }

    /// Logs the epochs of the NPU, if called before `run`, which ends them.
    EpochLog& log_epochs();
    [[nodiscard]] RunOutcome run();
    /// After `run`: fails with UserError if the console's place took no more, which ended the run.
    void require_console();
    /// After `run`: writes the dump that the plan requests, if any. Fails with UserError.
    void write_dump();
    /// After `run`: the same for the picture of the screen. If there was none, it says so.
    void write_screen();
    /// After `run`: the same for the contents of the SD card.
    void write_card() { card_.save(); }
    /// The same for what the speaker played.
    void write_sound() { sound_->write(streams_.err); }

    [[nodiscard]] const RunPlan& plan() const { return plan_; }
    [[nodiscard]] Platform& platform() { return *platform_; }
    [[nodiscard]] const PhaseRecorder& phases() const { return *phases_; }
    [[nodiscard]] const ExecProgram& program() const { return program_; }
    /// Of the program; null if it has none.
    [[nodiscard]] const ElfFile* symbols() const { return symbols_ ? &*symbols_ : nullptr; }
    [[nodiscard]] const RunEvents& events() const { return *events_; }
    /// Explained once the run has ended.
    [[nodiscard]] const fault_report::RunFaults& faults() const { return *faults_; }
    [[nodiscard]] const RegisterReport& registers() const { return *registers_; }
    /// An image with boot header among those that were loaded.
    struct BootImage {
        std::string name;  ///< for reports
        std::uint32_t address = 0;
        models::BootHeader header;
    };
    [[nodiscard]] const std::vector<BootImage>& boot_images() const { return boot_images_; }
    /// Returns true if no serial port had input.
    [[nodiscard]] bool repeatable() const {
        return console_->repeatable() && consoles_.repeatable();
    }
    [[nodiscard]] BoardDevices& board() { return *board_; }
    [[nodiscard]] const BoardDevices& board() const { return *board_; }
    [[nodiscard]] const BoardSound& sound() const { return *sound_; }
    [[nodiscard]] const InputFeed& inputs() const { return *inputs_; }
    /// From the plan's SVD file.
    [[nodiscard]] const RegisterNames& register_names() const { return names_; }
    /// What the plan's expectations look for on the console: the texts of `console`, then those of
    /// `console_without`.
    [[nodiscard]] const ConsoleWatch& watch() const { return watch_; }

  private:
    struct Log;

    void read_program();
    void build();
    void load(std::vector<RunFile>& files);
    void record_phases();
    void connect_mailbox();
    /// That of the console, and those of the other ports.
    void connect_consoles(std::unique_ptr<ConsoleBackend> place,
                          const std::vector<PortPlace>& others);
    void connect_probe(std::vector<PortPlace>& places);
    void connect_semihosting();
    void watch_faults();
    /// For --strict: ends the run at the first unmodelled or assumed behaviour.
    void stop_at_unmodelled();
    [[nodiscard]] PhaseCounters sample(models::Picoseconds at);
    [[nodiscard]] RunVerdict verdict_of(RunEnd end);
    [[nodiscard]] bool poll();
    void show_progress(double now);
    /// Goes on until a limit, or an end that is none of the resets which the plan allows, and no
    /// wake-up from Standby mode.
    [[nodiscard]] RunEnd advance(const std::function<bool()>& look);
    /// Returns false if no reset was requested, or if it ends the run.
    bool restart();
    [[nodiscard]] std::uint64_t instructions() const;
    /// Returns true if the core sleeps until SysTick, or the chip in Standby mode until the RTC.
    [[nodiscard]] bool waits_for_clock();
    void describe(RunOutcome& outcome);
    /// Ends a run whose output has no reader any more or no space: a program that writes without
    /// end would go on.
    void look_for_readers();
    /// Does `work` inside a process of the kernel, which would end the host's program if it threw:
    /// `run` throws it instead.
    template <typename Work>
    void guarded(Work work);

    const RunPlan& plan_;
    Streams streams_;
    ConsoleWatch watch_;
    ConsoleText mailbox_text_;
    std::shared_ptr<FileBudget> budget_;  ///< of mailbox and semihosting together
    ExecProgram program_;
    std::optional<ElfFile> symbols_;
    RunStart start_at_;
    std::vector<BootImage> boot_images_;
    RegisterNames names_;
    std::unique_ptr<RegisterReport> registers_;
    std::unique_ptr<Log> log_;
    std::unique_ptr<PhaseRecorder> phases_;
    std::unique_ptr<RunMailbox> mailbox_;
    CardSlot card_;
    std::unique_ptr<Platform> platform_;
    std::unique_ptr<RunEvents> events_;
    std::unique_ptr<EpochLog> epochs_;  ///< null if it was not requested
    std::unique_ptr<fault_report::RunFaults> faults_;
    std::unique_ptr<Console> console_;
    ConsoleGroup consoles_;  ///< beside it
    ProbeConsoles probe_;
    models::Uart* port_ = nullptr;  ///< of the console
    std::unique_ptr<BoardDevices> board_;
    std::vector<models::Picture> pictures_;  ///< of the camera, until the platform has them
    std::unique_ptr<BoardSound> sound_;
    std::unique_ptr<InputFeed> inputs_;
    std::optional<OutputFile> screen_;  ///< a file that cannot be created is refused before the run
    std::unique_ptr<RunSemihosting> semihosting_;
    std::optional<std::uint32_t> exit_code_;
    std::optional<std::uint32_t> reset_pc_;
    std::uint64_t resets_ = 0;                                   ///< that did not end the run
    std::uint64_t wake_ups_ = 0;                                 ///< from Standby mode
    std::uint64_t instructions_before_ = 0, cycles_before_ = 0;  ///< the last of them
    std::string unmodelled_;
    bool assumed_ = false;  ///< `unmodelled_` is an assumption of the NPU
    std::exception_ptr failure_, console_failure_;
    bool output_gone_ = false, console_failed_ = false;
    bool host_time_over_ = false;
    ProgressWatch progress_;
    bool no_progress_ = false;
    std::uint64_t happened_ = 0;            ///< calls of semihosting, characters
    std::uint64_t exceptions_ = 0;          ///< that began; looks that found a wake-up by SysTick
    double last_progress_ = 0, start_ = 0;  ///< CPU time, s
    std::chrono::steady_clock::time_point begun_;
    bool progress_shown_ = false;
};

}  // namespace n6vp::sim

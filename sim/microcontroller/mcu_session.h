// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/chip/mcu/microcontroller.h"
#include "sim/console/console.h"
#include "sim/console/console_group.h"
#include "sim/console/probe_consoles.h"
#include "sim/exec/exec_statistics.h"
#include "sim/faults/run_verdict.h"
#include "sim/microcontroller/mcu_firmware.h"
#include "sim/microcontroller/mcu_view.h"
#include "sim/platform/progress_watch.h"
#include "sim/registers/register_report.h"
#include "sim/run/input_feed.h"
#include "sim/run/run_config.h"
#include "sim/run/run_semihosting.h"
#include "sim/run/run_watch.h"

namespace n6vp::sim {

struct McuOutcome {
    RunVerdict verdict = RunVerdict::Exit;
    std::uint32_t exit_code = 0;  ///< of the program
    std::uint32_t pc = 0;
    std::string what;                            ///< for Unmodelled: the register
    std::uint64_t instructions = 0, cycles = 0;  ///< of all starts together
    std::uint64_t resets = 0;                    ///< after which the program started again
    models::Picoseconds time = 0;
    double host_seconds = 0;
    double core_hz = 0;  ///< at the end
    std::uint64_t core_faults = 0, access_faults = 0;
    std::string first_fault;
    FaultStatus status;
    std::vector<ExecRegister> core_registers;  ///< accessed without a model
};

/// Accesses to a peripheral whose clock was off: reads gave zero, writes were lost.
struct McuUnclocked {
    std::uint64_t reads = 0, writes = 0;
    std::uint32_t first_pc = 0;  ///< of the block that did it first
};

/// The report of registers takes addresses that differ in bit 28 for one register, as on the
/// STM32N6. Chips without such aliases have other registers there, which these two keep apart.
[[nodiscard]] constexpr std::uint32_t key_of_address(std::uint32_t address) {
    constexpr std::uint32_t kAlias = 1u << 28, kAside = 1u << 31;
    return (address & kAlias) != 0 ? address | kAlias | kAside : address | kAlias;
}
[[nodiscard]] constexpr std::uint32_t address_of_key(std::uint32_t key) {
    constexpr std::uint32_t kAlias = 1u << 28, kAside = 1u << 31;
    return (key & kAside) != 0 ? key & ~kAside : key & ~kAlias;
}

/// Returns the line with the address that the register has on the chip.
[[nodiscard]] RegisterReport::Line line_on_chip(RegisterReport::Line line);

/// Firmware on a chip of memmap/chips with everything around it: console, semihosting, limits.
/// One per process, the limit of the SystemC kernel.
class McuSession {
  public:
    struct Streams {
        std::ostream& out;  ///< text of semihosting
        std::ostream& err;
    };
    /// `port` is the serial port of the console, empty for that of the board's debug probe.
    /// Reads every file that the plan names and builds the chip. Fails with UserError.
    McuSession(const RunPlan& plan, const memmap::Chip& chip,
               const models::mcu_chip::MicrocontrollerParameters& parameters, std::string port,
               Streams streams);
    ~McuSession();
    McuSession(const McuSession&) = delete;
    McuSession& operator=(const McuSession&) = delete;

    [[nodiscard]] McuOutcome run();
    /// Runs the chip in place of `run` itself, if set before. What it gets goes on for a stretch,
    /// or until the core stops, and returns why the run is over, if it is.
    using Advance = std::function<std::optional<RunVerdict>()>;
    std::function<RunVerdict(const Advance& advance)> drive;
    /// What the program ended the run with.
    [[nodiscard]] std::optional<std::uint32_t> exit_code() const;
    /// Returns true if the program requested a reset, which then does not end the run: who asks
    /// carries it out.
    [[nodiscard]] bool take_reset_request() { return std::exchange(reset_requested_, false); }
    /// Resets the chip and returns when the core stands before its first instruction.
    void restart();
    /// The run stood for that long, by a debugger: no limit of the host's time counts it.
    void leave_out(std::chrono::steady_clock::duration stood) { begun_ += stood; }
    /// Answers semihosting operations that are left to applications, 0x100 to 0x1FF, by changing
    /// r0. None: they are operations that do not exist.
    std::function<void(models::core::Core&)> on_application_call;
    /// After `run`: fails with UserError if the console's place took no more.
    void require_console();

    [[nodiscard]] const RunPlan& plan() const { return plan_; }
    [[nodiscard]] models::mcu_chip::Microcontroller& chip() { return *chip_; }
    [[nodiscard]] models::Uart& console_port() { return *port_; }
    [[nodiscard]] const InputFeed& inputs() const { return *inputs_; }
    [[nodiscard]] const RegisterReport& registers() const { return *registers_; }
    [[nodiscard]] const McuFirmware& firmware() const { return firmware_; }
    /// What the plan's expectations look for on the console: the texts of `console`, then those of
    /// `console_without`.
    [[nodiscard]] const ConsoleWatch& watch() const { return watch_; }
    [[nodiscard]] const std::string& port_name() const { return port_name_; }
    /// By name of the peripheral.
    [[nodiscard]] const std::map<std::string, McuUnclocked>& unclocked() const {
        return unclocked_;
    }

  private:
    class Log;

    void build(const memmap::Chip& chip,
               const models::mcu_chip::MicrocontrollerParameters& parameters);
    void connect_console(const memmap::Chip& chip);
    void connect_probe(std::vector<PortPlace>& places);
    void listen();
    void listen_to_semihosting();
    void note_fault(const models::AccessFault& fault);
    void load();
    [[nodiscard]] std::optional<RunVerdict> advance();
    [[nodiscard]] std::optional<RunVerdict> look();
    [[nodiscard]] models::Picoseconds slice() const;
    /// Returns false if a reset ends the run.
    bool start_again();
    [[nodiscard]] std::uint64_t instructions() const;
    [[nodiscard]] RunVerdict verdict_of_stop() const;
    void describe(McuOutcome& outcome);

    const RunPlan& plan_;
    Streams streams_;
    std::string port_name_;
    McuFirmware firmware_;
    std::unique_ptr<RegisterReport> registers_;
    std::unique_ptr<Log> log_;
    std::unique_ptr<models::mcu_chip::Microcontroller> chip_;
    models::Uart* port_ = nullptr;
    std::unique_ptr<Console> console_;
    ConsoleGroup consoles_;  ///< beside it
    std::unique_ptr<InputFeed> inputs_;
    ProbeConsoles probe_;
    std::optional<McuView> view_;
    std::unique_ptr<RunSemihosting> semihosting_;
    std::exception_ptr console_failure_;
    std::string unmodelled_, first_fault_;
    std::uint64_t core_faults_ = 0, access_faults_ = 0;
    std::map<std::string, McuUnclocked> unclocked_;
    bool reset_requested_ = false, output_gone_ = false;
    std::uint64_t resets_ = 0;                                   ///< that did not end the run
    std::uint64_t instructions_before_ = 0, cycles_before_ = 0;  ///< the last of them
    ConsoleWatch watch_;
    ProgressWatch progress_;
    std::uint64_t happened_ = 0;  ///< characters, exceptions, calls of semihosting
    std::chrono::steady_clock::time_point begun_;
};

}  // namespace n6vp::sim

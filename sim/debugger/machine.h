// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/core/core.h"
#include "models/core/ir/profile.h"
#include "sim/debugger/saved_registers.h"

namespace n6vp::sim {
class ElfFile;
}

namespace n6vp::sim::debugger {

/// Why the machine stands still.
struct Halt {
    enum class Reason : std::uint8_t {
        Step,         ///< the step is done, or the reset
        Breakpoint,   ///< at the breakpoint, or at BKPT
        Watchpoint,   ///< before the core's access to `address`
        OtherAccess,  ///< another master accessed `address`; `text` says which
        Interrupt,    ///< the client asked for it
        Lockup,       ///< a fault that the core cannot take
        Message,      ///< `text` says why
        Ended,        ///< the run is over; `exit_code` if the program ended it
    };
    Reason reason = Reason::Step;
    std::uint32_t address = 0;
    bool write = false;
    std::string text;  ///< lines for the client's console, the newline after each included
    std::optional<std::uint32_t> exit_code;
};

/// Memory as a client has to know it.
struct MemoryArea {
    std::uint32_t start = 0, bytes = 0;
    bool flash = false;  ///< a client writes it by vFlashWrite only
    std::string name;
};

/// A range that stops on accesses.
struct WatchedRange {
    std::uint32_t address = 0, bytes = 1;
    bool on_read = false, on_write = true;

    [[nodiscard]] bool touches(std::uint32_t at, std::uint32_t count, bool write) const {
        if (count == 0 || (write ? !on_write : !on_read)) return false;
        return at + (count - 1) >= address && address + (bytes - 1) >= at;
    }
};

/// One command of `monitor`.
struct MonitorCommand {
    std::string name;       ///< its first word
    std::string arguments;  ///< for the list: "[PHASE]"
    std::string meaning;
    /// Returns the lines to show.
    std::function<std::string(const std::string& arguments)> run;
};

/// A thread of an operating system, or the core if there is none.
struct ThreadInfo {
    std::uint32_t id = 1;  ///< neither 0 nor 0xFFFFFFFF
    std::string text;      ///< name and state
    /// Of a thread that does not run; none: the registers are those of the core.
    std::optional<SavedRegisters> saved;
};

enum class ResetKind : std::uint8_t {
    Warm,  ///< as by the reset pin: memory stays
    Cold,  ///< as after power-on, with the files of the run and what was written to flash
};

/// What a debugger controls: a core with its memory, standing still except inside `run` and
/// `step`. Time does not pass otherwise.
class Machine {
  public:
    /// Asked now and then while the machine runs: true stops it.
    using Interrupt = std::function<bool()>;

    Machine() = default;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    virtual ~Machine() = default;

    [[nodiscard]] virtual models::core::Core& core() = 0;
    [[nodiscard]] virtual const models::core::CoreProfile& profile() const = 0;

    /// Reads as the core would, caches included, without a trace in the machine. Returns false,
    /// with nothing guaranteed, where there is no memory or reading would change something.
    [[nodiscard]] virtual bool read(std::uint32_t address, std::span<std::uint8_t> bytes) = 0;
    /// Writes memory, flash included, and registers of the core.
    [[nodiscard]] virtual bool write(std::uint32_t address,
                                     std::span<const std::uint8_t> bytes) = 0;
    /// Writes flash, such that a cold reset keeps it.
    [[nodiscard]] virtual bool program(std::uint32_t address,
                                       std::span<const std::uint8_t> bytes) = 0;
    [[nodiscard]] virtual std::vector<MemoryArea> areas() const = 0;

    /// Accesses of other masters than the core to these stop the machine from now on.
    virtual void watch_others(const std::vector<WatchedRange>& ranges) = 0;
    [[nodiscard]] virtual Halt run(const Interrupt& interrupt) = 0;
    /// Executes one instruction.
    [[nodiscard]] virtual Halt step(const Interrupt& interrupt) = 0;
    /// The core stands before its first instruction then.
    virtual void reset(ResetKind kind) = 0;

    [[nodiscard]] virtual std::vector<MonitorCommand> monitor_commands() = 0;
    /// The thread that runs comes first. Asked once in a stop.
    [[nodiscard]] virtual std::vector<ThreadInfo> threads() { return threads_by(nullptr); }

  protected:
    /// Returns the threads of the operating system whose symbols the program has, or the core.
    [[nodiscard]] std::vector<ThreadInfo> threads_by(const ElfFile* symbols);
};

/// A machine whose run the debugger drives from its beginning to its end.
class ControlledMachine : public Machine {
  public:
    /// Begins the run: the core stands before its first instruction.
    [[nodiscard]] virtual Halt start() = 0;
    /// A client, or the host, has ended the run.
    virtual void end() = 0;

    /// A client has come, or left. Without one the program runs as it does without a debugger.
    void attend(bool on) {
        attended_ = on;
        core().set_halting_debug(on);
    }
    [[nodiscard]] bool attended() const { return attended_; }

  protected:
    using HostClock = std::chrono::steady_clock;
    /// The machine stands from now on.
    void stand() { stands_since_ = HostClock::now(); }
    /// Returns how long it has stood; 0 if it has not run yet.
    [[nodiscard]] HostClock::duration stood() const {
        return stands_since_ ? HostClock::now() - *stands_since_ : HostClock::duration::zero();
    }

  private:
    bool attended_ = false;
    std::optional<HostClock::time_point> stands_since_;
};

}  // namespace n6vp::sim::debugger

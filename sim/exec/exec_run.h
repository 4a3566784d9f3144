// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

#include "models/core/core.h"
#include "sim/exec/exec_program.h"
#include "sim/exec/exec_statistics.h"

namespace n6vp::sim {

/// The chip or board whose particulars the bare core takes on.
enum class ExecBoard : std::uint8_t {
    N6,     ///< STM32N6: 195 interrupts, 4 priority bits, no attribution unit
    An547,  ///< QEMU's mps3-an547: 128 interrupts, 8 priority bits, bit 28 of an address is Secure
    An505,  ///< QEMU's mps2-an505: 124 interrupts, otherwise alike
    An386,  ///< QEMU's mps2-an386 and mps2-an500: 32 interrupts, 8 priority bits
};

/// Clock of the core for time limits and for the times of semihosting.
inline constexpr double kExecCoreHz = 800e6;

struct ExecSetup {
    models::core::Timing timing = models::core::Timing::Approx;
    ExecBoard board = ExecBoard::N6;
    const models::core::CoreProfile* core = &models::core::cortex_m55();
    models::core::IssueParameters pipeline;  ///< of a Cortex-M55, unless functional
    models::core::CortexM4Parameters cortex_m4;
    models::core::CortexM33Parameters cortex_m33;
    models::core::CortexM7Parameters cortex_m7;
    models::core::CacheParameters cache;  ///< unless functional
    /// Without: as the core has them.
    std::optional<models::core::ExceptionParameters> exception;
    std::uint64_t most_instructions = 0;   ///< 0: no limit
    std::uint64_t most_cycles = 0;         ///< 0: no limit
    double host_seconds = 0;               ///< limit of elapsed time; 0: none
    std::optional<std::uint32_t> vectors;  ///< address of the vector table, if not found by itself
    std::filesystem::path folder;          ///< files for semihosting
    std::string command_line;
    bool trace = false;   ///< every instruction to `trace_out`
    bool strict = false;  ///< ends at the first access to a core register that is not modelled
    std::ostream* out = nullptr;
    std::ostream* err = nullptr;
    std::istream* in = nullptr;
    std::ostream* trace_out = nullptr;
};

enum class ExecEnd : std::uint8_t {
    Exit,         ///< the program said so
    Reset,        ///< the program asked for a reset: AIRCR.SYSRESETREQ
    Lockup,       ///< a fault that no handler can take
    Unmodelled,   ///< `strict`
    Limit,        ///< `most_instructions`, `most_cycles` or `host_seconds`
    Asleep,       ///< WFI or WFE with nothing left to wake it
    Interrupted,  ///< by a signal, see catch_signals
};

struct ExecOutcome {
    ExecEnd end = ExecEnd::Exit;
    std::uint32_t exit_code = 0;  ///< of the program
    std::uint64_t instructions = 0, cycles = 0;
    double host_seconds = 0;  ///< CPU time of this process while the core ran
    /// Where the core stands; for Reset and Unmodelled the instruction that made the access.
    std::uint32_t pc = 0;
    std::uint32_t register_address = 0;  ///< for Unmodelled
    bool register_written = false;
    ExecStatistics statistics;
    /// Fault status registers, for Lockup.
    std::uint32_t cfsr = 0, hfsr = 0, sfsr = 0, mmfar = 0, bfar = 0;
};

/// Runs a program on a core with flat memory. Fails with UserError if a segment has no memory or
/// no start can be found.
[[nodiscard]] ExecOutcome run_program(const ExecProgram& program, const ExecSetup& setup);

/// "functional", "approx" or "precise".
[[nodiscard]] const char* timing_name(models::core::Timing timing);

}  // namespace n6vp::sim

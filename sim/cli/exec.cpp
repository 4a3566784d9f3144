// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/common_options.h"
#include "sim/cli/frame.h"
#include "sim/cli/log_options.h"
#include "sim/cli/verb.h"
#include "sim/exec/exec_report.h"
#include "sim/exec/exec_run.h"
#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "sim/model_file/model_source.h"
#include "sim/platform/platform_parameters.h"
#include "sim/run/run_config.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

using models::core::Timing;

struct ExecOptions {
    std::string file;
    std::string timing = "approx";
    std::string board = "n6";
    std::string core = "cortex-m55";
    std::string trace;
    std::string files;
    std::string vectors;
    std::vector<std::string> arguments;
    ParameterOptions parameters;  ///< of pipeline, cache and exception
    std::uint64_t most_instructions = 0;
    std::string most_time = "0", most_host_time = "0";
    bool strict = false;
    bool stats = false;
    bool json = false;
};

Timing parse_timing(const std::string& text) {
    if (text == "functional") return Timing::Functional;
    return text == "approx" ? Timing::Approx : Timing::Precise;
}

ExecBoard parse_board(const std::string& text) {
    if (text == "an547") return ExecBoard::An547;
    if (text == "an505") return ExecBoard::An505;
    return text == "an386" || text == "an500" ? ExecBoard::An386 : ExecBoard::N6;
}

const models::core::CoreProfile& parse_core(const std::string& text) {
    if (const auto* const core = models::core::find_core_profile(text)) return *core;
    std::vector<std::string> names;
    for (const auto* const core : models::core::core_profiles()) names.emplace_back(core->name);
    const std::string_view near = nearest(text, names);
    throw UserError(fmt::format("there is no core '{}'", traces::terminal_text(text)),
                    near.empty() ? fmt::format("give one of {}", fmt::join(names, ", "))
                                 : fmt::format("did you mean {}?", near));
}

double seconds_of(const std::string& text, const char* option) {
    if (const auto time = parse_duration(text)) return static_cast<double>(*time) * 1e-12;
    throw UserError(fmt::format("{} '{}' is not a time", option, traces::terminal_text(text)),
                    "give a number with a unit, such as 10ms, 1us or 2s; 0: no limit");
}

/// A limit of less than a cycle is still one.
std::uint64_t cycles_of(double seconds) {
    return static_cast<std::uint64_t>(std::ceil(seconds * kExecCoreHz));
}

int exit_code_of(const ExecOutcome& outcome) {
    switch (outcome.end) {
        case ExecEnd::Exit:
            return outcome.exit_code == 0 ? kExitOk : kExitExpectation;
        case ExecEnd::Reset:
            // Without a verdict of its own a program has not done what was asked of it.
            return kExitExpectation;
        case ExecEnd::Lockup:
            return kExitGuestFault;
        case ExecEnd::Unmodelled:
            return kExitUnmodelled;
        case ExecEnd::Interrupted:
            return kExitInterrupted;
        default:
            return kExitLimit;
    }
}

void run(const ExecOptions& options, Session& session) {
    const ExecProgram program = ExecProgram::read(options.file);
    PlatformParameters parameters;
    options.parameters.apply_to(parameters);
    ExecSetup setup;
    setup.pipeline = parameters.pipeline;
    setup.cortex_m4 = parameters.cortex_m4;
    setup.cortex_m33 = parameters.cortex_m33;
    setup.cortex_m7 = parameters.cortex_m7;
    setup.cache = parameters.cache;
    setup.timing = parse_timing(options.timing);
    setup.core = &parse_core(options.core);
    setup.exception = parameters.exceptions_of(setup.core->pipeline);
    setup.board = parse_board(options.board);
    setup.most_instructions = options.most_instructions;
    setup.most_cycles = cycles_of(seconds_of(options.most_time, "--max-time"));
    setup.host_seconds = seconds_of(options.most_host_time, "--max-host-time");
    if (!options.vectors.empty()) setup.vectors = parse_number(options.vectors, "--vectors");
    setup.folder = options.files;
    setup.command_line = options.file;
    for (const std::string& argument : options.arguments) setup.command_line += ' ' + argument;
    setup.trace = !options.trace.empty();
    setup.strict = options.strict;
    // With --json standard output is the document.
    setup.out = options.json ? &session.err : &session.out;
    setup.err = &session.err;
    setup.in = &std::cin;
    setup.trace_out = &session.err;
    const ExecOutcome outcome = run_program(program, setup);
    session.out.flush();
    if (options.json) {
        write_json(session.out, exec_document(outcome, setup.timing));
    } else {
        write_end(session.err, outcome);
        if (options.stats) write_statistics(session.err, outcome, setup.timing);
    }
    session.exit_code = exit_code_of(outcome);
}

constexpr const char* kExecFooter =
    "The program runs on the bare core with all RAM of the STM32N6 and of QEMU's mps3-an547 board\n"
    "and without peripherals other than those of the core. Input and output use semihosting\n"
    "(BKPT 0xAB). --timing selects the accuracy of the cycle estimate; memory latency is not\n"
    "modelled beyond the costs of core and caches.\n"
    "Examples:\n"
    "  n6vp exec program.elf --stats               run it, then instructions, cycles, host MIPS,\n"
    "                                              caches, code run without cache maintenance\n"
    "  n6vp exec program.elf --files work          it may read and write files in work/\n"
    "  n6vp exec program.elf --trace insn --max-instr 1000\n"
    "  n6vp exec m4.elf --core cortex-m4 --stats\n"
    "Exit code: 0 if the program ended with 0; 1 if with any other, or after a reset request\n"
    "(AIRCR.SYSRESETREQ), which ends the run without an exit code; 3 lockup; 4 unmodelled\n"
    "register under --strict; 5 limit, or asleep without a wake-up source;\n"
    "7 an output could not be written, all others are complete; 130 interrupted, with partial\n"
    "results.";

}  // namespace

void add_exec(CLI::App& app, Session& session) {
    auto options = std::make_shared<ExecOptions>();
    CLI::App* verb =
        app.add_subcommand("exec", "run a bare-metal program on the simulated processor");
    verb->add_option("ELF", options->file, "executable for the core")->required();
    verb->add_option("ARG", options->arguments, "arguments of the program");
    verb->add_option("--timing", options->timing, "functional, approx or precise")
        ->check(CLI::IsMember({"functional", "approx", "precise"}))
        ->capture_default_str();
    verb->add_option("--core", options->core, "cortex-m4, cortex-m7, cortex-m33 or cortex-m55")
        ->type_name("NAME")
        ->capture_default_str();
    verb->add_option(
            "--board", options->board,
            "n6, or a board of QEMU's, its interrupts and Secure aliases: an547 (mps3), an505, "
            "an386, an500 (mps2)")
        ->check(CLI::IsMember({"n6", "an547", "an505", "an386", "an500"}))
        ->capture_default_str();
    verb->add_option(
            "--vectors", options->vectors,
            "address of the vector table (default: the first segment that starts with one)")
        ->type_name("ADDR");
    verb->add_option("--max-instr", options->most_instructions,
                     "stop after N instructions; 0: no limit")
        ->type_name("N")
        ->check(whole_number);
    verb->add_option("--max-time", options->most_time,
                     "stop after this time of the core at 800 MHz; 0: no limit")
        ->type_name("TIME");
    verb->add_option("--max-host-time", options->most_host_time,
                     "stop after this time of the host; 0: no limit")
        ->type_name("TIME");
    verb->add_option("--files", options->files,
                     "folder in which the program may open, write and remove files (default: none)")
        ->type_name("DIR");
    verb->add_option("--trace", options->trace, "insn: write every instruction to standard error")
        ->check(CLI::IsMember({"insn"}));
    add_parameter_options(*verb, options->parameters);
    verb->add_flag("--strict", options->strict,
                   "end with exit code 4 at an access to an unmodelled core register");
    verb->add_flag("--stats", options->stats,
                   "print instructions, cycles, host speed, cache statistics, missing cache "
                   "maintenance and accesses to unmodelled registers");
    verb->add_flag("--json", options->json,
                   "write JSON (n6vp.exec/1); the program's console goes to standard error");
    add_log_options(*verb, session);
    verb->footer(kExecFooter);
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli

// SPDX-License-Identifier: Apache-2.0
// Speed of the executing core on the kernels of core/kernels.c: processor time, and QEMU's for the
// same program in the same run.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/exec/exec_program.h"
#include "sim/exec/exec_run.h"

namespace {

using namespace n6vp;
using models::core::Timing;

/// A core with the board that both sides run it on.
struct Machine {
    const char* core;
    const char* suffix;  ///< of its programs
    sim::ExecBoard board;
    const char* qemu;
};
constexpr Machine kM55{"cortex-m55", "", sim::ExecBoard::An547, "mps3-an547"};
constexpr Machine kM33{"cortex-m33", "_m33", sim::ExecBoard::An505, "mps2-an505"};
constexpr Machine kM7{"cortex-m7", "_m7", sim::ExecBoard::An386, "mps2-an500"};
constexpr Machine kM4{"cortex-m4", "_m4", sim::ExecBoard::An386, "mps2-an386"};

std::string kernel_path(const char* name, const Machine& machine) {
    return std::string(N6VP_KERNELS) + "/kernel_" + name + machine.suffix + ".elf";
}

sim::ExecOutcome run_kernel(const std::string& path, const Machine& machine, Timing timing) {
    const sim::ExecProgram program = sim::ExecProgram::read(path);
    std::ostringstream text;
    sim::ExecSetup setup;
    setup.timing = timing;
    setup.board = machine.board;
    setup.core = models::core::find_core_profile(machine.core);
    setup.out = &text;
    setup.err = &text;
    sim::ExecOutcome outcome = sim::run_program(program, setup);
    if (outcome.end != sim::ExecEnd::Exit) throw std::runtime_error("the kernel did not end");
    return outcome;
}

/// Processor seconds of QEMU for a program; 0 if there is no QEMU.
double qemu_seconds(const std::string& path, const Machine& machine) {
    const std::string qemu = N6VP_QEMU;
    if (qemu.empty()) return 0;
    std::vector<std::string> arguments = {
        qemu,       "-M",   machine.qemu,          "-nographic",
        "-monitor", "none", "-semihosting-config", "enable=on,target=native",
        "-kernel",  path};
    std::vector<char*> raw;
    raw.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) raw.push_back(argument.data());
    raw.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int started = posix_spawn(&child, raw[0], &actions, nullptr, raw.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    rusage usage{};
    if (started != 0 || wait4(child, &status, 0, &usage) != child) return 0;
    return static_cast<double>(usage.ru_utime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

/// MIPS of the core, and how many times faster than QEMU that is.
void core_kernel(benchmark::State& state, const char* name, const Machine& machine, Timing timing) {
    const std::string path = kernel_path(name, machine);
    double best = 0, instructions = 0;
    for (auto _ : state) {
        const sim::ExecOutcome outcome = run_kernel(path, machine, timing);
        instructions = static_cast<double>(outcome.instructions);
        const double seconds = outcome.host_seconds;
        state.SetIterationTime(seconds);
        if (best == 0 || seconds < best) best = seconds;
    }
    const double qemu = qemu_seconds(path, machine);
    state.counters["MIPS"] = instructions / best * 1e-6;
    if (qemu > 0) {
        state.counters["QEMU_MIPS"] = instructions / qemu * 1e-6;
        state.counters["to_QEMU"] = qemu / best;
    }
}

#define N6VP_KERNEL_ON(name, machine, label)                                                     \
    BENCHMARK_CAPTURE(core_kernel, name##label##_functional, #name, machine, Timing::Functional) \
        ->UseManualTime()                                                                        \
        ->Iterations(5);                                                                         \
    BENCHMARK_CAPTURE(core_kernel, name##label##_approx, #name, machine, Timing::Approx)         \
        ->UseManualTime()                                                                        \
        ->Iterations(5)

N6VP_KERNEL_ON(int, kM55, );
N6VP_KERNEL_ON(alu, kM55, );
N6VP_KERNEL_ON(dot, kM55, );
N6VP_KERNEL_ON(fma, kM55, );
N6VP_KERNEL_ON(int, kM4, _m4);
N6VP_KERNEL_ON(int, kM33, _m33);
N6VP_KERNEL_ON(int, kM7, _m7);
N6VP_KERNEL_ON(alu, kM4, _m4);
N6VP_KERNEL_ON(alu, kM33, _m33);
N6VP_KERNEL_ON(alu, kM7, _m7);

}  // namespace

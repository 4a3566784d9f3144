// SPDX-License-Identifier: Apache-2.0
// What the chip around the core costs the host: the kernels of core/kernels.c out of cacheable
// AXISRAM of the platform against the same programs on flat memory, and `approx` against `precise`
// on the mixed loads of tests/platform; and how long the chip takes to start. Processor time; what
// is compared takes turns.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/exec/exec_program.h"
#include "sim/exec/exec_run.h"
#include "sim/platform/platform.h"
#include "tests/platform/probe.h"

namespace {

using namespace n6vp;

constexpr std::uint32_t kVectors = 0x34080000;  // as in core/kernels_axisram.ld
constexpr std::uint32_t kSysExit = 0x18;

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The platform, with whatever kernel was put into it last: it elaborates once per process.
class Chip {
  public:
    Chip() : platform_(sim::PlatformParameters{}, options()) {
        platform_.hooks.semihosting = [this](models::core::Core& core) {
            if (core.reg(0) == kSysExit) {
                ended_ = true;
                platform_.stop();
            }
            return true;
        };
        platform_.elaborate();
        start_seconds_ = processor_seconds() - construction_;
    }
    [[nodiscard]] double start_seconds() const { return start_seconds_; }
    struct Run {
        double seconds = 0;
        std::uint64_t instructions = 0, cycles = 0;
    };
    Run run(const sim::ExecProgram& program) {
        if (used_) platform_.reset();
        used_ = true;
        for (const auto& segment : program.segments) {
            if (!platform_.load(GuestAddr{segment.address}, segment.content))
                throw std::runtime_error("no memory for the kernel");
        }
        ended_ = false;
        const double begin = processor_seconds();
        platform_.advance({.time = 1'000'000'000'000'000, .instructions = 0});
        const double seconds = processor_seconds() - begin;
        if (!ended_) throw std::runtime_error("the kernel did not end");
        const models::core::Core& core = platform_.core().core();
        return {seconds, core.instructions(), core.cycles()};
    }

  private:
    static sim::PlatformOptions options() {
        sim::PlatformOptions options;
        options.vectors = kVectors;
        return options;
    }
    double construction_ = processor_seconds(), start_seconds_ = 0;
    sim::Platform platform_;
    bool used_ = false, ended_ = false;
};

Chip& chip() {
    static Chip only;
    return only;
}

/// From nothing to a chip that can run; once per process.
void platform_start(benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(chip().start_seconds());
}
BENCHMARK(platform_start)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

sim::ExecOutcome run_flat(const sim::ExecProgram& program) {
    std::ostringstream text;
    sim::ExecSetup setup;
    setup.vectors = kVectors;
    setup.out = &text;
    setup.err = &text;
    sim::ExecOutcome outcome = sim::run_program(program, setup);
    if (outcome.end != sim::ExecEnd::Exit) throw std::runtime_error("the kernel did not end");
    return outcome;
}

/// Share of the core's speed that is left when its memory is that of the chip.
void axisram_to_flat(benchmark::State& state, const char* name) {
    const auto program =
        sim::ExecProgram::read(std::string(N6VP_KERNELS) + "/kernel_" + name + "_axisram.elf");
    double flat = 0, axisram = 0, instructions = 0;
    for (auto _ : state) {
        const sim::ExecOutcome alone = run_flat(program);
        const Chip::Run placed = chip().run(program);
        instructions = static_cast<double>(placed.instructions);
        if (placed.instructions != alone.instructions) {
            state.SkipWithError("not the same work");
            return;
        }
        flat = flat == 0 ? alone.host_seconds : std::min(flat, alone.host_seconds);
        axisram = axisram == 0 ? placed.seconds : std::min(axisram, placed.seconds);
        state.SetIterationTime(placed.seconds);
    }
    state.counters["MIPS"] = instructions / axisram * 1e-6;
    state.counters["flat_MIPS"] = instructions / flat * 1e-6;
    state.counters["of_flat"] = flat / axisram;
}

/// How many times as fast `approx` is on a load of target/workload.c.
void approx_to_precise(benchmark::State& state, const char* load) {
    double approx = 0, precise = 0;
    for (auto _ : state) {
        const test::ProbeRun quick = test::probe("workload approx 1000 " + std::string(load));
        const test::ProbeRun exact = test::probe("workload precise 100 " + std::string(load));
        if (!quick.finished || !exact.finished) {
            state.SkipWithError("the probe did not end");
            return;
        }
        approx = approx == 0 ? quick.host_seconds : std::min(approx, quick.host_seconds);
        precise = precise == 0 ? exact.host_seconds : std::min(precise, exact.host_seconds);
        state.SetIterationTime(quick.host_seconds);
    }
    state.counters["approx_ms"] = approx * 1e3;
    state.counters["precise_ms"] = precise * 1e3;
    state.counters["ratio"] = precise / approx;
}

#define N6VP_AXISRAM(name) \
    BENCHMARK_CAPTURE(axisram_to_flat, name, #name)->UseManualTime()->Iterations(5)
N6VP_AXISRAM(int);
N6VP_AXISRAM(alu);
N6VP_AXISRAM(dot);
N6VP_AXISRAM(fma);

// Load and rounds; 16 more is the same for the core without the NPU's traffic.
#define N6VP_GRADES(name, load) \
    BENCHMARK_CAPTURE(approx_to_precise, name, load)->UseManualTime()->Iterations(5)
N6VP_GRADES(copy_in_bank, "0 100");
N6VP_GRADES(from_flash, "1 50");
N6VP_GRADES(compute, "2 100");
N6VP_GRADES(registers, "3 100");
N6VP_GRADES(external, "4 100");
N6VP_GRADES(copy_in_bank_alone, "16 100");
N6VP_GRADES(compute_alone, "18 100");
N6VP_GRADES(registers_alone, "19 100");

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Time of whole runs of the tool, from start to exit, as a user waits for it.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/bench/bench_models.h"
#include "tests/support/process.h"

namespace {

using namespace n6vp;

/// Runs the tool with its output discarded; returns the exit code, or -1.
int run_tool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), N6VP_BINARY);
    std::vector<char*> raw;
    raw.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) raw.push_back(argument.data());
    raw.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int started = posix_spawn(&child, raw[0], &actions, nullptr, raw.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (started != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

void run_verb(benchmark::State& state, const char* verb, const test::ImageSpec& spec) {
    const test::ScratchFolder folder;
    const std::string model = folder.write("network_rel.bin", test::build_image(spec).file);
    while (state.KeepRunning()) {
        // The models lie in no granted region; that is a finding (1), not a failure to run.
        const int code = run_tool({verb, model});
        if (code != 0 && code != 1) {
            state.SkipWithError("the tool failed");
            break;
        }
    }
}
void BM_ProcessInfoParameters(benchmark::State& state) {
    run_verb(state, "info", bench::parameter_model());
}
void BM_ProcessInfoRelocations(benchmark::State& state) {
    run_verb(state, "info", bench::relocation_model());
}
void BM_ProcessCheckParameters(benchmark::State& state) {
    run_verb(state, "check", bench::parameter_model());
}
void BM_ProcessCheckRelocations(benchmark::State& state) {
    run_verb(state, "check", bench::relocation_model());
}

#ifdef N6VP_NETWORKS
/// Processor time of the children that have ended, in seconds.
double children_seconds() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Start, install and that many inferences of a generated network: processor time.
void BM_ProcessRun(benchmark::State& state, const char* network) {
    const test::ScratchFolder folder;
    const std::string file = std::string(N6VP_NETWORKS "/") + network + ".tflite";
    if (run_tool({"generate", file, "-o", folder.path().string()}) != 0) {
        state.SkipWithError("the network was not generated");
        return;
    }
    const std::vector<std::string> words{
        "run",      folder.file("network_rel.bin"), "--input", "random",
        "--repeat", std::to_string(state.range(0)), "--quiet"};
    while (state.KeepRunning()) {
        const double before = children_seconds();
        if (run_tool(words) != 0) {
            state.SkipWithError("the tool failed");
            break;
        }
        state.SetIterationTime(children_seconds() - before);
    }
}

BENCHMARK_CAPTURE(BM_ProcessRun, kws, "kws_ref_model")
    ->Arg(1)
    ->Arg(11)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK_CAPTURE(BM_ProcessRun, vww, "vww_96_int8")
    ->Arg(1)
    ->Arg(11)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
#endif

BENCHMARK(BM_ProcessInfoParameters)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_ProcessInfoRelocations)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_ProcessCheckParameters)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_ProcessCheckRelocations)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

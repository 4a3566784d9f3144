// SPDX-License-Identifier: Apache-2.0
// Time of whole runs of the tool, from start to exit, as a user waits for it.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/bench_models.h"

namespace {

using namespace n6vp;
namespace fs = std::filesystem;

/// A folder of its own for a model, with which it goes.
class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "n6vp-bench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string path() const { return path_.string(); }
    [[nodiscard]] std::string model() const { return (path_ / "network_rel.bin").string(); }

  private:
    fs::path path_;
};

void write_model(const Folder& folder, const test::ImageSpec& spec) {
    const test::Image image = test::build_image(spec);
    std::ofstream file(folder.model(), std::ios::binary);
    file.write(reinterpret_cast<const char*>(image.file.data()),
               static_cast<std::streamsize>(image.file.size()));
}

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
    const Folder folder;
    write_model(folder, spec);
    while (state.KeepRunning()) {
        // The models lie in no granted region; that is a finding (1), not a failure to run.
        const int code = run_tool({verb, folder.model()});
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
    const Folder folder;
    const std::string file = std::string(N6VP_NETWORKS "/") + network + ".tflite";
    if (run_tool({"generate", file, "-o", folder.path()}) != 0) {
        state.SkipWithError("the network was not generated");
        return;
    }
    const std::vector<std::string> words{"run",    folder.model(), "--input",
                                         "random", "--repeat",     std::to_string(state.range(0)),
                                         "--quiet"};
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

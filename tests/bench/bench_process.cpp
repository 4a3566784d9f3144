// SPDX-License-Identifier: Apache-2.0
// Wall time of whole runs of the tool, from start to exit, as a user waits for it.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
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

/// A model in a folder of its own that goes with it.
class ModelFile {
  public:
    explicit ModelFile(const test::ImageSpec& spec) {
        std::string name = (fs::temp_directory_path() / "n6vp-bench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = name;
        path_ = (folder_ / "network_rel.bin").string();
        const test::Image image = test::build_image(spec);
        std::ofstream file(path_, std::ios::binary);
        file.write(reinterpret_cast<const char*>(image.file.data()),
                   static_cast<std::streamsize>(image.file.size()));
    }
    ModelFile(const ModelFile&) = delete;
    ModelFile& operator=(const ModelFile&) = delete;
    ~ModelFile() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    fs::path folder_;
    std::string path_;
};

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
    const ModelFile model(spec);
    while (state.KeepRunning()) {
        // The models lie in no granted region; that is a finding (1), not a failure to run.
        const int code = run_tool({verb, model.path()});
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

BENCHMARK(BM_ProcessInfoParameters)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_ProcessInfoRelocations)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_ProcessCheckParameters)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_ProcessCheckRelocations)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

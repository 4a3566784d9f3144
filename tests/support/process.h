// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Runs the tool as users do: as a process, with its output in pipes or files, never on a terminal.
namespace n6vp::test {

struct Outcome {
    int exit_code = -1;  ///< 128 + signal if it was killed
    std::string out, err;
};

/// A folder that is removed with everything in it.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "n6vp-test-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
        path_ = pattern;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }
    /// Writes a file and returns its path.
    [[nodiscard]] std::string write(const std::string& name,
                                    const std::vector<std::uint8_t>& bytes) const {
        std::ofstream stream(path_ / name, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(bytes.data()),
                     static_cast<std::streamsize>(bytes.size()));
        if (!stream.flush()) throw std::runtime_error("cannot write " + name);
        return file(name);
    }
    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        return write(name, std::vector<std::uint8_t>(text.begin(), text.end()));
    }

  private:
    std::filesystem::path path_;
};

[[nodiscard]] inline std::string read_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A program that runs beside the test.
class RunningProcess {
  public:
    /// Starts `words`, program first.
    explicit RunningProcess(const std::vector<std::string>& words) {
        std::vector<char*> arguments;
        arguments.reserve(words.size() + 1);
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        const std::string out = folder_.file("out"), err = folder_.file("err");
        std::fflush(nullptr);  // or the child would write our pending output a second time
        child_ = fork();
        if (child_ < 0) throw std::runtime_error("fork failed");
        if (child_ != 0) return;
        // Whoever runs the tests in the background ignores some of them.
        for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
        if (std::freopen(out.c_str(), "wb", stdout) == nullptr) _exit(126);
        if (std::freopen(err.c_str(), "wb", stderr) == nullptr) _exit(126);
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    ~RunningProcess() {
        if (child_ == 0) return;
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
    RunningProcess(const RunningProcess&) = delete;
    RunningProcess& operator=(const RunningProcess&) = delete;

    void signal(int number) const { kill(child_, number); }
    /// What it wrote to standard output so far.
    [[nodiscard]] std::string out() const { return read_text(folder_.file("out")); }
    /// What it wrote to standard error so far.
    [[nodiscard]] std::string err() const { return read_text(folder_.file("err")); }
    /// The CPU time that it has used, in seconds: unlike time, it passes only while it works.
    [[nodiscard]] double cpu_seconds() const {
        clockid_t clock{};
        timespec used{};
        if (clock_getcpuclockid(child_, &clock) != 0 || clock_gettime(clock, &used) != 0)
            throw std::runtime_error("no CPU time of the process");
        return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
    }
    /// Waits until it has used `seconds` of CPU time more. Returns as `wait_until`.
    [[nodiscard]] bool wait_while_it_works(double seconds) const {
        const double end = cpu_seconds() + seconds;
        return wait_until([&] { return cpu_seconds() >= end; });
    }
    /// Waits until `done` says so, for up to 240 s: on a loaded host, or with a sanitizer, a start
    /// takes long. Returns false if that was not enough.
    template <typename Done>
    [[nodiscard]] static bool wait_until(Done done) {
        for (int i = 0; i < 24'000; ++i) {
            if (done()) return true;
            usleep(10'000);
        }
        return false;
    }
    /// Waits for the end and returns what the program printed and how it ended.
    [[nodiscard]] Outcome wait() {
        int status = 0;
        if (waitpid(std::exchange(child_, 0), &status, 0) < 0) {
            throw std::runtime_error("waitpid failed");
        }
        Outcome outcome;
        outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        outcome.out = read_text(folder_.file("out"));
        outcome.err = read_text(folder_.file("err"));
        return outcome;
    }

  private:
    ScratchFolder folder_;
    pid_t child_ = 0;
};

/// Runs `words` (program first) and returns what it printed and how it ended.
[[nodiscard]] inline Outcome run_process(const std::vector<std::string>& words) {
    return RunningProcess(words).wait();
}

/// As `run_process`, behind a command of the shell: "ulimit -n 8", "export TMPDIR=/none".
[[nodiscard]] inline Outcome run_after(const std::string& command,
                                       const std::vector<std::string>& words) {
    std::vector<std::string> all{"/bin/bash", "-c", command + R"( && exec "$@")", "-"};
    all.insert(all.end(), words.begin(), words.end());
    return run_process(all);
}

/// As `run_after`, with output through pipes: limits of the size of files do not end it.
[[nodiscard]] inline Outcome run_piped_after(const std::string& command,
                                             const std::vector<std::string>& words) {
    const std::string script = "set -o pipefail; { { (" + command +
                               R"( && exec "$@") 2>&3 | cat; } 3>&1 1>&4 | cat >&2; } 4>&1)";
    std::vector<std::string> all{"/bin/bash", "-c", script, "-"};
    all.insert(all.end(), words.begin(), words.end());
    return run_process(all);
}

/// Returns the name of a file of `folder` that contains `part`, "" if there is none.
[[nodiscard]] inline std::string file_like(const std::filesystem::path& folder,
                                           const std::string& part) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        std::string name = entry.path().filename().string();
        if (name.find(part) != std::string::npos) return name;
    }
    return {};
}

}  // namespace n6vp::test

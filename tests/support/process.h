// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

/// Runs `words` (program first) and returns what it printed and how it ended.
[[nodiscard]] inline Outcome run_process(const std::vector<std::string>& words) {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    const std::string err = folder.file("err");
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);  // or the child would write our pending output a second time
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        if (std::freopen(out.c_str(), "wb", stdout) == nullptr) _exit(126);
        if (std::freopen(err.c_str(), "wb", stderr) == nullptr) _exit(126);
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = read_text(out);
    outcome.err = read_text(err);
    return outcome;
}

}  // namespace n6vp::test

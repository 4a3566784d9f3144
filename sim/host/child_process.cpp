// SPDX-License-Identifier: Apache-2.0
#include "sim/host/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/host/errors.h"
#include "sim/host/log.h"

namespace n6vp::sim {

namespace {

/// Redirections of a process to be started.
class Redirections {
  public:
    Redirections() { posix_spawn_file_actions_init(&actions_); }
    ~Redirections() { posix_spawn_file_actions_destroy(&actions_); }
    Redirections(const Redirections&) = delete;
    Redirections& operator=(const Redirections&) = delete;

    void open(int descriptor, const char* path, int flags) {
        constexpr mode_t kOwnerOnly = 0600;
        posix_spawn_file_actions_addopen(&actions_, descriptor, path, flags, kOwnerOnly);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

}  // namespace

ChildResult run_self(const std::vector<std::string>& words, const std::string& message_path) {
    std::vector<std::string> text = words;
    text.insert(text.begin(), "n6vp");
    std::vector<char*> arguments;
    arguments.reserve(text.size() + 1);
    for (std::string& word : text) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    Redirections redirections;
    redirections.open(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirections.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
    redirections.open(STDERR_FILENO, message_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    log(LogComponent::Process, LogLevel::Debug, "starts {}", fmt::join(text, " "));
    pid_t child = 0;
    const int error = posix_spawn(&child, "/proc/self/exe", redirections.get(), nullptr,
                                  arguments.data(), environ);
    if (error != 0) {
        throw UserError(fmt::format("cannot start another n6vp: {}", std::strerror(error)),
                        "check /proc and free memory");
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw UserError("the other n6vp process died", "run it again");
    }
    ChildResult result;
    constexpr int kSignalBase = 128;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
    log(LogComponent::Process, LogLevel::Debug, "process {} ends with {}", child, result.exit_code);
    std::ifstream file(message_path, std::ios::binary);
    result.message.assign(std::istreambuf_iterator<char>(file), {});
    return result;
}

}  // namespace n6vp::sim

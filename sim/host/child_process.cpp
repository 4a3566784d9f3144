// SPDX-License-Identifier: Apache-2.0
#include "sim/host/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/host/log.h"
#include "sim/host/signals.h"
#include "sim/host/system_error.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

[[noreturn]] void refuse(const ChildRequest& request, int error) {
    const bool shortage = is_handle_shortage(error) || error == EAGAIN || error == ENOMEM;
    const std::string remedy = shortage ? remedy_for(error) : request.remedy;
    const std::string shown = request.program == kSelf
                                  ? "another n6vp"
                                  : "'" + traces::terminal_text(request.program) + "'";
    throw UserError(fmt::format("{} cannot be started: {}", shown, std::strerror(error)), remedy);
}

/// A pipe that carries errno out of a child whose exec fails, and ends if it does not.
class ErrorPipe {
  public:
    explicit ErrorPipe(const ChildRequest& request) {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) refuse(request, errno);
    }
    ~ErrorPipe() {
        close_end(0);
        close_end(1);
    }
    ErrorPipe(const ErrorPipe&) = delete;
    ErrorPipe& operator=(const ErrorPipe&) = delete;

    void put(int error) const {
        [[maybe_unused]] const ssize_t written = ::write(ends_[1], &error, sizeof error);
    }
    /// Returns 0 if the program was started.
    [[nodiscard]] int take() {
        close_end(1);
        int error = 0;
        while (::read(ends_[0], &error, sizeof error) < 0 && errno == EINTR) {
        }
        close_end(0);
        return error;
    }

  private:
    void close_end(std::size_t end) {
        if (ends_.at(end) >= 0) ::close(ends_.at(end));
        ends_.at(end) = -1;
    }
    std::array<int, 2> ends_{-1, -1};
};

[[nodiscard]] bool redirect(const std::string& path, int to) {
    const char* const name = path.empty() ? "/dev/null" : path.c_str();
    constexpr mode_t kOwnerOnly = 0600;
    const int flags = to == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    const int file = ::open(name, flags, kOwnerOnly);
    if (file < 0) return false;
    if (file == to) return true;
    const bool done = ::dup2(file, to) >= 0;
    ::close(file);
    return done;
}

/// The part that runs in the child: only calls that are allowed after fork.
[[noreturn]] void become(const ChildRequest& request, char** words, pid_t parent,
                         const ErrorPipe& pipe) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    // A terminal sends its signals to the child, too; the parent passes on each of them once.
    for (const int number : {SIGINT, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
    ::signal(SIGTERM, SIG_DFL);
    ::signal(SIGXFSZ, SIG_DFL);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::getppid() != parent) ::_exit(kExitInterrupted);
    if (redirect({}, STDIN_FILENO) && redirect(request.out, STDOUT_FILENO) &&
        redirect(request.err, STDERR_FILENO)) {
        ::execvp(request.program.c_str(), words);
    }
    pipe.put(errno);
    ::_exit(kExitInternal);
}

void wait_for(pid_t child) {
    siginfo_t ended{};
    // Without taking it: its number stays its own until no signal is passed on to it any more.
    while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) != 0) {
        if (errno != EINTR) break;
    }
}

/// An exit code above it stands for a signal, as in a shell.
constexpr int kSignalBase = 128;

}  // namespace

int run_child(const ChildRequest& request) {
    std::vector<std::string> text = request.arguments;
    text.insert(text.begin(), request.program == kSelf ? "n6vp" : request.program);
    std::vector<char*> words;
    words.reserve(text.size() + 1);
    for (std::string& word : text) words.push_back(word.data());
    words.push_back(nullptr);
    ErrorPipe pipe(request);
    log(LogComponent::Process, LogLevel::Debug, "starts {}", fmt::join(text, " "));
    pid_t child = 0;
    {
        std::optional<SignalledChild> signalled;
        {
            const SignalsHeld held;
            if (interrupted()) return kExitInterrupted;
            const pid_t parent = ::getpid();
            child = ::fork();
            if (child < 0) refuse(request, errno);
            if (child == 0) become(request, words.data(), parent, pipe);
            signalled.emplace(child);
        }
        if (const int error = pipe.take(); error != 0) {
            while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
            }
            refuse(request, error);
        }
        wait_for(child);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw UserError("a child process was lost", "run it again");
    }
    const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
    log(LogComponent::Process, LogLevel::Debug, "process {} ends with {}", child, exit_code);
    return exit_code;
}

bool ended_by_request(int exit_code) {
    return exit_code == kSignalBase + SIGHUP || exit_code == kSignalBase + SIGINT ||
           exit_code == kSignalBase + SIGTERM;
}

}  // namespace n6vp::sim

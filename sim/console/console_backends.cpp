// SPDX-License-Identifier: Apache-2.0
#include "sim/console/console_backends.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/console/console_lines.h"
#include "sim/host/console_text.h"
#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::size_t kWriteAt = 4096;  ///< bytes that are worth a system call of their own

class NoConsole : public ConsoleBackend {
  public:
    void put(std::span<const std::uint8_t>) override {}
    void flush() override {}
    std::string place() const override { return "none"; }
};

/// A file or standard output: takes everything, waits if it must. What a reader that went away
/// does not take is dropped.
class OutputConsole : public ConsoleBackend {
  public:
    OutputConsole(int descriptor, std::string place, bool terminal)
        : descriptor_(descriptor), place_(std::move(place)), terminal_(terminal) {}

    void put(std::span<const std::uint8_t> bytes) override {
        kept_.append(bytes.begin(), bytes.end());
        if (kept_.size() >= kWriteAt || kept_.find('\n') != std::string::npos) flush();
    }

    void flush() override {
        const std::size_t whole =
            terminal_ ? kept_.size() - unfinished_character(kept_) : kept_.size();
        const std::string out =
            terminal_ ? console_text(std::string_view(kept_).substr(0, whole)) : kept_;
        kept_.erase(0, whole);
        write_all(out);
    }

    void finish() override {
        flush();
        if (!kept_.empty()) write_all(console_text(std::exchange(kept_, {})));
    }

    std::string place() const override { return place_; }
    std::uint64_t dropped() const override { return dropped_; }
    bool gone() const override { return dropped_ != 0; }

  private:
    void write_all(std::string_view out) {
        while (!out.empty()) {
            const ssize_t written = ::write(descriptor_, out.data(), out.size());
            if (written > 0) {
                out.remove_prefix(static_cast<std::size_t>(written));
            } else if (written < 0 && errno == EAGAIN) {
                pollfd ready{descriptor_, POLLOUT, 0};
                static_cast<void>(::poll(&ready, 1, -1));
            } else if (written < 0 && errno == EPIPE) {
                dropped_ += out.size();
                return;
            } else if (written < 0 && errno != EINTR) {
                throw UserError(fmt::format("cannot write the console to {}: {}",
                                            traces::terminal_text(place_), std::strerror(errno)),
                                "check free space, or choose another target with --uart");
            }
        }
    }

    int descriptor_;
    std::string place_;
    bool terminal_;
    std::string kept_;
    std::uint64_t dropped_ = 0;
};

/// A run that is refused before it starts leaves an older file as it is.
class FileConsole : public OutputConsole {
  public:
    FileConsole(int descriptor, std::string place)
        : OutputConsole(descriptor, std::move(place), false), descriptor_(descriptor) {}
    ~FileConsole() override { ::close(descriptor_); }
    bool gone() const override { return false; }

    void put(std::span<const std::uint8_t> bytes) override {
        begin();
        OutputConsole::put(bytes);
    }
    void finish() override {
        begin();
        OutputConsole::finish();
    }

  private:
    void begin() {
        // A pipe or device has no old content, and says so.
        if (!std::exchange(begun_, true)) static_cast<void>(::ftruncate(descriptor_, 0));
    }

    int descriptor_;
    bool begun_ = false;
};

/// Standard output and input. The terminal's line mode stays as it is.
class StandardConsole : public OutputConsole {
  public:
    StandardConsole()
        : OutputConsole(STDOUT_FILENO, "standard input and output", isatty(STDOUT_FILENO) != 0) {}

    std::size_t take(std::span<std::uint8_t> room) override {
        pollfd ready{STDIN_FILENO, POLLIN, 0};
        if (ended_ || room.empty() || ::poll(&ready, 1, 0) <= 0) return 0;
        const ssize_t count = ::read(STDIN_FILENO, room.data(), room.size());
        if (count > 0) return static_cast<std::size_t>(count);
        ended_ = count == 0 || (errno != EINTR && errno != EAGAIN);
        return 0;
    }
    bool has_input() const override { return true; }

  private:
    bool ended_ = false;
};

std::unique_ptr<ConsoleBackend> open_file(const std::string& path) {
    const std::string shown = traces::terminal_text(path);
    if (path.empty()) throw UserError("--uart file: names no file", "write --uart file:PATH");
    // Not blocking while it opens: a pipe without a reader must not hang the run.
    const int descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
    if (descriptor < 0)
        throw UserError(
            fmt::format("cannot write the console to '{}': {}", shown, std::strerror(errno)),
            "choose a writable folder, or create it first");
    return std::make_unique<FileConsole>(descriptor, "file " + path);
}

std::uint16_t parse_port(std::string_view text) {
    if (const auto port = parse_digits<std::uint16_t>(text)) return *port;
    throw UserError(
        fmt::format("--uart tcp:{} is not a port", traces::terminal_text(std::string(text))),
        "write --uart tcp:PORT with a number from 1 to 65535, or 0 for any free port");
}

}  // namespace

std::unique_ptr<ConsoleBackend> open_console(std::string_view text) {
    if (text == "none") return std::make_unique<NoConsole>();
    if (text == "stdout")
        return std::make_unique<OutputConsole>(STDOUT_FILENO, "standard output",
                                               isatty(STDOUT_FILENO) != 0);
    if (text == "stderr")
        return std::make_unique<OutputConsole>(STDERR_FILENO, "standard error",
                                               isatty(STDERR_FILENO) != 0);
    if (text == "stdio") return std::make_unique<StandardConsole>();
    if (text == "pty") return open_pty_console();
    if (text.starts_with("file:")) return open_file(std::string(text.substr(5)));
    if (text.starts_with("tcp:")) return open_tcp_console(parse_port(text.substr(4)));
    throw UserError(
        fmt::format("--uart {} is not a console", traces::terminal_text(std::string(text))),
        "choose none, stdout, stderr, stdio, pty, file:PATH or tcp:PORT");
}

}  // namespace n6vp::sim

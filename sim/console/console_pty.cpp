// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sim/console/console_lines.h"
#include "sim/console/console_pending.h"
#include "sim/host/errors.h"

namespace n6vp::sim {

namespace {

class PtyConsole : public ConsoleBackend {
  public:
    PtyConsole() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)), pending_(kMaxKept) {
        std::array<char, 128> name{};
        if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0 ||
            ::ptsname_r(master_, name.data(), name.size()) != 0)
            fail();
        name_ = name.data();
        // Open from our side, too: without any client the line would report a hang-up, and what was
        // written would be gone.
        slave_ = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
        termios settings{};
        if (slave_ < 0 || ::tcgetattr(slave_, &settings) != 0) fail();
        ::cfmakeraw(&settings);
        if (::tcsetattr(slave_, TCSANOW, &settings) != 0) fail();
        const int flags = ::fcntl(master_, F_GETFL);
        if (flags < 0 || ::fcntl(master_, F_SETFL, flags | O_NONBLOCK) != 0) fail();
    }
    ~PtyConsole() override { close_both(); }

    void put(std::span<const std::uint8_t> bytes) override { pending_.add(bytes); }

    void flush() override {
        while (!pending_.empty()) {
            const auto view = pending_.view();
            const ssize_t written = ::write(master_, view.data(), view.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return;
            pending_.remove(static_cast<std::size_t>(written));
        }
    }

    std::size_t take(std::span<std::uint8_t> room) override {
        if (room.empty()) return 0;
        const ssize_t count = ::read(master_, room.data(), room.size());
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    bool has_input() const override { return true; }

    void finish() override {
        flush();
        for (int i = 0; i < kFinishAttempts && !pending_.empty(); ++i) {
            pollfd ready{master_, POLLOUT, 0};
            static_cast<void>(::poll(&ready, 1, kFinishMilliseconds));
            flush();
        }
    }

    std::string place() const override { return "pty " + name_; }
    std::uint64_t dropped() const override { return pending_.dropped(); }

  private:
    void close_both() const {
        if (slave_ >= 0) ::close(slave_);
        if (master_ >= 0) ::close(master_);
    }
    [[noreturn]] void fail() {
        const std::string reason = std::strerror(errno);
        close_both();
        throw UserError(fmt::format("cannot open a pseudo terminal: {}", reason),
                        "check that /dev/pts is mounted, or use --uart tcp:PORT");
    }

    int master_, slave_ = -1;
    std::string name_;
    PendingBytes pending_;
};

}  // namespace

std::unique_ptr<ConsoleBackend> open_pty_console() {
    return std::make_unique<PtyConsole>();
}

}  // namespace n6vp::sim

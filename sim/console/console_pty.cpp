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
        // Once it was open and is closed again, the line reports a hang-up until a client opens it.
        const int slave = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (slave < 0) fail();
        const bool raw = set_raw(slave);
        const int error = errno;
        ::close(slave);
        errno = error;
        if (!raw) fail();
        const int flags = ::fcntl(master_, F_GETFL);
        if (flags < 0 || ::fcntl(master_, F_SETFL, flags | O_NONBLOCK) != 0) fail();
    }
    ~PtyConsole() override { ::close(master_); }

    void put(std::span<const std::uint8_t> bytes) override {
        look_for_client();
        pending_.add(bytes);
        if (!client_) pending_.drop_all();
    }

    void flush() override {
        look_for_client();
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
        look_for_client();
        const ssize_t count = ::read(master_, room.data(), room.size());
        // Of a client that opened, wrote and left between two looks only its bytes tell.
        unread_ = count > 0 || client_;
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
    bool for_clients() const override { return true; }
    bool has_client() const override { return client_ || unread_; }
    std::uint64_t dropped() const override { return pending_.dropped(); }

  private:
    [[nodiscard]] static bool set_raw(int slave) {
        termios settings{};
        if (::tcgetattr(slave, &settings) != 0) return false;
        ::cfmakeraw(&settings);
        return ::tcsetattr(slave, TCSANOW, &settings) == 0;
    }
    /// What a client that left had not read is not for the next one.
    void look_for_client() {
        pollfd line{master_, 0, 0};
        const bool hung_up = ::poll(&line, 1, 0) > 0 && (line.revents & POLLHUP) != 0;
        if (client_ && hung_up) {
            pending_.drop_all();
            const int slave = ::open(name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
            if (slave >= 0) {
                ::tcflush(slave, TCIFLUSH);
                ::close(slave);
            }
        }
        client_ = !hung_up;
        unread_ = unread_ || client_;
    }
    [[noreturn]] void fail() const {
        const std::string reason = std::strerror(errno);
        if (master_ >= 0) ::close(master_);
        throw UserError(fmt::format("cannot open a pseudo terminal: {}", reason),
                        "check that /dev/pts is mounted, or use --uart tcp:PORT");
    }

    int master_;
    bool client_ = false;
    bool unread_ = false;  ///< there may be input of a client, which may have left
    std::string name_;
    PendingBytes pending_;
};

}  // namespace

std::unique_ptr<ConsoleBackend> open_pty_console() {
    return std::make_unique<PtyConsole>();
}

}  // namespace n6vp::sim

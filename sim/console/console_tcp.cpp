// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "sim/console/console_lines.h"
#include "sim/console/console_pending.h"
#include "sim/host/local_port.h"

namespace n6vp::sim {

namespace {

class TcpConsole : public ConsoleBackend {
  public:
    explicit TcpConsole(std::uint16_t port) : port_(port, "tcp:0"), pending_(kMaxKept) {}
    ~TcpConsole() override { drop_client(); }

    void put(std::span<const std::uint8_t> bytes) override {
        accept_client();
        pending_.add(bytes);
        if (client_ < 0) pending_.drop_all();
    }

    void flush() override {
        accept_client();
        while (client_ >= 0 && !pending_.empty()) {
            const auto view = pending_.view();
            const ssize_t sent = ::send(client_, view.data(), view.size(), MSG_NOSIGNAL);
            if (sent > 0) {
                pending_.remove(static_cast<std::size_t>(sent));
            } else if (sent < 0 && errno == EAGAIN) {
                return;
            } else if (sent < 0 && errno != EINTR) {
                // The next one comes in by another call: the owner sees that this one has left.
                return drop_client();
            }
        }
    }

    std::size_t take(std::span<std::uint8_t> room) override {
        accept_client();
        if (client_ < 0 || client_silent_ || room.empty()) return 0;
        const ssize_t count = ::recv(client_, room.data(), room.size(), 0);
        if (count > 0) return static_cast<std::size_t>(count);
        if (count == 0) {
            // It sends no more, but may still listen.
            client_silent_ = true;
        } else if (errno != EAGAIN && errno != EINTR) {
            drop_client();
        }
        return 0;
    }
    bool has_input() const override { return true; }

    void finish() override {
        flush();
        for (int i = 0; i < kFinishAttempts && client_ >= 0 && !pending_.empty(); ++i) {
            pollfd ready{client_, POLLOUT, 0};
            static_cast<void>(::poll(&ready, 1, kFinishMilliseconds));
            flush();
        }
        if (client_ >= 0) ::shutdown(client_, SHUT_WR);
    }

    std::string place() const override { return fmt::format("tcp 127.0.0.1:{}", port_.number()); }
    bool for_clients() const override { return true; }
    bool has_client() const override { return client_ >= 0 && !client_silent_; }
    std::uint64_t dropped() const override { return pending_.dropped(); }

  private:
    /// Takes a waiting client if there is none, or if the present one has said that it is done.
    void accept_client() {
        if (client_ >= 0 && !client_silent_) return;
        const int next = port_.accept();
        if (next < 0) return;
        drop_client();
        client_ = next;
    }
    void drop_client() {
        if (client_ >= 0) ::close(client_);
        pending_.drop_all();
        client_ = -1;
        client_silent_ = false;
    }

    LocalPort port_;
    int client_ = -1;
    bool client_silent_ = false;
    PendingBytes pending_;
};

}  // namespace

std::unique_ptr<ConsoleBackend> open_tcp_console(std::uint16_t port) {
    return std::make_unique<TcpConsole>(port);
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/console/console_lines.h"
#include "sim/console/console_pending.h"
#include "sim/host/errors.h"

namespace n6vp::sim {

namespace {

class TcpConsole : public ConsoleBackend {
  public:
    explicit TcpConsole(std::uint16_t port)
        : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
          pending_(kMaxKept) {
        const int on = 1;
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* const general = reinterpret_cast<sockaddr*>(&address);
        // A port that a finished run used is free at once.
        if (listener_ < 0 ||
            ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
            ::bind(listener_, general, sizeof address) != 0 || ::listen(listener_, 1) != 0 ||
            ::getsockname(listener_, general, &length) != 0)
            fail(port);
        port_ = ntohs(address.sin_port);
    }
    ~TcpConsole() override {
        drop_client();
        ::close(listener_);
    }

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
                drop_client();
                accept_client();
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

    std::string place() const override { return fmt::format("tcp 127.0.0.1:{}", port_); }
    bool for_clients() const override { return true; }
    std::uint64_t dropped() const override { return pending_.dropped(); }

  private:
    /// Takes a waiting client if there is none, or if the present one has said that it is done.
    void accept_client() {
        if (client_ >= 0 && !client_silent_) return;
        const int next = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (next < 0) return;
        drop_client();
        client_ = next;
        const int on = 1;
        static_cast<void>(::setsockopt(client_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    }
    void drop_client() {
        if (client_ >= 0) ::close(client_);
        pending_.drop_all();
        client_ = -1;
        client_silent_ = false;
    }
    [[noreturn]] void fail(std::uint16_t port) const {
        const int error = errno;
        if (listener_ >= 0) ::close(listener_);
        if (error == EADDRINUSE)
            throw UserError(fmt::format("port {} is in use", port),
                            "choose another port, or tcp:0 for any free one");
        throw UserError(
            fmt::format("cannot listen on 127.0.0.1:{}: {}", port, std::strerror(error)),
            "choose a port from 1024 to 65535, or tcp:0 for any free one");
    }

    int listener_, client_ = -1;
    bool client_silent_ = false;
    std::uint16_t port_ = 0;
    PendingBytes pending_;
};

}  // namespace

std::unique_ptr<ConsoleBackend> open_tcp_console(std::uint16_t port) {
    return std::make_unique<TcpConsole>(port);
}

}  // namespace n6vp::sim

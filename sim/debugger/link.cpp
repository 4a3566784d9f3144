// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/link.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "sim/host/errors.h"
#include "sim/host/local_port.h"
#include "sim/host/numbers.h"
#include "sim/host/signals.h"
#include "traces/escape.h"

namespace n6vp::sim::debugger {

namespace {

/// Longest wait without a look at the host's signals, in ms.
constexpr int kWait = 200;
/// Clients that do not read for so long are gone, in ms.
constexpr int kPatience = 10'000;

/// Returns true if the descriptor is ready for `events` within the time.
[[nodiscard]] bool ready(int descriptor, short events, int milliseconds) {
    pollfd entry{descriptor, events, 0};
    return ::poll(&entry, 1, milliseconds) > 0;
}

/// Returns as Link::read does.
template <typename Receive>
[[nodiscard]] int read_from(int descriptor, int milliseconds, Receive receive) {
    if (!ready(descriptor, POLLIN, milliseconds)) return 0;
    const ssize_t count = receive();
    if (count > 0) return static_cast<int>(count);
    const bool again = count < 0 && (errno == EAGAIN || errno == EINTR);
    return again ? 0 : -1;
}

class TcpLink : public Link {
  public:
    explicit TcpLink(std::uint16_t port) : port_(port, "0") {}
    ~TcpLink() override { TcpLink::disconnect(); }

    std::string place() const override { return fmt::format("127.0.0.1:{}", port_.number()); }
    bool has_client() override { return client_ >= 0 || ready(port_.descriptor(), POLLIN, 0); }
    bool connect() override {
        while (client_ < 0 && !interrupted()) {
            if (ready(port_.descriptor(), POLLIN, kWait)) client_ = port_.accept();
        }
        return client_ >= 0;
    }
    int read(std::span<std::uint8_t> room, int milliseconds) override {
        if (client_ < 0) return -1;
        return read_from(client_, milliseconds,
                         [&] { return ::recv(client_, room.data(), room.size(), 0); });
    }
    void write(std::string_view bytes) override {
        while (client_ >= 0 && !bytes.empty()) {
            const ssize_t sent = ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent > 0) {
                bytes.remove_prefix(static_cast<std::size_t>(sent));
            } else if (sent < 0 && errno == EAGAIN) {
                if (!ready(client_, POLLOUT, kPatience)) disconnect();
            } else if (sent < 0 && errno != EINTR) {
                disconnect();
            }
        }
    }
    void disconnect() override {
        if (client_ >= 0) ::close(client_);
        client_ = -1;
    }

  private:
    LocalPort port_;
    int client_ = -1;
};

class StandardLink : public Link {
  public:
    std::string place() const override { return "standard input and output"; }
    bool has_client() override { return open_; }
    bool connect() override { return open_; }
    int read(std::span<std::uint8_t> room, int milliseconds) override {
        if (!open_) return -1;
        const int count = read_from(STDIN_FILENO, milliseconds,
                                    [&] { return ::read(STDIN_FILENO, room.data(), room.size()); });
        if (count < 0) open_ = false;
        return count;
    }
    void write(std::string_view bytes) override {
        while (open_ && !bytes.empty()) {
            const ssize_t sent = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
            if (sent > 0) {
                bytes.remove_prefix(static_cast<std::size_t>(sent));
            } else if (sent < 0 && errno == EAGAIN) {
                if (!ready(STDOUT_FILENO, POLLOUT, kPatience)) open_ = false;
            } else if (sent < 0 && (errno != EINTR || interrupted())) {
                open_ = false;
            }
        }
    }
    void disconnect() override { open_ = false; }

  private:
    bool open_ = true;
};

}  // namespace

std::unique_ptr<Link> open_link(std::string_view place) {
    if (place == "stdio") return std::make_unique<StandardLink>();
    if (const auto port = parse_digits<std::uint16_t>(place))
        return std::make_unique<TcpLink>(*port);
    throw UserError(fmt::format("--gdb '{}'", traces::terminal_text(place)),
                    "give a port of this host as --gdb 3333, 0 for any free one, or --gdb stdio");
}

}  // namespace n6vp::sim::debugger

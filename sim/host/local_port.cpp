// SPDX-License-Identifier: Apache-2.0
#include "sim/host/local_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/host/errors.h"

namespace n6vp::sim {

LocalPort::LocalPort(std::uint16_t port, const std::string& any_free)
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    const int on = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const general = reinterpret_cast<sockaddr*>(&address);
    const bool open =
        listener_ >= 0 && ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        ::bind(listener_, general, sizeof address) == 0 && ::listen(listener_, 1) == 0 &&
        ::getsockname(listener_, general, &length) == 0;
    if (open) {
        port_ = ntohs(address.sin_port);
        return;
    }
    const int error = errno;
    if (listener_ >= 0) ::close(listener_);
    if (error == EADDRINUSE) {
        throw UserError(fmt::format("port {} is in use", port),
                        fmt::format("choose another port, or {} for any free one", any_free));
    }
    throw UserError(
        fmt::format("cannot listen on 127.0.0.1:{}: {}", port, std::strerror(error)),
        fmt::format("choose a port from 1024 to 65535, or {} for any free one", any_free));
}

LocalPort::~LocalPort() {
    ::close(listener_);
}

int LocalPort::accept() {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) return -1;
    const int on = 1;
    static_cast<void>(::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    return client;
}

}  // namespace n6vp::sim

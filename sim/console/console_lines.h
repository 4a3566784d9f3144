// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "sim/console/console_backends.h"

namespace n6vp::sim {

/// A pseudo terminal in raw mode; its name is the back end's place. It lives as long as the back
/// end: clients may come and go.
[[nodiscard]] std::unique_ptr<ConsoleBackend> open_pty_console();

/// A server for one client at a time on 127.0.0.1; a client that left may come back. Port 0: any
/// free one.
[[nodiscard]] std::unique_ptr<ConsoleBackend> open_tcp_console(std::uint16_t port);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace n6vp::sim::debugger {

/// Where clients of the debugger come from, one at a time: a port, or standard input and output.
class Link {
  public:
    Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    virtual ~Link() = default;

    /// The address shown to the user: "127.0.0.1:3333".
    [[nodiscard]] virtual std::string place() const = 0;
    /// Returns true if a client is there, or waits to be taken by `connect`; never blocks.
    [[nodiscard]] virtual bool has_client() = 0;
    /// Waits for a client and takes it. Returns false if a signal of the host ended the wait, or no
    /// client can come any more.
    [[nodiscard]] virtual bool connect() = 0;
    /// Returns how many bytes came, 0 for none within the time, -1 if the client is gone. A signal
    /// ends the wait.
    [[nodiscard]] virtual int read(std::span<std::uint8_t> room, int milliseconds) = 0;
    /// Returns after all was sent, or the client is gone, which `read` tells.
    virtual void write(std::string_view bytes) = 0;
    virtual void disconnect() = 0;
};

/// `place` is a port of 127.0.0.1, 0 for any free one, or "stdio". Fails with UserError.
[[nodiscard]] std::unique_ptr<Link> open_link(std::string_view place);

}  // namespace n6vp::sim::debugger

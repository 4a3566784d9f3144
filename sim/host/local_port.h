// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace n6vp::sim {

/// A TCP port of 127.0.0.1 that listens; neither it nor its clients block. A port that a finished
/// run used is free at once.
class LocalPort {
  public:
    /// 0: any free port. Fails with UserError; `any_free` is how the user asks for one: "tcp:0".
    LocalPort(std::uint16_t port, const std::string& any_free);
    ~LocalPort();
    LocalPort(const LocalPort&) = delete;
    LocalPort& operator=(const LocalPort&) = delete;

    [[nodiscard]] std::uint16_t number() const { return port_; }
    [[nodiscard]] int descriptor() const { return listener_; }
    /// Returns the descriptor of a client that waits, which the caller closes; -1 if none does.
    /// What is sent to it leaves at once.
    [[nodiscard]] int accept();

  private:
    int listener_;
    std::uint16_t port_ = 0;
};

}  // namespace n6vp::sim

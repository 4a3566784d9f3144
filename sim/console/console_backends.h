// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// Where the characters of a serial port go to and come from on the host. Nothing here blocks the
/// simulation: what the other side does not take is kept, and beyond `kMaxKept` the oldest of it
/// is dropped and counted. So is all that is sent while no client is connected, as on a cable that
/// is not plugged in: a client that took the boot text for an answer would misread the protocol.
class ConsoleBackend {
  public:
    static constexpr std::size_t kMaxKept = std::size_t{1} << 20;

    ConsoleBackend() = default;
    ConsoleBackend(const ConsoleBackend&) = delete;
    ConsoleBackend& operator=(const ConsoleBackend&) = delete;
    virtual ~ConsoleBackend() = default;

    virtual void put(std::span<const std::uint8_t> bytes) = 0;
    /// Hands over what it can. Fails with UserError if that can never succeed (disk full).
    virtual void flush() = 0;
    /// Returns how many bytes of input were there and fit; never waits.
    [[nodiscard]] virtual std::size_t take(std::span<std::uint8_t> /*room*/) { return 0; }
    /// Input depends on host time: a run with it is not exactly reproducible.
    [[nodiscard]] virtual bool has_input() const { return false; }
    /// Waits a little (2 s) for the other side to take what is left.
    virtual void finish() { flush(); }
    /// The address shown to the user: "pty /dev/pts/3", "tcp 127.0.0.1:5000".
    [[nodiscard]] virtual std::string place() const = 0;
    /// A client needs the address before it can connect.
    [[nodiscard]] virtual bool for_clients() const { return false; }
    /// A client is connected, as far as is known without waiting.
    [[nodiscard]] virtual bool has_client() const { return false; }
    /// Standard output or error has lost its reader.
    [[nodiscard]] virtual bool gone() const { return false; }
    /// Bytes dropped because they were not read in time.
    [[nodiscard]] virtual std::uint64_t dropped() const { return 0; }
};

/// Returns the back end that `text` names: `none`, `stdout`, `stderr`, `stdio`, `pty`, `file:PATH`
/// or `tcp:PORT` (of 127.0.0.1; 0: any free one). Fails with UserError.
[[nodiscard]] std::unique_ptr<ConsoleBackend> open_console(std::string_view text);

}  // namespace n6vp::sim

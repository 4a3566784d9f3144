// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sim/board/exchange_watch.h"
#include "sim/board/stand_in.h"
#include "sim/console/console_backends.h"

namespace n6vp::sim::board {

struct LineCounts {
    std::uint64_t clients = 0, received = 0, sent = 0;  ///< bytes from and to clients
};

/// The serial port of a board. What the firmware prints before it is ready is boot text, which no
/// client gets; from then on bytes pass both ways.
///
/// What the firmware sends to a client that has left reaches no other, and the next one gets the
/// port when the firmware waits for a request again (`StandIn`).
class BoardLine : public ConsoleBackend {
  public:
    struct Setup {
        std::function<void(std::string_view)> boot_text;
        std::function<void(const std::string& place)> on_ready;
        /// Returns true while the firmware has the port set up: silence counts only then.
        std::function<bool()> listens;
        /// Returns true while no byte to the firmware is on the line or waits to be read.
        std::function<bool()> all_read;
        /// Returns true while the receiver is on: without it bytes are lost, not unread.
        std::function<bool()> receives;
        /// The firmware does not come back from the exchange of a client that has left.
        std::function<void()> on_stuck;
        /// The firmware has never read what a client sent, for two seconds of simulated time.
        std::function<void()> on_deaf;
        bool keep = false;  ///< serve the next client after one has left
    };
    /// `counts` must outlive the line.
    BoardLine(std::unique_ptr<ConsoleBackend> place, Setup setup, LineCounts& counts);

    void put(std::span<const std::uint8_t> bytes) override;
    void flush() override;
    std::size_t take(std::span<std::uint8_t> room) override;
    bool has_input() const override { return true; }
    void finish() override { place_->finish(); }
    std::string place() const override { return place_->place(); }
    /// A client that has sent something has left, for longer than it takes to come back.
    bool gone() const override;
    std::uint64_t dropped() const override { return place_->dropped(); }

  private:
    void become_ready();
    void look_for_client();
    void look_for_reads();
    [[nodiscard]] std::size_t take_from_stand_in(std::span<std::uint8_t> room);

    std::unique_ptr<ConsoleBackend> place_;
    Setup setup_;
    LineCounts& counts_;
    std::string last_line_;
    bool ready_ = false, has_client_ = false, served_ = false;
    bool reads_ = false;  ///< the firmware has read what a client sent
    unsigned quiet_polls_ = 0, unread_polls_ = 0;
    ExchangeWatch watch_;
    StandIn stand_in_{watch_};
    std::chrono::steady_clock::time_point left_;
};

}  // namespace n6vp::sim::board

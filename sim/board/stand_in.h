// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/board/exchange_watch.h"

namespace n6vp::sim::board {

/// Takes the place of a client that left in the middle of an exchange, until the firmware answers a
/// request again: completes the packet and the message that were begun, with zeros, and then sends
/// SYNC whenever the firmware waits for something. Firmware takes that for a request, for an input
/// of the wrong size or for an acknowledgement; each of these leads back to its wait for a request.
///
/// Time is counted in polls of the console, 100 us of simulated time each.
class StandIn {
  public:
    enum class State : std::uint8_t {
        Absent,
        Present,
        Failed,  ///< the firmware did not answer
    };
    /// `watch` outlives the object and sees all bytes, those of `take` too.
    explicit StandIn(ExchangeWatch& watch) : watch_(watch) {}

    void begin();
    [[nodiscard]] bool present() const { return state_ == State::Present; }
    [[nodiscard]] State state() const { return state_; }
    /// One poll: returns how many bytes go to the firmware. `all_read`: it has read those before.
    [[nodiscard]] std::size_t take(std::span<std::uint8_t> room, bool all_read);

  private:
    void choose_next();
    void end(State state);
    /// Puts a packet of the next bytes of the message, or the first one, in the queue.
    void queue_packet(std::span<const std::uint8_t> payload);
    void queue_sync();

    ExchangeWatch& watch_;
    State state_ = State::Absent;
    std::vector<std::uint8_t> queue_;
    std::size_t sent_ = 0;  ///< of the queue
    std::uint32_t number_ = 0;
    std::uint64_t heard_ = 0;  ///< bytes from the firmware
    unsigned polls_ = 0, silent_polls_ = 0, attempts_ = 0;
};

}  // namespace n6vp::sim::board

// SPDX-License-Identifier: Apache-2.0
#include "sim/board/board_line.h"

#include <thread>
#include <utility>

namespace n6vp::sim::board {

namespace {

/// Of the console: one second without text.
constexpr unsigned kQuietPolls = 10'000;
/// Of the console: two seconds in which nothing is read.
constexpr unsigned kDeafPolls = 20'000;
/// A client that looks for a board opens its port more than once.
constexpr std::chrono::seconds kReturn{2};
/// For the exchange of the last client to end, which only a next one would need.
constexpr std::chrono::seconds kEnd{60};
constexpr std::chrono::milliseconds kPause{2};

}  // namespace

BoardLine::BoardLine(std::unique_ptr<ConsoleBackend> place, Setup setup, LineCounts& counts)
    : place_(std::move(place)), setup_(std::move(setup)), counts_(counts) {}

void BoardLine::put(std::span<const std::uint8_t> bytes) {
    if (ready_) {
        watch_.from_firmware(bytes);
        if (stand_in_.present()) return;
        if (place_->has_client()) counts_.sent += bytes.size();
        place_->put(bytes);
        return look_for_client();
    }
    quiet_polls_ = 0;
    setup_.boot_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for (const std::uint8_t each : bytes) {
        if (each == '\n') {
            const bool ready = last_line_ == "READY" || last_line_ == "READY\r";
            last_line_.clear();
            if (ready) return become_ready();
        } else if (last_line_.size() < 8) {
            last_line_.push_back(static_cast<char>(each));
        }
    }
}

void BoardLine::become_ready() {
    ready_ = true;
    left_ = std::chrono::steady_clock::now();
    setup_.on_ready(place_->place());
}

void BoardLine::flush() {
    // The place takes the next client as soon as it is used without one.
    if (!ready_ || stand_in_.present()) return;
    place_->flush();
    look_for_client();
}

void BoardLine::look_for_client() {
    const bool now = place_->has_client();
    if (now == has_client_) return;
    has_client_ = now;
    if (now) {
        ++counts_.clients;
    } else {
        left_ = std::chrono::steady_clock::now();
        if (!watch_.at_rest()) stand_in_.begin();
    }
}

/// Only until it has read once: an inference may take longer.
void BoardLine::look_for_reads() {
    if (reads_ || !served_) return;
    if (setup_.receives() && setup_.all_read()) {
        reads_ = true;
    } else if (++unread_polls_ == kDeafPolls) {
        setup_.on_deaf();
    }
}

std::size_t BoardLine::take_from_stand_in(std::span<std::uint8_t> room) {
    const std::size_t count = stand_in_.take(room, setup_.all_read());
    watch_.to_firmware(room.first(count));
    if (stand_in_.state() == StandIn::State::Failed) setup_.on_stuck();
    // Whoever waited for its turn has not come back late.
    if (!stand_in_.present()) left_ = std::chrono::steady_clock::now();
    return count;
}

std::size_t BoardLine::take(std::span<std::uint8_t> room) {
    if (!ready_) {
        quiet_polls_ = setup_.listens() ? quiet_polls_ + 1 : 0;
        if (quiet_polls_ == kQuietPolls) become_ready();
        return 0;
    }
    look_for_reads();
    if (stand_in_.present()) return take_from_stand_in(room);
    const std::size_t count = place_->take(room);
    watch_.to_firmware(room.first(count));
    look_for_client();
    counts_.received += count;
    if (count != 0) {
        // One that only looks whether the port is open is no client to end with.
        served_ = true;
        left_ = std::chrono::steady_clock::now();
    }
    if (!has_client_ && !stand_in_.present()) std::this_thread::sleep_for(kPause);
    return count;
}

bool BoardLine::gone() const {
    return served_ && !has_client_ && !setup_.keep &&
           std::chrono::steady_clock::now() - left_ > (stand_in_.present() ? kEnd : kReturn);
}

}  // namespace n6vp::sim::board

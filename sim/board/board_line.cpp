// SPDX-License-Identifier: Apache-2.0
#include "sim/board/board_line.h"

#include <thread>
#include <utility>

namespace n6vp::sim::board {

namespace {

/// Of the console: one second without text.
constexpr unsigned kQuietPolls = 10'000;
/// A message that a client did not finish ends by 200 ms of silence (`loader/firmware/validation`):
/// the next client waits for it, 250 ms of simulated time.
constexpr unsigned kSettlePolls = 2'500;
/// A client that looks for a board opens its port more than once.
constexpr std::chrono::seconds kReturn{2};
constexpr std::chrono::milliseconds kPause{2};

}  // namespace

BoardLine::BoardLine(std::unique_ptr<ConsoleBackend> place, Setup setup, LineCounts& counts)
    : place_(std::move(place)), setup_(std::move(setup)), counts_(counts) {}

void BoardLine::put(std::span<const std::uint8_t> bytes) {
    if (ready_) {
        if (place_->has_client()) counts_.sent += bytes.size();
        return place_->put(bytes);
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
    if (ready_) place_->flush();
}

void BoardLine::look_for_client() {
    const bool now = place_->has_client();
    if (now == has_client_) return;
    has_client_ = now;
    if (now) {
        ++counts_.clients;
    } else {
        left_ = std::chrono::steady_clock::now();
        settle_polls_ = kSettlePolls;
    }
}

std::size_t BoardLine::take(std::span<std::uint8_t> room) {
    if (!ready_) {
        quiet_polls_ = setup_.listens() ? quiet_polls_ + 1 : 0;
        if (quiet_polls_ == kQuietPolls) become_ready();
        return 0;
    }
    if (settle_polls_ > 0) {
        --settle_polls_;
        return 0;
    }
    const std::size_t count = place_->take(room);
    look_for_client();
    counts_.received += count;
    if (count != 0) {
        // One that only looks whether the port is open is no client to end with.
        served_ = true;
        left_ = std::chrono::steady_clock::now();
    }
    if (!has_client_) std::this_thread::sleep_for(kPause);
    return count;
}

bool BoardLine::gone() const {
    return served_ && !has_client_ && !setup_.keep &&
           std::chrono::steady_clock::now() - left_ > kReturn;
}

}  // namespace n6vp::sim::board

// SPDX-License-Identifier: Apache-2.0
#include "sim/board/stand_in.h"

#include <algorithm>
#include <array>

namespace n6vp::sim::board {

namespace {

/// Of the console, 300 ms. The project's own firmware drops what it cannot use after 200 ms of
/// silence (`loader/firmware/validation`); other firmware is not known to have such a limit.
constexpr unsigned kSilence = 3'000;
constexpr unsigned kAttempts = 10;
/// 100 s: clients wait 50 s for an inference, the longest of their limits.
constexpr unsigned kMostPolls = 1'000'000;
/// Numbers of requests that no client has: theirs count up from 1.
constexpr std::uint32_t kFirstNumber = 0x40000000;

}  // namespace

void StandIn::begin() {
    state_ = State::Present;
    queue_.clear();
    sent_ = 0;
    number_ = std::max(number_, kFirstNumber);
    heard_ = watch_.bytes_from_firmware();
    polls_ = silent_polls_ = attempts_ = 0;
}

void StandIn::end(State state) {
    state_ = state;
    watch_.rest();
}

void StandIn::queue_packet(std::span<const std::uint8_t> payload) {
    queue_.assign(kPacketSize, 0);
    queue_[1] = static_cast<std::uint8_t>(payload.size());
    std::copy(payload.begin(), payload.end(), queue_.begin() + kPacketHeader);
    sent_ = 0;
}

void StandIn::queue_sync() {
    ++number_;
    std::array<std::uint8_t, 15> message{14, 0x08};
    for (unsigned i = 0; i < 5; ++i) {
        const std::uint32_t more = i < 4 ? 0x80 : 0;
        message[2 + i] = static_cast<std::uint8_t>((number_ >> 7 * i & 0x7F) | more);
    }
    // Command SYNC, parameter 0, no name, option 0.
    constexpr std::array<std::uint8_t, 8> kRest{0x10, 0, 0x18, 0, 0x22, 0, 0x28, 0};
    std::copy(kRest.begin(), kRest.end(), message.begin() + 7);
    queue_packet(message);
}

void StandIn::choose_next() {
    constexpr std::array<std::uint8_t, kPacketPayload> kZeros{};
    const Answer& last = watch_.last_answer();
    if (watch_.at_rest() || (last.content == Answer::Sync && last.request == number_))
        return end(State::Absent);
    const bool silent = silent_polls_ >= kSilence;
    if (silent) {
        silent_polls_ = 0;
        if (++attempts_ > kAttempts) return end(State::Failed);
    }
    if (watch_.packet_lacks() != 0) {
        queue_.assign(watch_.packet_lacks(), 0);
        sent_ = 0;
        return;
    }
    if (watch_.message_lacks() != 0 && !silent) {
        const auto bytes = static_cast<std::size_t>(
            std::min<std::uint64_t>(watch_.message_lacks(), kPacketPayload));
        if (watch_.asked()) queue_packet(std::span(kZeros).first(bytes));
        return;
    }
    watch_.drop_message();
    if (silent || watch_.awaits_message()) queue_sync();
}

std::size_t StandIn::take(std::span<std::uint8_t> room, bool all_read) {
    if (++polls_ > kMostPolls) {
        end(State::Failed);
        return 0;
    }
    if (!all_read && sent_ <= 1) return 0;  // it is busy, and would lose what comes now
    if (sent_ == queue_.size()) {
        if (!all_read) return 0;
        const bool heard = watch_.bytes_from_firmware() != heard_;
        heard_ = watch_.bytes_from_firmware();
        silent_polls_ = heard ? 0 : silent_polls_ + 1;
        choose_next();
        if (!present() || sent_ == queue_.size()) return 0;
    }
    // Only when the first byte was read the firmware is known to listen.
    const std::size_t most = sent_ == 0 ? 1 : queue_.size() - sent_;
    const std::size_t count = std::min(most, room.size());
    std::copy_n(queue_.begin() + static_cast<std::ptrdiff_t>(sent_), count, room.begin());
    sent_ += count;
    silent_polls_ = 0;
    return count;
}

}  // namespace n6vp::sim::board

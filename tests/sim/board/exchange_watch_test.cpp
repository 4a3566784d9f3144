// SPDX-License-Identifier: Apache-2.0
// What the bytes between a client and the firmware say of their exchange.
#include "sim/board/exchange_watch.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using n6vp::sim::board::Answer;
using n6vp::sim::board::ExchangeWatch;
using n6vp::sim::board::kPacketSize;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// A packet: big-endian count, with the end of the message in bit 15, and 32 bytes.
Bytes packet(const Bytes& payload, bool last = true) {
    Bytes bytes = {static_cast<std::uint8_t>(last ? 0x80 : 0x00),
                   static_cast<std::uint8_t>(payload.size())};
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    bytes.resize(kPacketSize);
    return bytes;
}

/// Fields 1 (request), 2 (state) and the contents, whose number is their key's.
Bytes answer(std::uint8_t request, std::uint8_t state, std::uint8_t content) {
    return packet({0x08, request, 0x10, state, static_cast<std::uint8_t>(content << 3 | 2), 0});
}

/// A message of `bytes` bytes, its length before it.
Bytes request(std::uint8_t bytes) {
    Bytes payload = {bytes};
    payload.resize(std::size_t{1} + bytes, 0x55);
    return packet(payload);
}

constexpr std::uint8_t kSync = 10, kOther = 11, kAck = 12, kLog = 13;

}  // namespace

TEST_CASE("exchange: answers are counted, and the last one is known") {
    ExchangeWatch watch;
    CHECK(watch.answers() == 0);
    CHECK(watch.awaits_message());
    watch.from_firmware(answer(5, Answer::Processing, kOther));
    CHECK(watch.answers() == 1);
    CHECK(watch.last_answer().request == 5);
    CHECK(watch.last_answer().state == Answer::Processing);
    CHECK(watch.last_answer().content == kOther);
    watch.from_firmware(answer(6, Answer::Done, kSync));
    CHECK(watch.answers() == 2);
    CHECK(watch.last_answer().request == 6);
    CHECK(watch.bytes_from_firmware() == 2 * kPacketSize);
    // A message of two packets is one answer.
    Bytes first = packet({0x08, 0x87, 0x01, 0x10, Answer::Failed, kSync << 3 | 2, 0}, false);
    watch.from_firmware(first);
    CHECK(watch.answers() == 2);
    CHECK_FALSE(watch.awaits_message());
    watch.from_firmware(packet({1, 2, 3}));
    CHECK(watch.answers() == 3);
    CHECK(watch.last_answer().request == 135);
    CHECK(watch.last_answer().state == Answer::Failed);
}

TEST_CASE("exchange: the firmware waits for a message when its answer says so") {
    struct Row {
        std::uint8_t state, content;
        bool awaits;
    };
    for (const Row& row : {Row{Answer::Idle, kOther, true},
                           {Answer::Waiting, kOther, false},
                           {Answer::Processing, kOther, false},
                           {Answer::Done, kOther, true},
                           {Answer::Failed, kOther, true},
                           {Answer::Waiting, kSync, false},
                           {Answer::Waiting, kAck, true},
                           {Answer::Processing, kLog, true}}) {
        CAPTURE(row.state);
        CAPTURE(row.content);
        ExchangeWatch watch;
        watch.from_firmware(answer(1, row.state, row.content));
        CHECK(watch.awaits_message() == row.awaits);
        watch.to_firmware(request(3));
        CHECK_FALSE(watch.awaits_message());
        CHECK_FALSE(watch.at_rest());
        watch.from_firmware(answer(2, row.state, row.content));
        CHECK(watch.awaits_message() == row.awaits);
        const bool ends = row.state != Answer::Waiting && row.state != Answer::Processing;
        CHECK(watch.at_rest() == ends);
    }
}

TEST_CASE("exchange: bytes that a packet and a message lack") {
    ExchangeWatch watch;
    CHECK(watch.packet_lacks() == 0);
    // 40 bytes: 31 behind the length in the first packet, 9 in the second.
    Bytes payload = {40};
    payload.resize(32, 0x55);
    const Bytes first = packet(payload, false);
    watch.to_firmware(Bytes(first.begin(), first.begin() + 1));
    CHECK(watch.packet_lacks() == kPacketSize - 1);
    CHECK_FALSE(watch.at_rest());
    watch.to_firmware(Bytes(first.begin() + 1, first.end()));
    CHECK(watch.packet_lacks() == 0);
    CHECK(watch.message_lacks() == 9);
    CHECK_FALSE(watch.asked());
    watch.from_firmware(Bytes{0xAA});
    CHECK(watch.asked());
    watch.to_firmware(packet(Bytes(9, 0x55)));
    CHECK(watch.message_lacks() == 0);
    CHECK_FALSE(watch.asked());
    watch.rest();
    CHECK(watch.at_rest());
    CHECK(watch.awaits_message());
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/loader/validation/board.h"

/// Bytes that no client sends: the board stays silent or answers with an error, and goes on.

namespace n6vp::tests {

namespace {

constexpr const char* kSync = "000b 0a 08011000180022002800";
/// The first packet of a data message with 490 bytes of contents.
constexpr const char* kCutOff = "0020 f403 0800 10ea03 1800 22ea03";
const std::string kSyncAnswer = hex("08011000 5209 088106 2001 28848008");

/// The answer to the hostile packet if it has one, then that to a good request.
void check_goes_on(ScriptedBoard& board, std::size_t answers) {
    const Unframed sent = unframe(board.silence().packet(kSync).serve());
    REQUIRE(sent.messages.size() == answers + 1);
    CHECK(sent.messages.back() == kSyncAnswer);
}

}  // namespace

TEST_CASE("validation: broken messages are dropped") {
    const char* const kBroken[] = {
        "0000",                             // nothing
        "000b 0a ffffffffffffffffffffff",   // a varint without an end
        "000c ffffffffff 0f 0801",          // length of more than 32 bits
        "000b 0a 08021001180022 7f 2800",   // contents longer than the message
        "000b 0a 0d020000 00180022002800",  // wrong wire type of field 1
        "000b 0a 08021001180020 002800",    // a number in place of the name
        "000b 0a 03021001180022002800",     // group
        "000b 0a 0002 1001180022002800",    // field 0
        "0009 08 080210011800 2200",        // field missing
        "0021 0a 08011000180022002800",     // longer than a packet
        "800b 0a 08011000180022002800",     // flag of the other direction
        "0003 02 0802",                     // request without most of it
    };
    for (const char* const packet : kBroken) {
        CAPTURE(packet);
        ScriptedBoard board;
        board.packet(packet);
        check_goes_on(board, 0);
    }
}

TEST_CASE("validation: a message longer than its packets is given up after the silence") {
    ScriptedBoard board;
    board.packet(kCutOff);
    for (int i = 0; i < 40; ++i) board.silence();
    const Unframed sent = unframe(board.packet(kSync).serve());
    CHECK(sent.asked == 1);
    REQUIRE(sent.messages.size() == 1);
    CHECK(sent.messages[0] == kSyncAnswer);
}

TEST_CASE("validation: a client that dies within a data message does not block the next") {
    ScriptedBoard board;
    const Unframed sent = unframe(board.packet(kCutOff).packet(kSync).serve());
    CHECK(sent.asked == 1);
    REQUIRE(sent.messages.size() == 1);
    CHECK(sent.messages[0] == kSyncAnswer);
}

TEST_CASE("validation: a partial packet is dropped after the silence") {
    ScriptedBoard board;
    board.bytes(hex("000b 0a 0801"));
    check_goes_on(board, 0);
}

TEST_CASE("validation: unknown fields are skipped") {
    ScriptedBoard board;
    board.packet("001c 1b 08011000180022002800 3001 390000000000000000 420100 9801 01");
    check_goes_on(board, 1);
}

TEST_CASE("validation: what is not implemented, or not there, is an error") {
    const std::string kError = "6204 0804 1004";
    const char* const kRefused[] = {
        "000b 0a 08091014180022002800",    // read memory
        "000c 0b 080910c801180022002800",  // unknown command
        "000b 0a 0809100a180122002800",    // model 1 of 1
        "000f 0e 0809100a18ffffffff0f22002800",
        "000b 0a 0809100b180122002800",         // a run without a name
        "000e 0d 0809100b1801220361626328 00",  // and with an unknown one
    };
    for (const char* const packet : kRefused) {
        CAPTURE(packet);
        ScriptedBoard board;
        const Unframed sent = unframe(board.packet(packet).packet(kSync).serve());
        REQUIRE(sent.messages.size() == 2);
        CHECK(sent.messages[0] == hex("0809 1004" + kError));
    }
}

TEST_CASE("validation: a name that no model can have is not answered by the index beside it") {
    const std::string message = hex("4a 0809 100a 1800 2240") + std::string(64, 'a') + hex("2800");
    ScriptedBoard board;
    REQUIRE(message.size() == 32 + 32 + 11);
    for (std::size_t at = 0; at < message.size(); at += 32) {
        std::string part = message.substr(at, 32);
        part.insert(0, {'\0', static_cast<char>(part.size())});
        part.resize(34);
        board.bytes(part);
    }
    const Unframed sent = unframe(board.serve());
    CHECK(sent.asked == 2);
    REQUIRE(sent.messages.size() == 1);
    CHECK(sent.messages[0] == hex("0809 1004 6204 0804 1004"));
}

TEST_CASE("validation: a run by name installs no other model before") {
    ScriptedBoard board;
    board.models = 2;
    board.packet("0011 10 0805 100b 1801 2206 7365636f6e64 2801");
    CHECK(unframe(board.serve()).messages.size() == 1);
    CHECK(board.selected == std::vector<std::uint32_t>{1});
}

TEST_CASE("validation: an input of a wrong size is refused and not written past its end") {
    ScriptedBoard board;
    board.packet("001b 1a 0805100b1801221068656c6c6f5f776f726c645f696e74382801");
    board.packet("000d 0c 0800 1004 1800 2204 01020304").packet(kSync);
    const Unframed sent = unframe(board.serve());
    REQUIRE(sent.messages.size() == 3);
    CHECK(sent.messages[1] == hex("0805 1004 6204 0804 1001"));
    CHECK(sent.messages[2] == kSyncAnswer);
    CHECK(board.inferences == 0);
}

TEST_CASE("validation: a client that left during an inference does not block the next") {
    ScriptedBoard board;
    board.packet("001b 1a 0805100b1803221068656c6c6f5f776f726c645f696e74382801");
    board.packet("000a 09 0800 1001 1800 2201e6").acks(1);
    const Unframed sent = unframe(board.packet(kSync).serve());
    // Two acknowledgements, the first log, then nothing more of the inference.
    REQUIRE(sent.messages.size() == 4);
    CHECK(sent.messages[3] == kSyncAnswer);
    CHECK(board.inferences == 1);
}

TEST_CASE("validation: an answer that does not fit its buffer is an error") {
    ScriptedBoard board;
    board.buffer_bytes = 64;
    const Unframed sent = unframe(board.packet("000b 0a 0803100a180022002800").acks(7).serve());
    REQUIRE(sent.messages.size() == 8);
    CHECK(sent.messages[7] == hex("0803 1004 6204 0800 100a"));
}

TEST_CASE("validation: random packets") {
    std::mt19937 engine(1);
    const auto random = [&engine] { return static_cast<unsigned>(engine()); };
    for (int round = 0; round < 3000; ++round) {
        ScriptedBoard board;
        for (int i = 0; i < 8; ++i) {
            std::string packet =
                round % 3 == 0
                    ? hex("000b 0a 08011000180022002800")
                    : hex("001b 1a 0805100b1803221068656c6c6f5f776f726c645f696e74382801");
            packet.resize(34);
            for (unsigned flips = random() % 5; flips != 0; --flips)
                packet[random() % packet.size()] = static_cast<char>(random());
            board.bytes(packet);
            if (random() % 4 == 0) board.silence();
        }
        static_cast<void>(board.serve());
    }
}

}  // namespace n6vp::tests

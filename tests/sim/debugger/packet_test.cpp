// SPDX-License-Identifier: Apache-2.0
// The packet layer: framing, checksums, escapes, numbers, limits.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "sim/debugger/packet.h"

using namespace n6vp::sim::debugger;
using Kind = Incoming::Kind;

namespace {

/// Returns what comes next; an interrupt with the payload "nothing" if nothing does.
Incoming next(PacketReader& reader) {
    return reader.take().value_or(Incoming{Kind::Interrupt, "nothing"});
}

}  // namespace

TEST_CASE("a packet has the checksum of the protocol's examples") {
    // GDB manual, appendix E.1: the sum of all characters between '$' and '#', modulo 256.
    CHECK(frame("OK") == "$OK#9a");
    CHECK(frame("") == "$#00");
    CHECK(frame("qSupported") == "$qSupported#37");
}

TEST_CASE("bytes with a meaning are escaped by 0x7d and 0x20") {
    CHECK(frame("a#b") ==
          "$a}\x03"
          "b#" +
              std::string("43"));
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    PacketReader reader;
    reader.put(frame(all));
    const Incoming item = next(reader);
    CHECK(item.kind == Kind::Packet);
    CHECK(item.payload == all);
}

TEST_CASE("a packet may come in pieces of any size") {
    PacketReader reader;
    const std::string bytes = "+" + frame("m20000000,4") + "\x03" + frame("g");
    for (const char byte : bytes) reader.put(std::string_view(&byte, 1));
    CHECK(next(reader).kind == Kind::Ack);
    CHECK(next(reader).payload == "m20000000,4");
    CHECK(next(reader).kind == Kind::Interrupt);
    CHECK(next(reader).payload == "g");
    CHECK_FALSE(reader.take());
}

TEST_CASE("a wrong checksum, or one that is no number, damages a packet") {
    PacketReader reader;
    reader.put("$OK#9b$OK#zz$OK#9a");
    CHECK(next(reader).kind == Kind::Damaged);
    CHECK(next(reader).kind == Kind::Damaged);
    CHECK(next(reader).payload == "OK");
    reader.ignore_checksums();
    reader.put("$OK#00");
    CHECK(next(reader).payload == "OK");
}

TEST_CASE("a packet that begins anew counts from there") {
    PacketReader reader;
    reader.put("$m1234$OK#9a");
    CHECK(next(reader).payload == "OK");
    CHECK_FALSE(reader.take());
}

TEST_CASE("a payload that is too long is damaged, and costs no memory") {
    PacketReader reader;
    std::string longest(kMaxPayload, 'a');
    reader.put(frame(longest));
    CHECK(next(reader).payload == longest);
    reader.put(frame(longest + "a"));
    CHECK(next(reader).kind == Kind::Damaged);
    reader.put(frame("OK"));
    CHECK(next(reader).payload == "OK");
}

TEST_CASE("items that nobody takes are bounded") {
    PacketReader reader;
    reader.put(std::string(10 * PacketReader::kMaxWaiting, '+'));
    std::size_t count = 0;
    while (reader.take()) ++count;
    CHECK(count == PacketReader::kMaxWaiting);
}

TEST_CASE("an interrupt is found behind other items") {
    PacketReader reader;
    reader.put("++\x03+");
    CHECK(reader.take_interrupt());
    CHECK_FALSE(reader.take_interrupt());
    CHECK(next(reader).kind == Kind::Ack);
}

TEST_CASE("a byte 0x03 inside a packet is none") {
    PacketReader reader;
    reader.put(frame("X0,1:\x03"));
    CHECK_FALSE(reader.take_interrupt());
    CHECK(next(reader).payload == "X0,1:\x03");
}

TEST_CASE("noise never yields a packet longer than the limit") {
    std::mt19937 random(1);
    PacketReader reader;
    std::string noise;
    for (int i = 0; i < 200'000; ++i) {
        // Characters with a meaning come often.
        const auto choice = random() % 8;
        noise += choice < 4 ? "$#}*"[choice] : static_cast<char>(random());
    }
    reader.put(noise);
    while (const auto item = reader.take()) CHECK(item->payload.size() <= kMaxPayload);
}

TEST_CASE("numbers have at most 32 bits") {
    PayloadReader reader("00000000ffffffff,1z");
    CHECK(reader.number() == 0xFFFFFFFF);
    CHECK(reader.skip(","));
    CHECK(reader.number() == 1u);
    CHECK_FALSE(reader.number());
    CHECK(reader.rest() == "z");
    PayloadReader large("100000000");
    CHECK_FALSE(large.number());
    CHECK(large.rest() == "100000000");
    CHECK_FALSE(PayloadReader("").number());
    CHECK_FALSE(PayloadReader("-1").number());
}

TEST_CASE("ranges end within the address space") {
    const auto range = [](std::string_view text) {
        PayloadReader reader(text);
        return range_of(reader);
    };
    CHECK(range("fffffff0,10"));
    CHECK_FALSE(range("fffffff0,11"));
    CHECK(range("ffffffff,0"));
    CHECK_FALSE(range("10"));
    CHECK_FALSE(range("10,"));
    CHECK_FALSE(range(",4"));
}

TEST_CASE("hexadecimal text has pairs of digits") {
    CHECK(bytes_of_hex("4f4B") == "OK");
    CHECK(bytes_of_hex("") == "");
    CHECK_FALSE(bytes_of_hex("4"));
    CHECK_FALSE(bytes_of_hex("4g"));
    CHECK(hex_of("OK") == "4f4b");
    CHECK(hex_of(0x12345678, 4) == "78563412");
}

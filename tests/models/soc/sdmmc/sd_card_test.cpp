// SPDX-License-Identifier: Apache-2.0
// SD card: states, registers, blocks. Expected values from the SD Physical Layer Simplified
// Specification.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "models/duration.h"
#include "models/soc/sdmmc/sd_card.h"

using namespace n6vp::models;
using sdmmc::Card;

namespace {

constexpr Picoseconds kUs = 1'000'000;
constexpr std::uint32_t kReady = 1u << 31 | 1u << 30 | 0x00FF8000;
using Kind = Card::Response::Kind;

std::vector<std::uint8_t> pattern(std::size_t blocks) {
    std::vector<std::uint8_t> bytes(blocks * Card::kBlock);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i / Card::kBlock * 7 + i);
    return bytes;
}

/// Remainder of the division by x^7 + x^3 + 1, of bytes behind which seven zeros stand.
unsigned crc7(const std::vector<std::uint8_t>& bytes) {
    unsigned value = 0;
    for (const std::uint8_t byte : bytes) {
        value ^= byte;
        for (unsigned i = 0; i < 8; ++i)
            value = (value & 0x80) != 0 ? value << 1 ^ 0x09 << 1 : value << 1;
        value &= 0xFF;
    }
    return value >> 1;
}

std::vector<std::uint8_t> first_15(const Card::Registers& words) {
    std::vector<std::uint8_t> bytes;
    for (unsigned i = 0; i < 15; ++i)
        bytes.push_back(static_cast<std::uint8_t>(words[i / 4] >> (24 - i % 4 * 8)));
    return bytes;
}

/// The last byte of a register: CRC and end bit.
unsigned crc_byte(const Card::Registers& words) {
    return crc7(first_15(words)) << 1 | 1;
}

struct Bench {
    Card card;
    Picoseconds now = 0;
    std::uint32_t address = 0;

    explicit Bench(std::size_t blocks = 1024) : card(pattern(blocks)) {}
    Card::Response send(unsigned index, std::uint32_t argument = 0) {
        now += kUs;
        return card.command(index, argument, now);
    }
    Card::Response send_app(unsigned index, std::uint32_t argument = 0) {
        CHECK(send(55, address << 16).kind == Kind::Short);
        return send(index, argument);
    }
    /// Up to the transfer state.
    void initialise() {
        send(0);
        CHECK(send(8, 0x1AA).words[0] == 0x1AA);
        while (send_app(41, 0x40FF8000).words[0] != kReady) CHECK(now < 100'000 * kUs);
        CHECK(send(2).kind == Kind::Long);
        address = send(3).words[0] >> 16;
        CHECK(send(7, address << 16).kind == Kind::Short);
    }
    /// State and errors of SEND_STATUS.
    std::uint32_t status() { return send(13, address << 16).words[0]; }
    unsigned state() { return status() >> 9 & 0xF; }
};

}  // namespace

TEST_CASE("SD card: initialisation takes its time and needs a host that knows high capacity") {
    Bench bench;
    CHECK(bench.send(0).kind == Kind::None);
    CHECK(bench.send(8, 0x2AA).kind == Kind::None);  // another voltage
    CHECK(bench.send(8, 0x15A).words[0] == 0x15A);
    CHECK(bench.send_app(41, 0).words[0] == 0x00FF8000);  // a question
    CHECK(bench.send_app(41, 0x00FF8000).words[0] == 0x00FF8000);
    bench.now += 10'000 * kUs;
    CHECK(bench.send_app(41, 0x00FF8000).words[0] == 0x00FF8000);
    const Card::Response ready = bench.send_app(41, 0x40FF8000);
    CHECK(ready.words[0] == kReady);
    CHECK(ready.kind == Kind::ShortWithoutCrc);
    CHECK(ready.index == 63);
    // Identification, then a relative address, then it may be selected.
    CHECK(bench.send(3).kind == Kind::None);
    CHECK(bench.send(2).kind == Kind::Long);
    const std::uint32_t published = bench.send(3).words[0];
    CHECK((published >> 16) != 0);
    CHECK((published & 1u << 14) != 0);  // ILLEGAL_COMMAND of CMD3 before, as bit 14 of R6
    CHECK((published >> 9 & 0xF) == 2);  // identification
    bench.address = published >> 16;
    CHECK(bench.state() == 3);
    CHECK(bench.send(7, bench.address << 16).kind == Kind::Short);
    CHECK(bench.state() == 4);
    CHECK(bench.send(7, 0).kind == Kind::None);
    CHECK(bench.state() == 3);
}

TEST_CASE("SD card: a second APP_CMD takes the place of the first") {
    Bench bench;
    bench.send(0);
    for (int i = 0; i < 2; ++i) CHECK(bench.send(55).words[0] == (1u << 8 | 1u << 5));
    CHECK(bench.send(41).words[0] == 0x00FF8000);
    // To an address of no card it counts for none.
    bench.initialise();
    CHECK(bench.send(55, bench.address << 16).kind == Kind::Short);
    CHECK(bench.send(55, 0x55550000).kind == Kind::None);
    CHECK(bench.send(51).kind == Kind::None);
}

TEST_CASE("SD card: CSD and CID carry the size and a right CRC") {
    // 3000 blocks make three units of 512 KiB.
    Bench bench(3000);
    bench.initialise();
    CHECK(bench.card.blocks() == 3072);
    CHECK(bench.send(9, bench.address << 16).kind == Kind::None);  // not in the transfer state
    bench.send(7, 0);
    const Card::Registers csd = bench.send(9, bench.address << 16).words;
    CHECK(csd[0] == 0x400E0032);
    CHECK((csd[1] >> 16 & 0xF) == 9);
    CHECK((csd[1] >> 20 & 1u << 5) != 0);                    // class 5: erase
    CHECK(((csd[1] & 0x3F) << 16 | csd[2] >> 16) + 1 == 3);  // C_SIZE
    CHECK((csd[3] & 0xFF) == crc_byte(csd));
    const Card::Registers cid = bench.send(10, bench.address << 16).words;
    CHECK((cid[3] & 0xFF) == crc_byte(cid));
    CHECK(bench.send(10, (bench.address + 1) << 16).kind == Kind::None);
    // The blocks behind the image are there, and zero.
    CHECK(bench.card.block(2999)[0] == static_cast<std::uint8_t>(2999 * 7 + 2999 * 512));
    CHECK(bench.card.block(3071) == Card::Block{});
}

TEST_CASE("SD card: what the state does not allow has no response and stands in the next status") {
    Bench bench;
    bench.initialise();
    CHECK(bench.send(2).kind == Kind::None);
    CHECK((bench.status() & 1u << 22) != 0);
    CHECK((bench.status() & 1u << 22) == 0);
    CHECK(bench.send(5).kind == Kind::None);
    CHECK(bench.send(12).kind == Kind::None);
    CHECK(bench.send(11).kind == Kind::None);
    CHECK((bench.send(16, 1024).words[0] & 1u << 29) != 0);
    CHECK((bench.send(17, 1024).words[0] & 1u << 31) != 0);
    CHECK(bench.card.sends_at() == kNever);
    CHECK(bench.state() == 4);
}

TEST_CASE("SD card: blocks come after the access time, one or several") {
    Bench bench;
    bench.initialise();
    CHECK(bench.send(17, 5).kind == Kind::Short);
    CHECK(bench.card.sends_at() == bench.now + 200 * kUs);
    CHECK(bench.state() == 5);
    CHECK(bench.card.send(bench.now)[3] == static_cast<std::uint8_t>(5 * 7 + 5 * 512 + 3));
    CHECK(bench.card.sends_at() == kNever);
    CHECK(bench.state() == 4);
    CHECK(bench.send(18, 1022).kind == Kind::Short);
    CHECK(bench.card.send(111)[0] == static_cast<std::uint8_t>(1022 * 7));
    CHECK(bench.card.sends_at() == 111);
    CHECK(bench.card.send(222)[0] == static_cast<std::uint8_t>(1023 * 7));
    CHECK(bench.card.sends_at() == kNever);  // the end of the card
    CHECK((bench.send(12).words[0] & 1u << 31) != 0);
    CHECK(bench.state() == 4);
    // With a count it ends by itself.
    bench.send(23, 2);
    bench.send(18, 0);
    static_cast<void>(bench.card.send(0));
    CHECK(bench.state() == 5);
    static_cast<void>(bench.card.send(0));
    CHECK(bench.state() == 4);
}

TEST_CASE("SD card: written blocks keep it busy, and come back until the contents are restored") {
    Bench bench;
    bench.initialise();
    const std::vector<std::uint8_t> one(Card::kBlock, 0xA5);
    CHECK_FALSE(bench.card.receive(one, true, bench.now));
    bench.send(24, 9);
    CHECK(bench.card.receives());
    CHECK(bench.state() == 6);
    CHECK(bench.card.receive(one, true, bench.now));
    CHECK(bench.card.busy_until() == bench.now + 500 * kUs);
    CHECK((bench.status() & 0x1F00) == 7u << 9);  // programming, not ready for data
    CHECK(bench.send(17, 0).kind == Kind::None);
    bench.now += 500 * kUs;
    CHECK((bench.status() & 0x1F00) == (4u << 9 | 1u << 8));
    CHECK(bench.card.block(9)[100] == 0xA5);
    // Several: a damaged block is not taken; the count of good ones can be asked for.
    bench.send(25, 20);
    CHECK(bench.card.receive(one, true, bench.now));
    CHECK(bench.card.busy_until() == bench.now + 20 * kUs);
    bench.now += 30 * kUs;
    CHECK_FALSE(bench.card.receive(one, false, bench.now));
    bench.send(12);
    bench.now += 600 * kUs;
    CHECK(bench.send_app(22).kind == Kind::Short);
    CHECK(bench.card.send(0) == std::vector<std::uint8_t>{0, 0, 0, 1});
    CHECK(bench.card.written().size() == 2);
    bench.card.restore();
    CHECK(bench.card.block(9) == Bench().card.block(9));
}

TEST_CASE("SD card: erase needs its three commands in order") {
    Bench bench;
    bench.initialise();
    CHECK((bench.send(38).words[0] & 1u << 28) != 0);
    bench.send(32, 4);
    CHECK((bench.send(16, 512).words[0] & 1u << 13) != 0);  // ERASE_RESET
    CHECK((bench.send(33, 6).words[0] & 1u << 28) != 0);
    bench.send(32, 4);
    bench.send(33, 6);
    CHECK((bench.send(38).words[0] & 1u << 28) == 0);
    CHECK(bench.card.busy_until() == bench.now + 1000 * kUs);
    bench.now += 1000 * kUs;
    CHECK(bench.card.block(3)[0] == 3 * 7);
    CHECK(bench.card.block(4) == Card::Block{});
    CHECK(bench.card.block(6) == Card::Block{});
    CHECK(bench.card.block(7)[0] == 7 * 7);
    bench.send(32, 6);
    bench.send(33, 4);
    CHECK((bench.send(38).words[0] & 1u << 27) != 0);  // ERASE_PARAM
}

TEST_CASE("SD card: SCR, SD status and the switch to high speed") {
    Bench bench;
    bench.initialise();
    bench.send_app(51);
    const std::vector<std::uint8_t> scr = bench.card.send(0);
    REQUIRE(scr.size() == 8);
    CHECK((scr[0] & 0xF) == 2);  // version 2.00 or later
    CHECK((scr[1] & 0xF) == 5);  // 1 and 4 lines
    bench.send_app(6, 2);
    CHECK(bench.card.lines() == 4);
    bench.send_app(13);
    const std::vector<std::uint8_t> status = bench.card.send(0);
    REQUIRE(status.size() == 64);
    CHECK((status[0] >> 6) == 2);
    // Asked for, then set.
    bench.send(6, 0x00FFFFF1);
    CHECK((bench.card.send(0)[16] & 0xF) == 1);
    bench.send(6, 0x80FFFFF1);
    const std::vector<std::uint8_t> functions = bench.card.send(0);
    REQUIRE(functions.size() == 64);
    CHECK((functions[13] & 2) == 2);
    CHECK((functions[16] & 0xF) == 1);
    bench.send(6, 0x80FFFFF3);  // SDR104, which it does not have
    CHECK((bench.card.send(0)[16] & 0xF) == 0xF);
    bench.send(7, 0);
    CHECK((bench.send(9, bench.address << 16).words[0] & 0xFF) == 0x5A);  // 50 MHz
    bench.card.power_on();
    CHECK(bench.card.lines() == 1);
}

TEST_CASE("SD card: the answer of SWITCH_FUNC has every group's functions and choice") {
    struct Row {
        std::uint32_t argument;
        std::vector<std::uint8_t> chosen;  ///< bytes 14 to 16: two groups each, the 6th first
    };
    Bench bench;
    bench.initialise();
    for (const Row& row : std::vector<Row>{
             {0x00000000, {0x00, 0x00, 0x00}},
             {0x00FFFFFF, {0x00, 0x00, 0x00}},  // as it is
             {0x00000001, {0x00, 0x00, 0x01}},
             {0x00000002, {0x00, 0x00, 0x0F}},  // group 1 has no function 2
             {0x00000010, {0x00, 0x00, 0xF0}},
             {0x00000100, {0x00, 0x0F, 0x00}},
             {0x00001000, {0x00, 0xF0, 0x00}},
             {0x00010000, {0x0F, 0x00, 0x00}},
             {0x00100001, {0xF0, 0x00, 0x01}},
             {0x80100001, {0xF0, 0x00, 0x01}},  // nothing is set if one is impossible
             {0x00FFFFFF, {0x00, 0x00, 0x00}},
             {0x80FFFFF1, {0x00, 0x00, 0x01}},
             {0x00FFFFFF, {0x00, 0x00, 0x01}},
             {0x80FFFFFF, {0x00, 0x00, 0x01}},
             {0x80FFFFF0, {0x00, 0x00, 0x00}},
             {0x00FFFFFF, {0x00, 0x00, 0x00}},
         }) {
        CAPTURE(row.argument);
        bench.send(6, row.argument);
        const std::vector<std::uint8_t> bytes = bench.card.send(0);
        REQUIRE(bytes.size() == 64);
        CHECK(std::vector<std::uint8_t>(bytes.begin() + 14, bytes.begin() + 17) == row.chosen);
        // Support of groups 6 to 1, two bytes each.
        for (std::size_t group = 6; group >= 1; --group) {
            CAPTURE(group);
            const std::size_t at = 2 + 2 * (6 - group);
            CHECK(bytes[at] == 0x80);
            CHECK(bytes[at + 1] == (group == 1 ? 3 : 1));
        }
        CHECK((bytes[0] << 8 | bytes[1]) > 0);  // current
    }
}

// SPDX-License-Identifier: Apache-2.0
// I2C as the target of another controller: addresses, flags, times.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/serial/i2c.h"
#include "models/soc/serial/i2c_register_device.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kOar1 = 0x08, kOar2 = 0x0C, kTimingr = 0x10,
                        kIsr = 0x18, kIcr = 0x1C, kRxdr = 0x24, kTxdr = 0x28;
constexpr std::uint32_t kTxe = 1, kTxis = 2, kRxne = 4, kAddr = 8, kNackf = 16, kStopf = 32,
                        kBusy = 1u << 15, kDir = 1u << 16;
constexpr std::uint32_t kOwn = 1u << 15, kOwnTen = 1u << 10, kNack = 1u << 15;
constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr Picoseconds kUs = 1'000'000;
/// At 100 kHz: half a period of START, nine bits.
constexpr Picoseconds kAddressed = 95 * kUs, kByte = 90 * kUs, kStopped = 5 * kUs;

constexpr std::uint32_t code(std::uint32_t address) {
    return address << 17;
}

struct Ended {
    bool acknowledged;
    std::size_t taken;
    std::vector<std::uint8_t> read;
    Picoseconds at;
};

struct Bench {
    Bench() : i2c("i2c1", "I2C1") {
        i2c.on_event_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        i2c.on_transfer = [this](const I2cForeignTransfer&, const I2cForeignResult& result,
                                 Picoseconds at) {
            ended.push_back({result.acknowledged, result.taken, result.read, at});
        };
        i2c.set_kernel_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        // 10 us a bit.
        set(kTimingr, 9u << 28 | 49u << 8 | 49u);
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(i2c.write(offset, value, kWord, now).modelled);
    }
    std::uint32_t get(std::uint32_t offset) { return i2c.read(offset, now).value; }
    std::uint32_t isr() { return get(kIsr); }
    void own(std::uint32_t oar1, std::uint32_t oar2 = 0) {
        set(kOar1, oar1);
        set(kOar2, oar2);
        set(kCr1, 1);
    }
    /// Time of the next flag among these, looked for each 0.1 us for 2 ms.
    bool wait(std::uint32_t bits) {
        const Picoseconds end = now + 2'000 * kUs;
        while ((isr() & bits) == 0 && now < end) now += kUs / 10;
        return (isr() & bits) != 0;
    }

    I2c i2c;
    Picoseconds now = 0;
    std::vector<std::pair<bool, Picoseconds>> levels;
    std::vector<Ended> ended;
};

}  // namespace

TEST_CASE("timing: i2c target: bytes come after ADDR is cleared, STOPF behind the last") {
    Bench bench;
    bench.own(kOwn | 0x30 << 1);
    bench.i2c.transfer({0x30, false, {0x11, 0x22}}, 0);
    bench.now = kAddressed - 1;
    CHECK(bench.isr() == (kBusy | kTxe));
    bench.now = kAddressed;
    const std::uint32_t busy = kBusy | kTxe | code(0x30);
    CHECK(bench.isr() == (busy | kAddr));
    bench.now = 200 * kUs;
    CHECK(bench.isr() == (busy | kAddr));
    bench.set(kIcr, kAddr);
    CHECK(bench.isr() == busy);
    bench.now += 80 * kUs - 1;
    CHECK(bench.isr() == busy);
    bench.now += 1;
    CHECK(bench.isr() == (busy | kRxne));
    CHECK(bench.get(kRxdr) == 0x11);
    bench.now += kByte - 1;
    CHECK(bench.isr() == busy);
    bench.now += 1;
    CHECK(bench.isr() == (busy | kRxne));
    CHECK(bench.get(kRxdr) == 0x22);
    bench.now += 10 * kUs + kStopped - 1;
    CHECK(bench.isr() == busy);
    bench.now += 1;
    CHECK(bench.isr() == (kStopf | kTxe | code(0x30)));
    REQUIRE(bench.ended.size() == 1);
    CHECK(bench.ended[0].acknowledged);
    CHECK(bench.ended[0].taken == 2);
    CHECK(bench.ended[0].at == bench.now);
    bench.set(kIcr, kStopf);
    CHECK((bench.isr() & kStopf) == 0);
}

TEST_CASE("timing: i2c target: a byte that is not read holds SCL, and so does one not written") {
    Bench bench;
    bench.own(kOwn | 0x30 << 1);
    bench.i2c.transfer({0x30, false, {1, 2, 3}}, 0);
    REQUIRE(bench.wait(kAddr));
    bench.set(kIcr, kAddr);
    bench.now += 1'000 * kUs;
    CHECK((bench.isr() & (kRxne | kBusy | kStopf)) == (kRxne | kBusy));
    CHECK(bench.get(kRxdr) == 1);
    CHECK(bench.get(kRxdr) == 2);  // it was in the shift register
    bench.now += kByte;
    CHECK(bench.get(kRxdr) == 3);
    CHECK(bench.wait(kStopf));
    bench.set(kIcr, kStopf);
    bench.i2c.transfer({0x30, false, {}, 2}, bench.now);
    const Picoseconds begin = bench.now;
    bench.now = begin + kAddressed;
    CHECK((bench.isr() & (kAddr | kDir | kTxis)) == (kAddr | kDir));
    bench.set(kIcr, kAddr);
    CHECK((bench.isr() & kTxis) != 0);
    bench.now += 500 * kUs;
    CHECK((bench.isr() & (kTxis | kBusy)) == (kTxis | kBusy));
    // The first byte goes to the shift register at once: the second is asked for.
    bench.set(kTxdr, 0xA1);
    CHECK((bench.isr() & (kTxis | kTxe)) == (kTxis | kTxe));
    bench.set(kTxdr, 0xA2);
    CHECK((bench.isr() & (kTxis | kTxe)) == 0);
    bench.now += kByte;
    CHECK((bench.isr() & (kTxis | kNackf)) == kTxis);
    bench.now += kByte - 1;
    CHECK((bench.isr() & kNackf) == 0);
    bench.now += 1;
    CHECK((bench.isr() & (kNackf | kStopf)) == kNackf);
    bench.now += kStopped;
    CHECK((bench.isr() & (kNackf | kStopf | kBusy)) == (kNackf | kStopf));
    REQUIRE(bench.ended.size() == 2);
    CHECK(bench.ended[1].read == std::vector<std::uint8_t>{0xA1, 0xA2});
}

TEST_CASE("i2c target: a read behind a write comes with a second ADDR, by its direction") {
    Bench bench;
    bench.own(kOwn | 0x30 << 1);
    bench.i2c.transfer({0x30, false, {7}, 1}, 0);
    REQUIRE(bench.wait(kAddr));
    CHECK((bench.isr() & kDir) == 0);
    bench.set(kIcr, kAddr);
    REQUIRE(bench.wait(kRxne));
    CHECK(bench.get(kRxdr) == 7);
    REQUIRE(bench.wait(kAddr));
    CHECK((bench.isr() & (kDir | kStopf)) == kDir);
    bench.set(kTxdr, 0x5A);
    bench.set(kIcr, kAddr);
    REQUIRE(bench.wait(kStopf));
    REQUIRE(bench.ended.size() == 1);
    CHECK(bench.ended[0].taken == 1);
    CHECK(bench.ended[0].read == std::vector<std::uint8_t>{0x5A});
}

TEST_CASE("timing: i2c target: a read from 10 bits gives ADDR twice, as the public driver awaits") {
    Bench bench;
    bench.own(kOwn | kOwnTen | 0x30F);
    bench.i2c.transfer({0x30F, true, {}, 1}, 0);
    bench.now = kAddressed + kByte - 1;
    CHECK((bench.isr() & kAddr) == 0);
    bench.now += 1;
    // The header and two bits of the address.
    CHECK(bench.isr() == (kBusy | kTxe | kAddr | code(0x7B)));
    bench.set(kIcr, kAddr);
    bench.now += kAddressed - 1;
    CHECK((bench.isr() & kAddr) == 0);
    bench.now += 1;
    CHECK(bench.isr() == (kBusy | kTxe | kAddr | kDir | code(0x7B)));
    bench.set(kIcr, kAddr);
    bench.set(kTxdr, 0xC3);
    REQUIRE(bench.wait(kStopf));
    REQUIRE(bench.ended.size() == 1);
    CHECK(bench.ended[0].read == std::vector<std::uint8_t>{0xC3});
}

TEST_CASE("timing: i2c target: addresses of others are refused at the byte that differs") {
    struct Row {
        std::uint16_t address;
        bool ten_bits;
        Picoseconds refused;
    };
    Bench bench;
    bench.own(kOwn | kOwnTen | 0x30F);
    for (const Row& row : {Row{0x30E, true, kAddressed + kByte}, Row{0x20F, true, kAddressed},
                           Row{0x0F, false, kAddressed}}) {
        CAPTURE(row.address);
        bench.ended.clear();
        bench.i2c.transfer({row.address, row.ten_bits, {1}}, bench.now);
        bench.now += row.refused + kStopped;
        CHECK(bench.isr() == kTxe);
        REQUIRE(bench.ended.size() == 1);
        CHECK_FALSE(bench.ended[0].acknowledged);
        CHECK(bench.ended[0].taken == 0);
        CHECK(bench.ended[0].at == bench.now);
    }
}

TEST_CASE("i2c target: OAR2 leaves out the bits of its mask") {
    struct Row {
        std::uint32_t mask;
        std::uint16_t address;
        bool hears;
    };
    // Own address 0x44: masks 1 to 6 leave out as many lower bits, 7 all but reserved addresses.
    const Row rows[] = {{0, 0x44, true}, {0, 0x45, false}, {1, 0x45, true},  {1, 0x46, false},
                        {3, 0x43, true}, {3, 0x48, false}, {6, 0x7F, true},  {6, 0x3F, false},
                        {7, 0x08, true}, {7, 0x77, true},  {7, 0x07, false}, {7, 0x78, false}};
    Bench bench;
    for (const Row& row : rows) {
        CAPTURE(row.mask);
        CAPTURE(row.address);
        bench.set(kCr1, 0);
        bench.own(0, kOwn | row.mask << 8 | 0x44 << 1);
        bench.i2c.transfer({row.address}, bench.now);
        bench.now += kAddressed;
        CHECK(((bench.isr() & kAddr) != 0) == row.hears);
        if (row.hears) CHECK((bench.isr() >> 17 & 0x7F) == row.address);
        bench.set(kIcr, kAddr);
        bench.now += 100 * kUs;
    }
    // Without its enable, or without PE, nothing is heard.
    bench.set(kOar2, 0x44 << 1);
    bench.i2c.transfer({0x44}, bench.now);
    bench.now += 200 * kUs;
    CHECK_FALSE(bench.ended.back().acknowledged);
}

TEST_CASE("i2c target: NACK refuses the byte that comes, once, and addresses") {
    Bench bench;
    bench.own(kOwn | 0x30 << 1);
    bench.i2c.transfer({0x30, false, {1, 2, 3}}, 0);
    REQUIRE(bench.wait(kAddr));
    bench.set(kIcr, kAddr);
    REQUIRE(bench.wait(kRxne));
    static_cast<void>(bench.get(kRxdr));
    bench.now += 20 * kUs;
    bench.set(kCr2, kNack);
    REQUIRE(bench.wait(kRxne));
    CHECK(bench.get(kRxdr) == 2);
    REQUIRE(bench.wait(kStopf));
    CHECK((bench.get(kCr2) & kNack) == 0);
    CHECK(bench.ended.back().taken == 1);
    bench.set(kIcr, kStopf);
    bench.set(kCr2, kNack);
    bench.i2c.transfer({0x30, false, {1}}, bench.now);
    bench.now += 500 * kUs;
    CHECK((bench.isr() & (kAddr | kStopf)) == 0);
    CHECK_FALSE(bench.ended.back().acknowledged);
}

TEST_CASE("i2c target: one controller has the bus, the other waits") {
    Bench bench;
    bench.i2c.attach(std::make_unique<I2cRegisterDevice>(I2cRegisterDevice::Layout{0x3C, 1, 1}));
    bench.own(kOwn | 0x30 << 1);
    constexpr std::uint32_t kStart = 1u << 13, kAutoEnd = 1u << 25;
    bench.i2c.transfer({0x30}, 0);
    bench.now = 10 * kUs;
    bench.set(kCr2, 0x3C << 1 | kStart | kAutoEnd);
    REQUIRE(bench.wait(kAddr));
    CHECK(bench.now == kAddressed);
    CHECK(bench.i2c.statistics().transfers == 0);
    bench.set(kIcr, kAddr);
    // STOP of the other one, then START, address and STOP of this one: 10.05 us a bit.
    bench.now += kStopped;
    CHECK((bench.isr() & (kStopf | kBusy)) == (kStopf | kBusy));
    CHECK(bench.i2c.statistics().transfers == 1);
    bench.set(kIcr, kStopf);
    bench.i2c.transfer({0x30}, bench.now);
    bench.now += 1'005 * kUs / 10 - 1;
    CHECK((bench.isr() & kStopf) == 0);
    bench.now += 1;
    CHECK((bench.isr() & (kStopf | kBusy)) == (kStopf | kBusy));
    bench.now += kAddressed;
    CHECK((bench.isr() & kAddr) != 0);
}

TEST_CASE("i2c target: switched off in the middle it lets SCL go, and a queue goes on") {
    Bench bench;
    bench.own(kOwn | 0x30 << 1);
    bench.i2c.transfer({0x30, false, {1}}, 0);
    bench.i2c.transfer({0x30, false, {2}}, 0);
    REQUIRE(bench.wait(kAddr));
    bench.set(kCr1, 0);
    CHECK(bench.isr() == kTxe);
    bench.set(kCr1, 1);
    bench.now += kStopped;
    CHECK(bench.ended.size() == 0);
    static_cast<void>(bench.isr());
    REQUIRE(bench.ended.size() == 1);
    CHECK(bench.ended[0].taken == 0);
    REQUIRE(bench.wait(kAddr));
    CHECK(bench.now == 2 * kAddressed + kStopped);
    bench.set(kIcr, kAddr);
    REQUIRE(bench.wait(kRxne));
    CHECK(bench.get(kRxdr) == 2);
}

TEST_CASE("timing: i2c target: ADDRIE raises the interrupt at the address, RXIE at a byte") {
    Bench bench;
    bench.own(kOwn | 0x30 << 1);
    bench.set(kCr1, 1 | kAddr | kRxne | kStopf);
    bench.i2c.transfer({0x30, false, {9}}, 0);
    sc_core::sc_start(to_sc_time(200 * kUs));
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, kAddressed));
    bench.now = 200 * kUs;
    bench.set(kIcr, kAddr);
    REQUIRE(bench.levels.size() == 2);
    sc_core::sc_start(to_sc_time(200 * kUs));
    REQUIRE(bench.levels.size() == 3);
    CHECK(bench.levels[2] == std::pair(true, 280 * kUs));
    bench.now = 400 * kUs;
    static_cast<void>(bench.get(kRxdr));
    bench.set(kIcr, kStopf);
    REQUIRE(bench.levels.size() >= 4);
    CHECK_FALSE(bench.levels[3].first);
}

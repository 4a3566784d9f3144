// SPDX-License-Identifier: Apache-2.0
// I2C as its drivers use it: flags, times, interrupts, devices with registers.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/soc/serial/i2c.h"
#include "models/soc/serial/i2c_echo.h"
#include "models/soc/serial/i2c_register_device.h"

using namespace n6vp::models;

namespace {

// Offsets and bits of the public device header, typed a second time.
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kTimingr = 0x10, kIsr = 0x18, kIcr = 0x1C,
                        kRxdr = 0x24, kTxdr = 0x28;
constexpr std::uint32_t kTxe = 1, kTxis = 2, kRxne = 4, kNackf = 16, kStopf = 32, kTc = 64,
                        kTcr = 128, kBusy = 1u << 15;
constexpr std::uint32_t kRead = 1u << 10, kTenBits = 1u << 11, kStart = 1u << 13, kStop = 1u << 14,
                        kReload = 1u << 24, kAutoEnd = 1u << 25;
constexpr std::uint32_t kWord = 0xFFFFFFFF;

// 100 MHz, PRESC = 9, SCLH = SCLL = 49: (9 + 1) x (50 + 50) + 5 cycles of 10 ns.
constexpr std::uint32_t kTiming = 9u << 28 | 49u << 8 | 49u;
constexpr Picoseconds kScl = 10'050'000;
constexpr Picoseconds kAddressed = kScl * 19 / 2;  ///< half a period of START, nine bits
constexpr Picoseconds kStopped = kScl / 2;

constexpr std::uint32_t bytes(std::uint32_t count) {
    return count << 16;
}

struct Bench {
    Bench() : i2c("i2c1", "I2C1") {
        i2c.on_event_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        i2c.set_kernel_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(kTimingr, kTiming);
        set(kCr1, 1);
    }
    I2cRegisterDevice& attach(I2cRegisterDevice::Layout layout) {
        auto device = std::make_unique<I2cRegisterDevice>(layout);
        I2cRegisterDevice& result = *device;
        i2c.attach(std::move(device));
        return result;
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(i2c.write(offset, value, kWord, now).modelled);
    }
    std::uint32_t get(std::uint32_t offset) { return i2c.read(offset, now).value; }
    std::uint32_t isr() { return get(kIsr); }
    /// The loop of a driver: returns true if one of the bits comes within 10 ms.
    bool wait(std::uint32_t bits) {
        const Picoseconds end = now + 10'000'000'000;
        while ((isr() & bits) == 0 && now < end) now += 100'000;
        return (isr() & bits) != 0;
    }
    bool send(std::uint32_t byte) {
        if (!wait(kTxis)) return false;
        set(kTxdr, byte);
        return true;
    }

    I2c i2c;
    Picoseconds now = 0;
    std::vector<std::pair<bool, Picoseconds>> levels;
};

constexpr std::uint8_t kSensor = 0x3C;
constexpr std::uint32_t kSensorAddress = kSensor << 1;

}  // namespace

TEST_CASE("i2c: reset state is that of the manual") {
    Bench bench;
    CHECK(bench.isr() == kTxe);
    CHECK(bench.i2c.scl_ps() == kScl);
    CHECK(bench.i2c.read(kTimingr, 0).name == std::string("TIMINGR"));
    bench.i2c.reset();
    CHECK(bench.get(kTimingr) == 0);
    CHECK_FALSE(bench.i2c.read(0x2C, 0).modelled);
}

TEST_CASE("timing: an absent device is not acknowledged, and STOP follows") {
    Bench bench;
    bench.attach({kSensor, 2, 1});
    bench.set(kCr2, 0x34 | kStart | kAutoEnd);
    CHECK(bench.isr() == (kBusy | kTxe));
    CHECK((bench.get(kCr2) & kStart) != 0);
    bench.now = kAddressed - 1;
    CHECK(bench.isr() == (kBusy | kTxe));
    bench.now = kAddressed;
    CHECK(bench.isr() == (kBusy | kNackf | kTxe));
    CHECK((bench.get(kCr2) & kStart) == 0);
    bench.now = kAddressed + kStopped;
    CHECK(bench.isr() == (kNackf | kStopf | kTxe));
    bench.set(kIcr, kNackf | kStopf);
    CHECK(bench.isr() == kTxe);
    CHECK(bench.i2c.statistics().refused == 1);
}

TEST_CASE("i2c: a present device answers the question whether it is ready") {
    Bench bench;
    bench.attach({kSensor, 2, 1});
    bench.set(kCr2, kSensorAddress | kStart | kAutoEnd);
    bench.now = kAddressed + kStopped;
    CHECK(bench.isr() == (kStopf | kTxe));
}

TEST_CASE("i2c: registers are read by a write without AUTOEND, TC and a repeated START") {
    Bench bench;
    I2cRegisterDevice& sensor = bench.attach({kSensor, 2, 1});
    sensor.set(0x300A, 0x56);
    sensor.set(0x300B, 0x40);
    bench.set(kCr2, kSensorAddress | bytes(2) | kStart);
    CHECK(bench.send(0x30));
    CHECK(bench.send(0x0A));
    CHECK(bench.wait(kTc));
    CHECK((bench.isr() & (kStopf | kTxis)) == 0);
    bench.set(kCr2, kSensorAddress | bytes(2) | kRead | kStart | kAutoEnd);
    CHECK((bench.isr() & kTc) == 0);
    CHECK(bench.wait(kRxne));
    CHECK(bench.get(kRxdr) == 0x56);
    CHECK((bench.isr() & kRxne) == 0);
    CHECK(bench.wait(kRxne));
    CHECK(bench.get(kRxdr) == 0x40);
    CHECK(bench.wait(kStopf));
    CHECK((bench.isr() & kBusy) == 0);
    CHECK(bench.i2c.statistics().written == 2);
    CHECK(bench.i2c.statistics().read == 2);
}

TEST_CASE("i2c: RELOAD waits at TCR for more bytes, written registers hold") {
    Bench bench;
    const I2cRegisterDevice& sensor = bench.attach({kSensor, 1, 2});
    bench.set(kCr2, kSensorAddress | bytes(3) | kReload | kStart);
    for (const std::uint32_t byte : {0x11u, 0xABu, 0xCDu}) CHECK(bench.send(byte));
    CHECK(bench.wait(kTcr));
    bench.now += 1'000'000'000;
    CHECK((bench.isr() & (kTxis | kTc | kStopf)) == 0);
    bench.set(kCr2, kSensorAddress | bytes(2) | kAutoEnd);
    CHECK((bench.isr() & kTcr) == 0);
    CHECK(bench.send(0x12));
    CHECK(bench.send(0x34));
    CHECK(bench.wait(kStopf));
    CHECK(sensor.get(0x11) == 0xABCD);
    CHECK(sensor.get(0x12) == 0x1234);
}

TEST_CASE("timing: nine bits a byte, TXIS after each acknowledge") {
    Bench bench;
    bench.attach({kSensor, 1, 1});
    bench.set(kCr2, kSensorAddress | bytes(2) | kStart | kAutoEnd);
    bench.now = kAddressed;
    CHECK((bench.isr() & kTxis) != 0);
    bench.set(kTxdr, 0x55);
    CHECK((bench.isr() & (kTxis | kTxe)) == kTxe);
    bench.now += 9 * kScl - 1;
    CHECK((bench.isr() & kTxis) == 0);
    bench.now += 1;
    CHECK((bench.isr() & kTxis) != 0);
    bench.set(kTxdr, 0x66);
    bench.now += 9 * kScl + kStopped;
    CHECK(bench.isr() == (kStopf | kTxe));
}

TEST_CASE("i2c: a byte that was in TXDR before START is the first") {
    Bench bench;
    const I2cRegisterDevice& sensor = bench.attach({kSensor, 1, 1});
    bench.set(kTxdr, 0x07);
    CHECK((bench.isr() & kTxe) == 0);
    bench.set(kCr2, kSensorAddress | bytes(2) | kStart | kAutoEnd);
    CHECK(bench.send(0x99));
    CHECK(bench.wait(kStopf));
    CHECK(sensor.get(7) == 0x99);
    // A byte nobody took is flushed by writing TXE.
    bench.set(kTxdr, 1);
    bench.set(kIsr, kTxe);
    CHECK((bench.isr() & kTxe) != 0);
}

TEST_CASE("timing: an unread byte holds SCL before its acknowledge") {
    Bench bench;
    I2cRegisterDevice& sensor = bench.attach({kSensor, 1, 1});
    for (std::uint32_t i = 0; i < 3; ++i) sensor.set(i, 0xA0 + i);
    bench.set(kCr2, kSensorAddress | bytes(3) | kRead | kStart | kAutoEnd);
    bench.now = kAddressed + 8 * kScl;
    CHECK((bench.isr() & kRxne) != 0);
    bench.now += 1'000'000'000;
    CHECK((bench.isr() & (kStopf | kBusy)) == kBusy);
    CHECK(bench.get(kRxdr) == 0xA0);
    CHECK(bench.get(kRxdr) == 0xA1);  // it was in the shift register
    bench.now += 9 * kScl;
    CHECK(bench.get(kRxdr) == 0xA2);
    bench.now += kScl + kStopped;
    CHECK(bench.isr() == (kStopf | kTxe));
}

TEST_CASE("i2c: STOP ends a transfer that waits for a command or for data") {
    Bench bench;
    bench.attach({kSensor, 1, 1});
    bench.set(kCr2, kSensorAddress | bytes(1) | kStart);
    CHECK(bench.send(0));
    CHECK(bench.wait(kTc));
    bench.set(kCr2, bench.get(kCr2) | kStop);
    CHECK((bench.isr() & kTc) == 0);
    CHECK(bench.wait(kStopf));
    CHECK((bench.get(kCr2) & kStop) == 0);
    bench.set(kIcr, kStopf);
    bench.set(kCr2, kSensorAddress | bytes(9) | kStart);
    CHECK(bench.wait(kTxis));
    bench.set(kCr2, bench.get(kCr2) | kStop);
    CHECK(bench.wait(kStopf));
    CHECK((bench.isr() & (kTxis | kBusy)) == 0);
}

TEST_CASE("i2c: PE = 0 clears all that is under way") {
    Bench bench;
    bench.set(kCr2, kSensorAddress | bytes(1) | kStart);
    CHECK((bench.isr() & kBusy) != 0);
    bench.set(kTxdr, 3);
    bench.set(kCr1, 0);
    CHECK(bench.isr() == kTxe);
    CHECK((bench.get(kCr2) & kStart) == 0);
    bench.set(kCr2, kSensorAddress | bytes(1) | kStart);  // nothing starts
    bench.now += 1'000'000'000;
    CHECK(bench.isr() == kTxe);
}

TEST_CASE("timing: the event interrupt follows enabled flags at their time") {
    Bench bench;
    bench.attach({kSensor, 1, 1});
    bench.set(kCr1, 1 | kTxis | kStopf | kTc);
    bench.set(kCr2, kSensorAddress | bytes(1) | kStart);
    sc_core::sc_start(to_sc_time(200'000'000));
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, kAddressed));
    bench.now = 200'000'000;
    bench.set(kTxdr, 0);
    REQUIRE(bench.levels.size() == 2);
    CHECK(bench.levels[1] == std::pair(false, bench.now));
    sc_core::sc_start(to_sc_time(200'000'000));
    REQUIRE(bench.levels.size() == 3);  // TC
    CHECK(bench.levels[2] == std::pair(true, bench.now + 9 * kScl));
    bench.now = 400'000'000;
    bench.set(kCr2, bench.get(kCr2) | kStop);
    sc_core::sc_start(to_sc_time(200'000'000));
    REQUIRE(bench.levels.size() == 5);  // TC is cleared, STOPF
    CHECK(bench.levels[4] == std::pair(true, bench.now + kStopped));
    bench.now = 600'000'000;
    bench.set(kIcr, kStopf);
    CHECK_FALSE(bench.levels.back().first);
}

TEST_CASE("timing: each event raises the interrupt by its own enable, at its time") {
    Bench bench;
    bench.attach({kSensor, 2, 1});
    constexpr std::uint32_t kEnables[] = {kTxis, kRxne, kNackf, kStopf, kTc};
    struct Row {
        std::uint32_t command;
        Picoseconds after[5];  ///< of START, by enable; 0: never
    };
    constexpr Picoseconds kByteRead = kAddressed + 8 * kScl;
    const Row rows[] = {
        {kSensorAddress | bytes(1), {kAddressed, 0, 0, 0, 0}},
        {kSensorAddress | kRead | bytes(1) | kAutoEnd,
         {0, kByteRead, 0, kByteRead + kScl + kStopped, 0}},
        {0x34 | bytes(1) | kAutoEnd, {0, 0, kAddressed, kAddressed + kStopped, 0}},
        {kSensorAddress | kAutoEnd, {0, 0, 0, kAddressed + kStopped, 0}},
        {kSensorAddress, {0, 0, 0, 0, kAddressed}},
        {kSensorAddress | kReload, {0, 0, 0, 0, kAddressed}},  // TCR
    };
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < 5; ++i) {
            CAPTURE(row.command);
            CAPTURE(i);
            const Picoseconds begin = bench.now = sc_core::sc_time_stamp().value();
            bench.set(kCr1, 0);
            bench.levels.clear();
            bench.set(kCr1, 1 | kEnables[i]);
            bench.set(kCr2, row.command | kStart);
            sc_core::sc_start(to_sc_time(30 * kScl));
            REQUIRE(bench.levels.size() == (row.after[i] == 0 ? 0u : 1u));
            if (row.after[i] != 0) CHECK(bench.levels[0] == std::pair(true, begin + row.after[i]));
            bench.now = sc_core::sc_time_stamp().value();
            (void)bench.get(kRxdr);
        }
    }
}

TEST_CASE("i2c: ICR clears what an event has left, and not what work waits for") {
    Bench bench;
    bench.attach({kSensor, 2, 1});
    bench.set(kCr2, kSensorAddress | kStart);
    bench.now += kAddressed;
    CHECK(bench.isr() == (kBusy | kTc | kTxe));
    bench.set(kIcr, kWord);
    CHECK(bench.isr() == (kBusy | kTc | kTxe));
    CHECK(bench.get(kIcr) == 0);
    bench.set(kCr2, kSensorAddress | kStop);
    CHECK(bench.isr() == (kBusy | kTxe));
    bench.now += kStopped;
    CHECK(bench.isr() == (kStopf | kTxe));
    CHECK((bench.get(kCr2) & kStop) == 0);
    bench.set(kIcr, ~kStopf);
    CHECK(bench.isr() == (kStopf | kTxe));
    bench.set(kIcr, kStopf);
    CHECK(bench.isr() == kTxe);
    // On an idle bus there is nothing to stop.
    bench.set(kCr2, kSensorAddress | kStop);
    CHECK(bench.get(kCr2) == kSensorAddress);
    CHECK(bench.isr() == kTxe);
    // TXDR is a byte that software reads back.
    (void)bench.i2c.write(kTxdr, 0xFFFF, 0xFF00, bench.now);
    CHECK(bench.isr() == kTxe);
    bench.set(kTxdr, 0x1A5);
    CHECK(bench.isr() == 0);
    CHECK(bench.get(kTxdr) == 0xA5);
    bench.set(kIsr, kTxe);
    CHECK(bench.isr() == kTxe);
}

TEST_CASE("shape: a period of SCL by PRESC, SCLH and SCLL, and five clocks to synchronise") {
    struct Row {
        std::uint32_t timing;
        Picoseconds clocks;
    };
    const Row rows[] = {
        {0, 1 + 1 + 5},           {0x000000FF, 1 + 256 + 5},          {0x0000FF00, 256 + 1 + 5},
        {0x00FF0000, 1 + 1 + 5},  // SCLDEL, SDADEL: within
        {0xF0000000, 16 * 2 + 5}, {0x30A07B4D, 4 * (0x7C + 0x4E) + 5}};
    Bench bench;
    for (const Row& row : rows) {
        CAPTURE(row.timing);
        bench.set(kTimingr, row.timing);
        CHECK(bench.i2c.scl_ps() == row.clocks * 10'000);
    }
    bench.i2c.set_kernel_hz(0);  // stopped: as one of 1 MHz
    bench.set(kTimingr, 0);
    CHECK(bench.i2c.scl_ps() == 7'000'000);
}

TEST_CASE("i2c: names of registers, and which bits are not modelled") {
    constexpr const char* kNames[] = {"CR1", "CR2", "OAR1", "OAR2", "TIMINGR", "TIMEOUTR",
                                      "ISR", "ICR", "PECR", "RXDR", "TXDR"};
    Bench bench;
    for (std::uint32_t i = 0; i < 11; ++i) {
        CAPTURE(i);
        CHECK(bench.i2c.read(4 * i, 0).name == std::string(kNames[i]));
        const RegisterBlock::Answer written = bench.i2c.write(4 * i, 0, kWord, 0);
        CHECK(written.name == std::string(kNames[i]));
        CHECK(written.modelled);
    }
    CHECK_FALSE(bench.i2c.write(0x2C, 0, kWord, 0).modelled);
    for (unsigned position = 0; position < 32; ++position) {
        CAPTURE(position);
        const auto modelled = [&](std::uint32_t offset) {
            const bool known = bench.i2c.write(offset, 1u << position, kWord, 0).modelled;
            (void)bench.i2c.write(offset, 0, kWord, 0);
            return known;
        };
        // ADDRIE, SBC, WUPEN to PECEN, and DMA without a controller; PECBYTE.
        CHECK(modelled(kCr1) == ((0x00FDC008u >> position & 1) == 0));
        CHECK(modelled(kCr2) == ((0x04000000u >> position & 1) == 0));
        CHECK_FALSE(modelled(0x14));
        CHECK(modelled(0x08));
    }
}

TEST_CASE("i2c: DMA requests are levels, without a controller they are not modelled") {
    Bench bench;
    bench.attach({kSensor, 1, 1});
    CHECK_FALSE(bench.i2c.write(kCr1, 1 | 1u << 14, kWord, 0).modelled);
    CHECK_FALSE(bench.i2c.write(kCr1, 1 | 1u << 15, kWord, 0).modelled);
    std::vector<bool> sends, receives;
    bench.i2c.on_transmit_request = [&](bool level, Picoseconds) { sends.push_back(level); };
    bench.i2c.on_receive_request = [&](bool level, Picoseconds) { receives.push_back(level); };
    bench.set(kCr1, 1 | 3u << 14);
    bench.set(kCr2, kSensorAddress | bytes(1) | kStart);
    CHECK(bench.send(0));
    CHECK(sends == std::vector<bool>{true, false});
    CHECK(bench.wait(kTc));
    bench.set(kCr2, kSensorAddress | bytes(1) | kRead | kStart | kAutoEnd);
    CHECK(bench.wait(kRxne));
    static_cast<void>(bench.get(kRxdr));
    CHECK(receives == std::vector<bool>{true, false});
}

TEST_CASE("timing: an address of 10 bits has a second byte, and a read sends its header again") {
    Bench bench;
    I2cRegisterDevice& board = bench.attach({0x30F, 1, 1, true});
    bench.attach({0x0F, 1, 1});
    board.set(5, 0xA7);
    constexpr Picoseconds kLong = kAddressed + 9 * kScl;
    bench.set(kCr2, 0x30F | kTenBits | bytes(1) | kStart);
    bench.now = kLong - 1;
    CHECK(bench.isr() == (kBusy | kTxe));
    CHECK((bench.get(kCr2) & kStart) != 0);
    bench.now = kLong;
    CHECK(bench.isr() == (kBusy | kTxis | kTxe));
    CHECK((bench.get(kCr2) & kStart) == 0);
    bench.set(kTxdr, 5);
    CHECK(bench.wait(kTc));
    // The whole sequence: both bytes to write, START, the header to read, then eight bits.
    const Picoseconds begin = bench.now;
    bench.set(kCr2, 0x30F | kTenBits | kRead | bytes(1) | kStart | kAutoEnd);
    bench.now = begin + kLong + kAddressed + 8 * kScl - 1;
    CHECK((bench.isr() & kRxne) == 0);
    CHECK((bench.get(kCr2) & kStart) == 0);
    bench.now += 1;
    CHECK((bench.isr() & kRxne) != 0);
    CHECK(bench.get(kRxdr) == 0xA7);
    CHECK(bench.wait(kStopf));
}

TEST_CASE("timing: HEAD10R sends the header only, to the device that was written to") {
    Bench bench;
    I2cRegisterDevice& board = bench.attach({0x30F, 1, 1, true});
    board.set(5, 0xA7);
    const std::uint32_t head = 0x30F | kTenBits | 1u << 12;
    bench.set(kCr2, head | bytes(1) | kStart);
    CHECK(bench.send(5));
    CHECK(bench.wait(kTc));
    bench.set(kCr2, head | kRead | bytes(1) | kStart | kAutoEnd);
    const Picoseconds begin = bench.now;
    bench.now = begin + kAddressed + 8 * kScl - 1;
    CHECK((bench.isr() & kRxne) == 0);
    bench.now += 1;
    CHECK((bench.isr() & kRxne) != 0);
    CHECK(bench.get(kRxdr) == 0xA7);
    CHECK(bench.wait(kStopf));
    bench.set(kIcr, kStopf);
    // Behind a STOP nobody is meant.
    bench.set(kCr2, head | kRead | bytes(1) | kStart | kAutoEnd);
    bench.now += kAddressed;
    CHECK((bench.isr() & kNackf) != 0);
}

TEST_CASE("timing: addresses of 10 bits that nobody has end at their first or second byte") {
    Bench bench;
    bench.attach({0x30F, 1, 1, true});
    bench.attach({0x10, 1, 1});
    struct Row {
        std::uint32_t address;
        Picoseconds refused;
    };
    for (const Row& row :
         {Row{0x20F, kAddressed}, Row{0x30E, kAddressed + 9 * kScl}, Row{0x010, kAddressed}}) {
        CAPTURE(row.address);
        const Picoseconds begin = bench.now;
        bench.set(kCr2, row.address | kTenBits | kStart | kAutoEnd);
        bench.now = begin + row.refused - 1;
        CHECK(bench.isr() == (kBusy | kTxe));
        bench.now = begin + row.refused;
        CHECK(bench.isr() == (kBusy | kNackf | kTxe));
        CHECK(bench.wait(kStopf));
        bench.set(kIcr, kNackf | kStopf);
    }
    CHECK_THROWS_AS(bench.attach({0x30F, 1, 1, true}), std::logic_error);
}

TEST_CASE("i2c: what is not modelled says so") {
    Bench bench;
    CHECK_FALSE(bench.i2c.write(kCr1, 1 | 1u << 23, kWord, 0).modelled);
    CHECK_FALSE(bench.i2c.write(kCr1, 1 | 1u << 3, kWord, 0).modelled);
    CHECK_THROWS_AS(I2cRegisterDevice({1, 3, 1}), std::logic_error);
    bench.attach({kSensor, 1, 1});
    CHECK_THROWS_AS(bench.attach({kSensor, 1, 1}), std::logic_error);
}

TEST_CASE("i2c registers: widths, numbers and the end of the file") {
    I2cRegisterDevice wide({0x1A, 1, 4});
    wide.set(0xFF, 0x12345678);
    CHECK(wide.start(false));
    CHECK(wide.write(0xFF));
    CHECK(wide.start(true));
    CHECK(wide.read() == 0x12);
    CHECK(wide.read() == 0x34);
    CHECK(wide.read() == 0x56);
    CHECK(wide.read() == 0x78);
    CHECK(wide.read() == 0);  // of register 0
    CHECK(wide.get(0x1FF) == 0x12345678);
    I2cRegisterDevice codec({0x1A, 1, 2});
    codec.set(0, 0x8904);
    CHECK(codec.start(true));
    CHECK(codec.read() == 0x89);
    CHECK(codec.read() == 0x04);
}

TEST_CASE("i2c: an echo answers with the last write, or with its text, and then with ones") {
    I2cEcho plain(0x3F, false);
    CHECK(plain.address() == 0x3F);
    CHECK(plain.start(true));
    CHECK(plain.read() == 0xFF);  // nothing was written
    for (const std::uint8_t first : {std::uint8_t{1}, std::uint8_t{7}}) {
        CHECK(plain.start(false));
        CHECK(plain.write(first));
        CHECK(plain.write(2));
        plain.stop();
    }
    for (int again = 0; again < 2; ++again) {
        CHECK(plain.start(true));
        CHECK(plain.read() == 7);
        CHECK(plain.read() == 2);
        CHECK(plain.read() == 0xFF);
    }
    // Addressed to write, but nothing comes: a controller that reads from 10 bits begins so.
    CHECK(plain.start(false));
    CHECK(plain.start(true));
    CHECK(plain.read() == 7);
    I2cEcho text(0x2F3, true, {'h', 'i'});
    CHECK(text.ten_bits());
    CHECK(text.start(false));
    CHECK(text.write('x'));
    CHECK(text.start(true));
    CHECK(text.read() == 'h');
    CHECK(text.read() == 'i');
    CHECK(text.read() == 0xFF);
}

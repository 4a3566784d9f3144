// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "memmap/peripherals.h"
#include "models/soc/stubs/ethernet_stub.h"
#include "models/soc/stubs/stub_tables.h"
#include "models/soc/system/bsec.h"
#include "models/soc/system/pwr.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

constexpr Picoseconds kLater = 1'000'000'000;  ///< 1 ms: later than any of these flags takes

struct Block {
    StubBlock block;
    explicit Block(const char* type) : block(*stub_of(type), type) {}
    std::uint32_t read(std::uint32_t offset, Picoseconds at = 0) {
        return block.read(offset, at).value;
    }
    void write(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        (void)block.write(offset, value, kWord, at);
    }
    std::string name(std::uint32_t offset) { return block.read(offset, 0).name; }
};

bool has_row(const StubTable& table, std::uint32_t offset) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [offset](const StubRow& row) { return row.offset == offset; });
}

}  // namespace

TEST_CASE("stub tables: each is of a type of the address map, once, its rows ascend in the block") {
    std::set<std::string> seen;
    for (const StubTables& tables : {kSystemStubs, kMemoryStubs, kLinkStubs, kOtherStubs}) {
        for (const StubTable& table : tables) {
            CAPTURE(std::string(table.type));
            CHECK(seen.insert(table.type).second);
            CHECK(stub_of(table.type) == &table);
            std::uint32_t bytes = 0;
            for (const memmap::Peripheral& row : memmap::kPeripherals) {
                if (std::string(row.type) == table.type) bytes = row.bytes;
            }
            REQUIRE_MESSAGE(bytes != 0, "memmap/peripherals.h has no row of this type");
            std::int64_t last = -1;
            for (const StubRow& row : table.rows) {
                CHECK(std::int64_t{row.offset} > last);
                CHECK(row.offset % 4 == 0);
                CHECK(row.offset < bytes);
                last = row.offset;
            }
            for (const StubRule& rule : table.rules) {
                CAPTURE(rule.offset);
                CAPTURE(rule.source);
                CHECK(rule.offset < bytes);
                CHECK(rule.source < bytes);
                CHECK_MESSAGE(has_row(table, rule.offset), "the flag's register has no StubRow");
                CHECK_MESSAGE(has_row(table, rule.source), "the source's register has no StubRow");
            }
        }
    }
    CHECK(stub_of("no such type") == nullptr);
}

TEST_CASE("PWR: voltage scaling and supply monitors are ready some time after they are asked for") {
    Block pwr("PWR");
    CHECK((pwr.read(0x20) & 0x00030003) == 0x00020002);  // VOSRDY, ACTVOSRDY
    pwr.write(0x20, 1);
    CHECK((pwr.read(0x20) & 0x00030003) == 0x00000001);
    CHECK((pwr.read(0x20, kLater) & 0x00030003) == 0x00030003);
    CHECK((pwr.read(0x3C, kLater) & 1u << 17) == 0);
    pwr.write(0x3C, 1u << 1, kLater);  // VDDIO3VMEN
    CHECK((pwr.read(0x3C, kLater) & 1u << 17) == 0);
    CHECK((pwr.read(0x3C, 2 * kLater) & 1u << 17) != 0);
    CHECK((pwr.read(0x3C, 2 * kLater) & 1u << 16) == 0);
    pwr.write(0x20, 1, 2 * kLater);  // no change
    CHECK((pwr.read(0x20, 2 * kLater) & 0x00030003) == 0x00030003);
}

TEST_CASE("SYSCFG: a compensation cell is ready when enabled") {
    Block syscfg("SYSCFG");
    CHECK(syscfg.read(0x58) == 0);
    syscfg.write(0x54, 0x287 | 1u << 8);  // VDDIO2CCCR
    CHECK((syscfg.read(0x58, kLater) & 1u << 8) != 0);
    CHECK(syscfg.name(0x54) == "VDDIO2CCCR");
}

TEST_CASE("DBGMCU: the device is 0x486") {
    Block dbgmcu("DBGMCU");
    CHECK((dbgmcu.read(0x0) & 0xFFF) == 0x486);
    dbgmcu.write(0x0, 0);
    CHECK((dbgmcu.read(0x0) & 0xFFF) == 0x486);
}

TEST_CASE("I2C of chips without a model of it acknowledges no device that does not exist") {
    Block i2c("I2C");
    constexpr std::uint32_t kTxe = 1, kTxis = 1u << 1, kStopf = 1u << 5, kTcr = 1u << 7,
                            kNackf = 1u << 4, kBusy = 1u << 15, kStart = 1u << 13;
    const std::uint32_t write = 0x49 << 1 | 1u << 16 | 1u << 24 | kStart;
    CHECK(i2c.read(0x18) == kTxe);
    i2c.write(0x04, write);  // PE = 0: nothing starts
    CHECK(i2c.read(0x18, kLater) == kTxe);
    i2c.write(0x00, 1);
    i2c.write(0x04, write);
    // The address is on the line.
    CHECK(i2c.read(0x18) == (kBusy | kTxe));
    CHECK((i2c.read(0x04) & kStart) != 0);
    // 9 bits of 10 us, and the start.
    CHECK(i2c.read(0x18, 90'000'000) == (kBusy | kTxe));
    CHECK(i2c.read(0x18, 120'000'000) == (kNackf | kStopf | kTxe));
    CHECK((i2c.read(0x04, kLater) & kStart) == 0);
    CHECK((i2c.read(0x18, kLater) & (kTxis | kTcr | kBusy)) == 0);
    i2c.write(0x1C, kNackf, kLater);
    CHECK(i2c.read(0x18, kLater) == (kStopf | kTxe));
    // What waits in TXDR is flushed by writing TXE.
    i2c.write(0x28, 0x64, kLater);
    CHECK(i2c.read(0x18, kLater) == kStopf);
    i2c.write(0x18, kTxe, kLater);
    CHECK(i2c.read(0x18, kLater) == (kStopf | kTxe));
    // PE = 0 clears all that is under way.
    i2c.write(0x04, write, kLater);
    i2c.write(0x00, 0, kLater);
    CHECK(i2c.read(0x18, kLater) == kTxe);
    CHECK((i2c.read(0x04, kLater) & kStart) == 0);
    CHECK(i2c.read(0x18, 2 * kLater) == kTxe);
}

TEST_CASE("HASH and RTC of chips without a model: ready bits") {
    Block hash("HASH");
    CHECK((hash.read(0x24) & 0x3) == 1);  // takes data, no digest yet
    hash.write(0x8, 1u << 8);
    CHECK((hash.read(0x24) & 0xB) == 0x9);  // BUSY
    CHECK((hash.read(0x24, kLater) & 0xB) == 3);
    hash.write(0x0, 1u << 2, kLater);
    CHECK((hash.read(0x24, kLater) & 0xB) == 1);

    Block rtc("RTC");
    CHECK((rtc.read(0xC) & 1u << 6) == 0);
    rtc.write(0xC, 1u << 7);
    CHECK((rtc.read(0xC) & 1u << 6) == 0);
    CHECK((rtc.read(0xC, kLater) & 1u << 6) != 0);
}

TEST_CASE("BSEC: fuses 15 and 16 of word 124 are set, and others can be programmed to one only") {
    Bsec bsec({});
    CHECK((bsec.read(4 * 124, 0).value & 0x18000) == 0x18000);
    CHECK(bsec.fast_pins_xspi1());
    CHECK(bsec.fast_pins_xspi2());
    CHECK((bsec.read(0xE44, 0).value & 1) == 0);  // OTPSR.BUSY
    CHECK(bsec.read(4 * 124, 0).modelled);
    CHECK(bsec.write(4 * 124, 0, kWord, 0).modelled);
    CHECK(bsec.read(0xE44, 0).modelled);

    BsecParameters blank;
    blank.otp124.value = 0;
    Bsec fresh(blank);
    CHECK_FALSE(fresh.fast_pins_xspi1());
    const auto program = [&](std::uint32_t word, std::uint32_t data) {
        (void)fresh.write(0xC08, data, kWord, 0);
        (void)fresh.write(0xC04, word | 1u << 13, kWord, 0);
    };
    program(124, 1u << 16);
    CHECK(fresh.fast_pins_xspi1());
    CHECK_FALSE(fresh.fast_pins_xspi2());
    program(124, 1u << 15);
    CHECK(fresh.fuse(124) == 0x18000);
    program(124, 0);
    CHECK(fresh.read(4 * 124, 0).value == 0x18000);
    fresh.reset();
    CHECK(fresh.read(4 * 124, 0).value == 0x18000);
}

TEST_CASE("BSEC: software sees fuse words as shadowed and valid, and may load one again") {
    constexpr std::uint32_t kShadowed = 0x940, kValid = 0x8C0, kOtpCr = 0xC04;  // SFSR, OTPVLDR
    Bsec bsec({});
    for (const std::uint32_t first : {kShadowed, kValid}) {
        for (std::uint32_t word = 0; word < 384; word += 32) {
            const std::uint32_t offset = first + word / 8;
            (void)bsec.write(offset, 0, kWord, 0);
            CHECK(bsec.read(offset, 0).value == 0xFFFFFFFF);
            CHECK(bsec.read(offset, 0).modelled);
        }
    }
    (void)bsec.write(4 * 124, 5, kWord, 0);
    CHECK(bsec.read(4 * 124, 0).value == 5);
    CHECK(bsec.fast_pins_xspi1());  // of the fuse, not of its shadow
    (void)bsec.write(kOtpCr, 124, kWord, 0);
    CHECK(bsec.read(4 * 124, 0).value == 0x18000);
}

TEST_CASE("BSEC: locks of a word last until the next reset, and are silent") {
    constexpr std::uint32_t kSpLock = 0x80C, kSwLock = 0x84C,
                            kSrLock = 0x88C;  // of words 96 to 127
    constexpr std::uint32_t kWord124 = 1u << 28, kOtpCr = 0xC04, kWdr = 0xC08, kOtpSr = 0xE44;
    Bsec bsec({});
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        CHECK(bsec.write(offset, value, kWord, 0).modelled);
    };
    const auto get = [&](std::uint32_t offset) { return bsec.read(offset, 1'000'000'000).value; };
    set(4 * 124, 6);
    for (const std::uint32_t lock : {kSpLock, kSwLock, kSrLock}) {
        set(lock, kWord124);
        set(lock, 0);
        CHECK(get(lock) == kWord124);
    }
    set(4 * 124, 7);
    CHECK(get(4 * 124) == 6);
    set(kOtpCr, 124);  // load
    CHECK(get(4 * 124) == 6);
    set(kWdr, 1);
    set(kOtpCr, 124 | 1u << 13);  // program
    CHECK(bsec.fuse(124) == 0x18000);
    CHECK((get(kOtpSr) & 1u << 16) == 0);
    set(4 * 125, 9);  // another word
    CHECK(get(4 * 125) == 9);
    set(4 * 9, 9);  // below the words whose shadows can be written
    CHECK(get(4 * 9) == 0);
    bsec.reset();
    CHECK(get(kSwLock) == 0);
    CHECK(get(4 * 124) == 0x18000);
    set(4 * 124, 6);
    CHECK(get(4 * 124) == 6);
}

TEST_CASE(
    "BSEC: a word that is locked for ever says so when it is loaded, and takes no more bits") {
    constexpr std::uint32_t kOtpCr = 0xC04, kWdr = 0xC08, kOtpSr = 0xE44;
    Bsec bsec({});
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        (void)bsec.write(offset, value, kWord, 0);
    };
    const auto state = [&] { return bsec.read(kOtpSr, 1'000'000'000).value; };
    set(kWdr, 0xF0);
    set(kOtpCr, 200 | 1u << 13 | 1u << 14);
    CHECK(bsec.fuse(200) == 0xF0);
    CHECK((state() & 1u << 20) != 0);
    set(kOtpCr, 201);
    CHECK((state() & 1u << 20) == 0);
    bsec.reset();
    set(kWdr, 0x0F);
    set(kOtpCr, 200 | 1u << 13);
    CHECK(bsec.fuse(200) == 0xF0);
    CHECK((state() & 1u << 16) != 0);
    set(kOtpCr, 200);
    CHECK((state() & 1u << 16) == 0);
    CHECK((state() & 1u << 20) != 0);
}

TEST_CASE(
    "BSEC: scratch registers outlive warm resets, which are counted, others are written once") {
    constexpr std::uint32_t kScratch = 0xE00, kOnce = 0xF40, kWarm = 0xFEC, kHot = 0xFE8;
    Bsec bsec({});
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        CHECK(bsec.write(offset, value, kWord, 0).modelled);
    };
    const auto get = [&](std::uint32_t offset) { return bsec.read(offset, 0).value; };
    bsec.note_start();
    CHECK(get(kWarm) == 0);
    set(kScratch + 12, 5);
    set(kOnce, 3);
    set(kOnce, 4);
    CHECK(get(kOnce) == 3);
    bsec.reset();
    bsec.note_start();
    CHECK(get(kWarm) == 1);
    CHECK(get(kHot) == 0);
    CHECK(get(kScratch + 12) == 5);
    CHECK(get(kOnce) == 0);
    set(0xE10, 1);  // GWLOCK
    set(kScratch + 12, 6);
    CHECK(get(kScratch + 12) == 5);
    bsec.restore_fuses();
    bsec.note_start();
    CHECK(get(kWarm) == 0);
    CHECK(get(kScratch + 12) == 0);
}

TEST_CASE("ETH: the transceiver answers on MDIO at its address only, without link") {
    EthernetStub ethernet(*stub_of("ETH"), "ETH1");
    Picoseconds now = 0;
    const auto frame = [&](std::uint32_t address, std::uint32_t number, std::uint32_t operation) {
        (void)ethernet.write(0x200, address << 21 | number << 16 | operation << 2 | 1, kWord, now);
        CHECK((ethernet.read(0x200, now).value & 1) == 1);
        now += 27'000'000;
        CHECK((ethernet.read(0x200, now).value & 1) == 0);
        return ethernet.read(0x204, now).value;
    };
    CHECK(frame(0, 2, 3) == 0xFFFF);
    CHECK(frame(2, 2, 3) == 0xFFFF);
    CHECK(frame(1, 2, 3) == 0x001C);
    CHECK((frame(1, 3, 3) & 0xFC00) == 0xC800);
    (void)ethernet.write(0x204, 0x8000, kWord, now);
    frame(1, 0, 1);
    CHECK((frame(1, 0, 3) & 0x8000) == 0);
    CHECK((frame(1, 1, 3) & 0x0024) == 0);  // no negotiation completed, no link
    (void)ethernet.write(0x204, 0x1234, kWord, now);
    frame(1, 4, 1);
    CHECK(frame(1, 4, 3) == 0x1234);
    ethernet.reset();
    CHECK(frame(1, 4, 3) == 0x01E1);  // 10 and 100 Mbit/s, half and full duplex
    CHECK(frame(1, 9, 3) == 0x0200);  // 1 Gbit/s, full duplex only
    CHECK(frame(1, 15, 3) == 0x2000);
    CHECK_FALSE(ethernet.read(0x200, now).modelled);
}

TEST_CASE("PWR: CPUCR shows a Stop mode until CSSF, and software cannot write its flag") {
    constexpr std::uint32_t kCpucr = 0x30;
    Pwr pwr;
    const auto write = [&](std::uint32_t value) { return pwr.write(kCpucr, value, kWord, 0); };
    const auto read = [&] { return pwr.read(kCpucr, 0).value; };
    CHECK(read() == 0);
    CHECK(pwr.deep_sleep_is_stop());
    CHECK(write(1u << 16 | 3u << 8).modelled);  // SVOS, STOPF, SBF
    CHECK(read() == 1u << 16);
    pwr.note_stop();
    CHECK(read() == (1u << 16 | 1u << 8));
    CHECK(write(1u << 16).modelled);
    CHECK(read() == (1u << 16 | 1u << 8));
    CHECK(write(1u << 16 | 1u << 1).modelled);
    CHECK(read() == 1u << 16);
    CHECK(write(1).modelled);  // PDDS: Standby
    CHECK_FALSE(pwr.deep_sleep_is_stop());
    CHECK(write(0).modelled);
    CHECK(pwr.deep_sleep_is_stop());
}

TEST_CASE("PWR: a wake-up pin sets its flag at its edge, until WKUPC") {
    constexpr std::uint32_t kWkupcr = 0x50, kWkupsr = 0x54, kWkupepr = 0x58;
    Pwr pwr;
    unsigned risen = 0;
    pwr.on_wake_up = [&] { ++risen; };
    const auto flags = [&] { return pwr.read(kWkupsr, 0).value; };
    pwr.set_pin(1, true);
    CHECK(flags() == 0);
    CHECK(pwr.write(kWkupepr, 0x4 | 0x8 | 1u << 11 | 1u << 22, kWord, 0).modelled);
    CHECK(flags() == 0);  // WKUP3 floats; WKUP4, which waits for low, is pulled up
    CHECK(pwr.enabled_pins() == 0xC);
    CHECK(pwr.falling_pins() == 0x8);
    pwr.set_pin(2, true);
    CHECK(flags() == 0x4);
    pwr.set_pin(3, false);
    CHECK(flags() == 0xC);
    CHECK(risen == 2);
    (void)pwr.write(kWkupcr, 0x4, kWord, 0);
    CHECK(flags() == 0x8);
    pwr.set_pin(2, false);
    CHECK(flags() == 0x8);
    pwr.set_pin(2, true);
    CHECK(flags() == 0xC);
}

TEST_CASE("PWR: registers of wake-up and retention outlive Standby mode, and no other reset") {
    constexpr std::uint32_t kCr4 = 0x0C, kBdcr2 = 0x28, kCpucr = 0x30, kWkupepr = 0x58;
    Pwr pwr;
    const auto set_all = [&] {
        for (const auto& [offset, value] : {std::pair{kCr4, 0x11u}, std::pair{kBdcr2, 1u},
                                            std::pair{kCpucr, 1u}, std::pair{kWkupepr, 4u}})
            (void)pwr.write(offset, value, kWord, 0);
    };
    set_all();
    pwr.enter_standby();
    pwr.reset();
    CHECK(pwr.read(kCr4, 0).value == 0x11);
    CHECK(pwr.read(kWkupepr, 0).value == 4);
    CHECK(pwr.read(kBdcr2, 0).value == 1);
    CHECK(pwr.read(kCpucr, 0).value == 1u << 9);
    set_all();
    pwr.reset();
    CHECK(pwr.read(kCr4, 0).value == 0);
    CHECK(pwr.read(kWkupepr, 0).value == 0);
    CHECK(pwr.read(kBdcr2, 0).value == 1);
    CHECK(pwr.read(kCpucr, 0).value == 1u << 9);
    pwr.power_on();
    CHECK(pwr.read(kBdcr2, 0).value == 0);
    CHECK(pwr.read(kCpucr, 0).value == 0);
}

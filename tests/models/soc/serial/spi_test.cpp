// SPDX-License-Identifier: Apache-2.0
// SPI as its drivers use it: flags, packets, times, requests, devices.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/soc/serial/spi.h"
#include "models/soc/serial/spi_register_device.h"

using namespace n6vp::models;

namespace {

// Offsets and bits of the public device header, typed a second time.
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kCfg1 = 0x08, kCfg2 = 0x0C, kIer = 0x10,
                        kSr = 0x14, kIfcr = 0x18, kTxdr = 0x20, kRxdr = 0x30, kCrcpoly = 0x40,
                        kTxcrc = 0x44, kRxcrc = 0x48, kI2scfgr = 0x50;
constexpr std::uint32_t kSpe = 1, kMasrx = 1u << 8, kCstart = 1u << 9, kCsusp = 1u << 10,
                        kHddir = 1u << 11, kSsi = 1u << 12;
constexpr std::uint32_t kRxp = 1, kTxp = 2, kDxp = 4, kEot = 8, kTxtf = 16, kOvr = 64, kCrce = 128,
                        kModf = 512, kSusp = 1u << 11, kTxc = 1u << 12, kRxwne = 1u << 15;
constexpr std::uint32_t kMaster = 1u << 22, kLsbFirst = 1u << 23, kSsm = 1u << 26, kSsoe = 1u << 29,
                        kSimplexTx = 1u << 17, kSimplexRx = 2u << 17, kHalfDuplex = 3u << 17;
constexpr std::uint32_t kWord = 0xFFFFFFFF, kByte = 0xFF, kHalf = 0xFFFF;

/// Answers with a counter, keeps what it hears.
struct Counter : SpiDevice {
    std::vector<std::pair<std::uint32_t, unsigned>> heard;
    std::vector<bool> selects;
    std::uint32_t next = 0xA1;
    void select(bool active) override { selects.push_back(active); }
    std::uint32_t exchange(std::uint32_t frame, unsigned bits) override {
        heard.emplace_back(frame, bits);
        return next++;
    }
};

/// 100 MHz divided by 4: a bit takes 40 ns, and so does the start.
struct Bench {
    Spi spi;
    Picoseconds now = 0;
    std::vector<std::pair<bool, Picoseconds>> levels, transmit, receive;

    explicit Bench(unsigned fifo = 16, const SpiParameters& parameters = {})
        : spi("spi1", "SPI1", fifo, parameters) {
        spi.on_interrupt = [this](bool level) { levels.emplace_back(level, now); };
        spi.on_transmit_request = [this](bool level, Picoseconds at) {
            transmit.emplace_back(level, at);
        };
        spi.on_receive_request = [this](bool level, Picoseconds at) {
            receive.emplace_back(level, at);
        };
        spi.set_kernel_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = kWord) {
        CHECK(spi.write(offset, value, mask, now).modelled);
    }
    std::uint32_t get(std::uint32_t offset, std::uint32_t mask = kWord) {
        return spi.read_bytes(offset, mask, now).value;
    }
    bool sr(std::uint32_t bits) { return (get(kSr) & bits) == bits; }
    void pass_ns(Picoseconds ns) { now += ns * 1000; }
    /// Frames of `bits`, packets of `packet` frames.
    void setup(unsigned bits, unsigned packet, std::uint32_t cfg2, std::uint32_t cfg1 = 0) {
        set(kCr1, kSsi);
        set(kCfg1, (bits - 1) | (packet - 1) << 5 | 1u << 28 | cfg1);
        set(kCfg2, kMaster | kSsm | cfg2);
    }
    void start(std::uint32_t size, std::uint32_t more = 0) {
        set(kCr2, size);
        set(kCr1, kSsi | kSpe | more);
        set(kCr1, kSsi | kSpe | kCstart | more);
    }
    template <class Device, class... Arguments>
    Device& attach(Arguments&&... arguments) {
        auto device = std::make_unique<Device>(std::forward<Arguments>(arguments)...);
        Device& result = *device;
        spi.attach(std::move(device), Spi::ChipSelect::OfController);
        return result;
    }
};

}  // namespace

TEST_CASE("spi: reset state is that of the register description") {
    Bench bench;
    CHECK(bench.get(kSr) == 0x1002);
    CHECK(bench.get(kCfg1) == 0x70007);
    CHECK(bench.get(kCrcpoly) == 0x107);
    for (const std::uint32_t offset : {kCr1, kCr2, kCfg2, kIer, kTxcrc, kRxcrc, kI2scfgr})
        CHECK(bench.get(offset) == 0);
    CHECK_FALSE(bench.spi.read(0x54, 0).modelled);
    CHECK_FALSE(bench.spi.read(0x1C, 0).modelled);
}

TEST_CASE("timing: spi clocks three bytes both ways, and ends with EOT") {
    Bench bench;
    bench.attach<SpiLoopback>();
    bench.setup(8, 1, 0);
    bench.set(kIer, kEot);
    bench.start(3);
    CHECK(bench.sr(3u << 16 | kTxp));
    CHECK_FALSE(bench.sr(kTxc));
    for (const std::uint32_t byte : {0x11u, 0x22u, 0x33u}) bench.set(kTxdr, byte, kByte);
    CHECK(bench.sr(kTxtf));
    CHECK_FALSE(bench.sr(kTxp));  // all of TSIZE is written
    bench.pass_ns(40 + 320 - 1);
    CHECK_FALSE(bench.sr(kRxp));
    bench.pass_ns(1);
    CHECK(bench.sr(kRxp | 2u << 16));
    CHECK(bench.get(kRxdr, kByte) == 0x11);
    CHECK_FALSE(bench.sr(kRxp));
    bench.pass_ns(640 - 1);
    CHECK_FALSE(bench.sr(kEot));
    CHECK((bench.get(kCr1) & kCstart) != 0);
    CHECK(bench.levels.empty());
    bench.pass_ns(1);
    CHECK(bench.sr(kEot | kTxtf | kTxc | kRxp));
    CHECK((bench.get(kSr) >> 16) == 0);
    CHECK((bench.get(kCr1) & kCstart) == 0);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, Picoseconds{1'000'000}));
    CHECK(bench.get(kRxdr, kByte) == 0x22);
    CHECK(bench.get(kRxdr, kByte) == 0x33);
    bench.set(kIfcr, kEot | kTxtf);
    CHECK_FALSE(bench.sr(kEot));
    CHECK_FALSE(bench.levels.back().first);
    CHECK(bench.spi.statistics().frames == 3);
    CHECK(bench.spi.statistics().transfers == 1);
    // The next one starts with the same TSIZE.
    bench.set(kCr1, kSsi | kSpe | kCstart);
    CHECK((bench.get(kSr) >> 16) == 3);
}

TEST_CASE("timing: spi waits for data, and by MSSI and MIDI") {
    Bench bench;
    Counter& device = bench.attach<Counter>();
    bench.setup(8, 1, 3 | 5u << 4);  // MSSI 3, MIDI 5
    bench.start(2);
    bench.pass_ns(5000);
    CHECK(device.heard.empty());
    bench.set(kTxdr, 1, kByte);
    bench.pass_ns(320);
    CHECK(bench.sr(kRxp));
    bench.set(kTxdr, 2, kByte);
    bench.pass_ns(200 + 320 - 1);
    CHECK_FALSE(bench.sr(kEot));
    bench.pass_ns(1);
    CHECK(bench.sr(kEot));
    bench.set(kCr1, kSsi);
    bench.set(kIfcr, kEot | kTxtf);
    bench.set(kCr2, 1);
    bench.set(kCr1, kSsi | kSpe);
    bench.set(kTxdr, 3, kByte);  // before the start
    bench.pass_ns(1000);
    bench.set(kCr1, kSsi | kSpe | kCstart);
    bench.pass_ns((1 + 3) * 40 + 320 - 1);
    CHECK_FALSE(bench.sr(kEot));
    bench.pass_ns(1);
    CHECK(bench.sr(kEot));
}

TEST_CASE("spi: frames of 4 to 32 bits in both orders of bits") {
    Bench bench;
    Counter& device = bench.attach<Counter>();
    for (unsigned bits = 4; bits <= 32; ++bits) {
        CAPTURE(bits);
        for (const bool low_first : {false, true}) {
            const std::uint32_t limit = bits == 32 ? kWord : (1u << bits) - 1;
            bench.setup(bits, 1, low_first ? kLsbFirst : 0);
            bench.start(1);
            bench.set(kTxdr, 0xFFFFFFF1, bits <= 8 ? kByte : bits <= 16 ? kHalf : kWord);
            device.next = 3;  // bits 11 at the end of the line
            bench.pass_ns(40 + bits * 40 - 1);
            CHECK_FALSE(bench.sr(kRxp));
            bench.pass_ns(1);
            REQUIRE(bench.sr(kRxp | kEot));
            const std::uint32_t line = low_first ? (limit & ~(7u << (bits - 4))) : limit & ~0xEu;
            CHECK(device.heard.back() == std::pair(line, bits));
            CHECK(bench.get(kRxdr) == (low_first ? 3u << (bits - 2) : 3u));
            bench.set(kCr1, kSsi);
            bench.set(kIfcr, kEot | kTxtf);
        }
    }
}

TEST_CASE("spi: data registers pack frames, and SR counts those of less than a word") {
    Bench bench;
    bench.attach<SpiLoopback>();
    bench.setup(8, 4, 0);
    bench.start(7);
    bench.set(kTxdr, 0x44332211);
    bench.set(kTxdr, 0x6655, kHalf);
    bench.set(kTxdr, 0x77, kByte);
    bench.pass_ns(40 + 3 * 320);
    CHECK_FALSE(bench.sr(kRxp));
    CHECK((bench.get(kSr) >> 13 & 3) == 3);
    CHECK_FALSE(bench.sr(kRxwne));
    bench.pass_ns(320);
    CHECK(bench.sr(kRxp | kRxwne));
    CHECK((bench.get(kSr) >> 13 & 3) == 0);
    CHECK(bench.get(kRxdr) == 0x44332211);
    bench.pass_ns(3ull * 320);
    CHECK(bench.sr(kEot));
    CHECK_FALSE(bench.sr(kRxp));
    CHECK((bench.get(kSr) >> 13 & 3) == 3);
    CHECK(bench.get(kRxdr, kHalf) == 0x6655);
    CHECK(bench.get(kRxdr, kByte) == 0x77);
    CHECK(bench.get(kRxdr) == 0);  // empty
    // Two frames of 16 bits in a word.
    bench.set(kCr1, kSsi);
    bench.setup(16, 1, 0);
    bench.start(2);
    bench.set(kTxdr, 0xBBBBAAAA);
    bench.pass_ns(40 + 2 * 640);
    CHECK(bench.get(kRxdr, kHalf) == 0xAAAA);
    CHECK(bench.get(kRxdr, kHalf) == 0xBBBB);
}

TEST_CASE("spi: DMA requests and DXP follow packets, the rest of a transfer is requested, too") {
    Bench bench(8);
    bench.attach<SpiLoopback>();
    bench.setup(8, 4, 0, 3u << 14);
    CHECK(bench.transmit.empty());  // not before SPE
    bench.set(kIer, kDxp);
    bench.start(6);
    REQUIRE(bench.transmit.size() == 1);
    CHECK(bench.transmit[0].first);
    for (unsigned i = 0; i < 5; ++i) bench.set(kTxdr, i, kByte);
    // One frame is clocked, four wait in eight places: room for one more packet.
    CHECK(bench.sr(kTxp));
    bench.pass_ns(40 + 4 * 320);
    CHECK(bench.sr(kDxp | kRxp | kTxp));
    CHECK(bench.levels.back().first);
    CHECK(bench.receive.back() == std::pair(true, bench.now));
    bench.set(kTxdr, 5, kByte);
    CHECK(bench.transmit.back() == std::pair(false, bench.now));  // all of TSIZE
    CHECK_FALSE(bench.levels.back().first);
    for (unsigned i = 0; i < 4; ++i) CHECK(bench.get(kRxdr, kByte) == i);
    CHECK_FALSE(bench.receive.back().first);
    bench.pass_ns(2ull * 320);
    CHECK(bench.sr(kEot));
    CHECK(bench.receive.back() == std::pair(true, bench.now));
    CHECK(bench.get(kRxdr, kByte) == 4);
    CHECK(bench.receive.back().first);
    CHECK(bench.get(kRxdr, kByte) == 5);
    CHECK_FALSE(bench.receive.back().first);
}

TEST_CASE("spi: a full receive FIFO loses frames, or holds the clock with MASRX") {
    Bench bench(8);
    bench.attach<Counter>();
    for (const std::uint32_t masrx : {0u, kMasrx}) {
        CAPTURE(masrx);
        bench.setup(8, 1, kSimplexRx);
        bench.start(10, masrx);
        bench.pass_ns(40 + 10 * 320);
        CHECK(bench.sr(kOvr) == (masrx == 0));
        CHECK(bench.sr(kEot) == (masrx == 0));
        CHECK(bench.spi.statistics().overruns == 2);
        for (unsigned i = 0; i < 8; ++i) CHECK(bench.get(kRxdr, kByte) != 0);
        bench.pass_ns(2ull * 320);
        CHECK(bench.sr(kEot));
        CHECK(bench.sr(kRxp) == (masrx != 0));
        bench.set(kIfcr, kOvr | kEot);
        CHECK_FALSE(bench.sr(kOvr));
        bench.set(kCr1, kSsi);
    }
}

TEST_CASE("spi: simplex and half duplex send or receive alone") {
    Bench bench;
    Counter& device = bench.attach<Counter>();
    bench.setup(8, 1, kSimplexTx);
    bench.start(2);
    bench.set(kTxdr, 0x0201, kHalf);
    bench.pass_ns(40 + 640);
    CHECK(bench.sr(kEot));
    CHECK_FALSE(bench.sr(kRxp));
    CHECK(device.heard == std::vector<std::pair<std::uint32_t, unsigned>>{{1, 8}, {2, 8}});
    bench.set(kCr1, kSsi);
    bench.set(kIfcr, kEot | kTxtf);
    bench.setup(8, 1, kHalfDuplex);
    device.heard.clear();
    bench.start(1, kHddir);
    bench.set(kTxdr, 7, kByte);
    bench.pass_ns(40 + 320);
    CHECK(bench.sr(kEot));
    CHECK_FALSE(bench.sr(kRxp));
    CHECK(device.heard.back().first == 7);
    bench.set(kCr1, kSsi);
    bench.set(kIfcr, kEot | kTxtf);
    device.next = 0x5A;
    bench.start(1);
    CHECK_FALSE(bench.sr(kTxp));
    bench.pass_ns(40 + 320);
    CHECK(bench.sr(kEot | kRxp));
    CHECK(device.heard.back().first == 0);
    CHECK(bench.get(kRxdr, kByte) == 0x5A);
}

TEST_CASE("spi: CSUSP ends an endless transfer after the current frame, SPE = 0 ends it at once") {
    Bench bench;
    bench.attach<Counter>();
    bench.setup(8, 1, kSimplexRx);
    bench.set(kIer, kEot);
    bench.start(0);
    bench.pass_ns(40 + 320 + 10);
    CHECK_FALSE(bench.sr(kTxc));
    bench.set(kCr1, kSsi | kSpe | kCstart | kCsusp);
    CHECK_FALSE(bench.sr(kSusp));
    bench.pass_ns(309);
    CHECK_FALSE(bench.sr(kSusp));
    bench.pass_ns(1);
    CHECK(bench.sr(kSusp | kTxc));
    CHECK_FALSE(bench.sr(kEot));
    CHECK(bench.levels.back().first);  // by EOTIE
    CHECK((bench.get(kCr1) & kCstart) == 0);
    CHECK(bench.spi.statistics().frames == 2);
    bench.set(kIfcr, kSusp);
    CHECK_FALSE(bench.levels.back().first);
    bench.set(kCr1, kSsi | kSpe | kCstart);
    bench.pass_ns(100);
    bench.set(kCr1, kSsi);
    CHECK(bench.get(kSr) == 0x1002);
    bench.pass_ns(5000);
    CHECK(bench.spi.statistics().frames == 2);
    bench.set(kCr1, kSsi | kCstart);  // without SPE
    CHECK(bench.get(kCr1) == kSsi);
}

TEST_CASE("spi: settings keep their values while SPE is set") {
    Bench bench;
    bench.setup(8, 1, 0);
    bench.set(kCr1, kSsi | kSpe);
    bench.set(kCfg1, 3u << 14 | 31);
    bench.set(kCfg2, 0);
    CHECK(bench.get(kCfg1) == (7 | 1u << 28 | 3u << 14));
    CHECK(bench.get(kCfg2) == (kMaster | kSsm));
    bench.set(kCr1, kSsi);
    bench.set(kCfg2, kMaster);
    CHECK(bench.get(kCfg2) == kMaster);
}

TEST_CASE("spi: SSI = 0 with SSM is a mode fault, which keeps SPE off") {
    Bench bench;
    bench.set(kIer, kModf);
    bench.set(kCfg2, kMaster | kSsm);
    (void)bench.spi.write(kCr1, kSpe, kWord, 0);
    CHECK(bench.sr(kModf));
    CHECK(bench.levels.back().first);
    CHECK(bench.get(kCr1) == 0);
    CHECK((bench.get(kCfg2) & kMaster) == 0);
    bench.set(kCfg2, kMaster | kSsm);
    bench.set(kCr1, kSsi | kSpe);
    CHECK(bench.get(kCr1) == kSsi);
    bench.set(kIfcr, kModf);
    bench.set(kCr1, kSsi | kSpe);
    CHECK(bench.get(kCr1) == (kSsi | kSpe));
}

TEST_CASE(
    "spi: checksums are the published ones of \"123456789\", and differ from a wrong answer") {
    Bench bench;
    bench.attach<SpiLoopback>();
    struct Case {
        std::uint32_t polynomial, bits, value;
        bool ones;
    };
    // CRC-8/SMBUS, CRC-16/XMODEM, CRC-16/IBM-3740.
    for (const Case& each : {Case{0x107, 8, 0xF4, false}, Case{0x11021, 16, 0x31C3, false},
                             Case{0x11021, 16, 0x29B1, true}}) {
        CAPTURE(each.value);
        bench.setup(8, 1, 0, 1u << 22 | (each.bits - 1) << 16);
        bench.set(kCrcpoly, each.polynomial);
        bench.start(9, each.ones ? 3u << 14 : 0);
        for (const char byte : {'1', '2', '3', '4', '5', '6', '7', '8', '9'})
            bench.set(kTxdr, static_cast<std::uint32_t>(byte), kByte);
        bench.pass_ns(40 + 9 * 320);
        CHECK(bench.get(kTxcrc) == each.value);
        CHECK(bench.get(kRxcrc) == each.value);
        CHECK_FALSE(bench.sr(kEot));
        bench.pass_ns(std::uint64_t{each.bits} * 40);
        CHECK(bench.sr(kEot));
        CHECK_FALSE(bench.sr(kCrce));
        bench.set(kCr1, kSsi);
        bench.set(kIfcr, kEot | kTxtf);
    }
}

TEST_CASE("spi: a checksum that does not come back sets CRCE") {
    Bench bench;
    bench.attach<Counter>();
    bench.setup(8, 1, 0, 1u << 22 | 7u << 16);
    bench.start(1);
    bench.set(kTxdr, 1, kByte);
    bench.pass_ns(40 + 640);
    CHECK(bench.sr(kEot | kCrce));
    bench.set(kIfcr, kCrce);
    CHECK_FALSE(bench.sr(kCrce));
}

TEST_CASE("spi: a device of registers on the chip select of the controller") {
    Bench bench;
    SpiRegisterDevice& device =
        bench.attach<SpiRegisterDevice>(SpiRegisterDevice::Layout{1, 2, true});
    device.set(0x0F, 0xBEEF);
    device.set(0x10, 0x1234);
    const auto transfer = [&](std::initializer_list<unsigned> bytes) {
        bench.setup(8, 1, kSsoe);
        bench.start(static_cast<std::uint32_t>(bytes.size()));
        std::vector<std::uint32_t> answers;
        for (const unsigned byte : bytes) {
            bench.set(kTxdr, byte, kByte);
            bench.pass_ns(400);
            answers.push_back(bench.get(kRxdr, kByte));
        }
        CHECK(bench.sr(kEot));
        bench.set(kIfcr, kEot | kTxtf);
        bench.set(kCr1, kSsi);
        return answers;
    };
    CHECK(transfer({0x8F, 0, 0, 0, 0}) == std::vector<std::uint32_t>{0, 0xBE, 0xEF, 0x12, 0x34});
    CHECK(transfer({0x10, 0xCA, 0xFE, 0x01, 0x02}) == std::vector<std::uint32_t>{0, 0, 0, 0, 0});
    CHECK(device.get(0x10) == 0xCAFE);
    CHECK(device.get(0x11) == 0x0102);
    CHECK(device.last() == 0x7F);
    CHECK(transfer({0xFF, 0, 0, 0}) == std::vector<std::uint32_t>{0, 0, 0, 0});
    CHECK_THROWS_AS(SpiRegisterDevice(SpiRegisterDevice::Layout{1, 3, true}), std::logic_error);
}

TEST_CASE("spi: devices hear only while their chip select is active") {
    Bench bench;
    auto first = std::make_unique<Counter>(), second = std::make_unique<Counter>();
    Counter &one = *first, &two = *second;
    const std::size_t a = bench.spi.attach(std::move(first), Spi::ChipSelect::OfPin);
    const std::size_t b = bench.spi.attach(std::move(second), Spi::ChipSelect::OfPin);
    two.next = 0xB1;
    bench.setup(8, 1, 0);
    bench.start(3);
    bench.set(kTxdr, 0x030201);
    bench.spi.select(a, true, bench.now);
    bench.pass_ns(40 + 320 + 1);
    bench.spi.select(a, false, bench.now);
    bench.spi.select(b, true, bench.now);
    bench.pass_ns(320);
    bench.spi.select(b, false, bench.now);
    bench.pass_ns(320);
    CHECK(bench.get(kRxdr, kByte) == 0xA1);
    CHECK(bench.get(kRxdr, kByte) == 0xB1);
    CHECK(bench.get(kRxdr, kByte) == 0);  // nobody
    CHECK(one.heard.size() == 1);
    CHECK(two.heard.size() == 1);
    CHECK(one.selects == std::vector<bool>{true, false});
}

TEST_CASE("spi: without a device MISO has the level of the parameter") {
    SpiParameters parameters;
    parameters.idle_miso.value = 1;
    Bench bench(16, parameters);
    bench.setup(12, 1, 0);
    bench.start(1);
    bench.set(kTxdr, 5, kHalf);
    bench.pass_ns(1000);
    CHECK(bench.get(kRxdr, kHalf) == 0xFFF);
}

TEST_CASE("spi: what is not modelled says so") {
    Bench bench;
    const auto modelled = [&](std::uint32_t offset, std::uint32_t value) {
        return bench.spi.write(offset, value, kWord, 0).modelled;
    };
    CHECK_FALSE(modelled(kCr1, kSpe));  // a slave
    CHECK(modelled(kCr1, 0));
    CHECK_FALSE(modelled(kCfg2, kMaster | 1u << 19));  // TI frames
    CHECK_FALSE(modelled(kCfg2, kMaster | 1u << 13));  // RDY
    CHECK_FALSE(modelled(kI2scfgr, 1));
    bench.spi.on_receive_request = nullptr;
    CHECK_FALSE(modelled(kCfg1, 1u << 14));
    CHECK(modelled(kCfg1, 1u << 15));
}

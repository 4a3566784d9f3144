// SPDX-License-Identifier: Apache-2.0
// CRC, RNG, HASH, RTC, TAMP and watchdogs in the chip: places, interrupts, resets.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/stm32n6.h"
#include "tests/models/probe.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kCrc = 0x56024C00, kRng = 0x54020000;
constexpr std::uint32_t kHash = 0x54020400, kRtc = 0x56004000, kTamp = 0x56004400;
constexpr std::uint32_t kIwdg = 0x56004800, kWwdg = 0x50002C00, kIcache = 0x58035000;

/// The chip after the set-up of the validation firmware, and software in place of the core.
struct Board : sc_core::sc_module {
    models::Stm32n6 chip;
    test::Probe master;

    explicit Board(const sc_core::sc_module_name& name)
        : sc_module(name), chip("chip"), master("master") {
        master.port.bind(chip.host);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        for (const std::uint32_t bus : {0x258u, 0x25Cu, 0x264u, 0x274u, 0x278u})
            set(kRcc + 0x800 + bus, 0xFFFFFFFF);
    }
    void set(std::uint32_t address, std::uint32_t value, std::uint32_t bytes = 4) {
        master.data.resize(bytes);
        std::memcpy(master.data.data(), &value, bytes);
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.write(address, bytes, now).ok());
        pass_us(1);
    }
    std::uint32_t get(std::uint32_t address) {
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.read(address, 4, now).ok());
        std::uint32_t value = 0;
        std::memcpy(&value, master.data.data(), sizeof value);
        return value;
    }
    static void pass_us(double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }
    bool pending(unsigned line) {
        models::core::Core& core = chip.core().core();
        std::uint32_t word = 0;
        REQUIRE(core.system().read_ppb(core.state(), 0xE000E200 + line / 32 * 4, 4, core.cycles(),
                                       word));
        return (word >> line % 32 & 1) != 0;
    }
};

}  // namespace

TEST_CASE("small chip: the CRC of 123456789, by bytes") {
    Board board("board");
    board.set(kCrc + 0x04, 0x12345678);
    CHECK(board.get(kCrc + 0x04) == 0x12345678);
    for (const char digit : {'1', '2', '3', '4', '5', '6', '7', '8', '9'})
        board.set(kCrc, static_cast<std::uint8_t>(digit), 1);
    CHECK(board.get(kCrc) == 0x0376E6E7);  // CRC-32/MPEG-2
    board.set(kCrc + 0x08, 1);
    CHECK(board.get(kCrc) == 0xFFFFFFFF);
}

TEST_CASE("small chip: random words by polling and by interrupt 40, from a fixed seed") {
    Board board("board");
    CHECK(board.get(kRng) == 0x800D00);
    CHECK(board.get(kRng + 0x0C) == 0x3FFFF);
    CHECK(board.get(kRng + 0x10) == 0x72AC);
    board.set(kRng, 0x40800D00);
    board.set(kRng, 0x00800D04);
    board.pass_us(30);
    CHECK((board.get(kRng + 0x04) & 1) == 1);
    // SplitMix64 from seed 1234567, upper half.
    CHECK(board.get(kRng + 0x08) == 6'457'827'717'110'365'317u >> 32);
    CHECK((board.get(kRng + 0x04) & 1) == 0);
    board.set(kRng, 0x00800D0C);
    CHECK_FALSE(board.pending(40));
    board.pass_us(30);
    CHECK(board.pending(40));
    CHECK(board.get(kRng + 0x08) == 3'203'168'211'198'807'973u >> 32);
}

TEST_CASE("small chip: an alarm on line 16, and a calendar that outlives a reset") {
    Board board("board");
    board.set(kRtc + 0x24, 0xCA);
    board.set(kRtc + 0x24, 0x53);
    board.set(kRtc + 0x0C, 1u << 7);
    board.pass_us(70);
    board.set(kRtc + 0x00, 0x123456);
    board.set(kRtc + 0x0C, 0);
    board.set(kRtc + 0x40, 1u << 31 | 1u << 23 | 1u << 15 | 0x58);
    board.set(kRtc + 0x18, 1u << 8 | 1u << 12);
    board.set(kTamp + 0x100 + 4 * 31, 0xCAFE);
    board.pass_us(1.9e6);
    CHECK_FALSE(board.pending(16));
    board.pass_us(0.2e6);
    CHECK(board.pending(16));
    board.chip.reset(models::core::Reset::Warm);
    board.pass_us(1e6);
    board.set(kRcc + 0x800 + 0x274, 0xFFFFFFFF);
    CHECK(board.get(kRtc) == 0x123459);
    CHECK(board.get(kTamp + 0x17C) == 0xCAFE);
    board.chip.reset(models::core::Reset::PowerOn);
    board.set(kRcc + 0x800 + 0x274, 0xFFFFFFFF);
    CHECK(board.get(kRtc) == 0);
    CHECK(board.get(kTamp + 0x17C) == 0);
}

TEST_CASE("small chip: the RTC on LSI counts 32000 clocks a second, after a reset, too") {
    Board board("board");
    board.set(kRcc + 0x800, 1);                   // LSION
    board.set(kRcc + 0x15C, 2u << 8);             // RTCSEL
    board.set(kRcc + 0x800 + 0x274, 0xFFFFFFFF);  // RTCAPBEN
    board.set(kRtc + 0x24, 0xCA);
    board.set(kRtc + 0x24, 0x53);
    board.set(kRtc + 0x0C, 1u << 7);
    board.pass_us(70);
    board.set(kRtc + 0x10, 0x7F00F9);
    board.set(kRtc + 0x00, 0);
    board.set(kRtc + 0x0C, 0);
    board.pass_us(50e6 - 100);
    CHECK(board.get(kRtc) == 0x49);  // 51 with a clock of 32768 Hz
    board.pass_us(200);
    CHECK(board.get(kRtc) == 0x50);
    board.chip.reset(models::core::Reset::Warm);
    board.set(kRcc + 0x800 + 0x274, 0xFFFFFFFF);
    board.pass_us(50e6);
    CHECK(board.get(kRtc) == 0x140);
}

TEST_CASE("small chip: PC13 stamps the time on line 16, in its reset mode, too") {
    Board board("board");
    models::Gpio& port = *board.chip.soc().io.gpio("GPIOC");
    const auto drive = [&port](unsigned pin, bool level) {
        port.drive(pin, level, sc_core::sc_time_stamp().value());
    };
    board.set(kRtc + 0x18, 1u << 11 | 1u << 15);
    drive(12, true);
    CHECK(board.get(kRtc + 0x50) == 0);
    board.pass_us(3e6);
    drive(13, true);
    CHECK(board.get(kRtc + 0x50) == 1u << 3);
    CHECK(board.get(kRtc + 0x30) == 3);
    CHECK(board.pending(16));
    drive(12, false);
    CHECK(board.get(kRtc + 0x50) == 1u << 3);
}

TEST_CASE("small chip: the backup registers can be blocked and erased") {
    Board board("board");
    board.set(kTamp + 0x100, 7);
    board.set(kTamp + 0x04, 1u << 22);
    CHECK(board.get(kTamp + 0x100) == 0);
    board.set(kTamp + 0x04, 0);
    CHECK(board.get(kTamp + 0x100) == 7);
    board.set(kTamp + 0x04, 1u << 23);
    board.set(kTamp + 0x04, 0);
    CHECK(board.get(kTamp + 0x100) == 0);
}

TEST_CASE("small chip: a tamper at PC13 erases, interrupts by line 11 and stamps the time") {
    Board board("board");
    models::Gpio& port = *board.chip.soc().io.gpio("GPIOC");
    board.set(kTamp + 0x100, 7);
    board.set(kRtc + 0x18, 1u << 25);  // TAMPTS
    board.set(kTamp + 0x2C, 1);
    board.set(kTamp, 1);
    board.pass_us(2e6);
    CHECK_FALSE(board.pending(11));
    port.drive(13, true, sc_core::sc_time_stamp().value());
    CHECK(board.pending(11));
    CHECK(board.get(kTamp + 0x30) == 1);
    CHECK(board.get(kTamp + 0x100) == 0);
    CHECK(board.get(kRtc + 0x50) == 1u << 3);
    CHECK(board.get(kRtc + 0x30) == 2);
}

TEST_CASE("small chip: an active tamper drives PH4, in every mode of the pin, until VSWRST") {
    Board board("board");
    models::Gpio& port = *board.chip.soc().io.gpio("GPIOH");
    board.set(kTamp + 0x10, 1 | 1u << 30);
    board.set(kTamp + 0x1C, 2u << 8);
    CHECK((port.output_pins() & 1u << 4) == 0);
    board.set(kTamp, 1);
    for (unsigned i = 0; i < 4; ++i) board.set(kTamp + 0x14, i);
    CHECK((port.output_pins() & 1u << 4) != 0);
    board.pass_us(1e3);
    CHECK(board.get(kTamp + 0x30) == 1);  // no wire to PC13
    board.set(kTamp + 0x100, 7);
    board.set(kRcc + 0x2C, 1u << 31);
    board.set(kRcc + 0x2C, 0);
    CHECK((port.output_pins() & 1u << 4) == 0);
    CHECK(board.get(kTamp) == 0);
    CHECK(board.get(kTamp + 0x30) == 0);
    CHECK(board.get(kTamp + 0x100) == 0);
}

TEST_CASE("small chip: the independent watchdog warns on line 18, resets the chip and says so") {
    Board board("board");
    board.set(kIwdg + 0x00, 0x5555);
    board.set(kIwdg + 0x08, 7);  // 8 counts of 125 us
    board.set(kIwdg + 0x14, 1u << 15 | 3);
    board.set(kIwdg + 0x00, 0xCCCC);
    CHECK((board.get(kIwdg + 0x0C) & 1u << 8) != 0);
    CHECK((board.get(kRcc + 0x34) & 1u << 26) == 0);
    board.pass_us(450);
    CHECK_FALSE(board.pending(18));
    board.pass_us(100);
    CHECK(board.pending(18));
    board.set(kIwdg + 0x00, 0xAAAA);
    board.pass_us(950);
    CHECK((board.get(kRcc + 0x34) & 1u << 26) == 0);
    board.pass_us(100);
    CHECK((board.get(kRcc + 0x34) & 1u << 26) != 0);
    CHECK(board.get(kIwdg + 0x08) == 0xFFF);
    board.set(kRcc + 0x34, 1u << 16);
    CHECK(board.get(kRcc + 0x34) == 0);
}

TEST_CASE("small chip: GPDMA1 feeds HASH, whose digest starts at the end of the transfer") {
    constexpr std::uint32_t kGpdma = 0x50021000, kText = 0x34064000;
    Board board("board");
    board.set(kRcc + 0x800 + 0x250, 1u << 4);
    REQUIRE(board.chip.store(GuestAddr{kText}, std::vector<std::uint8_t>{'a', 'b', 'c', 0}));
    board.set(kHash, 3u << 17 | 2u << 4 | 1u << 2);            // SHA-256, bytes
    board.set(kHash + 0x08, 24);                               // NBLW
    board.set(kGpdma + 0x50 + 0x40, 2u | 2u << 16 | 1u << 3);  // words, SINC
    board.set(kGpdma + 0x50 + 0x44, 13u | 1u << 10);           // DREQ
    board.set(kGpdma + 0x50 + 0x48, 4);
    board.set(kGpdma + 0x50 + 0x4C, kText);
    board.set(kGpdma + 0x50 + 0x50, kHash + 0x04);
    board.set(kGpdma + 0x50 + 0x14, 1);
    board.set(kHash, 3u << 17 | 2u << 4 | 1u << 3);  // DMAE
    board.pass_us(5);
    CHECK((board.get(kHash + 0x24) & 2) == 2);
    CHECK(board.get(kHash + 0x310) == 0xBA7816BF);
}

TEST_CASE("small chip: the window watchdog and HASH are wired") {
    Board board("board");
    CHECK(board.get(kWwdg) == 0x7F);
    board.set(kWwdg + 0x04, 0x7F | 1u << 9);
    board.set(kWwdg, 0x80 | 0x41);
    board.pass_us(30);
    CHECK_FALSE(board.pending(19));
    board.pass_us(20);
    CHECK(board.pending(19));
    board.set(kHash, 3u << 17 | 1u << 2);
    board.set(kHash + 0x20, 2);
    board.set(kHash + 0x08, 1u << 8);
    board.pass_us(2);
    CHECK(board.pending(39));
    CHECK(board.get(kHash + 0x310) == 0xE3B0C442);  // SHA-256 of nothing
    board.pass_us(60);
    CHECK((board.get(kRcc + 0x34) & 1u << 28) != 0);
    CHECK((board.get(kIcache + 0x04) & 2) == 0);
}

TEST_CASE("small chip: Ethernet has its registers, and a transceiver behind MDIO") {
    Board board("board");
    constexpr std::uint32_t kEthernet = 0x58036000;
    board.set(kRcc + 0x800 + 0x260, 0xF << 22);  // ETH1EN and its parts
    CHECK(board.get(kEthernet) == 0x8000);       // MACCR
    const auto identifier = [&](std::uint32_t transceiver) {
        board.set(kEthernet + 0x200, transceiver << 21 | 2u << 16 | 3u << 2 | 1);
        board.pass_us(100);  // more than the 64 clocks of a frame
        CHECK((board.get(kEthernet + 0x200) & 1) == 0);
        return board.get(kEthernet + 0x204) & 0xFFFF;
    };
    CHECK(identifier(1) == 0x001C);
    CHECK(identifier(2) == 0xFFFF);
}

TEST_CASE("small chip: memory takes cycles of its own clock, whatever that becomes") {
    models::Stm32n6 chip("chip");
    test::Probe master("master");
    master.port.bind(chip.host);
    sc_core::sc_signal<double> noc("noc", 400e6);
    chip.clock[static_cast<unsigned>(memmap::ClockDomain::Noc)].bind(noc);
    const auto takes = [&] {
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        const auto answer = master.read(0x34100000, 64, now);  // AXISRAM2
        REQUIRE(answer.ok());
        return answer.last - now;
    };
    const models::Picoseconds fast = takes();
    CHECK(fast > 0);
    noc.write(200e6);
    CHECK(takes() == 2 * fast);
    noc.write(100e6);
    CHECK(takes() == 4 * fast);
    noc.write(400e6);
    CHECK(takes() == fast);
}

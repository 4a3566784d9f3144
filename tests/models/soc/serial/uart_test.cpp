// SPDX-License-Identifier: Apache-2.0
// Serial ports: rates, flags, FIFOs, interrupts.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/soc/serial/uart.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

// Offsets and bits of the public device header, typed a second time.
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kCr3 = 0x08, kBrr = 0x0C, kRqr = 0x18,
                        kIsr = 0x1C, kIcr = 0x20, kRdr = 0x24, kTdr = 0x28, kPresc = 0x2C;
constexpr std::uint32_t kUe = 1, kRe = 4, kTe = 8, kFifo = 1u << 29;
constexpr std::uint32_t kOre = 1u << 3, kIdle = 1u << 4, kRxne = 1u << 5, kTc = 1u << 6,
                        kTxe = 1u << 7;
constexpr std::uint32_t kTxfe = 1u << 23, kRxff = 1u << 24, kRxft = 1u << 26, kTxft = 1u << 27;
constexpr std::uint32_t kTeack = 1u << 21, kReack = 1u << 22, kBusy = 1u << 16;
/// platform-timing.md 1: BRR 109 from 100 MHz, 10 bits a character: 10.90 us.
constexpr Picoseconds kFrame = 10'900'000;

struct UartBench {
    explicit UartBench(Uart::Kind kind = Uart::Kind::Usart) : uart("uart", "USART1", kind) {
        uart.on_character = [this](std::uint8_t character, Picoseconds at) {
            sent.emplace_back(static_cast<char>(character), at);
        };
        uart.on_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        uart.set_kernel_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        static_cast<void>(uart.write(offset, value, kWord, at));
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return uart.read(offset, at).value; }
    void enable(std::uint32_t more = 0) {
        set(kBrr, 109);
        set(kCr1, kUe | kTe | kRe | more);
    }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }
    std::string text() const {
        std::string all;
        for (const auto& [character, at] : sent) all += character;
        return all;
    }

    Uart uart;
    std::vector<std::pair<char, Picoseconds>> sent;
    std::vector<std::pair<bool, Picoseconds>> levels;
};

}  // namespace

TEST_CASE("uart: reset state is that of the manual") {
    UartBench bench;
    CHECK(bench.get(kIsr, 0) == 0x000000C0);
    bench.set(kCr1, kFifo);
    CHECK((bench.get(kIsr, 0) & (kTxe | kTc | kTxfe)) == (kTxe | kTc | kTxfe));
    CHECK(bench.uart.name() == std::string("USART1"));
}

TEST_CASE("shape: a character takes 10.90 us at 917,431 Bd") {
    UartBench bench;
    bench.enable();
    CHECK(bench.uart.frame_ps() == kFrame);
    const double baud = 100e6 / 109;
    CHECK(baud == doctest::Approx(917'431).epsilon(1e-6));
    bench.set(kTdr, 'A', 1'000);
    bench.run_until(20'000'000);
    REQUIRE(bench.sent.size() == 1);
    CHECK(bench.sent[0] == std::pair('A', kFrame + 1'000));
}

TEST_CASE("shape: the published 966 characters of polled printing take 10.5 ms and more") {
    // As the vendor's driver does: wait for TXE, write, at the end wait for TC.
    UartBench bench;
    bench.enable();
    Picoseconds now = 0;
    constexpr Picoseconds kPoll = 100'000;
    for (int i = 0; i < 966; ++i) {
        while ((bench.get(kIsr, now) & kTxe) == 0) now += kPoll;
        bench.set(kTdr, 'x', now);
        while ((bench.get(kIsr, now) & kTc) == 0) now += kPoll;
    }
    CHECK(bench.text().size() == 966);
    // 966 x 10.9 us = 10.53 ms on the wire; polling adds at most one step each.
    CHECK(now >= 966 * kFrame);
    CHECK(now <= 966 * (kFrame + kPoll));
}

TEST_CASE(
    "shape: frame time by word length, parity, stop bits, prescaler, oversampling, low-power "
    "kind") {
    struct Row {
        std::uint32_t cr1, cr2, brr, presc;
        double bits, divider;
    };
    const Row rows[] = {
        {0, 0, 868, 0, 10, 868},                       // 115,207 Bd, 8N1
        {1u << 12, 0, 109, 0, 11, 109},                // 9 bits
        {1u << 28, 0, 109, 0, 9, 109},                 // 7 bits
        {0, 2u << 12, 109, 0, 11, 109},                // 2 stop bits
        {0, 3u << 12, 109, 0, 10.5, 109},              // 1.5
        {0, 1u << 12, 109, 0, 9.5, 109},               // 0.5
        {0, 0, 109, 1, 10, 218},                       // clock / 2
        {0, 0, 109, 7, 10, 109.0 * 16},                // clock / 16
        {0, 0, 109, 0xB, 10, 109.0 * 256},             // clock / 256
        {1u << 15, 0, 0x64, 0, 10, (0x60 + 8) / 2.0},  // by 8: USARTDIV 0x68
    };
    UartBench bench;
    for (const Row& row : rows) {
        bench.set(kCr1, row.cr1);
        bench.set(kCr2, row.cr2);
        bench.set(kBrr, row.brr);
        bench.set(kPresc, row.presc);
        CHECK(static_cast<double>(bench.uart.frame_ps()) ==
              doctest::Approx(row.bits * row.divider * 1e4));
    }
}

TEST_CASE("shape: the low-power port divides by BRR / 256") {
    UartBench bench(Uart::Kind::LowPower);
    bench.set(kBrr, 222'222);  // 256 x 100 MHz / 115,200
    CHECK(static_cast<double>(bench.uart.frame_ps()) ==
          doctest::Approx(10 * 222'222 / 256.0 * 1e4));
    bench.set(kBrr, 0x2FF);  // below the smallest legal divider
    CHECK(bench.uart.frame_ps() == 0);
}

TEST_CASE("timing: TXE and TC are tight to a picosecond") {
    UartBench bench;
    bench.enable();
    bench.set(kTdr, 'a', 0);
    CHECK((bench.get(kIsr, 0) & (kTxe | kTc)) == kTxe);  // already in the shift register
    bench.set(kTdr, 'b', 0);
    CHECK((bench.get(kIsr, 0) & (kTxe | kTc)) == 0);
    CHECK((bench.get(kIsr, kFrame - 1) & (kTxe | kTc)) == 0);
    CHECK((bench.get(kIsr, kFrame) & (kTxe | kTc)) == kTxe);
    CHECK((bench.get(kIsr, 2 * kFrame - 1) & (kTxe | kTc)) == kTxe);
    CHECK((bench.get(kIsr, 2 * kFrame) & (kTxe | kTc)) == (kTxe | kTc));
    CHECK(bench.text() == "ab");
    bench.set(kIcr, kTc, 2 * kFrame);
    CHECK((bench.get(kIsr, 2 * kFrame) & kTc) == 0);
}

TEST_CASE("uart: eight characters fit the FIFO beside the one on the line") {
    UartBench bench;
    bench.enable(kFifo);
    for (const char c : std::string("123456789")) {
        CHECK((bench.get(kIsr, 0) & kTxe) != 0);
        bench.set(kTdr, static_cast<std::uint8_t>(c), 0);
    }
    CHECK((bench.get(kIsr, 0) & (kTxe | kTxfe)) == 0);
    bench.set(kTdr, '!', 0);  // no room: lost
    CHECK(bench.uart.statistics().unsent == 1);
    CHECK((bench.get(kIsr, kFrame) & (kTxe | kTxfe)) == kTxe);
    CHECK((bench.get(kIsr, 8 * kFrame) & kTxfe) != 0);
    CHECK((bench.get(kIsr, 8 * kFrame) & kTc) == 0);
    CHECK((bench.get(kIsr, 9 * kFrame) & kTc) != 0);
    CHECK(bench.text() == "123456789");
}

TEST_CASE("uart: without FIFO a second write replaces the waiting character") {
    UartBench bench;
    bench.enable();
    for (const char c : std::string("abc")) bench.set(kTdr, static_cast<std::uint8_t>(c), 0);
    bench.run_until(10 * kFrame);
    CHECK(bench.text() == "ac");
    CHECK(bench.uart.statistics().unsent == 1);
}

TEST_CASE("uart: thresholds count by eighths") {
    UartBench bench;
    bench.set(kCr3, (2u << 29) | (2u << 25));  // four free places; four characters
    bench.enable(kFifo);
    for (int i = 0; i < 9; ++i) bench.set(kTdr, 'x', 0);
    CHECK((bench.get(kIsr, 4 * kFrame - 1) & kTxft) == 0);
    CHECK((bench.get(kIsr, 4 * kFrame) & kTxft) != 0);
    for (int i = 0; i < 4; ++i) bench.uart.receive('r');
    CHECK((bench.get(kIsr, 4 * kFrame - 1) & kRxft) == 0);
    CHECK((bench.get(kIsr, 4 * kFrame) & kRxft) != 0);
}

TEST_CASE("uart: characters arrive one frame apart and read in order") {
    UartBench bench;
    bench.enable(kFifo);
    for (const char c : std::string("hello")) bench.uart.receive(static_cast<std::uint8_t>(c));
    CHECK((bench.get(kIsr, 1) & kBusy) != 0);
    CHECK((bench.get(kIsr, kFrame - 1) & kRxne) == 0);
    CHECK((bench.get(kIsr, kFrame) & kRxne) != 0);
    CHECK(bench.get(kRdr, kFrame) == 'h');
    CHECK((bench.get(kIsr, kFrame) & kRxne) == 0);
    std::string rest;
    for (int i = 0; i < 4; ++i) rest += static_cast<char>(bench.get(kRdr, 5 * kFrame));
    CHECK(rest == "ello");
    CHECK(bench.get(kRdr, 5 * kFrame) == 'o');  // the data register keeps its value
    CHECK((bench.get(kIsr, 6 * kFrame - 1) & kIdle) == 0);
    CHECK((bench.get(kIsr, 6 * kFrame) & kIdle) != 0);
    bench.set(kIcr, kIdle, 6 * kFrame);
    CHECK((bench.get(kIsr, 9 * kFrame) & kIdle) == 0);
}

TEST_CASE("uart: FIFO overrun keeps the old characters and says so until cleared") {
    UartBench bench;
    bench.enable(kFifo);
    for (const char c : std::string("12345678X")) bench.uart.receive(static_cast<std::uint8_t>(c));
    CHECK((bench.get(kIsr, 8 * kFrame) & (kRxff | kOre)) == kRxff);
    CHECK((bench.get(kIsr, 9 * kFrame) & kOre) != 0);
    std::string got;
    while ((bench.get(kIsr, 9 * kFrame) & kRxne) != 0)
        got += static_cast<char>(bench.get(kRdr, 9 * kFrame));
    CHECK(got == "12345678");
    CHECK(bench.uart.statistics().overrun == 1);
    CHECK((bench.get(kIsr, 9 * kFrame) & kOre) != 0);
    bench.set(kIcr, kOre, 9 * kFrame);
    CHECK((bench.get(kIsr, 9 * kFrame) & kOre) == 0);
}

TEST_CASE("uart: one character is held without FIFO, with OVRDIS the newest wins") {
    UartBench bench;
    bench.enable();
    bench.uart.receive('1');
    bench.uart.receive('2');
    CHECK((bench.get(kIsr, 2 * kFrame) & kOre) != 0);
    CHECK(bench.get(kRdr, 2 * kFrame) == '1');
    bench.set(kCr1, 0, 2 * kFrame);
    bench.set(kCr3, 1u << 12, 2 * kFrame);
    bench.set(kCr1, kUe | kRe, 2 * kFrame);
    bench.run_until(2 * kFrame);
    bench.uart.receive('3');
    bench.uart.receive('4');
    CHECK((bench.get(kIsr, 4 * kFrame) & (kOre | kRxne)) == kRxne);
    CHECK(bench.get(kRdr, 4 * kFrame) == '4');
}

TEST_CASE("uart: with OVRDIS and a full FIFO the newest replaces the newest") {
    UartBench bench;
    bench.set(kCr3, 1u << 12);
    bench.enable(kFifo);
    for (const char c : std::string("12345678X")) bench.uart.receive(static_cast<std::uint8_t>(c));
    CHECK((bench.get(kIsr, 9 * kFrame) & (kOre | kRxff)) == kRxff);
    std::string got;
    while ((bench.get(kIsr, 9 * kFrame) & kRxne) != 0)
        got += static_cast<char>(bench.get(kRdr, 9 * kFrame));
    CHECK(got == "1234567X");
    CHECK(bench.uart.statistics().overrun == 1);
}

TEST_CASE("uart: the parity bit is none of the data") {
    constexpr std::uint32_t kPce = 1u << 10;  // 8 bits of which the last is the parity
    UartBench bench;
    bench.enable(kPce);
    bench.set(kTdr, 0xC1);
    bench.uart.receive(0xC2);
    bench.run_until(kFrame + 1);
    CHECK(bench.text() == "\x41");
    CHECK(bench.get(kRdr, kFrame + 1) == 0x42);
    // 9 bits: all 8 of the data.
    bench.set(kCr1, 0, kFrame + 1);
    bench.set(kCr1, kUe | kTe | kRe | kPce | 1u << 12, kFrame + 1);
    bench.uart.receive(0xC2);
    CHECK(bench.get(kRdr, 3 * kFrame) == 0xC2);
}

TEST_CASE("order: the interrupt line rises when a character arrives and falls when it is read") {
    UartBench bench;
    bench.enable(kRxne);
    bench.run_until(5'000'000);
    bench.uart.receive('q');
    bench.run_until(40'000'000);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, Picoseconds{5'000'000} + kFrame));
    CHECK(bench.get(kRdr, 40'000'000) == 'q');
    REQUIRE(bench.levels.size() == 2);
    CHECK(!bench.levels[1].first);
}

TEST_CASE("order: transmit-complete interrupt comes when the last frame ends, not before") {
    UartBench bench;
    bench.enable();
    bench.set(kTdr, 'x', 0);
    bench.set(kTdr, 'y', 0);
    bench.set(kCr1, kUe | kTe | kTc, 0);
    CHECK(bench.levels.empty());
    bench.run_until(5 * kFrame);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 2 * kFrame));
    bench.set(kIcr, kTc, 5 * kFrame);
    CHECK(!bench.levels.back().first);
}

TEST_CASE("uart: UE protects the configuration, and switching it off stops everything") {
    UartBench bench;
    bench.enable();
    bench.set(kBrr, 50);
    CHECK(bench.get(kBrr, 0) == 109);
    CHECK(bench.uart.statistics().kept == 1);
    CHECK((bench.get(kIsr, 0) & (kTeack | kReack)) == (kTeack | kReack));
    bench.set(kTdr, 'a', 0);
    bench.set(kTdr, 'b', 0);
    bench.set(kCr1, 0, 1'000);
    bench.run_until(10 * kFrame);
    CHECK(bench.text().empty());
    CHECK(bench.get(kIsr, 10 * kFrame) == 0xC0);
    bench.set(kTdr, 'c', 10 * kFrame);
    bench.uart.receive('d');
    CHECK(bench.uart.statistics().unsent == 3);
    CHECK(bench.uart.statistics().unheard == 1);
}

TEST_CASE("uart: UE = 0 counts what is lost and leaves the flags of reset") {
    UartBench bench;
    bench.enable();
    for (const char c : std::string("123")) bench.uart.receive(static_cast<std::uint8_t>(c));
    bench.set(kTdr, 'a');
    bench.set(kTdr, 'b');
    const Picoseconds now = 2 * kFrame + kFrame / 2;
    // '1' is read, '2' waits, '3' is on the line; 'a' and 'b' are sent.
    CHECK(bench.get(kRdr, kFrame) == '1');
    bench.set(kTdr, 'c', now);
    bench.set(kTdr, 'd', now);
    CHECK((bench.get(kIsr, now) & (kRxne | kTxe | kTc | kBusy)) == (kRxne | kBusy));
    bench.set(kCr1, 0, now);
    CHECK(bench.get(kIsr, now) == 0xC0);
    CHECK(bench.uart.statistics().unsent == 2);
    CHECK(bench.uart.statistics().unheard == 1);
    CHECK(bench.uart.statistics().received == 2);
    CHECK(bench.uart.statistics().sent == 2);
    CHECK(bench.uart.statistics().overrun == 0);
    CHECK(bench.uart.on_the_way() == 0);
    CHECK(bench.uart.unread() == 0);
    // On again, nothing of it comes back: neither a character nor the idle line behind it.
    bench.set(kCr1, kUe | kTe | kRe, now);
    CHECK(bench.get(kIsr, now + 5 * kFrame) == (0xC0 | kTeack | kReack));
    CHECK(bench.get(kRdr, now + 5 * kFrame) == '1');
    CHECK(bench.text() == "ab");
}

TEST_CASE("uart: RE = 0 loses what is on the line and awaits no idle line, and sends on") {
    UartBench bench;
    bench.enable();
    bench.uart.receive('1');
    bench.uart.receive('2');
    bench.set(kTdr, 'a');
    CHECK((bench.get(kIsr, kFrame + 1) & kRxne) != 0);
    bench.set(kCr1, kUe | kTe, kFrame + 1);
    CHECK(bench.uart.statistics().unheard == 1);
    CHECK(bench.uart.statistics().unsent == 0);
    CHECK((bench.get(kIsr, kFrame + 1) & (kReack | kTeack | kBusy | kRxne)) == (kTeack | kRxne));
    CHECK_FALSE(bench.uart.receives());
    CHECK((bench.get(kIsr, 9 * kFrame) & kIdle) == 0);
    CHECK(bench.text() == "a");
    // A last character whose idle line is awaited: the receiver goes off before.
    bench.set(kCr1, kUe | kTe | kRe, 9 * kFrame);
    CHECK(bench.uart.receives());
    UartBench::run_until(9 * kFrame);
    (void)bench.get(kRdr, 9 * kFrame);
    bench.uart.receive('3');
    CHECK((bench.get(kIsr, 10 * kFrame) & (kRxne | kIdle)) == kRxne);
    bench.set(kCr1, kUe | kTe, 10 * kFrame);
    CHECK((bench.get(kIsr, 12 * kFrame) & kIdle) == 0);
    CHECK(bench.uart.statistics().unheard == 1);
}

TEST_CASE("uart: each enable lets its own flag through to the interrupt line") {
    struct Row {
        std::uint32_t cr1, cr3;
        std::uint32_t flag;  ///< of ISR
        Picoseconds rises;   ///< 0: it is set from the begin on
    };
    // Two characters come at 10 and 20 us and a bit; nothing is sent. FIFO thresholds: 2 characters
    // received (2/8 of 8), all places free (8/8).
    const std::uint32_t thresholds = 1u << 25 | 5u << 29;
    const Row rows[] = {
        {kIdle, thresholds, kIdle, 3 * kFrame},
        {kRxne, thresholds, kRxne, kFrame},
        {kTc, thresholds, kTc, 0},
        {kTxe, thresholds, kTxe, 0},
        {1u << 30, thresholds, kTxfe, 0},
        {1u << 31, thresholds, kRxff, 8 * kFrame},
        {0, thresholds | 1u << 28, kRxft, 2 * kFrame},
        {0, thresholds | 1u << 23, kTxft, 0},
        {0, thresholds | 1, kOre, 9 * kFrame},
        {0, thresholds, 0, 0},
    };
    UartBench bench;
    for (const Row& row : rows) {
        CAPTURE(row.flag);
        bench.uart.reset();
        bench.set(kBrr, 109, sc_core::sc_time_stamp().value());
        const Picoseconds begin = sc_core::sc_time_stamp().value();
        bench.levels.clear();
        bench.set(kCr3, row.cr3, begin);
        bench.set(kCr1, kUe | kRe | kTe | kFifo | row.cr1, begin);
        const unsigned count = row.flag == kRxff || row.flag == kOre ? 9 : 2;
        for (unsigned i = 0; i < count; ++i) bench.uart.receive('x');
        UartBench::run_until(begin + 20 * kFrame);
        if (row.flag == 0) {
            CHECK(bench.levels.empty());
            continue;
        }
        REQUIRE(bench.levels.size() == 1);
        CHECK(bench.levels[0] == std::pair(true, begin + row.rises));
        bench.set(kCr1, kRe | kTe | kFifo | row.cr1, begin + 20 * kFrame);  // UE = 0
        CHECK_FALSE(bench.levels.back().first);
    }
}

TEST_CASE("uart: FIFO thresholds by the eighths of their codes, of eight places") {
    constexpr unsigned kPlaces[] = {1, 2, 4, 6, 7, 8};  // RXFTCFG and TXFTCFG 0 to 5
    UartBench bench;
    for (std::uint32_t code = 0; code < 6; ++code) {
        CAPTURE(code);
        const Picoseconds begin = sc_core::sc_time_stamp().value();
        bench.uart.reset();
        bench.set(kBrr, 109, begin);
        bench.set(kCr3, code << 25 | code << 29, begin);
        bench.set(kCr1, kUe | kRe | kTe | kFifo, begin);
        // The first one leaves at once.
        for (unsigned held = 0; held <= 8; ++held) {
            bench.set(kTdr, 'x', begin);
            CHECK(((bench.get(kIsr, begin) & kTxft) != 0) == (8 - held >= kPlaces[code]));
        }
        for (unsigned i = 0; i < 8; ++i) bench.uart.receive('x');
        for (unsigned held = 0; held <= 8; ++held) {
            const std::uint32_t flags = bench.get(kIsr, begin + held * kFrame);
            CHECK(((flags & kRxft) != 0) == (held >= kPlaces[code]));
            CHECK(((flags & kRxff) != 0) == (held == 8));
        }
        UartBench::run_until(begin + 20 * kFrame);
    }
}

TEST_CASE("uart: flushes take what waits, not what is on the line") {
    UartBench bench;
    bench.enable(kFifo);
    for (const char c : std::string("abc")) bench.set(kTdr, static_cast<std::uint8_t>(c), 0);
    bench.set(kRqr, 1u << 4, 100);
    bench.uart.receive('r');
    bench.run_until(3 * kFrame);
    CHECK(bench.text() == "a");
    bench.set(kRqr, 1u << 3, 3 * kFrame);
    CHECK((bench.get(kIsr, 3 * kFrame) & kRxne) == 0);
}

TEST_CASE("uart: a flush of what was received leaves what is to be sent") {
    UartBench bench;
    bench.enable(kFifo);
    for (const char c : std::string("abc")) bench.set(kTdr, static_cast<std::uint8_t>(c), 0);
    bench.set(kRqr, 1u << 3, 100);
    bench.run_until(4 * kFrame);
    CHECK(bench.text() == "abc");
    CHECK(bench.uart.statistics().unsent == 0);
}

TEST_CASE("uart: DMA requests are levels, room to send and a character received") {
    UartBench bench;
    std::vector<std::pair<bool, Picoseconds>> sends, receives;
    const auto into = [](auto& list) {
        return [&list](bool level, Picoseconds at) { list.emplace_back(level, at); };
    };
    bench.uart.on_transmit_request = into(sends);
    bench.uart.on_receive_request = into(receives);
    CHECK(bench.uart.write(kCr3, 3u << 6, kWord, 0).modelled);
    CHECK(sends.empty());  // UE = 0
    bench.enable();
    CHECK(sends.back().first);
    bench.set(kTdr, 'a');  // on the line at once
    bench.set(kTdr, 'b');
    CHECK_FALSE(sends.back().first);
    bench.uart.receive('c');
    bench.run_until(2 * kFrame);
    CHECK(sends.back() == std::pair(true, kFrame));
    CHECK(receives == decltype(receives){{true, kFrame}});
    CHECK(bench.get(kRdr, 2 * kFrame) == 'c');
    CHECK_FALSE(receives.back().first);
}

TEST_CASE("uart: an LPUART shows its empty FIFO out of reset") {
    UartBench bench(Uart::Kind::LowPower);
    CHECK(bench.get(kIsr, 0) == 0x8000C0);
}

TEST_CASE("uart: what is not modelled says so") {
    UartBench bench;
    CHECK(bench.uart.write(kCr3, 0, kWord, 0).modelled);
    CHECK_FALSE(bench.uart.write(kCr3, 1u << 7, kWord, 0).modelled);  // DMA
    CHECK_FALSE(bench.uart.write(kCr3, 1u << 9, kWord, 0).modelled);  // CTS
    CHECK_FALSE(bench.uart.read(0x30, 0).modelled);
    CHECK(bench.uart.read(kIsr, 0).name == std::string("ISR"));
}

TEST_CASE("uart: names of registers, and which bits are not modelled") {
    constexpr const char* kNames[] = {"CR1", "CR2", "CR3", "BRR", "GTPR", "RTOR",
                                      "RQR", "ISR", "ICR", "RDR", "TDR",  "PRESC"};
    UartBench bench;
    for (std::uint32_t i = 0; i < 12; ++i) {
        CAPTURE(i);
        CHECK(bench.uart.read(4 * i, 0).name == std::string(kNames[i]));
        const RegisterBlock::Answer written = bench.uart.write(4 * i, 0, kWord, 0);
        CHECK(written.name == std::string(kNames[i]));
        CHECK(written.modelled);
    }
    CHECK_FALSE(bench.uart.write(0x30, 0, kWord, 0).modelled);
    for (unsigned position = 0; position < 32; ++position) {
        CAPTURE(position);
        const auto modelled = [&](std::uint32_t offset) {
            const bool known = bench.uart.write(offset, 1u << position, kWord, 0).modelled;
            bench.set(offset, 0);
            return known;
        };
        // MME, CMIE, RTOIE, EOBIE.
        CHECK(modelled(kCr1) == ((0x0C006000u >> position & 1) == 0));
        // SLVEN, CLKEN, LINEN, DATAINV, MSBFIRST, ABREN, RTOEN.
        CHECK(modelled(kCr2) == ((0x009C4801u >> position & 1) == 0));
        // IREN, HDSEL, SCEN, RTSE, CTSE, DEM; DMAR and DMAT without a controller.
        CHECK(modelled(kCr3) == ((0x000043EAu >> position & 1) == 0));
        // ABRRQ, SBKRQ, MMRQ.
        CHECK(modelled(kRqr) == (position > 2));
    }
}

namespace {

/// Writes registers that keep what is written; BRR has `divider_bits`.
void keep_settings(Uart::Kind kind, std::uint32_t divider_bits) {
    constexpr std::uint32_t kGtpr = 0x10, kRtor = 0x14;
    UartBench bench(kind);
    bench.set(kGtpr, 0xA55A);
    bench.set(kRtor, 0x12345678);
    CHECK(bench.get(kGtpr, 0) == 0xA55A);
    CHECK(bench.get(kRtor, 0) == 0x12345678);
    // Bytes of them.
    static_cast<void>(bench.uart.write(kGtpr, 0xFFFF, 0xFF00, 0));
    static_cast<void>(bench.uart.write(kRtor, 0, 0xFF0000, 0));
    CHECK(bench.get(kGtpr, 0) == 0xFF5A);
    CHECK(bench.get(kRtor, 0) == 0x12005678);
    bench.set(kBrr, 0xFFFFFFFF);
    bench.set(kPresc, 0xFFFFFFFF);
    CHECK(bench.get(kBrr, 0) == divider_bits);
    CHECK(bench.get(kPresc, 0) == 0xF);
    CHECK(bench.uart.read(kGtpr, 0).name == std::string("GTPR"));
    CHECK(bench.uart.read(kRtor, 0).name == std::string("RTOR"));
    // The timeout may be set while the port is on.
    bench.set(kBrr, 0x300);
    bench.set(kCr1, kUe | kRe);
    bench.set(kRtor, 77);
    CHECK(bench.get(kRtor, 0) == 77);
    CHECK(bench.get(kGtpr, 0) == 0xFF5A);
    bench.uart.reset();
    for (const std::uint32_t offset : {kCr1, kCr2, kCr3, kBrr, kGtpr, kRtor, kPresc}) {
        CAPTURE(offset);
        CHECK(bench.get(offset, 0) == 0);
    }
}

}  // namespace

TEST_CASE("uart: guard time, timeout and prescaler are kept, the divider has 16 bits") {
    keep_settings(Uart::Kind::Usart, 0xFFFF);
}

TEST_CASE("uart: an LPUART keeps them, too, and its divider has 20 bits") {
    keep_settings(Uart::Kind::LowPower, 0xFFFFF);
}

TEST_CASE("uart: bytes of registers, reset") {
    UartBench bench;
    static_cast<void>(bench.uart.write(kBrr, 0x1234, 0xFF, 0));
    CHECK(bench.get(kBrr, 0) == 0x34);
    bench.enable();
    static_cast<void>(bench.uart.write(kTdr, 0x4100, 0xFF00, 0));  // not the data byte
    static_cast<void>(bench.uart.write(kTdr, 'Z', 0xFF, 0));
    bench.uart.reset();
    bench.run_until(3 * kFrame);
    CHECK(bench.text().empty());
    CHECK(bench.get(kCr1, 3 * kFrame) == 0);
    CHECK(bench.get(kIsr, 3 * kFrame) == 0xC0);
}

// SPDX-License-Identifier: Apache-2.0
// GPDMA1 and HPDMA1 in the chip: clock gates, memories, access rights, interrupts, serial port.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/stm32n6.h"
#include "models/soc/serial/i2c_register_device.h"
#include "tests/models/probe.h"

using namespace n6vp;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::uint32_t kGpdma = 0x50021000, kHpdma = 0x58020000, kRcc = 0x56028000;
constexpr std::uint32_t kUsart1 = 0x52001000, kUsart2 = 0x50004400, kI2c1 = 0x50005400,
                        kSpi5 = 0x52005000, kTim3 = 0x50000400, kAdc1 = 0x50022000,
                        kAdc2 = 0x50022100;
constexpr std::uint32_t kAxiSram1 = 0x34064000, kAxiSram2 = 0x34100000, kAhbSram1 = 0x38000000;
constexpr std::uint32_t kWords = 2u | 2u << 16 | 1u << 3 | 1u << 19;  ///< CTR1, increments
constexpr std::uint32_t kSecure = 1u << 15 | 1u << 31;                ///< CTR1: SSEC, DSEC
constexpr std::uint32_t kSoftware = 1u << 9, kDone = 1 | 1u << 8 | 1u << 9;

/// The chip after the set-up of the validation firmware, and software in place of the core.
struct Board : sc_core::sc_module {
    models::Stm32n6 chip;
    test::Probe master;

    explicit Board(const sc_core::sc_module_name& name, const models::ChipOptions& options = {})
        : sc_module(name), chip("chip", {}, options), master("master") {
        master.port.bind(chip.host);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(kRcc + 0x800 + 0x250, 1u << 4);  // GPDMA1EN
        set(kRcc + 0x800 + 0x260, 1u << 0);  // HPDMA1EN
    }
    void set(std::uint32_t address, std::uint32_t value) {
        master.data.resize(sizeof value);
        std::memcpy(master.data.data(), &value, sizeof value);
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.write(address, sizeof value, now).ok());
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
    void put(std::uint32_t at, const Bytes& bytes) { REQUIRE(chip.store(GuestAddr{at}, bytes)); }
    Bytes bytes(std::uint32_t at, std::size_t count) {
        Bytes read(count);
        REQUIRE(chip.fetch(GuestAddr{at}, read));
        return read;
    }
    /// A secure and privileged channel.
    void trust(std::uint32_t dma, unsigned channel) {
        set(dma + 0x00, 1u << channel);
        set(dma + 0x04, 1u << channel);
    }
    static std::uint32_t at(std::uint32_t dma, unsigned channel, std::uint32_t offset) {
        return dma + 0x50 + 0x80 * channel + offset;
    }
    struct Plan {
        std::uint32_t tr1, tr2, bytes, source, dest;
    };
    void start(std::uint32_t dma, unsigned channel, const Plan& plan, std::uint32_t control = 0) {
        set(at(dma, channel, 0x40), plan.tr1);
        set(at(dma, channel, 0x44), plan.tr2);
        set(at(dma, channel, 0x48), plan.bytes);
        set(at(dma, channel, 0x4C), plan.source);
        set(at(dma, channel, 0x50), plan.dest);
        set(at(dma, channel, 0x14), 1 | control);
    }
    bool pending(unsigned line) {
        models::core::Core& core = chip.core().core();
        std::uint32_t word = 0;
        REQUIRE(core.system().read_ppb(core.state(), 0xE000E200 + line / 32 * 4, 4, core.cycles(),
                                       word));
        return (word >> line % 32 & 1) != 0;
    }
    void open_usart1() {
        set(kRcc + 0x800 + 0x26C, 1u << 4);
        set(kUsart1 + 0x0C, 100);           // BRR: 1 Mbit/s of 100 MHz
        set(kUsart1 + 0x00, 1u | 3u << 2);  // UE, RE, TE
    }
};

Bytes pattern(std::size_t count) {
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(7 * i + 3);
    return bytes;
}

}  // namespace

TEST_CASE("DMA chip: GPDMA1 copies between memories and raises its line") {
    Board board("board");
    constexpr unsigned kChannel = 2;
    const unsigned line = memmap::interrupt_line("GPDMA1") + kChannel;
    CHECK(line == 86);
    board.put(kAxiSram1, pattern(256));
    board.trust(kGpdma, kChannel);
    CHECK_FALSE(board.pending(line));
    board.start(kGpdma, kChannel, {kWords | kSecure, kSoftware, 256, kAxiSram1, kAxiSram2},
                1u << 8);
    Board::pass_us(50);
    CHECK(board.bytes(kAxiSram2, 256) == pattern(256));
    CHECK(board.get(Board::at(kGpdma, kChannel, 0x10)) == kDone);
    CHECK(board.pending(line));
    CHECK(board.get(kGpdma + 0x10) == 1u << kChannel);  // SMISR
    CHECK(board.chip.bus()
              .flow(number(models::Initiator::Gpdma0),
                    static_cast<unsigned>(board.chip.target_of("AXISRAM2")))
              .bytes_written == 256);
}

TEST_CASE("DMA chip: without a clock the registers read zero, and a transfer stands still") {
    Board board("board");
    board.put(kAxiSram1, pattern(0x8000));
    board.trust(kGpdma, 0);
    board.start(kGpdma, 0, {kWords | kSecure, kSoftware, 0x8000, kAxiSram1, kAxiSram2});
    Board::pass_us(5);
    board.set(kRcc + 0x1000 + 0x250, 1u << 4);
    CHECK(board.get(Board::at(kGpdma, 0, 0x14)) == 0);
    const models::Flow& flow = board.chip.bus().flow(
        number(models::Initiator::Gpdma0), static_cast<unsigned>(board.chip.target_of("AXISRAM2")));
    const std::uint64_t before = flow.bytes_written;
    CHECK(before > 0);
    Board::pass_us(20);
    CHECK(flow.bytes_written <= before + 8);
    board.set(kRcc + 0x800 + 0x250, 1u << 4);
    CHECK(board.get(Board::at(kGpdma, 0, 0x14)) == 1);
    Board::pass_us(5'000);
    CHECK(board.bytes(kAxiSram2, 0x8000) == pattern(0x8000));
}

TEST_CASE("DMA chip: memory filters see the attributes of the channel") {
    models::ChipOptions options;
    options.omitted_set_up = 1u << static_cast<unsigned>(models::SetUpStep::Risaf);
    Board board("board", options);
    const Bytes old = pattern(16);
    board.put(kAxiSram1, Bytes(16, 9));
    board.put(kAxiSram2, old);
    // Neither secure nor privileged: reads answer zero, writes vanish.
    board.start(kGpdma, 1, {kWords, kSoftware, 16, kAxiSram1, kAxiSram2});
    Board::pass_us(20);
    CHECK(board.bytes(kAxiSram2, 16) == old);
    // HPDMA has no compartment until CIDCFGR gives it one (assumed).
    board.trust(kHpdma, 3);
    board.start(kHpdma, 3, {kWords | kSecure, kSoftware, 16, kAxiSram1, kAxiSram2});
    Board::pass_us(20);
    CHECK(board.bytes(kAxiSram2, 16) == old);
    board.set(Board::at(kHpdma, 3, 0x04), 1u | 1u << 4);
    board.start(kHpdma, 3, {kWords | kSecure, kSoftware, 16, kAxiSram1, kAxiSram2});
    Board::pass_us(20);
    CHECK(board.bytes(kAxiSram2, 16) == Bytes(16, 9));
}

TEST_CASE("DMA chip: a list in memory, from AHBSRAM to registers of a peripheral") {
    Board board("board");
    board.trust(kHpdma, 0);
    board.set(Board::at(kHpdma, 0, 0x04), 1u | 1u << 4);
    board.set(kRcc + 0x800 + 0x24C, 0xFFFFFFFF);  // clocks of the memories
    const std::uint32_t list = kAxiSram1 + 0x90000;
    const auto put_words = [&board](std::uint32_t at, const std::vector<std::uint32_t>& words) {
        Bytes bytes(4 * words.size());
        std::memcpy(bytes.data(), words.data(), bytes.size());
        board.put(at, bytes);
    };
    // BRR and CR1 of USART1, one word each: CBR1, CSAR, CDAR, CLLR.
    constexpr std::uint32_t kItem = 1u << 29 | 1u << 28 | 1u << 27 | 1u << 16;
    board.set(kRcc + 0x800 + 0x26C, 1u << 4);
    put_words(kAhbSram1, {217, 1});
    put_words(list, {4, kAhbSram1, kUsart1 + 0x0C, kItem | ((list + 16) & 0xFFFC)});
    put_words(list + 16, {4, kAhbSram1 + 4, kUsart1, 0});
    board.set(Board::at(kHpdma, 0, 0x40), kWords | kSecure);
    board.set(Board::at(kHpdma, 0, 0x44), kSoftware);
    board.set(Board::at(kHpdma, 0, 0x00), list & 0xFFFF0000);
    board.set(Board::at(kHpdma, 0, 0x7C), kItem | (list & 0xFFFC));
    board.set(Board::at(kHpdma, 0, 0x14), 1);
    Board::pass_us(20);
    CHECK(board.get(Board::at(kHpdma, 0, 0x10)) == kDone);
    CHECK(board.get(kUsart1 + 0x0C) == 217);
    CHECK(board.get(kUsart1) == 1);
}

TEST_CASE("DMA chip: USART1 sends a text by request 108 of GPDMA1") {
    Board board("board");
    const std::string text = "by request";
    std::string sent;
    std::vector<models::Picoseconds> times;
    board.chip.soc().usart1().on_character = [&](std::uint8_t character, models::Picoseconds at) {
        sent += static_cast<char>(character);
        times.push_back(at);
    };
    board.put(kAxiSram1, Bytes(text.begin(), text.end()));
    board.open_usart1();
    board.trust(kGpdma, 0);
    board.start(kGpdma, 0,
                {kSecure | 1u << 3, 108 | 1u << 10, static_cast<std::uint32_t>(text.size()),
                 kAxiSram1, kUsart1 + 0x28});
    Board::pass_us(50);
    CHECK(sent.empty());
    board.set(kUsart1 + 0x08, 1u << 7);  // DMAT
    Board::pass_us(200);
    CHECK(sent == text);
    CHECK(board.get(Board::at(kGpdma, 0, 0x10)) == kDone);
    // 8N1 at 1 Mbit/s: the line never waits for the DMA.
    REQUIRE(times.size() == text.size());
    CHECK(times.back() - times.front() == 9u * 10'000'000u);
}

TEST_CASE("DMA chip: USART1 receives into memory by request 107 of HPDMA1") {
    Board board("board");
    const std::string text = "nine bytes";
    board.open_usart1();
    board.set(kUsart1 + 0x08, 1u << 6);  // DMAR
    board.trust(kHpdma, 15);
    board.set(Board::at(kHpdma, 15, 0x04), 1u | 1u << 4);
    board.start(kHpdma, 15,
                {kSecure | 1u << 19, 107, static_cast<std::uint32_t>(text.size()), kUsart1 + 0x24,
                 kAxiSram2});
    for (const char character : text)
        board.chip.soc().usart1().receive(static_cast<std::uint8_t>(character));
    Board::pass_us(55);
    CHECK(board.get(Board::at(kHpdma, 15, 0x48)) == 5);
    CHECK((board.get(Board::at(kHpdma, 15, 0x10)) & 0x300) == 0x200);
    Board::pass_us(100);
    CHECK(board.bytes(kAxiSram2, text.size()) == Bytes(text.begin(), text.end()));
    CHECK(board.get(Board::at(kHpdma, 15, 0x10)) == kDone);
    CHECK(board.chip.soc().usart1().statistics().overrun == 0);
}

TEST_CASE("DMA chip: USART2 sends by request 110, at its own kernel clock") {
    Board board("board");
    const std::string text = "second port";
    std::string sent;
    board.chip.soc().io.uart("USART2")->on_character =
        [&](std::uint8_t character, models::Picoseconds) { sent += static_cast<char>(character); };
    board.put(kAxiSram1, Bytes(text.begin(), text.end()));
    board.set(kRcc + 0x800 + 0x264, 1u << 17);
    board.set(kUsart2 + 0x0C, 100);
    board.set(kUsart2 + 0x00, 1u | 1u << 3);
    board.set(kUsart2 + 0x08, 1u << 7);
    board.trust(kGpdma, 0);
    board.start(kGpdma, 0,
                {kSecure | 1u << 3, 110 | 1u << 10, static_cast<std::uint32_t>(text.size()),
                 kAxiSram1, kUsart2 + 0x28});
    Board::pass_us(200);
    CHECK(sent == text);
    CHECK(board.get(Board::at(kGpdma, 0, 0x10)) == kDone);
}

TEST_CASE("DMA chip: I2C1 reads a device into memory by request 95") {
    Board board("board");
    auto device =
        std::make_unique<models::I2cRegisterDevice>(models::I2cRegisterDevice::Layout{0x3C, 1, 1});
    const Bytes values{0xA5, 0x5A, 0x00, 0xFF};
    for (std::uint32_t i = 0; i < values.size(); ++i) device->set(i, values[i]);
    board.chip.soc().io.i2c("I2C1")->attach(std::move(device));
    board.set(kRcc + 0x800 + 0x264, 1u << 21);
    board.set(kI2c1 + 0x10, 0x00003131);  // 1.05 us at 100 MHz
    board.set(kI2c1, 1u | 1u << 15);      // RXDMAEN
    board.trust(kGpdma, 4);
    board.start(kGpdma, 4, {kSecure | 1u << 19, 95, 4, kI2c1 + 0x24, kAxiSram2});
    board.set(kI2c1 + 0x04, 0x78 | 4u << 16 | 1u << 10 | 1u << 13 | 1u << 25);
    Board::pass_us(30);  // 27.5 bits and some: half of the bytes
    CHECK(board.get(Board::at(kGpdma, 4, 0x10)) == 1u << 9);
    Board::pass_us(40);  // 47 bits
    CHECK(board.bytes(kAxiSram2, 4) == values);
    CHECK(board.get(Board::at(kGpdma, 4, 0x10)) == kDone);
    CHECK((board.get(kI2c1 + 0x18) & 1u << 5) != 0);  // STOPF
}

TEST_CASE("DMA chip: SPI5 exchanges a buffer by requests 87 and 88, and interrupts at its end") {
    Board board("board");
    board.chip.soc().io.spi("SPI5")->attach(std::make_unique<models::SpiLoopback>(),
                                            models::Spi::ChipSelect::OfController);
    CHECK(board.get(kSpi5 + 0x14) == 0);  // no clock
    board.set(kRcc + 0x800 + 0x26C, 1u << 20);
    CHECK(board.get(kSpi5 + 0x14) == 0x1002);
    const Bytes values = pattern(50);
    board.put(kAxiSram1, values);
    for (const unsigned channel : {2u, 3u}) board.trust(kGpdma, channel);
    board.set(kSpi5 + 0x08, 3u << 28 | 7u | 3u << 14);  // 100 MHz / 16, 8 bits, both requests
    board.set(kSpi5 + 0x0C, 1u << 22 | 1u << 26);
    board.set(kSpi5 + 0x04, 50);
    board.start(kGpdma, 2, {kSecure | 1u << 19, 87, 50, kSpi5 + 0x30, kAxiSram2});
    board.start(kGpdma, 3, {kSecure | 1u << 3, 88 | 1u << 10, 50, kAxiSram1, kSpi5 + 0x20});
    board.set(kSpi5 + 0x10, 1u << 3);
    board.set(kSpi5, 1u << 12 | 1u);
    board.set(kSpi5, 1u << 12 | 1u << 9 | 1u);
    // 50 bytes of 8 bits of 160 ns and a bit before.
    Board::pass_us(60);
    CHECK_FALSE(board.pending(157));
    Board::pass_us(8);
    CHECK(board.pending(157));
    CHECK((board.get(kSpi5 + 0x14) & 8) != 0);
    CHECK(board.bytes(kAxiSram2, 50) == values);
    CHECK(board.get(Board::at(kGpdma, 2, 0x10)) == kDone);
    CHECK(board.get(Board::at(kGpdma, 3, 0x10)) == kDone);
}

TEST_CASE("DMA chip: TIM3 is given a new compare value at each update by request 31") {
    Board board("board");
    board.set(kRcc + 0x800 + 0x264, 1u << 1);
    board.put(kAxiSram1, {10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0});
    board.trust(kGpdma, 1);
    board.start(kGpdma, 1,
                {(kWords & ~(1u << 19)) | kSecure, 31 | 1u << 10, 12, kAxiSram1, kTim3 + 0x34});
    board.set(kTim3 + 0x2C, 7999);  // 20 us of 400 MHz
    board.set(kTim3 + 0x0C, 1u << 8);
    board.set(kTim3, 1);
    CHECK(board.get(kTim3 + 0x34) == 0);
    for (const std::uint32_t value : {10u, 20u, 30u}) {
        Board::pass_us(20);
        CHECK(board.get(kTim3 + 0x34) == value);
    }
    CHECK(board.get(Board::at(kGpdma, 1, 0x10)) == kDone);
}

TEST_CASE("DMA chip: ADC1 and ADC2 share clock and line, and give results by requests 7 and 8") {
    Board board("board");
    CHECK(board.get(kAdc1 + 0x08) == 0);  // no clock
    board.set(kRcc + 0x800 + 0x250, 1u << 5);
    CHECK(board.get(kAdc1 + 0x08) == 1u << 29);
    board.chip.soc().io.adc("ADC2")->set_millivolts(4, 450);
    for (const std::uint32_t unit : {kAdc1, kAdc2}) {
        const unsigned second = unit == kAdc2 ? 1 : 0;
        board.set(unit + 0x08, 0);
        board.set(unit + 0x08, 1);
        Board::pass_us(10);
        CHECK(board.get(unit) == 1);
        board.set(unit + 0x0C, 1);                              // DMNGT
        board.set(unit + 0x30, (second != 0 ? 4u : 17u) << 6);  // VREFINT of ADC1
        board.trust(kGpdma, second);
        board.start(kGpdma, second,
                    {kSecure | 2u << 16 | 2u, 7 + second, 4, unit + 0x40, kAxiSram2 + 4 * second});
        board.set(unit + 0x04, 1u << 3);
        board.set(unit + 0x08, 5);
        Board::pass_us(5);
        CHECK(board.pending(46));
        CHECK(board.get(Board::at(kGpdma, second, 0x10)) == kDone);
    }
    CHECK(board.bytes(kAxiSram2, 8) == Bytes{0xC1, 0x0A, 0, 0, 0, 4, 0, 0});
    CHECK((board.get(kAdc1 + 0x300) & 0x90009) == 0x90009);
}

TEST_CASE("DMA chip: a reset by RCC ends a transfer") {
    Board board("board");
    board.put(kAxiSram1, pattern(0x8000));
    board.trust(kGpdma, 0);
    board.start(kGpdma, 0, {kWords | kSecure, kSoftware, 0x8000, kAxiSram1, kAxiSram2});
    board.set(kRcc + 0x800 + 0x210, 1u << 4);
    board.set(kRcc + 0x1000 + 0x210, 1u << 4);
    CHECK(board.get(Board::at(kGpdma, 0, 0x14)) == 0);
    CHECK(board.get(Board::at(kGpdma, 0, 0x10)) == 1);
    CHECK(board.get(kGpdma) == 0);
}

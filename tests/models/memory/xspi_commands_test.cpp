// SPDX-License-Identifier: Apache-2.0
// The XSPI controller with the flash and the PSRAM of the board on its lines, driven by registers
// in the order in which drivers write them.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "models/memory/nor_flash.h"
#include "models/memory/psram_device.h"
#include "models/soc/serial/xspi_controller.h"

using namespace n6vp::models;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kAll = 0xFFFFFFFF;
constexpr std::uint32_t kCr = 0x00, kDcr1 = 0x08, kSr = 0x20, kFcr = 0x24, kDlr = 0x40, kAr = 0x48,
                        kDr = 0x50, kPsmkr = 0x80, kPsmar = 0x88, kPir = 0x90, kCcr = 0x100,
                        kTcr = 0x108, kIr = 0x110;
constexpr std::uint32_t kTef = 1, kTcf = 2, kFtf = 4, kSmf = 8, kBusy = 32;
constexpr Picoseconds kUs = 1'000'000, kMs = 1000 * kUs;
/// 128 MiB: 2^27 bytes.
constexpr std::uint32_t kDevice = 26u << 16;

/// A command as a driver describes it.
struct Command {
    std::uint32_t ir = 0, ccr = 0, dummy = 0, address = 0;
    std::uint32_t bytes = 0;
};
constexpr std::uint32_t kOneLine = 1, kEightLines = 4, kDouble = 8;
constexpr std::uint32_t kAddress24 = kOneLine << 8 | 2u << 12,
                        kAddress32 = kOneLine << 8 | 3u << 12;
constexpr std::uint32_t kData1 = kOneLine << 24;
/// 16-bit instruction, 32-bit address and data on 8 lines at double rate.
constexpr std::uint32_t kOctal = kEightLines | kDouble | 1u << 4,
                        kOctalAddress = kOctal | kEightLines << 8 | kDouble << 8 | 3u << 12,
                        kOctalData = kEightLines << 24 | kDouble << 24;

/// A controller at 50 MHz with the flash.
struct Bench {
    BackingStore cells{128u << 20, 0xFF};
    NorFlashParameters times;
    NorFlash nor{cells, times};
    XspiController xspi{"xspi2", "XSPI2"};
    Picoseconds now = kUs;

    Bench() {
        xspi.connect(&nor);
        xspi.set_clock_hz(50e6);
        write(kCr, 1);
        write(kDcr1, kDevice);
    }
    void write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = kAll) {
        (void)xspi.write(offset, value, mask, now);
    }
    std::uint32_t read(std::uint32_t offset) { return xspi.read(offset, now).value; }
    std::uint32_t status() { return read(kSr); }
    void wait(std::uint32_t flag) {
        for (unsigned i = 0; i < 1'000'000 && (status() & flag) == 0; ++i) now += 10'000;
        REQUIRE((status() & flag) != 0);
    }
    void wait_idle() {
        for (unsigned i = 0; i < 1'000'000 && (status() & kBusy) != 0; ++i) now += 10'000;
        REQUIRE((status() & kBusy) == 0);
    }
    void set_mode(std::uint32_t mode) { write(kCr, (read(kCr) & ~(3u << 28)) | mode << 28); }
    /// As a driver does it: everything in indirect write mode first.
    void configure(const Command& command) {
        set_mode(0);
        if (command.bytes != 0) write(kDlr, command.bytes - 1);
        write(kTcr, command.dummy);
        write(kCcr, command.ccr);
        write(kIr, command.ir);
        if ((command.ccr & 7u << 8) != 0) write(kAr, command.address);
    }
    void send(const Command& command) {
        configure(command);
        wait(kTcf);
        CHECK((status() & kBusy) == 0);
        write(kFcr, kTcf);
    }
    void begin_read(const Command& command, std::uint32_t mode = 1) {
        configure(command);
        set_mode(mode);
        if ((command.ccr & 7u << 8) != 0) {
            write(kAr, command.address);
        } else {
            write(kIr, command.ir);
        }
    }
    Bytes receive(const Command& command) {
        begin_read(command);
        Bytes data;
        while (data.size() < command.bytes) {
            wait(kFtf | kTcf);
            data.push_back(static_cast<std::uint8_t>(xspi.read_bytes(kDr, 0xFF, now).value));
        }
        wait(kTcf);
        write(kFcr, kTcf);
        CHECK((status() & kBusy) == 0);
        return data;
    }
    void transmit(Command command, const Bytes& data) {
        command.bytes = static_cast<std::uint32_t>(data.size());
        configure(command);
        CHECK((status() & kTcf) == 0);
        for (const std::uint8_t byte : data) {
            wait(kFtf);
            write(kDr, byte, 0xFF);
        }
        wait(kTcf);
        write(kFcr, kTcf);
        CHECK((status() & kBusy) == 0);
    }
    void enable_writes() { send({0x06, kOneLine}); }
    std::uint8_t flash_status() { return receive({0x05, kOneLine | kData1, 0, 0, 1}).front(); }
    void program(std::uint32_t address, const Bytes& data) {
        enable_writes();
        transmit({0x12, kOneLine | kAddress32 | kData1, 0, address, 0}, data);
    }
    Bytes content(std::uint32_t address, std::uint32_t bytes) {
        return receive({0x0C, kOneLine | kAddress32 | kData1, 8, address, bytes});
    }
    /// To octal double rate, as firmware brings the flash up.
    void enter_octal() {
        enable_writes();
        transmit({0x72, kOneLine | kAddress32 | kData1, 0, 0x300, 0}, {0});
        now += kMs;
        enable_writes();
        transmit({0x72, kOneLine | kAddress32 | kData1, 0, 0, 0}, {2});
        now += kMs;
    }
};

}  // namespace

TEST_CASE("XSPI: the prescaler divides the clock by one more than its value") {
    XspiController xspi("xspi2", "XSPI2");
    int changes = 0;
    xspi.on_divider = [&] { ++changes; };
    CHECK(xspi.divider() == 1);
    (void)xspi.write(0x00C, 3, 0xFFFFFFFF, 0);
    CHECK(xspi.divider() == 4);  // 200 MHz to the 50 MHz of the bring-up
    (void)xspi.write(0x00C, 3, 0xFFFFFFFF, 0);
    CHECK(changes == 1);
    xspi.reset();
    CHECK(xspi.divider() == 1);
    CHECK(changes == 2);
}

TEST_CASE("XSPI commands: identification and parameter table in SPI") {
    Bench bench;
    CHECK(bench.receive({0x9F, kOneLine | kData1, 0, 0, 3}) == Bytes{0xC2, 0x81, 0x3B});
    const Command table{0x5A, kOneLine | kAddress24 | kData1, 8, 0, 8};
    CHECK(bench.receive(table) == Bytes{'S', 'F', 'D', 'P', 0x08, 0x01, 0x04, 0xFD});
    // The pointers of the headers lead to the tables; behind them everything is erased.
    Command at = table;
    at.address = 0x0C;
    CHECK(bench.receive(at) == Bytes{0x40, 0x00, 0x00, 0xFF, 0x87, 0x01, 0x01, 0x1C});
    at.address = 0x138;
    CHECK(bench.receive(at) == Bytes{0x21, 0xDC, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
    // Density of the basic table: 2^30 - 1 bits.
    at.address = 0x44;
    at.bytes = 4;
    CHECK(bench.receive(at) == Bytes{0xFF, 0xFF, 0xFF, 0x3F});
}

TEST_CASE("XSPI commands: a command takes the clocks of its phases") {
    Bench bench;
    // 8 clocks of instruction at 50 MHz.
    bench.configure({0x06, kOneLine});
    CHECK((bench.status() & kBusy) != 0);
    bench.now += 8 * 20'000 - 1;
    CHECK((bench.status() & (kBusy | kTcf)) == kBusy);
    bench.now += 1;
    CHECK((bench.status() & (kBusy | kTcf)) == kTcf);
    bench.write(kFcr, kTcf);
    // 8 + 32 + 8 clocks, then 8 for each byte.
    bench.begin_read({0x0C, kOneLine | kAddress32 | kData1, 8, 0, 2});
    bench.now += (48 + 8) * 20'000 - 1;
    CHECK((bench.status() & kFtf) == 0);
    bench.now += 1;
    CHECK((bench.status() & (kFtf | kTcf)) == kFtf);
    bench.now += Picoseconds{8} * 20'000;
    CHECK((bench.status() & (kFtf | kTcf | kBusy)) == (kFtf | kTcf | kBusy));
    CHECK((bench.status() >> 8 & 0x7F) == 2);
    // Half a word takes both bytes, and the controller is free.
    CHECK(bench.xspi.read_bytes(kDr, 0xFFFF, bench.now).value == 0xFFFF);
    CHECK((bench.status() & (kFtf | kBusy)) == 0);
}

TEST_CASE("XSPI commands: a read of DR waits for data that are on their way") {
    Bench bench;
    bench.cells.write(0x100, Bytes{1, 2, 3, 4}.data(), 4);
    const Picoseconds start = bench.now;
    bench.begin_read({0x0C, kOneLine | kAddress32 | kData1, 8, 0x100, 4});
    const RegisterBlock::Answer answer = bench.xspi.read(kDr, bench.now);
    CHECK(answer.value == 0x04030201);
    CHECK(answer.until == start + Picoseconds{48 + 32} * 20'000);
}

TEST_CASE("XSPI commands: an access to DR moves as many bytes as it has, in its lanes") {
    Bench bench;
    Bytes data(16);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i + 1);
    bench.cells.write(0x100, data.data(), 16);
    bench.begin_read({0x0C, kOneLine | kAddress32 | kData1, 8, 0x100, 16});
    bench.now += kMs;
    std::uint32_t level = 16;
    const auto take = [&](std::uint32_t mask, std::uint32_t bytes) {
        const std::uint32_t value = bench.xspi.read_bytes(kDr, mask, bench.now).value;
        level -= bytes;
        CHECK((bench.status() >> 8 & 0x7F) == level);
        return value;
    };
    CHECK(take(0x000000FF, 1) == 0x01);
    CHECK(take(0x0000FF00, 1) == 0x0200);
    CHECK(take(0x00FF0000, 1) == 0x030000);
    CHECK(take(0xFF000000, 1) == 0x04000000);
    CHECK(take(0x0000FFFF, 2) == 0x0605);
    CHECK(take(0xFFFF0000, 2) == 0x08070000);
    CHECK(take(kAll, 4) == 0x0C0B0A09);
    CHECK(take(kAll, 4) == 0x100F0E0D);
    CHECK((bench.status() & kBusy) == 0);
    bench.write(kFcr, kTcf);
    bench.enable_writes();
    bench.configure({0x12, kOneLine | kAddress32 | kData1, 0, 0x7000, 12});
    bench.write(kDr, 0xAAAAAA11, 0x000000FF);
    bench.write(kDr, 0xAAAA22AA, 0x0000FF00);
    bench.write(kDr, 0xAA33AAAA, 0x00FF0000);
    bench.write(kDr, 0x44AAAAAA, 0xFF000000);
    bench.write(kDr, 0xAAAA6655, 0x0000FFFF);
    bench.write(kDr, 0x8877AAAA, 0xFFFF0000);
    bench.write(kDr, 0xCCBBAA99);
    bench.wait(kTcf);
    bench.write(kFcr, kTcf);
    bench.now += kMs;
    CHECK(bench.content(0x7000, 13) ==
          Bytes{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xFF});
}

TEST_CASE("XSPI commands: a full FIFO stops the device's clock") {
    Bench bench;
    Bytes data(200);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i);
    bench.cells.write(0x1000, data.data(), 200);
    bench.begin_read({0x0C, kOneLine | kAddress32 | kData1, 8, 0x1000, 200});
    bench.now += kMs;
    CHECK((bench.status() & kTcf) == 0);
    CHECK((bench.status() >> 8 & 0x7F) == 64);
    for (std::uint32_t i = 0; i < 200; i += 4) {
        const std::uint32_t word = i | (i + 1) << 8 | (i + 2) << 16 | (i + 3) << 24;
        const RegisterBlock::Answer answer = bench.xspi.read(kDr, bench.now);
        CHECK(answer.value == word);
        bench.now = std::max(bench.now, answer.until);
    }
    CHECK((bench.status() & kTcf) != 0);
}

TEST_CASE("XSPI commands: programming needs a write enable and clears bits only") {
    Bench bench;
    bench.transmit({0x12, kOneLine | kAddress32 | kData1, 0, 0x2000, 0}, {0});
    CHECK(bench.content(0x2000, 1) == Bytes{0xFF});
    bench.program(0x2000, {0xF0, 0x55});
    CHECK(bench.flash_status() == 3);  // WIP, WEL
    // Only the status is read while it works.
    CHECK(bench.content(0x2000, 2) == Bytes{0, 0});
    bench.now += 152 * kUs;
    CHECK(bench.flash_status() == 0);
    CHECK(bench.content(0x2000, 2) == Bytes{0xF0, 0x55});
    bench.program(0x2000, {0x3C, 0xFF});
    bench.now += kMs;
    CHECK(bench.content(0x2000, 2) == Bytes{0x30, 0x55});
    std::uint8_t mapped[2] = {};
    bench.cells.read(0x2000, mapped, 2);
    CHECK(mapped[0] == 0x30);
}

TEST_CASE("XSPI commands: a page program wraps inside 256 bytes") {
    Bench bench;
    bench.program(0x30FE, {1, 2, 3, 4});
    bench.now += kMs;
    CHECK(bench.content(0x30FE, 3) == Bytes{1, 2, 0xFF});
    CHECK(bench.content(0x3000, 2) == Bytes{3, 4});
}

TEST_CASE("XSPI commands: an erase takes its time, during which automatic polling waits") {
    Bench bench;
    bench.program(0x4000, {0});
    bench.program(0x4FFF, {0});  // ignored: the first one is under way
    bench.now += kMs;
    bench.program(0x5000, {0});
    bench.now += kMs;
    bench.enable_writes();
    bench.send({0x21, kOneLine | kAddress32, 0, 0x4123, 0});
    const Picoseconds erased = bench.now;
    bench.write(kPsmkr, 1);
    bench.write(kPsmar, 0);
    bench.write(kPir, 0x10);
    bench.write(kCr, 1u << 22 | 1);  // APMS
    bench.begin_read({0x05, kOneLine | kData1, 0, 0, 1}, 2);
    bench.now = erased + 24 * kMs;
    CHECK((bench.status() & (kSmf | kBusy)) == kBusy);
    bench.now = erased + 26 * kMs;
    CHECK((bench.status() & (kSmf | kBusy)) == kSmf);
    bench.write(kFcr, kSmf | kTcf);
    bench.write(kCr, 1);
    CHECK(bench.content(0x4000, 1) == Bytes{0xFF});
    CHECK(bench.content(0x5000, 1) == Bytes{0x00});
    bench.enable_writes();
    bench.send({0xDC, kOneLine | kAddress32, 0, 0x5000, 0});
    bench.now += 255 * kMs;
    CHECK((bench.flash_status() & 1) == 1);
    bench.now += 2 * kMs;
    CHECK((bench.flash_status() & 1) == 0);
    CHECK(bench.content(0x5000, 1) == Bytes{0xFF});
}

TEST_CASE("XSPI commands: octal double rate, entered and left by configuration register 2") {
    Bench bench;
    bench.program(0x6000, {0x12, 0x34});
    bench.now += kMs;
    bench.enter_octal();
    CHECK(bench.nor.protocol() == NorFlash::Protocol::Dopi);
    // Commands of the other protocol are not heard.
    CHECK(bench.receive({0x9F, kOneLine | kData1, 0, 0, 3}) == Bytes{2, 2, 2});
    CHECK(bench.receive({0x9F60, kOctalAddress | kOctalData, 5, 0, 6}) ==
          Bytes{0xC2, 0xC2, 0x81, 0x81, 0x3B, 0x3B});
    CHECK(bench.receive({0x718E, kOctalAddress | kOctalData, 5, 0, 2}) == Bytes{2, 2});
    CHECK(bench.receive({0xEE11, kOctalAddress | kOctalData, 20, 0x6000, 2}) == Bytes{0x12, 0x34});
    CHECK(bench.receive({0x5AA5, kOctalAddress | kOctalData, 20, 0, 4}) ==
          Bytes{'S', 'F', 'D', 'P'});
    // The second byte must be the complement of the first.
    CHECK(bench.receive({0x9F61, kOctalAddress | kOctalData, 5, 0, 2}) == Bytes{2, 2});
    bench.send({0x06F9, kOctal});
    bench.transmit({0x12ED, kOctalAddress | kOctalData, 0, 0x6000, 0}, {0x10, 0x30});
    CHECK(bench.receive({0x05FA, kOctalAddress | kOctalData, 5, 0, 2}) == Bytes{3, 3});
    bench.now += kMs;
    CHECK(bench.receive({0xEE11, kOctalAddress | kOctalData, 20, 0x6000, 2}) == Bytes{0x10, 0x30});
    // Reset without its enabling before it is none.
    bench.send({0x9966, kOctal});
    CHECK(bench.nor.protocol() == NorFlash::Protocol::Dopi);
    bench.send({0x6699, kOctal});
    bench.send({0x9966, kOctal});
    CHECK(bench.nor.protocol() == NorFlash::Protocol::Spi);
    CHECK(bench.receive({0x9F, kOneLine | kData1, 0, 0, 3}) == Bytes{0xC2, 0x81, 0x3B});
}

TEST_CASE("XSPI commands: an address that is sent as the first data bytes is an address") {
    Bench bench;
    bench.program(0x6000, {0x12, 0x34});
    bench.now += kMs;
    bench.enable_writes();
    bench.transmit({0x12, kOneLine | kData1, 0, 0, 0}, {0x00, 0x00, 0x60, 0x01, 0x30});
    bench.now += kMs;
    CHECK(bench.content(0x6000, 2) == Bytes{0x12, 0x30});
    bench.enable_writes();
    bench.transmit({0x72, kOneLine | kData1, 0, 0, 0}, {0, 0, 3, 0, 7});
    bench.now += kMs;
    CHECK(bench.receive({0x71, kOneLine | kAddress32 | kData1, 0, 0x300, 1}) == Bytes{7});
    bench.enable_writes();
    bench.transmit({0x20, kOneLine | kData1, 0, 0, 0}, {0x00, 0x60, 0x00});
    bench.now += 1000 * kMs;
    CHECK(bench.content(0x6000, 2) == Bytes{0xFF, 0xFF});
    bench.enable_writes();
    bench.transmit({0x72, kOneLine | kData1, 0, 0, 0}, {0, 0, 0, 0, 2});
    CHECK(bench.nor.protocol() == NorFlash::Protocol::Dopi);
}

TEST_CASE("XSPI commands: configuration register 2 is written without a wait, as drivers do it") {
    Bench bench;
    bench.enable_writes();
    bench.transmit({0x72, kOneLine | kAddress32 | kData1, 0, 0x300, 0}, {0});
    CHECK(bench.flash_status() == 0);  // neither WIP nor WEL
    bench.enable_writes();
    bench.transmit({0x72, kOneLine | kAddress32 | kData1, 0, 0, 0}, {2});
    CHECK(bench.nor.protocol() == NorFlash::Protocol::Dopi);
    // Public loaders wait for WIP = 0 or WEL = 1 in the protocol that they have just left.
    CHECK(bench.flash_status() == 2);
}

TEST_CASE("XSPI commands: 8 lines at double rate are sixteen times as fast") {
    Bench bench;
    bench.enter_octal();
    const Picoseconds start = bench.now;
    bench.begin_read({0xEE11, kOctalAddress | kOctalData, 20, 0, 64});
    bench.wait(kTcf);
    // 1 + 2 + 20 clocks, and 32 for the data.
    CHECK(bench.now - start >= 55 * 20'000);
    CHECK(bench.now - start < 55 * 20'000 + 20'000);
}

TEST_CASE("XSPI commands: abort ends a transfer, an address beyond the device is an error") {
    Bench bench;
    bench.begin_read({0x0C, kOneLine | kAddress32 | kData1, 8, 0, 100});
    bench.now += 10 * kUs;
    bench.write(kCr, bench.read(kCr) | 2);
    CHECK((bench.read(kCr) & 2) == 0);
    bench.wait(kTcf);
    CHECK((bench.status() & kBusy) == 0);
    CHECK((bench.status() >> 8 & 0x7F) == 0);
    bench.write(kFcr, kTcf);
    bench.begin_read({0x0C, kOneLine | kAddress32 | kData1, 8, 1u << 27, 4});
    CHECK((bench.status() & (kTef | kBusy)) == kTef);
    bench.write(kFcr, kTef);
    CHECK((bench.status() & kTef) == 0);
}

TEST_CASE("XSPI commands: nothing starts before the driver says so") {
    Bench bench;
    // Data to come, in indirect write mode: a read has not begun.
    bench.configure({0x0C, kOneLine | kAddress32 | kData1, 8, 0, 4});
    bench.now += kMs;
    CHECK((bench.status() & (kBusy | kTcf)) == 0);
    bench.set_mode(1);
    CHECK((bench.status() & kBusy) == 0);
    bench.write(kAr, 0);
    CHECK((bench.status() & kBusy) != 0);
    bench.write(kCr, 0);
    bench.write(kIr, 0x06);
    CHECK((bench.status() & kBusy) == 0);
}

TEST_CASE("XSPI commands: lines to interrupts and DMA follow flags and enables") {
    Bench bench;
    bool interrupt = false, request = false;
    bench.xspi.on_interrupt = [&](bool level) { interrupt = level; };
    bench.xspi.on_dma_request = [&](bool level) { request = level; };
    bench.send({0x06, kOneLine});
    CHECK_FALSE(interrupt);
    bench.write(kCr, 1u << 17 | 1u << 2 | 3u << 8 | 1);  // TCIE, DMAEN, threshold of 4 bytes
    bench.begin_read({0x0C, kOneLine | kAddress32 | kData1, 8, 0, 6});
    bench.now += Picoseconds{48 + 4 * 8} * 20'000;
    CHECK((bench.status() & kFtf) != 0);
    bench.write(kPir, 0);  // any access brings the lines up to date
    CHECK(request);
    CHECK_FALSE(interrupt);
    bench.now += kUs;
    bench.write(kPir, 0);
    CHECK(interrupt);
    bench.write(kFcr, kTcf);
    CHECK_FALSE(interrupt);
    bench.xspi.reset();
    CHECK_FALSE(request);
}

TEST_CASE("PSRAM commands: mode registers, array") {
    BackingStore cells(32u << 20, 0x5A);
    PsramDevice psram(cells);
    const auto phase = SerialCommand::Phase{8, 1, false};
    const auto run = [&](std::uint32_t opcode, std::uint32_t address, const Bytes& written,
                         std::size_t count) {
        SerialCommand command;
        command.instruction_phase = phase;
        command.instruction = opcode;
        command.address = address;
        psram.begin(command, 0);
        for (const std::uint8_t byte : written) psram.write(byte);
        Bytes result;
        for (std::size_t i = 0; i < count; ++i) result.push_back(psram.read(0));
        psram.end(0);
        return result;
    };
    CHECK(run(0x40, 1, {}, 1) == Bytes{0x0D});
    CHECK((run(0x40, 2, {}, 1).front() & 0xE7) == 0xC7);
    (void)run(0xC0, 0, {0x30, 0}, 0);
    (void)run(0xC0, 8, {0x40}, 0);
    const Bytes density = run(0x40, 2, {}, 1);
    for (const std::uint32_t read_only : {1u, 2u}) (void)run(0xC0, read_only, {0x77}, 0);
    CHECK(run(0x40, 0, {}, 2) == Bytes{0x30, 0x30});
    CHECK(run(0x40, 8, {}, 1) == Bytes{0x40});
    CHECK(run(0x40, 1, {}, 1) == Bytes{0x0D});
    CHECK(run(0x40, 2, {}, 1) == density);
    (void)run(0xA0, 0x1000, {1, 2, 3}, 0);
    CHECK(run(0x20, 0x1001, {}, 3) == Bytes{2, 3, 0x5A});
    (void)run(0xFF, 0, {}, 0);
    CHECK(run(0x40, 8, {}, 1) == Bytes{0});
    CHECK(run(0x40, 99, {}, 1) == Bytes{0});
}

// SPDX-License-Identifier: Apache-2.0
// FDCAN as its drivers use it: configuration, message RAM, loop back, times, filters, FIFOs, and a
// bus without anybody else.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/duration.h"
#include "models/soc/can/fdcan.h"

using namespace n6vp::models;
using n6vp::models::can::Fdcan;
using n6vp::models::can::MessageRam;

namespace {

constexpr std::uint32_t kDbtp = 0x0C, kTest = 0x10, kCccr = 0x18, kNbtp = 0x1C, kTscc = 0x20,
                        kTscv = 0x24, kEcr = 0x40, kPsr = 0x44, kIr = 0x50, kIe = 0x54, kIls = 0x58,
                        kIle = 0x5C, kGfc = 0x80, kSidfc = 0x84, kXidfc = 0x88, kXidam = 0x90,
                        kHpms = 0x94, kNdat1 = 0x98, kRxf0c = 0xA0, kRxf0s = 0xA4, kRxf0a = 0xA8,
                        kRxbc = 0xAC, kRxf1c = 0xB0, kRxf1s = 0xB4, kRxesc = 0xBC, kTxbc = 0xC0,
                        kTxfqs = 0xC4, kTxesc = 0xC8, kTxbrp = 0xCC, kTxbar = 0xD0, kTxbcr = 0xD4,
                        kTxbto = 0xD8, kTxbcf = 0xDC, kTxbtie = 0xE0, kTxbcie = 0xE4, kTxefc = 0xF0,
                        kTxefs = 0xF4, kTxefa = 0xF8;
constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kInit = 1, kCce = 2, kMon = 32, kDar = 64, kTestMode = 128, kFdoe = 256,
                        kBrse = 512;
/// Words of the message RAM: filters, receive FIFOs of 4 elements of 8 bytes, a receive buffer,
/// events, transmit elements of 8 bytes.
constexpr std::uint32_t kStandard = 0, kExtended = 8, kFifo0 = 24, kFifo1 = 40, kBuffers = 56,
                        kEvents = 64, kTransmit = 80;
constexpr std::uint32_t kExtendedId = 1u << 30, kRemote = 1u << 29;

/// Kernel clock 100 MHz. A bit takes 1 us with its sample point at 75 %, in the data phase 0.25 us
/// with 20 clocks before the sample point and 5 behind it.
struct Bench {
    MessageRam ram{"SRAMCAN"};
    Fdcan can{"fdcan1", "FDCAN1", ram};
    Picoseconds now = 0;
    std::vector<std::pair<unsigned, bool>> lines;

    explicit Bench(std::uint32_t modes = kTestMode, std::uint32_t transmit = 4u << 24) {
        can.on_interrupt = [this](unsigned line, bool level) { lines.emplace_back(line, level); };
        can.set_kernel_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(kCccr, kInit);
        set(kCccr, kInit | kCce);
        set(kCccr, kInit | kCce | modes);
        if ((modes & kTestMode) != 0) set(kTest, 1u << 4);
        set(kNbtp, 73u << 8 | 24);
        set(kDbtp, 18u << 8 | 4u << 4);
        set(kSidfc, kStandard << 2 | 8u << 16);
        set(kXidfc, kExtended << 2 | 8u << 16);
        set(kRxf0c, kFifo0 << 2 | 4u << 16);
        set(kRxf1c, kFifo1 << 2 | 4u << 16);
        set(kRxbc, kBuffers << 2);
        set(kTxefc, kEvents << 2 | 4u << 16);
        set(kTxbc, kTransmit << 2 | transmit);
        modes_ = modes;
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        (void)can.write(offset, value, kWord, now);
    }
    std::uint32_t get(std::uint32_t offset) { return can.read(offset, now).value; }
    void pass_us(double us) {
        now += ns_to_ps(us * 1e3);
        sc_core::sc_start(delay_until(now));
    }
    /// Leaves INIT and waits for 11 bits.
    void start() {
        set(kCccr, modes_);
        pass_us(11);
    }
    void put(unsigned buffer, std::uint32_t head, std::uint32_t second, std::uint32_t data = 0) {
        ram.set(kTransmit + buffer * 4, head);
        ram.set(kTransmit + buffer * 4 + 1, second);
        ram.set(kTransmit + buffer * 4 + 2, data);
        ram.set(kTransmit + buffer * 4 + 3, data);
    }
    /// Sends an empty frame by buffer 0 and waits for it.
    void send(std::uint32_t head) {
        put(get(kTxfqs) >> 16 & 0x1F, head, 0);
        set(kTxbar, 1u << (get(kTxfqs) >> 16 & 0x1F));
        pass_us(200);
        REQUIRE(get(kTxbrp) == 0);
    }
    unsigned in_fifo(unsigned fifo) { return get(fifo == 0 ? kRxf0s : kRxf1s) & 0x7F; }
    std::uint32_t modes_ = 0;
};

constexpr std::uint32_t standard(std::uint32_t identifier) {
    return identifier << 18;
}

}  // namespace

TEST_CASE("timing: fdcan loops a frame of CAN back in its bit times") {
    Bench bench;
    bench.set(kCccr, kTestMode);
    bench.put(0, standard(0x555), 0);
    bench.set(kTxbar, 1);
    bench.pass_us(11);  // before, the bus may be busy
    // 44 bits and one stuff bit: 0x555 is followed by seven zeros.
    bench.pass_us(45 - 0.001);
    CHECK(bench.get(kTxbrp) == 1);
    CHECK((bench.get(kPsr) >> 3 & 3) == 3);
    CHECK(bench.in_fifo(0) == 0);
    bench.pass_us(0.001);
    CHECK(bench.get(kTxbrp) == 0);
    CHECK(bench.get(kTxbto) == 1);
    CHECK(bench.in_fifo(0) == 1);
    CHECK(bench.ram.get(kFifo0) == standard(0x555));
    CHECK(bench.ram.get(kFifo0 + 1) == 1u << 31);  // by no filter
    CHECK((bench.get(kPsr) & 0x1F) == 8);          // idle, no error
    CHECK((bench.get(kPsr) & 7) == 7);             // nothing since
}

TEST_CASE("timing: fdcan sends the data phase of a fast frame at its own rate") {
    Bench bench(kTestMode | kFdoe | kBrse);
    bench.start();
    bench.put(0, standard(0x555), 3u << 20 | 8u << 16, 0x55555555);
    bench.set(kTxbar, 1);
    // 16 bits; BRS 75 + 5 clocks; ESI, DLC, 64 bits of data, 27 of stuff count and CRC without any
    // dynamic stuff bit; CRC delimiter 20 + 25 clocks; 9 bits: 50.25 us.
    bench.pass_us(50.25 - 0.001);
    CHECK(bench.get(kTxbrp) == 1);
    bench.pass_us(0.001);
    CHECK(bench.get(kTxbrp) == 0);
    CHECK(bench.ram.get(kFifo0 + 1) == (1u << 31 | 3u << 20 | 8u << 16));
    CHECK(bench.ram.get(kFifo0 + 2) == 0x55555555);
    CHECK((bench.get(kPsr) & 0x3F07) == 0x3000);  // an FD frame with BRS, no error
}

TEST_CASE("fdcan: the loop back of the HAL's example, with filters, FIFOs and events") {
    Bench bench(kTestMode | kFdoe | kBrse, 1u << 16 | 3u << 24);
    bench.ram.set(kStandard, 1u << 30 | 1u << 27 | 0x444u << 16 | 0x444);
    bench.ram.set(kExtended, 2u << 29 | 0x1111111);
    bench.ram.set(kExtended + 1, 3u << 30 | 0x2222222);
    bench.set(kGfc, 3 | 2u << 2 | 2u << 4);
    bench.set(kRxf0c, kFifo0 << 2 | 1u << 16);
    bench.set(kRxf1c, kFifo1 << 2 | 2u << 16);
    bench.start();
    CHECK(bench.get(kTxfqs) == (3 | 1u << 8 | 1u << 16));
    const std::uint32_t second = 1u << 23 | 3u << 20 | 2u << 16;
    bench.put(1, standard(0x444), 0x52u << 24 | second, 0x4433);
    bench.put(2, 1u << 31 | kExtendedId | 0x1111112, 0xCCu << 24 | second, 0x6655);
    bench.put(3, kExtendedId | 0x1111113, 0xDDu << 24 | (second & ~(1u << 20)), 0x8877);
    for (unsigned buffer = 1; buffer <= 3; ++buffer) bench.set(kTxbar, 1u << buffer);
    CHECK((bench.get(kTxfqs) >> 21 & 1) == 1);  // full
    bench.pass_us(400);
    CHECK(bench.get(kTxfqs) == (3 | 1u << 8 | 1u << 16));
    CHECK(bench.get(kRxf0s) == (1 | 1u << 24));
    CHECK(bench.get(kRxf1s) == (2 | 1u << 24));
    CHECK(bench.ram.get(kFifo0) == standard(0x444));
    CHECK(bench.ram.get(kFifo0 + 1) == (3u << 20 | 2u << 16));
    CHECK(bench.ram.get(kFifo0 + 2) == 0x4433);
    CHECK(bench.ram.get(kFifo1) == (1u << 31 | kExtendedId | 0x1111112));
    CHECK(bench.ram.get(kFifo1 + 4) == (kExtendedId | 0x1111113));
    CHECK(bench.ram.get(kFifo1 + 5) == (1u << 21 | 2u << 16));
    CHECK(bench.get(kTxefs) == (3 | 3u << 16));
    CHECK(bench.ram.get(kEvents) == standard(0x444));
    CHECK(bench.ram.get(kEvents + 1) == (0x52u << 24 | 1u << 22 | 3u << 20 | 2u << 16));
    bench.set(kTxefa, 2);
    CHECK(bench.get(kTxefs) == (3u << 8 | 3u << 16));
    bench.set(kRxf0a, 0);
    CHECK(bench.get(kRxf0s) == 0);
}

TEST_CASE("fdcan: filters of standard identifiers, the first that matches decides") {
    Bench bench(kTestMode | kMon);
    const auto filter = [&](unsigned index, unsigned type, unsigned action, std::uint32_t first,
                            std::uint32_t second) {
        bench.ram.set(kStandard + index, type << 30 | action << 27 | first << 16 | second);
    };
    filter(0, 0, 0, 0x000, 0x7FF);  // off
    filter(1, 0, 2, 0x100, 0x10F);  // a range to FIFO 1
    filter(2, 2, 3, 0x200, 0x7F0);  // a mask: rejected
    filter(3, 3, 1, 0x000, 0x7FF);  // disabled by its type
    filter(4, 1, 6, 0x300, 0x301);  // either, with priority, to FIFO 1
    filter(5, 0, 7, 0x400, 0x001);  // to receive buffer 1
    filter(6, 0, 4, 0x500, 0x500);  // priority only
    bench.set(kGfc, 1u << 4);       // others to FIFO 1, too
    bench.start();
    const auto taken = [&](std::uint32_t identifier) {
        const std::uint32_t before = bench.in_fifo(1);
        bench.send(standard(identifier));
        const bool stored = bench.in_fifo(1) != before;
        const std::uint32_t index = bench.get(kRxf1s) >> 8 & 0x3F;
        const std::uint32_t word = bench.ram.get(kFifo1 + 4 * index + 1);
        if (stored) bench.set(0xB8, index);
        return stored ? word >> 24 : 0xFFu;
    };
    CHECK(taken(0x0FF) == 0x80);
    CHECK(taken(0x100) == 1);
    CHECK(taken(0x10F) == 1);
    CHECK(taken(0x110) == 0x80);
    CHECK(taken(0x20A) == 0xFF);
    CHECK(taken(0x210) == 0x80);
    CHECK((bench.get(kIr) >> 8 & 1) == 0);
    CHECK(taken(0x301) == 4);
    CHECK((bench.get(kIr) >> 8 & 1) == 1);
    CHECK((bench.get(kHpms) >> 6) == (4u << 2 | 3));
    CHECK(taken(0x400) == 0xFF);
    CHECK(bench.get(kNdat1) == 2);
    CHECK(bench.ram.get(kBuffers + 4) == standard(0x400));
    bench.set(kNdat1, 2);
    CHECK(bench.get(kNdat1) == 0);
    CHECK(taken(0x500) == 0xFF);
    CHECK((bench.get(kHpms) >> 6) == 6u << 2);
}

TEST_CASE("fdcan: filters of extended identifiers with and without the mask, and remote frames") {
    Bench bench;
    const auto filter = [&](unsigned index, unsigned type, unsigned action, std::uint32_t first,
                            std::uint32_t second) {
        bench.ram.set(kExtended + 2 * index, action << 29 | first);
        bench.ram.set(kExtended + 2 * index + 1, type << 30 | second);
    };
    filter(0, 0, 1, 0x00010, 0x00020);  // range, of what the mask leaves
    filter(1, 3, 2, 0x12340, 0x12350);  // range without the mask
    filter(2, 1, 1, 0x00099, 0x00077);
    bench.set(kXidam, 0x0FF);
    bench.set(kGfc, 2u << 2 | 2u << 4 | 2);  // reject others; remote standard frames, too
    bench.start();
    const auto where = [&](std::uint32_t head) {
        const unsigned zero = bench.in_fifo(0), one = bench.in_fifo(1);
        bench.send(head);
        const unsigned in0 = bench.in_fifo(0) - zero, in1 = bench.in_fifo(1) - one;
        if (in0 != 0) bench.set(kRxf0a, bench.get(kRxf0s) >> 8 & 0x3F);
        if (in1 != 0) bench.set(0xB8, bench.get(kRxf1s) >> 8 & 0x3F);
        return in0 + 2 * in1;
    };
    CHECK(where(kExtendedId | 0x1234F) == 2);
    CHECK(where(kExtendedId | 0xABC15) == 1);
    CHECK(where(kExtendedId | 0xABC21) == 0);
    CHECK(where(kExtendedId | 0x77) == 1);
    CHECK(where(kExtendedId | kRemote | 0x77) == 1);
    CHECK(where(standard(0x77)) == 0);
}

TEST_CASE("fdcan: full receive FIFOs block or overwrite, with watermark and both interrupt lines") {
    Bench bench;
    bench.set(kRxf0c, kFifo0 << 2 | 2u << 16 | 2u << 24);                  // blocks, watermark 2
    bench.set(kRxf1c, kFifo1 << 2 | 2u << 16 | 1u << 31);                  // overwrites
    bench.ram.set(kStandard, 0u << 30 | 2u << 27 | 0x100u << 16 | 0x1FF);  // to FIFO 1
    bench.start();
    bench.set(kIe, 0xFF);
    bench.set(kIls, 0xF0);
    bench.set(kIle, 3);
    bench.send(standard(1));
    CHECK((bench.get(kIr) & 0xFF) == 1);
    bench.send(standard(2));
    CHECK((bench.get(kIr) & 0xFF) == 7);  // watermark and full
    bench.send(standard(3));
    CHECK((bench.get(kIr) & 0xFF) == 0xF);
    CHECK(bench.get(kRxf0s) == (2 | 3u << 24));  // get and put at 0, full, one lost
    CHECK(bench.ram.get(kFifo0) == standard(1));
    CHECK(bench.lines == std::vector<std::pair<unsigned, bool>>{{0, true}});
    bench.set(kIr, 0xF);
    CHECK(bench.lines.back() == std::pair<unsigned, bool>{0, false});
    CHECK((bench.get(kRxf0s) >> 25) == 0);
    bench.send(standard(0x101));
    CHECK(bench.lines.back() == std::pair<unsigned, bool>{1, true});
    bench.send(standard(0x102));
    bench.send(standard(0x103));
    CHECK(bench.get(kRxf1s) == (2 | 1u << 8 | 1u << 16 | 1u << 24));
    CHECK(bench.ram.get(kFifo1) == standard(0x103));
    bench.set(kRxf0a, 1);  // both at once
    CHECK(bench.get(kRxf0s) == 0);
}

TEST_CASE(
    "fdcan: buffers are sent by identifier, those of a FIFO in their order, and cancellation") {
    Bench bench(kTestMode, 2u << 16 | 2u << 24);
    bench.start();
    bench.set(kTxbtie, kWord);
    bench.set(kTxbcie, kWord);
    bench.put(0, standard(0x300), 0);
    bench.put(1, standard(0x100), 0);
    bench.put(2, standard(0x200), 0);  // FIFO
    bench.put(3, standard(0x050), 0);
    bench.set(kTxbar, 15);
    CHECK(bench.get(kTxfqs) == (2u << 8 | 2u << 16 | 1u << 21));
    bench.set(kTxbcr, 1);
    CHECK(bench.get(kTxbcf) == 1);
    CHECK(bench.get(kTxbrp) == 14);
    CHECK((bench.get(kIr) >> 9 & 3) == 2);
    bench.pass_us(300);
    CHECK(bench.get(kTxbto) == 14);
    CHECK((bench.get(kIr) >> 9 & 7) == 7);  // transmitted, cancelled, FIFO empty
    CHECK(bench.get(kRxf0s) == (3 | 3u << 16));
    CHECK(bench.ram.get(kFifo0) == standard(0x100));
    CHECK(bench.ram.get(kFifo0 + 4) == standard(0x200));
    CHECK(bench.ram.get(kFifo0 + 8) == standard(0x050));
    bench.set(kTxbar, 1);
    CHECK(bench.get(kTxbcf) == 0);
}

TEST_CASE("fdcan: a queue sends the lowest identifier first") {
    Bench bench(kTestMode, 3u << 24 | 1u << 30);
    bench.start();
    bench.put(0, standard(0x300), 0);
    bench.put(1, kExtendedId | 0x100u << 18, 0);
    bench.put(2, standard(0x100), 0);
    bench.set(kTxbar, 7);
    CHECK(bench.get(kTxfqs) == (2u << 16 | 1u << 21));
    bench.pass_us(300);
    CHECK(bench.ram.get(kFifo0) == standard(0x100));
    CHECK(bench.ram.get(kFifo0 + 4) == (kExtendedId | 0x100u << 18));
    CHECK(bench.ram.get(kFifo0 + 8) == standard(0x300));
    CHECK(bench.get(kTxfqs) == 0);
}

TEST_CASE("timing: fdcan alone on the bus is never acknowledged and becomes error passive") {
    Bench bench(0);
    bench.start();
    bench.put(0, standard(0x555), 0);
    CHECK_FALSE(bench.can.write(kTxbar, 1, kWord, bench.now).modelled);
    // 37 bits to the end of the acknowledge slot; flag, delimiter and intermission take 17.
    bench.pass_us(37 - 0.001);
    CHECK(bench.get(kEcr) == 0);
    bench.pass_us(0.001);
    CHECK(bench.get(kEcr) == (8 | 1u << 16));
    CHECK(bench.get(kEcr) == 8);
    CHECK((bench.get(kPsr) & 7) == 3);
    CHECK((bench.get(kIr) >> 27 & 1) == 1);
    bench.pass_us(54 * 10);
    CHECK((bench.get(kEcr) & 0xFF) == 88);
    CHECK((bench.get(kPsr) & 0xE0) == 0);
    bench.pass_us(54);
    CHECK((bench.get(kPsr) & 0xE0) == 0x40);  // warning
    bench.pass_us(54 * 4);
    CHECK((bench.get(kPsr) & 0xE0) == 0x60);  // passive
    CHECK((bench.get(kIr) >> 23 & 7) == 3);
    bench.pass_us(54 + 62 * 100);  // with 8 bits of suspension
    CHECK((bench.get(kEcr) & 0xFF) == 128);
    CHECK((bench.get(kPsr) & 0xE0) == 0x60);  // never off
    CHECK(bench.get(kTxbrp) == 1);
    CHECK(bench.can.statistics().unacknowledged == 117);
}

TEST_CASE("fdcan: without repetition a request that nobody acknowledges is over") {
    Bench bench(kDar);
    bench.start();
    bench.put(0, standard(0x555), 0);
    bench.set(kTxbar, 1);
    bench.pass_us(37);
    CHECK(bench.get(kTxbrp) == 0);
    CHECK(bench.get(kTxbto) == 0);
    CHECK(bench.get(kTxbcf) == 1);
    CHECK(bench.get(kTxfqs) == (4 | 1u << 8 | 1u << 16));
}

TEST_CASE("fdcan: a controller that only listens sends nothing") {
    Bench bench(kMon);
    bench.start();
    bench.put(0, standard(0x555), 0);
    bench.set(kTxbar, 1);
    bench.pass_us(1000);
    CHECK(bench.get(kTxbrp) == 1);
    CHECK(bench.get(kEcr) == 0);
}

TEST_CASE("fdcan: time stamps count bits, and wrap with a flag") {
    Bench bench;
    bench.set(kTscc, 1);
    bench.start();
    CHECK(bench.get(kTscv) == 11);
    bench.set(kTscv, 0);
    bench.put(0, standard(0x555), 1u << 23);
    bench.set(kTxbar, 1);
    bench.pass_us(45);
    CHECK(bench.get(kTxbto) == 1);
    CHECK((bench.ram.get(kFifo0 + 1) & 0xFFFF) == 45);
    CHECK((bench.ram.get(kEvents + 1) & 0xFFFF) == 45);
    bench.set(kIe, 1u << 16);
    bench.set(kIle, 1);
    bench.pass_us(65536 - 45 - 1);
    CHECK(bench.lines.empty());
    bench.pass_us(1.001);
    CHECK(bench.lines.size() == 1);
    CHECK(bench.get(kTscv) == 0);
}

TEST_CASE("fdcan: configuration is protected, CCE forgets messages, INIT stops") {
    Bench bench;
    CHECK(bench.get(0x04) == 0x87654321);
    bench.start();
    CHECK(bench.get(kCccr) == kTestMode);
    bench.set(kGfc, 3);
    CHECK(bench.get(kGfc) == 0);
    bench.set(kNbtp, 0);
    CHECK(bench.get(kNbtp) == (73u << 8 | 24));
    bench.send(standard(1));
    bench.put(1, standard(2), 0);
    bench.set(kTxbar, 2);
    bench.pass_us(10);
    bench.set(kCccr, kInit | kTestMode);
    bench.pass_us(1000);
    CHECK(bench.in_fifo(0) == 1);
    CHECK(bench.get(kTxbrp) == 2);
    bench.set(kCccr, kInit | kTestMode | kCce);
    CHECK(bench.in_fifo(0) == 0);
    CHECK(bench.get(kTxbrp) == 0);
    CHECK(bench.get(kTxbto) == 0);
    bench.set(kCccr, kInit);  // the test mode ends, and with it the loop back
    CHECK(bench.get(kTest) == 0);
    bench.set(kCccr, 16);  // clock stop
    CHECK(bench.get(kCccr) == (kInit | 8 | 16));
    bench.can.reset();
    CHECK(bench.get(kCccr) == kInit);
    CHECK(bench.get(kNbtp) == 0x06000A03);
    CHECK(bench.get(kXidam) == 0x1FFFFFFF);
    CHECK(bench.get(kPsr) == 0x707);
}

TEST_CASE("fdcan: elements of the sizes of RXESC and TXESC") {
    Bench bench(kTestMode | kFdoe, 1u << 16);
    bench.set(kTxesc, 7);
    bench.set(kRxesc, 5);  // 32 bytes in FIFO 0
    bench.set(kRxf0c, 200u << 2 | 2u << 16);
    bench.start();
    bench.ram.set(kTransmit, standard(5));
    bench.ram.set(kTransmit + 1, 1u << 21 | 15u << 16);
    for (std::uint32_t i = 0; i < 16; ++i) bench.ram.set(kTransmit + 2 + i, 0x01010101 * i);
    bench.set(kTxbar, 1);
    bench.pass_us(1000);
    CHECK(bench.ram.get(200 + 1) == (1u << 31 | 1u << 21 | 15u << 16));
    CHECK(bench.ram.get(200 + 2 + 7) == 0x07070707);
    CHECK(bench.ram.get(200 + 2 + 8) == 0);  // no room
}

TEST_CASE("fdcan: what is not modelled says so") {
    Bench bench;
    const auto says = [&](std::uint32_t offset, std::uint32_t value) {
        return bench.can.write(offset, value, kWord, bench.now).modelled;
    };
    CHECK(says(kCccr, kInit | kCce | kTestMode));
    CHECK_FALSE(says(kCccr, kInit | kCce | kTestMode | 1u << 15));  // NISO
    CHECK_FALSE(says(kTest, 2u << 5));                              // a pin
    CHECK_FALSE(says(kDbtp, 1u << 23));                             // TDC
    CHECK_FALSE(says(kTscc, 2));                                    // a timer
    CHECK_FALSE(says(0x28, 1));                                     // time-out
    CHECK_FALSE(says(0x14, 1));                                     // RAM watchdog
    CHECK(says(0x108, 1u << 16));
    CHECK_FALSE(says(0x108, 1));  // time-triggered
    CHECK_FALSE(bench.can.read(0x08, bench.now).modelled);
    CHECK(std::string(bench.can.read(kRxf0s, bench.now).name) == "RXF0S");
}

// SPDX-License-Identifier: Apache-2.0
// SDMMC: commands, data path, FIFO, errors. Times are counted here in bits on the lines.
#include "tests/models/soc/sdmmc/sdmmc_bench.h"

using namespace n6vp::models;
using n6vp::test::SdmmcBench;
using Bench = SdmmcBench;

namespace {

/// Reads a block by so many lines and looks at its times.
void read_by(unsigned lines) {
    Bench bench;
    bench.initialise(lines);
    bench.set(Bench::kTimer, 0xFFFFFFFF);
    bench.set(Bench::kLen, 512);
    bench.set(Bench::kCtrl, Bench::kBlock512 | Bench::kRead);
    bench.set(Bench::kArg, 3);
    const Picoseconds start = Bench::now();
    bench.set(Bench::kMask, Bench::kRxHalf);
    bench.set(Bench::kCmd, 17 | Bench::kShort | Bench::kTrans | Bench::kGo);
    while (!bench.line) Bench::pass(10'000);
    // Command, access, start bit, data; the line is looked at each 10 ns.
    const Picoseconds data = 48 * Bench::kBit + 200 * Bench::kUs + Bench::kBit +
                             Picoseconds{512} * 8 / lines * Bench::kBit;
    CHECK(Bench::now() - start >= data);
    CHECK(Bench::now() - start <= data + 10'000);
    const std::vector<std::uint32_t> words = bench.take(128);
    CHECK(words[0] == Bench::word(3, 0));
    CHECK(words[127] == Bench::word(3, 127));
    CHECK_FALSE(bench.line);
    CHECK((bench.get(Bench::kSta) & Bench::kDataEnd) == 0);
    Bench::pass(17 * Bench::kBit);
    CHECK(bench.get(Bench::kSta) == (Bench::kDataEnd | Bench::kCmdrEnd));
}

}  // namespace

TEST_CASE("SDMMC: a command without response is sent, one without a card times out") {
    Bench bench(false);
    bench.set(Bench::kCmd, 0 | Bench::kGo);
    CHECK(bench.get(Bench::kSta) == Bench::kCpsm);
    Bench::pass(48 * Bench::kBit - 1);
    CHECK(bench.get(Bench::kSta) == Bench::kCpsm);
    Bench::pass(1);
    CHECK(bench.get(Bench::kSta) == Bench::kCmdSent);
    CHECK((bench.get(Bench::kCmd) & Bench::kGo) == 0);
    bench.set(Bench::kIcr, Bench::kCmdSent);
    bench.set(Bench::kMask, Bench::kCtimeout);
    bench.set(Bench::kCmd, 8 | Bench::kShort | Bench::kGo);
    Bench::pass((48 + 64) * Bench::kBit - 1);
    CHECK_FALSE(bench.line);
    Bench::pass(2);  // the kernel leaves what happens at the end of this time
    CHECK(bench.line);
    CHECK(bench.get(Bench::kSta) == Bench::kCtimeout);
    bench.set(Bench::kIcr, Bench::kCtimeout);
    CHECK_FALSE(bench.line);
}

TEST_CASE("SDMMC: responses take their bits behind the gap") {
    Bench bench;
    CHECK(bench.send(0, 0, Bench::kNone) == Bench::kCmdSent);
    bench.set(Bench::kArg, 0x1AA);
    bench.set(Bench::kCmd, 8 | Bench::kShort | Bench::kGo);
    Bench::pass((48 + 8 + 48) * Bench::kBit - 1);
    CHECK(bench.get(Bench::kSta) == Bench::kCpsm);
    Bench::pass(1);
    CHECK(bench.get(Bench::kSta) == Bench::kCmdrEnd);
    CHECK(bench.get(Bench::kRespcmd) == 8);
    CHECK(bench.get(Bench::kResp1) == 0x1AA);
    bench.set(Bench::kIcr, Bench::kCmdrEnd);
    // R3 has no CRC: a host that checks one finds it wrong, as drivers know.
    CHECK(bench.send(55, 0, Bench::kShort) == Bench::kCmdrEnd);
    CHECK(bench.send(41, 0x40FF8000, Bench::kShort) == Bench::kCcrcFail);
    CHECK(bench.get(Bench::kRespcmd) == 63);
    CHECK(bench.send(55, 0, Bench::kShort) == Bench::kCmdrEnd);
    CHECK(bench.send(41, 0x40FF8000, Bench::kNoCrc) == Bench::kCmdrEnd);
    // A short response where a long one was awaited.
    CHECK(bench.send(55, 0, Bench::kLong) == Bench::kCcrcFail);
    // Without power there is no clock.
    bench.set(Bench::kPower, 0);
    bench.set(Bench::kCmd, 0 | Bench::kGo);
    Bench::pass(1000 * Bench::kUs);
    CHECK(bench.get(Bench::kSta) == Bench::kCpsm);
}

TEST_CASE("SDMMC: registers of the card come by long responses and by the FIFO") {
    Bench bench;
    bench.initialise(1);
    bench.send(7, 0, Bench::kNone);
    CHECK(bench.send(9, 1u << 16, Bench::kLong) == Bench::kCmdrEnd);
    CHECK(bench.get(Bench::kResp1) == 0x400E0032);
    CHECK((bench.get(Bench::kResp1 + 12) & 1) == 0);
    CHECK(bench.send(7, 1u << 16, Bench::kShort) == Bench::kCmdrEnd);
    // SCR as the driver reads it: the data path waits before the command is sent.
    CHECK(bench.send(55, 1u << 16, Bench::kShort) == Bench::kCmdrEnd);
    bench.set(Bench::kTimer, 0xFFFFFFFF);
    bench.set(Bench::kLen, 8);
    bench.set(Bench::kCtrl, 3u << 4 | Bench::kRead | 1);
    CHECK((bench.get(Bench::kSta) & Bench::kDpsm) != 0);
    CHECK((bench.get(Bench::kSta) & Bench::kRxEmpty) != 0);
    CHECK(bench.send(51, 0, Bench::kShort) == Bench::kCmdrEnd);
    while ((bench.get(Bench::kSta) & Bench::kRxEmpty) != 0) Bench::pass(Bench::kBit);
    CHECK((bench.get(Bench::kSta) & Bench::kDataEnd) == 0);
    CHECK(bench.get(Bench::kFifo) == 0x02800502);
    while ((bench.get(Bench::kSta) & Bench::kRxEmpty) != 0) Bench::pass(Bench::kBit);
    CHECK(bench.get(Bench::kFifo) == 0);
    // DATAEND comes with the CRC when the FIFO is empty by then; the path is idle with it.
    CHECK((bench.get(Bench::kSta) & Bench::kDataEnd) == 0);
    Bench::pass(17 * Bench::kBit);
    CHECK(bench.get(Bench::kSta) == Bench::kDataEnd);
    CHECK(bench.get(Bench::kCount) == 0);
}

TEST_CASE("SDMMC: a block by one line takes its bits, CRC and end bit") {
    read_by(1);
}

TEST_CASE("SDMMC: a block by four lines takes a quarter of the clocks") {
    read_by(4);
}

TEST_CASE("SDMMC: blocks overrun the FIFO unless flow control stops the clock") {
    Bench bench;
    bench.initialise();
    bench.transfer(18, 0, 4);
    CHECK((bench.wait(Bench::kRxOverrun) & (Bench::kRxOverrun | Bench::kDpsm)) ==
          Bench::kRxOverrun);
    CHECK(bench.stop() == Bench::kCmdrEnd);
    bench.set(Bench::kIcr, 0xFFFFFFFF);
    bench.set(Bench::kClkcr, 2 | Bench::kFour | Bench::kFlow);
    bench.transfer(18, 0, 4);
    Bench::pass(2000 * Bench::kUs);
    CHECK((bench.get(Bench::kSta) & (Bench::kRxOverrun | Bench::kDpsm)) == Bench::kDpsm);
    for (std::size_t block = 0; block < 4; ++block) {
        CHECK((bench.wait(Bench::kRxHalf) & Bench::kRxHalf) != 0);
        const std::vector<std::uint32_t> words = bench.take(128);
        CHECK(words[0] == Bench::word(block, 0));
        CHECK(words[77] == Bench::word(block, 77));
    }
    CHECK((bench.wait(Bench::kDataEnd) & Bench::kDataEnd) != 0);
    CHECK(bench.stop() == Bench::kCmdrEnd);
}

TEST_CASE("SDMMC: written blocks reach the card, which is busy behind each") {
    Bench bench;
    bench.initialise();
    bench.transfer(25, 40, 2);
    CHECK((bench.get(Bench::kSta) & Bench::kTxHalf) != 0);
    CHECK(bench.get(Bench::kCount) == 1024);
    for (std::uint32_t i = 0; i < 256; ++i) bench.set(Bench::kFifo, 0x01000000 * (i & 0xFF) + i);
    // Two blocks of 1024 clocks, gaps, CRC and status, and twice 20 us.
    CHECK((bench.get(Bench::kSta) & Bench::kDataEnd) == 0);
    CHECK((bench.wait(Bench::kDataEnd) & Bench::kDpsm) == 0);
    CHECK(bench.get(Bench::kCount) == 0);
    CHECK(bench.card.block(40)[4] == 1);
    CHECK(bench.card.block(41)[0] == 128);
    CHECK(bench.card.block(41)[511] == 255);
    CHECK(bench.stop() == Bench::kCmdrEnd);
    CHECK((bench.get(Bench::kSta) & Bench::kBusyD0) != 0);
    CHECK((bench.get(Bench::kSta) & Bench::kBusyD0End) == 0);
    Bench::pass(500 * Bench::kUs);
    CHECK((bench.get(Bench::kSta) & (Bench::kBusyD0 | Bench::kBusyD0End)) == Bench::kBusyD0End);
}

TEST_CASE("timing: SDMMC: a written block takes its gap, bits, CRC, status and the card's time") {
    Bench bench;
    bench.initialise();
    bench.transfer(24, 7, 1);
    Bench::pass(500 * Bench::kUs);
    const Picoseconds begin = Bench::now();
    for (std::uint32_t i = 0; i < 128; ++i) bench.set(Bench::kFifo, i);
    // Gap of 8, start bit, 1024 clocks of four lines, CRC and end bit, turn-around of two and five
    // bits of status; then 500 us of a single block.
    const Picoseconds bits = (8 + 1 + 1024 + 17 + 2 + 5) * Bench::kBit;
    Bench::pass(begin + bits + 500 * Bench::kUs - 1 - Bench::now());
    CHECK((bench.get(Bench::kSta) & Bench::kDataEnd) == 0);
    Bench::pass(1);
    CHECK((bench.get(Bench::kSta) & Bench::kDataEnd) != 0);
    CHECK(bench.get(Bench::kCount) == 0);
    CHECK(bench.card.block(7)[4] == 1);
}

TEST_CASE("SDMMC: a block whose data do not come in time underruns") {
    Bench bench;
    bench.initialise();
    // Of 1024 bytes half of the FIFO starts the block.
    bench.set(Bench::kTimer, 0xFFFFFFFF);
    bench.set(Bench::kLen, 1024);
    bench.set(Bench::kCtrl, 10u << 4);
    CHECK(bench.send(24, 0, Bench::kShort | Bench::kTrans) == Bench::kCmdrEnd);
    for (unsigned i = 0; i < 128; ++i) bench.set(Bench::kFifo, i);
    CHECK((bench.wait(Bench::kTxUnderrun | Bench::kDataEnd) &
           (Bench::kTxUnderrun | Bench::kDpsm)) == Bench::kTxUnderrun);
    CHECK(bench.card.written().empty());
}

TEST_CASE("SDMMC: flags of the FIFO while it is filled") {
    Bench bench;
    bench.initialise();
    bench.transfer(25, 7, 4);
    constexpr std::uint32_t kFlags = 0x3Fu << 14, kHalfEmpty = 1u << 14, kFull = 1u << 16,
                            kEmpty = 1u << 18;
    // All at one time: of 1024 bytes none leaves it.
    for (std::uint32_t words = 0; words <= 256; ++words) {
        CAPTURE(words);
        std::uint32_t expected = words <= 128 ? kHalfEmpty : 0;
        if (words == 0) expected |= kEmpty;
        if (words == 256) expected |= kFull;
        CHECK((bench.get(Bench::kSta) & kFlags) == expected);
        bench.set(Bench::kFifo, words);
    }
    CHECK(bench.stop() == Bench::kCmdrEnd);
    CHECK((bench.get(Bench::kSta) & kFlags) == 0);  // only with a transfer
}

TEST_CASE("SDMMC: with flow control a block waits for its data with the clock stopped") {
    Bench bench;
    bench.initialise();
    bench.set(Bench::kClkcr, 2 | Bench::kFour | Bench::kFlow);
    bench.set(Bench::kTimer, 0xFFFFFFFF);
    bench.set(Bench::kLen, 1024);
    bench.set(Bench::kCtrl, 10u << 4);
    CHECK(bench.send(24, 0, Bench::kShort | Bench::kTrans) == Bench::kCmdrEnd);
    for (unsigned i = 0; i < 128; ++i) bench.set(Bench::kFifo, i);
    Bench::pass(2000 * Bench::kUs);
    CHECK((bench.get(Bench::kSta) & (Bench::kTxUnderrun | Bench::kDpsm)) == Bench::kDpsm);
    for (unsigned i = 0; i < 128; ++i) bench.set(Bench::kFifo, i);
    // The card, whose blocks have 512 bytes, does not take it.
    CHECK((bench.wait(Bench::kTxUnderrun | Bench::kDcrcFail) &
           (Bench::kTxUnderrun | Bench::kDcrcFail)) == Bench::kDcrcFail);
}

TEST_CASE("SDMMC: STOP_TRANSMISSION aborts a transfer that waits for data") {
    Bench bench;
    bench.initialise();
    bench.transfer(25, 0, 2);
    for (unsigned i = 0; i < 128; ++i) bench.set(Bench::kFifo, i);
    Bench::pass(1000 * Bench::kUs);
    CHECK((bench.get(Bench::kSta) & Bench::kDpsm) != 0);
    CHECK(bench.get(Bench::kCount) == 512);
    CHECK(bench.stop() == Bench::kCmdrEnd);
    CHECK((bench.get(Bench::kSta) & Bench::kDabort) != 0);
    CHECK((bench.get(Bench::kSta) & (Bench::kDpsm | Bench::kTxUnderrun)) == 0);
    CHECK(bench.card.written().size() == 1);
}

TEST_CASE("SDMMC: other lines than the card's fail the CRC, no data the timer") {
    Bench bench;
    bench.initialise();
    bench.set(Bench::kClkcr, 2);
    bench.transfer(17, 1, 1);
    CHECK((bench.wait(Bench::kDcrcFail | Bench::kRxHalf) & Bench::kRxHalf) != 0);
    CHECK((bench.wait(Bench::kDcrcFail) & Bench::kDcrcFail) != 0);
    bench.set(Bench::kIcr, 0xFFFFFFFF);
    bench.set(Bench::kClkcr, 2 | Bench::kFour);
    // 200 us of access are 5000 clocks.
    bench.transfer(17, 1, 1, 4000);
    CHECK((bench.wait(Bench::kDtimeout | Bench::kDataEnd) & Bench::kDtimeout) != 0);
    bench.set(Bench::kIcr, 0xFFFFFFFF);
    CHECK(bench.stop() == Bench::kCmdrEnd);
    bench.transfer(17, 1, 1, 6000);
    CHECK((bench.wait(Bench::kRxHalf | Bench::kDtimeout) & Bench::kRxHalf) != 0);
}

TEST_CASE("SDMMC: what it does not do says so") {
    Bench bench;
    CHECK_FALSE(bench.set(Bench::kPower, 3 | 1u << 3));  // voltage switch
    CHECK_FALSE(bench.set(Bench::kCmd, 1u << 10));       // WAITINT
    CHECK_FALSE(bench.set(Bench::kCmd, 1u << 15));       // boot
    CHECK_FALSE(bench.set(Bench::kCtrl, 1u << 2));       // SDIO blocks
    CHECK_FALSE(bench.set(Bench::kCtrl, 1u << 8));       // read wait
    CHECK_FALSE(bench.set(0x44, 3));                     // FIFO threshold
    CHECK_FALSE(bench.set(0x100, 0));
    CHECK(bench.set(Bench::kPower, 3));
    CHECK(bench.set(Bench::kCmd, 0));
    CHECK(bench.set(Bench::kMask, 0xFFFFFFFF));
    CHECK(bench.get(Bench::kMask) == 0x17E6CFFF);
}

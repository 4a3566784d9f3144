// SPDX-License-Identifier: Apache-2.0
// SAI: frames at the rate of the master clock divider, FIFO and requests, underrun, the end of a
// block, a receiver that the other block clocks. Expected times: formulas of the HAL driver.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/soc/audio/sai.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kCr1 = 0x04, kCr2 = 0x08, kFrcr = 0x0C, kSlotr = 0x10, kIm = 0x14,
                        kSr = 0x18, kClrfr = 0x1C, kDr = 0x20, kB = 0x20;
constexpr std::uint32_t kEnable = 1u << 16, kDma = 1u << 17;
constexpr std::uint32_t kFreq = 8, kOvrudr = 1, kWckcfg = 4;
/// Words of 16 bits, MCKDIV 3: 12.288 MHz / 3 / 256 = 16 kHz.
constexpr std::uint32_t kStereo = 3u << 20 | 4u << 5;
constexpr Picoseconds kFrame = 62'500'000, kUs = 1'000'000;

struct Bench {
    Bench() : unit("sai1", "SAI1", microphone) {
        unit.on_request = [this](unsigned block, bool level, Picoseconds at) {
            if (block == 0) requests.emplace_back(level, at);
        };
        unit.on_interrupt = [this](unsigned block, bool level) {
            interrupts.emplace_back(block, level);
        };
        unit.on_frame = [this](unsigned block, const AudioFrame& frame) {
            CHECK(block == 0);
            frames.push_back(frame);
        };
        unit.set_kernel_hz(12.288e6, 0);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CAPTURE(offset);
        CHECK(unit.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return unit.read(offset, at).value; }
    /// Frames of 32 bits with two slots, a threshold of a quarter: as the board's driver.
    void set_up(std::uint32_t block = 0) {
        set(block + kCr2, 1);
        set(block + kFrcr, 15u << 8 | 31);
        set(block + kSlotr, 3u << 16 | 1u << 8 | 1u << 6);
    }

    SoundSource microphone;
    Sai unit;
    std::vector<std::pair<bool, Picoseconds>> requests;
    std::vector<std::pair<unsigned, bool>> interrupts;
    std::vector<AudioFrame> frames;
};

std::uint32_t level(std::uint32_t sr) {
    return sr >> 16 & 7;
}

}  // namespace

TEST_CASE("timing: sai sends a word in each slot of a frame, 16,000 frames in a second") {
    Bench bench;
    bench.set_up();
    for (const std::uint32_t word : {0x1111u, 0x2222u, 0x3333u, 0x4444u, 0x5555u})
        bench.set(kDr, word);
    CHECK(level(bench.get(kSr, 0)) == 3);  // above half
    bench.set(kCr1, kStereo | kEnable);
    CHECK(level(bench.get(kSr, 0)) == 2);  // the first slot has begun
    CHECK(level(bench.get(kSr, kFrame / 2 - 1)) == 2);
    CHECK(level(bench.get(kSr, kFrame / 2 + 1)) == 2);  // three words of eight
    CHECK(level(bench.get(kSr, kFrame + 1)) == 1);
    REQUIRE(bench.frames.size() == 1);
    const AudioFrame& first = bench.frames[0];
    CHECK(first.at == 0);
    CHECK(first.hz == doctest::Approx(16000));
    CHECK(first.bits == 16);
    REQUIRE(first.slots == 2);
    CHECK(first.words[0] == 0x1111);
    CHECK(first.words[1] == 0x2222);
    (void)bench.get(kSr, 1'000'000 * kUs - 1);
    CHECK(bench.frames.size() == 15999);
    CHECK(bench.frames.back().at == 15998 * kFrame);
}

TEST_CASE("sai: DMA fills the FIFO to its threshold, also before the block is enabled") {
    Bench bench;
    CHECK(bench.get(kSr, 0) == kFreq);
    CHECK(bench.get(kCr1, 0) == 0x40);
    CHECK(bench.get(kFrcr, 0) == 7);
    bench.set_up();
    bench.set(kCr1, kStereo | kDma);
    REQUIRE(bench.requests.size() == 1);
    CHECK(bench.requests[0] == std::pair(true, Picoseconds{0}));
    bench.set(kDr, 1);
    bench.set(kDr, 2, 10);
    CHECK(bench.requests.size() == 1);  // FLVL is 1: less than a quarter
    bench.set(kDr, 3, 20);
    REQUIRE(bench.requests.size() == 2);
    CHECK(bench.requests[1] == std::pair(false, Picoseconds{20}));
    bench.set(kCr1, kStereo | kDma | kEnable, 30);
    CHECK(bench.requests.back() == std::pair(true, Picoseconds{30}));
    // A full FIFO takes no more.
    for (std::uint32_t i = 0; i < 9; ++i) bench.set(kDr, i, 40);
    CHECK(level(bench.get(kSr, 40)) == 5);
    bench.set(kCr2, 1u << 3 | 1, 50);  // FFLUSH
    CHECK(level(bench.get(kSr, 50)) == 0);
    CHECK(bench.get(kCr2, 50) == 1);
}

TEST_CASE("sai: an underrun sends zeros until the slot that missed its word") {
    Bench bench;
    bench.set_up();
    bench.set(kIm, kOvrudr);
    bench.set(kDr, 0xAAAA);
    bench.set(kCr1, kStereo | kEnable);
    CHECK((bench.get(kSr, kFrame / 2 + 1) & kOvrudr) != 0);  // slot 1 of frame 0
    REQUIRE_FALSE(bench.interrupts.empty());
    CHECK(bench.interrupts.back() == std::pair(0u, true));
    bench.set(kClrfr, kOvrudr, kFrame / 2 + 2);
    CHECK(bench.interrupts.back() == std::pair(0u, false));
    bench.set(kDr, 0xBBBB, kFrame / 2 + 2);
    (void)bench.get(kSr, 2 * kFrame + 1);
    REQUIRE(bench.frames.size() == 2);
    CHECK(bench.frames[0].words[0] == 0xAAAA);
    CHECK(bench.frames[0].words[1] == 0);
    CHECK(bench.frames[1].words[0] == 0);
    CHECK(bench.frames[1].words[1] == 0xBBBB);
}

TEST_CASE("sai: SAIEN reads one until the frame under way is over") {
    Bench bench;
    bench.set_up();
    bench.set(kCr1, kStereo | kEnable);
    bench.set(kCr1, kStereo, kFrame / 4);
    CHECK((bench.get(kCr1, kFrame - 1) & kEnable) != 0);
    CHECK((bench.get(kCr1, kFrame + 1) & kEnable) == 0);
    (void)bench.get(kSr, 10 * kFrame);
    CHECK(bench.frames.size() == 1);
}

TEST_CASE("sai: a mono block sends each word twice, a muted one zeros") {
    Bench bench;
    bench.set_up();
    for (const std::uint32_t word : {1u, 2u, 3u}) bench.set(kDr, word);
    bench.set(kCr1, kStereo | 1u << 12 | kEnable);
    (void)bench.get(kSr, kFrame + 1);
    bench.set(kCr2, 1u << 5 | 1, kFrame + kFrame / 4);
    (void)bench.get(kSr, 2 * kFrame + 1);
    REQUIRE(bench.frames.size() == 2);
    CHECK(bench.frames[0].words[0] == 1);
    CHECK(bench.frames[0].words[1] == 1);
    CHECK(bench.frames[1].words[0] == 2);
    CHECK(bench.frames[1].words[1] == 2);
    (void)bench.get(kSr, 3 * kFrame + 1);
    CHECK(bench.frames[2].words[0] == 0);
}

TEST_CASE("sai: a receiver is clocked by the other block and hears the microphones") {
    Bench bench;
    bench.microphone.play({16000, 2, {100, -200, 300, -400, 500, -600}});
    bench.set_up();
    bench.set_up(kB);
    bench.set(kB + kCr1, kStereo | 1u << 10 | 3 | kEnable);  // SYNCEN 1, slave receiver
    CHECK(bench.get(kB + kSr, 5 * kUs) == 0);                // no clock
    bench.set(kCr1, kStereo | kEnable, 5 * kUs);
    CHECK(level(bench.get(kB + kSr, 5 * kUs)) == 1);
    const Picoseconds late = 5 * kUs + 2 * kFrame - 1;
    CHECK(level(bench.get(kB + kSr, late)) == 3);  // four words: half
    CHECK((bench.get(kB + kSr, late) & kFreq) != 0);
    CHECK(bench.get(kB + kDr, late) == 100);
    // Slot 1 begins half a frame later: half way from -200 to -400.
    CHECK(bench.get(kB + kDr, late) == 0x10000 - 300);
    CHECK(bench.get(kB + kDr, late) == 300);
    CHECK(bench.get(kB + kDr, late) == 0x10000 - 500);
    // The clock stops with the other block.
    bench.set(kCr1, kStereo, late);
    (void)bench.get(kB + kSr, late + 2);
    CHECK(level(bench.get(kB + kSr, late + 9 * kFrame)) == 0);
}

namespace {

/// Block A or B clocks the other one, both receive, and both are disabled within the first frame.
void check_common_end(std::uint32_t master) {
    Bench bench;
    const std::uint32_t slave = kB - master;
    bench.set_up();
    bench.set_up(kB);
    bench.set(slave + kCr1, kStereo | 1u << 10 | 3 | kEnable);
    bench.set(master + kCr1, kStereo | 1 | kEnable);
    bench.set(slave + kCr1, kStereo | 1u << 10 | 3, kFrame / 4);
    bench.set(master + kCr1, kStereo | 1, kFrame / 4);
    for (const std::uint32_t block : {0u, kB})
        CHECK((bench.get(block + kCr1, kFrame - 1) & kEnable) != 0);
    for (const std::uint32_t block : {0u, kB}) {
        CHECK((bench.get(block + kCr1, kFrame + 1) & kEnable) == 0);
        CHECK(level(bench.get(block + kSr, kFrame + 1)) == 2);  // two words of eight
    }
}

}  // namespace

TEST_CASE("sai: a block and the one that it clocks end with the same frame") {
    check_common_end(0);
}

TEST_CASE("sai: block A, clocked by B, ends with the same frame") {
    check_common_end(kB);
}

TEST_CASE("sai: a block that loses its clock has its last frame, and no word of another one") {
    Bench bench;
    bench.set_up();
    bench.set_up(kB);
    for (const std::uint32_t word : {1u, 2u, 3u}) bench.set(kDr, word);
    bench.set(kCr1, kStereo | 1u << 10 | 2 | kEnable);  // a transmitter without a clock of its own
    bench.set(kB + kCr1, kStereo | 1 | kEnable);
    bench.set(kB + kCr1, kStereo | 1, kFrame / 4);
    (void)bench.get(kSr, 3 * kFrame);
    REQUIRE(bench.frames.size() == 1);
    CHECK(bench.frames[0].slots == 2);
    CHECK(bench.frames[0].words[1] == 2);
    CHECK(level(bench.get(kSr, 3 * kFrame)) == 1);  // the third word waits
}

TEST_CASE("sai: a receiver that nobody reads overruns") {
    Bench bench;
    bench.set_up();
    bench.set(kCr1, kStereo | 1 | kEnable);
    CHECK(bench.get(kSr, 4 * kFrame - 1) == (5u << 16 | kFreq));
    CHECK((bench.get(kSr, 4 * kFrame + 1) & kOvrudr) != 0);
}

TEST_CASE("timing: sai without master divider counts FRL, and a frame must fit the master clock") {
    Bench bench;
    bench.set_up();
    bench.set(kFrcr, 23);
    bench.set(kSlotr, 1u << 16);  // one slot
    bench.set(kCr1, kStereo | kEnable);
    CHECK((bench.get(kCr1, 0) & kEnable) == 0);  // 24 bits are no power of two
    CHECK((bench.get(kSr, 0) & kWckcfg) != 0);
    bench.set(kClrfr, kWckcfg);
    bench.set(kCr1, 2u << 20 | 1u << 19 | 4u << 5 | kEnable);  // NODIV, 2 * 24 clocks
    (void)bench.get(kSr, 4 * kUs);
    REQUIRE(bench.frames.size() == 1);
    CHECK(bench.frames[0].hz == doctest::Approx(256'000));
}

TEST_CASE("sai: what is not modelled says so") {
    Bench bench;
    const auto modelled = [&](std::uint32_t offset, std::uint32_t value) {
        return bench.unit.write(offset, value, kWord, 0).modelled;
    };
    CHECK_FALSE(modelled(kCr1, 1u << 2));                // SPDIF
    CHECK_FALSE(modelled(kCr1, kStereo | 2 | kEnable));  // a clock from outside
    CHECK_FALSE(modelled(kCr2, 2u << 14));               // companding
    CHECK_FALSE(modelled(0x44, 1));                      // PDM
    CHECK_FALSE(modelled(0x4C, 0));                      // no such register
}

TEST_CASE("sai: a frame whose slots become fewer while it passes ends, and so do the next ones") {
    Bench bench;
    bench.set(kFrcr, 255);
    bench.set(kSlotr, 0xFFFFu << 16 | 15u << 8 | 1u << 6);
    bench.set(kCr1, kStereo | kEnable);
    bench.set(kSlotr, 3u << 16 | 1u << 8 | 1u << 6, kFrame * 6 / 16 + 1);
    (void)bench.get(kSr, 3 * kFrame + 1);
    REQUIRE(bench.frames.size() == 3);
    CHECK(bench.frames[0].slots == 7);
    CHECK(bench.frames[1].slots == 2);
    CHECK(bench.frames[2].slots == 2);
}

TEST_CASE("shape: a frame by MCKDIV, OSR and NODIV, its words by DS") {
    struct Row {
        std::uint32_t cr1;
        double hz;
        unsigned bits;
    };
    constexpr double kKernel = 12.288e6;
    const Row rows[] = {
        {4u << 5, kKernel / 256, 16},  // MCKDIV 0 is 1
        {1u << 20 | 2u << 5, kKernel / 256, 8},
        {2u << 20 | 3u << 5, kKernel / 2 / 256, 10},
        {63u << 20 | 4u << 5, kKernel / 63 / 256, 16},
        {3u << 20 | 1u << 26 | 5u << 5, kKernel / 3 / 512, 20},
        {1u << 20 | 1u << 19 | 6u << 5, kKernel / 32, 24},  // of the 32 bits of a frame
        {4u << 20 | 1u << 19 | 7u << 5, kKernel / 4 / 32, 32},
        {1u << 26 | 1u << 20 | 1u << 19 | 4u << 5, kKernel / 32, 16},
    };
    Bench bench;
    Picoseconds now = 0;
    for (const Row& row : rows) {
        CAPTURE(row.cr1);
        bench.unit.reset();
        bench.frames.clear();
        bench.set(kFrcr, 31, now);
        bench.set(kSlotr, 1u << 16 | 2u << 6, now);
        bench.set(kCr1, row.cr1 | kEnable, now);
        const auto frame = static_cast<Picoseconds>(1e12 / row.hz);
        (void)bench.get(kSr, now + frame - 2);
        CHECK(bench.frames.empty());
        (void)bench.get(kSr, now + frame + 2);
        REQUIRE(bench.frames.size() == 1);
        CHECK(bench.frames[0].at == now);
        CHECK(bench.frames[0].hz == doctest::Approx(row.hz));
        CHECK(bench.frames[0].bits == row.bits);
        CHECK(bench.frames[0].slots == 1);
        now += 10'000 * kUs;
    }
}

TEST_CASE("sai: FLVL by quarters of the FIFO, FREQ by FTH against it") {
    // Bounds above: empty, up to 1/4, 1/2, 3/4, not full, full.
    constexpr std::uint32_t kLevels[] = {0, 1, 1, 2, 2, 3, 3, 4, 5};
    Bench bench;
    for (const std::uint32_t threshold : {0u, 1u, 2u, 3u, 4u, 7u}) {
        CAPTURE(threshold);
        bench.unit.reset();
        bench.set(kCr2, threshold);
        const std::uint32_t asks = threshold < 4 ? threshold : 4;
        for (unsigned words = 0; words <= 8; ++words) {
            CAPTURE(words);
            const std::uint32_t status = bench.get(kSr, 0);
            CHECK(level(status) == kLevels[words]);
            CHECK(((status & kFreq) != 0) == (kLevels[words] <= asks));
            bench.set(kDr, words);
        }
        CHECK(level(bench.get(kSr, 0)) == 5);  // the ninth is lost
        CHECK(bench.get(kDr, 0) == 0);         // a transmitter gives nothing
        bench.set(kCr2, threshold | 1u << 3);
        CHECK(bench.get(kCr2, 0) == threshold);
        CHECK(level(bench.get(kSr, 0)) == 0);
    }
}

TEST_CASE("sai: names of registers, and which bits are not modelled") {
    constexpr const char* kNames[] = {
        "GCR",  "ACR1",  "ACR2",   "AFRCR", "ASLOTR", "AIM",    "ASR", "ACLRFR", "ADR",   "BCR1",
        "BCR2", "BFRCR", "BSLOTR", "BIM",   "BSR",    "BCLRFR", "BDR", "PDMCR",  "PDMDLY"};
    Bench bench;
    for (std::uint32_t i = 0; i < 19; ++i) {
        CAPTURE(i);
        CHECK(bench.unit.read(4 * i, 0).name == std::string(kNames[i]));
        const RegisterBlock::Answer written = bench.unit.write(4 * i, 0, kWord, 0);
        CHECK(written.name == std::string(kNames[i]));
        CHECK(written.modelled);
        CHECK(bench.unit.reads_freely(4 * i) == (i != 8 && i != 16));
    }
    CHECK_FALSE(bench.unit.read(0x4C, 0).modelled);
    const auto request = bench.unit.on_request;
    for (const std::uint32_t block : {0u, kB}) {
        for (unsigned position = 0; position < 32; ++position) {
            CAPTURE(position);
            const auto modelled = [&](std::uint32_t offset) {
                bench.unit.reset();
                return bench.unit.write(offset, 1u << position, kWord, 0).modelled;
            };
            bench.unit.on_request = request;
            // PRTCFG; COMP.
            CHECK(modelled(block + kCr1) == (position != 2 && position != 3));
            CHECK(modelled(block + kCr2) == (position != 14 && position != 15));
            CHECK_FALSE(modelled(0x00));
            CHECK_FALSE(modelled(0x44));
            CHECK_FALSE(modelled(0x48));
            bench.unit.on_request = nullptr;
            CHECK(modelled(block + kCr1) == (position != 2 && position != 3 && position != 17));
        }
        // A slave has its clock from the other block.
        bench.unit.reset();
        CHECK(bench.unit.write(block + kCr1, 2, kWord, 0).modelled);
        CHECK_FALSE(bench.unit.write(block + kCr1, 2 | kEnable, kWord, 0).modelled);
        bench.unit.reset();
        CHECK(bench.unit.write(block + kCr1, 1u << 10 | 2 | kEnable, kWord, 0).modelled);
        bench.unit.reset();
        CHECK_FALSE(bench.unit.write(block + kCr1, 2u << 10 | 2 | kEnable, kWord, 0).modelled);
    }
}

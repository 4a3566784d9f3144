// SPDX-License-Identifier: Apache-2.0
// MDF and ADF: rate and gain of their samples, FIFO, flags, requests. Expected rates and gains come
// from the settings of the discovery kit and the formulas of the reference manual of the STM32U5.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/soc/audio/mdf.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kGcr = 0x000, kCkgcr = 0x004, kSitf = 0x80, kBsmx = 0x84, kDfltcr = 0x88,
                        kCicr = 0x8C, kRsfr = 0x90, kIer = 0xAC, kIsr = 0xB0, kDr = 0xF0;
constexpr std::uint32_t kFthf = 1, kDovrf = 2, kRxnef = 8, kSatf = 1u << 9, kRfovrf = 1u << 11;
constexpr std::uint32_t kActive = 1u << 31, kRun = 1u << 30;
/// The discovery kit at 16 kHz: PROCDIV 2, CCKDIV 12, CCK0, sinc4 by 32, reshape filter by 4.
constexpr std::uint32_t kDkClock = 1u << 24 | 11u << 16 | 1u << 5 | 1u << 1 | 1;
constexpr std::uint32_t kDkFilter = 2u << 20 | 31u << 8 | 4u << 4;
constexpr double kDkHz = 49'142'857;
/// 2 * 12 * 32 * 4 cycles of the kernel clock: 15,997 Hz.
constexpr Picoseconds kDkPeriod = 62'511'628;

struct Bench {
    explicit Bench(Mdf::Kind kind = Mdf::Kind::MultiFunction, double headroom = 8)
        : unit("mdf1", "MDF1", kind, microphone, with(headroom)) {
        unit.on_interrupt = [this](unsigned filter, bool level) {
            interrupts.emplace_back(filter, level);
        };
        unit.on_request = [this](unsigned filter, bool level, Picoseconds at) {
            requests.emplace_back(level, at);
            CHECK(filter == 0);
        };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static MdfParameters with(double headroom) {
        MdfParameters parameters;
        parameters.headroom.value = headroom;
        return parameters;
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CAPTURE(offset);
        CHECK(unit.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return unit.read(offset, at).value; }
    /// Clock, interface and filter as the board's driver sets them, without the start.
    void set_up(std::uint32_t cicr = kDkFilter, std::uint32_t rsfr = 0) {
        unit.set_kernel_hz(kDkHz, 0);
        set(kCkgcr, kDkClock);
        set(kSitf, 31u << 8 | 1u << 4 | 1);
        set(kBsmx, 1);
        set(kCicr, cicr);
        set(kRsfr, rsfr);
    }
    /// A recording of one value.
    void say(std::int16_t value) {
        microphone.play({16000, 1, std::vector<std::int16_t>(16000, value)});
    }

    SoundSource microphone;
    Mdf unit;
    std::vector<std::pair<unsigned, bool>> interrupts;
    std::vector<std::pair<bool, Picoseconds>> requests;
};

/// Of DFLTDR, whose low byte is empty.
std::int32_t sample(std::uint32_t word) {
    CHECK((word & 0xFF) == 0);
    return static_cast<std::int32_t>(word) >> 8;
}

}  // namespace

TEST_CASE("timing: mdf makes a sample each 3072 kernel clocks with the settings of the board") {
    Bench bench;
    bench.set_up();
    CHECK(bench.get(kCkgcr, 0) == (kDkClock | kActive));
    bench.set(kDfltcr, 1);
    CHECK(bench.get(kDfltcr, 0) == (1 | kActive | kRun));
    CHECK(bench.get(kIsr, kDkPeriod - 2) == 0);
    CHECK(bench.get(kIsr, kDkPeriod + 1) == (kFthf | kRxnef));
    (void)bench.get(kDr, kDkPeriod + 1);
    CHECK(bench.get(kIsr, 2 * kDkPeriod - 2) == 0);
    // Rounding does not add up: 15,997 samples and a bit in a second.
    const Picoseconds late = 1'000'000'000'000;
    (void)bench.get(kIsr, late);
    const std::uint64_t heard = bench.microphone.listened();
    CHECK(heard == 15997);
}

TEST_CASE("mdf: the gain is that of CIC, SCALE and reshape filter, below the headroom") {
    Bench bench;
    bench.say(1000);
    bench.set_up();
    bench.set(kDfltcr, 1);
    // 1000 / 2^15 / 2^8 * 32^4 * 2 * 2.98.
    CHECK(sample(bench.get(kDr, kDkPeriod + 1)) == 745);
    // Without the reshape filter and its ratio: four times as fast, without its gain.
    bench.set(kDfltcr, 0, kDkPeriod * 2);
    bench.set(kRsfr, 1, kDkPeriod * 2);
    bench.set(kDfltcr, 1, kDkPeriod * 2);
    CHECK(bench.get(kIsr, kDkPeriod * 2 + kDkPeriod / 4 - 2) == 0);
    CHECK(sample(bench.get(kDr, kDkPeriod * 2 + kDkPeriod / 4 + 1)) == 250);
    // Half of a step of SCALE is a factor of 1.5; 0x2F is -2.5 dB.
    bench.set(kCicr, (kDkFilter & 0xFFFFF) | 3u << 20, kDkPeriod * 3);
    (void)bench.get(kDr, kDkPeriod * 3);
    (void)bench.get(kDr, kDkPeriod * 3);
    (void)bench.get(kDr, kDkPeriod * 3);
    CHECK(sample(bench.get(kDr, kDkPeriod * 13 / 4 + 1)) == 375);
    bench.set(kCicr, (kDkFilter & 0xFFFFF) | 0x2Fu << 20, kDkPeriod * 10 / 3);
    CHECK(sample(bench.get(kDr, kDkPeriod * 7 / 2 + 1)) == 94);
}

TEST_CASE("mdf: a loud sound saturates behind SCALE, and says so") {
    Bench bench(Mdf::Kind::MultiFunction, 0);
    bench.say(-32768);
    bench.set_up(6u << 20 | 31u << 8 | 4u << 4);
    bench.set(kDfltcr, 1);
    CHECK((bench.get(kIsr, kDkPeriod + 1) & kSatf) != 0);
    // 22 bits at the input of the reshape filter: -2^21 * 2.98.
    CHECK(sample(bench.get(kDr, kDkPeriod + 1)) == -6249513);
    bench.set(kIsr, kSatf, kDkPeriod + 1);
    CHECK((bench.get(kIsr, kDkPeriod + 1) & kSatf) == 0);
}

TEST_CASE("mdf: the reshape filter overruns if its 24 cycles do not fit between two samples") {
    Bench bench;
    bench.set_up();
    bench.set(kCkgcr, 1u << 1 | 1);       // a processing cycle for each bit
    bench.set(kCicr, 4u << 4 | 15 << 8);  // by 16
    bench.set(kDfltcr, 1);
    CHECK((bench.get(kIsr, kDkPeriod) & kRfovrf) != 0);
}

TEST_CASE("mdf: a full FIFO loses the next sample, and the threshold is half of it") {
    Bench bench;
    bench.set_up();
    bench.set(kDfltcr, 1u << 2 | 1);  // FTH
    CHECK(bench.get(kIsr, kDkPeriod + 1) == kRxnef);
    CHECK(bench.get(kIsr, 2 * kDkPeriod + 1) == (kRxnef | kFthf));
    CHECK(bench.get(kIsr, 4 * kDkPeriod + 1) == (kRxnef | kFthf));
    CHECK(bench.get(kIsr, 5 * kDkPeriod + 1) == (kRxnef | kFthf | kDovrf));
    const Picoseconds now = 5 * kDkPeriod + 2;
    for (unsigned i = 0; i < 4; ++i) (void)bench.get(kDr, now);
    CHECK(bench.get(kIsr, now) == kDovrf);
    bench.set(kIsr, kDovrf, now);
    CHECK(bench.get(kIsr, now) == 0);
    CHECK(bench.get(kDr, now) == 0);
    // The end of the filter empties it.
    CHECK(bench.get(kIsr, 6 * kDkPeriod + 10) == kRxnef);
    bench.set(kDfltcr, 0, 6 * kDkPeriod + 10);
    CHECK(bench.get(kIsr, 7 * kDkPeriod) == 0);
}

TEST_CASE("mdf: a DMA request rises with a sample and falls when it is read") {
    Bench bench;
    bench.set_up();
    bench.set(kIer, kFthf);
    bench.set(kDfltcr, 2 | 1);  // DMAEN
    sc_core::sc_start(to_sc_time(kDkPeriod + 10));
    REQUIRE(bench.requests.size() == 1);
    CHECK(bench.requests[0].first);
    CHECK(bench.requests[0].second / 10 == kDkPeriod / 10);
    REQUIRE(bench.interrupts.size() == 1);
    CHECK(bench.interrupts[0] == std::pair(0u, true));
    (void)bench.get(kDr, kDkPeriod + 20);
    REQUIRE(bench.requests.size() == 2);
    CHECK(bench.requests[1] == std::pair(false, kDkPeriod + 20));
    CHECK(bench.interrupts.back() == std::pair(0u, false));
    bench.unit.reset();
    CHECK(bench.get(kSitf, kDkPeriod + 20) == 0x1F00);
    CHECK(bench.get(kDfltcr, kDkPeriod + 20) == 0);
}

TEST_CASE("mdf: without a clock at the interface of its bitstream a filter hears nothing") {
    Bench bench;
    bench.set_up();
    bench.set(kDfltcr, 1);
    bench.set(kBsmx, 3);  // of interface 1, which is off
    CHECK(bench.get(kIsr, 10 * kDkPeriod) == 0);
    bench.set(kBsmx, 1, 10 * kDkPeriod);
    CHECK(bench.get(kIsr, 11 * kDkPeriod + 1) != 0);
    (void)bench.get(kDr, 11 * kDkPeriod + 1);
    bench.set(kCkgcr, kDkClock & ~1u, 11 * kDkPeriod + 1);
    CHECK(bench.get(kIsr, 20 * kDkPeriod) == 0);
}

TEST_CASE("mdf: one shot, samples to discard, and a start by TRGO") {
    Bench bench;
    bench.set_up();
    bench.set(kDfltcr, 2u << 20 | 1u << 4 | 1);  // NBDIS 2, one shot
    CHECK(bench.get(kIsr, 2 * kDkPeriod + 1) == 0);
    CHECK(bench.get(kIsr, 3 * kDkPeriod + 1) == (kFthf | kRxnef));
    CHECK((bench.get(kDfltcr, 3 * kDkPeriod + 1) & (kActive | kRun)) == kActive);
    (void)bench.get(kDr, 3 * kDkPeriod + 1);
    CHECK(bench.get(kIsr, 9 * kDkPeriod) == 0);
    bench.set(kDfltcr, 0, 9 * kDkPeriod);
    bench.set(kDfltcr, 2u << 4 | 1, 9 * kDkPeriod);  // waits for its trigger
    CHECK(bench.get(kIsr, 11 * kDkPeriod) == 0);
    bench.set(kGcr, 1, 11 * kDkPeriod);
    CHECK(bench.get(kGcr, 11 * kDkPeriod) == 0);
    CHECK(bench.get(kIsr, 12 * kDkPeriod + 1) == (kFthf | kRxnef));
}

TEST_CASE("mdf: a filter that stays on goes on when its control register is written") {
    Bench bench;
    bench.set_up();
    bench.set(kDfltcr, 1);
    CHECK(bench.get(kIsr, kDkPeriod + 1) == (kFthf | kRxnef));
    const Picoseconds written = kDkPeriod + kDkPeriod / 2;
    bench.set(kDfltcr, 2 | 1, written);  // DMAEN
    CHECK(bench.get(kDfltcr, written) == (3 | kActive | kRun));
    // The sample is still there, and the next one comes when it was due.
    CHECK(bench.get(kIsr, written) == (kFthf | kRxnef));
    REQUIRE(bench.requests.size() == 1);
    CHECK(bench.requests[0] == std::pair(true, written));
    (void)bench.get(kDr, written);
    CHECK(bench.get(kIsr, 2 * kDkPeriod - 2) == 0);
    CHECK(bench.get(kIsr, 2 * kDkPeriod + 1) == (kFthf | kRxnef));
    bench.set(kDfltcr, 2, 2 * kDkPeriod + 1);
    CHECK(bench.get(kDfltcr, 2 * kDkPeriod + 1) == 2);
    CHECK(bench.get(kIsr, 4 * kDkPeriod) == 0);
    CHECK_FALSE(bench.requests.back().first);
}

TEST_CASE("mdf: as many samples are discarded as NBDIS says, up to 255") {
    Bench bench;
    bench.set_up();
    Picoseconds now = 0;
    for (const std::uint32_t count : {0u, 1u, 2u, 255u}) {
        CAPTURE(count);
        bench.set(kDfltcr, count << 20 | 1, now);
        now += count * kDkPeriod + kDkPeriod / 2;
        CHECK(bench.get(kIsr, now) == 0);
        now += kDkPeriod;
        CHECK(bench.get(kIsr, now) == (kFthf | kRxnef));
        bench.set(kDfltcr, 0, now);
    }
}

TEST_CASE("mdf: what is not modelled says so") {
    Bench bench;
    bench.set_up();
    const auto modelled = [&](std::uint32_t offset, std::uint32_t value) {
        return bench.unit.write(offset, value, kWord, 0).modelled;
    };
    CHECK_FALSE(modelled(kDfltcr, 5u << 4 | 1));             // snapshots
    CHECK_FALSE(modelled(kDfltcr, 2u << 4 | 4u << 12 | 1));  // a timer as a trigger
    CHECK_FALSE(modelled(kCicr, 2));                         // the ADC
    CHECK_FALSE(modelled(kCicr, 5u << 4 | 32u << 8));        // 33^5 needs more than 26 bits
    CHECK(modelled(kCicr, 5u << 4 | 31u << 8));
    CHECK_FALSE(modelled(kSitf, 2u << 4 | 1));       // Manchester
    CHECK_FALSE(modelled(0x98, 1));                  // limit detector
    CHECK_FALSE(modelled(kGcr, 1u << 4));            // interleaved
    CHECK_FALSE(modelled(0x400, 0));                 // no such register
    CHECK_FALSE(bench.unit.read(0xB8, 0).modelled);  // of ADF only
}

TEST_CASE("mdf: which bits of a register ask for something that is not modelled") {
    // Fields: CMSIS device header, MDF_Filter_TypeDef.
    struct Row {
        std::uint32_t offset, value;
        bool modelled;
        bool alone = true;  ///< without a listener to requests
    };
    constexpr std::uint32_t kIntr = 0x94, kOld = 0x98, kDly = 0xA4, kScd = 0xA8, kOec = 0xB4;
    const Row rows[] = {
        {kDfltcr, 2, true, false},
        {kDfltcr, 2, false},
        {kDfltcr, 3, true, false},
        {kDfltcr, 3, false},
        {kDfltcr, 1, true},
        {kDfltcr, 3u << 4 | 1, true},
        {kDfltcr, 4u << 4 | 1, false},  // window
        {kDfltcr, 4u << 4, true},       // and off
        {kDfltcr, 7u << 4, true},
        {kDfltcr, 1u << 4 | 1u << 12 | 1, true},  // a trigger that is not waited for
        {kDfltcr, 2u << 4 | 1u << 12 | 1, false},
        {kDfltcr, 3u << 4 | 8u << 12 | 1, false},
        {kDfltcr, 2u << 4 | 1u << 16 | 1, true},
        {kDfltcr, 2u << 4 | 8u << 12, true},
        {kSitf, 0, true},
        {kSitf, 1u << 1 | 1u << 4 | 1, true},
        {kSitf, 2u << 1 | 1, false},  // external clocks
        {kSitf, 3u << 1 | 1, false},
        {kSitf, 3u << 4 | 1, false},  // Manchester
        {kSitf, 3u << 1 | 3u << 4, true},
        {kCicr, 1, true},
        {kCicr, 3, false},
        {kIntr, 0, true},
        {kIntr, 1, false},
        {kDly, 1, false},
        {kOec, 1u << 25, false},
        {kOec, 0, true},
        {kOld, 2, true},
        {kOld, 1, false},
        {kScd, 2, true},
        {kScd, 1, false},
        {kRsfr, 0x311, true},
        {kGcr, 1, true},
        {kGcr, 1u << 7, false},
        {kGcr, 1u << 8, true},
        {kCkgcr, kDkClock, true},
        {kCkgcr, 1u << 4, false},
    };
    Bench bench;
    const auto requests = bench.unit.on_request;
    for (const Row& row : rows) {
        CAPTURE(row.offset);
        CAPTURE(row.value);
        bench.unit.reset();
        bench.unit.on_request = row.alone ? nullptr : requests;
        CHECK(bench.unit.write(row.offset, row.value, kWord, 0).modelled == row.modelled);
    }
    // Limit, short circuit, snapshots, clocks, sound activity.
    for (unsigned position = 0; position < 14; ++position) {
        CAPTURE(position);
        const bool detector = (0x3594u >> position & 1) != 0;
        CHECK(bench.unit.write(kIer, 1u << position, kWord, 0).modelled == !detector);
        CHECK(bench.get(kIer, 0) == 1u << position);
    }
}

TEST_CASE("mdf: each of six filters has its registers with its number, and its own values") {
    struct Row {
        std::uint32_t inner;
        const char *before, *behind;
    };
    const Row rows[] = {{0x00, "SITF", "CR"},   {0x04, "BSMX", "CR"},   {0x08, "DFLT", "CR"},
                        {0x0C, "DFLT", "CICR"}, {0x10, "DFLT", "RSFR"}, {0x14, "DFLT", "INTR"},
                        {0x18, "OLD", "CR"},    {0x1C, "OLD", "THLR"},  {0x20, "OLD", "THHR"},
                        {0x24, "DLY", "CR"},    {0x28, "SCD", "CR"},    {0x2C, "DFLT", "IER"},
                        {0x30, "DFLT", "ISR"},  {0x34, "OEC", "CR"},    {0x6C, "SNPS", "DR"},
                        {0x70, "DFLT", "DR"}};
    Bench bench;
    for (unsigned filter = 0; filter < 6; ++filter) {
        for (const Row& row : rows) {
            CAPTURE(filter);
            CAPTURE(row.inner);
            const std::uint32_t offset = 0x80 + 0x80 * filter + row.inner;
            const RegisterBlock::Answer answer = bench.unit.read(offset, 0);
            CHECK(answer.modelled);
            CHECK(answer.name == row.before + std::to_string(filter) + row.behind);
            const bool flags = row.inner == 0x30 || row.inner >= 0x6C;
            CHECK(answer.value == (row.inner == 0 ? 0x1F00u : 0u));
            const std::uint32_t value = 0x100 * (filter + 1) + row.inner;
            (void)bench.unit.write(offset, value, 0xFF00, 0);
            CHECK(bench.get(offset, 0) == (flags ? 0u : 0x100 * (filter + 1)));
            CHECK(bench.unit.reads_freely(offset) == (row.inner != 0x70));
        }
    }
    for (const std::uint32_t offset : {0x008u, 0x07Cu, 0x0B8u, 0x0C0u, 0x380u})
        CHECK_FALSE(bench.unit.read(offset, 0).modelled);
    CHECK(bench.unit.reads_freely(0x70));
    CHECK(std::string(bench.unit.read(0, 0).name) == "GCR");
    CHECK(std::string(bench.unit.read(4, 0).name) == "CKGCR");
}

TEST_CASE("mdf: ACTIVE follows the enable of each block") {
    constexpr std::uint32_t kOld = 0x98, kScd = 0xA8;
    Bench bench;
    for (const std::uint32_t offset : {kSitf, kOld, kScd, kDfltcr}) {
        CAPTURE(offset);
        for (const std::uint32_t value : {0u, 1u, 2u, 3u}) {
            (void)bench.unit.write(offset, value | kActive, kWord, 0);
            const std::uint32_t active = (value & 1) != 0 ? kActive : 0;
            const std::uint32_t running = offset == kDfltcr && active != 0 ? kRun : 0;
            CHECK(bench.get(offset, 0) == (value | active | running));
        }
    }
    CHECK(bench.get(kBsmx, 0) == kActive);
    (void)bench.unit.write(kDfltcr, 0, kWord, 0);
    CHECK(bench.get(kBsmx, 0) == 0);
    bench.set(kBsmx, 0x3F | kActive);
    CHECK(bench.get(kBsmx, 0) == 0x3F);
}

TEST_CASE("mdf: the clock of a filter needs CKGEN, its interface, the interface's clock and mode") {
    struct Row {
        std::uint32_t ckgcr, sitf;
        bool hears;
    };
    const std::uint32_t base = 1u << 24 | 11u << 16 | 1;
    const Row rows[] = {
        {base | 1u << 1, 1u << 4 | 1, true},
        {base | 1u << 2, 1u << 4 | 1, false},           // CCK1 only
        {base | 1u << 2, 1u << 1 | 1u << 4 | 1, true},  // which the interface takes
        {base | 1u << 1, 1u << 1 | 1u << 4 | 1, false},
        {base | 3u << 1, 1, true},  // low-frequency SPI
        {base | 3u << 1, 2u << 4 | 1, false},
        {base | 3u << 1, 2u << 1 | 1, false},
        {base | 3u << 1, 1u << 4, false},
        {(base & ~1u) | 3u << 1, 1u << 4 | 1, false},
    };
    Bench bench;
    Picoseconds now = 0;
    bench.unit.set_kernel_hz(kDkHz, 0);
    for (const Row& row : rows) {
        CAPTURE(row.ckgcr);
        CAPTURE(row.sitf);
        bench.unit.reset();
        (void)bench.unit.write(kCkgcr, row.ckgcr, kWord, now);
        (void)bench.unit.write(kSitf, 31u << 8 | row.sitf, kWord, now);
        bench.set(kCicr, kDkFilter, now);
        bench.set(kDfltcr, 1, now);
        now += kDkPeriod + 10;
        CHECK((bench.get(kIsr, now) != 0) == row.hears);
    }
}

TEST_CASE("adf: one filter, with the registers of the sound activity detector") {
    Bench bench(Mdf::Kind::Audio);
    bench.set_up();
    bench.set(kDfltcr, 1);
    CHECK(bench.get(kIsr, kDkPeriod + 1) == (kFthf | kRxnef));
    CHECK(bench.unit.filters() == 1);
    CHECK_FALSE(bench.unit.read(0x108, 0).modelled);
    CHECK(std::string(bench.unit.read(0xB8, 0).name) == "SAD0CR");
    CHECK_FALSE(bench.unit.write(0xB8, 1, kWord, kDkPeriod + 1).modelled);
}

TEST_CASE("sound source: a line between two samples, silence behind the last, a fresh begin") {
    SoundSource source;
    CHECK(source.heard(0, 5) == 0);
    source.reset();
    source.play({1000, 2, {100, -100, 200, -200}});
    const Picoseconds ms = 1'000'000'000, begin = 7 * ms;
    CHECK(source.heard(0, begin) == 100 << 16);
    CHECK(source.heard(1, begin) == -(100 << 16));
    CHECK(source.heard(5, begin) == -(100 << 16));  // there are two channels
    CHECK(source.heard(0, begin + ms / 2) == 150 << 16);
    CHECK(source.heard(0, begin + ms) == 200 << 16);
    CHECK(source.heard(0, begin + ms + ms / 4) == 150 << 16);
    CHECK(source.heard(0, begin + 2 * ms) == 0);
    CHECK(source.heard(0, begin + 1'000'000 * ms) == 0);
    CHECK(source.listened() == 8);
    source.reset();
    CHECK(source.heard(0, begin + 50 * ms) == 100 << 16);
}

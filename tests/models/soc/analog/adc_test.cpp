// SPDX-License-Identifier: Apache-2.0
// ADC as its drivers use it: enable, sequences, times, data, requests, calibration.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/analog/adc.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kIsr = 0x00, kIer = 0x04, kCr = 0x08, kCfgr1 = 0x0C, kCfgr2 = 0x10,
                        kSmpr1 = 0x14, kSqr1 = 0x30, kSqr2 = 0x34, kDr = 0x40, kOfr1 = 0x60,
                        kGcomp = 0x70, kAwd2cr = 0xA0, kAwd1ltr = 0xA8, kAwd1htr = 0xAC,
                        kDifsel = 0xC0, kCalfact = 0xC4;
constexpr std::uint32_t kRdy = 1, kEosmp = 2, kEoc = 4, kEos = 8, kOvr = 16, kAwd = 128;
constexpr std::uint32_t kAden = 1, kAddis = 2, kStart = 4, kStop = 16;
constexpr std::uint32_t kWord = 0xFFFFFFFF;

/// 10 MHz: a conversion of 12 bits takes 1.5 + 12.5 clocks, 1.4 us.
struct Bench {
    Adc adc{"adc1", "ADC1", 1210};
    Picoseconds now = 0;
    std::vector<std::pair<bool, Picoseconds>> levels, requests;

    Bench() {
        adc.on_interrupt = [this](bool level) { levels.emplace_back(level, now); };
        adc.on_request = [this](bool level, Picoseconds at) { requests.emplace_back(level, at); };
        adc.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(adc.write(offset, value, kWord, now).modelled);
    }
    std::uint32_t get(std::uint32_t offset) { return adc.read(offset, now).value; }
    void pass_ns(Picoseconds ns) { now += ns * 1000; }
    void enable() {
        set(kCr, 0);
        set(kCr, kAden);
        pass_ns(5000);
        REQUIRE((get(kIsr) & kRdy) != 0);
    }
    void start() { set(kCr, kAden | kStart); }
    bool runs() { return (get(kCr) & kStart) != 0; }
};

constexpr std::uint32_t one_rank(unsigned channel) {
    return channel << 6;
}

}  // namespace

TEST_CASE("timing: adc is ready some time after ADEN, in the order that drivers follow") {
    Bench bench;
    CHECK(bench.get(kCr) == 1u << 29);
    bench.set(kCr, 1u << 29 | kAden);
    CHECK(bench.get(kCr) == 1u << 29);  // asleep
    bench.set(kCr, 0);
    bench.set(kIer, kRdy);
    bench.set(kCr, kAden);
    bench.pass_ns(4999);
    CHECK(bench.get(kIsr) == 0);
    bench.pass_ns(1);
    CHECK(bench.get(kIsr) == kRdy);
    CHECK(bench.levels.back().first);
    bench.set(kIsr, kRdy);
    CHECK(bench.get(kIsr) == 0);
    CHECK_FALSE(bench.levels.back().first);
    bench.set(kCr, kAden | kAddis);
    CHECK(bench.get(kCr) == 0);
}

TEST_CASE("timing: adc converts a channel in its sampling time and 12.5 clocks") {
    Bench bench;
    bench.enable();
    bench.adc.set_millivolts(3, 900);
    bench.set(kSqr1, one_rank(3));
    bench.set(kSmpr1, 3u << 9);  // 11.5 clocks
    bench.start();
    bench.pass_ns(1149);
    CHECK(bench.get(kIsr) == kRdy);
    bench.pass_ns(1);
    CHECK(bench.get(kIsr) == (kRdy | kEosmp));
    bench.pass_ns(1249);
    CHECK(bench.runs());
    bench.pass_ns(1);
    CHECK(bench.get(kIsr) == (kRdy | kEosmp | kEoc | kEos));
    CHECK_FALSE(bench.runs());
    CHECK(bench.get(kDr) == 2048);  // half of 1800 mV
    CHECK((bench.get(kIsr) & kEoc) == 0);
}

TEST_CASE("adc: codes by resolution, voltage and differential inputs") {
    Bench bench;
    bench.enable();
    const auto convert = [&](unsigned channel, double millivolts, std::uint32_t resolution) {
        bench.adc.set_millivolts(channel, millivolts);
        bench.set(kCfgr1, resolution << 2);
        bench.set(kSqr1, one_rank(channel));
        bench.start();
        bench.pass_ns(2000);
        REQUIRE_FALSE(bench.runs());
        return bench.get(kDr);
    };
    CHECK(convert(0, 0, 0) == 0);
    CHECK(convert(1, 1800, 0) == 4095);
    CHECK(convert(2, 5000, 0) == 4095);
    CHECK(convert(4, 450, 1) == 256);
    CHECK(convert(5, 450, 2) == 64);
    CHECK(convert(6, 450, 3) == 16);
    CHECK(convert(19, 450, 0) == 1024);
    CHECK(convert(17, 1210, 0) == 2753);  // VREFINT: 1210 / 1800 * 4096
    bench.set(kDifsel, 1u << 7);
    CHECK(convert(7, 0, 0) == 2048);
}

TEST_CASE("timing: adc runs a sequence, over and over with CONT, until ADSTP") {
    Bench bench;
    bench.enable();
    for (unsigned i = 0; i < 6; ++i) bench.adc.set_millivolts(i + 1, 100.0 * (i + 1));
    // Ranks 1 to 6: channels 1 to 6, the fifth in SQR2.
    bench.set(kSqr1, 5 | 1u << 6 | 2u << 12 | 3u << 18 | 4u << 24);
    bench.set(kSqr2, 5u | 6u << 6);
    bench.set(kCfgr1, 1u << 13);
    bench.start();
    for (unsigned i = 0; i < 12; ++i) {
        bench.pass_ns(1400);
        CHECK((bench.get(kIsr) & kEos) == (i >= 5 ? kEos : 0));
        CHECK(bench.get(kDr) == (100 * (i % 6 + 1) * 4096 + 900) / 1800);
    }
    CHECK(bench.runs());
    bench.set(kCr, kAden | kStop);
    CHECK(bench.get(kCr) == kAden);
    bench.pass_ns(5000);
    CHECK((bench.get(kIsr) & kEoc) == 0);
    CHECK(bench.adc.statistics().conversions == 12);
}

TEST_CASE("adc: DISCEN takes some ranks for each start") {
    Bench bench;
    bench.enable();
    for (unsigned i = 1; i <= 3; ++i) bench.adc.set_millivolts(i, 450.0 * i);
    bench.set(kSqr1, 2 | 1u << 6 | 2u << 12 | 3u << 18);
    bench.set(kCfgr1, 1u << 16 | 1u << 12);  // one rank; the last result stays
    for (const std::uint32_t expected : {1024u, 2048u, 3072u, 1024u}) {
        bench.start();
        bench.pass_ns(1400);
        CHECK_FALSE(bench.runs());
        CHECK(((bench.get(kIsr) & kEos) != 0) == (expected == 3072));
        CHECK(bench.get(kDr) == expected);
        bench.set(kIsr, kEos);
    }
}

TEST_CASE("adc: a result that was not read is kept or overwritten, and AUTDLY waits for the read") {
    Bench bench;
    bench.enable();
    bench.adc.set_millivolts(1, 450);
    bench.adc.set_millivolts(2, 900);
    bench.set(kSqr1, 1 | 1u << 6 | 2u << 12);
    for (const bool overwrites : {false, true}) {
        bench.set(kCfgr1, overwrites ? 1u << 12 : 0);
        bench.start();
        bench.pass_ns(2800);
        CHECK((bench.get(kIsr) & kOvr) != 0);
        CHECK(bench.get(kDr) == (overwrites ? 2048 : 1024));
        bench.set(kIsr, kOvr | kEos);
    }
    CHECK(bench.adc.statistics().overruns == 2);
    bench.set(kCfgr1, 1u << 14);
    bench.start();
    bench.pass_ns(9000);
    CHECK(bench.runs());
    CHECK(bench.get(kDr) == 1024);
    bench.pass_ns(1400);
    CHECK_FALSE(bench.runs());
    CHECK(bench.get(kDr) == 2048);
    CHECK((bench.get(kIsr) & kOvr) == 0);
}

TEST_CASE("adc: a read of the result starts a conversion only if one waits for it") {
    Bench bench;
    bench.enable();
    bench.set(kSqr1, one_rank(1));
    (void)bench.get(kDr);
    bench.start();
    bench.pass_ns(700);
    (void)bench.get(kDr);  // while it converts
    bench.pass_ns(700);
    CHECK(bench.get(kIsr) == (kRdy | kEosmp | kEoc | kEos));
    (void)bench.get(kDr);
    bench.pass_ns(5000);
    CHECK((bench.get(kIsr) & kEoc) == 0);
    CHECK(bench.adc.statistics().conversions == 1);
}

TEST_CASE("adc: the DMA request is high while a result waits") {
    Bench bench;
    bench.enable();
    bench.set(kCfgr1, 3);
    bench.set(kSqr1, one_rank(1));
    bench.start();
    CHECK(bench.requests.empty());
    bench.pass_ns(1400);
    (void)bench.get(kIsr);
    REQUIRE(bench.requests.size() == 1);
    CHECK(bench.requests[0] == std::pair(true, bench.now));
    (void)bench.get(kDr);
    CHECK(bench.requests.back() == std::pair(false, bench.now));
}

TEST_CASE("timing: oversampling adds results, shifts them and takes their time") {
    Bench bench;
    bench.enable();
    bench.adc.set_millivolts(1, 450);
    bench.set(kSqr1, one_rank(1));
    bench.set(kCfgr2, 1 | 15u << 16 | 2u << 5);  // 16 samples, shifted by 2
    bench.start();
    bench.pass_ns(16 * 1400 - 1);
    CHECK(bench.runs());
    bench.pass_ns(1);
    CHECK_FALSE(bench.runs());
    CHECK(bench.get(kDr) == 1024 * 16 / 4);
}

TEST_CASE("adc: watchdog 1 looks at all channels or one") {
    Bench bench;
    bench.enable();
    bench.adc.set_millivolts(1, 450);
    bench.set(kSqr1, one_rank(1));
    const auto flag = [&](std::uint32_t settings, std::uint32_t low, std::uint32_t high) {
        bench.set(kCfgr1, settings);
        bench.set(kAwd1ltr, low);
        bench.set(kAwd1htr, high);
        bench.start();
        bench.pass_ns(1400);
        const bool raised = (bench.get(kIsr) & kAwd) != 0;
        (void)bench.get(kDr);
        bench.set(kIsr, kAwd | kEos);
        return raised;
    };
    constexpr std::uint32_t kOn = 1u << 23, kSingle = 1u << 22;
    CHECK_FALSE(flag(kOn, 1024, 1024));
    CHECK(flag(kOn, 1025, 4095));
    CHECK(flag(kOn, 0, 1023));
    CHECK_FALSE(flag(0, 0, 1023));
    CHECK(flag(kOn | kSingle | 1u << 26, 0, 1023));
    CHECK_FALSE(flag(kOn | kSingle | 2u << 26, 0, 1023));
}

TEST_CASE("adc: calibration of the driver measures more than zero, both ways") {
    Bench bench;
    bench.enable();
    for (const std::uint32_t differential : {0u, 1u << 30}) {
        bench.set(kCr, 1u << 31 | differential | kAden);
        std::int32_t sum = 0;
        for (unsigned i = 0; i < 8; ++i) {
            bench.set(kCr, 1u << 31 | differential | kAden | kStart);
            bench.pass_ns(2000);
            REQUIRE_FALSE(bench.runs());
            sum += static_cast<std::int32_t>(bench.get(kDr));
        }
        const std::int32_t factor = sum / 8 - (differential != 0 ? 0x7FF : 0);
        CHECK(factor > 0);
        CHECK(factor < 512);
    }
    bench.set(kCr, kAden);
    bench.set(kCalfact, 8);
    CHECK(bench.get(kCalfact) == 8);
}

TEST_CASE("adc: what is not modelled says so, and the common registers show both") {
    Adc second("adc2", "ADC2", 810);
    Bench bench;
    AdcCommon common("ADC12_COMMON", bench.adc, second);
    bench.enable();
    const auto modelled = [&](std::uint32_t offset, std::uint32_t value) {
        return bench.adc.write(offset, value, kWord, bench.now).modelled;
    };
    CHECK_FALSE(modelled(kCr, kAden | 8));    // JADSTART
    CHECK_FALSE(modelled(kCfgr1, 1u << 10));  // hardware trigger
    CHECK_FALSE(modelled(kCfgr1, 2));         // MDF
    CHECK_FALSE(modelled(kCfgr2, 2));         // JOVSE
    CHECK_FALSE(modelled(kOfr1, 1));
    CHECK_FALSE(modelled(kGcomp, 1u << 31));
    CHECK_FALSE(modelled(kAwd2cr, 1));
    CHECK_FALSE(second.write(kCfgr1, 1, kWord, 0).modelled);  // no DMA controller
    CHECK_FALSE(bench.adc.read(0xD8, bench.now).modelled);
    CHECK(common.read(0x00, bench.now).value == kRdy);
    CHECK(common.write(0x08, 1u << 22, kWord, bench.now).modelled);
    CHECK(common.read(0x08, bench.now).value == 1u << 22);
    CHECK_FALSE(common.write(0x08, 1, kWord, bench.now).modelled);
    CHECK_FALSE(common.read(0x0C, bench.now).modelled);
}

TEST_CASE("timing: adc samples each channel for its own time, and converts by its resolution") {
    // Half clocks of SMP codes, from the reference manual; 10 MHz.
    constexpr Picoseconds kSampled[] = {150, 250, 650, 1150, 2350, 4650, 24650, 149950};
    Bench bench;
    bench.enable();
    for (unsigned channel = 0; channel < 20; ++channel) {
        CAPTURE(channel);
        const std::uint32_t code = (channel * 3 + 1) % 8, resolution = channel % 4;
        // All others have another time.
        const std::uint32_t others = code == 0 ? 0x3FFFFFFF : 0;
        const std::uint32_t own = channel % 10 * 3;
        for (const std::uint32_t half : {0u, 1u})
            bench.set(kSmpr1 + 4 * half,
                      half == channel / 10 ? (others & ~(7u << own)) | code << own : others);
        bench.set(kCfgr1, resolution << 2);
        bench.set(kSqr1, one_rank(channel));
        bench.set(kIsr, kWord);
        bench.start();
        bench.now += kSampled[code] * 1000 - 1;
        CHECK(bench.get(kIsr) == 0);
        ++bench.now;
        CHECK(bench.get(kIsr) == kEosmp);
        bench.now += (1250 - 200 * Picoseconds{resolution}) * 1000 - 1;
        CHECK(bench.get(kIsr) == kEosmp);
        ++bench.now;
        CHECK(bench.get(kIsr) == (kEosmp | kEoc | kEos));
        (void)bench.get(kDr);
    }
}

TEST_CASE("adc: a sequence of sixteen ranks takes its channels from SQR1 to SQR4") {
    Bench bench;
    bench.enable();
    std::uint32_t registers[4] = {15, 0, 0, 0};
    const auto channel_of = [](unsigned rank) { return (rank * 7 + 3) % 20; };
    for (unsigned rank = 0; rank < 16; ++rank) {
        const unsigned field = rank + 1;  // the first is the length
        registers[field / 5] |= channel_of(rank) << field % 5 * 6;
        bench.adc.set_millivolts(channel_of(rank), 45.0 * (rank + 1));
    }
    for (std::uint32_t i = 0; i < 4; ++i) bench.set(kSqr1 + 4 * i, registers[i]);
    bench.start();
    for (unsigned rank = 0; rank < 16; ++rank) {
        CAPTURE(rank);
        bench.pass_ns(1400);
        CHECK((bench.get(kIsr) & (kEoc | kEos)) == (rank == 15 ? kEoc | kEos : kEoc));
        CHECK(bench.get(kDr) == (45 * (rank + 1) * 4096 + 900) / 1800);
    }
    CHECK_FALSE(bench.runs());
}

TEST_CASE("adc: which bits of the settings are not modelled") {
    Bench bench;
    bench.enable();
    const auto modelled = [&](std::uint32_t offset, std::uint32_t value) {
        const bool known = bench.adc.write(offset, value, kWord, bench.now).modelled;
        (void)bench.adc.write(offset, 0, kWord, bench.now);
        return known;
    };
    for (unsigned position = 0; position < 32; ++position) {
        CAPTURE(position);
        const std::uint32_t bit = 1u << position;
        // DMNGT = 2, EXTEN without a trigger; JDISCEN, JAWD1EN, JAUTO.
        CHECK(modelled(kCfgr1, bit) == ((0x03100C02u & bit) == 0));
        // JOVSE, TROVS, BULB, SWTRIG, SMPTRIG.
        CHECK(modelled(kCfgr2, bit) == ((0x0000E202u & bit) == 0));
        CHECK(modelled(kGcomp, bit) == (position != 31));
    }
    CHECK(modelled(kCfgr1, 3));
    bench.adc.triggers = 1u << 9;
    for (const std::uint32_t edges : {1u, 2u, 3u}) {
        CHECK(modelled(kCfgr1, edges << 10 | 9u << 5));
        CHECK_FALSE(modelled(kCfgr1, edges << 10 | 8u << 5));
    }
    CHECK(modelled(kCfgr1, 8u << 5));
    bench.adc.on_request = nullptr;
    CHECK_FALSE(modelled(kCfgr1, 1));
    CHECK_FALSE(modelled(kCfgr1, 3));
    for (const std::uint32_t offset : {0x60u, 0x64u, 0x68u, 0x6Cu, 0xA0u, 0xA4u}) {
        CAPTURE(offset);
        CHECK(modelled(offset, 0));
        CHECK_FALSE(modelled(offset, 1));
    }
    for (const std::uint32_t offset : {0xA8u, 0xB0u, 0xC0u, 0xC4u}) CHECK(modelled(offset, 1));
}

TEST_CASE("adc: oversampling by any ratio and shift, and LSHIFT of the result") {
    Bench bench;
    bench.enable();
    bench.adc.set_millivolts(1, 450);
    bench.set(kSqr1, one_rank(1));
    for (const std::uint32_t samples : {1u, 2u, 3u, 100u, 512u, 1024u}) {
        for (const std::uint32_t shift : {0u, 1u, 4u, 8u, 10u}) {
            for (const std::uint32_t left : {0u, 1u, 7u, 8u, 15u}) {
                CAPTURE(samples);
                CAPTURE(shift);
                CAPTURE(left);
                bench.set(kCfgr2, 1 | shift << 5 | (samples - 1) << 16 | left << 28);
                bench.start();
                bench.pass_ns(1400 * samples - 1);
                CHECK(bench.runs());
                bench.pass_ns(1);
                CHECK_FALSE(bench.runs());
                CHECK(bench.get(kDr) == (1024 * samples >> shift) << left);
                // Without ROVSE neither ratio nor right shift count.
                bench.set(kCfgr2, shift << 5 | (samples - 1) << 16 | left << 28);
                bench.start();
                bench.pass_ns(1400);
                CHECK_FALSE(bench.runs());
                CHECK(bench.get(kDr) == 1024u << left);
            }
        }
    }
}

TEST_CASE("adc: DISCNUM + 1 ranks for each start, and the rest of the sequence in the last one") {
    Bench bench;
    bench.enable();
    for (std::uint32_t number = 0; number < 8; ++number) {
        for (const std::uint32_t ranks : {1u, 4u, 8u, 9u, 16u}) {
            CAPTURE(number);
            CAPTURE(ranks);
            bench.set(kCr, kAden | kStop);
            bench.set(kSqr1, ranks - 1);
            bench.set(kCfgr1, 1u << 16 | number << 17 | 1u << 12);
            std::uint64_t before = bench.adc.statistics().conversions;
            for (std::uint32_t left = ranks; left != 0;) {
                const std::uint32_t expected = std::min(left, number + 1);
                bench.set(kIsr, kWord);
                bench.start();
                bench.now += 1'400'000 * expected - 1;
                CHECK(bench.runs());
                ++bench.now;
                CHECK_FALSE(bench.runs());
                left -= expected;
                CHECK(((bench.get(kIsr) & kEos) != 0) == (left == 0));
                bench.pass_ns(30'000);
                CHECK(bench.adc.statistics().conversions - before == expected);
                before += expected;
            }
        }
    }
}

TEST_CASE("adc: ADSTP, ADDIS and DEEPPWD in the middle of a conversion") {
    Bench bench;
    bench.enable();
    bench.adc.set_millivolts(1, 450);
    bench.adc.set_millivolts(2, 900);
    bench.set(kSqr1, 1 | 1u << 6 | 2u << 12);
    for (const Picoseconds ns : {100u, 1000u}) {  // sampling, converting
        CAPTURE(ns);
        bench.start();
        bench.pass_ns(1400 + ns);  // the second rank
        CHECK(bench.get(kDr) == 1024);
        bench.set(kCr, kAden | kAddis);  // not while it converts
        CHECK(bench.get(kCr) == (kAden | kStart));
        bench.set(kCr, kAden | kStop);
        CHECK(bench.get(kCr) == kAden);
        bench.set(kIsr, kWord);
        bench.pass_ns(5000);
        CHECK(bench.get(kIsr) == 0);
        bench.start();  // from the first rank again
        bench.pass_ns(1400);
        CHECK(bench.get(kDr) == 1024);
        bench.pass_ns(1400);
        CHECK(bench.get(kDr) == 2048);
        CHECK_FALSE(bench.runs());
        bench.start();
        bench.pass_ns(ns);
        bench.set(kCr, 1u << 29);
        CHECK(bench.get(kCr) == 1u << 29);
        bench.set(kIsr, kWord);
        bench.pass_ns(5000);
        CHECK(bench.get(kIsr) == 0);
        bench.enable();
    }
    // Asleep or disabled it does not start, and data are not written.
    bench.set(kCr, kAddis);
    bench.start();
    CHECK(bench.get(kCr) == kAden);
    bench.set(kDr, 77);
    CHECK(bench.get(kDr) == 2048);
}

TEST_CASE("timing: adc's interrupt and request come at their times in the kernel") {
    struct Row {
        std::uint32_t flag;
        Picoseconds after_ns;  ///< of the start
    };
    Adc adc("adc1", "ADC1", 1210);
    const auto now = [] { return sc_core::sc_time_stamp().value(); };
    std::vector<std::pair<bool, Picoseconds>> levels, requests;
    adc.on_interrupt = [&](bool level) { levels.emplace_back(level, now()); };
    adc.on_request = [&](bool level, Picoseconds at) { requests.emplace_back(level, at); };
    adc.set_kernel_hz(10e6);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        CHECK(adc.write(offset, value, kWord, now()).modelled);
    };
    set(kCr, 0);
    set(kIer, kRdy);
    set(kCr, kAden);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    CHECK(levels == decltype(levels){{true, 5'000'000}});
    set(kIsr, kRdy);
    set(kSqr1, 1 | 1u << 6 | 2u << 12);
    set(kCfgr1, 1);  // one-shot DMA
    // 1.5 clocks of sampling, 12.5 of conversion, at 10 MHz, of two ranks.
    for (const Row& row : {Row{kEosmp, 150}, Row{kEoc, 1400}, Row{kEos, 2800}, Row{kOvr, 2800}}) {
        CAPTURE(row.flag);
        levels.clear();
        requests.clear();
        const Picoseconds begin = now();
        set(kIer, row.flag);
        set(kCr, kAden | kStart);
        sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
        CHECK(levels == decltype(levels){{true, begin + row.after_ns * 1000}});
        CHECK(requests == decltype(requests){{true, begin + 1'400'000}});
        set(kIsr, kWord);
        CHECK_FALSE(levels.back().first);
        CHECK_FALSE(requests.back().first);
    }
    // A flag without its enable is none.
    set(kIer, 0);
    levels.clear();
    set(kCr, kAden | kStart);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    CHECK(levels.empty());
    set(kIer, kEoc);
    CHECK(levels == decltype(levels){{true, now()}});
    static_cast<void>(adc.read(kDr, now()));
    CHECK(levels.size() == 2);
}

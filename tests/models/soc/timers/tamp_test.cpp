// SPDX-License-Identifier: Apache-2.0
// Tampers: edges, samples, active tampers; backup registers, flags, interrupt. Times are multiples
// of RTCCLK, 32768 Hz.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "models/duration.h"
#include "models/soc/base/clock_periods.h"
#include "models/soc/timers/tamp.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kFltcr = 0x0C, kAtcr1 = 0x10, kSeed = 0x14,
                        kAtor = 0x18, kAtcr2 = 0x1C, kSeccfgr = 0x20, kIer = 0x2C, kSr = 0x30,
                        kMisr = 0x34, kSmisr = 0x38, kScr = 0x3C, kCount = 0x40, kBackup = 0x100;
constexpr std::uint32_t kFalling = 1u << 24, kSecure = 1u << 31;

[[nodiscard]] Picoseconds clocks(std::uint64_t count) {
    return periods_to_ps(count, 32768);
}

struct Bench {
    Tamp tamp{"tamp", "TAMP"};
    bool line = false;
    std::vector<Picoseconds> tampers;
    std::optional<bool> out;
    unsigned changes = 0;
    bool wired = false;

    Bench() {
        tamp.on_interrupt = [this](bool level) { line = level; };
        tamp.on_tamper = [this](Picoseconds at) { tampers.push_back(at); };
        tamp.on_output = [this](unsigned output, std::optional<bool> level, Picoseconds at) {
            CHECK(output == 2);
            if (level != out) ++changes;
            out = level;
            if (wired) tamp.set_pin(0, level, at);
        };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        for (std::uint32_t i = 0; i < 32; ++i) set(kBackup + 4 * i, 0xFFFFFFFF);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass(Picoseconds time) { sc_core::sc_start(to_sc_time(time)); }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(tamp.write(offset, value, kWord, now()).modelled);
    }
    std::uint32_t get(std::uint32_t offset) { return tamp.read(offset, now()).value; }
    void pin(std::optional<bool> level) { tamp.set_pin(0, level, now()); }
    /// All backup registers hold this.
    [[nodiscard]] bool all(std::uint32_t value) {
        for (std::uint32_t i = 0; i < 32; ++i)
            if (get(kBackup + 4 * i) != value) return false;
        return true;
    }
    /// TAMP_IN1 against TAMP_OUT3.
    void activate(std::uint32_t atcr1) {
        set(kAtcr1, 1 | 1u << 30 | atcr1);
        set(kAtcr2, 2u << 8);
        set(kCr1, 1);
        for (unsigned i = 0; i < 4; ++i) set(kSeed, 0);
    }
};

}  // namespace

TEST_CASE("TAMP: a falling edge sets the flag, interrupts and erases the backup registers") {
    Bench bench;
    bench.pin(true);
    bench.set(kSeccfgr, kSecure);
    bench.set(kCr2, kFalling);
    bench.set(kIer, 1);
    bench.set(kCr1, 1);
    Bench::pass(clocks(3));
    CHECK(bench.all(0xFFFFFFFF));
    CHECK_FALSE(bench.line);
    const Picoseconds at = Bench::now();
    bench.pin(false);
    CHECK(bench.tampers == std::vector<Picoseconds>{at});
    CHECK(bench.get(kSr) == 1);
    CHECK(bench.get(kMisr) == 0);
    CHECK(bench.get(kSmisr) == 1);
    CHECK(bench.line);
    CHECK(bench.all(0));
    bench.set(kBackup, 5);
    bench.pin(true);
    bench.pin(false);  // not while the flag is set
    CHECK(bench.get(kBackup) == 5);
    bench.set(kScr, 1);
    CHECK(bench.get(kSr) == 0);
    CHECK_FALSE(bench.line);
    CHECK(bench.get(kBackup) == 5);
    bench.pin(true);
    bench.pin(false);
    CHECK(bench.get(kSr) == 1);
    CHECK(bench.get(kBackup) == 0);
}

TEST_CASE(
    "TAMP: a rising edge, from a floating pin too, and one that is high already is a tamper") {
    Bench bench;
    bench.set(kCr1, 1);
    CHECK(bench.get(kSr) == 0);
    bench.pin(true);
    CHECK(bench.get(kSr) == 1);
    bench.set(kScr, 1);
    CHECK(bench.get(kSr) == 0);
    bench.set(kCr1, 0);
    bench.set(kCr1, 1);
    CHECK(bench.get(kSr) == 1);
    CHECK_FALSE(bench.line);
}

TEST_CASE("TAMP: a potential tamper blocks the backup registers until its flag is cleared") {
    Bench bench;
    bench.set(kCr2, 1);
    bench.set(kCr1, 1);
    bench.pin(true);
    CHECK(bench.get(kSr) == 1);
    CHECK(bench.all(0));
    bench.set(kBackup, 5);
    bench.set(kScr, 1);
    CHECK(bench.all(0xFFFFFFFF));
    bench.pin(false);
    bench.pin(true);
    bench.set(kCr2, 1 | 1u << 23);  // it is one
    bench.set(kScr, 1);
    CHECK(bench.all(0));
}

TEST_CASE("TAMP: a masked tamper leaves no flag and erases nothing") {
    Bench bench;
    bench.set(kCr2, 1u << 16);
    bench.set(kCr1, 1);
    bench.pin(true);
    CHECK(bench.get(kSr) == 0);
    CHECK(bench.all(0xFFFFFFFF));
    CHECK(bench.tampers.empty());
}

TEST_CASE("TAMP: a level counts after 2, 4 or 8 samples in a row") {
    Bench bench;
    bench.pin(false);
    bench.set(kFltcr, 7 | 2u << 3);  // 4 samples, RTCCLK / 256
    bench.set(kCr2, kFalling);       // high level
    bench.set(kCr1, 1);
    Bench::pass(clocks(100));
    bench.pin(true);
    Bench::pass(clocks(256ULL * 4 - 100) - 1000);  // three samples
    bench.pin(false);
    Bench::pass(clocks(256ULL * 4));
    CHECK(bench.get(kSr) == 0);
    bench.pin(true);
    const Picoseconds begin = Bench::now();
    Bench::pass(clocks(256ULL * 5));
    REQUIRE(bench.tampers.size() == 1);
    CHECK(bench.tampers[0] - begin > clocks(256ULL * 3));
    CHECK(bench.tampers[0] - begin <= clocks(256ULL * 4));
    CHECK(bench.all(0));
    bench.set(kScr, 1);  // the level is still there
    Bench::pass(clocks(256ULL * 4));
    CHECK(bench.get(kSr) == 1);
}

TEST_CASE("TAMP: a floating pin is pulled up before samples, unless TAMPPUDIS forbids it") {
    Bench bench;
    bench.set(kFltcr, 7 | 1u << 3 | 1u << 7);
    bench.set(kCr2, kFalling);
    bench.set(kCr1, 1);
    Bench::pass(clocks(1024));
    CHECK(bench.get(kSr) == 0);
    bench.set(kFltcr, 7 | 1u << 3);
    Bench::pass(clocks(1024));
    CHECK(bench.get(kSr) == 1);
}

TEST_CASE(
    "TAMP: an active tamper whose pins are wired is quiet, its output changes in its period") {
    Bench bench;
    bench.wired = true;
    bench.activate(1u << 24);  // 2 clocks
    CHECK((bench.get(kAtor) & 1u << 15) != 0);
    Bench::pass(clocks(2000));
    CHECK(bench.get(kSr) == 0);
    // 1000 periods, in half of which it changes: three times the deviation of 15.8.
    CHECK(bench.changes > 450);
    CHECK(bench.changes < 550);
    CHECK(bench.all(0xFFFFFFFF));
    bench.set(kCr1, 0);
    CHECK_FALSE(bench.out.has_value());
    CHECK((bench.get(kAtor) & 1u << 15) == 0);
}

TEST_CASE("TAMP: an active tamper without a wire is found when its output is high") {
    Bench bench;
    bench.set(kIer, 1);
    bench.activate(0);
    CHECK(bench.get(kSr) == 0);
    Bench::pass(clocks(40));
    CHECK(bench.get(kSr) == 1);
    CHECK(bench.line);
    CHECK(bench.all(0));
}

TEST_CASE("TAMP: with FLTEN one false comparison is none, a wire that is cut is found") {
    Bench bench;
    bench.wired = true;
    bench.activate(1u << 31);
    Bench::pass(clocks(50) + 1000);
    bench.pin(!*bench.out);  // until the next change of the output
    Bench::pass(clocks(1));
    bench.pin(bench.out);
    Bench::pass(clocks(20));
    CHECK(bench.get(kSr) == 0);
    bench.wired = false;
    bench.pin(std::nullopt);
    Bench::pass(clocks(40));
    CHECK(bench.get(kSr) == 1);
}

TEST_CASE("TAMP: no output before the seed is complete") {
    Bench bench;
    bench.set(kAtcr1, 1 | 1u << 30);
    bench.set(kAtcr2, 2u << 8);
    bench.set(kCr1, 1);
    for (unsigned i = 0; i < 3; ++i) bench.set(kSeed, 1);
    Bench::pass(clocks(100));
    CHECK_FALSE(bench.out.has_value());
    CHECK(bench.get(kSr) == 0);
    bench.set(kSeed, 1);
    CHECK(bench.out.has_value());
}

TEST_CASE("TAMP: a reset of the chip leaves all, one of the backup domain nothing") {
    Bench bench;
    bench.set(kCr2, 1);
    bench.set(kCr1, 1);
    bench.pin(true);
    bench.set(kCount, 0);
    bench.set(kCount, 0);
    bench.tamp.reset_at(Bench::now());
    CHECK(bench.get(kSr) == 1);
    CHECK(bench.get(kCr1) == 1);
    CHECK(bench.get(kCount) == 2);
    bench.tamp.power_on(Bench::now());
    for (const std::uint32_t offset : {kCr1, kCr2, kSr, kCount, kBackup})
        CHECK(bench.get(offset) == 0);
    CHECK(bench.get(kAtcr1) == 0x70000);
}

TEST_CASE("TAMP: what has no public pin or no source is not modelled") {
    Bench bench;
    CHECK_FALSE(bench.tamp.write(kCr1, 1u << 1, kWord, 0).modelled);
    CHECK_FALSE(bench.tamp.write(kCr1, 1u << 20, kWord, 0).modelled);
    bench.set(kCr1, 1u << 23);
    bench.set(kAtcr1, 1);
    CHECK_FALSE(bench.tamp.write(kCr1, 1, kWord, 0).modelled);  // TAMP_OUT1
}

// SPDX-License-Identifier: Apache-2.0
// The temperature sensor as its driver uses it: clock, words to the sensors, samples, alarms,
// times. Samples by hand from the formula of the HAL: (C - 60 + 0.4) / 200 + 0.5 of 4094, at 4 MHz.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/duration.h"
#include "models/soc/analog/dts.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kIer = 0x40, kMask = 0x54, kStatus = 0x64, kRaw = 0x74, kClock = 0x80,
                        kDisable = 0x84, kSerialStatus = 0x88, kSerial = 0x8C, kInhibit = 0x94,
                        kSamples = 0xA0, kClear = 0xA4, kCount = 0xA8, kFirst = 0xC0,
                        kSecond = 0x100;
constexpr std::uint32_t kSensorIer = 0x00, kIsr = 0x04, kIcr = 0x08, kTest = 0x0C, kDone = 0x14,
                        kData = 0x18, kAlarmA = 0x20, kAlarmB = 0x24, kExtremes = 0x28,
                        kExtremesReset = 0x2C;
constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kOnce = 0x106, kContinuous = 0x10A, kOff = 0x001;
constexpr std::uint32_t kControl = 0x88000000, kConfigure = 0x89000000, kDelay = 0x8D000000;

/// Sensor clock: 8 MHz / 2. A word takes 40 clocks, 10 us; a sample of 12 bits 4096, 1024 us.
struct Bench {
    Dts dts{"dts", "DTS"};
    Picoseconds now = 0;
    std::vector<bool> levels;

    Bench() {
        dts.on_interrupt = [this](bool level) { levels.push_back(level); };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return dts.write(offset, value, kWord, now).modelled;
    }
    std::uint32_t get(std::uint32_t offset) { return dts.read(offset, now).value; }
    void pass_us(double us) {
        now += ns_to_ps(us * 1e3);
        sc_core::sc_start(delay_until(now));
    }
    void word(std::uint32_t value) {
        CHECK(set(kSerial, value));
        CHECK(get(kSerialStatus) == 1);
        pass_us(10);
        CHECK(get(kSerialStatus) == 0);
    }
    /// As HAL_DTS_Init does it.
    void start() {
        set(kClock, 0x01010000);
        word(kDelay | 256);
        set(kIer, 2);
    }
};

}  // namespace

TEST_CASE("timing: dts converts once after power-up delay, as the HAL waits for it") {
    Bench bench;
    bench.start();
    bench.set(kInhibit, 2);
    bench.word(kConfigure | 1);
    bench.word(kControl | kOnce);
    bench.pass_us(64 + 1024 - 0.001);
    CHECK(bench.get(kFirst + kDone) == 0);
    bench.pass_us(0.001);
    CHECK(bench.get(kFirst + kDone) == 1);
    CHECK(bench.get(kSecond + kDone) == 0);    // inhibited
    CHECK(bench.get(kFirst + kData) == 1441);  // 30 degrees
    CHECK(bench.get(kFirst + kDone) == 0);
    CHECK(bench.get(kFirst + kIsr) == 2);
    CHECK(bench.levels.empty());
    bench.pass_us(5000);
    CHECK(bench.get(kFirst + kDone) == 0);
    CHECK(bench.get(kCount) == 1);
}

TEST_CASE("dts: samples by temperature and resolution, on both sensors") {
    Bench bench;
    bench.start();
    bench.dts.set_celsius(0, 100);
    bench.dts.set_celsius(1, -40);
    const auto convert = [&](std::uint32_t resolution, double us) {
        bench.word(kConfigure | resolution);
        bench.word(kControl | kOnce);
        bench.pass_us(64 + us - 1);
        CHECK(bench.get(kFirst + kDone) == 0);
        bench.pass_us(1);
        CHECK(bench.get(kFirst + kDone) == 1);
        return bench.get(kFirst + kData);
    };
    CHECK(convert(0x01, 1024) == 2874);
    CHECK(bench.get(kSecond + kData) == 8);
    CHECK(convert(0x21, 256) == 2872);
    CHECK(convert(0x41, 64) == 2864);
}

TEST_CASE("dts: continuous samples, their count, highest and lowest, until power down") {
    Bench bench;
    bench.start();
    bench.set(kInhibit, 2);
    bench.set(kFirst + kExtremesReset, 3);
    CHECK(bench.get(kFirst + kExtremes) == 0x0000FFFF);
    bench.word(kControl | kContinuous);
    bench.pass_us(64 + 1024);
    bench.dts.set_celsius(0, 100);
    bench.pass_us(1024);
    bench.dts.set_celsius(0, -40);
    bench.pass_us(1024);
    CHECK(bench.get(kFirst + kExtremes) == (2874u << 16 | 8u));
    CHECK(bench.get(kCount) == 3);
    bench.set(kSamples, 2);  // held
    bench.pass_us(1024);
    CHECK(bench.get(kCount) == 3);
    bench.set(kSamples, 0);
    bench.set(kClear, 1);
    CHECK(bench.get(kCount) == 0);
    bench.word(kControl | kOff);
    bench.pass_us(5000);
    CHECK(bench.get(kCount) == 0);
}

TEST_CASE("dts: an interrupt at the end of a sample, through enables and mask") {
    Bench bench;
    bench.start();
    bench.set(kInhibit, 1);
    bench.set(kSecond + kSensorIer, 2);
    bench.word(kControl | kOnce);
    bench.pass_us(64 + 1024 - 0.001);
    CHECK(bench.levels.empty());
    bench.pass_us(0.002);
    REQUIRE(bench.levels == std::vector<bool>{true});
    CHECK(bench.get(kStatus) == 2);
    bench.set(kMask, 2);
    CHECK(bench.get(kStatus) == 0);
    CHECK(bench.get(kRaw) == 2);
    CHECK(bench.levels == std::vector<bool>{true, false});
    bench.set(kMask, 0);
    bench.set(kSecond + kIcr, 2);
    CHECK(bench.get(kSecond + kIsr) == 0);
    CHECK(bench.levels == std::vector<bool>{true, false, true, false});
    bench.set(kSecond + kSensorIer, 1);
    bench.set(kSecond + kTest, 1);  // as if there were a fault
    CHECK(bench.levels.back());
}

TEST_CASE("dts: alarms rise at their threshold, and again behind the hysteresis") {
    Bench bench;
    bench.start();
    bench.set(kFirst + kAlarmA, 2874u << 16 | 2000u);  // above 100 degrees
    bench.set(kFirst + kAlarmB, 8u << 16 | 1000u);     // below -40 degrees
    bench.word(kControl | kContinuous);
    bench.pass_us(64);
    const auto flags_at = [&](double celsius) {
        bench.dts.set_celsius(0, celsius);
        bench.pass_us(1024);
        const std::uint32_t flags = bench.get(kFirst + kIsr);
        bench.set(kFirst + kIcr, flags);
        return flags;
    };
    CHECK(flags_at(30) == 0x02);
    CHECK(flags_at(100) == 0x0A);
    CHECK(flags_at(101) == 0x02);
    CHECK(flags_at(90) == 0x02);
    CHECK(flags_at(101) == 0x02);  // not yet behind the hysteresis
    CHECK(flags_at(30) == 0x02);
    CHECK(flags_at(101) == 0x0A);
    CHECK(flags_at(-40) == 0x12);
    CHECK(flags_at(-40) == 0x02);
}

TEST_CASE("dts: without its clock, or disabled, a sensor hears nothing, and a reset forgets") {
    Bench bench;
    CHECK(bench.set(kSerial, kControl | kOnce));
    CHECK(bench.get(kSerialStatus) == 0);
    bench.start();
    bench.set(kDisable, 1);
    bench.word(kControl | kOnce);
    bench.pass_us(2000);
    CHECK(bench.get(kFirst + kDone) == 0);
    CHECK(bench.get(kSecond + kDone) == 1);
    bench.dts.reset();
    CHECK(bench.get(kSecond + kDone) == 0);
    CHECK(bench.get(kClock) == 0);
    CHECK(bench.get(kDisable) == 0);
}

TEST_CASE("dts: what is not modelled says so") {
    Bench bench;
    bench.start();
    CHECK_FALSE(bench.set(kSerial, kControl | 0x102));  // by a trigger
    CHECK_FALSE(bench.set(kSerial, 0x80000000));        // a word read back
    CHECK_FALSE(bench.set(kSamples, 4));                // discarded samples
    CHECK_FALSE(bench.set(0x20, 1u << 16));             // timer
    CHECK_FALSE(bench.set(0x10, 1));                    // lock
    CHECK_FALSE(bench.dts.read(0x00, bench.now).modelled);
    CHECK_FALSE(bench.dts.read(0x140, bench.now).modelled);
    CHECK(std::string(bench.dts.read(kFirst + kData, bench.now).name) == "TSxSDIFDATAR");
}

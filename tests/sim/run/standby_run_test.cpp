// SPDX-License-Identifier: Apache-2.0
// Standby mode in a run: wake-ups by inputs and the RTC, and no wake-up at all.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kPwr = 0x56024800, kRtc = 0x56004000;
constexpr std::uint32_t kStarts = kBase + 0x1F0;  // zero in the file, and in FLEXMEM

/// Ends with 7 at start number `last`; before, it prepares and enters Standby mode.
Thumb standing_by(unsigned last, const Thumb& prepare) {
    const Thumb end = exiting(7);
    Thumb program;
    program.set(1, kStarts).load(0, 1).add(0, 1).store(0, 1);
    program.raw({0x2800 | last});                                            // CMP r0, #last
    program.raw({0xD100 | (static_cast<unsigned>(end.code().size()) - 1)});  // BNE
    for (const std::uint16_t half : end.code()) program.raw({half});
    program.write(kPwr + 0x0C, 1u << 4);
    for (const std::uint16_t half : prepare.code()) program.raw({half});
    return program.write(kPwr + 0x30, 1).write(0xE000ED10, 4).barrier().raw({0xBF30, 0xE7FE});
}

/// WKUP3, PC13, rising.
Thumb with_pin() {
    return Thumb().write(kPwr + 0x58, 1u << 2 | 2u << 20).write(kPwr + 0x50, 0xF);
}

}  // namespace

TEST_CASE("run: an input at a wake-up pin ends Standby mode, without --resets") {
    Workdir room;
    const std::string input = "[[input]]\npin = \"PC13\"\n";
    const Outcome outcome =
        room.scenario("[run]\nelf = \"program.elf\"\n" + input + "at = \"3s\"\nlevel = 1\n" +
                          input + "at = \"3.1s\"\nlevel = 0\n" + input + "at = \"5s\"\nlevel = 1\n",
                      {"--report", room.folder.file("r.json")}, standing_by(3, with_pin()));
    CHECK(outcome.exit_code == 1);
    const Json report = room.report();
    CHECK(report["end"] == "exit");
    CHECK(report["exit_code"] == 7);
    CHECK(report["wake_ups"] == 2);
    CHECK_FALSE(report.contains("resets"));
    CHECK(report["time_ps"].get<std::uint64_t>() / 1'000'000'000 == 5000);
    CHECK(has(outcome.out, "woken from Standby mode: 2 times"));
}

TEST_CASE("run: waiting for the RTC in Standby mode is no lack of progress") {
    Workdir room;
    // The clock of the RTC and its wake-up timer: 3 s of the calendar, at 32768 Hz.
    Thumb prepare;
    prepare.write(kRcc + 0xA74, 3u << 16).write(kRtc + 0x5C, 0x7F);
    prepare.write(kRtc + 0x18, 0).write(kRtc + 0x14, 2);
    prepare.write(kRtc + 0x18, 1u << 10 | 1u << 14 | 4);
    const Outcome outcome =
        room.run(standing_by(2, prepare), {"--report", room.folder.file("r.json")});
    REQUIRE(outcome.exit_code == 1);
    const Json report = room.report();
    CHECK(report["exit_code"] == 7);
    CHECK(report["time_ps"].get<std::uint64_t>() / 1'000'000'000 == 3000);
}

TEST_CASE("run: Standby mode without a wake-up source ends the run with a sentence") {
    Workdir room;
    const Outcome none =
        room.run(standing_by(2, Thumb()), {"--report", room.folder.file("r.json")});
    CHECK(none.exit_code == 5);
    CHECK(room.report()["end"] == "asleep");
    CHECK(room.report()["standby"] == true);
    CHECK(has(none.err, "in Standby mode without a wake-up source"));
    CHECK(has(none.err, "PWR_WKUPEPR"));
    const Outcome pin = room.run(standing_by(2, with_pin()), {});
    CHECK(pin.exit_code == 5);
    CHECK(has(pin.err, "enabled pins: PC13 rising; give such an edge by [[input]]"));
}

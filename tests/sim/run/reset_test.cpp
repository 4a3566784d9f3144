// SPDX-License-Identifier: Apache-2.0
// `--resets`: a program that resets the chip, or that a watchdog resets, starts again.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kStarts = kBase + 0x1F0;  // zero in the file, and no reset clears it
constexpr std::uint32_t kAircr = 0xE000ED0C, kResetRequest = 0x05FA0004;
constexpr std::uint32_t kRsr = 0x56028034;

/// Jumps over `part` unless r0, the number of this start, is `start`.
Thumb at_start(unsigned start, const Thumb& part, std::uint32_t counter = kStarts) {
    Thumb program;
    program.set(1, counter).load(0, 1).add(0, 1).store(0, 1);
    program.raw({0x2800 | start});  // CMP r0, #start
    program.raw({0xD100 | ((static_cast<unsigned>(part.code().size()) - 1) & 0xFF)});  // BNE
    for (const std::uint16_t half : part.code()) program.raw({half});
    return program;
}

/// Ends with what RSR holds.
Thumb ends_with_causes() {
    return Thumb().set(1, kRsr).load(0, 1).set(1, kExit).store(0, 1).raw({0xE7FE});
}

/// Resets the chip `resets` times, then ends with what RSR holds.
Thumb resetting(unsigned resets) {
    return at_start(resets + 1, ends_with_causes()).write(kAircr, kResetRequest).raw({0xE7FE});
}

}  // namespace

TEST_CASE("run: --resets lets the program start again, RAM and the causes of resets stay") {
    Workdir room;
    const Outcome outcome =
        room.run(resetting(2), {"--resets", "2", "--report", room.folder.file("r.json")});
    const Json report = room.report();
    CHECK(report["end"] == "exit");
    CHECK(report["resets"] == 2);
    // Supply came up (BOR, PIN, POR), software: bits 21, 22, 23, 24.
    CHECK(report["exit_code"] == 0x01E00000);
    CHECK(has(outcome.out, "started again after a reset: 2 times"));
    // 12 instructions to the request in the first and the second start, 13 to the end in the third.
    CHECK(report["instructions"].get<unsigned>() > 30);
}

TEST_CASE("run: a reset more than --resets ends the run, and says what to do") {
    const Workdir room;
    const Outcome none = room.run(resetting(2), {});
    CHECK(none.exit_code != 0);
    CHECK(has(none.err, "requested a reset"));
    CHECK(has(none.err, "--resets N"));
    const Outcome one = room.run(resetting(2), {"--resets", "1"});
    CHECK(one.exit_code == none.exit_code);
    CHECK(has(one.err, "has started again 1 times"));
}

TEST_CASE("run: limits count all starts together") {
    Workdir room;
    const Thumb endless_resets = Thumb().write(kAircr, kResetRequest).raw({0xE7FE});
    const std::vector<std::string> more{"--resets", "1000000000", "--report",
                                        room.folder.file("r.json")};
    const auto limited = [&](const char* option, const char* value) {
        std::vector<std::string> options{option, value};
        options.insert(options.end(), more.begin(), more.end());
        CHECK(room.run(endless_resets, options).exit_code == 5);
        CHECK(room.report()["end"] == "limit");
        CHECK(room.report()["resets"].get<unsigned>() > 3);
        return room.report();
    };
    const auto instructions = limited("--max-instr", "500")["instructions"].get<unsigned>();
    CHECK(instructions >= 500);
    CHECK(instructions < 3000);
    // Such a run was deaf to limits of the host's time, and to Ctrl-C.
    (void)limited("--max-host-time", "200ms");
    const auto time = limited("--max-time", "50us")["time_ps"].get<std::uint64_t>();
    CHECK(time >= 50'000'000);
    CHECK(time < 53'000'000);  // the end is seen after a quantum
}

TEST_CASE("run: a watchdog's reset starts the program again, and RSR names it") {
    Workdir room;
    constexpr std::uint32_t kIwdg = 0x56004800;
    Thumb program = at_start(2, ends_with_causes());
    program.write(kIwdg, 0x5555).write(kIwdg + 8, 3).write(kIwdg, 0xCCCC).raw({0xE7FE});
    (void)room.run(program, {"--resets", "1", "--report", room.folder.file("r.json")});
    CHECK(room.report()["exit_code"] == 0x04E00000);
}

TEST_CASE("run: --resets on an older chip") {
    Workdir room;
    constexpr std::uint32_t kFlash = 0x08000000;
    const Thumb ends = Thumb().set(0, 0x18).set(1, 0x20026).end();  // SYS_EXIT
    const Thumb program = at_start(3, ends, 0x20005000).write(kAircr, kResetRequest).raw({0xE7FE});
    const std::string file = room.folder.write("f.bin", program.image(kFlash, 0x20010000));
    const std::string zero = room.folder.write("zero.bin", std::vector<std::uint8_t>(4));
    const auto run = [&](const char* resets) {
        return run_process({N6VP_BINARY, "run", "--chip", "stm32l4r5", "--image",
                            "0x08000000=" + file, "--image", "0x20005000=" + zero, "--resets",
                            resets, "--report", room.folder.file("r.json")});
    };
    CHECK(run("2").exit_code == 0);
    CHECK(room.report()["resets"] == 2);
    const Outcome outcome = run("1");
    CHECK(outcome.exit_code != 0);
    CHECK(has(outcome.err, "--resets N"));
}

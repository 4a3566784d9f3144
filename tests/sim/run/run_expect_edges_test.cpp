// SPDX-License-Identifier: Apache-2.0
// [expect] at its edges: the last value that holds and the first one that does not.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kPhaseName = kMailbox + 0x10;
constexpr std::uint32_t kPhaseBegin = kMailbox + 0x14, kPhaseEnd = kMailbox + 0x18;

Outcome expecting(const Workdir& room, const std::string& text, const Thumb& program = exiting(0)) {
    return room.scenario("[run]\nelf = \"program.elf\"\nfiles = \".\"\n[expect]\n" + text,
                         {"--quiet", "--report", room.folder.file("r.json")}, program);
}

/// Phase 3, "abc", three times: the longest first, the shortest last.
Thumb phases() {
    constexpr std::uint32_t kName = 0x34100100;
    Thumb program;
    program.write(kName, 0x00636261);
    for (const unsigned stores : {20u, 10u, 1u}) {
        program.write(kPhaseName, kName).write(kPhaseBegin, 3);
        for (unsigned i = 0; i < stores; ++i) program.write(0x34100000, i);
        program.write(kPhaseEnd, 3);
    }
    return program.write(kExit, 0).raw({0xE7FE});
}

}  // namespace

TEST_CASE("expect: memory with both hex and file is refused") {
    const Workdir room;
    static_cast<void>(room.folder.write("b.bin", std::string("b")));
    const Outcome outcome =
        expecting(room, "[[expect.memory]]\nat = 0x34100000\nhex = '62'\nfile = 'b.bin'\n");
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "s.toml:5: [[expect.memory]] needs at, and either hex or file"));
}

TEST_CASE("expect: the last byte of the address space is a place, the one behind it is none") {
    const Workdir room;
    const Outcome last = expecting(room, "[[expect.memory]]\nat = 0xFFFFFFFF\nhex = '00'\n");
    CHECK(last.exit_code == 1);
    CHECK(has(last.err,
              "expected 1 bytes at 0xffffffff, found no memory, or too little, at this address"));
    CHECK(expecting(room, "[[expect.memory]]\nat = 0xFFFFFFFF\nhex = '0000'\n").exit_code == 2);
}

TEST_CASE("expect: equals is a bound from both sides") {
    const Workdir room;
    const auto code = [&](const char* equals) {
        return expecting(room,
                         std::string("[[expect.counter]]\nname = 'bytes_written'\n"
                                     "from = 'core data'\nwith = 'AXISRAM2'\nequals = ") +
                             equals + "\n",
                         Thumb().write(0x34100000, 1).write(kExit, 0).raw({0xE7FE}))
            .exit_code;
    };
    CHECK(code("4") == 0);
    CHECK(code("3") == 1);
    CHECK(code("5") == 1);
}

TEST_CASE("expect: set_up_steps may stand in any order") {
    const Workdir room;
    const Outcome outcome = room.scenario(
        "[run]\nelf = \"program.elf\"\nboot = \"reset\"\n[expect]\n"
        "set_up_steps = [12,10,9,8,7,6,5,4,3,2,1]\n",
        {"--quiet"}, exiting(0));
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
}

TEST_CASE("expect: a time that is least and most at once, met exactly") {
    const Workdir room;
    CHECK(expecting(room, "exit_code = 0\n").exit_code == 0);
    const auto time = room.report()["time_ps"].get<std::uint64_t>();
    const auto code = [&](const char* least, std::int64_t more, std::int64_t most) {
        const auto text = [time](std::int64_t ps) {
            return std::to_string(static_cast<std::int64_t>(time) + ps);
        };
        return expecting(room, "min_time = '" + (*least != '\0' ? least : text(more)) +
                                   "ps'\nmax_time = '" + text(most) + "ps'\n")
            .exit_code;
    };
    CHECK(code("", 0, 0) == 0);
    CHECK(code("1", 0, -1) == 1);
    CHECK(code("", 1, 1) == 1);
    CHECK(code("", 1, 0) == 2);  // the least above the most
}

TEST_CASE("expect: an output of the name .. is refused before the run") {
    const Workdir room;
    static_cast<void>(room.folder.write("b.bin", std::string("b")));
    for (const char* const name : {"..", ".", "a/b"}) {
        CAPTURE(name);
        const Outcome outcome = expecting(
            room, std::string("[[expect.output]]\nname = '") + name + "'\nfile = 'b.bin'\n",
            endless());
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, "s.toml:6: the output must be in the folder"));
    }
}

TEST_CASE("expect: the time of a phase is that of the longest of its name") {
    const Workdir room;
    CHECK(expecting(room, "exit_code = 0\n", phases()).exit_code == 0);
    std::vector<std::uint64_t> times;
    const Json report = room.report();
    for (const Json& phase : report["phases"]) {
        if (phase["id"] != 3) continue;
        CHECK(phase["name"] == "abc");
        times.push_back(phase["end_ps"].get<std::uint64_t>() -
                        phase["start_ps"].get<std::uint64_t>());
    }
    REQUIRE(times.size() == 3);
    REQUIRE(times[0] > times[1]);
    REQUIRE(times[1] > times[2]);
    const auto code = [&](std::uint64_t most) {
        return expecting(room, "[expect.time]\nabc = '" + std::to_string(most) + "ps'\n", phases())
            .exit_code;
    };
    CHECK(code(times[0]) == 0);
    CHECK(code(times[0] - 1) == 1);
    CHECK(code(times[1]) == 1);
}

TEST_CASE("expect: counters of several phases of one name are added") {
    const Workdir room;
    CHECK(expecting(room, "exit_code = 0\n", phases()).exit_code == 0);
    std::uint64_t sum = 0, last = 0;
    const Json report = room.report();
    for (const Json& phase : report["phases"]) {
        if (phase["id"] != 3) continue;
        last = phase["instructions"].get<std::uint64_t>();
        sum += last;
    }
    REQUIRE(sum > last);
    const auto code = [&](std::uint64_t equals) {
        return expecting(room,
                         "[[expect.counter]]\nname = 'instructions'\nphase = 'abc'\nequals = " +
                             std::to_string(equals) + "\n",
                         phases())
            .exit_code;
    };
    CHECK(code(sum) == 0);
    CHECK(code(sum - 1) == 1);
}

TEST_CASE("expect: no_warnings counts a register that is not modelled") {
    const Workdir room;
    // ICACHE, a stub, is read: no event, no fault.
    const Thumb program = Thumb().set(1, 0x58035000).load(0, 1).write(kExit, 0).raw({0xE7FE});
    const Outcome outcome = expecting(room, "no_warnings = true\n", program);
    CHECK(outcome.exit_code == 1);
    CHECK(has(outcome.err, "found 0 events, 0 of missing cache maintenance, 1 registers"));
    CHECK(expecting(room, "no_warnings = true\n").exit_code == 0);
}

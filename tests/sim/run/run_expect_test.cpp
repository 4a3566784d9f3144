// SPDX-License-Identifier: Apache-2.0
// [expect] of a scenario: every key held and not held, what may not stand there, what comes of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kUart = 0x52001000, kRam = 0x34100000, kCode = 0x34140000;
constexpr std::uint32_t kCleanLine = 0xE000EF64;  // DCCMVAU

/// Says "uart" and "mail" with alternating characters on two channels, "semi" on a third; writes
/// 01 02 03 04 to kRam within phase 3; reads memory that nobody wrote; runs code that it changed
/// and that is in the instruction cache as it was; ends with 7.
Thumb speaker() {
    Thumb program;
    program.caches();
    program.write(kUart + 0xC, 109).write(kUart, 1u << 29 | 9);
    const std::string uart = "uart", mail = "mail";
    for (std::size_t i = 0; i < uart.size(); ++i) {
        program.write(kUart + 0x28, static_cast<std::uint8_t>(uart[i]));
        program.write(kMailbox + 0x28, static_cast<std::uint8_t>(mail[i]));
    }
    program.write(kRam + 0x100, 0x696D6573).write(kRam + 0x104, 0);  // "semi"
    program.set(0, 4).set(1, kRam + 0x100).end();                    // SYS_WRITE0
    program.write(kMailbox + 0x14, 3).write(kRam, 0x04030201).write(kMailbox + 0x18, 3);
    program.set(1, 0x34150000).load(0, 1);
    for (const std::uint32_t code : {0x47702001u, 0x47702002u}) {  // MOVS r0, #n; BX LR
        program.write(kCode, code).write(kCleanLine, kCode).barrier().call(kCode);
    }
    return program.write(kExit, 7).raw({0xE7FE});
}

/// What follows [expect], the key in line 4.
Outcome expecting(const Workdir& room, const std::string& text,
                  const std::vector<std::string>& options = {"--quiet"},
                  const Thumb& program = speaker()) {
    return room.scenario("[run]\nelf = \"program.elf\"\n[expect]\n" + text, options, program);
}

}  // namespace

TEST_CASE("expect: every key, held and not held") {
    struct Case {
        const char* held;
        const char* failed;
        const char* line;  ///< of what failed, in part
    };
    const Case cases[] = {
        {"end = 'exit'\n", "end = 'lockup'\n", "s.toml:4: end: expected lockup, found exit"},
        {"exit_code = 7\n", "exit_code = 0\n", "s.toml:4: exit_code: expected 0, found 7"},
        {"exit_code = 7\nconsole = 'uart'\n", "console = 'uarl'\n",
         "s.toml:4: console: expected 'uarl', found end of the console text: 'uart'"},
        {"exit_code = 7\nconsole = ['mail', 'semi']\n", "console = ['mail',\n'lima']\n",
         "s.toml:5: console: expected 'lima'"},
        {"exit_code = 7\nconsole_without = 'error'\n", "console_without = 'emi'\n",
         "s.toml:4: console_without: expected no 'emi', found 'emi'"},
        {"exit_code = 7\nevents = ['never written', 'AXISRAM2+0x50000', 'unwritten_read']\n",
         "events = 'access_fault'\n",
         "s.toml:4: events: expected 'access_fault', found one event: 'read of memory that was"},
        {"exit_code = 7\nevents_without = ['access_fault']\n", "events_without = 'never'\n",
         "s.toml:4: events_without: expected no 'never', found 'read of memory"},
        {"exit_code = 7\ncoherence = 1\n", "coherence = 0\n",
         "s.toml:4: coherence: expected 0 events, found 1: 1 at the core's caches, 0 at the NPU"},
        {"exit_code = 7\ncoherence_parties = ['stale_code', 'instruction cache']\n",
         "coherence_parties = [['instruction cache'], ['instruction cache', 'NPU port 0']]\n",
         "coherence_parties: expected an event of instruction cache and NPU port 0, found 1 "
         "others"},
        {"exit_code = 7\nmin_time = '100ns'\n", "min_time = '1ms'\n",
         "s.toml:4: min_time: expected at least 1000.000 us, found "},
        {"exit_code = 7\nmax_time = '1ms'\n", "max_time = '1ns'\n",
         "s.toml:4: max_time: expected at most 0.001 us, found "},
        {"exit_code = 7\n[[expect.memory]]\nat = 0x34100000\nhex = '01 0203 04'\n",
         "[[expect.memory]]\nat = '0x34100000'\nhex = '01 02 00 00'\n",
         "s.toml:4: memory: expected 0x00 at 0x34100002, found 0x03; 2 of 4 bytes differ"},
        {"exit_code = 7\n[[expect.memory]]\nat = 0x34100000\nfile = 'bytes.bin'\n",
         "[[expect.memory]]\nat = 0x34100001\nfile = 'bytes.bin'\n",
         "s.toml:4: memory: expected 0x01 at 0x34100001, found 0x02; 4 of 4"},
        {"exit_code = 7\n[[expect.memory]]\nat = 0x24100003\nhex = '04'\n",
         "[[expect.memory]]\nat = 0x36000000\nhex = '00'\n",
         "expected 1 bytes at 0x36000000, found no memory, or too little"},
        {"exit_code = 7\n[[expect.counter]]\nname = 'cycles'\nmin = 100\nmax = 100000\n",
         "[[expect.counter]]\nname = 'cycles'\nmin = 10000000\n",
         "s.toml:4: counter cycles: expected at least 10000000, found "},
        {"exit_code = 7\n[[expect.counter]]\nname = 'time_ps'\nphase = 3\nmin = 1\nmax = 1000000\n",
         "[[expect.counter]]\nname = 'instructions'\nphase = 4\nmin = 5\n",
         "counter instructions of phase 4: expected at least 5, found no phase of that name"},
        {"exit_code = 7\n[[expect.counter]]\nname = 'bytes_read'\nfrom = 'core data'\nwith = "
         "'XSPI2'\nequals = 0\n",
         "[[expect.counter]]\nname = 'bytes_read'\nfrom = 'core code'\nmax = 4\n",
         "counter bytes_read of core code: expected 0 to 4, found "},
        {"exit_code = 7\n[[expect.counter]]\nname = 'npu_cache.passed'\nequals = 0\n",
         "[[expect.counter]]\nname = 'dcache.fills'\nequals = 0\n",
         "counter dcache.fills: expected 0, found "},
    };
    const Workdir room;
    static_cast<void>(room.folder.write("bytes.bin", std::vector<std::uint8_t>{1, 2, 3, 4}));
    for (const Case& one : cases) {
        CAPTURE(one.failed);
        const Outcome held = expecting(room, one.held);
        CAPTURE(held.err);
        CHECK(held.exit_code == 0);
        CHECK(held.err.empty());
        const Outcome failed = expecting(room, one.failed);
        CAPTURE(failed.err);
        CHECK(failed.exit_code == 1);
        CHECK(has(failed.err, one.line));
    }
}

TEST_CASE("expect: what is missing of the set-up, from the reset state only") {
    const Workdir room;
    const auto outcome = [&](const std::string& text, const char* boot) {
        return expecting(room, text, {"--quiet", "--boot", boot}, exiting(0));
    };
    CHECK(outcome("set_up_steps = [1,2,3,4,5,6,7,8,9,10,12]\n", "reset").exit_code == 0);
    CHECK(outcome("set_up_bits = ['RCC_MEMENR.AXISRAM3EN = 0']\n", "reset").exit_code == 0);
    const Outcome steps = outcome("set_up_steps = [3]\n", "reset");
    CHECK(steps.exit_code == 1);
    CHECK(has(steps.err, "set_up_steps: expected 3, found 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12"));
    const Outcome bits = outcome("set_up_bits = 'RCC_MEMENR.AXISRAM9EN'\n", "reset");
    CHECK(bits.exit_code == 1);
    CHECK(has(bits.err, "expected 'RCC_MEMENR.AXISRAM9EN', found SCB_CCR.DC = 0, "));
    const Outcome ready = outcome("set_up_steps = []\n", "ready");
    CHECK(ready.exit_code == 2);
    CHECK(has(ready.err, "s.toml:4: set-up steps are checked only with boot = \"reset\""));
}

TEST_CASE("expect: the end that was wanted is no failure, any other is") {
    const Workdir room;
    const Thumb lockup = Thumb().set(1, 0x36000000).load(0, 1).end();
    const auto code = [&](const char* text, const Thumb& program) {
        return expecting(room, text, {"--quiet", "--max-instr", "1000"}, program).exit_code;
    };
    CHECK(code("end = 'lockup'\n", lockup) == 0);
    CHECK(code("end = 'limit'\n", endless()) == 0);
    CHECK(code("end = 'asleep'\n", Thumb().raw({0xBF30, 0xE7FD})) == 0);
    CHECK(code("end = 'reset'\n", Thumb().write(0xE000ED0C, 0x05FA0004).raw({0xE7FE})) == 0);
    CHECK(code("exit_code = 0\n", lockup) == 1);
    // Nothing is said about the end: the run's own code stays.
    CHECK(code("events = 'no memory'\n", lockup) == 3);
    CHECK(code("min_time = '1ns'\n", endless()) == 5);
    CHECK(code("max_time = '1ns'\n", endless()) == 1);
}

TEST_CASE("expect: the documents and the report carry the judgements") {
    const Workdir room;
    const std::string text = "exit_code = 7\ncoherence = 5\n";
    const Outcome json = expecting(room, text, {"--json", "--report", room.folder.file("r.json")});
    CHECK(json.exit_code == 1);
    CHECK(has(json.err, "semi"));  // standard output belongs to the document
    CHECK(has(json.err, "uart"));
    const Json document = Json::parse(json.out);
    REQUIRE(document["expectations"].size() == 2);
    CHECK(document["expectations"][0]["key"] == "exit_code");
    CHECK(document["expectations"][0]["holds"] == true);
    const Json& failed = document["expectations"][1];
    CHECK(has(failed["origin"], "s.toml:5"));
    CHECK(failed["key"] == "coherence");
    CHECK(failed["expected"] == "5 events");
    CHECK(has(failed["found"], "1: 1 at the core's caches"));
    CHECK(failed["holds"] == false);
    Json report = room.report();
    CHECK(report["expectations"] == document["expectations"]);
    const Outcome plain = expecting(room, text, {});
    CHECK(has(plain.out, "expectations: 1 of 2 hold"));
    CHECK(has(plain.err, "n6vp: the program ended with exit code 7"));
    const Outcome stdio = expecting(room, text, {"--json", "--uart", "stdio"});
    CHECK(stdio.exit_code == 2);
    CHECK(has(stdio.err, "both use standard output"));
}

TEST_CASE("expect: what cannot be expected: one line with file and line, one with a remedy") {
    struct Case {
        const char* text;
        const char* cause;
        const char* remedy;
    };
    const Case cases[] = {
        {"", "s.toml:3: [expect] is empty", "--help"},
        {"exit_cod = 1\n", "s.toml:4: unknown key 'exit_cod' in [expect]",
         "did you mean exit_code"},
        {"exit_code = -1\n", "s.toml:4: exit_code is not a valid number", "0 to 4294967295"},
        {"exit_code = 'x'\n", "s.toml:4: exit_code is not a valid number", "0 to 4294967295"},
        {"exit_code = 0x100000000\n", "s.toml:4: exit_code is not a valid number", "whole number"},
        {"end = 'exist'\n", "s.toml:4: 'exist' is unknown", "did you mean exit?"},
        {"end = 'interrupted'\n", "s.toml:4: 'interrupted' is unknown", "possible: exit, reset"},
        {"end = 'limit'\nexit_code = 1\n", "s.toml:5: a run that does not end by exit", "leave"},
        {"console = ''\n", "s.toml:4: expected a text that is not empty", "in quotes"},
        {"console = 5\n", "s.toml:4: expected a text that is not empty", "in quotes"},
        {"events = [[]]\n", "s.toml:4: expected a text that is not empty", "in quotes"},
        {"coherence = 1.5\n", "s.toml:4: coherence is not a valid number", "whole number"},
        {"coherence_parties = []\n", "s.toml:4: no parties", "name one"},
        {"set_up_steps = 3\n", "s.toml:4: set_up_steps is not a list", "[3, 4]"},
        {"set_up_steps = [13]\n", "s.toml:4: set_up_steps is not a valid number", "0 to 12"},
        {"max_time = 5\n", "s.toml:4: '5' is not a time", "10ms"},
        {"min_time = '2ms'\nmax_time = '1ms'\n", "s.toml:4: min_time is above", "correct"},
        {"memory = 3\n", "s.toml:4: expect.memory is not a list", "[[expect.memory]]"},
        {"[[expect.memory]]\nat = 0x34000000\n", "s.toml:4: [[expect.memory]] needs",
         "give the address"},
        {"[[expect.memory]]\nat = 0x34000000\nhex = '0'\n", "s.toml:6: hex is not a list",
         "two digits"},
        {"[[expect.memory]]\nat = 0x34000000\nhex = ''\n", "s.toml:6: hex is not a list",
         "two digits"},
        {"[[expect.memory]]\nat = 0x34000000\nhex = '0g'\n", "s.toml:6: hex is not a list",
         "digits"},
        {"[[expect.memory]]\nat = 0x100000000\nhex = '00'\n", "s.toml:5: at is not a valid number",
         "0"},
        {"[[expect.memory]]\nat = 0xFFFFFFFF\nhex = '0000'\n",
         "s.toml:4: the expected content exceeds", "correct `at`"},
        {"[[expect.memory]]\nat = 0x34000000\nfile = 'none.bin'\n", "s.toml:6: cannot read",
         "name"},
        {"[[expect.memory]]\nat = 0x34000000\nfile = '.'\n", "not a regular file", "folder"},
        {"[[expect.memory]]\nat = 0x34000000\nhax = '00'\n", "s.toml:6: unknown key 'hax'", "hex"},
        {"[[expect.counter]]\nname = 'cycle'\nmin = 1\n", "s.toml:5: 'cycle' is unknown",
         "cycles?"},
        {"[[expect.counter]]\nname = 'cycles'\n", "s.toml:4: [[expect.counter]] needs name",
         "give the counter"},
        {"[[expect.counter]]\nname = 'cycles'\nmin = 2\nmax = 1\n", "s.toml:4: min is above max",
         "correct"},
        {"[[expect.counter]]\nname = 'cycles'\nmin = 2\nfrom = 'core'\n",
         "s.toml:7: 'core' is unknown", "core code"},
        {"[[expect.counter]]\nname = 'cycles'\nmin = 2\nwith = 'XSPI2'\n",
         "s.toml:4: cycles has no `from`", "bytes_read"},
        {"[[expect.counter]]\nname = 'dcache.fills'\nmin = 2\nphase = 'x'\n",
         "s.toml:4: caches are counted over the whole run", "phase"},
    };
    const Workdir room;
    for (const Case& one : cases) {
        CAPTURE(one.text);
        const Outcome outcome = expecting(room, one.text, {}, exiting(0));
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, one.cause));
        CHECK(has(outcome.err, one.remedy));
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
        CHECK(outcome.out.empty());
    }
}

TEST_CASE("expect: a text that overlaps itself is found") {
    const Workdir room;
    Thumb program;
    for (const char character : std::string("aabaabaac")) {
        program.write(kMailbox + 0x28, static_cast<std::uint8_t>(character));
    }
    program.write(kExit, 0).raw({0xE7FE});
    const auto code = [&](const char* text) {
        return expecting(room, text, {"--quiet"}, program).exit_code;
    };
    CHECK(code("console = 'aabaac'\n") == 0);
    CHECK(code("console = 'abaabaac'\n") == 0);
    CHECK(code("console = 'aabac'\n") == 1);
}

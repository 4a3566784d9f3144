// SPDX-License-Identifier: Apache-2.0
// Inputs of a scenario at their times, to serial ports and pins; LEDs and pins in report and trace;
// several terminals, each named when the run starts.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kUsart1 = 0x52001000, kUsart2 = 0x50004400,
                        kTim6 = 0x50001000, kGpioC = 0x56020800, kGpioG = 0x56021800,
                        kGpioO = 0x56023800;
constexpr std::uint32_t kApb1 = kRcc + 0xA64, kApb2 = kRcc + 0xA6C, kAhb4 = kRcc + 0xA5C;
constexpr std::uint32_t kReceived = 0x1C, kReceivedBit = 0x20, kData = 0x24, kSend = 0x28;

/// Goes round until one of the bits of the register is one.
Thumb& wait(Thumb& program, std::uint32_t address, std::uint32_t bits) {
    program.set(1, address).set(2, bits);
    const std::size_t start = program.code().size();
    program.load(0, 1).raw({0x4210});  // TST r0, r2
    const auto back = static_cast<int>(start) - static_cast<int>(program.code().size()) - 2;
    return program.raw({0xD000u | (static_cast<unsigned>(back) & 0xFF)});  // BEQ
}
/// Switches a port on, at 115200 baud of 100 MHz.
Thumb& open(Thumb& program, std::uint32_t port) {
    return program.write(port + 0x0C, 868).write(port, 1 | 1u << 2 | 1u << 3);
}
/// Receives a character, sends it back, and so on.
Thumb echo(std::uint32_t port, std::size_t characters) {
    Thumb program;
    program.write(kApb1, 1u << 17).write(kApb2, 1u << 4);
    open(program, port);
    for (std::size_t i = 0; i < characters; ++i) {
        wait(program, port + kReceived, kReceivedBit);
        program.set(1, port + kData).load(0, 1).set(1, port + kSend).store(0, 1);
    }
    wait(program, port + kReceived, 64);  // TC
    return program.write(kExit, 0).raw({0xE7FE});
}
/// Toggles a pin of GPIOO three times, 100 us apart by TIM6, and ends.
Thumb blinker() {
    Thumb program;
    program.write(kAhb4, 1u << 14 | 1u << 6).write(kApb1, 1u << 4);
    program.write(kGpioO, ~(2u << 2));  // PO1: output
    program.write(kTim6 + 0x28, 399).write(kTim6 + 0x2C, 99);
    for (const std::uint32_t set : {2u, 2u << 16, 2u, 2u << 16}) {
        program.write(kGpioO + 0x18, set).write(kTim6 + 0x14, 1).write(kTim6 + 0x10, 0);
        program.write(kTim6, 1 | 1u << 3);  // one pulse
        wait(program, kTim6 + 0x10, 1);
    }
    return program.write(kGpioO + 0x18, 2).write(kExit, 0).raw({0xE7FE});
}

std::string scenario(const std::string& tables, const std::string& run = "") {
    return "[run]\nelf = \"program.elf\"\nmax_time = \"50ms\"\n" + run + tables;
}
std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("input: characters come at their times, on the console's port and on another") {
    const Workdir room;
    const std::string out = room.folder.file("out");
    struct Port {
        std::uint32_t address;
        std::string name, option;
    };
    for (const Port& port :
         {Port{kUsart1, "", ""}, Port{kUsart2, "uart = \"usart2\"\n", "usart2="}}) {
        CAPTURE(port.option);
        const std::string inputs = fmt::format(
            "[[input]]\nat = \"5ms\"\nhex = \"43 0a\"\n{0}"
            "[[input]]\nat = \"2ms\"\ntext = \"AB\"\n{0}"
            "[expect]\nexit_code = 0\nmin_time = \"5ms\"\nmax_time = \"6ms\"\n",
            port.name);
        const std::string run = fmt::format("uart = [\"{}file:{}\"]\n", port.option, out);
        const Outcome outcome = room.scenario(
            scenario(inputs, run), {"--report", room.folder.file("r.json")}, echo(port.address, 4));
        CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
        CHECK(text_of(out) == "ABC\n");
        const Json report = room.report();
        CHECK(report["repeatable"] == true);
        CHECK(report["inputs"][0]["characters"] == 4);
        CHECK(report["inputs"][0]["unheard"] == 0);
    }
}

TEST_CASE("input: a table repeats, and the same run has the same hash") {
    const Workdir room;
    const std::string inputs =
        "[[input]]\nat = \"1ms\"\nevery = \"2ms\"\ncount = 3\ntext = \"x\"\n"
        "[expect]\nexit_code = 0\nmin_time = \"5ms\"\nmax_time = \"6ms\"\n";
    const std::vector<std::string> report{"--report", room.folder.file("r.json")};
    CHECK(room.scenario(scenario(inputs), report, echo(kUsart1, 3)).exit_code == 0);
    const Json first = room.report();
    CHECK(room.scenario(scenario(inputs), report, echo(kUsart1, 3)).exit_code == 0);
    CHECK(room.report()["hash"] == first["hash"]);
    // A fourth one does not come.
    const Outcome waits = room.scenario(scenario(inputs), {}, echo(kUsart1, 4));
    CHECK(waits.exit_code == 1);
}

TEST_CASE("input: characters for a port that is off are named in the report") {
    const Workdir room;
    const std::string inputs = "[[input]]\nat = \"0s\"\nuart = \"usart3\"\ntext = \"abc\"\n";
    const Outcome outcome = room.scenario(scenario(inputs), {}, endless());
    CHECK(has(outcome.out, "USART3 3 characters"));
}

TEST_CASE("input: a button is pressed and let go") {
    const Workdir room;
    Thumb program;
    program.write(kAhb4, 1u << 2).write(kGpioC, ~(3u << 26));  // PC13: input
    wait(program, kGpioC + 0x10, 1u << 13);
    // It goes low again.
    program.set(1, kGpioC + 0x10).set(2, 1u << 13);
    const std::size_t start = program.code().size();
    program.load(0, 1).raw({0x4210}).repeat(start);
    program.write(kExit, 0).raw({0xE7FE});
    const std::string inputs =
        "[[input]]\nat = \"0s\"\npin = \"PC13\"\nlevel = 0\n"
        "[[input]]\nat = \"3ms\"\npin = \"PC13\"\nlevel = 1\n"
        "[[input]]\nat = \"4ms\"\npin = \"PC13\"\nlevel = 0\n"
        "[expect]\nexit_code = 0\nmin_time = \"4ms\"\nmax_time = \"4.1ms\"\n";
    const Outcome outcome = room.scenario(scenario(inputs), {}, program);
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
}

TEST_CASE("input: another controller on I2C writes to the chip and reads from it") {
    constexpr std::uint32_t kI2c1 = 0x50005400, kIsr = kI2c1 + 0x18, kIcr = kI2c1 + 0x1C;
    constexpr std::uint32_t kTaken = 0x34000F00;
    const Workdir room;
    Thumb program;
    program.write(kApb1, 1u << 21);
    program.write(kI2c1 + 0x10, 0x90003131).write(kI2c1 + 0x08, 1u << 15 | 0x3F << 1);  // OA1EN
    program.write(kI2c1, 1);
    wait(program, kIsr, 8).write(kIcr, 8);  // ADDR
    wait(program, kIsr, 4);                 // RXNE
    program.set(1, kI2c1 + 0x24).load(0, 1).set(1, kTaken).store(0, 1);
    wait(program, kIsr, 8).write(kIcr, 8);
    for (const std::uint32_t byte : {0xA5u, 0x5Au})
        wait(program, kIsr, 2).write(kI2c1 + 0x28, byte);  // TXIS
    wait(program, kIsr, 32);                               // STOPF
    program.set(1, kTaken).load(0, 1).set(1, kExit).store(0, 1).raw({0xE7FE});
    const std::string inputs =
        "[[input]]\nat = \"5ms\"\ni2c = \"I2C1\"\naddress = 0x3F\nhex = \"47\"\nread = 2\n"
        "[[input]]\nat = \"0s\"\ni2c = \"I2C1\"\naddress = 0x20\n"
        "[expect]\nexit_code = 0x47\nmin_time = \"5ms\"\nmax_time = \"7ms\"\n";
    const Outcome outcome = room.scenario(
        scenario(inputs), {"--strict", "--report", room.folder.file("r.json")}, program);
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
    CHECK(has(outcome.out,
              "I2C1 address 0x3f: 1 transfers, 1 acknowledged, 1 bytes written, 2 "
              "read, last a5 5a"));
    CHECK(has(outcome.out, "I2C1 address 0x20: 1 transfers, 0 acknowledged, 0 bytes written, 0"));
    const Json report = room.report();
    CHECK(report["inputs"][0]["bus"] == "I2C1");
    CHECK(report["inputs"][0]["address"] == 0x3F);
    CHECK(report["inputs"][0]["address_bits"] == 7);
    CHECK(report["inputs"][0]["acknowledged"] == 1);
    CHECK(report["inputs"][0]["last"] == "a5 5a");
    CHECK(report["inputs"][0]["not_ended"] == 0);
    CHECK(report["inputs"][1]["acknowledged"] == 0);
    CHECK(report["repeatable"] == true);
}

TEST_CASE("input: a program may wait longer for its input than it may stand still") {
    const Workdir room;
    const std::string inputs = "[[input]]\nat = \"30ms\"\ntext = \"x\"\n[expect]\nexit_code = 0\n";
    CHECK(room.scenario(scenario(inputs), {}, echo(kUsart1, 1)).exit_code == 0);
}

TEST_CASE("input: mistakes name file, key and remedy") {
    const Workdir room;
    struct Row {
        const char *table, *cause;
    };
    for (const Row& row : {
             Row{"text = \"x\"\n", "without at"},
             Row{"at = \"soon\"\ntext = \"x\"\n", "no time"},
             Row{"at = \"1ms\"\n", "needs characters, a pin or a bus"},
             Row{"at = \"1ms\"\ntext = \"x\"\npin = \"PC1\"\nlevel = 1\n",
                 "has characters and a pin"},
             Row{"at = \"1ms\"\ntext = \"x\"\nhex = \"0a\"\n", "has text and hex"},
             Row{"at = \"1ms\"\nhex = \"0g\"\n", "two hexadecimal digits"},
             Row{"at = \"1ms\"\nhex = \"0\"\n", "two hexadecimal digits"},
             Row{"at = \"1ms\"\ntext = \"\"\n", "no characters"},
             Row{"at = \"1ms\"\ntext = \"x\"\ncount = 2\n", "count without every"},
             Row{"at = \"1ms\"\ntext = \"x\"\nevery = \"0s\"\n", "every = 0"},
             Row{"at = \"1ms\"\ntext = \"x\"\nuart = \"usart22\"\n", "did you mean USART2?"},
             Row{"at = \"1ms\"\npin = \"PC13\"\n", "pin and level together"},
             Row{"at = \"1ms\"\npin = \"PI1\"\nlevel = 1\n", "no pin 'PI1'"},
             Row{"at = \"1ms\"\npin = \"PC1\"\nlevel = 1\nuart = \"usart1\"\n",
                 "a pin and a serial port"},
             Row{"at = \"1ms\"\ntxt = \"x\"\n", "did you mean text?"},
         }) {
        CAPTURE(row.table);
        const Outcome outcome =
            room.scenario(scenario("[[input]]\n" + std::string(row.table)), {}, endless());
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, row.cause));
        CHECK(has(outcome.err, "s.toml:"));
    }
}

TEST_CASE("LEDs: the report has edges, level and period of a board's pins, the trace a track") {
    const Workdir room;
    const std::string trace = room.folder.file("t.json");
    const Outcome outcome =
        room.scenario(scenario("[expect]\nexit_code = 0\n", "leds = \"dk\"\n"),
                      {"--report", room.folder.file("r.json"), "--trace", trace}, blinker());
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
    const Json pins = room.report()["pins"];
    REQUIRE(pins.size() == 2);
    CHECK(pins[0]["name"] == "PO1");
    CHECK(pins[0]["label"] == "LED1 green");
    CHECK(pins[0]["rising"] == 3);
    CHECK(pins[0]["falling"] == 2);
    CHECK(pins[0]["last_level"] == 1);
    CHECK(pins[0]["lit"] == true);
    // Two counts of 100 at 1 MHz, and a few accesses.
    CHECK(pins[0]["period_ps"] >= 200'000'000);
    CHECK(pins[0]["period_ps"] < 203'000'000);
    CHECK(pins[1]["label"] == "LED2 red");
    CHECK(pins[1]["changes"] == 0);
    CHECK(pins[1]["lit"] == false);  // lit by a low level, but nothing drives it
    CHECK(has(outcome.out, "PO1   5 changes"));
    CHECK(has(outcome.out, "(LED1 green)"));
    std::ifstream stream(trace);
    const Json document = Json::parse(stream);
    bool named = false;
    unsigned slices = 0;
    for (const Json& event : document["traceEvents"]) {
        if (event.contains("args") && event["args"].contains("name"))
            named = named || event["args"]["name"] == "PO1 LED1 green";
        if (event.value("name", "") == "high") ++slices;
    }
    CHECK(named);
    CHECK(slices >= 3);
}

TEST_CASE("LEDs: those of the other board have their own pins, unknown boards are refused") {
    const Workdir room;
    Thumb program;
    program.write(kAhb4, 1u << 6).write(kGpioG, ~(2u << 16)).write(kGpioG + 0x18, 1u << 8);
    program.write(kExit, 0).raw({0xE7FE});
    const Outcome outcome =
        room.run(program, {"--leds", "nucleo", "--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 0);
    const Json pins = room.report()["pins"];
    REQUIRE(pins.size() == 3);
    CHECK(pins[0]["name"] == "PG8");
    CHECK(pins[0]["changes"] == 1);
    CHECK(pins[0]["lit"] == false);
    CHECK(pins[1]["name"] == "PG10");
    CHECK(pins[2]["name"] == "PG0");
    CHECK(room.run(program, {"--leds", "board"}).exit_code == 2);
}

TEST_CASE("terminals: each serial port names its place when the run starts") {
    const Workdir room;
    const Outcome outcome =
        room.run(exiting(0), {"--uart", "usart1=tcp:0", "--uart", "usart2=pty"});
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.err, "serial port USART1: tcp 127.0.0.1:"));
    CHECK(has(outcome.err, "serial port USART2: pty /dev/"));
}

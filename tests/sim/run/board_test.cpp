// SPDX-License-Identifier: Apache-2.0
// What a scenario puts around the chip: devices on I2C, pins at times, several serial ports; and
// timers and EXTI as a program on the chip finds them.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kI2c1 = 0x50005400, kUsart2 = 0x50004400,
                        kTim6 = 0x50001000, kExti = 0x56025000, kGpioC = 0x56020800,
                        kGpioE = 0x56021000, kGpioO = 0x56023800, kSpi5 = 0x52005000,
                        kIser = 0xE000E100;
constexpr std::uint32_t kApb1 = kRcc + 0xA64, kAhb4 = kRcc + 0xA5C;  ///< set aliases

/// Goes round until one of the bits of the register is one.
void wait(Thumb& program, std::uint32_t address, std::uint32_t bits) {
    program.set(1, address).set(2, bits);
    const std::size_t start = program.code().size();
    program.load(0, 1).raw({0x4210});  // TST r0, r2
    const auto back = static_cast<int>(start) - static_cast<int>(program.code().size()) - 2;
    program.raw({0xD000u | (static_cast<unsigned>(back) & 0xFF)});  // BEQ
}

/// The program ends with what the register holds.
Thumb& exit_with(Thumb& program, std::uint32_t address) {
    return program.set(1, address).load(0, 1).set(1, kExit).store(0, 1).raw({0xE7FE});
}

/// Reads register 0x300A of the device at 0x3C on I2C1, as a driver does, with 100 kHz or so.
Thumb sensor_reader() {
    Thumb program;
    program.write(kApb1, 1u << 21);
    program.write(kI2c1 + 0x10, 0x90003131).write(kI2c1, 1);
    program.write(kI2c1 + 0x04, 0x78 | 2u << 16 | 1u << 13);
    for (const std::uint32_t byte : {0x30u, 0x0Au}) {
        wait(program, kI2c1 + 0x18, 2 | 16);  // TXIS, or NACKF
        program.write(kI2c1 + 0x28, byte);
    }
    wait(program, kI2c1 + 0x18, 64 | 16);  // TC
    program.write(kI2c1 + 0x04, 0x78 | 1u << 16 | 1u << 10 | 1u << 13 | 1u << 25);
    wait(program, kI2c1 + 0x18, 32);  // STOPF
    return exit_with(program, kI2c1 + 0x24);
}

std::string scenario(const std::string& tables, const std::string& run = "") {
    return "[run]\nelf = \"program.elf\"\nmax_time = \"50ms\"\n" + run + tables;
}

std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("board: a program reads a register of a device that the scenario describes") {
    const Workdir room;
    const std::string device =
        "[[i2c]]\nbus = \"I2C1\"\naddress = 0x3C\nregister_bytes = 2\n"
        "values = { 0x300A = [0x56, 0x40] }\n[expect]\nexit_code = 0x56\n";
    const Outcome outcome = room.scenario(scenario(device), {"--strict"}, sensor_reader());
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
    const std::string known = "[[i2c]]\ndevice = \"ov5640\"\n[expect]\nexit_code = 0x56\n";
    CHECK(room.scenario(scenario(known), {}, sensor_reader()).exit_code == 0);
}

TEST_CASE("board: an echo on I2C answers with what was written, or with its own text") {
    const Workdir room;
    Thumb program;
    program.write(kApb1, 1u << 21);
    program.write(kI2c1 + 0x10, 0x90003131).write(kI2c1, 1);
    program.write(kI2c1 + 0x04, 0x7E | 1u << 16 | 1u << 13 | 1u << 25);
    wait(program, kI2c1 + 0x18, 2 | 16);  // TXIS, or NACKF
    program.write(kI2c1 + 0x28, 0x42);
    wait(program, kI2c1 + 0x18, 32);  // STOPF
    program.write(kI2c1 + 0x1C, 32);
    program.write(kI2c1 + 0x04, 0x7E | 1u << 16 | 1u << 10 | 1u << 13 | 1u << 25);
    wait(program, kI2c1 + 0x18, 32);
    exit_with(program, kI2c1 + 0x24);
    const std::string device = "[[i2c]]\nbus = \"I2C1\"\ndevice = \"echo\"\naddress = 0x3F\n";
    CHECK(room.scenario(scenario(device + "[expect]\nexit_code = 0x42\n"), {"--strict"}, program)
              .exit_code == 0);
    const std::string answers = device + "answer = \"Zz\"\n[expect]\nexit_code = 0x5A\n";
    CHECK(room.scenario(scenario(answers), {"--strict"}, program).exit_code == 0);
}

TEST_CASE("board: without a device the address is not acknowledged, and STOP follows") {
    const Workdir room;
    Thumb program;
    program.write(kApb1, 1u << 21);
    program.write(kI2c1 + 0x10, 0x90003131).write(kI2c1, 1);
    program.write(kI2c1 + 0x04, 0x78 | 1u << 13 | 1u << 25);
    wait(program, kI2c1 + 0x18, 32);
    exit_with(program, kI2c1 + 0x18);
    // TXE, NACKF, STOPF.
    CHECK(room.scenario(scenario("[expect]\nexit_code = 0x31\n"), {}, program).exit_code == 0);
}

TEST_CASE("board: a program reads a register over SPI, with a pin that selects the device") {
    const Workdir room;
    Thumb program;
    program.write(kRcc + 0xA6C, 1u << 20).write(kAhb4, 1u << 4);
    program.write(kGpioE + 0x18, 1u << 4).write(kGpioE, 0xFFFFFDFF);  // PE4: output, high
    program.write(kSpi5 + 0x08, 0x10000007).write(kSpi5 + 0x0C, 1u << 22 | 1u << 26);
    program.write(kSpi5 + 0x04, 2).write(kGpioE + 0x18, 1u << 20);
    program.write(kSpi5, 1u << 12 | 1).write(kSpi5, 1u << 12 | 1u << 9 | 1);
    program.write(kSpi5 + 0x20, 0x008F);  // 8-bit frames: the number, then clocks
    wait(program, kSpi5 + 0x14, 8);       // EOT
    exit_with(program, kSpi5 + 0x30);
    const std::string device =
        "[[spi]]\nbus = \"SPI5\"\nselect = \"PE4\"\nvalues = { 0x0F = 0x6C }\n"
        "[expect]\nexit_code = 0x6C00\n";
    const Outcome outcome = room.scenario(scenario(device), {}, program);
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
    // Another pin stays high, and nobody answers.
    const std::string other =
        "[[spi]]\nbus = \"SPI5\"\nselect = \"PE5\"\nvalues = { 0x0F = 0x6C }\n"
        "[expect]\nexit_code = 0\n";
    CHECK(room.scenario(scenario(other), {}, program).exit_code == 0);
    // A pin that becomes an output at low level selects it, too.
    Thumb low;
    low.write(kRcc + 0xA6C, 1u << 20).write(kAhb4, 1u << 4).write(kGpioE, 0xFFFFFDFF);
    low.write(kSpi5 + 0x08, 0x10000007).write(kSpi5 + 0x0C, 1u << 22 | 1u << 26);
    low.write(kSpi5 + 0x04, 2).write(kSpi5, 1u << 12 | 1).write(kSpi5, 1u << 12 | 1u << 9 | 1);
    low.write(kSpi5 + 0x20, 0x008F);
    wait(low, kSpi5 + 0x14, 8);
    exit_with(low, kSpi5 + 0x30);
    CHECK(room.scenario(scenario(device), {}, low).exit_code == 0);
    const std::string wire =
        "[[spi]]\nbus = \"SPI5\"\ndevice = \"loopback\"\n[expect]\nexit_code = 0x8F\n";
    CHECK(room.scenario(scenario(wire), {}, program).exit_code == 0);
}

TEST_CASE("board: mistakes in [[i2c]], [[spi]] and [[pin]] name place and remedy") {
    const Workdir room;
    struct Row {
        const char *table, *cause;
    };
    for (const Row& row : {
             Row{"[[i2c]]\naddress = 0x3C\n", "without bus"},
             Row{"[[i2c]]\nbus = \"I2C9\"\naddress = 0x3C\n", "no bus 'I2C9'"},
             Row{"[[i2c]]\nbus = \"I2C1\"\n", "without address"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0x78\n", "half of the 8-bit form"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0x30F\n", "address_bits = 10"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0\n", "half of the 8-bit form"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0x3C\naddress_bits = 8\n", "give 7 or 10"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0x3C\nvalue_bytes = 3\n", "give 1, 2 or 4"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0x3C\nvalues = { 0x100 = 1 }\n",
                 "no register '0x100'"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0x3C\nvalues = { 1 = 256 }\n",
                 "not a valid number"},
             Row{"[[i2c]]\nbus = \"I2C1\"\naddress = 0x3C\nvalues = { 255 = [1, 2] }\n",
                 "behind the last register"},
             Row{"[[i2c]]\ndevice = \"imx336\"\n", "unknown device 'imx336'"},
             Row{"[[i2c]]\ndevice = \"imx335\"\naddress = 0x1B\n", "has its own address"},
             Row{"[[i2c]]\ndevice = \"ov5640\"\nvalue_bytes = 2\n", "has its own value_bytes"},
             Row{"[[i2c]]\ndevice = \"imx335\"\n[[i2c]]\nbus = \"I2C1\"\naddress = 0x1A\n",
                 "has a device at 0x1a already"},
             Row{"[[i2c]]\nbuss = \"I2C1\"\n", "did you mean bus?"},
             Row{"[[spi]]\ndevice = \"loopback\"\n", "without bus"},
             Row{"[[spi]]\nbus = \"SPI7\"\n", "no bus 'SPI7'"},
             Row{"[[spi]]\nbus = \"SPI1\"\ndevice = \"flash\"\n", "unknown device 'flash'"},
             Row{"[[spi]]\nbus = \"SPI1\"\nselect = \"PI1\"\n", "no pin 'PI1'"},
             Row{"[[spi]]\nbus = \"SPI1\"\nread_bit = 2\n", "not a valid number"},
             Row{"[[spi]]\nbus = \"SPI1\"\nvalues = { 0x80 = 1 }\n", "no register '0x80'"},
             Row{"[[spi]]\nbus = \"SPI1\"\nvalues = [1, 2]\n", "write values = { 0x0F = 0x6C"},
             Row{"[[spi]]\nbus = \"SPI1\"\ndevice = \"loopback\"\nread_bit = 0\n",
                 "a loopback has no read_bit"},
             Row{"[[spi]]\nbus = \"SPI1\"\n[[spi]]\nbus = \"SPI1\"\n", "with that select already"},
             Row{"[[spi]]\nbus = \"SPI1\"\ncs = \"PE4\"\n", "unknown key"},
             Row{"[[pin]]\nname = \"PC13\"\nwatch = \"yes\"\n", "watch is no truth value"},
             Row{"[[pin]]\nlevel = 1\n", "without name"},
             Row{"[[pin]]\nname = \"PI1\"\n", "no pin 'PI1'"},
             Row{"[[pin]]\nname = \"PC16\"\n", "no pin 'PC16'"},
             Row{"[[pin]]\nname = \"\"\n", "no pin ''"},
             Row{"[[pin]]\nname = \"PC1\"\nlevel = 2\n", "not a valid number"},
             Row{"[[pin]]\nname = \"PC1\"\nlevels = [[\"1ms\", 1], [\"1ms\", 0]]\n",
                 "times do not ascend"},
             Row{"[[pin]]\nname = \"PC1\"\nlevels = [[\"soon\", 1]]\n", "no time"},
             Row{"[[pin]]\nname = \"PC1\"\nlevels = [1]\n", "no time with a level"},
             Row{"[[pin]]\nname = \"PC1\"\nlevel = 1\nlevels = [[\"1ms\", 1]]\n",
                 "level and levels"},
             Row{"[[pin]]\nname = \"PC1\"\n[[pin]]\nname = \"PC1\"\n", "a table already"},
             Row{"[[pin]]\nname = \"PC1\"\nwire = \"PC1\"\n", "wired to itself"},
             Row{"[[pin]]\nname = \"PC1\"\nwire = \"PI1\"\n", "no pin 'PI1'"},
         }) {
        CAPTURE(row.table);
        const Outcome outcome = room.scenario(scenario(row.table));
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, "s.toml:"));
        CHECK_MESSAGE(has(outcome.err, row.cause), outcome.err);
    }
    const Outcome other = room.scenario(
        "[run]\nchip = \"stm32l4r5\"\nelf = \"program.elf\"\n"
        "[[i2c]]\ndevice = \"imx335\"\n");
    CHECK(other.exit_code == 2);
    CHECK(has(other.err, "STM32N6 only"));
}

TEST_CASE("board: an edge of a pin at its time is an interrupt of EXTI, an output is watched") {
    const Workdir room;
    constexpr std::uint32_t kVtor = 0xE000ED08, kTable = 0x34080000;
    // The handler clears the pending flag and ends the run with the levels of the port.
    Thumb handler;
    handler.write(kExti + 0x0C, 1u << 13);
    exit_with(handler, kGpioC + 0x10);
    // B over it.
    Thumb program;
    program.raw({0xE000u | static_cast<unsigned>(handler.code().size() - 1)});
    for (const std::uint16_t each : handler.code()) program.raw({each});
    program.write(kVtor, kTable).write(kTable + 4 * (16 + 33), (kBase + Thumb::kVectors + 2) | 1);
    program.write(kAhb4, 1u << 2 | 1u << 14);
    program.write(kGpioC, ~(3u << 26));    // PC13: input
    program.write(kGpioO, ~(2u << 2));     // PO1: output
    program.write(kExti + 0x6C, 2u << 8);  // line 13: port C
    program.write(kExti, 1u << 13).write(kExti + 0x80, 1u << 13);
    program.write(kIser + 4, 1u << 1);  // interrupt 33
    program.write(kGpioO + 0x18, 2).write(kGpioO + 0x28, 2).raw({0xE7FE});
    const std::string pins =
        "[[pin]]\nname = \"PC13\"\nlevels = [[\"0s\", 0], [\"3ms\", 1]]\n"
        "[[pin]]\nname = \"PO1\"\nwatch = true\n"
        "[expect]\nexit_code = 0x2000\nmin_time = \"3ms\"\nmax_time = \"3.1ms\"\n";
    const Outcome outcome =
        room.scenario(scenario(pins), {"--report", room.folder.file("r.json")}, program);
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
    const Json watched = room.report()["pins"];
    REQUIRE(watched.size() == 1);
    CHECK(watched[0]["name"] == "PO1");
    CHECK(watched[0]["changes"] == 2);
    CHECK(watched[0]["levels"][0]["level"] == 1);
    CHECK(watched[0]["levels"][1]["level"] == 0);
    CHECK(has(outcome.out, "PO1   2 changes"));
}

TEST_CASE("board: PWM of a timer goes by a wire to another timer, which measures it") {
    constexpr std::uint32_t kTim1 = 0x52000000, kTim3 = 0x50000400, kGpioA = 0x56020000;
    const Workdir room;
    Thumb program;
    program.write(kApb1, 1u << 1).write(kRcc + 0xA6C, 1).write(kAhb4, 1u << 0 | 1u << 4);
    program.write(kGpioE + 0x24, 1u << 4).write(kGpioE, ~(1u << 18));  // PE9: TIM1_CH1
    program.write(kGpioA + 0x20, 2u << 24).write(kGpioA, 0xABFFEFFF);  // PA6: TIM3_CH1
    program.write(kTim3 + 0x18, 1 | 2u << 8).write(kTim3 + 0x20, 1 | 3u << 4);
    program.write(kTim3 + 0x08, 5u << 4 | 4).write(kTim3, 1u << 2 | 1);
    program.write(kTim1 + 0x2C, 999).write(kTim1 + 0x34, 250).write(kTim1 + 0x18, 6u << 4);
    program.write(kTim1 + 0x20, 1).write(kTim1 + 0x44, 1u << 15).write(kTim1, 1);
    for (int i = 0; i < 3; ++i) {
        wait(program, kTim3 + 0x10, 2);
        program.set(1, kTim3 + 0x34).load(0, 1);
    }
    wait(program, kTim3 + 0x10, 2);
    exit_with(program, kTim3 + 0x34);
    const std::string wire =
        "[[pin]]\nname = \"PE9\"\nwatch = true\nwire = \"PA6\"\n[expect]\nexit_code = 1000\n";
    const Outcome outcome = room.scenario(
        scenario(wire), {"--strict", "--report", room.folder.file("r.json")}, program);
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
    CHECK(has(outcome.out, "PE9   TIM1_CH1  "));
    CHECK(has(outcome.out, "high 25.00 % of the time"));
    const Json report = room.report();
    REQUIRE(report["timer_outputs"].size() == 1);
    CHECK(report["timer_outputs"][0]["signal"] == "TIM1_CH1");
    CHECK(report["timer_outputs"][0]["high_share"] == 0.25);
    const Json pin = report["pins"][0];
    // It rises with MOE, then with each period.
    REQUIRE(pin["changes"] == 7);
    const double last = pin["levels"][6]["ps"].get<double>();
    CHECK((last - pin["levels"][4]["ps"].get<double>()) *
              report["timer_outputs"][0]["hz"].get<double>() ==
          doctest::Approx(1e12));
    // Without the wire nothing comes.
    const std::string alone = "[[pin]]\nname = \"PE9\"\nwatch = true\n[expect]\nexit_code = 1000\n";
    CHECK(room.scenario(scenario(alone), {}, program).exit_code != 0);
}

TEST_CASE("board: TIM6 counts at the system clock by TIMPRE, and its update ends a wait") {
    const Workdir room;
    Thumb program;
    program.write(kApb1, 1u << 4);
    program.write(kTim6 + 0x28, 399).write(kTim6 + 0x2C, 999).write(kTim6 + 0x14, 1);
    program.write(kTim6 + 0x10, 0).write(kTim6, 1);
    wait(program, kTim6 + 0x10, 1);
    program.write(kExit, 0).raw({0xE7FE});
    // 400 MHz / 400: 1000 counts take 1 ms.
    const std::string times =
        "[expect]\nexit_code = 0\nmin_time = \"1ms\"\nmax_time = \"1.01ms\"\n";
    CHECK(room.scenario(scenario(times), {"--strict"}, program).exit_code == 0);
}

TEST_CASE("board: several serial ports go to places of their own") {
    const Workdir room;
    Thumb program;
    program.write(kApb1, 1u << 17).write(kRcc + 0xA6C, 1u << 4);
    const std::uint32_t usart1 = 0x52001000;
    for (const std::uint32_t port : {usart1, kUsart2})
        program.write(port + 0x0C, 868).write(port, 1 | 1u << 3);
    program.write(usart1 + 0x28, '1').write(kUsart2 + 0x28, '2');
    wait(program, kUsart2 + 0x1C, 64);
    program.write(kExit, 0).raw({0xE7FE});
    const std::string one = room.folder.file("one"), two = room.folder.file("two");
    const Outcome options =
        room.run(program, {"--uart", "file:" + one, "--uart", "usart2=file:" + two});
    CHECK_MESSAGE(options.exit_code == 0, options.err);
    CHECK(text_of(one) == "1");
    CHECK(text_of(two) == "2");
    const Outcome list = room.scenario(
        scenario("", "uart = [\"none\", \"USART2=file:" + two + ".b\"]\n"), {}, program);
    CHECK_MESSAGE(list.exit_code == 0, list.err);
    CHECK(text_of(two + ".b") == "2");
    // The console by its name, and another port as the console.
    CHECK(room.run(program, {"--uart", "usart1=file:" + one + ".f"}).exit_code == 0);
    CHECK(text_of(one + ".f") == "1");
    CHECK(room.run(program, {"--uart-port", "usart2", "--uart", "file:" + two + ".c"}).exit_code ==
          0);
    CHECK(text_of(two + ".c") == "2");
    const Outcome twice =
        room.run(program, {"--uart", "none", "--uart", "usart1=file:" + one + ".d"});
    CHECK(twice.exit_code == 2);
    CHECK(has(twice.err, "USART1 has a place already"));
    const Outcome unknown = room.run(program, {"--uart", "usart22=none"});
    CHECK(unknown.exit_code == 2);
    CHECK(has(unknown.err, "did you mean USART2?"));
    const Outcome same =
        room.run(program, {"--uart", "file:" + one + ".e", "--uart", "usart2=file:" + one + ".e"});
    CHECK(same.exit_code == 2);
    CHECK(has(same.err, "would overwrite"));
}

TEST_CASE("board: the last picture of LTDC is saved as PNG") {
    constexpr std::uint32_t kLtdc = 0x58001000;
    Thumb program;
    program.write(kRcc + 0xA7C, 1u << 1);
    program.write(kLtdc + 0x0C, 2u << 16 | 1).write(kLtdc + 0x10, 6u << 16 | 3);
    program.write(kLtdc + 0x14, 9u << 16 | 5).write(kLtdc + 0x2C, 0x204060);
    program.write(kLtdc + 0x18, 1).write(kLtdc + 0x24, 2);
    wait(program, kLtdc + 0x38, 8);    // the vertical blanking after the first picture
    exit_with(program, kLtdc + 0x40);  // LIPCR, which is zero
    const Workdir room;
    const Outcome outcome =
        room.scenario(scenario("", "screen = \"screen.png\"\n"), {"--strict"}, program);
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
    const std::string file = text_of(room.folder.file("screen.png"));
    // 4 x 2 pixels: signature, IHDR, one stored block of two lines, IEND.
    REQUIRE(file.size() == 8 + 25 + 12 + 2 + 5 + 2 * 13 + 4 + 12);
    CHECK(file.substr(16, 8) == std::string("\0\0\0\4\0\0\0\2", 8));
    CHECK(file.substr(8 + 25 + 8 + 2 + 5, 7) == std::string("\0\x20\x40\x60\x20\x40\x60", 7));
}

namespace {

constexpr std::uint32_t kSdmmc2 = 0x58026800, kGpioN = 0x56023400;

/// Sends a command and waits for one of the flags.
void command(Thumb& program, std::uint32_t command, std::uint32_t argument, std::uint32_t ends) {
    program.write(kSdmmc2 + 0x08, argument).write(kSdmmc2 + 0x0C, command | 1u << 12);
    wait(program, kSdmmc2 + 0x34, ends);
    program.write(kSdmmc2 + 0x38, 0x1FE00FFF);
}

/// Writes 0xA5 into block 2 of a card that needs no time to initialise.
Thumb block_writer() {
    constexpr std::uint32_t kShort = 1u << 8, kNoCrc = 2u << 8, kLong = 3u << 8, kEnd = 1u << 6;
    Thumb program;
    program.write(kRcc + 0xA60, 1u << 7);
    program.write(kSdmmc2, 3).write(kSdmmc2 + 0x04, 2);
    command(program, 0, 0, 1u << 7);
    command(program, 8 | kShort, 0x1AA, kEnd);
    for (unsigned i = 0; i < 2; ++i) {
        command(program, 55 | kShort, 0, kEnd);
        command(program, 41 | kNoCrc, 0x40FF8000, kEnd);
    }
    command(program, 2 | kLong, 0, kEnd);
    command(program, 3 | kShort, 0, kEnd);
    command(program, 7 | kShort, 1u << 16, kEnd);
    program.write(kSdmmc2 + 0x24, 0xFFFFFFFF).write(kSdmmc2 + 0x28, 512);
    program.write(kSdmmc2 + 0x2C, 9u << 4);
    command(program, 24 | kShort | 1u << 6, 2, kEnd);
    program.set(1, kSdmmc2 + 0x80).set(2, 0xA5A5A5A5).set(3, 128);
    const std::size_t again = program.code().size();
    program.store(2, 1).subtract(3, 1).repeat(again);
    wait(program, kSdmmc2 + 0x34, 1u << 8);
    return exit_with(program, kSdmmc2 + 0x30);
}

}  // namespace

TEST_CASE("board: an SD card is written, and its file stays as it is") {
    const Workdir room;
    const std::string image = room.folder.write("card.img", std::vector<std::uint8_t>(2048, 0x11));
    const std::string before = text_of(image);
    const Outcome outcome = room.scenario(scenario("[parameters]\nsd_card.initialisation = 0\n",
                                                   "sd = \"card.img\"\nsd_out = \"after.img\"\n"),
                                          {"--strict"}, block_writer());
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
    CHECK(text_of(image) == before);
    const std::string after = text_of(room.folder.file("after.img"));
    // A card has whole units of 512 KiB.
    REQUIRE(after.size() == 512 * 1024);
    CHECK(after.substr(0, 1024) == before.substr(0, 1024));
    CHECK(after.substr(1024, 512) == std::string(512, '\xA5'));
    CHECK(after.substr(1536, 512) == before.substr(1536));
    CHECK(after.substr(2048) == std::string(512 * 1024 - 2048, '\0'));
}

TEST_CASE("board: the detect pin of the card slot is low with a card") {
    const Workdir room;
    Thumb program;
    program.write(kAhb4, 1u << 13).write(kGpioN, 0xFCFFFFFF).write(kGpioN + 0x0C, 1u << 24);
    exit_with(program, kGpioN + 0x10);
    const std::string image = room.folder.write("card.img", std::vector<std::uint8_t>(512));
    CHECK(room.scenario(scenario("[expect]\nexit_code = 4096\n"), {}, program).exit_code == 0);
    CHECK(room.run(program, {"--sd", image}).exit_code == 0);
}

TEST_CASE("board: mistakes with the image of a card name place and remedy") {
    const Workdir room;
    const Thumb program = exiting(0);
    const auto says = [&](const std::vector<std::string>& options, const char* cause) {
        const Outcome outcome = room.run(program, options);
        CHECK(outcome.exit_code == 2);
        CHECK_MESSAGE(has(outcome.err, cause), outcome.err);
    };
    const std::string odd = room.folder.write("odd.img", std::vector<std::uint8_t>(513));
    const std::string card = room.folder.write("card.img", std::vector<std::uint8_t>(512));
    says({"--sd", odd}, "blocks of 512");
    says({"--sd", room.folder.write("empty.img", std::vector<std::uint8_t>())}, "blocks of 512");
    says({"--sd", room.folder.file("none.img")}, "no such file");
    says({"--sd", room.folder.path().string()}, "not a regular file");
    says({"--sd-out", card}, "no card");
    says({"--sd", card, "--sd-out", card}, "would overwrite");
    CHECK(text_of(card).size() == 512);
}

// SPDX-License-Identifier: Apache-2.0
// `n6vp run` as users run it: exit codes, report, precedence of settings, bad scenarios.
#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/image_builder.h"
#include "tests/support/workdir.h"

using namespace n6vp::test;
TEST_CASE("run: exit codes follow the program's end") {
    const Workdir room;
    CHECK(room.run(exiting(0), {}).exit_code == 0);
    CHECK(room.run(exiting(7), {}).exit_code == 1);
    CHECK(room.run(Thumb().write(0xE000ED0C, 0x05FA0004).raw({0xE7FE}), {}).exit_code == 1);
    CHECK(room.run(Thumb().set(1, 0x36000000).load(0, 1).end(), {}).exit_code == 3);
    CHECK(room.run(endless(), {"--max-time", "1ms"}).exit_code == 5);
    CHECK(room.run(endless(), {"--max-instr", "1000"}).exit_code == 5);
    const Outcome asleep = room.run(Thumb().raw({0xBF30, 0xE7FD}), {});  // WFI for ever
    CHECK(asleep.exit_code == 5);
    CHECK(has(asleep.err, "without a wake-up source"));
}

TEST_CASE("run: --strict ends at a register that is not modelled, and names it") {
    const Workdir room;
    // ICACHE, a stub.
    const Thumb program = Thumb().set(1, 0x58035000).load(0, 1).write(kExit, 0).raw({0xE7FE});
    CHECK(room.run(program, {}).exit_code == 0);
    const Outcome strict = room.run(program, {"--strict"});
    CHECK(strict.exit_code == 4);
    CHECK(has(strict.err, "ICACHE"));
}

TEST_CASE("run: --set reaches the parameters of the pipeline of another chip") {
    const Workdir room;
    constexpr std::uint32_t kFlash = 0x08000000;
    Thumb program;
    program.raw({0x2064});  // MOVS r0, #100
    const std::size_t loop = program.code().size();
    program.subtract(0, 1).repeat(loop).set(1, 0x20026).raw({0x2018}).end();
    const std::string image = room.folder.write("p.bin", program.image(kFlash, 0x20001000));
    struct Row {
        const char *chip, *setting;
    };
    // A branch behind what sets its flags costs one cycle more, 99 times.
    for (const Row row :
         {Row{"l4r5", "cortex_m4.refill=2"}, Row{"u575", "cortex_m33.taken_behind_flags=3"}}) {
        CAPTURE(std::string(row.chip));
        const auto cycles = [&](std::vector<std::string> words) {
            words.insert(words.begin(),
                         {N6VP_BINARY, "run", "--chip", row.chip, "--bin", image + "@0x08000000",
                          "--quiet", "--report", room.folder.file("r.json")});
            CHECK(run_process(words).exit_code == 0);
            return room.report()["cycles"].get<std::uint64_t>();
        };
        CHECK(cycles({"--set", row.setting}) - cycles({}) == 99);
    }
}

TEST_CASE("run: the report") {
    const Workdir room;
    const Thumb program = Thumb()
                              .write(0x5FFFF014, 3)  // phase 3 begins
                              .write(0x34100000, 1)
                              .write(0x5FFFF018, 3)
                              .set(1, 0x36000000)
                              .load(0, 1)
                              .end();
    const Outcome outcome = room.run(program, {"--report", room.folder.file("r.json"), "--quiet"});
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.out.empty());
    const Json report = room.report();
    CHECK(report["schema"] == "n6vp.run/2");
    CHECK(report["end"] == "lockup");
    CHECK(report["partial"] == false);
    CHECK(report["hash"].get<std::string>().size() == 16);
    REQUIRE(report["phases"].size() == 2);
    CHECK(report["phases"][1]["id"] == 3);
    CHECK(report["phases"][1]["ended"] == true);
    CHECK(report["phases"][1]["cycles"] > 0);
    REQUIRE(report["events"].size() >= 1);
    const Json& event = report["events"][0];
    CHECK(event["kind"] == "access_fault");
    CHECK(has(event["cause"], "core data: read of 4 bytes at 0x36000000"));
    // Behind VENCRAM, whose secure alias ends at 0x34420000; AHBSRAM1 starts at 0x38000000.
    CHECK(has(event["remedy"], "VENCRAM, 0x34400000 to 0x3441ffff"));
    // Three writes of 9 halfwords each, 4 halfwords of address, then the load.
    CHECK(event["pc"] == "0x3400007e");
}

TEST_CASE("run: the same run has the same hash, another grade another one") {
    const Workdir room;
    const std::vector<std::string> options{"--report", room.folder.file("r.json"), "--quiet"};
    const auto hash = [&](std::vector<std::string> more) {
        more.insert(more.end(), options.begin(), options.end());
        CHECK(room.run(exiting(0), more).exit_code == 0);
        return room.report()["hash"].get<std::string>();
    };
    const std::string first = hash({});
    CHECK(hash({}) == first);
    CHECK(hash({"--set", "clock.cpu=600"}) != first);
}

TEST_CASE("run: command line before scenario before default") {
    const Workdir room;
    const std::string scenario =
        "[run]\nelf = \"program.elf\"\ntiming = \"precise\"\nquantum = \"2us\"\n"
        "[parameters]\nclock.cpu = 600\n";
    const Outcome shown = room.scenario(scenario, {"--timing", "functional", "--print-config"});
    CHECK(shown.exit_code == 0);
    const auto line = [&](const std::string& key) {
        const std::size_t start = shown.out.find('\n' + key + ' ') + 1;
        return shown.out.substr(start, shown.out.find('\n', start) - start);
    };
    CHECK(has(line("timing"), "functional"));
    CHECK(has(line("timing"), "--timing"));
    CHECK(has(line("quantum"), "2us"));
    CHECK(has(line("quantum"), "s.toml:4"));
    CHECK(has(line("coherence"), "default"));
    CHECK(has(line("clock.cpu"), "s.toml:6"));
    CHECK(room.scenario(scenario).exit_code == 0);
}

TEST_CASE("run: bad scenarios: one line with file and line, one with a remedy, nothing written") {
    const Workdir room;
    struct Case {
        const char* text;
        const char* cause;
        const char* remedy;
    };
    const std::string run = "[run]\nelf = \"program.elf\"\n";
    static_cast<void>(room.folder.write("x.bin", std::string(100, 'x')));
    static_cast<void>(room.folder.write("empty.bin", std::string()));
    const Case cases[] = {
        {"timming = \"approx\"\n", "s.toml:3: unknown key 'timming'", "did you mean timing?"},
        {"timing = \"fast\"\n", "s.toml:3: timing = 'fast'", "functional, approx, precise"},
        {"max_time = \"10\"\n", "s.toml:3: max_time = '10'", "10ms"},
        {"timing = \n", "s.toml:3: ", "TOML"},
        {"quantum = \"1s\"\n", "s.toml:3: quantum = '1s'", "10ns to 1ms"},
        {"timing = [1]\n", "s.toml:3: ", "--help"},
        {"[runn]\na = 1\n", "s.toml:3: unknown table 'runn'", "[run]"},
        {"[parameters]\nclock.cpuu = 1\n", "s.toml:4: clock.cpuu=1: no such parameter", "params"},
        {"[parameters]\nclock.cpu = -1\n", "s.toml:4: clock.cpu=-1: out of range", "from 1"},
        {"[[image]]\nat = 0x71000000\nfile = \"none.bin\"\n", "s.toml:4: cannot read", "name"},
        {"[[image]]\nat = 0x71000000\nfile = \"x.bin\"\nbytes = 99\n", "has 100 bytes, not 99",
         "check the file"},
        {"[[image]]\nat = 0x71000000\n", "s.toml:3: [[image]] without file", "name it with file"},
        {"[[image]]\nat = 0x71000000\nfile = \"x.bin\"\n[[image]]\nat = 0x71000063\nfile = "
         "\"x.bin\"\n",
         "overlaps", "do not overlap"},
        // The same memory by its other alias.
        {"[[image]]\nat = 0x24000100\nfile = \"x.bin\"\n", "overlaps a segment", "do not overlap"},
        {"[[image]]\nat = 0x3441FFF0\nfile = \"x.bin\"\n", "no memory, or too little",
         "nearest memory: VENCRAM"},
        {"[[image]]\nat = 0x77FFFFF0\nfile = \"x.bin\"\n", "no memory, or too little",
         "nearest memory: XSPI2, 0x70000000 to 0x77ffffff"},
        // The same by the options that have names of their own.
        {"uart = \"bogus\"\n", "s.toml:3: --uart bogus is not a console", "stdout"},
        {"files = \"none\"\n", "s.toml:3: --files ", "create it"},
        {"svd = \"none\"\n", "s.toml:3: ", "CMSIS-SVD"},
        {"exec_ram = \"0x34060000:0\"\n", "s.toml:3: exec_ram = ", "none"},
        {"exec_ram = \"0x34060000:4G\"\n", "s.toml:3: '4G' is not a 32-bit number", "decimal"},
        {"vectors = 0x90000000\n", "s.toml:3: no vector table at 0x90000000: neither", "omit"},
        {"vectors = 0x34000004\n", "s.toml:3: no vector table at 0x34000004: the address", "omit"},
        {"max_instructions = -1\n", "s.toml:3: max_instructions = '-1'", "whole number"},
        {"[[image]]\nat = -1\nfile = \"x.bin\"\n", "s.toml:4: at is not a valid number",
         "4294967295"},
        {"[[image]]\nat = 0xFFFFFFFF\nfile = \"x.bin\"\n", "s.toml:4: ", "choose a lower address"},
        {"[[image]]\nat = 0x71000000\nfile = \".\"\n", "not a regular file", "folder"},
        {"[[image]]\nat = 0x71000000\nfile = \"empty.bin\"\n", "empty.bin is empty", "1 byte"},
        {"uart = \"file:@/program.elf\"\n", "the console would overwrite the program",
         "another file"},
        {"uart = \"file:@/s.toml\"\n", "the console would overwrite the scenario", "another file"},
        {"uart = \"file:@/r.json\"\n", "the console would overwrite the report", "another file"},
        {"[[image]]\nat = 0x71000000\nfile = \"x.bin\"\nsize = 1\n", "s.toml:6: unknown key 'size'",
         "possible: at, file, bytes"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.text);
        std::string text = run + one.text;
        if (const std::size_t at = text.find('@'); at != std::string::npos) {
            text.replace(at, 1, room.folder.file(""));
        }
        const Outcome outcome = room.scenario(text, {"--report", room.folder.file("r.json")});
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, one.cause));
        CHECK(has(outcome.err, one.remedy));
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
        CHECK(outcome.out.empty());
        CHECK_FALSE(std::filesystem::exists(room.folder.file("r.json")));
        CHECK(file_like(room.folder.path(), ".partial") == "");
    }
}

TEST_CASE("run: a number in a scenario was taken for the name of a file") {
    const Workdir room;
    const auto error = [&](const std::string& text) {
        const Outcome outcome =
            run_process({N6VP_BINARY, "run", room.folder.write("s.toml", text)});
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    const std::string wanted = "expected the name of a file\n      write a text in quotes";
    CHECK(has(error("[model]\nfile = 5\n"), "s.toml:2: " + wanted));
    CHECK(has(error("[model]\nfile = \"m.bin\"\nin = [5]\n"), "s.toml:3: " + wanted));
    CHECK(has(error("[run]\nelf = true\n"), "s.toml:2: " + wanted));
    CHECK(has(error("[[image]]\nfile = 1.5\n"), "s.toml:2: " + wanted));
    // And two answers said which numbers there are.
    for (const char* const repeat : {"0", "1001"}) {
        CHECK(has(error(std::string("[model]\nfile = \"m.bin\"\nrepeat = ") + repeat + '\n'),
                  "s.toml:3: repeat is not a valid number\n      give a whole number from 1 to "
                  "1000"));
    }
}

TEST_CASE("run: an image that reaches over the border of two banks") {
    const Workdir room;
    const std::string image = room.folder.write("x.bin", std::string(100, 'x'));
    CHECK(room.run(exiting(0), {"--image", "0x3426FFE0=" + image}).exit_code == 0);
}

namespace {

/// Runs `program` with its serial port in the file "console" and sends `number` while it runs.
Outcome signalled(const Workdir& room, const Thumb& program, int number,
                  const std::string& scenario) {
    static_cast<void>(room.folder.write("program.elf", elf(program)));
    const std::string file = room.folder.write("s.toml", scenario);
    const std::string report = room.folder.file("r.json");
    const std::string uart = "file:" + room.folder.file("console");
    RunningProcess run({N6VP_BINARY, "run", file, "--uart", uart, "--report", report});
    // The report's file is there, unfinished, as soon as the program runs.
    CHECK(RunningProcess::wait_until(
        [&] { return !file_like(room.folder.path(), "r.json.").empty(); }));
    CHECK(run.wait_while_it_works(0.1));
    run.signal(number);
    return run.wait();
}

constexpr const char* kPlain = "[run]\nelf = \"program.elf\"\n";

}  // namespace

TEST_CASE(
    "run: Ctrl-C, SIGTERM or a closed terminal leave a partial report, and nobody judges it") {
    const Workdir room;
    const std::string expecting = std::string(kPlain) + "[expect]\nend = \"exit\"\n";
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(number);
        const Outcome outcome = signalled(room, endless(), number, expecting);
        CHECK(outcome.exit_code == 130);
        const Json report = room.report();
        CHECK(report["partial"] == true);
        CHECK(report["end"] == "interrupted");
        CHECK_FALSE(report.contains("expectations"));
        CHECK(has(outcome.out, "PARTIAL: the run was interrupted"));
        CHECK(has(outcome.err, "n6vp: interrupted after "));
        CHECK_FALSE(has(outcome.out + outcome.err, "expected"));
        CHECK(file_like(room.folder.path(), ".partial") == "");
        std::filesystem::remove(room.folder.file("r.json"));
    }
}

TEST_CASE("run: Ctrl-C and SIGTERM leave a complete console file") {
    // The slowest line there is, 1.7 s of simulated time per character: at the signal, the last
    // line is on its way. And one that is through, but has no line end yet.
    Thumb slow, fast;
    slow.write(0x5200102C, 11).write(0x5200100C, 0xFFFF).write(0x52001000, 1u << 29 | 9);
    fast.write(0x5200100C, 109).write(0x52001000, 1u << 29 | 9);
    const std::string text = "a\nlast";
    for (const char character : text) {
        slow.write(0x52001028, static_cast<std::uint8_t>(character));
        fast.write(0x52001028, static_cast<std::uint8_t>(character));
    }
    for (const Thumb* program : {&slow.raw({0xE7FE}), &fast.raw({0xE7FE})}) {
        for (const int number : {SIGINT, SIGTERM}) {
            const Workdir room;
            CHECK(signalled(room, *program, number, kPlain).exit_code == 130);
            CHECK(read_text(room.folder.file("console")) == text);
            CHECK(room.report()["partial"] == true);
        }
    }
}

TEST_CASE("run: Ctrl-C ends a program that calls its host all the time") {
    // SYS_CLOCK; b back to it.
    const Thumb program = Thumb().set(0, 0x10).end().raw({0xE7F9});
    const Workdir room;
    CHECK(signalled(room, program, SIGINT, kPlain).exit_code == 130);
    CHECK(room.report()["partial"] == true);
}

TEST_CASE("run: --uart pty never names the pty, --uart tcp:0 not its port") {
    const Workdir room;
    for (const auto& shown : {std::pair{"pty", "serial port: pty /dev/pts/"},
                              std::pair{"tcp:0", "serial port: tcp 127.0.0.1:"}}) {
        const std::string place = shown.first, line = shown.second;  // clang captures no bindings
        CAPTURE(place);
        const Outcome outcome = room.run(exiting(0), {"--uart", place});
        CHECK(outcome.exit_code == 0);
        // The first line, with a number at its end.
        REQUIRE(outcome.err.starts_with(line));
        const std::string number = outcome.err.substr(line.size());
        CHECK(std::stoi(number) >= 0);
        CHECK(number.find_first_not_of("0123456789") == number.find('\n'));
    }
    CHECK_FALSE(has(room.run(exiting(0), {"--uart", "stdout"}).err, "serial port"));
}

TEST_CASE("run: a refused run leaves an older console file as it was") {
    const Workdir room;
    const std::string console = room.folder.write("console", "older");
    const std::string image = room.folder.write("x.bin", std::string(100, 'x'));
    const auto outcome = [&](const std::string& at) {
        return room.run(exiting(0), {"--uart", "file:" + console, "--image", at + "=" + image});
    };
    CHECK(outcome("0x3441FFF0").exit_code == 2);
    CHECK(read_text(console) == "older");
    CHECK(outcome("0x34400000").exit_code == 0);
    CHECK(read_text(console).empty());
}

TEST_CASE("run: the serial port's last characters leave before the end") {
    const Workdir room;
    // Two characters into the FIFO, then the end.
    const Thumb program = Thumb()
                              .write(0x5200100C, 109)
                              .write(0x52001000, 1u << 29 | 9)
                              .write(0x52001028, 'o')
                              .write(0x52001028, 'k')
                              .write(kExit, 0)
                              .raw({0xE7FE});
    const Outcome outcome = room.run(program, {"--quiet"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "ok");
}

TEST_CASE("run: a model's pools stay clear of the program, exec RAM and each other") {
    const Workdir room;
    const auto outcome = [&](std::uint32_t copy, std::uint32_t mixed,
                             std::vector<std::string> more) {
        const Image image = build_image(sample_spec(ImageGeneration::Core22, copy, mixed));
        more.push_back("--image");
        more.push_back("0x71000000=" + room.folder.write("model.bin", image.file));
        return room.run(exiting(0), more);
    };
    CHECK(outcome(0x34200000, 0x34270000, {}).exit_code == 0);
    // The program's segment is 0x34000000 to 0x340001FF; also by the other alias.
    for (const std::uint32_t at : {0x340001F8u, 0x24000000u}) {
        const Outcome program = outcome(at, 0x34270000, {});
        CHECK(program.exit_code == 6);
        CHECK(has(program.err, "overlaps the program at 0x34000000 to 0x340001ff"));
        CHECK(program.out.empty());
    }
    // 655,360 bytes from 0x34060000 on.
    const Outcome exec = outcome(0x340FFFF8, 0x34270000, {});
    CHECK(exec.exit_code == 6);
    CHECK(has(exec.err, "overlaps exec RAM (--exec) at 0x34060000 to 0x340fffff"));
    CHECK(outcome(0x340FFFF8, 0x34270000, {"--exec", "none"}).exit_code == 0);
    CHECK(outcome(0x340FFFF8, 0x34270000, {"--exec", "0x34060000:64K"}).exit_code == 0);
    const Outcome pools = outcome(0x34200000, 0x34200000, {});
    CHECK(pools.exit_code == 6);
    CHECK(has(pools.err, "overlaps pool "));
}

TEST_CASE("run: from the reset state the report says what the set-up lacks") {
    const Workdir room;
    const std::vector<std::string> options{"--boot", "reset", "--report",
                                           room.folder.file("r.json")};
    const Outcome outcome = room.run(exiting(0), options);
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.out, "step 3"));
    CHECK(has(outcome.out, "AXISRAM3EN = 0"));
    CHECK(room.report()["set_up_gaps"].size() >= 8);
}

TEST_CASE("run: outputs never go over what is no file of their own") {
    const Workdir room;
    std::filesystem::create_directory(room.folder.file("folder"));
    const std::string image = room.folder.write("x.bin", std::string(100, 'x'));
    std::filesystem::create_symlink(image, room.folder.file("link"));
    for (const std::string& report :
         {room.folder.file("folder"), std::string("/dev/null"), room.folder.file("link")}) {
        CAPTURE(report);
        const Outcome outcome =
            room.run(endless(), {"--image", "0x71000000=" + image, "--report", report});
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);  // before the run, which has no end
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
        CHECK(file_like(room.folder.path(), ".partial") == "");
    }
    CHECK(read_text(image) == std::string(100, 'x'));
    CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("run: exec RAM stays clear of the program and of images, if a model is there") {
    const Workdir room;
    const Image model = build_image(sample_spec(ImageGeneration::Core22, 0x34200000, 0x34270000));
    const std::string at = "0x71000000=" + room.folder.write("model.bin", model.file);
    const std::string data = "0x34070000=" + room.folder.write("x.bin", std::string(100, 'x'));
    CHECK(room.run(exiting(0), {"--exec", "0x34000000:64K"}).exit_code == 0);
    const Outcome program = room.run(exiting(0), {"--image", at, "--exec", "0x24000000:64K"});
    CHECK(program.exit_code == 2);
    CHECK(has(program.err, "--exec: exec RAM at 0x24000000 to 0x2400ffff overlaps the program"));
    const Outcome image = room.run(exiting(0), {"--image", at, "--image", data});
    CHECK(image.exit_code == 2);
    CHECK(has(image.err, "exec RAM at 0x34060000 to 0x340fffff overlaps "));
    CHECK(has(image.err, "x.bin at 0x34070000 to 0x34070063"));
    CHECK(room.run(exiting(0), {"--image", at, "--image", data, "--exec", "none"}).exit_code == 0);
}

TEST_CASE("run: a model's pools lie in memory") {
    const Workdir room;
    const Image model = build_image(sample_spec(ImageGeneration::Core22, 0x36000000, 0x34270000));
    const std::string at = "0x71000000=" + room.folder.write("model.bin", model.file);
    const Outcome outcome = room.run(exiting(0), {"--image", at});
    CHECK(outcome.exit_code == 6);
    CHECK(has(outcome.err, "at 0x36000000 to "));
    CHECK(has(outcome.err, "no memory, or too little"));
}

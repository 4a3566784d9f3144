// SPDX-License-Identifier: Apache-2.0
// What stays of a run when an output cannot be written, when runs meet, and when a signal comes.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr const char* kScenario = "[run]\nelf = \"program.elf\"\n";

/// Stores to 128 KiB, one word each, then ends.
Thumb storing(std::uint32_t exit_code) {
    Thumb program;
    program.set(0, 0x34010000).set(2, 0x8000);
    return program.raw({0x6001, 0x3004, 0x3A01, 0xD1FB}).write(kExit, exit_code).raw({0xE7FE});
}

/// Runs `program` where no file may have more than 16 KiB.
Outcome run_small(const Workdir& room, const Thumb& program,
                  const std::vector<std::string>& options) {
    std::vector<std::string> words{N6VP_BINARY, "run", "--elf",
                                   room.folder.write("program.elf", elf(program))};
    words.insert(words.end(), options.begin(), options.end());
    return run_after("ulimit -f 16", words);
}

std::size_t lines_with(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

/// Returns true if a folder in `place` holds an unfinished report: a scenario runs.
bool scenario_runs(const std::filesystem::path& place) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(place, ignored)) {
        if (!file_like(entry.path(), "report.json.").empty()) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("run: a full disk costs the page, the trace and the dump, not the results") {
    const Workdir room;
    const Outcome outcome = run_small(room, storing(0),
                                      {"--report", room.folder.file("r.html"), "--trace",
                                       room.folder.file("t.txt"), "--dump", room.folder.file("d")});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 7);
    CHECK(has(outcome.out, "instructions (approx"));
    for (const char* const name : {"r.html", "t.txt"}) {
        CAPTURE(name);
        CHECK(has(outcome.err, "cannot write '" + room.folder.file(name) + "': File too large"));
        CHECK_FALSE(std::filesystem::exists(room.folder.file(name)));
    }
    CHECK(lines_with(outcome.err, "File too large") == 3);
    CHECK(has(outcome.err, "cannot write '" + room.folder.file("d") + "/"));
    CHECK(lines_with(outcome.err, "ulimit -f") == 3);
    CHECK(file_like(room.folder.path(), ".partial") == "");
    CHECK(file_like(room.folder.path() / "d", ".partial") == "");
}

TEST_CASE("run: a trace that cannot be written leaves report and JSON complete") {
    const Workdir room;
    const Outcome outcome = run_small(
        room, storing(0),
        {"--json", "--report", room.folder.file("r.json"), "--trace", room.folder.file("t.txt")});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 7);
    CHECK(room.report()["end"] == "exit");
    CHECK(Json::parse(outcome.out)["end"] == "exit");
    CHECK(lines_with(outcome.err, "File too large") == 1);
    CHECK_FALSE(std::filesystem::exists(room.folder.file("t.txt")));
}

TEST_CASE("run: the verdict of a run counts more than an output that is lost") {
    const Workdir room;
    const Outcome outcome =
        run_small(room, storing(9), {"--quiet", "--trace", room.folder.file("t.txt")});
    CHECK(outcome.exit_code == 1);
    CHECK(has(outcome.err, "File too large"));
    CHECK(has(outcome.err, "the program ended with exit code 9"));
}

TEST_CASE("run: a console that takes no more costs neither report nor text") {
    const Workdir room;
    // One character, which leaves at the end of the run.
    const Thumb program = Thumb()
                              .write(0x5200100C, 109)
                              .write(0x52001000, 1u << 29 | 9)
                              .write(0x52001028, 'x')
                              .write(kExit, 0)
                              .raw({0xE7FE});
    const Outcome outcome =
        room.run(program, {"--uart", "file:/dev/full", "--report", room.folder.file("r.json")});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 7);
    CHECK(has(outcome.err, "No space left on device"));
    CHECK(has(outcome.out, "instructions (approx"));
    CHECK(room.report()["instructions"].get<std::uint64_t>() > 0);
}

TEST_CASE("run: a console that takes no more ends an endless program, and is named as the cause") {
    const Workdir room;
    // A line, which leaves at once.
    const Thumb program = Thumb()
                              .write(0x5200100C, 109)
                              .write(0x52001000, 1u << 29 | 9)
                              .write(0x52001028, '\n')
                              .raw({0xE7FE});
    const Outcome outcome = room.run(program, {"--uart", "file:/dev/full", "--max-quiet", "0"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 130);
    CHECK(has(outcome.err, "cannot write the console to file /dev/full"));
    CHECK(has(outcome.err, "a console could not be written"));
    CHECK(!has(outcome.err, "standard output was closed"));
}

TEST_CASE("run: a console that takes no more costs no text of another") {
    const Workdir room;
    // A character on USART1, and one on USART2 with its clock.
    const Thumb program = Thumb()
                              .write(0x56028A64, 1u << 17)
                              .write(0x5200100C, 109)
                              .write(0x52001000, 1u << 29 | 9)
                              .write(0x5000440C, 109)
                              .write(0x50004400, 1u << 29 | 9)
                              .write(0x52001028, 'x')
                              .write(0x50004428, 'y')
                              .write(kExit, 0)
                              .raw({0xE7FE});
    const std::string other = room.folder.file("other.txt");
    const Outcome outcome =
        room.run(program, {"--uart", "file:/dev/full", "--uart", "usart2=file:" + other});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 7);
    CHECK(read_text(other) == "y");
}

TEST_CASE("run: two runs at once into the same report both end well") {
    const Workdir room;
    const std::string program = room.folder.write("program.elf", elf(endless()));
    const std::vector<std::string> words{N6VP_BINARY, "run",      "--elf",
                                         program,     "--report", room.folder.file("r.json")};
    RunningProcess first(words), second(words);
    const auto unfinished = [&] {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(room.folder.path())) {
            if (has(entry.path().filename().string(), ".partial")) ++count;
        }
        return count;
    };
    CHECK(RunningProcess::wait_until([&] { return unfinished() == 2; }));
    for (RunningProcess* const one : {&first, &second}) {
        CHECK(one->wait_while_it_works(0.1));
        one->signal(SIGINT);
        const Outcome outcome = one->wait();
        CHECK(outcome.exit_code == 130);
        CHECK_FALSE(has(outcome.err, "cannot write"));
        CHECK(room.report()["end"] == "interrupted");
    }
    CHECK(unfinished() == 0);
}

TEST_CASE("run: an interrupted batch has the finished scenarios in its JUnit file") {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(number);
        const Workdir room;
        static_cast<void>(room.folder.write("exiting.elf", elf(exiting(0))));
        static_cast<void>(room.folder.write("endless.elf", elf(endless())));
        const std::string temporary = room.folder.file("tmp");
        std::filesystem::create_directory(temporary);
        std::vector<std::string> words{"/usr/bin/env", "TMPDIR=" + temporary,    N6VP_BINARY, "run",
                                       "--junit",      room.folder.file("j.xml")};
        for (const char* const name : {"a", "b", "c"}) {
            const std::string elf_name = std::string(name) == "b" ? "endless" : "exiting";
            words.push_back(room.folder.write(std::string(name) + ".toml",
                                              "[run]\nelf = \"" + elf_name + ".elf\"\n"));
        }
        RunningProcess batch(words);
        CHECK(RunningProcess::wait_until(
            [&] { return has(batch.out(), "ok    ") && scenario_runs(temporary); }));
        usleep(100'000);
        batch.signal(number);
        const Outcome outcome = batch.wait();
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 130);
        pugi::xml_document document;
        REQUIRE(document.load_file(room.folder.file("j.xml").c_str()));
        const pugi::xml_node suite = document.child("testsuites").child("testsuite");
        CHECK(std::string(suite.attribute("tests").value()) == "3");
        CHECK(std::string(suite.attribute("errors").value()) == "1");
        CHECK(std::string(suite.attribute("skipped").value()) == "1");
        std::vector<pugi::xml_node> cases;
        for (const pugi::xml_node one : suite.children("testcase")) cases.push_back(one);
        REQUIRE(cases.size() == 3);
        CHECK_FALSE(cases[0].child("error"));
        CHECK(std::string(cases[1].child("error").attribute("type").value()) == "interrupted");
        CHECK(has(cases[2].child("skipped").attribute("message").value(), "interrupted"));
        CHECK(std::filesystem::is_empty(temporary));
        CHECK(file_like(room.folder.path(), ".partial") == "");
    }
}

TEST_CASE("run: a second Ctrl-C ends a batch at once and leaves nothing unfinished") {
    const Workdir room;
    static_cast<void>(room.folder.write("program.elf", elf(endless())));
    const std::string temporary = room.folder.file("tmp");
    std::filesystem::create_directory(temporary);
    RunningProcess batch({"/usr/bin/env", "TMPDIR=" + temporary, N6VP_BINARY, "run", "--junit",
                          room.folder.file("j.xml"),
                          room.folder.write("a.toml", std::string(kScenario))});
    CHECK(RunningProcess::wait_until([&] { return scenario_runs(temporary); }));
    batch.signal(SIGINT);
    batch.signal(SIGINT);
    CHECK(batch.wait().exit_code == 130);
    CHECK(RunningProcess::wait_until([&] { return std::filesystem::is_empty(temporary); }));
    CHECK(file_like(room.folder.path(), ".partial") == "");
}

TEST_CASE("run: TMPDIR that does not exist is an error of one line, not an internal one") {
    const Workdir room;
    static_cast<void>(room.folder.write("program.elf", elf(exiting(0))));
    const Outcome outcome = run_after("export TMPDIR=/nonexistent/place",
                                      {N6VP_BINARY, "run", "--junit", room.folder.file("j.xml"),
                                       room.folder.write("s.toml", std::string(kScenario))});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err ==
          "n6vp: no temporary folder can be made in '/nonexistent/place': No such file or "
          "directory\n      set TMPDIR to a folder where you may write\n");
}

TEST_CASE("run: --max-time 0 is no limit, as its help says") {
    const Workdir room;
    CHECK(room.run(exiting(0), {"--max-time", "0", "--max-host-time", "0", "--max-quiet", "0"})
              .exit_code == 0);
    const Outcome outcome = room.run(exiting(0), {"--max-time", "5"});  // of what?
    CHECK(outcome.exit_code == 2);
}

TEST_CASE("run: a network or a program in place of a scenario is told where it belongs") {
    const Workdir room;
    const std::string network =
        room.folder.write("net.tflite", std::string("\x1c\0\0\0TFL3\0\0\0\0", 12));
    const Outcome of_network = run_process({N6VP_BINARY, "run", network});
    CHECK(of_network.exit_code == 2);
    CHECK(has(of_network.err, "is a TensorFlow Lite network"));
    CHECK(has(of_network.err, "n6vp generate"));
    const std::string program = room.folder.write("fw.elf", elf(exiting(0)));
    const Outcome of_program = run_process({N6VP_BINARY, "run", program});
    CHECK(of_program.exit_code == 2);
    CHECK(has(of_program.err, "is a program"));
    CHECK(has(of_program.err, "--elf"));
}

TEST_CASE("run: an image or an empty file in place of a scenario is told where it belongs") {
    const Workdir room;
    struct Row {
        const char *content, *cause, *remedy;
    };
    for (const Row& row : {
             Row{":020000040800F2\n:00000001FF\n", "looks like an Intel HEX file", "--image"},
             Row{"S00600004844521B\n", "looks like a file of S-records", "--image"},
             Row{"STM2\1\2\3\4\5", "looks like an image with boot header", "--image"},
             Row{"", "is empty", "give a model or a scenario"},
         }) {
        const std::string file = room.folder.write("image", row.content);
        const Outcome outcome = run_process({N6VP_BINARY, "run", file});
        CHECK(outcome.exit_code == 2);
        CHECK_MESSAGE(has(outcome.err, row.cause), outcome.err);
        CHECK_MESSAGE(has(outcome.err, row.remedy), outcome.err);
    }
}

TEST_CASE("run: a model with a damaged magic was read as TOML") {
    const Workdir room;
    const std::string file = room.folder.write("m.bin", "NBIM" + std::string(100, '\0'));
    const Outcome outcome = run_process({N6VP_BINARY, "run", file});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == run_process({N6VP_BINARY, "info", file}).err);
    CHECK_MESSAGE(has(outcome.err, "it starts with 0x4d49424e instead of \"NBIN\""), outcome.err);
    // A scenario stays one.
    const std::string scenario = room.folder.write("s.toml", std::string("a = \0", 5));
    CHECK(has(run_process({N6VP_BINARY, "run", scenario}).err, "scenarios are TOML"));
}

TEST_CASE("run: an option twice, and --bin without address, are named as such") {
    const Workdir room;
    const Outcome twice = room.run(exiting(0), {"--camera", "a.ppm", "--camera", "b.ppm"});
    CHECK(twice.exit_code == 2);
    CHECK_MESSAGE(has(twice.err, "--camera takes one value and has 2"), twice.err);
    const Outcome raw = run_process({N6VP_BINARY, "run", "--bin", "fw.bin"});
    CHECK(raw.exit_code == 2);
    CHECK_MESSAGE(has(raw.err, "--bin 'fw.bin' has no address"), raw.err);
}

TEST_CASE("run: a message cuts a value of 70,000 characters and says how long it is") {
    const Workdir room;
    const std::string word(70'000, 'y');
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--timing", word},
          {"--uart", word},
          {"--set", word},
          {"--max-time", word},
          {"--image", word},
          {"--" + word},
          {"--set", "clock.cpu=" + word},
          {"--svd", "/" + word},
          {"--set", word.substr(0, 40'000) + " " + word.substr(0, 40'000)}}) {
        const Outcome outcome = room.run(exiting(0), options);
        CAPTURE(outcome.err.substr(0, 2000));
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.size() < 1500);
        CHECK(has(outcome.err, " characters)"));
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
    }
}

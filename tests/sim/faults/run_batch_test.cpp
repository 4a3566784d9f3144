// SPDX-License-Identifier: Apache-2.0
// Several scenarios at once, their JUnit XML, and the demands that CI makes of a run.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

const std::string kRun = "[run]\nelf = \"program.elf\"\n";

/// Runs scenarios of these texts, a.toml and so on, with program.elf beside them.
struct Batch {
    Workdir room;
    pugi::xml_document junit;
    std::string xml;

    Outcome run(const std::vector<std::string>& texts, const Thumb& program,
                const std::vector<std::string>& options = {}) {
        static_cast<void>(room.folder.write("program.elf", elf(program)));
        std::vector<std::string> words{N6VP_BINARY, "run"};
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const std::string name(1, static_cast<char>('a' + i));
            words.push_back(room.folder.write(name + ".toml", texts[i]));
        }
        const std::string file = room.folder.file("junit.xml");
        words.insert(words.end(), {"--junit", file});
        words.insert(words.end(), options.begin(), options.end());
        Outcome outcome = run_process(words);
        xml = read_text(file);
        junit.load_string(xml.c_str());
        return outcome;
    }
    [[nodiscard]] pugi::xml_node suite() const {
        return junit.child("testsuites").child("testsuite");
    }
    [[nodiscard]] pugi::xml_node test(const char* name) const {
        return suite().find_child_by_attribute("testcase", "name", name);
    }
};

/// Writes `text` to the simulator's mailbox.
Thumb& put(Thumb& program, std::string text) {
    constexpr std::uint32_t kText = 0x34100000;
    const auto bytes = static_cast<std::uint32_t>(text.size());
    text.resize(text.size() / 4 * 4 + 4);
    for (std::uint32_t i = 0; i < text.size(); i += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, text.data() + i, 4);
        program.write(kText + i, word);
    }
    return program.write(kMailbox + 0x20, kText).write(kMailbox + 0x24, bytes);
}

Thumb finished(Thumb program) {
    return program.write(kExit, 0).raw({0xE7FE});
}

}  // namespace

TEST_CASE("batch: every scenario is a test case with its verdict") {
    Batch batch;
    const Outcome outcome = batch.run(
        {kRun + "[expect]\nexit_code = 0\n", kRun + "[expect]\nexit_code = 3\nmax_time = \"1ns\"\n",
         kRun + "nonsense = 1\n", kRun},
        exiting(0));
    CHECK(outcome.exit_code == 1);
    CHECK(has(outcome.out, "ok    "));
    CHECK(has(outcome.out, "FAIL  "));
    CHECK(batch.suite().attribute("tests").as_int() == 4);
    CHECK(batch.suite().attribute("failures").as_int() == 1);
    CHECK(batch.suite().attribute("errors").as_int() == 1);
    CHECK(batch.test("a").child("failure").empty());
    CHECK(batch.test("a").attribute("time").as_double() > 0);
    const pugi::xml_node failure = batch.test("b").child("failure");
    CHECK(std::string(failure.attribute("type").value()) == "expectation");
    CHECK(has(failure.attribute("message").value(), "exit_code: expected 3, found 0"));
    // Each demand that does not hold has a line.
    CHECK(has(failure.text().get(), "max_time"));
    const pugi::xml_node error = batch.test("c").child("error");
    CHECK(std::string(error.attribute("type").value()) == "usage");
    CHECK(has(error.attribute("message").value(), "c.toml:3"));
    CHECK(has(batch.test("d").child("system-out").text().get(), "cycles"));
}

TEST_CASE("batch: faults and limits are failures of their own kind, one scenario keeps its code") {
    Thumb faulty;
    faulty.set(1, 0x60000000).load(0, 1);
    Batch fault;
    CHECK(fault.run({kRun}, faulty).exit_code == 3);
    const pugi::xml_node failure = fault.test("a").child("failure");
    CHECK(std::string(failure.attribute("type").value()) == "guest fault");
    CHECK(has(failure.text().get(), "read of 4 bytes at 0x60000000"));
    CHECK(has(failure.text().get(), "=> 0x"));

    Batch limit;
    CHECK(limit.run({kRun}, endless(), {"--max-time", "5ms"}).exit_code == 5);
    CHECK(std::string(limit.test("a").child("failure").attribute("type").value()) == "limit");
    CHECK(has(limit.test("a").child("failure").text().get(), "no progress"));
}

TEST_CASE("batch: a failure has the tool's own lines, not what the program said before and after") {
    Thumb faulty;
    put(faulty, "      indented, as the tool's further lines are\n");
    faulty.set(1, 0x60000000).load(0, 1);
    Batch fault;
    CHECK(fault.run({kRun}, faulty).exit_code == 3);
    const pugi::xml_node failure = fault.test("a").child("failure");
    const std::string text = failure.text().get();
    CHECK(text.starts_with("n6vp: "));
    CHECK_FALSE(has(text, "indented"));
    CHECK(has(fault.test("a").child("system-out").text().get(), "      indented, as"));
    CHECK(failure.attribute("message").value() == text.substr(0, text.find('\n')));
    // What is indented behind the first line belongs to it.
    CHECK(has(text, "\n      "));
}

TEST_CASE("batch: what a program says cannot break the XML") {
    Thumb program;
    put(program, "<script>alert(1)</script> & ]]> \x1b[2J \x01 \xff\xfe \"'\n");
    Batch batch;
    CHECK(batch.run({kRun}, finished(program)).exit_code == 0);
    for (const char raw : {'\x1b', '\x01', '\xff'}) {
        CHECK(batch.xml.find(raw) == std::string::npos);
    }
    CHECK(batch.xml.find("&#") == std::string::npos);
    CHECK_FALSE(has(batch.xml, "<script>"));
    const std::string said = batch.test("a").child("system-out").text().get();
    CHECK(has(said, "<script>alert(1)</script> & ]]> \\"));
}

TEST_CASE("batch: options that are about one run are refused, and those of all go to each") {
    Batch batch;
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--json"},
                                                    {"--csv"},
                                                    {"--print-config"},
                                                    {"--report", "x"},
                                                    {"--gdb", "0"},
                                                    {"--gdb-wait"}}) {
        CAPTURE(options.front());
        CHECK(batch.run({kRun, kRun}, exiting(0), options).exit_code == 2);
    }
    const Workdir room;
    CHECK(room.run(exiting(0), {"--junit", room.folder.file("x")}).exit_code == 2);
    const Outcome limited = batch.run(
        {kRun, kRun}, endless(), {"--max-time=2ms", "--dump", batch.room.folder.file("state")});
    CHECK(limited.exit_code == 1);
    for (const char* name : {"a", "b"}) {
        CHECK(
            std::filesystem::exists(batch.room.folder.file("state") + "/" + name + "/state.json"));
    }
}

TEST_CASE("expect: times of phases") {
    // Two phases "work"; the second has 5000 rounds.
    Thumb program;
    constexpr std::uint32_t kName = 0x34110000;
    program.write(kName, 0x6B726F77).write(kName + 4, 0);  // "work"
    for (const unsigned rounds : {10u, 5000u}) {
        program.write(kMailbox + 0x10, kName).write(kMailbox + 0x14, 3);
        program.set(5, rounds);
        const std::size_t loop = program.code().size();
        program.subtract(5, 1).repeat(loop).write(kMailbox + 0x18, 3);
    }
    const Workdir room;
    const auto scenario = [&](const std::string& demand) {
        return room.scenario(kRun + "[expect.time]\n" + demand, {"--quiet"}, finished(program));
    };
    CHECK(scenario("work = \"1ms\"\n").exit_code == 0);
    const Outcome late = scenario("work = \"1us\"\n");
    CHECK(late.exit_code == 1);
    CHECK(has(late.err, "time of work: expected at most 1.000 us, found "));
    CHECK(has(scenario("rest = \"1ms\"\n").err, "no phase of that name"));
    CHECK(scenario("work = 3\n").exit_code == 2);
}

TEST_CASE("expect: use of memory") {
    Thumb program;
    program.write(0x34100000, 1).write(0x34102000, 1);
    const Workdir room;
    const auto scenario = [&](const std::string& demand) {
        return room.scenario(kRun + "[expect.use]\n" + demand, {"--quiet"}, finished(program));
    };
    CHECK(scenario("AXISRAM2 = \"8K\"\n").exit_code == 0);
    const Outcome over = scenario("AXISRAM2 = 8191\n");
    CHECK(over.exit_code == 1);
    CHECK(has(over.err, "use of AXISRAM2: expected at most 8191 bytes, found 8192 bytes"));
    CHECK(has(scenario("exec_ram = 1\n").err, "no model was installed"));
    CHECK(has(scenario("AXISRAM = 1\n").err, "AXISRAM"));
}

TEST_CASE("expect: no warnings") {
    const Workdir room;
    const std::string demand = kRun + "[expect]\nno_warnings = true\n";
    CHECK(room.scenario(demand, {"--quiet"}).exit_code == 0);
    Thumb program;
    program.set(1, 0x34100000).load(0, 1);  // never written
    const Outcome outcome = room.scenario(demand, {"--quiet"}, finished(program));
    CHECK(outcome.exit_code == 1);
    CHECK(has(outcome.err, "warnings: expected none, found 1 events"));
    CHECK(has(outcome.err, "never written"));
    CHECK(room.scenario(kRun + "[expect]\nno_warnings = false\n").exit_code == 2);
}

TEST_CASE("expect: outputs, exact and within a tolerance") {
    // SYS_OPEN "o" for writing, SYS_WRITE of the 4 bytes -1, 2, 3, 4.
    constexpr std::uint32_t kBlock = 0x34100100, kName = 0x34100000, kBytes = 0x34100010;
    Thumb program;
    program.write(kName, 'o').write(kBytes, 0x040302FF);
    program.write(kBlock, kName).write(kBlock + 4, 5).write(kBlock + 8, 1);
    program.set(0, 0x01).set(1, kBlock).end();
    program.set(1, kBlock).store(0, 1).write(kBlock + 4, kBytes).write(kBlock + 8, 4);
    program.set(0, 0x05).set(1, kBlock).end();
    const Workdir room;
    REQUIRE(::mkdir(room.folder.file("out").c_str(), 0700) == 0);
    const std::vector<std::uint8_t> same{0xFF, 2, 3, 4}, near{1, 2, 5, 4}, longer{0xFF, 2, 3, 4, 5};
    static_cast<void>(room.folder.write("same.bin", same));
    static_cast<void>(room.folder.write("near.bin", near));
    static_cast<void>(room.folder.write("longer.bin", longer));
    const auto scenario = [&](const std::string& demand) {
        return room.scenario(kRun + "files = \"out\"\n[[expect.output]]\nname = \"o\"\n" + demand,
                             {"--quiet"}, finished(program));
    };
    CHECK(scenario("file = \"same.bin\"\n").exit_code == 0);
    const Outcome differs = scenario("file = \"near.bin\"\n");
    CHECK(differs.exit_code == 1);
    CHECK(has(differs.err, "2 of 4 not equal"));
    CHECK(has(differs.err, "element 0: 255 in place of 1"));
    CHECK(scenario("file = \"near.bin\"\ntype = \"int8\"\ntolerance = 2\n").exit_code == 0);
    CHECK(scenario("file = \"near.bin\"\ntype = \"uint8\"\ntolerance = 2\n").exit_code == 1);
    CHECK(has(scenario("file = \"longer.bin\"\n").err, "found 4 bytes"));
    // Mistakes in the scenario.
    CHECK(scenario("file = \"near.bin\"\ntolerance = 2\n").exit_code == 2);
    CHECK(scenario("file = \"longer.bin\"\ntype = \"int16\"\n").exit_code == 2);
    CHECK(scenario("file = \"same.bin\"\ntolerance = -1\n").exit_code == 2);
    CHECK(
        room.scenario(kRun + "[[expect.output]]\nname = \"o\"\nfile = \"same.bin\"\n").exit_code ==
        2);
    CHECK(room.scenario(kRun + "files = \"out\"\n[[expect.output]]\nname = \"../same.bin\"\n"
                               "file = \"same.bin\"\n")
              .exit_code == 2);
}

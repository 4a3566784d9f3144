// SPDX-License-Identifier: Apache-2.0
// --params-file of `n6vp run`, `n6vp install` and `n6vp params`.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

/// Returns the value of a parameter as `n6vp params --json` shows it.
double shown(const std::vector<std::string>& options, const std::string& name) {
    std::vector<std::string> words{N6VP_BINARY, "params", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run_process(words);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json document = Json::parse(outcome.out);
    for (const Json& row : document["parameters"]) {
        if (row["name"] == name) return row["value"];
    }
    FAIL("no parameter " << name);
    return 0;
}

}  // namespace

TEST_CASE("params-file: dotted keys, quoted keys and tables are the same") {
    const ScratchFolder folder;
    for (const char* text :
         {"clock.cpu = 600\n", "\"clock.cpu\" = 600.0\n", "# slow\n[clock]\ncpu = 600  # MHz\n"}) {
        CAPTURE(text);
        const std::string file = folder.write("p.toml", std::string(text));
        CHECK(shown({"--params-file", file}, "clock.cpu") == 600);
        CHECK(shown({"--params-file", file, "--set", "clock.cpu=400"}, "clock.cpu") == 400);
    }
    CHECK(shown({}, "clock.cpu") == 800);
}

TEST_CASE("params-file: between the scenario and --set, with file and line") {
    const Workdir room;
    const std::string file =
        room.folder.write("p.toml", std::string("clock.nic = 800\nclock.npu = 900\n"));
    const std::string scenario =
        "[run]\nelf = \"program.elf\"\n[parameters]\nclock.cpu = 600\nclock.nic = 700\n";
    const Outcome config = room.scenario(
        scenario, {"--params-file", file, "--set", "clock.npu=500", "--print-config"});
    REQUIRE(config.exit_code == 0);
    const auto line = [&](const std::string& key) {
        const std::size_t start = config.out.find('\n' + key + ' ') + 1;
        return config.out.substr(start, config.out.find('\n', start) - start);
    };
    CHECK(has(line("clock.cpu"), " 600 "));
    CHECK(has(line("clock.cpu"), "s.toml:4"));
    CHECK(has(line("clock.nic"), " 800 "));
    CHECK(has(line("clock.nic"), "p.toml:1"));
    CHECK(has(line("clock.npu"), " 500 "));
    CHECK(has(line("clock.npu"), "--set"));
}

TEST_CASE("params-file: a run takes the time that it takes with --set") {
    const Workdir room;
    Thumb program;
    program.caches().set(5, 50'000);
    const std::size_t loop = program.code().size();
    program.subtract(5, 1).repeat(loop).write(kExit, 0).raw({0xE7FE});
    const std::string file = room.folder.write("p.toml", std::string("[clock]\ncpu = 400\n"));
    const auto time = [&](std::vector<std::string> options) {
        options.insert(options.end(), {"--quiet", "--report", room.folder.file("r.json")});
        REQUIRE(room.run(program, options).exit_code == 0);
        return room.report()["time_ps"].get<double>();
    };
    const double slow = time({"--params-file", file});
    CHECK(slow == time({"--set", "clock.cpu=400"}));
    // 800 MHz by default, and the loop is in the I-cache.
    CHECK(slow / time({}) == doctest::Approx(2).epsilon(0.02));
}

TEST_CASE("params-file: every scenario of several gets it") {
    const Workdir room;
    static_cast<void>(room.folder.write("program.elf", elf(exiting(0))));
    const std::string text = "[run]\nelf = \"program.elf\"\n";
    const std::string bad = room.folder.write("p.toml", std::string("\nclock.cpu = 0\n"));
    const Outcome outcome = run_process({N6VP_BINARY, "run", room.folder.write("a.toml", text),
                                         room.folder.write("b.toml", text), "--params-file", bad,
                                         "--junit", room.folder.file("junit.xml")});
    CHECK(outcome.exit_code == 1);
    CHECK(has(read_text(room.folder.file("junit.xml")), "p.toml:2: clock.cpu=0: out of range"));
}

TEST_CASE("params-file: no output goes over it") {
    const Workdir room;
    const std::string text = "clock.cpu = 600\n";
    const std::string file = room.folder.write("p.json", text);
    const Outcome outcome = room.run(endless(), {"--params-file", file, "--report", file});
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "the report would overwrite the parameter file"));
    CHECK(read_text(file) == text);
}

TEST_CASE("--set with a misspelt name had no suggestion") {
    const auto remedy = [](const std::string& setting) {
        const Outcome outcome = run_process({N6VP_BINARY, "params", "--set", setting});
        CHECK(outcome.exit_code == 2);
        return outcome.err.substr(outcome.err.find('\n') + 1);
    };
    CHECK(remedy("clok.cpu=600") == "      did you mean clock.cpu? `n6vp params` lists them all\n");
    CHECK(remedy("zzzzzz.zzz=600") == "      `n6vp params` lists them all\n");
}

TEST_CASE("params-file: mistakes are one line with file and line, one with a remedy") {
    const Workdir room;
    const auto error = [&](const std::string& text) {
        const std::string file = room.folder.write("p.toml", text);
        std::string said;
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{N6VP_BINARY, "params"},
              {N6VP_BINARY, "run", "--elf", room.folder.write("e.elf", elf(exiting(0)))}}) {
            std::vector<std::string> all = words;
            all.insert(all.end(), {"--params-file", file});
            const Outcome outcome = run_process(all);
            CHECK(outcome.exit_code == 2);
            CHECK(outcome.out == "");
            CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
            CHECK(outcome.err.find('\x1b') == std::string::npos);
            if (!said.empty()) CHECK(outcome.err == said);
            said = outcome.err;
        }
        return said;
    };
    CHECK(has(error("\n\nclock.cpu = 0\n"), "p.toml:3: clock.cpu=0: out of range"));
    CHECK(has(error("clock.cpu = \"fast\"\n"), "p.toml:1: clock.cpu=fast: 'fast' is not a number"));
    CHECK(has(error("[clock]\ncup = 600\n"), "p.toml:2: clock.cup=600: no such parameter"));
    CHECK(has(error("\"\\u001b[31m\" = 1\n"), "p.toml:1: \\x1b[31m=1: no such parameter"));
    CHECK(has(error("clock.cpu = [600]\n"), "p.toml:1: "));
    CHECK(has(error("clock.cpu: 600\n"), "parameter files are TOML"));
    CHECK(has(error("npu_cache.ways = 3\n"), "p.toml:1: npu_cache.ways must be a power of two"));
    const Outcome missing =
        run_process({N6VP_BINARY, "params", "--params-file", room.folder.file("none.toml")});
    CHECK(missing.exit_code == 2);
    CHECK(has(missing.err, "none.toml"));
}

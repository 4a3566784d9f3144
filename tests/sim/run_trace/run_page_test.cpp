// SPDX-License-Identifier: Apache-2.0
// The page of `n6vp run --report`: what it shows is that of the JSON report of the same run.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/sim/run_trace/page_data.h"
#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr double kNsPerPs = 1e-3;

/// The page and the JSON report of one program; both runs end with the same code.
struct Pages {
    Json page, report;
};
Pages pages_of(const Workdir& room, const Thumb& program,
               const std::vector<std::string>& options = {}, int code = 0) {
    for (const char* const name : {"p.html", "r.json"}) {
        std::vector<std::string> words{"--quiet", "--report", room.folder.file(name)};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = room.run(program, words);
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == code);
    }
    std::ifstream stream(room.folder.file("p.html"), std::ios::binary);
    return {page_data({std::istreambuf_iterator<char>(stream), {}}), room.report()};
}

/// SysTick wakes the core after 8000 cycles of 800 MHz.
Thumb sleeping() {
    Thumb program;
    program.raw({0xE000, 0x4770});  // over a handler that returns
    program.write(kBase + 4 * 15, (kBase + Thumb::kVectors + 2) | 1);
    program.write(0xE000E014, 7999).write(0xE000E018, 0).write(0xE000E010, 7);
    return program.raw({0xBF30}).write(0xE000E010, 0).write(kExit, 0).raw({0xE7FE});
}

/// A phase without a name, within it one that never ends.
Thumb in_phases() {
    Thumb program;
    program.write(kBase + 0x1000, 5).write(kMailbox + 0x14, 3);
    program.write(kBase + 0x1000, 7).write(kMailbox + 0x18, 3);
    return program.write(kMailbox + 0x14, 9).write(kExit, 4).raw({0xE7FE});
}

std::string format(const char* pattern, double value) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

/// As "1,234,567".
std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

Json row_of(const Json& rows, const char* key, const std::string& name) {
    for (const Json& row : rows) {
        if (row[key] == name) return row;
    }
    FAIL("no row of that name: " << name);
    return {};
}

/// A curve's values times how many ns it had them.
double area(const Json& curve, double end) {
    double sum = 0, value = 0, since = 0;
    for (const Json& point : curve["points"]) {
        sum += value * (point[0].get<double>() - since);
        since = point[0];
        value = point[1];
    }
    return sum + value * (end - since);
}

}  // namespace

TEST_CASE("run page: heading and facts are those of the report") {
    const Workdir room;
    const auto [page, report] = pages_of(room, sleeping());
    CHECK(page["title"] == "program.elf");
    CHECK(page["subtitle"] == "program.elf; approx timing, ideal coherence; ended: exit 0");
    const std::string footer = page["footer"];
    CHECK(has(footer, "their grade is approx."));
    CHECK(has(footer, "Hash of the run " + report["hash"].get<std::string>() + "."));
    const double time = report["time_ps"];
    CHECK(page["end"].get<double>() == doctest::Approx(time * kNsPerPs));
    const Json simulated = row_of(page["facts"], "label", "Simulated time");
    CHECK(simulated["value"] == format("%.3f ms", time * 1e-9));
    CHECK(simulated["note"] == grouped(report["cycles"]) + " core cycles");
    CHECK(page["facts"].size() == 2);
    CHECK(page["epochs"].empty());
    CHECK(page["events"].empty());
    CHECK(page["causes"].size() == 10);  // those of engines, and configuration
    CHECK(page["causes"][9]["name"] == "configuration");
}

TEST_CASE("run page: sleep and exceptions are lanes, and sleep is a share of the run") {
    const Workdir room;
    const Json page = pages_of(room, sleeping()).page;
    REQUIRE(page["lanes"].size() == 2);
    const Json& asleep = page["lanes"][0];
    CHECK(asleep["name"] == "core asleep");
    CHECK(asleep["color"] == "sleep");
    CHECK(asleep["names"] == Json::array({"asleep"}));
    REQUIRE(asleep["slices"].size() == 1);
    const double from = asleep["slices"][0][0], to = asleep["slices"][0][1];
    CHECK(to - from > 9900);  // ns, of 10 us
    CHECK(to - from <= 10'000);
    const Json& exceptions = page["lanes"][1];
    CHECK(exceptions["name"] == "exceptions");
    CHECK(exceptions["color"] == "irq");
    CHECK(exceptions["names"] == Json::array({"SysTick"}));
    REQUIRE(exceptions["slices"].size() == 1);
    CHECK(exceptions["slices"][0][0] >= to);
    CHECK(exceptions["slices"][0][1] > exceptions["slices"][0][0]);
    CHECK(exceptions["slices"][0][1] < page["end"]);
    const Json fact = row_of(page["facts"], "label", "Core asleep");
    CHECK(fact["value"] == format("%.1f %%", 100 * (to - from) / page["end"].get<double>()));
    CHECK(fact["note"] == "of the whole run");
}

TEST_CASE("run page: phases with the start-up before them, and their traffic") {
    const Workdir room;
    const auto [page, report] = pages_of(room, in_phases(), {}, 1);
    CHECK(page["subtitle"] == "program.elf; approx timing, ideal coherence; ended: exit 4");
    const Json& phases = page["phases"];
    REQUIRE(phases.size() == 4);
    const char* const names[] = {"run", "start-up", "phase 3", "phase 9"};
    const Json& told = report["phases"];
    REQUIRE(told.size() == 3);
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        const Json& phase = phases[i];
        const Json& other = i == 1 ? report["start_up"] : told[i == 0 ? 0 : i - 1];
        CHECK(phase["name"] == names[i]);
        CHECK(phase["depth"] == (i == 0 ? 0 : 1));
        CHECK(phase["ended"] == (i != 3));
        CHECK(phase["block"] == false);
        CHECK(phase["cycles"] == other["cycles"]);
        CHECK(phase["instructions"] == other["instructions"]);
        double bytes = 0, waited = 0;
        for (const Json& flow : other["traffic"]) {
            bytes += flow["bytes_read"].get<double>() + flow["bytes_written"].get<double>();
            waited += flow["waited_ps"].get<double>();
        }
        CHECK(phase["bytes"] == bytes);
        CHECK(phase["waited"].get<double>() == doctest::Approx(waited * kNsPerPs).epsilon(0.001));
    }
    CHECK(phases[1]["start"] == phases[0]["start"]);
    CHECK(phases[1]["end"] == phases[2]["start"]);
    CHECK(phases[2]["end"] < phases[3]["start"]);
    CHECK(phases[3]["end"] == page["end"]);
}

TEST_CASE("run page: memories with their traffic, and what is in them") {
    const Workdir room;
    const std::string image = room.folder.write("weights.bin", std::vector<std::uint8_t>(96, 1));
    const Json page =
        pages_of(room, sleeping(), {"--bin", image + "@0x34063fe0", "--exec-ram", "0x34050000:64K"})
            .page;
    // The first image names the page.
    CHECK(page["title"] == "weights.bin");
    CHECK(page["subtitle"].get<std::string>().starts_with("program.elf; "));
    const Json& memories = page["memories"];
    REQUIRE(memories.size() == 2);
    const Json& first = memories[0];
    CHECK(first["name"] == "FLEXMEM");
    CHECK(first["base"] == "0x34000000");
    CHECK(first["bytes"] == 400 * 1024);
    double read = 0, written = 0;
    for (const Json& flow : page["flows"]) {
        if (flow["memory"] != "FLEXMEM") continue;
        read += flow["read"].get<double>();
        written += flow["written"].get<double>();
    }
    CHECK(first["read"] == read);
    CHECK(first["written"] == written);
    CHECK(read > 0);
    REQUIRE(first["uses"].size() == 3);
    const auto check = [](const Json& use, const char* what, const char* kind, unsigned offset,
                          unsigned bytes) {
        CHECK(use["what"] == what);
        CHECK(use["kind"] == kind);
        CHECK(use["offset"] == offset);
        CHECK(use["bytes"] == bytes);
    };
    check(first["uses"][0], "program", "program", 0, 0x200);
    check(first["uses"][1], "exec RAM", "exec", 0x50000, 0x10000);
    // 32 bytes up to the end of the bank, 64 in the next one.
    check(first["uses"][2], "weights.bin", "image", 0x63FE0, 32);
    const Json& second = memories[1];
    CHECK(second["name"] == "AXISRAM1");
    CHECK(second["read"] == 0);
    CHECK(second["reading"] == 0);
    REQUIRE(second["uses"].size() == 1);
    check(second["uses"][0], "weights.bin", "image", 0, 64);
}

TEST_CASE("run page: curves of a long run are means, and keep what was moved") {
    const Workdir room;
    const auto [page, report] = pages_of(
        room, endless(),
        {"--max-time", "5500us", "--max-quiet", "0s", "--master", "ltdc:5MB/s:read@0x34100000"}, 5);
    CHECK(page["subtitle"].get<std::string>().ends_with("; ended: limit"));
    const double end = page["end"];
    for (const char* const name : {"core code", "traffic ltdc"}) {
        CAPTURE(name);
        const Json curve = row_of(page["curves"], "name", name);
        const Json flow = row_of(page["flows"], "master", name);
        CHECK(curve["unit"] == "MB/s");
        CHECK(curve["color"] == "bus");
        CHECK(curve["points"].size() > 100);
        CHECK(curve["points"].size() <= 1000);
        // MB/s times ns are thousandths of a byte.
        CHECK(area(curve, end) ==
              doctest::Approx(1000 * flow["read"].get<double>()).epsilon(0.003));
        double most = 0;
        for (const Json& point : curve["points"]) most = std::max(most, point[1].get<double>());
        CHECK(curve["most"] == most);
    }
    CHECK(row_of(page["curves"], "name", "AXISRAM2 reading")["color"] == "memory");
    CHECK(row_of(page["curves"], "name", "AXISRAM2 reading")["unit"] == "%");
    CHECK(row_of(page["memories"], "name", "AXISRAM2")["uses"].empty());
    CHECK(row_of(page["flows"], "master", "traffic ltdc")["memory"] == "AXISRAM2");
}

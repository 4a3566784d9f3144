// SPDX-License-Identifier: Apache-2.0
// The host's side of the mailbox: files below one folder, phases, exit code.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "sim/console/mailbox_service.h"
#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp;
using namespace n6vp::sim;
using memmap::mailbox::Error;
using memmap::mailbox::OpenMode;
using n6vp::test::read_text;
using n6vp::test::ScratchFolder;

namespace {

struct Bench {
    explicit Bench(const std::string& folder = "", std::shared_ptr<FileBudget> budget = nullptr) {
        RunMailbox::Setup setup;
        if (budget != nullptr) setup.budget = std::move(budget);
        setup.folder = folder;
        setup.arguments = "one two";
        setup.on_text = [this](std::span<const std::uint8_t> text) {
            out.append(text.begin(), text.end());
        };
        setup.on_exit = [this](std::uint32_t code, models::Picoseconds) { exits.push_back(code); };
        setup.cycles = [](models::Picoseconds at) { return at / 1250; };
        service = std::make_unique<RunMailbox>(std::move(setup), phases);
    }
    std::string read(std::uint32_t handle, std::size_t room) {
        std::vector<std::uint8_t> bytes(room);
        const auto outcome = service->read(handle, bytes);
        CHECK(outcome.error == Error::None);
        return {bytes.begin(), bytes.begin() + outcome.value};
    }
    Error write(std::uint32_t handle, const std::string& text) {
        return service
            ->write(handle, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})
            .error;
    }

    PhaseCounters counters;
    PhaseRecorder phases{{{"core data", "NPU 0"}, {"AXISRAM1", "XSPI2"}},
                         [this](models::Picoseconds) { return counters; }};
    std::string out;
    std::vector<std::uint32_t> exits;
    std::unique_ptr<RunMailbox> service;
};

}  // namespace

TEST_CASE("mailbox: files are written, appended, read and sought") {
    const ScratchFolder folder;
    Bench bench(folder.file(""));
    CHECK(bench.service->has_folder());
    const auto made = bench.service->open("out.txt", OpenMode::Write);
    REQUIRE(made.error == Error::None);
    CHECK(bench.write(made.value, "hello ") == Error::None);
    CHECK(bench.service->close(made.value) == Error::None);
    const auto more = bench.service->open("out.txt", OpenMode::Append);
    CHECK(bench.write(more.value, "world") == Error::None);
    CHECK(bench.service->close(more.value) == Error::None);
    CHECK(read_text(folder.file("out.txt")) == "hello world");
    const auto again = bench.service->open("out.txt", OpenMode::Read);
    CHECK(bench.service->size(again.value).value == 11);
    CHECK(bench.service->seek(again.value, 6) == Error::None);
    CHECK(bench.read(again.value, 100) == "world");
    CHECK(bench.read(again.value, 100).empty());
    CHECK(bench.write(again.value, "x") == Error::Failed);  // open for reading
    CHECK(bench.service->close(again.value) == Error::None);
    CHECK(bench.service->close(again.value) == Error::BadHandle);
    CHECK(bench.service->open("none", OpenMode::Read).error == Error::NoFile);
    CHECK(bench.service->open("none/x", OpenMode::Write).error == Error::NoFile);
}

TEST_CASE("mailbox: nothing outside the folder can be reached") {
    const ScratchFolder outside, folder;
    const std::string secret = outside.write("secret", std::string("do not show"));
    REQUIRE(::symlink(secret.c_str(), folder.file("link").c_str()) == 0);
    REQUIRE(::symlink(outside.file("").c_str(), folder.file("door").c_str()) == 0);
    REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    Bench bench(folder.file(""));
    for (const std::string& name :
         {std::string("link"), std::string("door/secret"), std::string("../secret"), secret,
          std::string("a/../../secret"), std::string("pipe"), std::string("."),
          std::string("new\x1b[2J"), std::string("a\nb"), std::string("\xff")}) {
        for (const OpenMode mode : {OpenMode::Read, OpenMode::Write, OpenMode::Append})
            CHECK(bench.service->open(name, mode).error != Error::None);
    }
    CHECK(read_text(secret) == "do not show");
    CHECK_FALSE(std::filesystem::exists(outside.file("new")));
}

TEST_CASE("mailbox: without a folder there are no files, a folder that is none is a mistake") {
    const ScratchFolder folder;
    Bench bench;
    CHECK_FALSE(bench.service->has_folder());
    CHECK(bench.service->open("x", OpenMode::Read).error == Error::Failed);
    const std::string file = folder.write("plain", std::string("x"));
    CHECK_THROWS_AS(Bench{file}, UserError);
    CHECK_THROWS_AS(Bench{folder.file("absent")}, UserError);
}

TEST_CASE("mailbox: a folder is one although its descriptor is that of a closed standard input") {
    const ScratchFolder folder;
    static_cast<void>(folder.write("in.txt", std::string("hello")));
    const int kept = ::dup(STDIN_FILENO);
    ::close(STDIN_FILENO);
    {
        Bench bench(folder.file(""));
        CHECK(bench.service->has_folder());
        const auto opened = bench.service->open("in.txt", OpenMode::Read);
        REQUIRE(opened.error == Error::None);
        CHECK(bench.read(opened.value, 9) == "hello");
    }
    // It is closed with the service.
    CHECK(::fcntl(STDIN_FILENO, F_GETFD) == -1);
    if (kept >= 0) {
        ::dup2(kept, STDIN_FILENO);
        ::close(kept);
    }
}

TEST_CASE("mailbox: at most 16 files are open, and reset closes them") {
    const ScratchFolder folder;
    Bench bench(folder.file(""));
    for (int i = 0; i < 16; ++i)
        CHECK(bench.service->open("f" + std::to_string(i), OpenMode::Write).error == Error::None);
    CHECK(bench.service->open("f16", OpenMode::Write).error == Error::TooMany);
    bench.service->reset();
    CHECK(bench.service->size(1).error == Error::BadHandle);
    CHECK(bench.service->open("f16", OpenMode::Write).value == 1);
}

TEST_CASE("mailbox: bytes up to the end position and new files count, and have a limit") {
    const ScratchFolder folder;
    const auto budget = std::make_shared<FileBudget>(100, 2);
    std::vector<std::string> told;
    budget->on_refusal = [&told](const std::string& text) { told.push_back(text); };
    Bench bench(folder.file(""), budget);
    const auto first = bench.service->open("a", OpenMode::Write);
    CHECK(bench.write(first.value, "0123456789") == Error::None);
    CHECK(bench.service->seek(first.value, 0xFFFFFFFF) == Error::None);
    CHECK(bench.write(first.value, "x") == Error::Failed);
    CHECK(std::filesystem::file_size(folder.file("a")) == 10);
    CHECK(bench.service->seek(first.value, 50) == Error::None);  // 40 of nothing, 10 of text
    CHECK(bench.write(first.value, "0123456789") == Error::None);
    CHECK(std::filesystem::file_size(folder.file("a")) == 60);
    const auto second = bench.service->open("b", OpenMode::Append);
    CHECK(bench.write(second.value, std::string(40, 'x')) == Error::None);
    CHECK(bench.write(second.value, "x") == Error::Failed);
    // Another open of a file that is there makes none.
    CHECK(bench.service->open("a", OpenMode::Write).error == Error::None);
    CHECK(bench.service->open("c", OpenMode::Write).error == Error::Failed);
    CHECK_FALSE(std::filesystem::exists(folder.file("c")));
    CHECK(told.size() == 1);
}

TEST_CASE("mailbox: text, arguments, cycles and the first exit code count") {
    Bench bench;
    const std::string text = "text\n";
    bench.service->put({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    CHECK(bench.out == "text\n");
    CHECK(bench.service->arguments() == "one two");
    CHECK(bench.service->cycles(1'250'000) == 1000);
    CHECK(bench.service->seed() == 0x6E367670);  // the same in every run
    CHECK_FALSE(bench.service->exit_code());
    bench.service->exit(3, 0);
    bench.service->exit(4, 0);
    CHECK(bench.service->exit_code() == 3);
    CHECK(bench.exits == std::vector<std::uint32_t>{3});
}

TEST_CASE("phases: times and counters are differences, and nest") {
    Bench bench;
    const auto count = [&](std::uint64_t cycles, std::uint64_t flash, models::Picoseconds waited) {
        bench.counters.cycles = cycles;
        bench.counters.instructions = cycles / 2;
        bench.counters.flows = {{0, 0, 10, 20, 0, {}}, {0, 1, flash, 0, waited, {0, waited}}};
    };
    count(100, 0, 0);
    CHECK(bench.service->begin_phase(1, "install", 1'000'000) == Error::None);
    count(300, 4096, 0);
    CHECK(bench.service->begin_phase(2, "print", 2'000'000) == Error::None);
    count(700, 4096, 500'000);
    CHECK(bench.service->end_phase(2, 5'000'000) == Error::None);
    count(800, 8192, 500'000);
    CHECK(bench.service->end_phase(1, 6'000'000) == Error::None);
    CHECK(bench.service->end_phase(1, 6'000'000) == Error::BadRequest);
    bench.phases.finish(7'000'000);

    const auto& phases = bench.phases.phases();
    REQUIRE(phases.size() == 3);
    CHECK(phases[0].name == "run");
    CHECK(phases[0].duration() == 7'000'000);
    CHECK(phases[0].counted.cycles == 800);
    CHECK(phases[1].name == "install");
    CHECK(phases[1].depth == 1);
    CHECK(phases[1].start == 1'000'000);
    CHECK(phases[1].duration() == 5'000'000);
    CHECK(phases[1].counted.cycles == 700);
    CHECK(phases[1].counted.instructions == 350);
    REQUIRE(phases[1].counted.flows.size() == 1);  // AXISRAM1's did not move
    CHECK(phases[1].counted.flows[0].bytes_read == 8192);
    CHECK(phases[2].depth == 2);
    CHECK(phases[2].duration() == 3'000'000);
    CHECK(phases[2].counted.cycles == 400);
    REQUIRE(phases[2].counted.flows.size() == 1);  // no bytes, but waiting
    CHECK(phases[2].counted.flows[0].waited == 500'000);
    CHECK(phases[2].counted.flows[0].waited_for[1] == 500'000);

    std::ostringstream text;
    write_phases(text, bench.phases);
    CHECK(text.str().find("  install") != std::string::npos);
    // 8,192 B in 5 us.
    CHECK(text.str().find("core data with XSPI2: 8192 B read, 0 B written, 1638.4 MB/s") !=
          std::string::npos);
    CHECK(text.str().find("waited 0.500 us, 0.500 for NPU 0") != std::string::npos);
    CHECK(
        text.str().ends_with("waited: stall time due to busy ports, summed over all bursts, "
                             "overlapping stalls included\n"));
    const Json json = phases_json(bench.phases);
    CHECK(json.size() == 3);
    CHECK(json[1]["name"] == "install");
    CHECK(json[1]["end_ps"] == 6'000'000);
    CHECK(json[2]["traffic"][0]["waited_for_ps"]["NPU 0"] == 500'000);
}

TEST_CASE("phases: \"waited\" summed overlapping bursts without saying so") {
    constexpr const char* kNote =
        "waited: stall time due to busy ports, summed over all bursts, overlapping stalls "
        "included\n";
    const auto text_with = [](models::Picoseconds waited) {
        Bench bench;
        const auto flows = [&bench](std::uint64_t bytes, models::Picoseconds time) {
            bench.counters.flows = {{0, 1, bytes, 0, time, {0, time}}};
        };
        flows(0, 0);
        CHECK(bench.service->begin_phase(1, "burst", 0) == Error::None);
        flows(4096, waited);
        CHECK(bench.service->end_phase(1, 1'000'000) == Error::None);
        bench.phases.finish(1'000'000);
        std::ostringstream text;
        write_phases(text, bench.phases);
        return text.str();
    };
    // Three bursts of 0.8 us each within the same 1 us.
    const std::string busy = text_with(2'400'000);
    CHECK(busy.find("waited 2.400 us") != std::string::npos);
    CHECK(busy.ends_with(kNote));
    const std::string free = text_with(0);
    CHECK(free.find("4096 B read") != std::string::npos);
    CHECK(free.find("waited") == std::string::npos);
}

TEST_CASE("phases: a phase left open is marked, an outer end closes inner ones") {
    Bench bench;
    CHECK(bench.service->begin_phase(1, "outer", 10) == Error::None);
    CHECK(bench.service->begin_phase(2, "inner", 20) == Error::None);
    CHECK(bench.service->end_phase(1, 30) == Error::None);
    CHECK(bench.service->begin_phase(3, "", 40) == Error::None);
    CHECK(bench.service->end_phase(0, 45) == Error::BadRequest);  // the whole run is not theirs
    bench.phases.finish(50);
    const auto& phases = bench.phases.phases();
    REQUIRE(phases.size() == 4);
    CHECK(phases[2].ended);
    CHECK(phases[2].end == 30);
    CHECK_FALSE(phases[3].ended);
    CHECK(phases[3].end == 50);
    std::ostringstream text;
    write_phases(text, bench.phases);
    CHECK(text.str().find("phase 3 (not ended)") != std::string::npos);
}

TEST_CASE("phases: a text ends after 200 rows and says where the rest is") {
    Bench bench;
    for (std::uint32_t i = 1; i <= 300; ++i) {
        CHECK(bench.service->begin_phase(i, "step", i) == Error::None);
        CHECK(bench.service->end_phase(i, i) == Error::None);
    }
    bench.phases.finish(1000);
    std::ostringstream text;
    write_phases(text, bench.phases);
    const std::string table = text.str();
    CHECK(std::count(table.begin(), table.end(), '\n') == 203);
    CHECK(table.ends_with("and 101 more rows: the JSON report has all (--json)\n"));
    CHECK(phases_json(bench.phases).size() == 301);
}

TEST_CASE("phases: hostile names and loops are bounded and escaped") {
    Bench bench;
    CHECK(bench.service->begin_phase(1, "\x1b[2J\nfake line", 0) == Error::None);
    for (std::uint32_t i = 0; i < 31; ++i)
        CHECK(bench.service->begin_phase(7, "deep", 0) == Error::None);
    CHECK(bench.service->begin_phase(7, "deep", 0) == Error::TooMany);
    std::ostringstream text;
    write_phases(text, bench.phases);
    CHECK(text.str().find("\\x1b[2J\\x0afake line") != std::string::npos);
    CHECK(text.str().find('\x1b') == std::string::npos);
    bench.phases.restart(0);
    std::size_t accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        if (bench.service->begin_phase(1, "loop", 0) != Error::None) break;
        static_cast<void>(bench.service->end_phase(1, 0));
        ++accepted;
    }
    CHECK(accepted == PhaseRecorder::kMaxPhases);
}

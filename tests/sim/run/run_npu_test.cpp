// SPDX-License-Identifier: Apache-2.0
// `n6vp run` with programs that use the NPU wrongly: what the report, the exit code and a
// scenario's demands say of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kNpu = 0x580E0000, kEngine0 = kNpu + 0x5000, kController = kNpu + 0x1E000;

/// Clocks of all units.
Thumb awake() {
    Thumb program;
    program.write(kNpu, 1).write(kNpu + 8, 0xFFFFFFFF).write(kNpu + 0xC, 0xFFFFFFFF);
    program.write(kNpu + 0x10, 0x07FFFFFF);
    return program;
}

/// An output engine for 64 bytes, to which nothing is linked; `control` beside that.
Thumb engine(std::uint32_t control) {
    Thumb program = awake();
    program.write(kEngine0 + 8, 0x34200000).write(kEngine0 + 0xC, 64).write(kEngine0 + 0x24, 0x24);
    program.write(kEngine0 + 0x30, 6).write(kEngine0 + 0x34, 1);
    return program.write(kEngine0, 0x0008010D | control);
}

Thumb sleeping(Thumb program) {
    return program.raw({0xBF30, 0xE7FD});  // WFI for ever
}
Thumb ending(Thumb program) {
    program.set(1, kEngine0).load(0, 1);  // waits for the writes before
    return program.write(kExit, 0).raw({0xE7FE});
}

Json event_of(const Json& report, const std::string& kind) {
    for (const Json& event : report["events"]) {
        if (event["kind"] == kind) return event;
    }
    return {};
}

}  // namespace

TEST_CASE("run: a deadlock of the NPU") {
    const Workdir room;
    const Outcome outcome = room.run(sleeping(engine(0)), {"--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 3);
    CHECK(has(outcome.err, "the core sleeps"));
    CHECK(has(outcome.err, "STRENG0"));
    CHECK(has(outcome.out, "STRENG0"));
    const Json report = room.report();
    CHECK(report["end"] == "asleep");
    CHECK(has(report["npu_fault"].get<std::string>(), "STRENG0"));
    const Json event = event_of(report, "npu_deadlock");
    REQUIRE(event.is_object());
    CHECK(event["count"] == 1);
    // 100,000 cycles after the last that happened, at 1 GHz.
    CHECK(event["first_ps"] > 100'000'000);
    CHECK(event["first_ps"] < 110'000'000);
}

TEST_CASE("run: a program that ends says its own verdict") {
    const Workdir room;
    const Outcome outcome = room.run(
        ending(engine(0)),
        {"--set", "npu.deadlock_cycles=10", "--report", room.folder.file("r.json"), "--quiet"});
    CHECK(outcome.exit_code == 0);
    CHECK(event_of(room.report(), "npu_deadlock").is_object());
}

TEST_CASE("run: a use of the NPU that is not described") {
    const Workdir room;
    const std::uint32_t kBeforce = 1u << 13;
    const Outcome outcome =
        room.run(ending(engine(kBeforce)), {"--report", room.folder.file("r.json"), "--quiet"});
    CHECK(outcome.exit_code == 0);
    const Json event = event_of(room.report(), "npu_refused");
    REQUIRE(event.is_object());
    CHECK(has(event["cause"].get<std::string>(), "NPU STRENG0"));
    CHECK(has(event["cause"].get<std::string>(), "CTRL.BEFORCE"));

    const Outcome strict = room.run(sleeping(engine(kBeforce)), {"--strict", "--quiet"});
    CHECK(strict.exit_code == 4);
    CHECK(has(strict.err, "NPU STRENG0 with CTRL.BEFORCE is not modelled"));
}

TEST_CASE("run: firmware of the user's had no epochs in its report") {
    const Workdir room;
    constexpr std::uint32_t kOut = kEngine0 + 0x5000, kSwitch = kNpu + 0x4000;
    // 64 bytes from one bank to another, by STRENG0 and STRENG5.
    Thumb program = awake();
    const auto set = [&program](std::uint32_t engine, std::uint32_t address) {
        program.write(engine + 8, address).write(engine + 0xC, 64).write(engine + 0x24, 0x24);
        program.write(engine + 0x30, 6).write(engine + 0x34, 1);
    };
    set(kEngine0, 0x342E0000);
    set(kOut, 0x34350000);
    program.write(kSwitch, 1).write(kSwitch + 0x1C, 1);
    program.write(kOut, 0x0008010D).write(kEngine0, 0x00080105);
    const std::size_t wait = program.code().size();
    program.set(1, kOut).load(0, 1).raw({0x0FC0}).repeat(wait);  // until RUNNING is 0
    const Outcome outcome = room.run(ending(program), {"--report", room.folder.file("r.json")});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.out, "Epochs of the NPU"));
    CHECK(has(outcome.out, "NPU cycles"));
    const Json report = room.report();
    REQUIRE(report["epochs"].size() == 1);
    const Json& epoch = report["epochs"][0];
    CHECK(epoch["engines"] == 2);
    CHECK(epoch["npu_cycles"] > 64 / 8);
    CHECK(epoch["npu_cycles"] < 10'000);
    std::uint64_t read = 0, written = 0;
    for (const Json& place : epoch["traffic"]) {
        read += place["bytes_read"].get<std::uint64_t>();
        written += place["bytes_written"].get<std::uint64_t>();
    }
    CHECK(read == 64);
    CHECK(written == 64);
    CHECK(report["epochs_not_kept"] == 0);
    // Firmware that leaves the NPU alone has none.
    CHECK(room.run(exiting(0), {"--report", room.folder.file("r.json")}).exit_code == 0);
    CHECK(room.report()["epochs"].empty());
}

TEST_CASE("run: results that rest on an assumption were told at the end of the report only") {
    const Workdir room;
    // An input engine that reads one element again and again.
    const auto fixed = [](std::uint32_t control) {
        Thumb program = awake();
        program.write(kEngine0 + 8, 0x34200000).write(kEngine0 + 0xC, 64);
        program.write(kEngine0 + 0x24, 0x24).write(kEngine0 + 0x30, 6).write(kEngine0 + 0x34, 1);
        return program.write(kEngine0, 0x00080105 | control);
    };
    constexpr std::uint32_t kNoInc = 1u << 4;
    const Outcome outcome =
        room.run(ending(fixed(kNoInc)), {"--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 0);
    const std::size_t said = outcome.out.find("ASSUMED: results of the NPU");
    REQUIRE(said != std::string::npos);
    CHECK(said == 0);
    CHECK(has(outcome.out, "STRENG0 CTRL.NOINC: how often the element is fetched"));
    const Json report = room.report();
    REQUIRE(report["assumptions"].size() == 1);
    CHECK(report["assumptions"][0]["unit"] == "STRENG0");
    CHECK(report["assumptions"][0]["feature"] == "CTRL.NOINC");
    CHECK(report["assumptions"][0]["unknown"].get<std::string>().size() > 10);

    const Outcome strict = room.run(sleeping(fixed(kNoInc)), {"--strict", "--quiet"});
    CHECK(strict.exit_code == 4);
    CHECK(has(strict.err, "NPU STRENG0 with CTRL.NOINC rests on an assumption"));

    // The page has them, whether the run goes on or ends there.
    for (const bool ends : {false, true}) {
        CAPTURE(ends);
        std::vector<std::string> options{"--quiet", "--report", room.folder.file("p.html")};
        if (ends) options.emplace_back("--strict");
        static_cast<void>(room.run(ending(fixed(kNoInc)), options));
        const std::string page = read_text(room.folder.file("p.html"));
        CHECK(has(page, "\"assumptions\":[\"STRENG0 CTRL.NOINC: how often the element"));
    }

    // Without it there is none.
    const Outcome plain =
        room.run(ending(fixed(0)), {"--strict", "--report", room.folder.file("r.json")});
    CHECK(plain.exit_code == 0);
    CHECK_FALSE(has(plain.out, "ASSUMED"));
    CHECK(room.report()["assumptions"].empty());
}

TEST_CASE("run: an assumption about time alone does not end a strict run") {
    const Workdir room;
    // Pauses between bursts: POS.GAPCYCLES.
    Thumb program = awake();
    program.write(kEngine0 + 8, 0x34200000).write(kEngine0 + 0xC, 64);
    program.write(kEngine0 + 0x24, 0x00080024).write(kEngine0 + 0x30, 6).write(kEngine0 + 0x34, 1);
    program.write(kEngine0, 0x00080105);
    const Outcome outcome =
        room.run(ending(program), {"--strict", "--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 0);
    CHECK(event_of(room.report(), "npu_assumption").is_object());
    CHECK(room.report()["assumptions"].empty());
}

TEST_CASE("run: a blob that is none") {
    const Workdir room;
    Thumb program = awake();
    program.write(0x34100000, 0x12345678).write(0x34100004, 1);
    program.write(kController + 8, 0x34100000).write(kController, 1);
    const std::string demands =
        "[run]\nelf = \"program.elf\"\n[expect]\nend = 'asleep'\n"
        "events = ['npu_fault', '0x34100000', '0x12345678']\n"
        "events_without = ['npu_deadlock']\n";
    const Outcome outcome = room.scenario(demands, {"--quiet"}, sleeping(program));
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
}

TEST_CASE("run: registers of the NPU have names, what is between them is not modelled") {
    const Workdir room;
    Thumb program = awake();
    program.write(kNpu + 0x5FFC, 1);
    const Outcome outcome =
        room.run(ending(program), {"--report", room.folder.file("r.json"), "--quiet"});
    CHECK(outcome.exit_code == 0);
    const Json missing = room.report()["registers_not_modelled"];
    REQUIRE(missing.size() == 1);
    CHECK(missing[0]["register"] == "NPU+0x5FFC");
    const Outcome strict = room.run(sleeping(program), {"--strict", "--quiet"});
    CHECK(strict.exit_code == 4);
    CHECK(has(strict.err, "NPU+0x5FFC"));
}

TEST_CASE("run: parameters of the NPU") {
    const Workdir room;
    const Outcome outcome = room.run(
        sleeping(engine(0)),
        {"--set", "npu.deadlock_cycles=1000", "--report", room.folder.file("r.json"), "--quiet"});
    CHECK(outcome.exit_code == 3);
    CHECK(event_of(room.report(), "npu_deadlock")["first_ps"] < 10'000'000);
}

// SPDX-License-Identifier: Apache-2.0
// `n6vp run` with programs and files that mean no good: nothing exhausts the host or its terminal,
// and what is said is said of the right time.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kText = 0x34100000;
constexpr unsigned kWriteText = 0x04, kClock = 0x10;

/// Semihosting; the answer is in r0.
Thumb& call(Thumb& program, unsigned operation, std::uint32_t parameter) {
    return program.set(0, operation).set(1, parameter).end();
}

/// Writes `text` and a final 0 to `kText`.
Thumb with_text(std::string text) {
    text.resize(text.size() / 4 * 4 + 4);
    Thumb program;
    for (std::uint32_t i = 0; i < text.size(); i += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, text.data() + i, 4);
        program.write(kText + i, word);
    }
    return program;
}

/// B to `position` (a size of `code` then), for ever.
Thumb& for_ever(Thumb& program, std::size_t position) {
    const auto back = static_cast<int>(position) - static_cast<int>(program.code().size()) - 2;
    return program.raw({0xE000u | (static_cast<unsigned>(back) & 0x7FF)});
}

Thumb& finish(Thumb& program) {
    return program.write(kExit, 0).raw({0xE7FE});
}

/// Runs a line of shell in the room's folder; "$N" is the tool. 124: it hung.
Outcome shell(const Workdir& room, const std::string& line) {
    return run_process(
        {"/bin/sh", "-c",
         "cd " + room.folder.file("") + " && N='timeout 100 " N6VP_BINARY "'; " + line});
}

}  // namespace

TEST_CASE("run: a text without end in erased flash is cut off, the run goes on") {
    const Workdir room;
    Thumb program;
    finish(call(program, kWriteText, 0x70000000));
    const Outcome outcome = room.run(program, {"--quiet"});
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.err, "SYS_WRITE0 has no end within 1048576 bytes"));
    // Each byte is escaped: 4 characters.
    CHECK(outcome.out.size() == std::size_t{4} << 20);
}

TEST_CASE("run: semihosting text does not control the terminal, and is found as it was written") {
    const Workdir room;
    Thumb program = with_text("\x1b]0;owned\a \xc3\xbc\n");
    finish(call(program, kWriteText, kText));
    static_cast<void>(room.folder.write("program.elf", elf(program)));
    const Outcome outcome =
        room.scenario("[run]\nelf = \"program.elf\"\n[expect]\nconsole = [\"\\u001b]0;owned\"]\n",
                      {"--quiet"}, program);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "\\x1b]0;owned\\x07 \xc3\xbc\n");
}

TEST_CASE("run: an answer that does not go into flash is no success") {
    const Workdir room;
    for (const std::uint32_t block : {0x70000000u, kText}) {
        Thumb program;
        call(program, 0x30, block).set(1, kExit).store(0, 1).raw({0xE7FE});  // SYS_ELAPSED
        static_cast<void>(room.run(program, {"--report", room.folder.file("r.json"), "--quiet"}));
        CHECK(room.report()["exit_code"] == (block == kText ? 0 : 0xFFFFFFFF));
    }
}

TEST_CASE("run: a program that fills its folder is refused, and the user told once") {
    const Workdir room;
    const std::string folder = room.folder.file("granted");
    REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
    // SYS_OPEN "f" for writing, SYS_SEEK beyond the limit, SYS_WRITE of 4 bytes: -> not written.
    Thumb program = with_text("f");
    constexpr std::uint32_t kBlock = kText + 0x100;
    program.write(kBlock, kText).write(kBlock + 4, 4).write(kBlock + 8, 1);
    call(program, 0x01, kBlock);
    program.set(1, kBlock).store(0, 1).write(kBlock + 4, 0x80000000);
    call(program, 0x0A, kBlock);
    program.write(kBlock + 4, kText).write(kBlock + 8, 4);
    call(program, 0x05, kBlock);
    program.set(1, kExit).store(0, 1).raw({0xE7FE});
    const Outcome outcome =
        room.run(program, {"--quiet", "--files", folder, "--report", room.folder.file("r.json")});
    CHECK(room.report()["exit_code"] == 4);  // bytes that were not written
    CHECK(has(outcome.err, "refused from here on"));
    CHECK(std::filesystem::file_size(folder + "/f") == 0);
}

TEST_CASE("run: an endless program ends when nobody takes its output") {
    const Workdir room;
    Thumb by_semihosting = with_text("hello\n"), by_mailbox = by_semihosting;
    const std::size_t start = by_semihosting.code().size();
    for_ever(call(by_semihosting, kWriteText, kText), start);
    for_ever(by_mailbox.write(kMailbox + 0x20, kText).write(kMailbox + 0x24, 6), start);
    for (const Thumb* program : {&by_semihosting, &by_mailbox}) {
        static_cast<void>(room.folder.write("p.elf", elf(*program)));
        const Outcome full = shell(room, "$N run --elf p.elf >/dev/full");
        CHECK(full.exit_code == 130);
        CHECK(has(full.err, "standard output was closed"));
        const Outcome left = shell(
            room, "{ $N run --elf p.elf --report r.json; echo $? >code; } | head -1; cat code");
        CHECK(left.out == "hello\n130\n");
        CHECK(room.report()["partial"] == true);
    }
}

TEST_CASE("run: a pipe in place of a file is refused, not waited for") {
    const Workdir room;
    static_cast<void>(room.folder.write("p.elf", elf(exiting(0))));
    REQUIRE(::mkfifo(room.folder.file("pipe").c_str(), 0600) == 0);
    for (const char* line :
         {"$N run pipe", "$N run --elf pipe", "$N run --elf p.elf --svd pipe",
          "$N run --elf p.elf --image 0x71000000=pipe", "$N pack pipe --output x"}) {
        CAPTURE(line);
        const Outcome outcome = shell(room, line);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, "not a regular file"));
    }
}

TEST_CASE("run: thousands of segments are compared in a moment, and an overlap among them found") {
    constexpr unsigned kSegments = 30'000;
    const Workdir room;
    std::vector<std::uint8_t> file = elf(exiting(0));
    Elf32_Ehdr header{};
    std::memcpy(&header, file.data(), sizeof header);
    Elf32_Phdr code{};
    std::memcpy(&code, file.data() + header.e_phoff, sizeof code);
    // One word each, all from the same place of the file, spread over AXISRAM1 and 2.
    std::vector<Elf32_Phdr> segments(kSegments, code);
    for (unsigned i = 1; i < kSegments; ++i) {
        const std::uint32_t at = 0x34080000 + 8 * ((i * 7919) % kSegments);
        segments[i] = {PT_LOAD, 0x80 + (i % 64), at, at, 4, 4, PF_R, 1};
    }
    const auto with = [&](std::uint32_t last) {
        segments.back().p_paddr = last;
        std::vector<std::uint8_t> result = file;
        header.e_phoff = static_cast<std::uint32_t>(file.size());
        header.e_phnum = kSegments;
        std::memcpy(result.data(), &header, sizeof header);
        const auto* const table = reinterpret_cast<const std::uint8_t*>(segments.data());
        result.insert(result.end(), table, table + segments.size() * sizeof(Elf32_Phdr));
        // The program's segments may not have more bytes than the file.
        return result;
    };
    static_cast<void>(room.folder.write("good.elf", with(0x34100000)));
    CHECK(shell(room, "$N run --elf good.elf --quiet").exit_code == 0);
    static_cast<void>(room.folder.write("bad.elf", with(segments[123].p_paddr + 3)));
    const Outcome bad = shell(room, "$N run --elf bad.elf --quiet");
    CHECK(bad.exit_code == 2);
    CHECK(has(bad.err, "overlaps a segment"));
}

TEST_CASE("run: a limit of time that is too short to count is no run without limit") {
    const Workdir room;
    const Outcome outcome = room.run(exiting(0), {"--max-time", "0.4ps"});
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "max_time = '0.4ps'"));
    CHECK(room.run(exiting(0), {"--max-time", "0s"}).exit_code == 0);
}

TEST_CASE("run: an event has the time of its access, whatever the quantum") {
    const Workdir room;
    // AXISRAM3 off; a long loop; then two accesses between the marks of a phase.
    Thumb program;
    program.write(0x52023100, 1u << 20).set(5, 5000);
    const std::size_t loop = program.code().size();
    program.subtract(5, 1).repeat(loop).write(0x5FFFF014, 3).raw({0xE7FF});
    program.set(1, 0x34101000).load(0, 1).set(1, 0x34200000).load(0, 1).raw({0xE7FF});
    program.write(0x5FFFF018, 3);
    finish(program);
    for (const char* timing : {"functional", "approx", "precise"}) {
        for (const char* quantum : {"100ns", "1us", "100us"}) {
            CAPTURE(timing);
            CAPTURE(quantum);
            CHECK(room.run(program, {"--timing", timing, "--quantum", quantum, "--report",
                                     room.folder.file("r.json"), "--quiet"})
                      .exit_code == 0);
            const Json report = room.report();
            REQUIRE(report["phases"].size() == 2);
            const Json& phase = report["phases"][1];
            REQUIRE(report["events"].size() == 2);
            for (const Json& event : report["events"]) {
                CHECK(event["first_ps"] >= phase["start_ps"]);
                CHECK(event["first_ps"] <= phase["end_ps"]);
            }
        }
    }
}

TEST_CASE("run: the host's clock is simulated time, at whatever clock the core runs") {
    const Workdir room;
    // The core goes to HSI, 64 MHz, and counts down.
    Thumb program;
    program.write(0x56028020, 0).set(5, 1'000'000);
    const std::size_t loop = program.code().size();
    program.subtract(5, 1).repeat(loop);
    call(program, kClock, 0).set(1, kExit).store(0, 1).raw({0xE7FE});
    static_cast<void>(room.run(program, {"--report", room.folder.file("r.json"), "--quiet"}));
    const Json report = room.report();
    constexpr std::uint64_t kCentisecond = 10'000'000'000;
    const std::uint64_t expected = report["time_ps"].get<std::uint64_t>() / kCentisecond;
    CHECK(expected >= 2);
    CHECK(report["exit_code"] == expected);
}

TEST_CASE("run: what was never programmed in flash is not to be cleared") {
    const Workdir room;
    Thumb program;
    finish(program.set(1, 0x71000000).load(0, 1).set(1, 0x34101000).load(0, 1));
    CHECK(room.run(program, {"--report", room.folder.file("r.json"), "--quiet"}).exit_code == 0);
    const Json events = room.report()["events"];
    REQUIRE(events.size() == 2);
    CHECK(has(events[0]["remedy"], "erased flash reads 0xff"));
    CHECK(has(events[1]["remedy"], "initialise it first"));
}

TEST_CASE("run: registers without number cost neither memory nor a report without end") {
    const Workdir room;
    // 70,000 words from the first address after the last peripheral of the low APB on.
    Thumb program;
    program.set(1, 0x50100000).set(5, 70'000);
    const std::size_t loop = program.code().size();
    program.store(5, 1).add(1, 4).subtract(5, 1).repeat(loop);
    finish(program);
    const Outcome outcome = room.run(program, {"--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 0);
    const Json report = room.report();
    const std::uint64_t kept = report["registers_not_modelled"].size();
    CHECK(kept == 65536);
    CHECK(report["register_accesses_not_kept"] >= 70'000 - 65'536);
    CHECK(has(outcome.out, "accesses to registers beyond the first 65536"));
}

// SPDX-License-Identifier: Apache-2.0
// `n6vp exec` as users run it: exit codes, what --stats and --json say. Programs are encoded by
// hand.
#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

constexpr std::uint32_t kBase = 0x10000000, kCode = 0x40, kData = 0x100;

/// An executable with one segment at kBase: vector table, code, data words.
std::vector<std::uint8_t> elf(const std::vector<std::uint16_t>& code,
                              const std::vector<std::uint32_t>& data) {
    std::vector<std::uint8_t> content(0x200);
    const std::uint32_t vectors[2] = {0x30010000, (kBase + kCode) | 1};
    std::memcpy(content.data(), vectors, sizeof vectors);
    std::memcpy(content.data() + kCode, code.data(), code.size() * 2);
    if (!data.empty()) std::memcpy(content.data() + kData, data.data(), data.size() * 4);
    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_ARM;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf32_Phdr);
    header.e_phnum = 1;
    const auto bytes = static_cast<std::uint32_t>(content.size());
    const Elf32_Phdr segment{PT_LOAD, 0x80, kBase, kBase, bytes, bytes, PF_R | PF_X, 4};
    std::vector<std::uint8_t> file(0x80 + content.size());
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, &segment, sizeof segment);
    std::memcpy(file.data() + 0x80, content.data(), content.size());
    return file;
}

/// Writes `value` to `address`, then ends with exit code 0.
std::vector<std::uint8_t> writing(std::uint32_t address, std::uint32_t value) {
    // ldr r4, [pc, #188]; ldr r5, [pc, #192]; str r5, [r4]; ldr r1, [pc, #192]; movs r0, #0x18;
    // bkpt 0xab
    return elf({0x4C2F, 0x4D30, 0x6025, 0x4930, 0x2018, 0xBEAB}, {address, value, 0x20026});
}

struct Workdir {
    ScratchFolder folder;
    Outcome run(const std::vector<std::uint8_t>& program, std::vector<std::string> options) const {
        std::vector<std::string> words{N6VP_BINARY, "exec", folder.write("program.elf", program)};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

constexpr std::uint32_t kResetControl = 0xE000ED0C, kComparator = 0xE0001020;

}  // namespace

TEST_CASE("a request for a reset ends exec without a verdict") {
    const Workdir room;
    const Outcome text = room.run(writing(kResetControl, 0x05FA0004), {});
    CHECK(text.exit_code == 1);
    CHECK(contains(text.err, "the program requested a reset at pc 0x10000044"));
    const Outcome json = room.run(writing(kResetControl, 0x05FA0004), {"--json"});
    CHECK(json.exit_code == 1);
    const Json document = Json::parse(json.out);
    CHECK(document["end"] == "reset");
    CHECK(document["pc"] == "0x10000044");
    CHECK_FALSE(document.contains("exit_code"));
}

TEST_CASE("exec names registers that are not modelled, and ends there when strict") {
    const Workdir room;
    const Outcome text = room.run(writing(kComparator, 1), {"--stats"});
    CHECK(text.exit_code == 0);
    CHECK(contains(text.err, "DWT->COMP0 (0xe0001020): 0 reads, 1 write, first at pc 0x10000044"));
    const Json document = Json::parse(room.run(writing(kComparator, 1), {"--json"}).out);
    const Json expected = {{"address", "0xe0001020"},
                           {"name", "DWT->COMP0"},
                           {"reads", 0},
                           {"writes", 1},
                           {"first_pc", "0x10000044"}};
    REQUIRE(document["unmodelled_registers"].size() == 1);
    CHECK(document["unmodelled_registers"][0] == expected);

    const Outcome strict = room.run(writing(kComparator, 1), {"--strict"});
    CHECK(strict.exit_code == 4);
    CHECK(contains(strict.err, "DWT->COMP0 (0xe0001020) was written at pc 0x10000044"));
    const Outcome strict_json = room.run(writing(kComparator, 1), {"--strict", "--json"});
    CHECK(strict_json.exit_code == 4);
    CHECK(Json::parse(strict_json.out)["end"] == "unmodelled");
    CHECK(Json::parse(strict_json.out)["register"] ==
          Json{{"address", "0xe0001020"}, {"access", "write"}});
    CHECK(room.run(writing(0xE000ED08, 0), {"--strict"}).exit_code == 0);
}

TEST_CASE("exec --stats tells of caches and coherence, by grade") {
    const Workdir room;
    const auto program = writing(0xE000ED08, 0);
    const Outcome approx = room.run(program, {"--stats"});
    for (const char* line : {"\nicache ", "\ndcache ", "\ncoherence ", "\nregisters "})
        CHECK(contains(approx.err, line));
    const Outcome functional = room.run(program, {"--stats", "--timing", "functional"});
    CHECK(contains(functional.err, "caches       not modelled with --timing functional"));
    CHECK_FALSE(contains(functional.err, "coherence"));
    const Json with = Json::parse(room.run(program, {"--json"}).out);
    CHECK(with["coherence"]["events"] == 0);
    CHECK(with["coherence"]["by_kind"]["stale_code"] == 0);
    CHECK(with["caches"]["icache"].contains("fills"));
    const Json without = Json::parse(room.run(program, {"--json", "--timing", "functional"}).out);
    CHECK(without["caches"].is_null());
    CHECK(without["coherence"].is_null());
}

TEST_CASE("exec: a limit of instructions that is no number is refused, not taken for endless") {
    const Workdir room;
    for (const char* limit : {"-1", "1e3", "18446744073709551616", "0x10"}) {
        CAPTURE(limit);
        const Outcome outcome = room.run(writing(0xE000ED08, 0), {"--max-instr", limit});
        CHECK(outcome.exit_code == 2);
        CHECK(contains(outcome.err, "is not a whole number below 2^64"));
    }
    CHECK(room.run(writing(0xE000ED08, 0), {"--max-instr", "1000"}).exit_code == 0);
}

TEST_CASE("exec: an endless program ends at a limit of time, simulated or the host's") {
    const Workdir room;
    const std::vector<std::uint8_t> endless = elf({0xE7FE}, {});
    const Outcome simulated = room.run(endless, {"--max-time", "1ms", "--json"});
    CHECK(simulated.exit_code == 5);
    const Json document = Json::parse(simulated.out);
    CHECK(document["end"] == "limit");
    CHECK(document["partial"] == false);
    // 1 ms at 800 MHz, and the block of code that was under way.
    CHECK(document["cycles"].get<std::uint64_t>() >= 800'000);
    CHECK(document["cycles"].get<std::uint64_t>() < 801'000);
    const Outcome host = room.run(endless, {"--max-host-time", "100ms"});
    CHECK(host.exit_code == 5);
    CHECK(contains(host.err, "--max-host-time"));
    const Outcome none = room.run(endless, {"--max-time", "0", "--max-instr", "1000"});
    CHECK(none.exit_code == 5);
    CHECK(room.run(endless, {"--max-time", "ever"}).exit_code == 2);
}

TEST_CASE("exec: Ctrl-C, SIGTERM or a closed terminal leave a partial document") {
    const Workdir room;
    // movs r0, #4; ldr r1, [pc, #188]; bkpt 0xab; b: writes a line by SYS_WRITE0, then goes on for
    // ever.
    constexpr std::uint32_t kRead = 0x64616572, kYNewline = 0x0A79;
    const std::string program = room.folder.write(
        "program.elf",
        elf({0x2004, 0x492F, 0xBEAB, 0xE7FE}, {kBase + kData + 4, kRead, kYNewline}));
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(number);
        RunningProcess exec({N6VP_BINARY, "exec", program, "--json"});
        CHECK(RunningProcess::wait_until([&] { return contains(exec.err(), "ready\n"); }));
        exec.signal(number);
        const Outcome outcome = exec.wait();
        CHECK(outcome.exit_code == 130);
        const Json document = Json::parse(outcome.out);
        CHECK(document["end"] == "interrupted");
        CHECK(document["partial"] == true);
        CHECK(document["instructions"].get<std::uint64_t>() > 0);
    }
}

TEST_CASE("exec --core counts the cycles of that core's pipeline") {
    const Workdir room;
    // movs r2, #n; subs r2, #1; bne; ldr r1, [pc, #...]; movs r0, #0x18; bkpt 0xab
    const auto cycles = [&](std::uint16_t rounds, const std::string& core, const char* timing) {
        const auto program = elf(
            {static_cast<std::uint16_t>(0x2200 | rounds), 0x3A01, 0xD1FD, 0x492E, 0x2018, 0xBEAB},
            {0x20026});
        const Outcome outcome = room.run(program, {"--json", "--core", core, "--timing", timing});
        REQUIRE(outcome.exit_code == 0);
        return Json::parse(outcome.out)["cycles"].get<std::uint64_t>();
    };
    struct Core {
        const char* name;
        unsigned round;  ///< cycles of subs and a taken bne
    };
    // 1 + P with P = 1; subs, then two behind a 16-bit flag-setter; a pair, then one for the
    // target.
    for (const Core& core :
         {Core{"cortex-m4", 1 + 2}, Core{"cortex-m33", 1 + 2}, Core{"cortex-m7", 1 + 1}}) {
        CAPTURE(std::string(core.name));
        CHECK(cycles(200, core.name, "approx") - cycles(100, core.name, "approx") ==
              100 * core.round);
        CHECK(cycles(200, core.name, "functional") - cycles(100, core.name, "functional") ==
              100 * 2);
    }
}

TEST_CASE("exec --set reaches the parameters of a core's pipeline") {
    const Workdir room;
    const auto program = elf({0x22C8, 0x3A01, 0xD1FD, 0x492E, 0x2018, 0xBEAB}, {0x20026});
    const auto cycles = [&](std::vector<std::string> options) {
        for (const char* word : {"--json", "--core", "cortex-m4"}) options.emplace_back(word);
        return Json::parse(room.run(program, options).out)["cycles"].get<std::uint64_t>();
    };
    CHECK(cycles({"--set", "cortex_m4.refill=2"}) - cycles({}) == 199);
    const Outcome wrong = room.run(program, {"--set", "cortex_m4.refill=1.5"});
    CHECK(wrong.exit_code == 2);
    const Outcome none = room.run(program, {"--stats", "--core", "cortex-m4"});
    CHECK(contains(none.err, "caches       none in this core"));
}

// SPDX-License-Identifier: Apache-2.0
// `n6vp run --elf` with firmware as other tools build it: places of the vector table, Intel HEX
// images, start-up code under --strict, waits that are no hang.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/records.h"
#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kStack = 0x34060000;

template <class T>
void put(Bytes& to, const T& value) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(&value);
    to.insert(to.end(), first, first + sizeof value);
}

void pad(Bytes& to, std::size_t size) {
    if (to.size() < size) to.resize(size);
}

/// An executable whose single segment holds the ELF header, as GNU ld makes it if the first section
/// is not at the start of a page; `offset` bytes behind the segment's start is `content`.
struct HeaderFirst {
    std::uint32_t offset = 0x400;
    Bytes content;
    std::string symbol, section = ".text";  ///< at `content`; "" for no symbol

    [[nodiscard]] Bytes file() const {
        const std::string names = std::string(1, '\0') + symbol + '\0' + section + '\0' +
                                  ".symtab" + '\0' + ".strtab" + '\0';
        const auto name = [&names](const std::string& text) {
            return static_cast<std::uint32_t>(names.find('\0' + text + '\0') + 1);
        };
        Bytes all(sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr));
        pad(all, offset);
        all.insert(all.end(), content.begin(), content.end());
        const auto loaded = static_cast<std::uint32_t>(all.size());
        const std::uint32_t at = kBase + offset;
        const auto bytes = static_cast<std::uint32_t>(content.size());
        const std::uint32_t symbols = loaded;
        put(all, Elf32_Sym{});
        put(all, Elf32_Sym{name(symbol), at, bytes, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, 1});
        const auto strings = static_cast<std::uint32_t>(all.size());
        all.insert(all.end(), names.begin(), names.end());
        pad(all, (all.size() + 3) / 4 * 4);
        const auto table = static_cast<std::uint32_t>(all.size());
        const auto text_bytes = static_cast<std::uint32_t>(names.size());
        put(all, Elf32_Shdr{});
        put(all, Elf32_Shdr{name(section), SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, at, offset,
                            bytes, 0, 0, 4, 0});
        put(all, Elf32_Shdr{name(".symtab"), SHT_SYMTAB, 0, 0, symbols, 2 * sizeof(Elf32_Sym), 3, 1,
                            4, sizeof(Elf32_Sym)});
        put(all, Elf32_Shdr{name(".strtab"), SHT_STRTAB, 0, 0, strings, text_bytes, 0, 0, 1, 0});

        Elf32_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS32;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_EXEC;
        header.e_machine = EM_ARM;
        header.e_version = EV_CURRENT;
        header.e_ehsize = sizeof header;
        header.e_phoff = sizeof header;
        header.e_phentsize = sizeof(Elf32_Phdr);
        header.e_phnum = 1;
        header.e_shoff = table;
        header.e_shentsize = sizeof(Elf32_Shdr);
        header.e_shnum = 4;
        header.e_shstrndx = 3;
        const Elf32_Phdr segment{PT_LOAD, 0, kBase, kBase, loaded, loaded, PF_R | PF_X, 0x1000};
        std::memcpy(all.data(), &header, sizeof header);
        std::memcpy(all.data() + sizeof header, &segment, sizeof segment);
        return all;
    }
};

Outcome run(const Workdir& room, const Bytes& file, std::vector<std::string> options = {}) {
    std::vector<std::string> words{N6VP_BINARY, "run", "--elf", room.folder.write("f.elf", file)};
    words.insert(words.end(), options.begin(), options.end());
    return run_process(words);
}

/// Two words that look like a vector table, whose program would end with 9.
Bytes other_table(std::uint32_t at) {
    return exiting(9).image(at, kStack);
}

const std::string& kEnd = kHexEnd;

/// Ends with 0 if the words at `address` and following are `words`, else with 1.
Thumb compares(std::uint32_t address, const std::vector<std::uint32_t>& words) {
    Thumb program;
    program.set(3, 0);
    for (std::size_t i = 0; i < words.size(); ++i) {
        program.set(1, address + 4 * static_cast<std::uint32_t>(i)).load(0, 1).set(2, words[i]);
        program.raw({0x4050, 0x4303});  // EORS r0, r2; ORRS r3, r0
    }
    program.raw({0x425A, 0x415A});    // RSBS r2, r3, #0; ADCS r2, r3: 1 if r3 is 0
    program.set(0, 1).raw({0x1A82});  // SUBS r2, r0, r2
    return program.set(1, kExit).store(2, 1).raw({0xE7FE});
}

}  // namespace

TEST_CASE(
    "firmware: CubeIDE's ELF files, with the ELF header before the vector table, were refused") {
    const Workdir room;
    SUBCASE("vendor's symbol") {
        HeaderFirst elf{0x400, exiting(0).image(kBase + 0x400, kStack), "g_pfnVectors"};
        CHECK(run(room, elf.file()).exit_code == 0);
        Bytes cut = elf.file();
        cut.pop_back();
        const Outcome refused = run(room, cut);
        CHECK(refused.exit_code == 2);
        CHECK_MESSAGE(refused.err.find("is cut short") != std::string::npos, refused.err);
    }
    SUBCASE("no symbol, 0x400 into the segment") {
        HeaderFirst elf{0x400, exiting(0).image(kBase + 0x400, kStack), "main"};
        CHECK(run(room, elf.file()).exit_code == 0);
    }
}

TEST_CASE(
    "firmware: the vector table is where symbol or section say, if something like one is first") {
    const Workdir room;
    Bytes content = other_table(kBase + 0x400);
    pad(content, 0x200);
    const Bytes table = exiting(0).image(kBase + 0x600, kStack);
    const auto with = [&](const char* symbol, const char* section) {
        // The symbol stands at `content`: the other table comes before it.
        HeaderFirst elf{0x600, table, symbol, section};
        Bytes file = elf.file();
        std::copy(content.begin(), content.end(), file.begin() + 0x400);
        return run(room, file).exit_code;
    };
    CHECK(with("g_pfnVectors", ".text") == 0);
    CHECK(with("main", ".isr_vector") == 0);
    // Nothing says so: the one that looks like a table is taken.
    CHECK(with("main", ".text") == 1);
    // A symbol at something else is not believed.
    HeaderFirst wrong{0x600, Bytes(0x40, 0xFF), "g_pfnVectors"};
    Bytes file = wrong.file();
    const Bytes good = exiting(0).image(kBase + 0x400, kStack);
    std::copy(good.begin(), good.end(), file.begin() + 0x400);
    CHECK(run(room, file).exit_code == 0);
}

TEST_CASE(
    "firmware: data that look like a vector table were taken for it, before the table itself") {
    const Workdir room;
    Bytes file = HeaderFirst{0x400, exiting(0).image(kBase + 0x400, kStack), "main"}.file();
    // A second segment, of data: an address in RAM and an odd number, of no code of the program.
    const auto end = static_cast<std::uint32_t>(file.size());
    constexpr std::uint32_t kData = kBase + 0x100000;
    const Elf32_Phdr data{PT_LOAD, end, kData, kData, 8, 8, PF_R | PF_W, 4};
    std::memcpy(file.data() + sizeof(Elf32_Ehdr) + sizeof data, &data, sizeof data);
    file[offsetof(Elf32_Ehdr, e_phnum)] = 2;
    put(file, std::uint32_t{kData + 0x66718});
    put(file, std::uint32_t{1});
    CHECK(run(room, file).exit_code == 0);
}

TEST_CASE("firmware: a table elsewhere needs --vectors, and the message says so") {
    const Workdir room;
    HeaderFirst elf{0x280, exiting(0).image(kBase + 0x280, kStack), "main"};
    const Outcome refused = run(room, elf.file());
    CHECK(refused.exit_code == 2);
    CHECK(has(refused.err, "no vector table at the start of any segment"));
    CHECK(has(refused.err, "0x400"));
    CHECK(has(refused.err, "--vectors"));
    CHECK(run(room, elf.file(), {"--vectors", "0x34000280"}).exit_code == 0);
}

TEST_CASE("image: an Intel HEX file was loaded as the bytes of its text") {
    const Workdir room;
    std::string text;
    text += record(4, 0, {0x34, 0x10});                   // 0x34100000
    text += record(0, 0x0004, {0x55, 0x66, 0x77, 0x88});  // in any order
    text += record(0, 0x0000, {0x11, 0x22, 0x33, 0x44});
    text += record(5, 0, {0x34, 0x10, 0x00, 0x01});  // start address: read over
    text += record(4, 0, {0x70, 0x00}) + record(0, 0x8000, {1, 2, 3, 4});
    text += record(2, 0, {0x00, 0x00}) + kEnd;
    const std::string hex = room.folder.write("image.hex", text);
    const Thumb program = compares(0x34100000, {0x44332211, 0x88776655});
    CHECK(room.run(program, {"--image", hex}).exit_code == 0);
    CHECK(room.run(compares(0x70008000, {0x04030201}), {"--image", hex}).exit_code == 0);
    // The same in a scenario, without `at`.
    const std::string scenario = "[run]\nelf = \"program.elf\"\n[[image]]\nfile = \"image.hex\"\n";
    CHECK(room.scenario(scenario, {}, program).exit_code == 0);
    // Raw bytes stay raw, whatever they are called.
    const std::string raw = room.folder.write("raw.hex", Bytes{0x11, 0x22, 0x33, 0x44});
    CHECK(
        room.run(compares(0x34100000, {0x44332211}), {"--image", "0x34100000=" + raw}).exit_code ==
        0);
}

TEST_CASE("image: segment addresses of Intel HEX are 16 times their number") {
    const Workdir room;
    // The largest is 0xFFFF0, in ITCM's non-secure alias below 0x10000 here.
    const std::string text =
        record(2, 0, {0x08, 0x00}) + record(0, 0x0010, {0xDD, 0xCC, 0xBB, 0xAA}) + kEnd;
    const Outcome outcome =
        room.run(compares(0x00008010, {0xAABBCCDD}), {"--image", room.folder.write("s.hex", text)});
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
}

TEST_CASE(
    "image: a damaged Intel HEX file: one line with the place, one remedy, nothing is loaded") {
    const Workdir room;
    struct Case {
        std::string text;
        const char* cause;
    };
    const std::string base = record(4, 0, {0x34, 0x10});
    const std::string data = record(0, 0, {1, 2, 3, 4});
    std::string wrong_sum = data;
    wrong_sum[9] = '9';
    const Case cases[] = {
        {base + wrong_sum + kEnd, "b.hex:2: checksum 0xF2, computed 0x62"},
        {base + data, "the file ends without an end-of-file record"},
        {base + data.substr(0, 12) + "\n" + kEnd, "b.hex:2: the record is cut off"},
        {base + data.substr(0, 13) + "\n" + kEnd, "b.hex:2: the record has 6 bytes"},
        {base + data + record(0, 2, {9, 9}) + kEnd,
         "b.hex:3: bytes at 0x34100002 were given in line 2 already"},
        {base + data + kEnd + data, "b.hex:4: a record after the end-of-file record"},
        {base + record(6, 0, {}) + kEnd, "b.hex:2: record type 06 is not defined"},
        {record(4, 0, {0x34}) + kEnd,
         "b.hex:1: a record of type 04 needs 2 bytes of data and has 1"},
        {base + record(0, 0xFFFE, {1, 2, 3, 4}) + kEnd, "b.hex:2: the record crosses a border"},
        {base + ":0400000001020G04F2\n" + kEnd, "b.hex:2: a character that is not a hexadecimal"},
        {base + "hello\n" + kEnd, "b.hex:2: no record of Intel HEX"},
        {base + kEnd, "the file has no data"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.text);
        const Outcome outcome =
            room.run(exiting(0), {"--image", room.folder.write("b.hex", one.text), "--report",
                                  room.folder.file("r.json")});
        CHECK(outcome.exit_code == 2);
        CHECK_MESSAGE(has(outcome.err, one.cause), outcome.err);
        CHECK(has(outcome.err, "--image: "));
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
        CHECK_FALSE(std::filesystem::exists(room.folder.file("r.json")));
    }
}

TEST_CASE("image: an address is for raw bytes, Intel HEX has its own") {
    const Workdir room;
    const std::string hex =
        room.folder.write("a.hex", record(4, 0, {0x34, 0x10}) + record(0, 0, {1, 2}) + kEnd);
    const Outcome both = room.run(exiting(0), {"--image", "0x34100000=" + hex});
    CHECK(both.exit_code == 2);
    CHECK(has(both.err, "is an Intel HEX file: its records have addresses"));
    const std::string raw = room.folder.write("a.bin", Bytes{1, 2, 3, 4});
    const Outcome neither = room.run(exiting(0), {"--image", raw});
    CHECK(neither.exit_code == 2);
    CHECK(has(neither.err, "is not an Intel HEX file, S-records, ELF or an image"));
    // Parts are places like any other: the program's is taken.
    const Outcome over = room.run(
        exiting(0), {"--image", room.folder.write("o.hex", record(4, 0, {0x34, 0x00}) +
                                                               record(0, 0x40, {1, 2}) + kEnd)});
    CHECK(over.exit_code == 2);
    CHECK(has(over.err, "overlaps"));
}

TEST_CASE("strict: what vendor start-up code writes first ended the run within 61 instructions") {
    const Workdir room;
    Thumb program;
    program.write(0x56028A78, 1);                                  // RCC.APB4ENSR2: SYSCFG
    program.write(0x56008010, 0x34000400);                         // SYSCFG.INITSVTORCR
    program.set(1, 0x5602483C).load(0, 1).store(0, 1);             // PWR.SVMCR3
    program.set(1, 0x56028054).load(0, 1).store(0, 1);             // RCC.HSECFGR
    program.set(1, 0x5600988C).load(0, 1);                         // BSEC.SRLOCK3
    program.write(0x56009C04, 124).set(1, 0x56009E44).load(0, 1);  // BSEC.OTPCR, OTPSR
    program.write(0x56028A5C, 1u << 5);                            // RCC.AHB4ENSR: GPIOF
    for (const std::uint32_t offset : {0x08u, 0x04u, 0x0Cu, 0x20u, 0x24u, 0x00u, 0x14u}) {
        program.set(1, 0x56021400 + offset).load(0, 1).store(0, 1);
    }
    program.write(0x56021418, 0x10).write(0x56021428, 0x10);  // BSRR, BRR
    program.write(kExit, 0).raw({0xE7FE});
    const Outcome outcome = room.run(program, {"--strict"});
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
    // An input that nothing drives or pulls is driven from outside, which nobody models.
    Thumb reading;
    reading.write(0x56028A5C, 1u << 5).write(0x56021400, 0).set(1, 0x56021410).load(0, 1);
    const Outcome pin = room.run(reading.write(kExit, 0).raw({0xE7FE}), {"--strict"});
    CHECK(pin.exit_code == 4);
    CHECK(has(pin.err, "GPIOF.IDR"));
    Thumb pulled;
    pulled.write(0x56028A5C, 1u << 5).write(0x5602140C, 0x55555555).write(0x56021400, 0);
    pulled.set(1, 0x56021410).load(0, 1);
    CHECK(room.run(pulled.write(kExit, 0).raw({0xE7FE}), {"--strict"}).exit_code == 0);
}

namespace {

/// SysTick every `cycles` with a handler that counts in memory, as HAL_IncTick does; `loop`
/// follows.
Thumb ticking(std::uint32_t cycles) {
    Thumb program;
    // B over the handler: r1 = &count; r0 = [r1]; r0 += 1; [r1] = r0; BX lr.
    program.raw({0xE007}).set(1, 0x34100000).load(0, 1).add(0, 1).store(0, 1).ret();
    program.write(kBase + 4 * 15, (kBase + Thumb::kVectors + 2) | 1);
    program.write(0x34100000, 0);
    program.write(0xE000E014, cycles - 1).write(0xE000E018, 0).write(0xE000E010, 7);
    return program;
}

Thumb& branch_back(Thumb& program, std::size_t to) {
    const auto back = static_cast<int>(to) - static_cast<int>(program.code().size()) - 2;
    return program.raw({0xE000u | (static_cast<unsigned>(back) & 0x7FF)});
}

Json about_end(const Workdir& room) {
    const Json report = room.report();
    for (const Json& fault : report["faults"]) {
        if (fault["kind"] == "no_progress" || fault["kind"] == "limit") return fault;
    }
    return {};
}

}  // namespace

TEST_CASE("progress: a healthy wait for ticks was called no progress when the limit came") {
    const Workdir room;
    // As HAL_Delay: the count of the handler is read and compared.
    Thumb program = ticking(80'000);
    program.set(1, 0x34100000).set(2, 100'000);
    const std::size_t loop = program.code().size();
    program.load(0, 1).raw({0x4290});  // CMP r0, r2
    program.repeat(loop).raw({0xE7FE});
    const Outcome outcome =
        room.run(program, {"--max-time", "12ms", "--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 5);
    CHECK_FALSE(has(outcome.err, "no progress"));
    const Json fault = about_end(room);
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["kind"] == "limit");
    CHECK(has(fault["cause"], "in a loop with progress"));
}

TEST_CASE("progress: a blinking pin was called no progress when the limit came") {
    const Workdir room;
    // BSRR every 0.4 ms or so, in between a count down.
    Thumb program;
    program.write(0x56028A5C, 1u << 5).set(1, 0x56021418).set(2, 0x10);
    const std::size_t loop = program.code().size();
    program.store(2, 1).set(0, 5'000);
    const std::size_t wait = program.code().size();
    program.subtract(0, 1).repeat(wait);
    branch_back(program, loop);
    const Outcome outcome =
        room.run(program, {"--max-time", "12ms", "--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 5);
    CHECK_FALSE(has(outcome.err, "no progress"));
    CHECK(about_end(room)["kind"] == "limit");
    // Nor does it end before a limit comes.
    CHECK(room.run(program, {"--max-time", "12ms", "--max-quiet", "2ms"}).exit_code == 5);
}

TEST_CASE("progress: a sleep until SysTick is some, however far the tick is") {
    const Workdir room;
    // 8 ms at 800 MHz.
    Thumb program = ticking(6'400'000);
    program.raw({0xBF30, 0xE7FD});  // WFI
    const Outcome outcome = room.run(program, {"--max-time", "30ms", "--max-quiet", "2ms",
                                               "--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 5);
    CHECK(room.report()["end"] == "limit");
    CHECK(about_end(room)["kind"] == "limit");
}

TEST_CASE("progress: a loop that hangs is named at a limit, although SysTick runs on") {
    const Workdir room;
    // Bit 31 of a word that nobody writes.
    Thumb program = ticking(80'000);
    program.write(0x34100010, 0).set(1, 0x34100010);
    const std::size_t loop = program.code().size();
    program.load(0, 1).raw({0x0FC0});  // LSRS r0, #31
    const auto back = static_cast<int>(loop) - static_cast<int>(program.code().size()) - 2;
    program.raw({0xD000u | (static_cast<unsigned>(back) & 0xFF)}).raw({0xE7FE});
    const Outcome outcome =
        room.run(program, {"--max-time", "12ms", "--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 5);
    CHECK(has(outcome.err, "no progress"));
    const Json fault = about_end(room);
    CHECK(fault["kind"] == "no_progress");
    CHECK(has(fault["waiting"].dump(), "reads 0x34100010"));
}

TEST_CASE("report: the time before the first phase had no row") {
    const Workdir room;
    constexpr std::uint32_t kBegin = kMailbox + 0x14, kFinish = kMailbox + 0x18;
    // 20,000 rounds before the first mark.
    Thumb program;
    program.set(0, 20'000);
    const std::size_t wait = program.code().size();
    program.subtract(0, 1).repeat(wait);
    program.write(kBegin, 3).write(kFinish, 3).write(kExit, 0).raw({0xE7FE});
    const Outcome outcome = room.run(program, {"--report", room.folder.file("r.json")});
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.out, "\n  start-up "));
    const Json report = room.report();
    const Json& start = report["start_up"];
    REQUIRE(start.is_object());
    CHECK(start["name"] == "start-up");
    CHECK(start["start_ps"] == 0);
    CHECK(start["end_ps"] == report["phases"][1]["start_ps"]);
    CHECK(start["instructions"] >= 40'000);
    CHECK(start["cycles"] >= 40'000);
    // A program without phases is not parted.
    const Outcome plain = room.run(exiting(0), {"--report", room.folder.file("r.json")});
    CHECK_FALSE(has(plain.out, "start-up"));
    CHECK(room.report()["start_up"].is_null());
}

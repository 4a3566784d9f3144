// SPDX-License-Identifier: Apache-2.0
// Names that mean no good - of phases, files, symbols, and of the program itself - in every output
// of `n6vp run`: no terminal, browser, spreadsheet or folder does what they say.
#include <doctest/doctest.h>
#include <elf.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/faults/hostile_text.h"
#include "tests/support/workdir.h"
#include "tests/traces/format/protobuf_reader.h"

using namespace n6vp::test;

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNames = {
    "../../../etc/passwd",
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)><!--",
    "\x1b]0;owned\x07\x1b[2J\23331m",  // \233: the escape of 8-bit terminals
    "=cmd|' /C calc'!A0",
    "\"\\\r\n\t,;$end $scope module x $end",
    "\xff\xfe\xc2\x9b\xe2\x80\xae",
    "&lt;]]>&amp;",
};

constexpr std::uint32_t kText = 0x34100000, kSlot = 0x100, kLong = 0x34110000;
constexpr std::size_t kLongBytes = 65536;

/// All names, one in each slot, and behind them 64 KiB without an end.
std::string names_image() {
    std::string image;
    for (const std::string& name : kNames) {
        image += name;
        image.resize((image.size() / kSlot + 1) * kSlot, '\0');
    }
    image.resize(kLong - kText, '\0');
    while (image.size() < kLong - kText + kLongBytes) image += "<script>\x1b[31m";
    image.resize(kLong - kText + kLongBytes);
    return image;
}

Thumb& phase(Thumb& program, std::uint32_t name, unsigned number) {
    program.write(kMailbox + 0x10, name).write(kMailbox + 0x14, number);
    return program.write(kMailbox + 0x18, number);
}

/// Phases of all names, each of them as text, too; a file of each name is asked for.
Thumb marking() {
    Thumb program;
    unsigned number = 10;
    for (std::size_t i = 0; i <= kNames.size(); ++i) {
        const bool last = i == kNames.size();
        const std::uint32_t at = last ? kLong : kText + kSlot * static_cast<std::uint32_t>(i);
        phase(program, at, number++);
        const auto bytes = last ? 4096u : static_cast<std::uint32_t>(kNames[i].size());
        program.write(kMailbox + 0x20, at).write(kMailbox + 0x24, bytes);
        // SYS_WRITE0, SYS_OPEN for writing; both are bounded by the host.
        constexpr std::uint32_t kBlock = 0x34130000;
        program.set(0, 0x04).set(1, at).end();
        program.write(kBlock, at).write(kBlock + 4, 4).write(kBlock + 8, last ? 65535 : bytes);
        program.set(0, 0x01).set(1, kBlock).end();
    }
    return program.write(kExit, 0).raw({0xE7FE});
}

/// The program with those symbols at its code: ELF file with a table of symbols.
std::vector<std::uint8_t> with_symbols(const Thumb& program,
                                       const std::vector<std::string>& symbols) {
    std::vector<std::uint8_t> file = elf(program);
    file.resize((file.size() + 3) / 4 * 4);
    std::string strings(1, '\0');
    std::vector<Elf32_Sym> table(1);
    for (const std::string& name : symbols) {
        Elf32_Sym symbol{};
        symbol.st_name = static_cast<Elf32_Word>(strings.size());
        const auto before = static_cast<std::uint32_t>(table.size() - 1);
        symbol.st_value = (kBase + Thumb::kVectors + 16 * before) | 1;
        symbol.st_size = 16;
        symbol.st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC);
        symbol.st_shndx = SHN_ABS;
        table.push_back(symbol);
        strings += name;
        strings += '\0';
    }
    const std::string section_names("\0.symtab\0.strtab\0", 17);
    std::vector<Elf32_Shdr> headers(3);
    const auto append = [&file](const void* bytes, std::size_t count) {
        const auto at = static_cast<Elf32_Off>(file.size());
        const auto* const from = static_cast<const std::uint8_t*>(bytes);
        file.insert(file.end(), from, from + count);
        file.resize((file.size() + 3) / 4 * 4);
        return at;
    };
    const auto bytes = static_cast<Elf32_Word>(table.size() * sizeof(Elf32_Sym));
    headers[1] = {1, SHT_SYMTAB, 0, 0, append(table.data(), bytes), bytes, 2, 1, 4, 16};
    const std::string both = section_names + strings;
    for (Elf32_Sym& symbol : table) symbol.st_name += symbol.st_name != 0 ? 17 : 0;
    std::memcpy(file.data() + headers[1].sh_offset, table.data(), bytes);
    headers[2] = {
        9, SHT_STRTAB, 0, 0, append(both.data(), both.size()), static_cast<Elf32_Word>(both.size()),
        0, 0,          1, 0};
    Elf32_Ehdr header{};
    std::memcpy(&header, file.data(), sizeof header);
    header.e_shentsize = sizeof(Elf32_Shdr);
    header.e_shnum = 3;
    header.e_shstrndx = 2;
    header.e_shoff = append(headers.data(), headers.size() * sizeof(Elf32_Shdr));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

class HostileRoom {
  public:
    HostileRoom() {
        REQUIRE(::mkdir(granted().c_str(), 0700) == 0);
        std::vector<std::string> symbols = kNames;
        symbols.push_back(std::string(kLongBytes, 'S') + "<script>");
        program_ = room_.folder.write("<img src=x>\x1b[2J.elf", with_symbols(marking(), symbols));
        image_ = room_.folder.write("names.bin", names_image());
    }
    [[nodiscard]] Outcome run(std::vector<std::string> options) const {
        std::vector<std::string> words{N6VP_BINARY, "run",     "--elf",
                                       program_,    "--image", "0x34100000=" + image_,
                                       "--files",   granted()};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
    [[nodiscard]] std::string text(const std::string& name) const {
        return read_text(room_.folder.file(name));
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return room_.folder.file(name);
    }
    [[nodiscard]] std::string granted() const { return room_.folder.file("granted"); }
    /// Returns the names of what is in a folder, and no deeper.
    [[nodiscard]] static std::set<std::string> names_in(const std::string& folder) {
        std::set<std::string> names;
        for (const auto& one : fs::directory_iterator(folder)) {
            names.insert(one.path().filename().string());
        }
        return names;
    }
    [[nodiscard]] std::string program() const { return fs::path(program_).filename().string(); }
    [[nodiscard]] Outcome batch() const {
        static_cast<void>(room_.folder.write(
            "s.toml", "[run]\nelf = '''<img src=x>" + std::string("\\u001b") + "'''\n"));
        return run_process({N6VP_BINARY, "run", file("s.toml"), "--elf=" + program_,
                            "--image=0x34100000=" + image_, "--files=" + granted(), "--junit",
                            file("junit.xml")});
    }

  private:
    Workdir room_;
    std::string program_, image_;
};

}  // namespace

TEST_CASE("hostile names: the terminal, the documents of a run, and files") {
    const HostileRoom room;
    const Outcome text = room.run({});
    INFO(text.err);
    REQUIRE(text.exit_code == 0);
    CHECK(is_plain_text(text.out, kConsole));
    CHECK(is_plain_text(text.err));
    CHECK(has(text.out, "\\x1b]0;owned\\x07"));
    // 64 KiB without an end are cut at what a name or a text may have.
    CHECK(text.out.size() < 1u << 20);

    const Outcome json = room.run({"--json"});
    REQUIRE(json.exit_code == 0);
    CHECK(is_plain_text(json.out));
    const Json document = Json::parse(json.out);
    std::set<std::string> phases;
    for (const Json& one : document["phases"]) phases.insert(one["name"]);
    CHECK(phases.count(kNames[1]) == 1);
    for (const std::string& name : phases) CHECK(name.size() <= 3 * 63);

    const Outcome csv = room.run({"--csv"});
    CHECK(csv.exit_code == 0);
    CHECK(has_no_formula(csv.out));
    CHECK(csv.out.find('\x1b') == std::string::npos);
    // Semihosting made one file, whose name is only ugly, and nothing beside the folder.
    CHECK(HostileRoom::names_in(room.file("")) ==
          std::set<std::string>{"granted", "names.bin", room.program()});
    CHECK(HostileRoom::names_in(room.granted()) == std::set<std::string>{kNames.back()});
}

TEST_CASE("hostile names: the page runs and fetches nothing of theirs") {
    const HostileRoom room;
    REQUIRE(room.run({"--quiet", "--report", room.file("p.html")}).exit_code == 0);
    const Json data = data_of_page(room.text("p.html"));
    CHECK(data["phases"].size() == kNames.size() + 3);  // and the whole run
}

TEST_CASE("hostile names: traces of every format") {
    const HostileRoom room;
    for (const std::string& name : kTraces) {
        CAPTURE(name);
        std::vector<std::string> options{"--quiet", "--trace", room.file(name)};
        if (name == "t.json" || name == "t.pftrace") options.emplace_back("--trace-functions");
        const Outcome outcome = room.run(options);
        CHECK(outcome.exit_code == 0);
        CHECK(is_plain_text(outcome.err));
        const std::string text = room.text(name);
        REQUIRE_FALSE(text.empty());
        CHECK(text.find(std::string(4096, 'S')) == std::string::npos);
        if (name == "t.pftrace") continue;
        CHECK(is_plain_text(text, name == "t.csv" ? "\r" : ""));
    }
    const Json chrome = Json::parse(room.text("t.json"));
    CHECK(chrome["traceEvents"].size() > 2 * kNames.size());
    CHECK(has_no_formula(room.text("t.csv")));
    const std::string waveform = room.text("t.vcd");
    CHECK(count_of(waveform, "$scope") == count_of(waveform, "$upscope"));
    const std::string bytes = room.text("t.pftrace");
    const PerfettoReader trace(bytes);
    CHECK(trace.complaints.empty());
    std::size_t scripts = 0;
    for (const auto& event : trace.events) {
        scripts += has(event.name, "<script>") ? 1 : 0;
        CHECK(is_plain_text(event.name));
    }
    CHECK(scripts >= 2);
}

TEST_CASE("hostile names: JUnit XML") {
    const HostileRoom room;
    const Outcome outcome = room.batch();
    INFO(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(is_plain_text(outcome.out));
    const std::string xml = room.text("junit.xml");
    CHECK(is_plain_text(xml));
    CHECK(count_of(xml, "<script") == 0);
    CHECK(count_of(xml, "<testcase") == 1);
}

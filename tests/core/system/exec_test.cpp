// SPDX-License-Identifier: Apache-2.0
// What `n6vp exec` does with a program: load, semihosting, ends. Programs are encoded by hand.
#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/console/semihosting.h"
#include "sim/exec/exec_run.h"
#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kBase = 0x10000000, kCode = kBase + 64;

/// Vector table, code at kCode, then data words.
ExecProgram program(const std::vector<std::uint16_t>& code, const std::vector<std::uint32_t>& data,
                    const std::string& text = {}) {
    ExecProgram result;
    std::vector<std::uint8_t> bytes(0x200);
    const auto put = [&bytes](std::size_t at, const void* from, std::size_t count) {
        if (count != 0) std::memcpy(bytes.data() + at, from, count);
    };
    const std::uint32_t vectors[2] = {0x30010000, kCode | 1};
    put(0, vectors, sizeof vectors);
    put(64, code.data(), code.size() * 2);
    put(0x100, data.data(), data.size() * 4);
    put(0x180, text.data(), text.size());
    result.segments.push_back({kBase, bytes});
    return result;
}

struct Run {
    ExecOutcome outcome;
    std::string out, err, trace;
};

Run run(const ExecProgram& what, ExecSetup setup = {}) {
    std::ostringstream out, err, trace;
    std::istringstream in("typed\n");
    setup.out = &out;
    setup.err = &err;
    setup.in = &in;
    setup.trace_out = &trace;
    Run result;
    result.outcome = run_program(what, setup);
    result.out = out.str();
    result.err = err.str();
    result.trace = trace.str();
    return result;
}

// movs r0, #operation; ldr r1, [pc, …] to data word `index` ; bkpt 0xab
void call(std::vector<std::uint16_t>& code, unsigned operation, unsigned index) {
    const auto here = static_cast<std::uint32_t>(64 + 2 * code.size() + 2);
    const std::uint32_t base = (here + 4) & ~3u;
    code.push_back(static_cast<std::uint16_t>(0x2000 | operation));
    code.push_back(static_cast<std::uint16_t>(0x4900 | (0x100 + 4 * index - base) / 4));
    code.push_back(0xBEAB);
}

/// A host without a core: guest memory is one array at address 0x1000.
struct Host {
    explicit Host(const fs::path& folder = {}) : memory(0x1000), services(setup(folder)) {}
    Semihosting::Setup setup(const fs::path& folder) {
        Semihosting::Setup result;
        result.view = [this](std::uint32_t address, std::uint32_t bytes) {
            if (address < 0x1000 || address - 0x1000 > memory.size() ||
                bytes > memory.size() - (address - 0x1000))
                return std::span<std::uint8_t>{};
            return std::span(memory).subspan(address - 0x1000, bytes);
        };
        result.out = &out;
        result.folder = folder;
        result.command_line = "program one two";
        result.hz = 800e6;
        result.err = &err;
        result.budget = budget;
        return result;
    }
    void words(std::uint32_t address, std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values) {
            std::memcpy(&memory[address - 0x1000], &value, 4);
            address += 4;
        }
    }
    std::uint32_t open(const std::string& name, std::uint32_t mode) {
        std::memcpy(&memory[0x100], name.data(), name.size());
        words(0x1000, {0x1100, mode, static_cast<std::uint32_t>(name.size())});
        return services.call(1, 0x1000, 0);
    }
    std::uint32_t remove(const std::string& name) {
        std::memcpy(&memory[0x100], name.data(), name.size());
        words(0x1000, {0x1100, static_cast<std::uint32_t>(name.size())});
        return services.call(0x0E, 0x1000, 0);
    }
    std::vector<std::uint8_t> memory;
    std::ostringstream out, err;
    std::shared_ptr<FileBudget> budget = std::make_shared<FileBudget>(16, 1);
    Semihosting services;
};

constexpr std::uint32_t kRefused = 0xFFFFFFFF;

}  // namespace

TEST_CASE("a program prints, ends and is counted in every grade") {
    using n6vp::models::core::Timing;
    for (const Timing timing : {Timing::Functional, Timing::Approx, Timing::Precise}) {
        std::vector<std::uint16_t> code;
        call(code, 0x04, 0);
        call(code, 0x20, 1);
        ExecSetup setup;
        setup.timing = timing;
        const Run done =
            run(program(code, {kBase + 0x180, kBase + 0x108, 0x20026, 0}, "hello\n"), setup);
        CHECK(done.outcome.end == ExecEnd::Exit);
        CHECK(done.outcome.exit_code == 0);
        CHECK(done.out == "hello\n");
        // A call that the host answers is no instruction of its own time.
        CHECK(done.outcome.instructions >= 4);
        CHECK(done.outcome.instructions <= 6);
        CHECK(done.outcome.cycles >= done.outcome.instructions / 2);
    }
}

TEST_CASE("exit codes of the program are kept, an abnormal reason is 1") {
    for (const auto& [reason, code, expected] :
         {std::tuple{0x20026u, 7u, 7u}, std::tuple{0x20023u, 0u, 1u}}) {
        std::vector<std::uint16_t> body;
        call(body, 0x20, 0);
        const Run done = run(program(body, {kBase + 0x104, reason, code}));
        CHECK(done.outcome.exit_code == expected);
    }
}

TEST_CASE("ends other than exit") {
    ExecSetup setup;
    setup.most_instructions = 1000;
    const Run endless = run(program({0xE7FE}, {}), setup);
    CHECK(endless.outcome.end == ExecEnd::Limit);
    CHECK(endless.outcome.instructions >= 1000);
    CHECK(endless.outcome.instructions < 1100);
    const Run asleep = run(program({0xBF30}, {}));
    CHECK(asleep.outcome.end == ExecEnd::Asleep);
    // Undefined, and the HardFault vector is zero.
    const Run locked = run(program({0xDE00}, {}));
    CHECK(locked.outcome.end == ExecEnd::Lockup);
    CHECK(locked.outcome.hfsr == 1u << 30);
}

TEST_CASE("the trace shows instructions with their conditions") {
    ExecSetup setup;
    setup.trace = true;
    std::vector<std::uint16_t> code{0x2001, 0x2800, 0xBF18, 0x2005};  // movs, cmp, it ne, movne
    call(code, 0x18, 0);
    const Run done = run(program(code, {0x20026}), setup);
    CHECK(done.outcome.exit_code == 0);
    CHECK(
        done.trace.starts_with("10000040: 2001       movs r0, #1\n"
                               "10000042: 2800       cmp r0, #0\n"
                               "10000044: bf18       it ne\n"
                               "10000046: 2005       movne r0, #5\n"));
}

TEST_CASE("what cannot run is refused") {
    ExecProgram nowhere = program({0xE7FE}, {});
    nowhere.segments[0].address = 0x50000000;
    CHECK_THROWS_AS(static_cast<void>(run(nowhere)), UserError);
    ExecProgram no_vectors = program({0xE7FE}, {});
    std::memset(no_vectors.segments[0].content.data(), 0, 8);
    CHECK_THROWS_AS(static_cast<void>(run(no_vectors)), UserError);
}

TEST_CASE("ELF files: segments at their load addresses, damage refused") {
    const n6vp::test::ScratchFolder folder;
    const fs::path path = folder.path() / "program.elf";
    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_ARM;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf32_Phdr);
    header.e_phnum = 2;
    Elf32_Phdr segments[2]{};
    segments[0] = {PT_LOAD, 0x80, 0x20000000, 0x30000000, 4, 4, PF_R, 4};
    segments[1] = {PT_LOAD, 0x84, 0x10000000, 0x10000000, 2, 64, PF_R, 4};
    std::string file(0x86, '\0');
    const auto write = [&](std::size_t bytes) {
        std::memcpy(file.data(), &header, sizeof header);
        std::memcpy(file.data() + sizeof header, segments, sizeof segments);
        std::memcpy(file.data() + 0x80, "abcdef", 6);
        std::ofstream(path, std::ios::binary).write(file.data(), static_cast<long>(bytes));
    };
    write(file.size());
    const ExecProgram good = ExecProgram::read(path);
    REQUIRE(good.segments.size() == 2);
    CHECK(good.segments[0].address == 0x10000000);
    CHECK(good.segments[0].content == std::vector<std::uint8_t>{'e', 'f'});
    CHECK(good.segments[1].address == 0x30000000);
    for (const std::size_t cut : {0x85u, 0x60u, 0x20u, 0u}) {
        write(cut);
        CHECK_THROWS_AS(static_cast<void>(ExecProgram::read(path)), UserError);
    }
    header.e_machine = EM_386;
    write(file.size());
    CHECK_THROWS_AS(static_cast<void>(ExecProgram::read(path)), UserError);
}

TEST_CASE("semihosting: files below the folder and nothing else") {
    const n6vp::test::ScratchFolder outer;
    const fs::path granted = outer.path() / "granted";
    fs::create_directories(granted / "sub");
    std::ofstream(outer.path() / "secret") << "secret";
    std::ofstream(granted / "data") << "0123456789";
    fs::create_symlink(outer.path() / "secret", granted / "link");
    fs::create_symlink(outer.path(), granted / "up");
    Host host(granted);
    for (const char* name : {"../secret", "sub/../../secret", "link", "up/secret", "", ".", "sub",
                             "/etc/passwd", "sub/../data"}) {
        CAPTURE(name);
        CHECK(host.open(name, 0) == kRefused);
        CHECK(host.open(name, 4) == kRefused);
    }
    CHECK(host.open((outer.path() / "secret").string(), 0) == kRefused);
    CHECK(host.remove("../secret") == kRefused);
    CHECK(host.remove("up/secret") == kRefused);
    CHECK(fs::exists(outer.path() / "secret"));

    const std::uint32_t data = host.open("data", 0);
    REQUIRE(data != kRefused);
    host.words(0x1000, {data});
    CHECK(host.services.call(0x0C, 0x1000, 0) == 10);
    host.words(0x1000, {data, 4});
    CHECK(host.services.call(0x0A, 0x1000, 0) == 0);
    host.words(0x1000, {data, 0x1200, 8});
    CHECK(host.services.call(0x06, 0x1000, 0) == 2);  // bytes not read
    CHECK(std::memcmp(&host.memory[0x200], "456789", 6) == 0);
    host.words(0x1000, {data, 0x1200, 8});
    CHECK(host.services.call(0x06, 0x1000, 0) == 8);
    CHECK(host.services.call(0x02, 0x1000, 0) == 0);
    CHECK(host.services.call(0x02, 0x1000, 0) == kRefused);

    const std::uint32_t fresh = host.open("sub/new", 4);
    REQUIRE(fresh != kRefused);
    host.words(0x1000, {fresh, 0x1200, 6});
    CHECK(host.services.call(0x05, 0x1000, 0) == 0);
    host.words(0x1000, {fresh});
    CHECK(host.services.call(0x02, 0x1000, 0) == 0);
    CHECK(fs::file_size(granted / "sub/new") == 6);
    CHECK(host.remove("sub/new") == 0);
    CHECK_FALSE(fs::exists(granted / "sub/new"));
}

TEST_CASE("semihosting without a folder has the console only") {
    Host host;
    CHECK(host.open("data", 0) == kRefused);
    const std::uint32_t console = host.open(":tt", 4);
    REQUIRE(console != kRefused);
    std::memcpy(&host.memory[0x200], "text", 4);
    host.words(0x1000, {console, 0x1200, 4});
    CHECK(host.services.call(0x05, 0x1000, 0) == 0);
    CHECK(host.out.str() == "text");
    host.words(0x1000, {console});
    CHECK(host.services.call(0x09, 0x1000, 0) == 1);
    CHECK(host.services.call(0x12, 0x1000, 0) == kRefused);  // SYS_SYSTEM
    // Addresses outside memory are errors.
    host.words(0x1000, {console, 0x1200, 0xFFFFFFFF});
    CHECK(host.services.call(0x05, 0x1000, 0) == 0xFFFFFFFF);
    CHECK(host.services.call(0x05, 0xFFFFFFF0, 0) == kRefused);
    CHECK(host.services.call(0x01, 0x9000, 0) == kRefused);
    CHECK(host.out.str() == "text");
}

TEST_CASE("semihosting: command line, time, features") {
    Host host;
    host.words(0x1000, {0x1200, 64});
    CHECK(host.services.call(0x15, 0x1000, 0) == 0);
    CHECK(std::string(reinterpret_cast<char*>(&host.memory[0x200])) == "program one two");
    host.words(0x1000, {0x1200, 4});
    CHECK(host.services.call(0x15, 0x1000, 0) == kRefused);
    CHECK(host.services.call(0x10, 0, 800'000'000) == 100);
    CHECK(host.services.call(0x11, 0, 1'600'000'000) == 2);
    CHECK(host.services.call(0x31, 0, 0) == 800'000'000);
    CHECK(host.services.call(0x30, 0x1000, 0x123456789) == 0);
    CHECK(host.memory[4] == 1);
    const std::uint32_t features = host.open(":semihosting-features", 0);
    REQUIRE(features != kRefused);
    host.words(0x1000, {features, 0x1200, 5});
    CHECK(host.services.call(0x06, 0x1000, 0) == 0);
    CHECK(std::memcmp(&host.memory[0x200], "SHFB\x03", 5) == 0);
}

TEST_CASE("semihosting: an answer that does not fit into memory is refused") {
    Host host;
    CHECK(host.services.call(0x30, 0x1FF8, 1) == 0);
    CHECK(host.services.call(0x30, 0x1FFC, 1) == kRefused);  // the second word
    CHECK(host.services.call(0x30, 0x2000, 1) == kRefused);
    host.words(0x1000, {0x1FF0});
    CHECK(host.services.call(0x16, 0x1000, 0) == 0);
    host.words(0x1000, {0x1FF4});  // the last of four words
    CHECK(host.services.call(0x16, 0x1000, 0) == kRefused);
}

TEST_CASE("semihosting: texts do not control the terminal, whole and byte by byte") {
    Host host;
    const std::string text = "\x1b]0;owned\a\xc3\xbc";
    std::memcpy(&host.memory[0x3FB], text.c_str(), text.size() + 1);  // over a border of 1 KiB
    CHECK(host.services.call(0x04, 0x13FB, 0) == 0);
    for (std::uint32_t i = 0; i < text.size(); ++i)
        static_cast<void>(host.services.call(0x03, 0x13FB + i, 0));
    const std::string escaped = "\\x1b]0;owned\\x07\xc3\xbc";
    CHECK(host.out.str() == escaped + escaped);
    const std::uint32_t error_console = host.open(":tt", 8);
    REQUIRE(error_console != kRefused);
    host.words(0x1000, {error_console, 0x13FB, 1});
    CHECK(host.services.call(0x05, 0x1000, 0) == 0);
    CHECK(host.err.str() == "\\x1b");
}

TEST_CASE("semihosting: bytes and new files have a limit") {
    const n6vp::test::ScratchFolder folder;
    Host host(folder.path());
    const std::uint32_t file = host.open("a", 4);
    REQUIRE(file != kRefused);
    CHECK(host.open("b", 4) == kRefused);
    CHECK_FALSE(fs::exists(folder.path() / "b"));
    host.words(0x1000, {file, 0x1200, 16});
    CHECK(host.services.call(0x05, 0x1000, 0) == 0);
    host.words(0x1000, {file, 0x1200, 1});
    CHECK(host.services.call(0x05, 0x1000, 0) == 1);
    CHECK(fs::file_size(folder.path() / "a") == 16);
}

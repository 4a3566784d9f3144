// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sim/exec/exec_run.h"
#include "tests/firmware/chip_program.h"
#include "tests/firmware/matrix.h"
#include "tests/support/bench.h"
#include "tests/support/oracle.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

// Board layout: 384 KiB from 0x34000000, of which 16 KiB stack and 8 KiB heap at the end.
constexpr std::uint32_t kStart = 0x34000000, kEnd = 0x34060000, kStackAndHeap = 0x6000;
constexpr std::uint32_t kModel = 0x71000000, kParams = 0x71800000;

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
    std::uint32_t word = 0;
    REQUIRE(offset + 4 <= bytes.size());
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

const sim::ElfSection& section(const sim::ElfFile& elf, std::string_view name) {
    const auto found = std::find_if(elf.sections().begin(), elf.sections().end(),
                                    [name](const auto& each) { return each.name == name; });
    REQUIRE(found != elf.sections().end());
    return *found;
}

std::uint32_t symbol(const sim::ElfFile& elf, std::string_view name) {
    const sim::ElfSymbol* const found = elf.find_symbol(name);
    REQUIRE_MESSAGE(found != nullptr, std::string(name));
    return found->value;
}

/// Bit by bit, from the definition: polynomial 0xEDB88320.
std::uint32_t crc_of(std::span<const std::uint8_t> bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const std::uint8_t byte : bytes) {
        crc ^= byte;
        for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
    }
    return ~crc;
}

/// A job that a bare core can do: no peripherals, no mailbox.
chip::Job bare_job(chip::JobKind kind) {
    chip::Job job;
    job.kind = kind;
    job.flags = chip::kNoNpuCache;
    job.omitted = chip::kPeripheralSteps;
    return job;
}

struct Run {
    sim::ExecOutcome outcome;
    std::string text;
};

Run run(const sim::ExecProgram& program) {
    std::ostringstream out;
    std::ostringstream err;
    sim::ExecSetup setup;
    setup.most_instructions = 200'000'000;
    setup.out = &out;
    setup.err = &err;
    Run result{sim::run_program(program, setup), {}};
    result.text = out.str();
    return result;
}

/// Returns the value of `key=` in a line of the program, 0xFFFFFFFF if there is none.
std::uint32_t value_of(const std::string& text, const std::string& key) {
    const std::size_t at = text.find(" " + key + "=");
    if (at == std::string::npos) return 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::stoll(text.substr(at + key.size() + 2), nullptr, 0));
}

chip::Job install_job(const MatrixFile& file, bool copy) {
    constexpr std::uint32_t kNumbers[] = {21, 22, 30, 40};
    chip::Job job = bare_job(chip::kInstall);
    job.models[0].mode = copy ? 2 : 1;
    job.models[0].generation = kNumbers[static_cast<std::size_t>(file.profile.generation)];
    job.models[0].build = (file.profile.secure ? chip::kSecure : 0u) |
                          (file.profile.dbg_info ? chip::kDebugInfo : 0u) |
                          (file.profile.async ? chip::kAsync : 0u);
    job.models[0].params = file.params.empty() ? 0 : kParams;
    return job;
}

/// Returns what is wrong with the install of this file on the core, or an empty string.
std::string difference(const MatrixFile& file, bool copy, const char* path) {
    const sim::ElfFile elf = sim::ElfFile::read(path);
    const chip::Job job = install_job(file, copy);
    sim::ExecProgram program = program_with(job, path);
    program.segments.push_back({kModel, file.file});
    if (!file.params.empty()) program.segments.push_back({kParams, file.params});
    const Run found = run(program);

    loader::InstallRequest request;
    request.file = GuestAddr{kModel};
    request.params = GuestAddr{job.models[0].params};
    request.exec_ram = GuestAddr{0x34060000};
    request.ext_ram = GuestAddr{0x90100000};
    request.mode = job.models[0].mode;
    request.instance = GuestAddr{symbol(elf, "n6vp_instances")};
    request.callbacks = GuestAddr{symbol(elf, "n6vp_callbacks")};
    request.profile = file.profile;
    const OracleImage image = expected_image(file.file, file.params, oracle_request_for(request));
    const std::uint32_t bytes = copy ? file.exec_copy : file.exec_xip;
    const std::uint32_t crc = crc_of(image.region(0x34060000, bytes, 0));
    if (found.outcome.end != sim::ExecEnd::Exit || found.outcome.exit_code != 0)
        return fmt::format("{}: ended with {}: {}", file.name, found.outcome.exit_code, found.text);
    if (value_of(found.text, "image_bytes") != bytes || value_of(found.text, "image_crc") != crc)
        return fmt::format("{}: {} bytes of CRC {:08x} expected: {}", file.name, bytes, crc,
                           found.text);
    return {};
}

}  // namespace

TEST_CASE("chip program: lies within its 384 KiB with stack and heap") {
    for (const char* path : kChipPrograms) {
        const sim::ElfFile elf = sim::ElfFile::read(path);
        std::uint32_t end = kStart;
        for (const sim::ElfSection& each : elf.sections()) {
            if (!each.allocated() || each.bytes == 0) continue;
            CHECK_MESSAGE(each.address >= kStart, each.name);
            end = std::max(end, each.address + each.bytes);
        }
        CHECK(end > kStart);
        CHECK(end <= kEnd - kStackAndHeap);
        CHECK(symbol(elf, "n6vp_stack_top") == kEnd);
        MESSAGE("program and data: " << end - kStart << " bytes");
    }
}

TEST_CASE("chip program: vectors at 0x34000000 with the lines of NPU and IAC") {
    const sim::ElfFile elf = sim::ElfFile::read(N6VP_CHIP_FIRMWARE);
    const sim::ElfSection& vectors = section(elf, ".vectors");
    const auto entry = [&](std::size_t exception) {
        return word_at(vectors.content, 4 * exception);
    };
    constexpr std::size_t kLines = 16;
    CHECK(vectors.address == kStart);
    CHECK(vectors.bytes >= 4 * (kLines + 195));  // highest line: 194
    CHECK(entry(0) == kEnd);
    CHECK(entry(1) == (symbol(elf, "n6vp_reset") | 1));
    CHECK(entry(3) == (symbol(elf, "n6vp_fault") | 1));
    CHECK(entry(kLines + 53) == (symbol(elf, "n6vp_npu_interrupt") | 1));
    CHECK(entry(kLines + 13) == (symbol(elf, "n6vp_iac_interrupt") | 1));
    CHECK(entry(kLines + 194) == (symbol(elf, "n6vp_fault") | 1));
}

TEST_CASE("chip program: job and result are where and what the host thinks") {
    const sim::ElfFile elf = sim::ElfFile::read(N6VP_CHIP_FIRMWARE);
    CHECK(symbol(elf, "n6vp_job") == 0x34000400);
    CHECK(symbol(elf, "n6vp_result") == 0x34000800);
    CHECK(elf.find_symbol("n6vp_job_record")->bytes == sizeof(chip::Job));
    CHECK(elf.find_symbol("n6vp_result_record")->bytes == sizeof(chip::Result));
    const std::vector<std::uint8_t> usual = record_bytes(chip::Job{});
    const auto held = section(elf, ".job").content;
    REQUIRE(held.size() >= usual.size());
    CHECK(std::equal(usual.begin(), usual.end(), held.begin()));
    // An image of the user's may lie over neither of them.
    CHECK_FALSE(section(elf, ".result").has_content());
}

TEST_CASE("chip program: installs every sample model on the core as the format says") {
    std::size_t count = 0;
    for (const MatrixFile& file : sample_files(N6VP_SAMPLE_MANIFEST, "n6")) {
        for (const char* path : kChipPrograms) {
            for (const bool copy : {true, false}) {
                if (!copy && file.copy_only) continue;
                const std::string wrong = difference(file, copy, path);
                CHECK_MESSAGE(wrong.empty(), wrong);
                ++count;
            }
        }
    }
    CHECK(count >= 120);
}

TEST_CASE("chip program: a file that is no model is refused, and the run fails") {
    chip::Job job = bare_job(chip::kInstall);
    sim::ExecProgram program = program_with(job);
    program.segments.push_back({kModel, std::vector<std::uint8_t>(4096, 0xFF)});
    const Run found = run(program);
    CHECK(found.outcome.end == sim::ExecEnd::Exit);
    CHECK(found.outcome.exit_code == 1);
    CHECK(found.text.find("install code=-1 ") != std::string::npos);
}

TEST_CASE("chip program: copies what the job names") {
    chip::Job job = bare_job(chip::kCopy);
    job.copy_count = 2;
    job.copies[0] = {0x34100000, kModel, 65536};
    job.copies[1] = {0x340B0000, 0x34064000, 4096};
    sim::ExecProgram program = program_with(job);
    std::vector<std::uint8_t> flash(65536);
    for (std::size_t i = 0; i < flash.size(); ++i) flash[i] = static_cast<std::uint8_t>(i * 37);
    program.segments.push_back({kModel, flash});
    const Run found = run(program);
    CHECK(found.outcome.exit_code == 0);
    CHECK(found.text.find("copy to=0x34100000 from=0x71000000 bytes=65536 ") == 0);
    CHECK(found.text.find("\ncopy to=0x340b0000 from=0x34064000 bytes=4096 ") != std::string::npos);
    CHECK(std::count(found.text.begin(), found.text.end(), '\n') == 2);
    // A core that stores at most 8 bytes per cycle takes longer than this.
    for (const char* routine : {"memcpy", "loader", "words"}) {
        CHECK(value_of(found.text, routine) >= 65536 / 8);
        CHECK(value_of(found.text, routine) < 65536 * 8);
    }
}

TEST_CASE("chip program: a fault of its own ends the run and says where") {
    // Without peripherals around the core, step 3 writes to nothing.
    chip::Job job = bare_job(chip::kSetUpOnly);
    job.omitted &= ~(1u << chip::kStepRamClocks);
    const Run found = run(program_with(job));
    CHECK(found.outcome.exit_code == 3);
    CHECK(found.text.find("fault exception=") == 0);
}

TEST_CASE("chip program: without a job it says so") {
    chip::Job job = bare_job(chip::kSetUpOnly);
    job.magic = 0;
    const Run found = run(program_with(job));
    CHECK(found.outcome.exit_code == 2);
    CHECK(found.text == "error: no job at 0x34000400\n");
}

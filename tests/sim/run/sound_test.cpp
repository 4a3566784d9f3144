// SPDX-License-Identifier: Apache-2.0
// Sound of a run: a recording for the microphones, what a SAI sends as a file, the report.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kMdf1 = 0x52025000, kSai1 = 0x52005800,
                        kI2c2 = 0x50005800;

/// Goes round until one of the bits of the register is one.
void wait(Thumb& program, std::uint32_t address, std::uint32_t bits) {
    program.set(1, address).set(2, bits);
    const std::size_t start = program.code().size();
    program.load(0, 1).raw({0x4210});  // TST r0, r2
    const auto back = static_cast<int>(start) - static_cast<int>(program.code().size()) - 2;
    program.raw({0xD000u | (static_cast<unsigned>(back) & 0xFF)});  // BEQ
}

/// The program ends with what the register holds.
Thumb& exit_with(Thumb& program, std::uint32_t address) {
    return program.set(1, address).load(0, 1).set(1, kExit).store(0, 1).raw({0xE7FE});
}

/// The first sample of MDF1, without the reshape filter: 0.25 of the recording, above a byte.
Thumb listener() {
    Thumb program;
    program.write(kRcc + 0xA54, 1u << 16);
    program.write(kMdf1 + 0x04, 1u << 24 | 15u << 16 | 1u << 1 | 1);
    program.write(kMdf1 + 0x80, 1u << 4 | 1).write(kMdf1 + 0x90, 1);
    program.write(kMdf1 + 0x8C, 2u << 20 | 31u << 8 | 4u << 4).write(kMdf1 + 0x88, 1);
    wait(program, kMdf1 + 0xB0, 8);
    return exit_with(program, kMdf1 + 0xF0);
}

/// Two words in a frame, and what follows it: an underrun.
Thumb player() {
    Thumb program;
    program.write(kRcc + 0xA6C, 1u << 21);
    program.write(kRcc + 0x15C, 5u << 20);  // HSI: 64 MHz / 10 / 256
    program.write(kSai1 + 0x0C, 15u << 8 | 31).write(kSai1 + 0x10, 3u << 16 | 1u << 8 | 1u << 6);
    program.write(kSai1 + 0x20, 0x1234).write(kSai1 + 0x20, 0xFFFF);
    program.write(kSai1 + 0x04, 10u << 20 | 4u << 5 | 1u << 16);
    wait(program, kSai1 + 0x18, 1);    // the frame is over
    return exit_with(program, kSai1);  // GCR, which is zero
}

/// A mono recording at 16 kHz.
std::string recording(const std::vector<std::int16_t>& samples) {
    std::string file("RIFF\0\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\x3e\0\0\0\x7d\0\0\2\0\x10\0data",
                     40);
    const auto put = [&file](std::uint32_t value, unsigned count) {
        for (unsigned i = 0; i < count; ++i) file.push_back(static_cast<char>(value >> 8 * i));
    };
    put(static_cast<std::uint32_t>(2 * samples.size()), 4);
    for (const std::int16_t sample : samples) put(static_cast<std::uint16_t>(sample), 2);
    return file;
}

std::string put_recording(const Workdir& room, const std::string& name, const std::string& file) {
    return room.folder.write(name, std::vector<std::uint8_t>(file.begin(), file.end()));
}

std::string text_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("sound: a program hears the recording of a scenario") {
    const Workdir room;
    put_recording(room, "voice.wav", recording({4000, 4000}));
    const std::string text =
        "[run]\nelf = \"program.elf\"\nmax_time = \"50ms\"\nmicrophone = \"voice.wav\"\n"
        "[expect]\nexit_code = 256000\n";  // 1000 << 8
    const Outcome outcome = room.scenario(text, {}, listener());
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.out, "voice.wav, which has 2 at 16000 Hz"));
}

TEST_CASE("sound: without a recording there is silence, and the report says so once") {
    const Workdir room;
    const Outcome outcome = room.run(listener(), {});
    CHECK(outcome.exit_code == 0);
    const std::size_t first = outcome.out.find("of silence");
    CHECK(first != std::string::npos);
    CHECK(outcome.out.find("of silence", first + 1) == std::string::npos);
    CHECK_FALSE(has(room.run(exiting(0), {}).out, "silence"));
}

TEST_CASE("sound: what SAI1 sends becomes a file, and the report has it") {
    const Workdir room;
    const std::string file = room.folder.file("out.wav"), report = room.folder.file("r.json");
    const Outcome outcome = room.run(player(), {"--speaker", file, "--report", report});
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
    const std::string wav = text_of(file);
    REQUIRE(wav.size() >= 48);
    CHECK(wav.substr(0, 4) == "RIFF");
    CHECK(wav.substr(22, 6) == std::string("\2\0\xa8\x61\0\0", 6));  // stereo, 25 kHz
    CHECK(wav.substr(44, 4) == "\x34\x12\xff\xff");
    const Json sent = room.report().at("sound").at("sent").at(0);
    CHECK(sent.at("block") == "SAI1_A");
    CHECK(sent.at("hz") == 25000);
    CHECK(sent.at("frames").get<std::size_t>() * 4 + 44 == wav.size());
    CHECK(sent.at("other_frames") == 0);
    CHECK(has(outcome.out, " frames of 2 slots sent at 25000 Hz\n"));
}

TEST_CASE("sound: no frame leaves no file, a bad recording ends before the run") {
    const Workdir room;
    const std::string file = room.folder.file("out.wav");
    const Outcome quiet = room.run(exiting(0), {"--speaker", file});
    CHECK(quiet.exit_code == 0);
    CHECK(has(quiet.err, "no SAI has sent a frame"));
    CHECK_FALSE(std::filesystem::exists(file));
    const std::string bad = put_recording(room, "bad.wav", recording({1, 2}).substr(0, 46));
    const Outcome refused = room.run(exiting(0), {"--microphone", bad, "--speaker", file});
    CHECK(refused.exit_code == 2);
    CHECK(has(refused.err, "cut off"));
    CHECK_FALSE(std::filesystem::exists(file));
    const std::string voice = put_recording(room, "voice.wav", recording({1, 2}));
    const Outcome same = room.run(exiting(0), {"--microphone", voice, "--speaker", voice});
    CHECK(same.exit_code == 2);
    CHECK(has(same.err, "would overwrite"));
}

TEST_CASE("sound: the codec of the board answers with its identification, also after its reset") {
    Thumb program;
    program.write(kRcc + 0xA64, 1u << 22);
    program.write(kI2c2 + 0x10, 0x90003131).write(kI2c2, 1);
    // Register 0 is written: a reset of the codec.
    program.write(kI2c2 + 0x04, 0x34 | 3u << 16 | 1u << 13 | 1u << 25);
    for (unsigned i = 0; i < 3; ++i) {
        wait(program, kI2c2 + 0x18, 2 | 16);
        program.write(kI2c2 + 0x28, 0);
    }
    wait(program, kI2c2 + 0x18, 32);  // STOPF
    program.write(kI2c2 + 0x1C, 32);
    program.write(kI2c2 + 0x04, 0x34 | 1u << 16 | 1u << 13);
    wait(program, kI2c2 + 0x18, 2 | 16);
    program.write(kI2c2 + 0x28, 0);
    wait(program, kI2c2 + 0x18, 64 | 16);  // TC
    program.write(kI2c2 + 0x04, 0x34 | 1u << 16 | 1u << 10 | 1u << 13 | 1u << 25);
    wait(program, kI2c2 + 0x18, 32);
    exit_with(program, kI2c2 + 0x24);
    const Workdir room;
    const std::string text =
        "[run]\nelf = \"program.elf\"\nmax_time = \"50ms\"\n[expect]\nexit_code = 0x89\n";
    const Outcome outcome = room.scenario(text, {}, program);
    CHECK(outcome.err == "");
    CHECK(outcome.exit_code == 0);
}

// SPDX-License-Identifier: Apache-2.0
// The camera of a run: pictures from files, the image sensor on its bus, the report.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kI2c1 = 0x50005400, kDcmipp = 0x58002000,
                        kCsi = 0x58006000, kRifsc = 0x54024000, kRam = 0x34080000;

/// Goes round until one of the bits of the register is one.
void wait(Thumb& program, std::uint32_t address, std::uint32_t bits) {
    program.set(1, address).set(2, bits);
    const std::size_t start = program.code().size();
    program.load(0, 1).raw({0x4210});  // TST r0, r2
    const auto back = static_cast<int>(start) - static_cast<int>(program.code().size()) - 2;
    program.raw({0xD000u | (static_cast<unsigned>(back) & 0xFF)});  // BEQ
}

/// Starts the IMX335 as its driver does, captures a frame of 16 x 16 pixels as RGB888 and ends with
/// four bytes of its last line, from column 12 on.
Thumb capture() {
    Thumb program;
    program.write(kRcc + 0xA64, 1u << 21).write(kRcc + 0xA7C, 1u << 2 | 1u << 6);
    program.write(kRifsc + 0xC10 + 4 * 9, 3u << 8 | 1u << 4);
    program.write(kCsi + 0x04, 0xF).write(kCsi + 0x1000, 2).write(kCsi, 5);
    program.write(kDcmipp + 0x204, 1);
    program.write(kDcmipp + 0x9C0, 1u << 4).write(kDcmipp + 0x9C4, kRam);
    program.write(kDcmipp + 0x9CC, 48);
    program.write(kDcmipp + 0x804, 1u << 31 | 0x2B).write(kDcmipp + 0x900, 4 | 8);
    program.write(kI2c1 + 0x10, 0x90003131).write(kI2c1, 1);
    program.write(kI2c1 + 0x04, 0x34 | 3u << 16 | 1u << 13 | 1u << 25);
    for (const std::uint32_t byte : {0x30u, 0x00u, 0x00u}) {
        wait(program, kI2c1 + 0x18, 2 | 16);  // TXIS, or NACKF
        program.write(kI2c1 + 0x28, byte);
    }
    wait(program, kDcmipp + 0x3F8, 1u << 17);
    return program.set(1, kRam + 15 * 48 + 36).load(0, 1).set(1, kExit).store(0, 1).raw({0xE7FE});
}

/// `word` is what the program ends with; 0: it is not looked at.
std::string scenario(const std::string& run, std::uint32_t word = 0) {
    return "[run]\nelf = \"program.elf\"\nmax_time = \"50ms\"\n" + run +
           "[parameters]\ncamera.width = 16\ncamera.height = 16\n"
           "camera.frame_rate = 500\n" +
           (word == 0 ? "" : "[expect]\nexit_code = " + std::to_string(word) + "\n");
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// Two pixels, one above the other.
std::string ppm(const std::string& above, const std::string& below) {
    return "P6 # drawn\n1 2\n255\n" + above + below;
}

std::string npy(const std::string& shape, const std::string& bytes) {
    std::string head = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }";
    while ((10 + head.size() + 1) % 64 != 0) head += ' ';
    head += '\n';
    return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(head.size() & 0xFF) +
           static_cast<char>(head.size() >> 8) + head + bytes;
}

}  // namespace

TEST_CASE("camera: a program captures the picture of a file") {
    const Workdir room;
    write_file(room.folder.file("picture.ppm"), ppm("abc", "\x0A\x0B\x0C"));
    const Outcome outcome =
        room.scenario(scenario("camera = \"picture.ppm\"\n", 0x0A0C0B0A), {"--strict"}, capture());
    CHECK_MESSAGE(outcome.exit_code == 0, (outcome.out + outcome.err));
    CHECK(has(outcome.out, "camera: imx335 on I2C1, pictures of "));
    CHECK(has(outcome.out, "DCMIPP main pipe: 1 frames, 768 bytes written, 0 overruns, 0 errors"));
    write_file(room.folder.file("picture.npy"), npy("1, 1, 3", "\x15\x16\x17"));
    const Outcome array =
        room.scenario(scenario("", 0x15171615),
                      {"--camera", room.folder.file("picture.npy"), "--json"}, capture());
    CHECK_MESSAGE(array.exit_code == 0, array.err);
    CHECK(has(array.out, "\"sensor\": \"imx335\""));
    CHECK(has(array.out, "\"frames_received\": 1"));
}

TEST_CASE("camera: without a picture the sensor sends colour bars, and the report says so") {
    const Workdir room;
    const Outcome outcome = room.scenario(scenario("camera_sensor = \"imx335\"\n", 0x00FF0000),
                                          {"--strict"}, capture());
    CHECK_MESSAGE(outcome.exit_code == 0, (outcome.out + outcome.err));
    CHECK(has(outcome.out, "camera: imx335 on I2C1, test pattern (colour bars)"));
    // Without a sensor nothing acknowledges, and no frame comes.
    const Outcome none = room.scenario(scenario(""), {"--max-time", "20ms"}, capture());
    CHECK_FALSE(has(none.out, "camera:"));
}

TEST_CASE("camera: the pictures of a folder come in the order of their names") {
    const Workdir room;
    const std::string folder = room.folder.file("pictures");
    std::filesystem::create_directory(folder);
    write_file(folder + "/b.ppm", ppm("aaa", "\x21\x21\x21"));
    write_file(folder + "/a.npy", npy("1, 2, 3", std::string(6, '\x22')));
    write_file(folder + "/notes.txt", "no picture");
    const Outcome outcome =
        room.scenario(scenario("", 0x22222222), {"--camera", folder}, capture());
    CHECK_MESSAGE(outcome.exit_code == 0, (outcome.out + outcome.err));
}

TEST_CASE("camera: a bad picture is refused before the run") {
    const Workdir room;
    const std::string file = room.folder.file("bad");
    const auto refused = [&](const std::string& content, const std::string& why) {
        write_file(file, content);
        const Outcome outcome = room.scenario(scenario(""), {"--camera", file}, capture());
        CHECK(outcome.exit_code == 2);
        CHECK_MESSAGE(has(outcome.err, why), outcome.err);
    };
    refused("", "neither binary PPM nor .npy");
    refused("P6", "neither binary PPM nor .npy");
    refused("P6 ", "no header of a PPM file");
    refused("P6 1 x 255\nabc", "no header of a PPM file");
    refused("P6 1 1 65535\nabcdef", "components up to 65535, not 255");
    refused("P6 1 1 255\nab", "2 bytes of pixels in place of 1 x 1 x 3 = 3");
    refused("P6 1 1 255\nabcd", "4 bytes of pixels");
    refused("P6 0 1 255\n", "0 x 1 pixels: sides are 1 to 4095");
    refused("P6 99999 99999 255\n", "99999 x 99999 pixels");
    refused("P6 99999999999 1 255\n", "no header of a PPM file");
    refused(npy("2, 3", "abcdef"), "an array of 2x3 u1");
    refused(npy("1, 1, 4", "abcd"), "an array of 1x1x4 u1");
    refused("\x93NUMPY", ".npy");
    const std::string empty = room.folder.file("empty");
    std::filesystem::create_directory(empty);
    const Outcome folder = room.scenario(scenario(""), {"--camera", empty}, capture());
    CHECK(folder.exit_code == 2);
    CHECK(has(folder.err, "no .ppm or .npy file in this folder"));
    const Outcome absent = room.scenario(scenario("camera = \"none.ppm\"\n"), {}, capture());
    CHECK(absent.exit_code == 2);
    CHECK(has(absent.err, "no such file"));
    CHECK(has(absent.err, "s.toml:4"));
}

TEST_CASE("camera: an unknown sensor, or one at a taken address, is refused") {
    const Workdir room;
    const Outcome unknown =
        room.scenario(scenario(""), {"--camera-sensor", "I2C3:imx335"}, capture());
    CHECK(unknown.exit_code == 2);
    CHECK(has(unknown.err, "no image sensor at 'I2C3'"));
    const std::string device =
        "[[i2c]]\nbus = \"I2C1\"\naddress = 0x1A\nregister_bytes = 2\nvalue_bytes = 1\n";
    const Outcome taken =
        room.scenario(scenario("") + device, {"--camera-sensor", "imx335"}, capture());
    CHECK(taken.exit_code == 2);
    CHECK(has(taken.err, "I2C1 has a device at the sensor's address 0x1a"));
    // A sensor of the scenario is the camera's.
    const Outcome own = room.scenario(
        scenario("camera = \"picture.ppm\"\n") + "[[i2c]]\ndevice = \"vd66gy\"\n", {}, capture());
    CHECK(has(own.err, "no such file"));
}

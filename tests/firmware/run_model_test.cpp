// SPDX-License-Identifier: Apache-2.0
// `n6vp run MODEL` as users run it, with the sample that has inputs and outputs of its user.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/sim/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kInputBytes = 320, kOutputBytes = 40;
const std::string kModel = N6VP_SAMPLES "/user_io/3.0/network_rel.bin";

std::vector<std::uint8_t> ramp(unsigned step) {
    std::vector<std::uint8_t> bytes(kInputBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * step);
    return bytes;
}

std::vector<std::uint8_t> npy(const std::string& type, const std::string& shape,
                              const std::vector<std::uint8_t>& numbers) {
    std::string head =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    head.resize(117, ' ');
    const std::string text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + '\n';
    std::vector<std::uint8_t> file;
    file.reserve(text.size() + numbers.size());
    for (const char c : text) file.push_back(static_cast<std::uint8_t>(c));
    file.insert(file.end(), numbers.begin(), numbers.end());
    return file;
}

/// What the model computes (scenarios/models/user_io), whose weights are a known sequence.
std::vector<std::uint8_t> expected(const std::vector<std::uint8_t>& left,
                                   const std::vector<std::uint8_t>& right) {
    std::vector<std::int8_t> weights;
    std::uint32_t word = 0x10;
    for (unsigned i = 0; i < kInputBytes / 4; ++i) {
        word = word * 1664525u + 1013904223u;
        for (unsigned byte = 0; byte < 4; ++byte) {
            weights.push_back(static_cast<std::int8_t>(word >> (8 * byte)));
        }
    }
    std::vector<std::uint8_t> out;
    for (std::size_t row = 0; row < kOutputBytes; ++row) {
        int sum = 0;
        for (std::size_t i = row * 8; i < row * 8 + 8; ++i) {
            sum += (static_cast<std::int8_t>(left[i]) - static_cast<std::int8_t>(right[i])) *
                   weights[i];
        }
        out.push_back(static_cast<std::uint8_t>(sum >> 8));
    }
    return out;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct Room {
    ScratchFolder folder;
    Outcome run(const std::vector<std::string>& options, const std::string& model = kModel) const {
        std::vector<std::string> words{N6VP_BINARY, "run", model};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
};

}  // namespace

TEST_CASE("run a model: inputs from files, outputs as computed, in both modes") {
    const Room room;
    const std::vector<std::uint8_t> left = ramp(3), right = ramp(7);
    const std::string array = room.folder.write("left.npy", npy("|i1", "40, 8", left));
    const std::string raw = room.folder.write("right.raw", right);
    for (const char* mode : {"xip", "copy"}) {
        CAPTURE(mode);
        const std::string out = room.folder.file(mode);
        const Outcome outcome = room.run(
            {"-i", array, "-i", raw, "-o", out, "--repeat", "2", "--mode", mode, "--json"});
        CHECK(outcome.err == "");
        REQUIRE(outcome.exit_code == 0);
        const std::string file = read_text(out + "/output_0.npy");
        REQUIRE(file.size() == 128 + kOutputBytes);
        CHECK(has(file, "'descr': '|i1'"));
        CHECK(has(file, "'shape': (1, 1, 40, 1)"));
        CHECK(std::vector<std::uint8_t>(file.begin() + 128, file.end()) == expected(left, right));
        const Json model = Json::parse(outcome.out)["model"];
        CHECK(model["mode"] == mode);
        CHECK(model["generation"] == "ST Edge AI Core 3.0");
        CHECK(model["identical"] == true);
        CHECK(model["inferences"].size() == 2);
        REQUIRE(model["nodes"].size() == 1);
        CHECK(model["nodes"][0]["type"] == "SW");
        CHECK(model["inputs"][1]["name"] == "Input_1");
        CHECK(model["outputs"][0]["scale"] == 0.0078125);
    }
}

TEST_CASE("run a model: the report of phases, nodes and tensors") {
    const Room room;
    const Outcome outcome = room.run({"--repeat", "3", "--input", "random", "--seed", "5"});
    REQUIRE(outcome.exit_code == 0);
    for (const char* part : {"install", "network init", "Inference time per node", "epoch 1\n",
                             "all outputs identical", "inferences a second",
                             "input 0 Input_0: 320 bytes, 1x1x40x8 of i1", "random\n",
                             "output 0 Output_0: 40 bytes", "not kept"}) {
        CAPTURE(part);
        CHECK(has(outcome.out, part));
    }
    const auto outputs_of = [&room](const std::vector<std::string>& options) {
        std::vector<std::string> words = options;
        words.emplace_back("--json");
        return Json::parse(room.run(words).out)["model"]["inferences"][0]["output_crc"];
    };
    const Json five = outputs_of({"--input", "random", "--seed", "5"});
    CHECK(five == outputs_of({"--input", "random", "--seed", "5"}));
    CHECK(five != outputs_of({"--input", "random", "--seed", "6"}));
}

TEST_CASE("run a model: inputs that do not fit are refused with the reason") {
    const Room room;
    const std::vector<std::uint8_t> bytes = ramp(1);
    const auto error = [&](const std::vector<std::uint8_t>& file) {
        const Outcome outcome = room.run({"-i", room.folder.write("in", file)});
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK(has(error(npy("|u1", "1, 1, 40, 8", bytes)), "its type is u1"));
    CHECK(has(error(npy("|i1", "8, 40", bytes)), "its shape is 8x40"));
    CHECK(has(error(npy("|i1", "1, 1, 40, 9", bytes)), "320 bytes of numbers do not make"));
    CHECK(has(error({1, 2, 3}), "it has 3 bytes, not 320"));
    const std::string good = room.folder.write("good", bytes);
    const Outcome many = room.run({"-i", good, "-i", good, "-i", good});
    CHECK(many.exit_code == 2);
    CHECK(has(many.err, "3 files for 2 inputs"));
}

TEST_CASE("run a model: what check refuses is refused before the run") {
    const Room room;
    std::string content = read_text(kModel);
    content.resize(content.size() / 2);
    const std::string broken = room.folder.write("broken.bin", content);
    const Outcome outcome = room.run({"-o", room.folder.file("out")}, broken);
    CHECK(outcome.exit_code == 6);
    CHECK(outcome.out == run_process({N6VP_BINARY, "check", broken}).out);
}

TEST_CASE("run a model: its options and those of firmware do not mix") {
    const Room room;
    CHECK(has(room.run({"--boot", "ready"}).err, "--boot and a model"));
    const std::string scenario = room.folder.write("s.toml", std::string("[run]\n"));
    const Outcome outcome = room.run({"--repeat", "2"}, scenario);
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "--repeat needs a model"));
}

TEST_CASE("run a model: a tool without its firmware says where it looked") {
    const Room room;
    const std::string tool = room.folder.file("n6vp");
    std::filesystem::copy_file(N6VP_BINARY, tool);
    const Outcome outcome = run_process({tool, "run", kModel});
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "/arm/loader/firmware/n6vp_firmware_chip.elf"));
    CHECK(has(outcome.err, "share/n6vp/firmware/n6vp_firmware_chip.elf"));
}

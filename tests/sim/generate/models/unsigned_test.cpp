// SPDX-License-Identifier: Apache-2.0
// Networks whose inputs and outputs are uint8: what the model says of them, and what it computes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/sim/generate/npy_bytes.h"
#include "tests/sim/generate/tflite_builder.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using nlohmann::json;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::int8_t kUint8 = 3, kInt8 = 9;
constexpr std::int32_t kRelu = 19, kQuantize = 114;
constexpr std::size_t kElements = 64;

/// From uint8 to int8, a ReLU there, and back: scales 0.5, 0.5, 0.25, 0.25.
FileNetwork network() {
    const auto tensor = [](std::int8_t type, float scale, std::int64_t zero_point) {
        return FileTensor{
            .shape = {1, 4, 4, 4}, .type = type, .scale = {scale}, .zero_point = {zero_point}};
    };
    FileNetwork made;
    made.tensors = {tensor(kUint8, 0.5F, 100), tensor(kInt8, 0.5F, -28), tensor(kInt8, 0.25F, -128),
                    tensor(kUint8, 0.25F, 3)};
    made.operators = {
        {kQuantize, {0}, {1}, {}, ""}, {kRelu, {1}, {2}, {}, ""}, {kQuantize, {2}, {3}, {}, ""}};
    made.inputs = {0};
    made.outputs = {3};
    return made;
}

/// By hand: (x - 100) / 2 is the number, negative ones become 0; in quarters that is 2 (x - 100),
/// which the int8 tensor cuts at 255 quarters and the last one moves by 3.
std::uint8_t result_of(std::uint8_t x) {
    const int quarters = std::clamp(2 * (x - 100), 0, 255);
    return static_cast<std::uint8_t>(std::min(quarters + 3, 255));
}

Bytes npy_u1(const Bytes& numbers) {
    std::string head = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 4, 4, 4), }";
    head.resize(117, ' ');
    const std::string text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + '\n';
    Bytes file(text.begin(), text.end());
    file.insert(file.end(), numbers.begin(), numbers.end());
    return file;
}

Outcome tool(std::vector<std::string> words) {
    words.insert(words.begin(), N6VP_BINARY);
    return run_process(words);
}

void check(const std::string& generation) {
    CAPTURE(generation);
    const ScratchFolder folder;
    const Outcome made = tool({"generate", folder.write("n.tflite", network().file()), "-o",
                               folder.file("out"), "--generation", generation});
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    Bytes numbers(kElements);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint8_t>(4 * i);
    const Outcome ran =
        tool({"run", folder.file("out/network_rel.bin"), "-i",
              folder.write("in.npy", npy_u1(numbers)), "-o", folder.file("results"), "--json"});
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    const json model = json::parse(ran.out).at("model");
    CHECK(model.at("inputs").at(0).at("type") == "u1");
    CHECK(model.at("outputs").at(0).at("type") == "u1");
    Bytes expected;
    for (const std::uint8_t number : numbers) expected.push_back(result_of(number));
    CHECK(npy_bytes(folder.file("results/output_0.npy")) == expected);
}

}  // namespace

TEST_CASE("an input of uint8 is one to the firmware, and run takes a file of that type") {
    // Without the last layer: the output is int8.
    FileNetwork signed_output = network();
    signed_output.operators.pop_back();
    signed_output.outputs = {2};
    const ScratchFolder folder;
    const Outcome made = tool(
        {"generate", folder.write("n.tflite", signed_output.file()), "-o", folder.file("out")});
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    const Outcome ran = tool({"run", folder.file("out/network_rel.bin"), "-i",
                              folder.write("in.npy", npy_u1(Bytes(kElements, 200))), "--json"});
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    const json model = json::parse(ran.out).at("model");
    CHECK(model.at("inputs").at(0).at("type") == "u1");
    CHECK(model.at("outputs").at(0).at("type") == "i1");
}

TEST_CASE("inputs and outputs of uint8 in every generation of containers") {
    for (const char* generation : {"2.1", "2.2", "3.0", "4.x"}) check(generation);
}

TEST_CASE("validate compares a network of uint8 with its model") {
    const ScratchFolder folder;
    const std::string file = folder.write("n.tflite", network().file());
    REQUIRE(tool({"generate", file, "-o", folder.file("out")}).exit_code == 0);
    const Outcome compared = tool({"validate", folder.file("out/network_rel.bin"), "--tflite", file,
                                   "-b", "2", "--max-diff", "0"});
    INFO(compared.out, compared.err);
    CHECK(compared.exit_code == 0);
}

// SPDX-License-Identifier: Apache-2.0
// `n6vp validate` as users run it, with the sample that has inputs and outputs of its user.
#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kInputBytes = 320, kOutputBytes = 40;
const std::string kModel = N6VP_SAMPLES "/user_io/3.0/network_rel.bin";

Outcome tool(std::vector<std::string> words) {
    words.insert(words.begin(), N6VP_BINARY);
    return run_process(words);
}

std::vector<std::uint8_t> npy(const std::string& shape, const std::vector<std::uint8_t>& numbers) {
    std::string head = "{'descr': '|i1', 'fortran_order': False, 'shape': (" + shape + "), }";
    head.resize(117, ' ');
    const std::string text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + '\n';
    std::vector<std::uint8_t> file;
    file.reserve(text.size() + numbers.size());
    for (const char c : text) file.push_back(static_cast<std::uint8_t>(c));
    file.insert(file.end(), numbers.begin(), numbers.end());
    return file;
}

std::vector<std::uint8_t> numbers(std::size_t count, unsigned step) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i * step >> 2);
    return bytes;
}

void append(std::vector<std::uint8_t>& all, const std::vector<std::uint8_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// Two samples for both inputs, and what `n6vp run` makes of them one by one.
struct Samples {
    explicit Samples(const ScratchFolder& folder) {
        std::vector<std::uint8_t> left, right, outputs;
        for (const unsigned sample : {1u, 2u}) {
            const std::vector<std::uint8_t> one = numbers(kInputBytes, 3 * sample);
            const std::vector<std::uint8_t> two = numbers(kInputBytes, 5 * sample);
            const Outcome ran = tool({"run", kModel, "--quiet", "-i", folder.write("one", one),
                                      "-i", folder.write("two", two), "-o", folder.file("out")});
            REQUIRE(ran.exit_code == 0);
            const std::string file = read_text(folder.file("out/output_0.npy"));
            REQUIRE(file.size() > kOutputBytes);
            for (const char c : file.substr(file.size() - kOutputBytes)) {
                outputs.push_back(static_cast<std::uint8_t>(c));
            }
            append(left, one);
            append(right, two);
        }
        inputs = {folder.write("left.npy", npy("2, 1, 1, 40, 8", left)),
                  folder.write("right.npy", npy("2, 1, 1, 40, 8", right))};
        reference = outputs;
    }
    [[nodiscard]] std::vector<std::string> words(const std::string& reference_file) const {
        return {"validate", kModel, "-vi", inputs[0], "-vi", inputs[1], "-vo", reference_file};
    }

    std::vector<std::string> inputs;
    std::vector<std::uint8_t> reference;
};

}  // namespace

TEST_CASE("validate: a run that had no room to say why it failed left the reason empty") {
    const ScratchFolder folder;
    const Samples samples(folder);
    std::vector<std::string> words =
        samples.words(folder.write("same.npy", npy("2, 40", samples.reference)));
    words.insert(words.begin(), N6VP_BINARY);
    const Outcome outcome = run_piped_after("ulimit -f 0", words);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("could not write why\n      look for free space in ") !=
          std::string::npos);
}

TEST_CASE("validate runs every sample and compares, with the vendor's short options") {
    const ScratchFolder folder;
    const Samples samples(folder);
    std::vector<std::string> words =
        samples.words(folder.write("same.npy", npy("2, 40", samples.reference)));
    words.insert(words.end(), {"--json", "--max-diff", "0", "--min-cos", "1"});
    const Outcome same = tool(words);
    CAPTURE(same.err);
    REQUIRE(same.exit_code == 0);
    const Json document = Json::parse(same.out);
    CHECK(document.at("schema") == "n6vp.validate/1");
    const Json& output = document.at("outputs").at(0);
    CHECK(output.at("samples") == 2);
    CHECK(output.at("elements") == 2 * kOutputBytes);
    CHECK(output.at("equal") == 1.0);
    CHECK(document.at("cycles").size() == 2);
    CHECK(document.at("unmet").empty());
}

TEST_CASE("validate ends with 1 and a line if a demand is not met") {
    const ScratchFolder folder;
    const Samples samples(folder);
    std::vector<std::uint8_t> other = samples.reference;
    other[3] = static_cast<std::uint8_t>(other[3] ^ 0x02);
    std::vector<std::string> words = samples.words(folder.write("other.npy", npy("2, 40", other)));
    words.insert(words.end(), {"--max-diff", "1"});
    const Outcome outcome = tool(words);
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.find("the largest difference is 2, not at most 1") != std::string::npos);
    CHECK(outcome.out.find("inference: ") != std::string::npos);
}

TEST_CASE("validate hands on why a model does not run") {
    const ScratchFolder folder;
    const std::string broken = folder.write("broken.toml", std::string("no model"));
    const std::string any = folder.write("any.npy", npy("1", {0}));
    const Outcome outcome = tool({"validate", broken, "-vi", any, "-vo", any});
    CHECK(outcome.exit_code != 0);
    CHECK(outcome.err.find("the run of the model ended with exit code") != std::string::npos);
}

TEST_CASE("validate: a model with a damaged magic was read as TOML") {
    const ScratchFolder folder;
    const std::string broken = folder.write("m.bin", "NBIM" + std::string(100, '\0'));
    const std::string any = folder.write("any.npy", npy("1", {0}));
    const Outcome outcome = tool({"validate", broken, "-vi", any, "-vo", any});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == tool({"info", broken}).err);
}

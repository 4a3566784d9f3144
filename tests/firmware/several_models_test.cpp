// SPDX-License-Identifier: Apache-2.0
// Several models in one run: side by side in exec RAM, and in turn in all of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "loader/firmware/chip/bump.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using n6vp::firmware::Bump;
using Json = nlohmann::json;

namespace {

const std::string kNetworks = N6VP_NETWORKS;
const std::string kUserIo = N6VP_SAMPLES "/user_io/";

std::string user_io(const std::string& release) {
    return kUserIo + release + "/network_rel.bin";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_BINARY, "run"});
    return run_process(words);
}

/// A network as a model of its own folder.
std::string generate(const ScratchFolder& folder, const std::string& network,
                     const std::string& name, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {
        N6VP_BINARY, "generate", kNetworks + "/" + network + ".tflite", "-o", folder.file(name)};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome made = run_process(words);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    return folder.file(name + "/network_rel.bin");
}

Json document_of(const std::vector<std::string>& words) {
    std::vector<std::string> all = words;
    all.emplace_back("--json");
    const Outcome outcome = run(all);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

/// CRC of the outputs of a model that runs alone.
Json crc_alone(const std::string& model) {
    return document_of(
        {model, "--input", "random", "--seed", "7"})["model"]["inferences"][0]["output_crc"];
}

/// Each model of the run has the outputs that it has alone, in every inference, and was installed
/// that often.
void require_as_alone(const std::vector<std::string>& models, bool overlay) {
    constexpr std::size_t kRounds = 3;
    std::vector<std::string> words = models;
    words.insert(words.end(),
                 {"--input", "random", "--seed", "7", "--repeat", std::to_string(kRounds)});
    if (overlay) words.emplace_back("--overlay");
    const Json set = document_of(words)["models"];
    CHECK(set["placement"] == (overlay ? "in turn" : "side by side"));
    REQUIRE(set["members"].size() == models.size());
    for (std::size_t i = 0; i < models.size(); ++i) {
        CAPTURE(models[i]);
        const Json& member = set["members"][i];
        CHECK(member["installs"].size() == (overlay ? kRounds : 1));
        CHECK(member["identical"] == true);
        REQUIRE(member["inferences"].size() == kRounds);
        CHECK(member["inferences"][kRounds - 1]["output_crc"] == crc_alone(models[i]));
    }
}

/// What user_io computes (scenarios/models/user_io), whose weights are a known sequence.
std::vector<std::uint8_t> user_io_output(const std::vector<std::uint8_t>& left,
                                         const std::vector<std::uint8_t>& right) {
    std::vector<std::int8_t> weights;
    std::uint32_t word = 0x10;
    for (std::size_t i = 0; i < left.size() / 4; ++i) {
        word = word * 1664525u + 1013904223u;
        for (unsigned byte = 0; byte < 4; ++byte)
            weights.push_back(static_cast<std::int8_t>(word >> (8 * byte)));
    }
    std::vector<std::uint8_t> out;
    for (std::size_t row = 0; row < left.size() / 8; ++row) {
        int sum = 0;
        for (std::size_t i = row * 8; i < row * 8 + 8; ++i)
            sum += (static_cast<std::int8_t>(left[i]) - static_cast<std::int8_t>(right[i])) *
                   weights[i];
        out.push_back(static_cast<std::uint8_t>(sum >> 8));
    }
    return out;
}

}  // namespace

TEST_CASE("bump allocator: aligned parts in their order, and nothing beyond its end") {
    Bump memory(0x34060010, 0x100);
    std::uint32_t at = 0;
    CHECK(memory.take(1, at));
    CHECK(at == 0x34060040);
    CHECK(memory.used() == 0x31);
    CHECK(memory.take(0x40, at));
    CHECK(at == 0x34060080);
    CHECK(memory.left() == 0x50);
    CHECK_FALSE(memory.take(0x51, at));
    CHECK(at == 0x34060080);
    CHECK(memory.take(0x50, at));
    CHECK(at == 0x340600C0);
    CHECK(memory.left() == 0);
    CHECK_FALSE(memory.take(1, at));
}

TEST_CASE("bump allocator: sizes near 4 GiB do not wrap") {
    Bump memory(0xFFFFFF00, 0x100);
    std::uint32_t at = 0;
    CHECK_FALSE(memory.take(0xFFFFFFFF, at));
    CHECK_FALSE(memory.take(0x101, at));
    CHECK(memory.take(0x100, at));
    CHECK(at == 0xFFFFFF00);
    CHECK_FALSE(memory.take(1, at));
    Bump none;
    CHECK_FALSE(none.take(1, at));
}

TEST_CASE("several models: side by side and in turn each computes what it does alone") {
    const ScratchFolder folder;
    const std::vector<std::string> models = {generate(folder, "kws_ref_model", "kws"),
                                             user_io("3.0"),
                                             generate(folder, "ad01_int8", "ad", {"--no-ec"})};
    for (const bool overlay : {false, true}) {
        CAPTURE(overlay);
        require_as_alone(models, overlay);
    }
}

TEST_CASE("several models: of different releases") {
    for (const bool overlay : {false, true}) {
        CAPTURE(overlay);
        require_as_alone({user_io("2.1"), user_io("4.x"), user_io("2.2")}, overlay);
    }
}

TEST_CASE("several models: files for inputs and outputs go on from one to the next") {
    const ScratchFolder folder;
    std::vector<std::uint8_t> left(320), right(320);
    for (std::size_t i = 0; i < left.size(); ++i) {
        left[i] = static_cast<std::uint8_t>(3 * i);
        right[i] = static_cast<std::uint8_t>(7 * i);
    }
    const std::string expected = kNetworks + "/expected/kws_ref_model/";
    const std::vector<std::string> words = {
        user_io("3.0"), generate(folder, "kws_ref_model", "kws"),
        "-i",           folder.write("left.raw", left),
        "-i",           folder.write("right.raw", right),
        "-i",           expected + "rand1_in.npy",
        "--expect",     folder.write("out.raw", user_io_output(left, right)),
        "--expect",     expected + "rand1_out0.npy",
        "--tolerance",
        "16",  // softmax makes up to 16 steps of one
        "-o",           folder.file("out")};
    const Outcome outcome = run(words);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.out, "2 models, side by side"));
    CHECK(read_text(folder.file("out/1/output_0.npy")).size() == 128 + 40);
    CHECK(read_text(folder.file("out/2/output_0.npy")).size() == 128 + 12);
    // What does not fit says whose it was taken for.
    std::vector<std::string> exchanged = words;
    std::swap(exchanged[3], exchanged[7]);
    const Outcome misplaced = run(exchanged);
    CHECK(misplaced.exit_code == 2);
    CHECK(has(misplaced.err, "of model 1 (" + words[0] + "): its "));
    // The other model's output is not what this one must be.
    std::vector<std::string> swapped = words;
    swapped[9] = folder.write("other.raw", user_io_output(right, left));
    const Outcome wrong = run(swapped);
    CHECK(wrong.exit_code == 1);
    CHECK(has(wrong.err, "other.raw"));
    // A file that no model is left for.
    std::vector<std::string> left_over = words;
    left_over.insert(left_over.end(), {"-i", expected + "rand1_in.npy"});
    const Outcome more = run(left_over);
    CHECK(more.exit_code == 2);
    CHECK(has(more.err, "4 files for 3 inputs"));
    CHECK(has(more.err,
              "in this order: 2 of model 1 (" + words[0] + "), 1 of model 2 (" + words[1] + ")\n"));
}

TEST_CASE("several models: `infer` behind their files follows every file's release") {
    const Outcome outcome =
        run({"--elf", N6VP_CHIP_FIRMWARE, "--boot", "reset", "--image",
             "0x71000000=" + user_io("4.x"), "--image", "0x71100000=" + user_io("2.1"),
             "--arguments", "file=0x71000000 mode=1 next file=0x71100000 infer"});
    INFO(outcome.out);
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.out, "inference runs=2 "));
}

TEST_CASE("several models: exec RAM that suffices for each but not for all") {
    const ScratchFolder folder;
    std::vector<std::string> words = {generate(folder, "kws_ref_model", "kws"),
                                      generate(folder, "ad01_int8", "ad")};
    const Json members = document_of(words)["models"]["members"];
    const auto first = members[0]["exec_ram_bytes"].get<std::uint32_t>();
    const auto second = members[1]["exec_ram_bytes"].get<std::uint32_t>();
    const std::uint32_t room = std::max(first, second) + 1024;
    const std::uint32_t left = room - (first + 63) / 64 * 64;
    words.insert(words.end(), {"--exec", "0x34060000:" + std::to_string(room)});
    const Outcome outcome = run(words);
    CHECK(outcome.exit_code == 6);
    CHECK(has(outcome.err, "error: exec RAM does not suffice: model 2 needs " +
                               std::to_string(second) + " bytes, " + std::to_string(left) +
                               " are left\n"));
    CHECK(has(outcome.err, "--overlay gives the whole exec RAM"));
    words.emplace_back("--overlay");
    CHECK(run(words).exit_code == 0);
}

TEST_CASE("several models: weights copied to the same place want --overlay") {
    const ScratchFolder folder;
    const std::vector<std::string> options = {"--weights", "npuRAM6"};
    const std::vector<std::string> models = {generate(folder, "kws_ref_model", "kws", options),
                                             generate(folder, "ad01_int8", "ad", options)};
    const Outcome outcome = run(models);
    CHECK(outcome.exit_code == 6);
    CHECK(has(outcome.err, "overlaps pool "));
    CHECK(has(outcome.err, "use --overlay to install each model"));
    require_as_alone(models, true);
}

TEST_CASE("several models: mistakes are one error each") {
    const ScratchFolder folder;
    const std::string model = user_io("3.0"), scenario = folder.write("a.toml", "[run]\n");
    const auto fails = [](const std::vector<std::string>& words, const std::string& text) {
        const Outcome outcome = run(words);
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, text));
    };
    fails({model, scenario}, "models and scenarios in one run");
    fails({model, "--overlay"}, "--overlay and one model");
    fails({scenario, "--overlay"}, "--overlay needs a model");
    fails({model, model, model, model, model}, "5 models in one run");
    fails({model, model, "--repeat", "801"}, "1602 inferences in one run");
    fails({model, model, "--params", model}, "--params and several models");
    fails({model, model, "-o", folder.file("out"), "--snapshot", "1:0x34200000:16"},
          "--snapshot and several models");
}

// SPDX-License-Identifier: Apache-2.0
// `n6vp validate --layers`: every layer of the public networks on the simulated chip against
// TFLite's integer arithmetic.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/sim/generate/models/file_bytes.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

std::string network_file(const std::string& network) {
    return std::string(N6VP_NETWORKS) + "/" + network + ".tflite";
}

void make(const std::string& network, const std::string& folder, const Words& options = {}) {
    Words words = {N6VP_BINARY, "generate", network_file(network), "-o", folder};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome made = run_process(words);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
}

Outcome validate(const std::string& folder, const std::string& network, const Words& options) {
    Words words = {N6VP_BINARY,
                   "validate",
                   folder + "/network_rel.bin",
                   "--tflite",
                   network_file(network),
                   "-b",
                   "1",
                   "--layers"};
    words.insert(words.end(), options.begin(), options.end());
    return run_process(words);
}

/// Each layer that computes has a row; 99 % of its elements are within 1.
void check(const std::string& network, std::size_t layers, const Words& options = {}) {
    const ScratchFolder folder;
    make(network, folder.file("out"), options);
    const Outcome outcome =
        validate(folder.file("out"), network, {"--min-layer-within-one", "0.99", "--json"});
    INFO(outcome.out, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const json document = json::parse(outcome.out).at("layers");
    CHECK(document.at("rows").size() == layers);
    for (const json& row : document.at("rows")) {
        CHECK(row.at("own").at("within_one").get<double>() >= 0.99);
        CHECK(row.at("elements").get<std::uint64_t>() > 0);
    }
    MESSAGE(network << ": first layer that differs " << document.at("first_that_differs")
                    << ", by more than 1 " << document.at("first_beyond_one"));
}

}  // namespace

TEST_CASE("anomaly detection: every layer within 1") {
    check("ad01_int8", 10);
}
TEST_CASE("keyword spotting: every layer within 1, programmed by either, wherever memory is") {
    check("kws_ref_model", 12);
    check("kws_ref_model", 12, {"--no-ec", "--weights", "npuRAM6"});
    // The tensors that are the user's own are not among those that are kept.
    check("kws_ref_model", 12, {"--no-inputs-allocation", "--no-outputs-allocation"});
}
TEST_CASE("picture classes: every layer within 1") {
    check("pretrainedResnet_quant", 15);
}
TEST_CASE("persons in pictures: every layer within 1") {
    check("vww_96_int8", 30);
}

TEST_CASE("validate --layers: what is asked for must be there") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    make("kws_ref_model", out);
    // Another network's report.
    Outcome outcome = validate(out, "ad01_int8", {});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("report of the model") != std::string::npos);
    // A part that no layer can reach is a wrong use.
    outcome = validate(out, "kws_ref_model", {"--min-layer-within-one", "1.5"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("'1.5' is not a number from 0 to 1") != std::string::npos);
    // A layer's tensor from a wrong place is not what the layer computes.
    std::ifstream stream(out + "/report.json");
    json report = json::parse(stream);
    json& first = report.at("internals").at(0);
    first["address"] = report.at("internals").at(1).at("address");
    static_cast<void>(folder.write("out/report.json", report.dump()));
    outcome = validate(out, "kws_ref_model", {"--min-layer-within-one", "1"});
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.find("not met: layer 'CONV_2D") != std::string::npos);
    outcome = validate(out, "kws_ref_model", {"--json"});
    REQUIRE(outcome.exit_code == 0);
    const json layers = json::parse(outcome.out).at("layers");
    CHECK(layers.at("first_beyond_one") == 0);
    CHECK(layers.at("rows").at(0).at("own").at("within_one").get<double>() < 0.9);
    static_cast<void>(folder.write("out/report.json", std::string("no report")));
    outcome = validate(out, "kws_ref_model", {});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("is not a report") != std::string::npos);
}

TEST_CASE("run --snapshot: memory at the end of an epoch") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    make("ad01_int8", out);
    std::ifstream stream(out + "/report.json");
    const json report = json::parse(stream);
    const json& output = report.at("outputs").at(0);
    const std::string where = output.at("address").get<std::string>();
    const std::string bytes = std::to_string(output.at("bytes").get<int>());
    const auto run = [&](const std::string& snapshot, const Words& more) {
        Words words = {N6VP_BINARY,  "run",    out + "/network_rel.bin",
                       "--input",    "random", "--quiet",
                       "--snapshot", snapshot};
        words.insert(words.end(), more.begin(), more.end());
        return run_process(words);
    };
    // The last of ten epochs leaves the output.
    REQUIRE(run("10:" + where + ":" + bytes, {"-o", folder.file("results")}).exit_code == 0);
    const std::vector<std::uint8_t> kept =
        file_bytes(folder.file("results/epoch-10-" + where.substr(2) + ".bin"));
    const std::vector<std::uint8_t> array = file_bytes(folder.file("results/output_0.npy"));
    REQUIRE(kept.size() == 640);
    REQUIRE(array.size() > kept.size());
    CHECK(std::equal(kept.rbegin(), kept.rend(), array.rbegin()));

    const auto fails = [&](const std::string& snapshot, const Words& more, const char* text) {
        const Outcome outcome = run(snapshot, more);
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.find(text) != std::string::npos);
    };
    fails("10:" + where + ":" + bytes, {}, "without a folder");
    fails("ten:0:1", {"-o", folder.file("results")}, "write EPOCH:ADDR:BYTES");
    fails("1:0x342e0000:0", {"-o", folder.file("results")}, "0 bytes");
    fails("11:0x342e0000:8", {"-o", folder.file("results")}, "the model has no epoch 11");
    fails("1:0x00f00000:8", {"-o", folder.file("results")}, "are not all in memory");
}

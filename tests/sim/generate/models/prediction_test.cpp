// SPDX-License-Identifier: Apache-2.0
// What `n6vp analyze` says of a network before anything is made, against what `n6vp run` then
// takes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/process.h"

using namespace n6vp::test;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

constexpr double kCoreHertz = 800e6;

json document(Words words, const Words& options) {
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run_process(words);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return json::parse(outcome.out);
}

void check(const std::string& network) {
    const std::string file = std::string(N6VP_NETWORKS) + "/" + network + ".tflite";
    const Words ways[] = {
        {}, {"--weights", "npuRAM6"}, {"--no-ec"}, {"--no-ec", "--weights", "npuRAM6"}};
    for (const Words& way : ways) {
        const ScratchFolder folder;
        const json told = document({N6VP_BINARY, "analyze", file, "--json"}, way);
        document({N6VP_BINARY, "generate", file, "-o", folder.file("out"), "--json"}, way);
        const json ran = document({N6VP_BINARY, "run", folder.file("out/network_rel.bin"),
                                   "--input", "random", "--seed", "1", "--json"},
                                  {})
                             .at("model");
        const double cycles = ran.at("inferences").at(0).at("cycles").get<double>();
        const double simulated_ms = cycles / kCoreHertz * 1e3;
        const double told_ms = told.at("inference_ms").get<double>();
        MESSAGE(network << (way.empty() ? "" : " " + way.front()) << ": told " << told_ms
                        << " ms, simulated " << simulated_ms << " ms");
        CHECK(told_ms > 0.85 * simulated_ms);
        CHECK(told_ms < 1.15 * simulated_ms);
        // Nothing is faster than the bound that it is compared with.
        CHECK(told.at("least_cycles").get<double>() < told_ms * 1e6);
    }
}

}  // namespace

TEST_CASE("anomaly detection: predicted within 15 %") {
    check("ad01_int8");
}
TEST_CASE("keyword spotting: predicted within 15 %") {
    check("kws_ref_model");
}
TEST_CASE("picture classes: predicted within 15 %") {
    check("pretrainedResnet_quant");
}
TEST_CASE("persons in pictures: predicted within 15 %") {
    check("vww_96_int8");
}

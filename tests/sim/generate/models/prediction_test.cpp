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

struct Times {
    double told_ms = 0, simulated_ms = 0;
    double told_npu = 0, simulated_npu = 0;  ///< cycles in epochs of the NPU
};

/// What analyze and generate say of a network, and what its first inference takes.
Times times_of(const std::string& network, const Words& way, const Words& settings = {}) {
    const std::string file = std::string(N6VP_NETWORKS) + "/" + network + ".tflite";
    const ScratchFolder folder;
    Words both = way;
    both.insert(both.end(), settings.begin(), settings.end());
    const json told = document({N6VP_BINARY, "analyze", file, "--json"}, both);
    const json made =
        document({N6VP_BINARY, "generate", file, "-o", folder.file("out"), "--json"}, both);
    // One prediction, whoever tells it.
    CHECK(made.at("prediction") == told.at("prediction"));
    CHECK(made.at("estimated_cycles") == told.at("prediction").at("npu_cycles"));
    const json ran = document({N6VP_BINARY, "run", folder.file("out/network_rel.bin"), "--input",
                               "random", "--seed", "1", "--json"},
                              settings)
                         .at("model");
    Times times;
    times.told_ms = told.at("inference_ms").get<double>();
    times.simulated_ms = ran.at("inferences").at(0).at("cycles").get<double>() / kCoreHertz * 1e3;
    times.told_npu = told.at("prediction").at("npu_cycles").get<double>();
    for (const json& epoch : ran.at("epochs")) {
        times.simulated_npu += epoch.value("npu_cycles", 0.0);
    }
    // Nothing is faster than the bound that it is compared with.
    CHECK(told.at("least_cycles").get<double>() < times.told_ms * 1e6);
    return times;
}

/// The errors that analyze and generate state.
constexpr double kInferenceError = 0.05, kNpuError = 0.10;

void check(const std::string& network) {
    const Words ways[] = {
        {}, {"--weights", "npuRAM6"}, {"--no-ec"}, {"--no-ec", "--weights", "npuRAM6"}};
    for (const Words& way : ways) {
        const Times times = times_of(network, way);
        const auto percent = [](double told, double simulated) {
            return 100 * (told / simulated - 1);
        };
        MESSAGE(network << (way.empty() ? "" : " " + way.front()) << ": inference "
                        << percent(times.told_ms, times.simulated_ms) << " %, epochs of the NPU "
                        << percent(times.told_npu, times.simulated_npu) << " %");
        CHECK(times.told_ms == doctest::Approx(times.simulated_ms).epsilon(kInferenceError));
        CHECK(times.told_npu == doctest::Approx(times.simulated_npu).epsilon(kNpuError));
    }
}

}  // namespace

TEST_CASE("anomaly detection: predicted within 5 %") {
    check("ad01_int8");
}
TEST_CASE("keyword spotting: predicted within 5 %") {
    check("kws_ref_model");
}
TEST_CASE("picture classes: predicted within 5 %") {
    check("pretrainedResnet_quant");
}
TEST_CASE("persons in pictures: predicted within 5 %") {
    check("vww_96_int8");
}

TEST_CASE("a parameter moves the prediction in the direction of the simulation") {
    const Times plain = times_of("kws_ref_model", {});
    // Another share of the units may become the cheapest, so that a slower memory makes a faster
    // model: then both say so. Clocks are not among these: firmware sets those of a run.
    for (const std::string setting :
         {"nor.lines=4", "nic_ram.single_read_cycles=2.5", "npu.frame_cycles=200",
          "npu.fetch_cycles=32", "nor.read_dummy_clocks=200"}) {
        CAPTURE(setting);
        const Times moved = times_of("kws_ref_model", {}, {"--set", setting});
        CHECK((moved.told_ms > plain.told_ms) == (moved.simulated_ms > plain.simulated_ms));
        CHECK(moved.told_ms == doctest::Approx(moved.simulated_ms).epsilon(kInferenceError));
        CHECK(moved.told_npu == doctest::Approx(moved.simulated_npu).epsilon(kNpuError));
    }
    // Half the lines: twice the time for each byte of the weights, in either.
    CHECK(times_of("kws_ref_model", {}, {"--set", "nor.lines=4"}).told_ms > 1.1 * plain.told_ms);
}

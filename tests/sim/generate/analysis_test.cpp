// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/analyze/analysis.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/generate/operators/import.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using n6vp::sim::Json;

namespace {

Analysis analysis_of(const char* network, bool controller) {
    AnalysisOptions options;
    options.lowering.activations = default_activation_pools();
    options.controller = controller;
    return analyse(read_tflite(std::string(N6VP_NETWORKS) + "/" + network + ".tflite"), options);
}

}  // namespace

TEST_CASE("tensors live from the layer that makes them to the last that needs them") {
    n6vp::test::GraphBuilder b;
    const TensorId in = b.input({10}, 1, 0);
    const TensorId first = b.activation({100}, 1, 0);
    const TensorId second = b.activation({1000}, 1, 0);
    const TensorId last = b.activation({10}, 1, 0);
    // Sizes need not fit each other here: in + first = 110, in + first + second = 1110 if the last
    // layer reads the input again, second + last + in.
    b.node(Reshape{}, {in}, first);
    b.node(Reshape{}, {first}, second);
    b.node(Add{}, {second, in}, last);
    CHECK(largest_live_bytes(b.graph) == 1110);
}

TEST_CASE("kws: parameters and products by hand, epochs for every layer that computes") {
    const Analysis analysis = analysis_of("kws_ref_model", true);
    // Weights 2560 + 4 * (576 + 4096) + 768, biases 9 * 64 + 12 of 4 bytes.
    CHECK(analysis.parameters == 2560 + 4 * (576 + 4096) + 768 + 9 * 64 + 12);
    CHECK(analysis.parameter_bytes == 2560 + 4 * (576 + 4096) + 768 + 4 * (9 * 64 + 12));
    CHECK(analysis.multiplications == 2656768);
    // Two pictures of 25x5x64.
    CHECK(analysis.largest_activations == 2 * 8000);
    CHECK(analysis.prediction.epochs.size() >= 11);
    CHECK(analysis.prediction.epochs.back().software);
    double sum = 0;
    for (const EpochRow& row : analysis.prediction.epochs) {
        CHECK(row.cycles > 0);
        CHECK(row.utilisation <= 1);
        sum += row.cycles;
    }
    CHECK(analysis.prediction.npu_cycles + analysis.prediction.software_cycles ==
          doctest::Approx(sum));
    CHECK(analysis.prediction.blob_bytes > 0);
}

TEST_CASE("epochs that the core programs have no blob") {
    const Analysis analysis = analysis_of("ad01_int8", false);
    CHECK(analysis.prediction.blob_bytes == 0);
    // The start of each, and its programming at more than 10,000 cycles of the core.
    CHECK(analysis.prediction.programming_cycles >
          11000.0 * static_cast<double>(analysis.prediction.epochs.size()));
}

TEST_CASE("the analysis as text and as JSON") {
    const Analysis analysis = analysis_of("ad01_int8", true);
    const std::string text = analysis_text(analysis);
    CHECK(text.find("ad01_int8: 10 layers") != std::string::npos);
    CHECK(text.find("264192") != std::string::npos);
    const Json document = analysis_json(analysis);
    CHECK(document.at("schema") == "n6vp.analyze/2");
    CHECK(document.at("epochs").size() == analysis.prediction.epochs.size());
    CHECK(document.at("network_macs") == 264192);
}

TEST_CASE("the prediction of an epoch on the core tells what was chosen for it") {
    ModelPlan plan;
    plan.epochs.emplace_back(
        CoreEpoch{"sum", "pairs on the core", {{{}, 30, {}}, {{}, 12, {}}}, {}, 42, 1000, {}});
    const Prediction prediction = predict(plan, {}, default_costs());
    REQUIRE(prediction.epochs.size() == 1);
    CHECK(prediction.epochs[0].choice == "pairs on the core");
    CHECK(prediction.epochs[0].read_bytes == 30 + 12);
    CHECK(prediction.epochs[0].written_bytes == 42);
}

TEST_CASE("a blob is fetched by eight bytes, a last word alone as well") {
    const CostParameters& cost = default_costs();
    const auto programming = [&cost](std::uint32_t words) {
        EpochBlock block;
        block.container = {0};
        block.blob_words = words;
        return predict({}, {block}, cost).programming_cycles;
    };
    CHECK(programming(3) - programming(2) == doctest::Approx(cost.controller_fetch));
    CHECK(programming(4) - programming(3) == doctest::Approx(0));
    CHECK(programming(5) - programming(4) == doctest::Approx(cost.controller_fetch));
}

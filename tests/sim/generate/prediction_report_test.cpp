// SPDX-License-Identifier: Apache-2.0
// Predicted times with costs by hand, and what `n6vp analyze` prints of them.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/generate/analyze/analysis.h"
#include "sim/generate/lower/streams.h"
#include "sim/generate/operators/lower_graph.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using n6vp::sim::Json;
namespace npu = n6vp::memmap::npu;

namespace {

/// Memory takes no time; a frame 10 cycles, a cycle of the core 2.
CostParameters plain_costs() {
    CostParameters cost;
    cost.frame_restart = 10;
    cost.multipliers = 25;
    cost.controller_fetch = 3;
    cost.per_core_cycle = 2;
    cost.npu_hz = 1e6;
    return cost;
}

/// Copies 4 frames of 256 bytes.
NpuEpoch copy_epoch() {
    NpuEpoch epoch;
    epoch.name = "copy";
    epoch.choice = "row";
    epoch.multiplications = 1000;
    const Address from{Base::Absolute, 0x34270000}, to{Base::Absolute, 0x342E0000};
    const npu::Unit in{&npu::kStreng, 1}, out{&npu::kStreng, 0};
    epoch.units.push_back(
        row_engine(out, Direction::Output, {to, to, 1024}, {256, 1, false}, {4, 256}));
    epoch.units.push_back(
        row_engine(in, Direction::Input, {from, from, 1024}, {256, 1, false}, {4, 256}));
    epoch.link(in, out);
    return epoch;
}

EpochBlock block_of(std::uint32_t number, bool software, std::uint32_t words) {
    EpochBlock block;
    block.first = block.last = number;
    block.software = software;
    block.blob_words = words;
    if (words != 0) block.container = {1};
    return block;
}

/// Two epochs, on the NPU and on the core.
Analysis two_epochs() {
    Analysis analysis;
    analysis.name = "net\x1b";
    analysis.layers = 3;
    analysis.parameters = 100;
    analysis.parameter_bytes = 130;
    analysis.multiplications = 4000;
    analysis.largest_activations = 96;
    analysis.pools = {{"npuRAM3", "activations", 64}, {"", "weights, in place", 130}};
    EpochRow row;
    row.name = "0123456789012345678901234567890123456";
    row.choice = "deep";
    row.bound = "flash";
    row.multiplications = 4000;
    row.cycles = 1234.6;
    row.least_cycles = 99.5;
    row.utilisation = 0.1239;
    row.read_bytes = 11;
    row.written_bytes = 12;
    row.flash_bytes = 13;
    EpochRow core;
    core.name = "short\n";
    core.choice = "on the core";
    core.bound = "software";
    core.software = true;
    core.cycles = 300.4;
    core.read_bytes = 5;
    core.written_bytes = 6;
    Prediction& prediction = analysis.prediction;
    prediction.epochs = {row, core};
    prediction.blob_bytes = 88;
    prediction.npu_cycles = 1234.6;
    prediction.software_cycles = 300.4;
    prediction.programming_cycles = 465.5;
    prediction.least_cycles = 99.5;
    prediction.hz = 8e8;
    return analysis;
}

const std::string kSums =
    "predicted: 1235 NPU cycles in epochs of the NPU, 300 in software, 466 for programming and "
    "the\n"
    "           runtime (blobs of 88 bytes); inference 0.003 ms with the NPU at 800 MHz\n"
    "Prediction for the first inference of n6vp run with the same parameters, without contention\n"
    "between engines. Error for the public networks: 5 % of the inference, 10 % of the NPU "
    "cycles.\n";

}  // namespace

TEST_CASE("prediction: an epoch that a blob programs takes what its units take") {
    ModelPlan plan;
    plan.epochs = {copy_epoch()};
    const Prediction prediction = predict(plan, {block_of(1, false, 20)}, plain_costs());
    REQUIRE(prediction.epochs.size() == 1);
    const EpochRow& row = prediction.epochs[0];
    CHECK(row.name == "copy");
    CHECK(row.choice == "row");
    CHECK_FALSE(row.software);
    CHECK(row.cycles == 4 * (256 + 10));
    CHECK(row.multiplications == 1000);
    // 1000 products on 4 * 25 multipliers.
    CHECK(row.least_cycles == 10);
    CHECK(row.utilisation == doctest::Approx(10.0 / 1064));
    CHECK(row.read_bytes == 1024);
    CHECK(row.written_bytes == 1024);
    CHECK(row.flash_bytes == 0);
    CHECK(prediction.npu_cycles == 1064);
    CHECK(prediction.software_cycles == 0);
    CHECK(prediction.least_cycles == 10);
    CHECK(prediction.blob_bytes == 80);
    // 3 cycles for eight bytes; 4000 of the core for an inference, 2250 for a blob.
    CHECK(prediction.programming_cycles == 10 * 3 + 2 * (4000 + 2250));
    CHECK(prediction.hz == 1e6);
    CHECK(prediction.total_cycles() == 1064 + 12530);
    CHECK(prediction.milliseconds() == doctest::Approx(13.594));
}

TEST_CASE("prediction: an epoch that the core programs takes its accesses, too") {
    ModelPlan plan;
    plan.epochs = {copy_epoch()};
    const Prediction prediction = predict(plan, {block_of(1, false, 0)}, plain_costs());
    // The units are enabled one by one, at 42 cycles of the core, while the first are at work.
    CHECK(prediction.npu_cycles == 1064 + 2 * 42 * 2);
    CHECK(prediction.blob_bytes == 0);
    // Before: of each engine its clock, 11 registers, one of them twice; four accesses that clear
    // the switch, its enable and one link. After: the link, then four accesses that clear each
    // engine, and its clock.
    const int before = 2 * (1 + 11 + 1) + 4 + 1 + 1, after = 1 + 2 * (4 + 1);
    CHECK(prediction.programming_cycles == 2 * (4000 + 2150 + 42 * before + 68 * after));
    // One blob among the blocks: epochs do not wait for the core any more.
    plan.epochs.emplace_back(copy_epoch());
    const Prediction mixed =
        predict(plan, {block_of(1, false, 0), block_of(2, false, 2)}, plain_costs());
    CHECK(mixed.npu_cycles == 2 * 1064);
}

TEST_CASE("prediction: epochs of the core by their work, and 2000 cycles around each") {
    SoftmaxEpoch softmax;
    softmax.name = "classes";
    softmax.rows = 3;
    softmax.elements = 7;
    CoreEpoch core;
    core.name = "sum";
    core.inputs = {{{}, 30, {}}, {{}, 12, {}}};
    core.elements = 42;
    core.estimated_cycles = 500;
    ModelPlan plan;
    plan.epochs = {softmax, core};
    const Prediction prediction =
        predict(plan, {block_of(1, true, 0), block_of(2, true, 0)}, plain_costs());
    REQUIRE(prediction.epochs.size() == 2);
    const EpochRow& row = prediction.epochs[0];
    CHECK(row.name == "classes");
    CHECK(row.choice == "softmax on the core");
    CHECK(row.bound == "software");
    CHECK(row.software);
    CHECK(row.read_bytes == 21);
    CHECK(row.written_bytes == 21);
    CHECK(row.cycles == 2 * (2000 + 40 * 21));
    CHECK(prediction.epochs[1].software);
    CHECK(prediction.epochs[1].bound == "software");
    CHECK(prediction.epochs[1].cycles == 2 * (2000 + 500));
    CHECK(prediction.software_cycles == 2 * (4000 + 840 + 500));
    CHECK(prediction.npu_cycles == 0);
    CHECK(prediction.programming_cycles == 2 * 4000);
}

TEST_CASE("prediction: the sums as text and as JSON") {
    const Prediction prediction = two_epochs().prediction;
    CHECK(prediction_text(prediction) == kSums);
    const Json json = prediction_json(prediction);
    CHECK(json["npu_cycles"] == 1235);
    CHECK(json["software_cycles"] == 300);
    CHECK(json["programming_cycles"] == 466);
    CHECK(json["npu_hz"] == 8e8);
    // 2000.5 cycles
    CHECK(json["inference_ms"].get<double>() == doctest::Approx(0.002500625));
}

TEST_CASE("analysis report: the text, line by line") {
    CHECK(
        analysis_text(two_epochs()) ==
        "net\\x1b: 3 layers, 100 parameters in 130 bytes, 4000 multiply-accumulates of the "
        "network (without padding)\n"
        "largest activations at one time: 96 bytes\n"
        "\n"
        "pool             bytes  for\n"
        "npuRAM3             64  activations\n"
        "(no name)          130  weights, in place\n"
        "\n"
        "epoch layer                                      MAC    least   cycles  bound          "
        "MAC %     read  written    flash  how\n"
        "    1 0123456789012345678901234567890123~       4000      100     1235  flash           "
        "12.4       11       12       13  deep\n"
        "    2 short\\x0a                                    0        0      300  software        "
        " 0.0        5        6        0  on the core\n"
        "\n" +
            kSums +
            "least: 100 cycles, with all multipliers busy or weights at the full rate of their "
            "memory\n");
    Analysis fits = two_epochs();
    fits.prediction.epochs[0].name = "01234567890123456789012345678901234";
    CHECK(analysis_text(fits).find("    1 01234567890123456789012345678901234       4000") !=
          std::string::npos);
}

TEST_CASE("analysis report: the document") {
    const Json json = analysis_json(two_epochs());
    CHECK(json["name"] == "net\x1b");
    CHECK(json["layers"] == 3);
    CHECK(json["parameters"] == 100);
    CHECK(json["parameter_bytes"] == 130);
    CHECK(json["network_macs"] == 4000);
    CHECK(json["largest_activations"] == 96);
    CHECK(json["pools"] ==
          Json::array({{{"name", "npuRAM3"}, {"for", "activations"}, {"bytes", 64}},
                       {{"name", ""}, {"for", "weights, in place"}, {"bytes", 130}}}));
    REQUIRE(json["epochs"].size() == 2);
    CHECK(json["epochs"][0] == Json{{"layer", "0123456789012345678901234567890123456"},
                                    {"how", "deep"},
                                    {"software", false},
                                    {"network_macs", 4000},
                                    {"least_cycles", 100},
                                    {"cycles", 1235},
                                    {"bound", "flash"},
                                    {"mac_utilisation", 0.1239},
                                    {"read_bytes", 11},
                                    {"written_bytes", 12},
                                    {"flash_bytes", 13}});
    CHECK(json["epochs"][1]["software"] == true);
    CHECK(json["epoch_cycles"] == 1535);
    CHECK(json["least_cycles"] == 100);
    CHECK(json["blob_bytes"] == 88);
    CHECK(json["programming_cycles"] == 466);
    CHECK(json["inference_ms"].get<double>() == doctest::Approx(0.002500625));
    CHECK(json["prediction"] == prediction_json(two_epochs().prediction));
}

TEST_CASE("analysis: parameters count once, pools to the end of their last tensor") {
    n6vp::test::GraphBuilder b;
    const TensorId in = b.input({1, 1, 1, 8}, 0.5F, 0);
    const TensorId weights = b.weights({8, 1, 1, 8}, {0.25F}, 0, std::vector<int>(64, 3));
    const TensorId bias = b.bias(std::vector<std::int32_t>(8, 1));
    const TensorId between = b.activation({1, 1, 1, 8}, 1, 0);
    b.node(Conv2D{}, {in, weights, bias}, between);
    b.node(Conv2D{}, {between, weights, kNoTensor}, b.activation({1, 1, 1, 8}, 1, 0));
    AnalysisOptions options;
    options.lowering.activations = default_activation_pools();
    const Analysis analysis = analyse(b.graph, options);
    CHECK(analysis.layers == 2);
    CHECK(analysis.parameters == 64 + 8);
    CHECK(analysis.parameter_bytes == 64 + 32);
    CHECK(analysis.multiplications == 2 * 64);
    CHECK(analysis.largest_activations == 16);
    REQUIRE(analysis.pools.size() == 2);
    CHECK(analysis.pools[0].content == "activations");
    // Three tensors of 8 bytes at multiples of 64, of which two or three are at different places.
    CHECK(analysis.pools[0].bytes % 64 == 8);
    CHECK(analysis.pools[0].bytes <= 2 * 64 + 8);
    CHECK(analysis.pools[1].content == "weights, in place");
    CHECK(analysis.pools[1].bytes >= 2 * 64);
    options.lowering.weights_copy = PlacedPool{"npuRAM6", 0x34350000, 65536};
    CHECK(analyse(b.graph, options).pools[1].content == "weights, copied");
}

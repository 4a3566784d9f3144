// SPDX-License-Identifier: Apache-2.0
// The report of `n6vp generate`, of a plan by hand.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/generate/emit/generate_report.h"

using namespace n6vp::sim::generate;
using n6vp::sim::Json;

namespace {

using Keys = std::set<std::string>;

Keys keys(const Json& object) {
    Keys names;
    for (const auto& item : object.items()) names.insert(item.key());
    return names;
}

/// Without the order of its keys.
nlohmann::json unordered(const Json& json) {
    return nlohmann::json::parse(json.dump());
}

PlacedTensor tensor(const std::string& name, std::uint32_t first, std::uint32_t last) {
    PlacedTensor one;
    one.name = name;
    one.shape = {1, 2, 3, 4};
    one.at = {Base::Absolute, 0x34200040};
    one.bytes = 24;
    one.scale = 0.5F;
    one.zero_point = -7;
    one.first_epoch = first;
    one.last_epoch = last;
    one.pool = "npuRAM3";
    return one;
}

/// Three epochs: on the NPU, on the core, on the NPU by the core.
struct Made {
    Graph graph;
    ModelPlan plan;
    BuiltModel built;
    Prediction prediction;

    Made() {
        graph.name = "net\x1b";
        plan.weights_pool = "octoFlash";
        plan.weights.resize(77);
        plan.inputs = {tensor("in", 1, 2)};
        plan.outputs = {tensor("out", 3, 4)};
        plan.outputs[0].at = {user_base(1), 0};
        plan.internals = {tensor("between", 2, 3)};
        plan.internals[0].at = {Base::External, 0x100};
        plan.activations = {{"npuRAM3", 0x34200000, 64, false}, {"hyperRAM", 0, 32, true}};
        NpuEpoch npu;
        npu.name = "CONV_2D a";
        npu.choice = "deep";
        npu.multiplications = 1234;
        CoreEpoch core;
        core.name = "RESIZE b";
        plan.epochs = {npu, core, npu};
        prediction.epochs.resize(3);
        prediction.epochs[0].cycles = 99.6;
        prediction.epochs[0].utilisation = 0.25;
        prediction.epochs[1].software = true;
        prediction.epochs[2].cycles = 50.4;
        prediction.npu_cycles = 150.4;
        prediction.software_cycles = 30.6;
        prediction.programming_cycles = 20;
        prediction.hz = 1e6;
        built.blocks.resize(3);
        built.blocks[0] = {1, 1, false, "", {1, 2}, {}, 15};
        built.blocks[1] = {2, 2, true, "", {}, {}, 0};
        built.blocks[2] = {3, 3, false, "", {}, {}, 0};
    }
    [[nodiscard]] Json json() const {
        return generate_json(graph, plan, built, prediction, {{"of", "pack"}});
    }
};

}  // namespace

TEST_CASE("generate report: keys of the document and of its parts") {
    const Json json = Made().json();
    CHECK(keys(json) == Keys{"schema", "name", "layers", "network_macs", "estimated_cycles",
                             "prediction", "weights", "activations", "inputs", "outputs",
                             "internals", "epochs", "blocks", "container"});
    CHECK(json["schema"] == "n6vp.generate/2");
    CHECK(json["name"] == "net\x1b");
    CHECK(json["layers"] == 0);
    CHECK(json["network_macs"] == 0);
    CHECK(json["estimated_cycles"] == 150);
    CHECK(json["container"] == Json{{"of", "pack"}});
    CHECK(keys(json["prediction"]) == Keys{"of", "how", "npu_cycles", "software_cycles",
                                           "programming_cycles", "npu_hz", "inference_ms"});
    CHECK(json["prediction"]["npu_cycles"] == 150);
    CHECK(json["prediction"]["software_cycles"] == 31);
    CHECK(json["prediction"]["programming_cycles"] == 20);
    CHECK(json["prediction"]["npu_hz"] == 1e6);
    CHECK(json["prediction"]["inference_ms"].get<double>() == doctest::Approx(0.201));
}

TEST_CASE("generate report: weights in place and copied, pools inside and outside") {
    Made made;
    CHECK(made.json()["weights"] == Json{{"pool", "octoFlash"}, {"bytes", 77}, {"in_place", true}});
    made.plan.weights_in_place = false;
    made.plan.weights_address = 0x34350000;
    CHECK(
        made.json()["weights"] ==
        Json{{"pool", "octoFlash"}, {"bytes", 77}, {"in_place", false}, {"address", "0x34350000"}});
    CHECK(made.json()["activations"] ==
          Json::array({{{"pool", "npuRAM3"}, {"address", "0x34200000"}, {"bytes", 64}},
                       {{"pool", "hyperRAM"}, {"external", true}, {"bytes", 32}}}));
}

TEST_CASE("generate report: tensors with their places, those of the user and outside") {
    const Json json = Made().json();
    Json expected = {{"name", "in"},   {"shape", {1, 2, 3, 4}},   {"type", "int8"},
                     {"bytes", 24},    {"address", "0x34200040"}, {"pool", "npuRAM3"},
                     {"scale", 0.5},   {"zero_point", -7},        {"first_epoch", 1},
                     {"last_epoch", 2}};
    CHECK(json["inputs"] == Json::array({expected}));
    expected["name"] = "between";
    expected["address"] = "0x00000100";
    expected["external"] = true;
    expected["first_epoch"] = 2;
    expected["last_epoch"] = 3;
    CHECK(unordered(json["internals"]) == unordered(Json::array({expected})));
    for (const char* key : {"address", "pool", "external"}) expected.erase(key);
    expected["name"] = "out";
    expected["user_allocated"] = true;
    expected["first_epoch"] = 3;
    expected["last_epoch"] = 4;
    CHECK(unordered(json["outputs"]) == unordered(Json::array({expected})));
}

TEST_CASE("generate report: epochs and the blocks that run them") {
    const Json json = Made().json();
    REQUIRE(json["epochs"].size() == 3);
    CHECK(json["epochs"][0] == Json{{"number", 1},
                                    {"name", "CONV_2D a"},
                                    {"kind", "npu"},
                                    {"choice", "deep"},
                                    {"network_macs", 1234},
                                    {"estimated_cycles", 100},
                                    {"estimated_utilisation", 0.25}});
    CHECK(json["epochs"][1] == Json{{"number", 2}, {"name", "RESIZE b"}, {"kind", "software"}});
    CHECK(json["epochs"][2]["number"] == 3);
    CHECK(json["epochs"][2]["estimated_cycles"] == 50);
    CHECK(json["blocks"] ==
          Json::array({{{"first", 1}, {"last", 1}, {"kind", "blob"}, {"blob_words", 15}},
                       {{"first", 2}, {"last", 2}, {"kind", "software"}, {"blob_words", 0}},
                       {{"first", 3}, {"last", 3}, {"kind", "core"}, {"blob_words", 0}}}));
}

TEST_CASE("generate report: the text has the same") {
    Made made;
    made.prediction.epochs[0].name = "CONV_2D a";
    made.prediction.epochs[0].choice = "deep";
    made.prediction.epochs[1].name = "RESIZE b";
    made.prediction.epochs[1].choice = "pixels on the core";
    made.prediction.epochs[1].cycles = 31;
    made.built.notes = {"something"};
    const std::string text = generate_text(made.graph, made.plan, made.built, made.prediction);
    CHECK(text.starts_with(
        "net\\x1b: 0 layers, 3 epochs in 3 blocks, 0 multiply-accumulates of the network (without "
        "padding)\n  weights 77 bytes in "));
    for (const char* part : {"  activations 64 bytes in ", "  input in 1x2x3x4 at 0x34200040\n",
                             "  output out 1x2x3x4 at the user's\n",
                             "\nepoch     cycles (est.)  MAC use  layer: how\n",
                             "\n    1              100    25.0%  CONV_2D a: deep\n",
                             "\n    2               31        -  RESIZE b: pixels on the core\n",
                             "\nnote: something\n"}) {
        CAPTURE(part);
        CHECK(text.find(part) != std::string::npos);
    }
}

TEST_CASE("generate report: the list of epochs and programs") {
    Made made;
    made.built.blocks[0].program = "line of a blob\n";
    const std::string text = epoch_listing(made.plan, made.built);
    CHECK(text ==
          "epoch 1: CONV_2D a\n  deep\nepoch 2: RESIZE b\n  on the core\nepoch 3: CONV_2D a\n  "
          "deep\n\nblob of epochs 1 to 1, in the form of n6vp ecdump:\nline of a blob\n");
}

// SPDX-License-Identifier: Apache-2.0
// Models for cores without an NPU: what is refused, where tensors are, and what reports and the C
// source say of it. Bytes and places are counted by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/generate/cores/core_report.h"
#include "sim/generate/cores/core_source.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;
using n6vp::sim::Json;

namespace {

CorePlan plan_of(const Graph& graph, bool user = false, const char* core = "cortex-m4") {
    CoreOptions options;
    options.target = &core_target(core);
    options.user_inputs = options.user_outputs = user;
    return plan_core_model(graph, options);
}

std::string refusal(const Graph& graph) {
    try {
        static_cast<void>(plan_of(graph));
    } catch (const n6vp::sim::UserError& error) {
        return error.what();
    }
    return "";
}

/// Two fully connected layers, 8 to 16 to 4.
Graph two_layers() {
    GraphBuilder b;
    const TensorId in = b.input({1, 8}, 0.5F, 3);
    const TensorId first = b.weights({16, 8}, {0.25F}, 0, std::vector<int>(128, 5));
    const TensorId between = b.activation({1, 16}, 4.0F, -3);
    b.node(FullyConnected{}, {in, first}, between);
    const TensorId second = b.weights({4, 16}, {0.25F}, 0, std::vector<int>(64, -7));
    b.node(FullyConnected{}, {between, second}, b.activation({1, 4}, 16.0F, 0));
    b.graph.nodes[1].layer = 7;
    b.graph.name = "two\x1b";
    return b.graph;
}

/// As many inputs, joined.
Graph joined(std::size_t inputs) {
    GraphBuilder b;
    std::vector<TensorId> parts;
    parts.reserve(inputs);
    for (std::size_t i = 0; i < inputs; ++i) parts.push_back(b.input({1, 4}, 1, 0));
    Concat concat;
    concat.axis = 1;
    const auto length = static_cast<std::uint32_t>(4 * inputs);
    b.node(concat, parts, b.activation({1, length}, 1, 0));
    return b.graph;
}

/// One input with as many results.
Graph fan(std::size_t outputs) {
    GraphBuilder b;
    const TensorId in = b.input({1, 4}, 1, 0);
    std::vector<TensorId> ends;
    for (std::size_t i = 0; i < outputs; ++i) {
        ends.push_back(b.activation({1, 4}, 1, 0));
        b.node(Neg{}, {in}, ends.back());
    }
    b.graph.outputs = ends;
    return b.graph;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A stretch of the activations and the layers that need it.
struct Life {
    std::uint32_t at, bytes, first, last;
};
Life life(const CorePlan& plan, const Graph& graph, TensorId id, std::uint32_t first,
          std::uint32_t last) {
    return {plan.place(id).value(), graph.tensors[id].bytes(), first, last};
}
void check_apart(const std::vector<Life>& lives) {
    for (std::size_t a = 0; a < lives.size(); ++a) {
        for (std::size_t b = a + 1; b < lives.size(); ++b) {
            if (lives[a].last < lives[b].first || lives[b].last < lives[a].first) continue;
            CAPTURE(a);
            CAPTURE(b);
            CHECK((lives[a].at + lives[a].bytes <= lives[b].at ||
                   lives[b].at + lives[b].bytes <= lives[a].at));
        }
    }
}

}  // namespace

TEST_CASE("core plan: up to eight inputs and outputs") {
    CHECK(refusal(joined(8)) == "");
    CHECK(refusal(joined(9)) == "9 inputs");
    CHECK(refusal(fan(8)) == "");
    CHECK(refusal(fan(9)) == "9 outputs");
}

TEST_CASE("core plan: ends of the network are tensors of their own, of 8 bits with one scale") {
    const auto changed = [](TensorId id, const auto& change) {
        Graph graph = fan(1);
        change(graph.tensors[id]);
        return refusal(graph);
    };
    const auto type = [](ElementType to) { return [to](Tensor& tensor) { tensor.type = to; }; };
    const std::string whole = " that is not quantised as a whole";
    CHECK(changed(0, type(ElementType::Int8)) == "");
    CHECK(changed(0, type(ElementType::Int16)) == "an input 't0' of int16" + whole);
    CHECK(changed(1, type(ElementType::Float32)) == "an output 't1' of float32" + whole);
    CHECK(changed(0, [](Tensor& tensor) { tensor.quantisation = {}; }) ==
          "an input 't0' of int8" + whole);
    CHECK(changed(1, [](Tensor& tensor) {
              tensor.quantisation.scale = {1, 1};
          }) == "an output 't1' of int8" + whole);
    CHECK(changed(0, [](Tensor& tensor) { tensor.constant.assign(4, 1); }) ==
          "an input 't0' of int8" + whole);
    Graph same = fan(2);
    same.outputs[1] = same.outputs[0];
    CHECK(refusal(same) == "an input that is an output, too, or one that is listed twice");
    same.outputs[1] = same.inputs[0];
    CHECK(refusal(same) == "an input that is an output, too, or one that is listed twice");
}

TEST_CASE("core plan: tensors between layers have 8 bits and one scale, data are no constants") {
    Graph graph = two_layers();
    const TensorId between = graph.nodes[0].outputs[0];
    graph.tensors[between].quantisation.scale = {1, 2};
    CHECK(refusal(graph) ==
          "FULLY_CONNECTED (layer 0, 't2'): a tensor of int8 that is not quantised to int8 as a "
          "whole");
    graph.tensors[between].quantisation.scale = {4};
    graph.tensors[between].type = ElementType::Int16;
    CHECK(contains(refusal(graph), "a tensor of int16 that is not quantised"));
    GraphBuilder b;
    b.input({1, 4}, 1, 0);
    const TensorId constant = b.weights({1, 4}, {1}, 0, {1, 2, 3, 4});
    b.node(Softmax{}, {constant}, b.activation({1, 4}, 1.0F / 256, -128));
    CHECK(contains(refusal(b.graph), ": an input that is a constant"));
}

TEST_CASE("core plan: what another layer still needs stays, from the start and to the end") {
    GraphBuilder b;
    const TensorId x = b.input({1, 64}, 1, 0), late = b.input({1, 64}, 1, 0);
    const TensorId early = b.activation({1, 64}, 1, 0), other = b.activation({1, 64}, 1, 0);
    const TensorId sum = b.activation({1, 64}, 1, 0), end = b.activation({1, 64}, 1, 0);
    b.node(Neg{}, {x}, early);
    b.node(Neg{}, {early}, other);
    b.node(Add{}, {other, x}, sum);
    b.node(Add{}, {sum, late}, end);
    b.graph.outputs = {early, end};
    const CorePlan plan = plan_of(b.graph);
    REQUIRE(plan.layers.size() == 4);
    const auto at = [&](TensorId id, std::uint32_t first, std::uint32_t last) {
        return life(plan, b.graph, id, first, last);
    };
    std::vector<Life> lives = {at(x, 0, 2),     at(late, 0, 3), at(early, 0, 4),
                               at(other, 1, 2), at(sum, 2, 3),  at(end, 3, 4)};
    for (std::uint32_t i = 0; i < 4; ++i) {
        const CorePlan::Layer& layer = plan.layers[i];
        if (layer.work.scratch != 0) lives.push_back({layer.scratch, layer.work.scratch, i, i});
    }
    CHECK(lives.size() == 6 + 2);  // sums have tables
    check_apart(lives);
    // The sums' 2048 bytes, and at most five tensors beside them.
    CHECK(plan.activation_bytes <= 2048 + 5 * 64);
    for (const Life& each : lives) CHECK(each.at % 16 == 0);
}

TEST_CASE("core plan: another shape is the same memory, but an output has its own") {
    GraphBuilder b;
    const TensorId in = b.input({1, 8}, 1, 0);
    const TensorId square = b.activation({2, 4}, 1, 0), line = b.activation({1, 8}, 1, 0);
    const TensorId made = b.activation({1, 8}, 1, 0), out = b.activation({8}, 1, 0);
    b.node(Reshape{}, {in}, square);
    b.node(Reshape{}, {square}, line);
    b.node(Neg{}, {line}, made);
    b.node(Reshape{}, {made}, out);
    const CorePlan plan = plan_of(b.graph);
    CHECK(plan.place(square) == plan.place(in));
    CHECK(plan.place(line) == plan.place(in));
    CHECK(plan.place(out) != plan.place(made));
    REQUIRE(plan.layers.size() == 2);
    CHECK(plan.layers[1].work.calls.front().kernel == "kernel_copy");
    // The network's own tensor, by whatever shape.
    const std::string source = core_source(b.graph, plan, "");
    CHECK(contains(source, "    kernel_table(legacy_weight(0, 0), legacy_input(0), "));
    CHECK(contains(source, ", 0, legacy_output(0), 0, 8, 1);\n"));
}

TEST_CASE("core report: the text of a small network, line by line") {
    const Graph graph = two_layers();
    const CorePlan plan = plan_of(graph);
    // Weights: 16 rows of 8 bytes and 16 scales of 16; 4 rows of 16 and 4 scales. Scratch: two
    // bytes for each input. Places: 32 of the second layer's scratch, then 16 of what is between
    // them, which both need; input and scratch of the first below; the output behind.
    CHECK(
        core_text(graph, plan) ==
        "two\\x1b: Cortex-M4, 2 layers, 192 MACs, 512 bytes of weights, 64 of activations\n"
        "  layer operator                       MACs   weights    output   scratch  kernel\n"
        "      0 FULLY_CONNECTED                 128       384        16        16  kernel_dense: "
        "four channels\n"
        "      7 FULLY_CONNECTED                  64       128         4        32  kernel_dense: "
        "four channels\n");
    const Graph copied = joined(1);
    CHECK(contains(core_text(copied, plan_of(copied)), "  kernel_copy\n"));
}

TEST_CASE("core report: the document has the same, and where tensors are") {
    const Graph graph = two_layers();
    const Json json = core_json(graph, plan_of(graph), Json{{"file", "x"}});
    CHECK(json["schema"] == "n6vp.generate/2");
    CHECK(json["network"] == "two\x1b");
    CHECK(json["target"] == "cortex-m4");
    CHECK(json["name"] == "network");
    CHECK(json["network_macs"] == 192);
    CHECK(json["weights_bytes"] == 512);
    CHECK(json["activations_bytes"] == 64);
    CHECK(json["container"] == Json{{"file", "x"}});
    CHECK(json["inputs"] == Json::array({{{"name", "t0"},
                                          {"shape", {1, 8}},
                                          {"type", "int8"},
                                          {"scale", 0.5},
                                          {"zero_point", 3},
                                          {"bytes", 8},
                                          {"offset", 16}}}));
    CHECK(json["outputs"] == Json::array({{{"name", "t4"},
                                           {"shape", {1, 4}},
                                           {"type", "int8"},
                                           {"scale", 16.0},
                                           {"zero_point", 0},
                                           {"bytes", 4},
                                           {"offset", 48}}}));
    REQUIRE(json["layers"].size() == 2);
    CHECK(json["layers"][1] == Json{{"layer", 7},
                                    {"operator", "FULLY_CONNECTED"},
                                    {"kernel", "kernel_dense"},
                                    {"choice", "four channels"},
                                    {"output_shape", {1, 4}},
                                    {"network_macs", 64},
                                    {"weights_bytes", 128},
                                    {"output_bytes", 4},
                                    {"scratch_bytes", 32}});
    const Json user = core_json(graph, plan_of(graph, true), Json(nullptr));
    CHECK_FALSE(user.contains("container"));
    CHECK(user["inputs"][0]["offset"].is_null());
    CHECK(user["outputs"][0]["offset"].is_null());
}

TEST_CASE("core source: unsigned ends, pictures, nodes and the kernels they are made for") {
    GraphBuilder b;
    const TensorId in = b.input({1, 6, 5, 3}, 0.25F, 128);
    b.graph.tensors[in].type = ElementType::Uint8;
    const TensorId out = b.activation({1, 6, 5, 3}, 0.25F, 0);
    b.node(Quantize{}, {in}, out);
    b.graph.nodes[0].layer = 0x10005;
    const CorePlan plan = plan_of(b.graph, false, "cortex-m55");
    const std::string source = core_source(b.graph, plan, "");
    for (const char* part :
         {"#include \"legacy_model.h\"\n#include \"kernels.h\"\n\n"
          "#if !defined(__ARM_FEATURE_MVE)\n"
          "#error \"made for the Cortex-M55: compile with -mcpu=cortex-m55\"\n#endif\n",
          "/* Layer 65541 of the network: QUANTIZE. */\nstatic void node_0(void) {\n",
          // The number of the operator counts from 1, that of the layer has 16 bits.
          "static const struct legacy_node nodes[] = {\n    {node_0, 14, 5},\n};\n",
          "static ai_u32 input_0_shape[] = LEGACY_SHAPE(1, 3, 5, 6);\n"
          "static ai_float input_0_meta_scale[] = {0x1p-2f};\n"
          "static ai_u8 input_0_meta_zero[] = {128};\n"
          "static ai_intq_info input_0_meta_info = {input_0_meta_scale, input_0_meta_zero};\n",
          "LEGACY_QUANTISED_S8(output_0_meta, 0x1p-2f, 0);\n",
          "    LEGACY_BUFFER(AI_BUFFER_FORMAT_U8, 90, input_0_shape, &input_0_meta),\n",
          "    LEGACY_BUFFER(AI_BUFFER_FORMAT_S8, 90, output_0_shape, &output_0_meta),\n",
          "static ai_u32 weights_shape[] = LEGACY_SHAPE(1, 256, 1, 1);\n"
          "static ai_buffer weights[] = {LEGACY_BYTES(256, weights_shape)};\n",
          "static ai_u32 activations_shape[] = LEGACY_SHAPE(1, 192, 1, 1);\n"}) {
        CAPTURE(part);
        CHECK(contains(source, part));
    }
    CHECK(contains(core_source(b.graph, plan_of(b.graph), ""),
                   "#if defined(__ARM_FEATURE_MVE)\n#error \"made for the Cortex-M4: compile with "
                   "-mcpu=cortex-m4\"\n"));
}

TEST_CASE("core source: a model without weights or activations says so") {
    GraphBuilder b;
    MaxPool pool;
    pool.window = {2, 2, 2, 2, {}};
    const TensorId in = b.input({1, 4, 4, 1}, 1, 0);
    b.node(pool, {in}, b.activation({1, 2, 2, 1}, 1, 0));
    const CorePlan plan = plan_of(b.graph, true);
    const std::string source = core_source(b.graph, plan, "unused");
    CHECK(contains(source, "\nN6VP_LEGACY_NO_WEIGHTS;\nN6VP_LEGACY_NO_ACTIVATIONS;\n"));
    CHECK(contains(source, "N6VP_LEGACY_MODEL(\"network\", 0, 0, .signature"));
    CHECK(
        contains(source, ".n_weights = 0,\n                  .n_activations = 0, .n_nodes = 1);"));
    CHECK_FALSE(contains(source, "weights = weights"));
    CHECK_FALSE(contains(source, "activations = activations"));
    CHECK(core_weights_source(plan, "w") ==
          "/* Generated by n6vp. */\n#include \"network_data.h\"\n\nextern const ai_u8 w[];\n"
          "AI_ALIGNED(16) const ai_u8 w[] = {0};\n");
}

TEST_CASE("core source: parts of an output, and weights 24 in a line") {
    const Graph graph = joined(2);
    CorePlan plan = plan_of(graph);
    const std::string source = core_source(graph, plan, "");
    CHECK(
        contains(source,
                 "    kernel_copy(legacy_input(0), 4, legacy_output(0), 8, 4, 1);\n"
                 "    kernel_copy(legacy_input(1), 4, (ai_u8*)legacy_output(0) + 4, 8, 4, 1);\n"));
    plan.weights.assign(25, 7);
    plan.weights[24] = 255;
    std::string line = "\n    ";
    for (int i = 0; i < 24; ++i) line += "7,";
    CHECK(contains(core_weights_source(plan, "w"), "w[] = {" + line + "\n    255,\n};\n"));
}

TEST_CASE("core client: what headers of the static form are made of") {
    GraphBuilder b;
    const TensorId in = b.input({1, 6, 5, 3}, 0.25F, 128);
    b.graph.tensors[in].type = ElementType::Uint8;
    b.node(Quantize{}, {in}, b.activation({1, 6, 5, 3}, 0.25F, 0));
    b.graph.name = "made of";
    const ClientNetwork client = core_client(b.graph, plan_of(b.graph));
    CHECK(client.name == "network");
    CHECK(client.origin == "made of");
    REQUIRE(client.inputs.size() == 1);
    CHECK(client.inputs[0].format == "U8");
    CHECK(client.inputs[0].height == 6);
    CHECK(client.inputs[0].width == 5);
    CHECK(client.inputs[0].channel == 3);
    CHECK(client.inputs[0].bytes == 90);
    REQUIRE(client.outputs.size() == 1);
    CHECK(client.outputs[0].format == "S8");
    CHECK(client.activations == std::vector<std::uint64_t>{192});
    CHECK(client.weights == std::vector<std::uint64_t>{256});
    CHECK(client.nodes == 1);
    CHECK(client.inputs_in_activations);
    CHECK(client.outputs_in_activations);
    const ClientNetwork user = core_client(b.graph, plan_of(b.graph, true));
    CHECK_FALSE(user.inputs_in_activations);
    CHECK_FALSE(user.outputs_in_activations);
    CHECK(user.activations.empty());
    // One dimension is that of channels.
    const Graph graph = two_layers();
    CHECK(core_client(graph, plan_of(graph)).inputs[0].channel == 8);
    CHECK(core_client(graph, plan_of(graph)).inputs[0].height == 1);
}

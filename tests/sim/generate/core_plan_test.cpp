// SPDX-License-Identifier: Apache-2.0
// Memory and C source of models for cores without an NPU, without a compiler.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/cores/core_source.h"
#include "sim/generate/cores/core_target.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;

namespace {

/// Two fully connected layers, 8 to 16 to 4, with biases.
Graph two_layers() {
    GraphBuilder builder;
    const TensorId in = builder.input({1, 8}, 0.5F, 3);
    const TensorId first = builder.weights({16, 8}, {0.25F}, 0, std::vector<int>(128, 5));
    const TensorId bias = builder.bias(std::vector<std::int32_t>(16, 9));
    const TensorId between = builder.activation({1, 16}, 4.0F, -3);
    builder.node(FullyConnected{}, {in, first, bias}, between);
    const TensorId second = builder.weights({4, 16}, {0.25F}, 0, std::vector<int>(64, -7));
    const TensorId out = builder.activation({1, 4}, 16.0F, 0);
    builder.node(FullyConnected{}, {between, second}, out);
    return builder.graph;
}

CorePlan plan_of(const Graph& graph, bool user = false) {
    CoreOptions options;
    options.target = &core_target("cortex-m4");
    options.user_inputs = options.user_outputs = user;
    return plan_core_model(graph, options);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("core plan: constants have no place in the activations, all other tensors have one") {
    const Graph graph = two_layers();
    const CorePlan plan = plan_of(graph);
    std::uint32_t end = 0;
    for (TensorId id = 0; id < graph.tensors.size(); ++id) {
        CAPTURE(id);
        CHECK(plan.place(id).has_value() == !graph.tensors[id].is_constant());
        if (!plan.place(id)) continue;
        const std::uint32_t behind = *plan.place(id) + graph.tensors[id].bytes();
        CHECK(behind <= plan.activation_bytes);
        end = std::max(end, behind);
    }
    CHECK(end <= plan.activation_bytes);
    // 8, 16 and 4 bytes, each to a multiple of 32 at most, and the layers' scratch memory.
    std::uint32_t scratch = 0;
    for (const CorePlan::Layer& layer : plan.layers) scratch += (layer.work.scratch + 31) / 32 * 32;
    CHECK(plan.activation_bytes <= 3 * 32 + scratch);
    CHECK(plan.macs == 8 * 16 + 16 * 4);
}

TEST_CASE("core plan: tensors that are needed at the same time do not overlap") {
    const Graph graph = two_layers();
    const CorePlan plan = plan_of(graph);
    for (const Node& node : graph.nodes) {
        const std::uint32_t from = plan.place(node.inputs[0]).value();
        const std::uint32_t to = plan.place(node.outputs[0]).value();
        const std::uint32_t read = graph.tensors[node.inputs[0]].bytes();
        const std::uint32_t written = graph.tensors[node.outputs[0]].bytes();
        CHECK((from + read <= to || to + written <= from));
    }
}

TEST_CASE("core plan: the user's inputs and outputs take nothing of the activations") {
    const Graph graph = two_layers();
    const CorePlan plan = plan_of(graph, true), whole = plan_of(graph);
    CHECK_FALSE(plan.place(graph.inputs[0]).has_value());
    CHECK_FALSE(plan.place(graph.outputs[0]).has_value());
    CHECK(plan.place(graph.nodes[0].outputs[0]).has_value());
    CHECK(plan.activation_bytes < whole.activation_bytes);
}

TEST_CASE("core source: weights come from the one buffer of weights at the layer's offset") {
    const Graph graph = two_layers();
    const CorePlan plan = plan_of(graph);
    REQUIRE(plan.layers.size() == 2);
    REQUIRE(plan.layers[1].weights > 0);
    const std::string source = core_source(graph, plan, "");
    CHECK(contains(source, "legacy_weight(0, " + std::to_string(plan.layers[0].weights) + ")"));
    CHECK(contains(source, "legacy_weight(0, " + std::to_string(plan.layers[1].weights) + ")"));
    CHECK_FALSE(contains(source, "legacy_weight(1"));
    CHECK_FALSE(contains(source, "legacy_activation(1"));
    // The first tensors of the network are known by their numbers, those between by their places.
    CHECK(contains(source, "legacy_input(0)"));
    CHECK(contains(source, "legacy_output(0)"));
    const std::uint32_t between = plan.place(graph.nodes[0].outputs[0]).value();
    CHECK(contains(source, "legacy_activation(0, " + std::to_string(between) + ")"));
    CHECK(contains(source, ".n_inputs = 1, .n_outputs = 1, .n_weights = 1,"));
    CHECK(contains(source, ".n_activations = 1, .n_nodes = 2);"));
    CHECK(contains(source, ".macc = 192,"));
    CHECK(contains(source, "\nN6VP_LEGACY_WEIGHT_TABLE(NULL);\n"));
    CHECK(contains(source, "N6VP_LEGACY_ACTIVATION_TABLE(NULL);\n"));
    CHECK(contains(source, "static ai_u32 input_0_shape[] = LEGACY_SHAPE(1, 8, 1, 1);\n"));
    CHECK(contains(source, "static ai_u32 output_0_shape[] = LEGACY_SHAPE(1, 4, 1, 1);\n"));
    CHECK(contains(source, "LEGACY_QUANTISED_S8(input_0_meta, 0x1p-1f, 3);\n"));
    CHECK(contains(source, "LEGACY_QUANTISED_S8(output_0_meta, 0x1p+4f, 0);\n"));
}

TEST_CASE("core source: in an application the weights are an array by its name") {
    const Graph graph = two_layers();
    const CorePlan plan = plan_of(graph, true);
    const std::string source = core_source(graph, plan, "my_weights");
    CHECK(contains(source, "extern const ai_u8 my_weights[];\n"));
    CHECK(contains(source, "\nN6VP_LEGACY_WEIGHT_TABLE((ai_handle)my_weights);\n"));
    CHECK(contains(source,
                   "static const struct legacy_place input_places[] = {\n"
                   "    {kLegacyUser, 0},\n};\n"));
    CHECK(contains(source,
                   "static const struct legacy_place output_places[] = {\n"
                   "    {kLegacyUser, 0},\n};\n"));
    CHECK(contains(core_weights_source(plan, "my_weights"), "my_weights["));
}

TEST_CASE("core target: every name of a target, of its core and of its compiler") {
    struct Named {
        const char *core, *title, *fpu;
        unsigned number;
        bool helium, small_cache;
        std::vector<const char*> names;
    };
    const std::vector<Named> all = {
        {"cortex-m4",
         "Cortex-M4",
         "fpv4-sp-d16",
         4,
         false,
         true,
         {"stm32f3", "stm32f4", "stm32g4", "stm32l4", "stm32l4r", "stm32wb", "F303", "l4s5",
          "STM32WB55", "g474", "stm32f429zi"}},
        {"cortex-m7",
         "Cortex-M7",
         "fpv5-sp-d16",
         7,
         false,
         false,
         {"stm32f7", "stm32h7", "f746", "H743", "stm32h7a3"}},
        {"cortex-m33",
         "Cortex-M33",
         "fpv5-sp-d16",
         33,
         false,
         false,
         {"stm32l5", "stm32u5", "l562", "u599"}},
        {"cortex-m55", "Cortex-M55", "auto", 55, true, false, {"CORTEX-M55"}}};
    for (const Named& each : all) {
        const CoreTarget& core = core_target(each.core);
        CHECK(std::string(core.name) == each.core);
        CHECK(std::string(core.title) == each.title);
        CHECK(std::string(core.fpu) == each.fpu);
        CHECK(core.number == each.number);
        CHECK(core.helium == each.helium);
        CHECK(core.flash_cache_is_small == each.small_cache);
        for (const char* name : each.names) CHECK_MESSAGE(&core_target(name) == &core, name);
    }
    CHECK_THROWS_WITH_AS(static_cast<void>(core_target("stm32u6")), "no target 'stm32u6'",
                         n6vp::sim::UserError);
    CHECK(core_target_names() ==
          "stm32f3|stm32f4|stm32g4|stm32l4|stm32l4r|stm32wb|stm32l5|stm32u5|stm32f7|stm32h7|"
          "cortex-m4|cortex-m33|cortex-m7|cortex-m55");
}

// SPDX-License-Identifier: Apache-2.0
// Layers of every form on each core without an NPU: the kernels that were chosen run by `n6vp
// exec`, installed in place and copied. Convolutions are compared with sums in real numbers; all
// with TFLite's integer arithmetic, which agrees with the interpreter's recorded outputs.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/generate/cores/core_build.h"
#include "sim/generate/operators/evaluate.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/models/layer_builder.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using namespace n6vp::sim::generate;

namespace {

/// Networks side by side in one.
Graph joined(const std::vector<Graph>& parts) {
    Graph all;
    all.name = "layers";
    for (const Graph& part : parts) {
        const auto base = static_cast<TensorId>(all.tensors.size());
        const auto moved = [&](std::vector<TensorId> ids) {
            for (TensorId& id : ids) id = id == kNoTensor ? id : id + base;
            return ids;
        };
        const auto append = [&](std::vector<TensorId>& to, const std::vector<TensorId>& from) {
            for (const TensorId id : moved(from)) to.push_back(id);
        };
        all.tensors.insert(all.tensors.end(), part.tensors.begin(), part.tensors.end());
        for (const Node& node : part.nodes) {
            all.nodes.push_back({node.op, moved(node.inputs), moved(node.outputs),
                                 static_cast<std::uint32_t>(all.nodes.size())});
        }
        append(all.inputs, part.inputs);
        append(all.outputs, part.outputs);
    }
    return all;
}

std::string run_on_core(const Graph& graph, const std::string& core,
                        const std::vector<Picture>& inputs) {
    CoreOptions options;
    options.target = &core_target(core);
    const BuiltCoreModel built =
        build_core_model(graph, plan_core_model(graph, options), CoreBuildOptions{});
    const ScratchFolder folder;
    static_cast<void>(folder.write("network_rel.bin", built.packed.file));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        static_cast<void>(
            folder.write("input_" + std::to_string(i) + ".bin",
                         std::vector<std::uint8_t>(inputs[i].begin(), inputs[i].end())));
    }
    const Outcome outcome =
        run_process({N6VP_BINARY, "exec", std::string(N6VP_PROGRAMS "/") + core + ".elf", "--core",
                     core, "--vectors", "0x24000000", "--files", folder.file("")});
    if (outcome.exit_code != 0) throw std::runtime_error(core + ": " + outcome.out + outcome.err);
    std::string got = read_text(folder.file("xip.bin"));
    CHECK(got == read_text(folder.file("copy.bin")));
    return got;
}

/// A layer and whether its result is known in real numbers to be the same.
struct Case {
    Graph graph;
    bool in_real_numbers = true;
};

void check_on(const std::string& core, const std::vector<Case>& cases) {
    std::vector<Graph> graphs;
    std::vector<Picture> all_inputs;
    std::string expected;
    for (const Case& each : cases) {
        graphs.push_back(each.graph);
        std::vector<Picture> inputs;
        std::vector<std::vector<std::uint8_t>> bytes;
        for (const TensorId id : each.graph.inputs) {
            inputs.push_back(random_picture(each.graph.tensors[id],
                                            static_cast<std::uint32_t>(all_inputs.size() + 7)));
            bytes.emplace_back(inputs.back().begin(), inputs.back().end());
            all_inputs.push_back(inputs.back());
        }
        const std::vector<std::uint8_t> result =
            evaluate(each.graph, bytes)[each.graph.outputs.front()];
        if (each.in_real_numbers) {
            const Picture real = exact_layer(each.graph, inputs);
            // A result near a half may be rounded to the other side: factors have 31 bits.
            const Agreement agreement = compare(Picture(result.begin(), result.end()), real);
            CAPTURE(operator_name(each.graph.nodes.front().op));
            CAPTURE(all_inputs.size());
            CHECK(agreement.within_one == agreement.elements);
            CHECK(agreement.equal + 1 >= agreement.elements);
        }
        expected.append(result.begin(), result.end());
    }
    const std::string got = run_on_core(joined(graphs), core, all_inputs);
    REQUIRE(got.size() == expected.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Graph& graph = graphs[i];
        const std::size_t bytes = graph.tensors[graph.outputs.front()].bytes();
        CAPTURE(core);
        CAPTURE(operator_name(graph.nodes.front().op));
        CAPTURE(i);
        CHECK(got.substr(at, bytes) == expected.substr(at, bytes));
        at += bytes;
    }
}

Conv2D convolution(Window window, Activation activation = Activation::None) {
    Conv2D op;
    op.window = window;
    op.activation = activation;
    return op;
}
DepthwiseConv2D depthwise(Window window, std::uint32_t multiplier = 1) {
    DepthwiseConv2D op;
    op.window = window;
    op.depth_multiplier = multiplier;
    return op;
}

/// The first channel has no effect: next to no scale, a bias of many steps.
Graph with_dead_channel(Graph graph) {
    graph.tensors[1].quantisation.scale[0] = 1e-12F;
    graph.tensors[2].constant[3] = 0x20;
    return graph;
}

std::vector<Case> convolutions() {
    Conv2D dilated = convolution({3, 3, 1, 1, {2, 2, 2, 2}});
    dilated.dilation_height = dilated.dilation_width = 2;
    return {
        // Stride 2, pads at one side, three channels, limits, an odd number of kernels and pixels.
        {convolution_graph(convolution({3, 3, 2, 2, {0, 1, 0, 1}}, Activation::Relu6),
                           {1, 15, 11, 3}, {1, 7, 5, 5}, {5, 3, 3, 3}, -128, 1)},
        {convolution_graph(convolution({3, 3, 1, 1, {1, 1, 1, 1}}), {1, 6, 7, 8}, {1, 6, 7, 12},
                           {12, 3, 3, 8}, -9, 2)},
        {convolution_graph(convolution({10, 4, 2, 2, {4, 5, 1, 1}}), {1, 49, 10, 1}, {1, 25, 5, 6},
                           {6, 10, 4, 1}, 83, 3)},
        {convolution_graph(convolution({}), {1, 7, 5, 20}, {1, 7, 5, 7}, {7, 1, 1, 20}, 127, 4)},
        {convolution_graph(convolution({1, 1, 2, 2, {}}), {1, 8, 9, 6}, {1, 4, 5, 2}, {2, 1, 1, 6},
                           3, 5)},
        // Sums of several segments.
        {convolution_graph(convolution({3, 3, 1, 1, {1, 1, 1, 1}}), {1, 3, 3, 160}, {1, 3, 3, 4},
                           {4, 3, 3, 160}, -128, 6)},
        {convolution_graph(dilated, {1, 9, 8, 5}, {1, 9, 8, 3}, {3, 3, 3, 5}, 11, 7), false},
        {with_dead_channel(convolution_graph(convolution({}), {1, 3, 3, 16}, {1, 3, 3, 8},
                                             {8, 1, 1, 16}, -128, 8)),
         false}};
}

std::vector<Case> depthwise_and_dense() {
    return {{convolution_graph(depthwise({3, 3, 1, 1, {1, 1, 1, 1}}), {1, 13, 6, 10},
                               {1, 13, 6, 10}, {1, 3, 3, 10}, -128, 11)},
            {convolution_graph(depthwise({3, 3, 2, 2, {0, 1, 0, 1}}), {1, 12, 10, 7}, {1, 6, 5, 7},
                               {1, 3, 3, 7}, 4, 12)},
            {convolution_graph(depthwise({3, 3, 1, 2, {1, 1, 1, 1}}), {1, 5, 9, 4}, {1, 5, 5, 4},
                               {1, 3, 3, 4}, -77, 13)},
            {convolution_graph(depthwise({5, 3, 1, 1, {2, 2, 1, 1}}), {1, 8, 7, 4}, {1, 8, 7, 4},
                               {1, 5, 3, 4}, 0, 14)},
            {convolution_graph(depthwise({3, 3, 1, 1, {1, 1, 1, 1}}, 3), {1, 5, 4, 2}, {1, 5, 4, 6},
                               {1, 3, 3, 6}, 20, 15)},
            {convolution_graph(FullyConnected{}, {1, 65}, {1, 9}, {9, 65}, -128, 16)},
            {convolution_graph(FullyConnected{}, {1, 640}, {1, 6}, {6, 640}, 90, 17)},
            {convolution_graph(FullyConnected{}, {5, 24}, {5, 3}, {3, 24}, -1, 18), false}};
}

std::vector<Case> others() {
    const Shape4 shape = {1, 6, 5, 3};
    const Tensor in = quantised("in", shape, 0.05F, -7);
    MaxPool largest;
    largest.window = {3, 2, 2, 1, {1, 1, 0, 1}};
    AveragePool average;
    average.window = {2, 3, 2, 2, {0, 0, 1, 1}};
    Resize bilinear;
    bilinear.mode = ResizeMode::Bilinear;
    bilinear.half_pixel_centers = true;
    Mean mean;
    mean.axes = {1, 2};
    Pad pad;
    pad.amounts = {{0, 0}, {1, 2}, {0, 3}, {2, 0}};
    pad.value = -7;
    return {{plain_graph(largest, {in}, quantised("out", {1, 3, 5, 3}, 0.05F, -7)), false},
            {plain_graph(average, {in}, quantised("out", {1, 3, 3, 3}, 0.05F, -7)), false},
            {plain_graph(bilinear, {in}, quantised("out", {1, 11, 7, 3}, 0.05F, -7)), false},
            {plain_graph(mean, {in}, quantised("out", {1, 3}, 0.03F, 5)), false},
            {plain_graph(pad, {in}, quantised("out", {1, 9, 8, 5}, 0.05F, -7)), false},
            {plain_graph(Softmax{}, {in}, quantised("out", shape, 1.0F / 256, -128)), false},
            {plain_graph(Logistic{}, {in}, quantised("out", shape, 1.0F / 256, -128)), false}};
}

/// Two inputs, of which the second repeats.
std::vector<Case> pairs() {
    const Tensor left = quantised("left", {1, 4, 5, 6}, 0.05F, -7);
    const Tensor right = quantised("right", {1, 1, 1, 6}, 0.02F, 100);
    const Tensor same = quantised("same", {1, 4, 5, 6}, 0.08F, 0);
    const Tensor out = quantised("out", {1, 4, 5, 6}, 0.06F, 12);
    Add limited;
    limited.activation = Activation::Relu;
    return {{plain_graph(Add{}, {left, right}, out), false},
            {plain_graph(limited, {left, same}, out), false},
            {plain_graph(Sub{}, {same, left}, out), false},
            {plain_graph(Mul{}, {left, same}, out), false}};
}

}  // namespace

TEST_SUITE("layers on cores without an NPU") {
    TEST_CASE(
        "target: a series with or without its stm32, a part number and the core are the same") {
        const CoreTarget* const m33 = &core_target("cortex-m33");
        for (const char* name :
             {"stm32u5", "u5", "U5", "stm32u575", "STM32U585AII6", "u575", "stm32l5"})
            CHECK_MESSAGE(&core_target(name) == m33, name);
        CHECK(&core_target("l4r5") == &core_target("cortex-m4"));
        CHECK(&core_target("h7a3") == &core_target("cortex-m7"));
        for (const char* name : {"", "stm32", "cortex-m3", "cortex-m4f", "m4", "x5"})
            CHECK_THROWS_AS(static_cast<void>(core_target(name)), n6vp::sim::UserError);
    }

    TEST_CASE("convolutions: Cortex-M4") {
        check_on("cortex-m4", convolutions());
    }
    TEST_CASE("convolutions: Cortex-M55") {
        check_on("cortex-m55", convolutions());
    }
    TEST_CASE("depthwise and fully connected: Cortex-M4") {
        check_on("cortex-m4", depthwise_and_dense());
    }
    TEST_CASE("depthwise and fully connected: Cortex-M55") {
        check_on("cortex-m55", depthwise_and_dense());
    }
    TEST_CASE("pools, means, pads, resizes, tables: Cortex-M33") {
        check_on("cortex-m33", others());
    }
    TEST_CASE("sums and products: Cortex-M7") {
        check_on("cortex-m7", pairs());
    }
}

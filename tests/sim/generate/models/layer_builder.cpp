// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/generate/models/layer_builder.h"

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "tests/support/process.h"

namespace n6vp::test {

using namespace sim::generate;

namespace {

void put32(std::vector<std::uint8_t>& bytes, std::int32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> shift));
    }
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Tensor quantised(const std::string& name, Shape4 shape, float scale, std::int32_t zero_point) {
    Tensor tensor;
    tensor.name = name;
    tensor.shape = std::move(shape);
    tensor.quantisation = {{scale}, {zero_point}, 0};
    return tensor;
}

Graph convolution_graph(Operator op, Shape4 in, Shape4 out, Shape4 weights, std::int32_t zero,
                        std::uint32_t seed) {
    Sequence random(seed);
    const std::uint32_t kernels = out.back();
    Tensor w = quantised("weights", std::move(weights), 0, 0);
    const bool depthwise = std::holds_alternative<DepthwiseConv2D>(op);
    w.quantisation = {{}, {}, depthwise ? static_cast<std::uint32_t>(w.shape.size() - 1) : 0u};
    for (std::uint32_t i = 0; i < w.element_count(); ++i) {
        w.constant.push_back(static_cast<std::uint8_t>(random.between(-127, 127)));
    }
    const std::uint32_t terms = w.element_count() / kernels;
    Tensor bias = quantised("bias", {kernels}, 0, 0);
    bias.type = ElementType::Int32;
    for (std::uint32_t k = 0; k < kernels; ++k) {
        // Scales within a factor of four, so that the sums of each channel reach about the range.
        w.quantisation.scale.push_back(static_cast<float>(random.between(25, 100)) * 0.00003F);
        w.quantisation.zero_point.push_back(0);
        put32(bias.constant, random.between(-4000, 4000));
    }
    bias.quantisation = w.quantisation;
    // A standard deviation of about 50 steps: features are uniform around -zero, weights around 0.
    const float spread =
        std::sqrt(static_cast<float>(terms) * (74.0F * 74 + static_cast<float>(zero * zero)));
    const float output_scale = 0.02F * 0.0019F * 73 * spread / 50;
    Graph graph;
    graph.name = "layer";
    graph.tensors = {quantised("in", std::move(in), 0.02F, zero), std::move(w), std::move(bias),
                     quantised("out", std::move(out), output_scale, -20)};
    graph.nodes.push_back({std::move(op), {0, 1, 2}, {3}, 0});
    graph.inputs = {0};
    graph.outputs = {3};
    return graph;
}

Graph plain_graph(Operator op, std::vector<Tensor> inputs, Tensor output) {
    Graph graph;
    graph.name = "layer";
    graph.tensors = std::move(inputs);
    Node node{std::move(op), {}, {}, 0};
    for (TensorId id = 0; id < graph.tensors.size(); ++id) node.inputs.push_back(id);
    graph.inputs = node.inputs;
    node.outputs = {static_cast<TensorId>(graph.tensors.size())};
    graph.outputs = node.outputs;
    graph.tensors.push_back(std::move(output));
    graph.nodes.push_back(std::move(node));
    return graph;
}

Picture random_picture(const Tensor& tensor, std::uint32_t seed) {
    Sequence random(seed);
    Picture picture(tensor.element_count());
    for (std::int8_t& value : picture) {
        value = static_cast<std::int8_t>(random.between(-128, 127));
    }
    return picture;
}

Picture run_on_chip(const Graph& graph, const Setup& setup, const std::vector<Picture>& inputs) {
    LoweringOptions options;
    options.activations = default_activation_pools();
    if (setup.copy_weights) options.weights_copy = default_weights_pool();
    const BuiltModel built = build_model(lower_graph(graph, options), setup.build);
    const ScratchFolder folder;
    const std::string file = folder.write("network_rel.bin", built.packed.file);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::vector<std::uint8_t> bytes(inputs[i].begin(), inputs[i].end());
        static_cast<void>(folder.write("input_" + std::to_string(i) + ".bin", bytes));
    }
    const Outcome outcome = run_process(
        {N6VP_BINARY, "run", "--boot", "reset", "--max-time", "2s", "--elf", N6VP_CHIP_FIRMWARE,
         "--image", "0x71000000=" + file, "--files", folder.file(""), "--arguments",
         "infer files mode=" + std::to_string(setup.mode)});
    const std::vector<std::uint8_t> bytes = read_bytes(folder.file("output_0.bin"));
    if (outcome.exit_code != 0 || bytes.empty()) {
        throw std::runtime_error("exit code " + std::to_string(outcome.exit_code) + "\n" +
                                 outcome.out + outcome.err);
    }
    // An assumption that the model of the NPU notes is no error; anything else would be one.
    for (const char* word : {"npu_refused", "npu_illegal", "stale", "uninitialised"}) {
        if ((outcome.out + outcome.err).find(word) != std::string::npos) {
            throw std::runtime_error(outcome.out + outcome.err);
        }
    }
    return {bytes.begin(), bytes.end()};
}

}  // namespace n6vp::test

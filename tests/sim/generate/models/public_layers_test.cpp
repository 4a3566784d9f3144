// SPDX-License-Identifier: Apache-2.0
// Every layer of the public networks by itself, on the simulated chip, with the inputs that it has
// in the network: its outputs are those of TFLite's integer kernels.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "sim/generate/operators/evaluate.h"
#include "sim/generate/operators/import.h"
#include "tests/sim/generate/models/layer_builder.h"

using namespace n6vp::test;
using namespace n6vp::sim::generate;
namespace fs = std::filesystem;

namespace {

const fs::path kNetworks = N6VP_NETWORKS;

/// What follows the head of a .npy file of format 1.
std::vector<std::uint8_t> npy(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    REQUIRE(file.size() > 10);
    const std::size_t head =
        static_cast<std::uint8_t>(file[8]) + std::size_t{256} * static_cast<std::uint8_t>(file[9]);
    return {file.begin() + static_cast<std::ptrdiff_t>(10 + head), file.end()};
}

Picture picture(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

/// A network of one node; tensors are copied in the order of its inputs.
struct OneLayer {
    Graph graph;
    std::vector<Picture> inputs;
};
OneLayer one_layer(const Graph& network, const Node& node, const TensorValues& values) {
    OneLayer layer;
    layer.graph.name = "layer";
    Node copy = node;
    const auto add = [&](TensorId& id) {
        layer.graph.tensors.push_back(network.tensors[id]);
        id = static_cast<TensorId>(layer.graph.tensors.size() - 1);
    };
    for (TensorId& id : copy.inputs) {
        if (id == kNoTensor) continue;
        if (!network.tensors[id].is_constant()) {
            layer.inputs.push_back(picture(values[id]));
            layer.graph.inputs.push_back(static_cast<TensorId>(layer.graph.tensors.size()));
        }
        add(id);
    }
    add(copy.outputs[0]);
    layer.graph.outputs = copy.outputs;
    layer.graph.nodes.push_back(std::move(copy));
    return layer;
}

/// At most one element of `per_difference` is another, and by one step.
void check_layers(const std::string& name, std::size_t per_difference) {
    const Graph network = read_tflite((kNetworks / (name + ".tflite")).string());
    const std::vector<std::vector<std::uint8_t>> input = {
        npy(kNetworks / "expected" / name / "rand1_in.npy")};
    const TensorValues values = evaluate(network, input);
    std::size_t elements = 0, differences = 0;
    for (const Node& node : network.nodes) {
        if (std::holds_alternative<Reshape>(node.op)) continue;
        const OneLayer layer = one_layer(network, node, values);
        const Picture got = run_on_chip(layer.graph, {}, layer.inputs);
        const Agreement agreement = compare(got, picture(values[node.outputs[0]]));
        CAPTURE(node.layer);
        CHECK(agreement.largest <= 1);
        elements += agreement.elements;
        differences += agreement.elements - agreement.equal;
        if (agreement.equal == agreement.elements) continue;
        MESSAGE(name << ", layer " << node.layer << " " << operator_name(node.op) << ": "
                     << agreement.elements - agreement.equal << " of " << agreement.elements
                     << " differ");
    }
    MESSAGE(name << ": " << differences << " of " << elements << " differ");
    REQUIRE(elements > 0);
    CHECK(differences * per_difference <= elements);
}

}  // namespace

TEST_CASE("anomaly detection: every layer with its own inputs") {
    check_layers("ad01_int8", 10'000);
}
TEST_CASE("keyword spotting: every layer with its own inputs") {
    check_layers("kws_ref_model", 10'000);
}
TEST_CASE("picture classes: every layer with its own inputs") {
    check_layers("pretrainedResnet_quant", 10'000);
}
TEST_CASE("persons in pictures: every layer with its own inputs") {
    check_layers("vww_96_int8", 10'000);
}

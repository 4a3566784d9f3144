// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "sim/generate/operators/evaluate.h"
#include "sim/generate/operators/import.h"
#include "sim/generate/operators/lower_graph.h"
#include "sim/generate/operators/table.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/tflite_builder.h"

using namespace n6vp::sim;
using namespace n6vp::sim::generate;
using namespace n6vp::test;

namespace {

const std::string kFolder = N6VP_NETWORKS;

/// Returns "cause | remedy" of the refusal, or "accepted".
std::string verdict(const std::vector<std::uint8_t>& file) {
    try {
        static_cast<void>(import_tflite(file, "test"));
        return "accepted";
    } catch (const UserError& error) {
        return std::string(error.what()) + " | " + error.remedy();
    }
}

std::string verdict(const FileNetwork& network) {
    return verdict(network.file());
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Requires that a change of the small convolution is refused with `part` in the message.
void expect_refusal(const std::string& part, const std::function<void(FileNetwork&)>& change) {
    FileNetwork network = small_convolution();
    change(network);
    const std::string found = verdict(network);
    CAPTURE(part);
    CAPTURE(found);
    CHECK(contains(found, part));
}

struct Expected {
    const char* file;
    std::size_t nodes;
    std::uint64_t products;
    std::vector<std::uint32_t> input, output;
};

}  // namespace

TEST_CASE("the public networks are taken over whole") {
    // Numbers of layers and shapes as Netron shows them; products counted by hand from the shapes.
    const std::vector<Expected> networks = {
        {"ad01_int8", 10, 264192, {1, 640}, {1, 640}},
        {"kws_ref_model", 13, 2656768, {1, 49, 10, 1}, {1, 12}},
        {"pretrainedResnet_quant", 16, 12501632, {1, 32, 32, 3}, {1, 10}},
        {"vww_96_int8", 31, 7489664, {1, 96, 96, 3}, {1, 2}},
    };
    for (const Expected& expected : networks) {
        CAPTURE(expected.file);
        const Graph graph = read_tflite(kFolder + "/" + expected.file + ".tflite");
        CHECK(graph.name == expected.file);
        CHECK(graph.nodes.size() == expected.nodes);
        std::uint64_t products = 0;
        for (const Node& node : graph.nodes) products += multiply_accumulates(graph, node);
        CHECK(products == expected.products);
        REQUIRE(graph.inputs.size() == 1);
        REQUIRE(graph.outputs.size() == 1);
        CHECK(graph.tensors[graph.inputs[0]].shape == expected.input);
        CHECK(graph.tensors[graph.outputs[0]].shape == expected.output);
    }
}

TEST_CASE("attributes, quantisation and constants of a convolution arrive") {
    const Graph graph = read_tflite(kFolder + "/kws_ref_model.tflite");
    // Layer 0: 10x4 kernels, stride 2, SAME over 49x10: 25x5, nine lines and two columns of
    // padding.
    const auto* const conv = std::get_if<Conv2D>(&graph.nodes[0].op);
    REQUIRE(conv != nullptr);
    CHECK(conv->window.height == 10);
    CHECK(conv->window.width == 4);
    CHECK(conv->window.stride_height == 2);
    CHECK(conv->window.pads.top == 4);
    CHECK(conv->window.pads.bottom == 5);
    CHECK(conv->window.pads.left == 1);
    CHECK(conv->window.pads.right == 1);
    CHECK(conv->activation == Activation::Relu);
    const Tensor& weights = graph.weights(graph.nodes[0]);
    CHECK(weights.quantisation.scale.size() == 64);
    CHECK(weights.quantisation.scale[0] == 0.0013318449491634965F);
    CHECK(graph.tensors[graph.inputs[0]].zero_point_of(0) == 83);
    const auto* const depthwise = std::get_if<DepthwiseConv2D>(&graph.nodes[1].op);
    REQUIRE(depthwise != nullptr);
    CHECK(depthwise->depth_multiplier == 1);
    CHECK(graph.weights(graph.nodes[1]).quantisation.axis == 3);
    const auto* const pool = std::get_if<AveragePool>(&graph.nodes[9].op);
    REQUIRE(pool != nullptr);
    CHECK(pool->window.height == 25);
    CHECK(pool->window.width == 5);
    CHECK_FALSE(pool->window.pads.any());
    CHECK(std::holds_alternative<Reshape>(graph.nodes[10].op));
    // The shape of the reshape is an attribute.
    CHECK(graph.nodes[10].inputs.size() == 1);
    CHECK(std::get<Softmax>(graph.nodes[12].op).beta == 1.0F);
}

TEST_CASE("the small convolution is accepted as it is") {
    CHECK(verdict(small_convolution()) == "accepted");
}

TEST_CASE("a small network of every operator is accepted and evaluated") {
    std::vector<std::int32_t> codes;
    for (const NamedNetwork& item : small_networks()) {
        CAPTURE(item.name);
        CHECK(verdict(item.network) == "accepted");
        const Graph graph = import_tflite(item.network.file(), item.name);
        std::vector<std::vector<std::uint8_t>> inputs;
        for (const TensorId id : graph.inputs) inputs.emplace_back(graph.tensors[id].bytes());
        const TensorValues values = evaluate(graph, inputs);
        CHECK(values[graph.outputs[0]].size() == graph.tensors[graph.outputs[0]].bytes());
        for (const FileOperator& op : item.network.operators) codes.push_back(op.code);
    }
    for (const OperatorRule& rule : operator_rules()) {
        CAPTURE(rule.code);
        CHECK(std::count(codes.begin(), codes.end(), rule.code) > 0);
    }
}

TEST_CASE("what is not supported is refused with layer, reason and the nearest form") {
    const std::string message = verdict([] {
        FileNetwork network = small_convolution();
        network.operators[0].code = 117;
        return network;
    }());
    CHECK(message == "layer 0 (HARD_SWISH): not supported | supported: RELU6");
    expect_refusal("CUSTOM Mine\\x1b", [](FileNetwork& network) {
        network.operators[0].code = 32;
        network.operators[0].custom = "Mine\x1b";
    });
    expect_refusal("operator 140", [](FileNetwork& network) { network.operators[0].code = 140; });
    expect_refusal("layer 0 (CONV_2D, 'out'): its input is float32",
                   [](FileNetwork& network) { network.tensors[0].type = 0; });
    expect_refusal("int8 quantisation", [](FileNetwork& network) { network.tensors[0].type = 0; });
    expect_refusal("its input is int16", [](FileNetwork& network) {
        network.tensors[0].type = 7;
        network.tensors[0].zero_point = {0};
    });
    expect_refusal("element type 17", [](FileNetwork& network) { network.tensors[1].type = 17; });
    expect_refusal("its weights are float32", [](FileNetwork& network) {
        network.tensors[1].type = 0;
        network.tensors[1].data.resize(std::size_t{54} * 4);
    });
    expect_refusal("fused activation 4", [](FileNetwork& network) {
        network.operators[0].options.number(3, std::int8_t{4});
    });
}

TEST_CASE("shapes that do not fit each other are refused") {
    expect_refusal("is not fixed", [](FileNetwork& network) { network.tensors[0].shape[0] = -1; });
    expect_refusal("is not fixed", [](FileNetwork& network) { network.tensors[0].shape[1] = 0; });
    expect_refusal("2^28", [](FileNetwork& network) {
        network.tensors[0].shape = {1, 65536, 65536, 2};
    });
    expect_refusal("7 dimensions",
                   [](FileNetwork& network) { network.tensors[0].shape = {1, 1, 1, 1, 1, 1, 1}; });
    expect_refusal("shape [2, 4, 4, 2]",
                   [](FileNetwork& network) { network.tensors[0].shape[0] = 2; });
    expect_refusal("its inputs make [1, 4, 4, 3]",
                   [](FileNetwork& network) { network.tensors[3].shape[1] = 5; });
    expect_refusal("channels of the input",
                   [](FileNetwork& network) { network.tensors[0].shape[3] = 3; });
    expect_refusal("2 biases for 3 channels", [](FileNetwork& network) {
        network.tensors[2].shape = {2};
        network.tensors[2].scale = {1.0F};
        network.tensors[2].zero_point = {0};
        network.tensors[2].data.resize(8);
    });
    expect_refusal("stride or dilation 0", [](FileNetwork& network) {
        network.operators[0].options.number(1, std::int32_t{0});
    });
    expect_refusal("stride or dilation -5", [](FileNetwork& network) {
        network.operators[0].options.number(5, std::int32_t{-5});
    });
    expect_refusal("a window of 9 on an image of 4", [](FileNetwork& network) {
        network.operators[0].options.number(0, std::int8_t{1}).number(5, std::int32_t{4});
    });
    expect_refusal("padding 7", [](FileNetwork& network) {
        network.operators[0].options.number(0, std::int8_t{7});
    });
}

TEST_CASE("quantisation that means nothing is refused") {
    expect_refusal("not a positive number",
                   [](FileNetwork& network) { network.tensors[0].scale = {0.0F}; });
    expect_refusal("not a positive number", [](FileNetwork& network) {
        network.tensors[0].scale = {std::numeric_limits<float>::quiet_NaN()};
    });
    expect_refusal("zero point 200",
                   [](FileNetwork& network) { network.tensors[0].zero_point = {200}; });
    expect_refusal("1 scales but 2 zero points", [](FileNetwork& network) {
        network.tensors[0].zero_point = {0, 0};
    });
    expect_refusal("have a zero point",
                   [](FileNetwork& network) { network.tensors[1].zero_point[1] = 4; });
    expect_refusal("2 scales for another number", [](FileNetwork& network) {
        network.tensors[1].scale.pop_back();
        network.tensors[1].zero_point.pop_back();
    });
    expect_refusal("along dimension 1", [](FileNetwork& network) { network.tensors[1].axis = 1; });
    expect_refusal("another number of channels",
                   [](FileNetwork& network) { network.tensors[1].axis = 9; });
    expect_refusal("has a scale per channel", [](FileNetwork& network) {
        network.tensors[0].scale = {1.0F, 1.0F};
        network.tensors[0].zero_point = {0, 0};
        network.tensors[0].axis = 3;
    });
    expect_refusal("its input has no scale",
                   [](FileNetwork& network) { network.tensors[0].scale.clear(); });
    expect_refusal("out of proportion", [](FileNetwork& network) {
        network.tensors[0].scale = {1e30F};
        network.tensors[3].scale = {1e-3F};
    });
}

TEST_CASE("padding to another scale or zero point is refused, with and without a value") {
    constexpr std::int32_t kPad = 34, kPadV2 = 60;
    for (const std::int32_t code : {kPad, kPadV2}) {
        const std::string name = code == kPad ? "(PAD," : "(PADV2,";
        for (const bool scale : {false, true}) {
            CAPTURE(name);
            CAPTURE(scale);
            FileNetwork network;
            std::size_t padding = 0;
            for (const NamedNetwork& each : small_networks()) {
                for (std::size_t i = 0; i < each.network.operators.size(); ++i) {
                    if (each.network.operators[i].code != code) continue;
                    network = each.network;
                    padding = i;
                }
            }
            REQUIRE_FALSE(network.operators.empty());
            const auto output = static_cast<std::size_t>(network.operators[padding].outputs[0]);
            if (scale) {
                network.tensors[output].scale = {0.125F};
            } else {
                network.tensors[output].zero_point = {-9};
            }
            const std::string found = verdict(network);
            CAPTURE(found);
            CHECK(contains(found, name));
            CHECK(contains(found, "different scales or zero points"));
        }
    }
}

TEST_CASE("tensors that are used wrongly are refused") {
    expect_refusal("tensor 9 of 4",
                   [](FileNetwork& network) { network.operators[0].inputs[0] = 9; });
    expect_refusal("tensor -2", [](FileNetwork& network) { network.operators[0].inputs[0] = -2; });
    expect_refusal("input 0 is left out",
                   [](FileNetwork& network) { network.operators[0].inputs[0] = -1; });
    expect_refusal("used before it is computed",
                   [](FileNetwork& network) { network.inputs.clear(); });
    expect_refusal("given twice", [](FileNetwork& network) { network.inputs = {0, 0}; });
    expect_refusal("never computed", [](FileNetwork& network) { network.outputs = {1}; });
    expect_refusal("no output", [](FileNetwork& network) { network.outputs.clear(); });
    expect_refusal("no operator", [](FileNetwork& network) { network.operators.clear(); });
    expect_refusal("computed twice",
                   [](FileNetwork& network) { network.operators.push_back(network.operators[0]); });
    expect_refusal("its weights are computed", [](FileNetwork& network) {
        network.tensors[1].data.clear();
        network.inputs.push_back(1);
    });
    expect_refusal("a constant of 53 bytes needs 54",
                   [](FileNetwork& network) { network.tensors[1].data.pop_back(); });
    expect_refusal("4 inputs", [](FileNetwork& network) {
        network.operators[0].inputs = {0, 1, 2, 2};
    });
    expect_refusal("2 outputs", [](FileNetwork& network) {
        network.operators[0].outputs = {3, 0};
    });
}

TEST_CASE("a bias whose scales stand along a dimension that it has not is accepted") {
    // As older converters write it: the dimension is the weights', a bias has but one.
    FileNetwork network = small_convolution();
    network.tensors[2].axis = 3;
    CHECK(verdict(network) == "accepted");
    network.tensors[2].scale.pop_back();
    network.tensors[2].zero_point.pop_back();
    CHECK(verdict(network) == "accepted");
    expect_refusal("zero point 7 of a tensor of int32",
                   [](FileNetwork& bias) { bias.tensors[2].zero_point[2] = 7; });
}

TEST_CASE("a convolution without bias is accepted") {
    for (const std::vector<std::int32_t>& inputs :
         {std::vector<std::int32_t>{0, 1}, std::vector<std::int32_t>{0, 1, -1}}) {
        FileNetwork network = small_convolution();
        network.operators[0].inputs = inputs;
        const Graph graph = import_tflite(network.file(), "test");
        CHECK_FALSE(graph.nodes[0].has_bias());
        CHECK(graph.tensors.size() == 3);  // the bias is left behind
    }
}

TEST_CASE("files that are no networks are refused") {
    CHECK(contains(verdict(std::vector<std::uint8_t>{}), "no TFLite file"));
    CHECK(contains(verdict(small_convolution().model().file("TFL2")), "no TFLite file"));
    FlatObject old = small_convolution().model();
    old.number(0, std::uint32_t{2});
    CHECK(contains(verdict(old.file()), "schema version 2"));
    FlatObject empty = small_convolution().model();
    empty.tables(2, {});
    CHECK(contains(verdict(empty.file()), "0 subgraphs"));
    FlatObject nothing = small_convolution().model();
    nothing.tables(4, {});
    CHECK(contains(verdict(nothing.file()), "names buffer 0 of 0"));
}

TEST_CASE("every truncation of a file is refused") {
    const std::vector<std::uint8_t> whole = small_convolution().file();
    REQUIRE(verdict(whole) == "accepted");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        const std::vector<std::uint8_t> part(whole.begin(),
                                             whole.begin() + static_cast<std::ptrdiff_t>(length));
        CHECK(verdict(part) != "accepted");
    }
}

TEST_CASE("damage in any byte is refused or harmless") {
    const std::vector<std::uint8_t> whole = small_convolution().file();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
            std::vector<std::uint8_t> damaged = whole;
            damaged[at] = static_cast<std::uint8_t>(value);
            if (verdict(damaged) != "accepted") ++refused;
        }
    }
    CHECK(refused > whole.size());
}

TEST_CASE("a name from the file cannot reach the terminal raw") {
    FileNetwork network = small_convolution();
    network.tensors[3].name = "out\x1b[2J";
    network.tensors[0].type = 0;
    const std::string message = verdict(network);
    CHECK(contains(message, "out\\x1b[2J"));
    CHECK_FALSE(contains(message, "\x1b"));
}

TEST_CASE("data shared by very many tensors are refused before memory runs out") {
    FileNetwork network = small_convolution();
    FlatObject model = network.model();
    // One buffer of 64 KiB, named by 400 weights: 25 MiB of copies from a small file.
    const std::vector<std::uint8_t> data(65536);
    std::vector<FlatObject> tensors;
    FlatObject quantisation;
    quantisation.numbers(2, std::vector<float>{1.0F}).numbers(3, std::vector<std::int64_t>{0});
    std::vector<FlatObject> nodes;
    const auto add_tensor = [&](const std::vector<std::int32_t>& shape, std::uint32_t buffer) {
        tensors.push_back(FlatObject{}
                              .numbers(0, shape)
                              .number(1, std::int8_t{9})
                              .number(2, buffer)
                              .table(4, quantisation));
        return static_cast<std::int32_t>(tensors.size()) - 1;
    };
    std::int32_t previous = add_tensor({1, 256}, 0);
    for (int i = 0; i < 400; ++i) {
        const std::int32_t weights = add_tensor({256, 256}, 1);
        const std::int32_t next = add_tensor({1, 256}, 0);
        nodes.push_back(FlatObject{}
                            .numbers(1, std::vector<std::int32_t>{previous, weights})
                            .numbers(2, std::vector<std::int32_t>{next}));
        previous = next;
    }
    FlatObject subgraph;
    subgraph.tables(0, tensors).numbers(1, std::vector<std::int32_t>{0});
    subgraph.numbers(2, std::vector<std::int32_t>{previous}).tables(3, nodes);
    FlatObject code;
    code.number(0, std::int8_t{9});
    model.tables(1, {code}).tables(2, {subgraph});
    model.tables(4, {FlatObject{}, FlatObject{}.numbers(0, data)});
    CHECK(contains(verdict(model.file()), "a great many tensors"));
}

TEST_CASE("lowering takes what the table of operators says") {
    std::map<std::int32_t, bool> lowered;
    for (const NamedNetwork& item : small_networks()) {
        const Graph whole = import_tflite(item.network.file(), item.name);
        for (const Node& node : whole.nodes) {
            Graph one = whole;
            one.nodes = {node};
            one.inputs.clear();
            for (const TensorId id : node.inputs) {
                const auto& known = one.inputs;
                const bool again = std::find(known.begin(), known.end(), id) != known.end();
                if (!again && !whole.tensors[id].is_constant()) one.inputs.push_back(id);
            }
            one.outputs = node.outputs;
            bool& taken = lowered[item.network.operators[node.layer].code];
            try {
                LoweringOptions options;
                options.activations = default_activation_pools();
                static_cast<void>(lower_graph(one, options));
                taken = true;
            } catch (const UserError&) {
            }
        }
    }
    for (const OperatorRule& rule : operator_rules()) {
        CAPTURE(tflite::builtin_name(rule.code));
        CHECK(lowered[rule.code] == !std::string(rule.generated).empty());
    }
}

TEST_CASE("every rule has a name and its own code") {
    std::vector<std::string> names;
    for (const OperatorRule& rule : operator_rules()) {
        REQUIRE(tflite::builtin_name(rule.code) != nullptr);
        names.emplace_back(tflite::builtin_name(rule.code));
        CHECK(find_rule(rule.code) == &rule);
    }
    CHECK(std::is_sorted(names.begin(), names.end()));
    // Codes of the schema that a wrong list of names would shift.
    CHECK(std::string(tflite::builtin_name(3)) == "CONV_2D");
    CHECK(std::string(tflite::builtin_name(97)) == "RESIZE_NEAREST_NEIGHBOR");
    CHECK(std::string(tflite::builtin_name(114)) == "QUANTIZE");
    CHECK(tflite::builtin_name(-1) == nullptr);
    CHECK(tflite::builtin_name(127) == nullptr);
}

namespace {

/// Returns what lowering says to a file, or "lowered".
std::string lowering_verdict(const FileNetwork& network) {
    try {
        LoweringOptions options;
        options.activations = default_activation_pools();
        static_cast<void>(lower_graph(import_tflite(network.file(), "test"), options));
        return "lowered";
    } catch (const UserError& error) {
        return error.what();
    }
}

FileNetwork pair_network(std::int32_t code, const FileTensor& x, const FileTensor& y,
                         const FileTensor& out) {
    FileNetwork network;
    network.tensors = {x, y, out};
    for (std::int32_t i = 0; i < 2; ++i) {
        if (network.tensors[static_cast<std::size_t>(i)].data.empty()) network.inputs.push_back(i);
    }
    network.operators = {{code, {0, 1}, {2}, {}, ""}};
    network.outputs = {2};
    return network;
}

}  // namespace

TEST_CASE("lowering: data inputs that are constants") {
    FileNetwork network = small_convolution();
    network.tensors[0].data.assign(32, 1);
    network.inputs.clear();
    CHECK(contains(lowering_verdict(network), "an input that is a constant"));
    const FileTensor picture{.shape = {1, 2, 2, 3}};
    const FileTensor constant{.shape = {1, 2, 2, 3}, .data = std::vector<std::uint8_t>(12, 7)};
    for (const std::int32_t code : {0, 18, 41}) {  // ADD, MUL, SUB
        CAPTURE(code);
        CHECK(lowering_verdict(pair_network(code, picture, constant, picture)) == "lowered");
        CHECK(lowering_verdict(pair_network(code, constant, picture, picture)) == "lowered");
        CHECK(lowering_verdict(pair_network(code, constant, constant, picture)) == "lowered");
    }
    const FileTensor joined{.shape = {2, 2, 2, 3}};
    CHECK(lowering_verdict(pair_network(2, picture, constant, joined)) == "lowered");
}

TEST_CASE("a negation to another scale is refused, as the library's kernel refuses it") {
    FileNetwork network;
    network.tensors = {{.shape = {4}, .scale = {0.5F}}, {.shape = {4}, .scale = {0.25F}}};
    network.operators = {{59, {0}, {1}, {}, ""}};
    network.inputs = {0};
    network.outputs = {1};
    CHECK(contains(verdict(network), "layer 0 (NEG, 't'): input and output have different scales"));
    network.tensors[1].scale = {0.5F};
    CHECK(verdict(network) == "accepted");
    CHECK(lowering_verdict(network) == "lowered");
}

TEST_CASE("lowering: an input without a scale that nobody looks at") {
    FileNetwork network = small_convolution();
    network.inputs.push_back(static_cast<std::int32_t>(network.tensors.size()));
    network.tensors.push_back({.shape = {4}, .type = 2, .scale = {}, .zero_point = {}});
    CHECK(contains(lowering_verdict(network), "not quantised as a whole"));
}

TEST_CASE("lowering: operands of as many elements that repeat crosswise") {
    const auto tensor = [](std::int32_t height, std::int32_t width) {
        return FileTensor{.shape = {1, height, width, 3}};
    };
    Graph graph =
        import_tflite(pair_network(0, tensor(4, 1), tensor(1, 4), tensor(4, 4)).file(), "t");
    LoweringOptions options;
    options.activations = default_activation_pools();
    const ModelPlan plan = lower_graph(graph, options);
    // The units would read 48 elements of tensors that have 12.
    REQUIRE(std::holds_alternative<CoreEpoch>(plan.epochs.at(0)));
    CHECK(std::get<CoreEpoch>(plan.epochs[0]).inputs[0].bytes == 12);
}

TEST_CASE("lowering: scales out of proportion") {
    const float least = std::numeric_limits<float>::denorm_min();
    const float most = std::numeric_limits<float>::max();
    for (const float in : {least, 1e-20F, 1.0F, 1e20F, most}) {
        for (const float out : {least, 1e-20F, 1.0F, 1e20F, most}) {
            CAPTURE(in);
            CAPTURE(out);
            const FileTensor x{.shape = {1, 2, 2, 3}, .scale = {in}};
            const FileTensor y{.shape = {1, 2, 2, 3}, .scale = {out}};
            const bool refused = in / out > 20'000;
            CHECK((lowering_verdict(pair_network(0, x, x, y)) == "lowered") == !refused);
            FileNetwork change = pair_network(114, x, y, y);
            change.operators[0].inputs = {0};
            change.inputs = {0};
            CHECK((lowering_verdict(change) == "lowered") == !refused);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Networks of one operator, each with one property that the operator does not take.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/generate/operators/import.h"
#include "sim/generate/operators/lower_graph.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/tflite_builder.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;

namespace {

// Operator codes and element types of the schema.
constexpr std::int32_t kAdd = 0, kAverage = 1, kConcat = 2, kConv = 3, kDepthwise = 4, kFull = 9,
                       kLogistic = 14, kMax = 17, kMul = 18, kRelu = 19, kReluN1 = 20, kRelu6 = 21,
                       kReshape = 22, kBilinear = 23, kSoftmax = 25, kPad = 34, kMean = 40,
                       kSub = 41, kSqueeze = 43, kNeg = 59, kPadV2 = 60, kExpand = 70,
                       kNearest = 97, kQuantize = 114;
constexpr std::int8_t kFloat32 = 0, kInt32 = 2, kUint8 = 3, kInt16 = 7, kInt8 = 9;

const char* const kSame = "the same scale and zero point on both sides";
const char* const kFile = "a file as the converter writes it";

/// What an operator asks of its tensors.
struct Demands {
    std::int32_t code = 0;
    const char* name = "";
    std::size_t least = 1, most = 1;                ///< inputs
    std::vector<const char*> data = {"its input"};  ///< inputs with one scale, in messages
    bool unsigned_too = false;
    bool same = false;    ///< scale and zero point of the output are the input's
    bool shape = true;    ///< the output has the one shape that the inputs make
    std::size_t nth = 0;  ///< of the small networks' operators with this code
};

const std::vector<const char*> kPair = {"its first input", "its second input"};

std::vector<Demands> all_demands() {
    return {
        {.code = kAdd, .name = "ADD", .least = 2, .most = 2, .data = kPair, .nth = 1},
        {.code = kSub, .name = "SUB", .least = 2, .most = 2, .data = kPair, .nth = 1},
        {.code = kMul, .name = "MUL", .least = 2, .most = 2, .data = kPair},
        {.code = kAverage, .name = "AVERAGE_POOL_2D", .same = true},
        {.code = kMax, .name = "MAX_POOL_2D", .same = true},
        {.code = kMean, .name = "MEAN", .least = 2, .most = 2},
        {.code = kConv, .name = "CONV_2D", .least = 2, .most = 3},
        {.code = kDepthwise, .name = "DEPTHWISE_CONV_2D", .least = 2, .most = 3},
        {.code = kFull, .name = "FULLY_CONNECTED", .least = 2, .most = 3, .shape = false},
        {.code = kConcat,
         .name = "CONCATENATION",
         .most = 64,
         .data = {"an input"},
         .unsigned_too = true,
         .same = true,
         .shape = false},
        {.code = kReshape,
         .name = "RESHAPE",
         .most = 2,
         .unsigned_too = true,
         .same = true,
         .shape = false},
        {.code = kSqueeze,
         .name = "SQUEEZE",
         .most = 2,
         .unsigned_too = true,
         .same = true,
         .shape = false},
        {.code = kExpand,
         .name = "EXPAND_DIMS",
         .most = 2,
         .unsigned_too = true,
         .same = true,
         .shape = false},
        {.code = kPad, .name = "PAD", .least = 2, .most = 2, .same = true},
        {.code = kPadV2, .name = "PADV2", .least = 3, .most = 3, .same = true},
        {.code = kNearest, .name = "RESIZE_NEAREST_NEIGHBOR", .least = 2, .most = 2, .same = true},
        {.code = kBilinear, .name = "RESIZE_BILINEAR", .least = 2, .most = 2, .same = true},
        {.code = kNeg, .name = "NEG"},
        {.code = kRelu, .name = "RELU"},
        {.code = kRelu6, .name = "RELU6"},
        {.code = kReluN1, .name = "RELU_N1_TO_1"},
        {.code = kQuantize, .name = "QUANTIZE", .unsigned_too = true},
        {.code = kLogistic, .name = "LOGISTIC"},
        {.code = kSoftmax, .name = "SOFTMAX"}};
}

/// Returns the operator of a small network as a network of its own.
FileNetwork single(std::int32_t code, std::size_t nth = 0) {
    for (const NamedNetwork& each : small_networks()) {
        for (const FileOperator& op : each.network.operators) {
            if (op.code != code || nth-- != 0) continue;
            FileNetwork network = each.network;
            network.operators = {op};
            network.inputs.clear();
            for (const std::int32_t id : op.inputs) {
                if (network.tensors[static_cast<std::size_t>(id)].data.empty())
                    network.inputs.push_back(id);
            }
            network.outputs = op.outputs;
            for (FileTensor& tensor : network.tensors) tensor.name = "t";
            return network;
        }
    }
    REQUIRE_MESSAGE(false, "no such operator");
    return {};
}

FileTensor& input(FileNetwork& network, std::size_t index = 0) {
    return network.tensors.at(static_cast<std::size_t>(network.operators[0].inputs.at(index)));
}
FileTensor& output(FileNetwork& network) {
    return network.tensors.at(static_cast<std::size_t>(network.operators[0].outputs.at(0)));
}

std::string verdict(const FileNetwork& network) {
    try {
        static_cast<void>(import_tflite(network.file(), "test"));
        return "accepted";
    } catch (const n6vp::sim::UserError& error) {
        return std::string(error.what()) + " | " + error.remedy();
    }
}

std::string refusal(const char* name, const std::string& reason, const std::string& nearest) {
    return std::string("layer 0 (") + name + ", 't'): " + reason + " | supported: " + nearest;
}

void give_type(FileTensor& tensor, std::int8_t type) {
    tensor.type = type;
    tensor.zero_point = {0};
}

/// A scale for each index of the longest dimension.
void give_scales(FileTensor& tensor) {
    const auto longest = std::max_element(tensor.shape.begin(), tensor.shape.end());
    tensor.axis = static_cast<std::int32_t>(longest - tensor.shape.begin());
    tensor.scale.assign(static_cast<std::size_t>(*longest), 0.5F);
    tensor.zero_point.assign(tensor.scale.size(), 0);
}

/// What no tensor of data may be, with the reason.
void check_data(const Demands& one, const std::string& what,
                const std::function<FileTensor&(FileNetwork&)>& tensor) {
    const auto check = [&](const std::string& reason, const std::string& nearest,
                           const std::function<void(FileTensor&)>& change) {
        FileNetwork network = single(one.code, one.nth);
        change(tensor(network));
        CHECK(verdict(network) == refusal(one.name, what + reason, nearest));
    };
    const char* const types = one.unsigned_too ? "int8 or uint8" : "int8";
    check(" is float32: the network is not quantised here",
          "full int8 quantisation, inputs and outputs too (inference_input_type = "
          "inference_output_type = tf.int8)",
          [](FileTensor& t) { give_type(t, kFloat32); });
    check(" is int16", types, [](FileTensor& t) { give_type(t, kInt16); });
    check(" is int32", types, [](FileTensor& t) { give_type(t, kInt32); });
    if (!one.unsigned_too) check(" is uint8", types, [](FileTensor& t) { give_type(t, kUint8); });
    check(" has no scale", "quantised tensors with scale and zero point",
          [](FileTensor& t) { t.scale.clear(); });
    check(" has a scale per channel", "one scale; weights may have many", give_scales);
}

std::string shape_text(const std::vector<std::int32_t>& shape) {
    std::string text = "[";
    for (const std::int32_t length : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(length);
    return text + "]";
}

/// One wrong property, and what is said of it.
struct Wrong {
    std::int32_t code;
    const char* name;
    const char* reason;
    const char* nearest;
    std::function<void(FileNetwork&)> change;
};

void check_all(const std::vector<Wrong>& list) {
    for (const Wrong& one : list) {
        FileNetwork network = single(one.code);
        one.change(network);
        CHECK(verdict(network) == refusal(one.name, one.reason, one.nearest));
    }
}

FlatObject& options(FileNetwork& network) {
    return network.operators[0].options;
}

/// Adds a constant as a further input.
void add_bias(FileNetwork& network, std::int32_t count, std::int8_t type = kInt32) {
    const std::size_t bytes = type == kInt32 ? 4 : 1;
    network.operators[0].inputs.push_back(static_cast<std::int32_t>(network.tensors.size()));
    network.tensors.push_back(
        {.shape = {count},
         .type = type,
         .data = std::vector<std::uint8_t>(static_cast<std::size_t>(count) * bytes)});
}

}  // namespace

TEST_CASE("operators: each is accepted alone") {
    for (const Demands& one : all_demands()) {
        CAPTURE(one.name);
        CHECK(verdict(single(one.code, one.nth)) == "accepted");
    }
}

TEST_CASE("operators: each has its number of inputs and one output") {
    for (const Demands& one : all_demands()) {
        const FileNetwork whole = single(one.code, one.nth);
        const std::string range =
            one.least == one.most ? std::to_string(one.least)
                                  : std::to_string(one.least) + " to " + std::to_string(one.most);
        for (const std::size_t count : {one.least - 1, one.most + 1}) {
            FileNetwork network = whole;
            network.operators[0].inputs.resize(count, whole.operators[0].inputs[0]);
            CHECK(verdict(network) == refusal(one.name, std::to_string(count) + " inputs", range));
        }
        for (std::size_t i = 0; i < one.least; ++i) {
            FileNetwork network = whole;
            network.operators[0].inputs[i] = -1;
            CHECK(verdict(network) ==
                  refusal(one.name, "input " + std::to_string(i) + " is left out", "all inputs"));
        }
        FileNetwork network = whole;
        network.operators[0].outputs.push_back(network.operators[0].outputs[0]);
        CHECK(verdict(network) == refusal(one.name, "2 outputs", "one output"));
    }
}

TEST_CASE("operators: each names the type and the scales of its data that it does not take") {
    for (const Demands& one : all_demands()) {
        for (std::size_t i = 0; i < one.data.size(); ++i) {
            CAPTURE(i);
            check_data(one, one.data[i],
                       [i](FileNetwork& network) -> FileTensor& { return input(network, i); });
        }
        if (!one.same) check_data(one, "its output", output);
    }
}

TEST_CASE("operators: those that only move data keep type, scale and zero point") {
    const char* const kDiffer = "input and output have different scales or zero points";
    for (const Demands& one : all_demands()) {
        if (!one.same) continue;
        const std::string expected = refusal(one.name, kDiffer, kSame);
        FileNetwork network = single(one.code, one.nth);
        output(network).scale = {0.125F};
        CHECK(verdict(network) == expected);
        network = single(one.code, one.nth);
        output(network).zero_point = {-9};
        CHECK(verdict(network) == expected);
        network = single(one.code, one.nth);
        output(network).type = kUint8;
        CHECK(verdict(network) == expected);
    }
    // Any of the tensors that are joined, not the first alone.
    FileNetwork network = single(kConcat);
    input(network, 1).scale = {0.125F};
    CHECK(verdict(network) == refusal("CONCATENATION", kDiffer, kSame));
    network = single(kConcat);
    input(network, 1).type = kInt16;
    input(network, 1).data.resize(24);
    input(network, 1).zero_point = {0};
    CHECK(verdict(network) == refusal("CONCATENATION", "an input is int16", "int8 or uint8"));
}

TEST_CASE("operators: unsigned bytes pass where they are only moved or rescaled") {
    for (const std::int32_t code : {kReshape, kSqueeze, kExpand, kConcat, kQuantize}) {
        CAPTURE(code);
        FileNetwork network = single(code);
        for (const std::int32_t id : network.operators[0].inputs) {
            FileTensor& tensor = network.tensors[static_cast<std::size_t>(id)];
            if (tensor.type == kInt8) tensor.type = kUint8;
        }
        if (code != kQuantize) output(network).type = kUint8;
        CHECK(verdict(network) == "accepted");
    }
    FileNetwork network = single(kQuantize);
    give_type(output(network), kUint8);
    CHECK(verdict(network) == "accepted");
}

TEST_CASE("operators: an output of another shape is refused with both shapes") {
    for (const Demands& one : all_demands()) {
        if (!one.shape) continue;
        const std::vector<std::int32_t> right = [&] {
            FileNetwork network = single(one.code, one.nth);
            return output(network).shape;
        }();
        for (std::size_t i = 0; i <= right.size(); ++i) {
            FileNetwork network = single(one.code, one.nth);
            std::vector<std::int32_t>& shape = output(network).shape;
            if (i < right.size()) {
                ++shape[i];
            } else {
                shape.push_back(1);
            }
            CHECK(verdict(network) == refusal(one.name,
                                              "its output has shape " + shape_text(shape) +
                                                  ", its inputs make " + shape_text(right),
                                              kFile));
        }
    }
}

TEST_CASE("operators: feature maps have four dimensions and batch 1") {
    const std::map<std::int32_t, const char*> names = {{kConv, "CONV_2D"},
                                                       {kDepthwise, "DEPTHWISE_CONV_2D"},
                                                       {kAverage, "AVERAGE_POOL_2D"},
                                                       {kMax, "MAX_POOL_2D"},
                                                       {kNearest, "RESIZE_NEAREST_NEIGHBOR"},
                                                       {kBilinear, "RESIZE_BILINEAR"}};
    for (const auto& [code, name] : names) {
        FileNetwork network = single(code);
        input(network).shape[0] = 2;
        CHECK(verdict(network) == refusal(name, "shape " + shape_text(input(network).shape),
                                          "[1, height, width, channels]"));
        network = single(code);
        input(network).shape.pop_back();
        CHECK(verdict(network) == refusal(name, "shape " + shape_text(input(network).shape),
                                          "[1, height, width, channels]"));
    }
}

TEST_CASE("operators: weights and biases that do not fit") {
    struct Layer {
        std::int32_t code;
        const char* name;
        std::int32_t channels, axis;
    };
    for (const Layer& layer :
         {Layer{kConv, "CONV_2D", 3, 0}, Layer{kDepthwise, "DEPTHWISE_CONV_2D", 4, 3},
          Layer{kFull, "FULLY_CONNECTED", 3, 0}}) {
        const auto check = [&](const std::string& reason, const std::string& nearest,
                               const std::function<void(FileNetwork&)>& change) {
            FileNetwork network = single(layer.code);
            network.operators[0].inputs.resize(2);
            change(network);
            CHECK(verdict(network) == refusal(layer.name, reason, nearest));
        };
        check("its weights are computed", "constant weights", [](FileNetwork& network) {
            input(network, 1).data.clear();
            network.inputs.push_back(network.operators[0].inputs[1]);
        });
        check("its weights are uint8", "int8 weights with scales",
              [](FileNetwork& network) { input(network, 1).type = kUint8; });
        check("its weights are int8 without a scale", "int8 weights with scales",
              [](FileNetwork& network) { input(network, 1).scale.clear(); });
        check("its weights have a zero point", "symmetric weights: zero point 0",
              [](FileNetwork& network) { input(network, 1).zero_point.back() = 1; });
        check("a scale is out of proportion", "scales of the converter",
              [](FileNetwork& network) { input(network, 1).scale.back() = 1e30F; });
        check("its weights have scales along dimension 1",
              "scales along dimension " + std::to_string(layer.axis) + ", the output channels",
              [](FileNetwork& network) {
                  FileTensor& weights = input(network, 1);
                  weights.axis = 1;
                  weights.scale.assign(static_cast<std::size_t>(weights.shape[1]), 0.5F);
                  weights.zero_point.assign(weights.scale.size(), 0);
              });
        for (const std::int32_t count : {layer.channels - 1, layer.channels + 1}) {
            check(std::to_string(count) + " biases for " + std::to_string(layer.channels) +
                      " channels",
                  "one per output channel",
                  [&](FileNetwork& network) { add_bias(network, count); });
        }
        check("its bias is int8", "int32, or no bias",
              [&](FileNetwork& network) { add_bias(network, layer.channels, kInt8); });
        check("its bias is computed", "a constant bias", [&](FileNetwork& network) {
            add_bias(network, layer.channels);
            network.tensors.back().data.clear();
            network.inputs.push_back(network.operators[0].inputs.back());
        });
        FileNetwork network = single(layer.code);
        network.operators[0].inputs.resize(2);
        add_bias(network, layer.channels);
        CHECK(verdict(network) == "accepted");
    }
}

TEST_CASE("operators: what else one of them does not take") {
    const char* const kDepthwiseWeights =
        "its weights are not [1, height, width, channels * multiplier]";
    const char* const kWhole = "a whole number of outputs per channel";
    const char* const kFullWeights = "its weights are not [outputs, inputs]";
    const char* const kRows = "rows as long as the weights";
    const char* const kFullShape = "its output has another shape than its inputs make";
    const char* const kSizes = "its new size is none";
    const char* const kTwo = "two constants above 0 and up to 65536";
    check_all(
        {{kDepthwise, "DEPTHWISE_CONV_2D", kDepthwiseWeights, kWhole,
          [](FileNetwork& n) {
              input(n, 1).shape = {3, 2, 4};
          }},
         {kDepthwise, "DEPTHWISE_CONV_2D", kDepthwiseWeights, kWhole,
          [](FileNetwork& n) {
              input(n, 1).shape = {2, 3, 1, 4};
          }},
         {kDepthwise, "DEPTHWISE_CONV_2D", kDepthwiseWeights, kWhole,
          [](FileNetwork& n) {
              input(n, 1).shape = {1, 4, 2, 3};
          }},
         {kFull, "FULLY_CONNECTED", kFullWeights, kRows,
          [](FileNetwork& n) {
              input(n, 1).shape = {3, 2, 1};
          }},
         {kFull, "FULLY_CONNECTED", kFullWeights, kRows,
          [](FileNetwork& n) {
              input(n, 1).shape = {2, 3};
          }},
         {kFull, "FULLY_CONNECTED", "its weights are shuffled", "weights in their natural order",
          [](FileNetwork& n) { options(n).number(1, std::int8_t{1}); }},
         {kFull, "FULLY_CONNECTED", kFullShape, kFile,
          [](FileNetwork& n) {
              output(n).shape = {1, 4};
          }},
         {kFull, "FULLY_CONNECTED", kFullShape, kFile,
          [](FileNetwork& n) {
              output(n).shape = {2, 3};
          }},
         {kFull, "FULLY_CONNECTED", kFullShape, kFile,
          [](FileNetwork& n) {
              output(n).shape = {3, 1};
          }},
         {kReshape, "RESHAPE", "its input and output have different numbers of elements",
          "equal numbers",
          [](FileNetwork& n) {
              output(n).shape = {1, 5};
          }},
         {kMean, "MEAN", "an axis is none of its dimensions", "existing axes",
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({1, 4});
          }},
         {kMean, "MEAN", "an axis is none of its dimensions", "existing axes",
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({-5, 2});
          }},
         {kMean, "MEAN", "input 1 is int8", "int32 or int64",
          [](FileNetwork& n) {
              input(n, 1).type = kInt8;
              input(n, 1).data.resize(2);
          }},
         {kPad, "PAD", "6 amounts for 4 dimensions", "two per dimension",
          [](FileNetwork& n) {
              input(n, 1).shape = {3, 2};
              input(n, 1).data.resize(24);
          }},
         {kPad, "PAD", "an amount below 0 or above 2^20", "amounts that fit the image",
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({0, 0, -1, 0, 0, 1, 0, 0});
          }},
         {kPad, "PAD", "an amount below 0 or above 2^20", "amounts that fit the image",
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({0, 0, 0, -1, 0, 1, 0, 0});
          }},
         {kPad, "PAD", "an amount below 0 or above 2^20", "amounts that fit the image",
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({0, 0, 1048577, 0, 0, 1, 0, 0});
          }},
         {kPad, "PAD", "an amount below 0 or above 2^20", "amounts that fit the image",
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({0, 0, 0, 1048577, 0, 1, 0, 0});
          }},
         {kPad, "PAD", "input 1 is computed", "a constant in the file",
          [](FileNetwork& n) {
              input(n, 1).data.clear();
              n.inputs.push_back(n.operators[0].inputs[1]);
          }},
         {kPadV2, "PADV2", "its value is int32", "int8",
          [](FileNetwork& n) {
              input(n, 2).type = kInt32;
              input(n, 2).data.resize(4);
          }},
         {kPadV2, "PADV2", "its value is computed", "one constant value",
          [](FileNetwork& n) {
              input(n, 2).data.clear();
              n.inputs.push_back(n.operators[0].inputs[2]);
          }},
         {kPadV2, "PADV2", "its value is computed", "one constant value",
          [](FileNetwork& n) {
              input(n, 2).shape = {2};
              input(n, 2).data.resize(2);
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", kSizes, kTwo,
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({0, 4});
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", kSizes, kTwo,
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({3, 0});
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", kSizes, kTwo,
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({65537, 4});
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", kSizes, kTwo,
          [](FileNetwork& n) {
              input(n, 1).data = int32_data({3, 65537});
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", kSizes, kTwo,
          [](FileNetwork& n) {
              input(n, 1).shape = {3};
              input(n, 1).data = int32_data({3, 4, 1});
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", kSizes, kTwo,
          [](FileNetwork& n) {
              input(n).shape = {1, 65537, 1, 1};
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", kSizes, kTwo,
          [](FileNetwork& n) {
              input(n).shape = {1, 1, 65537, 1};
          }},
         {kNearest, "RESIZE_NEAREST_NEIGHBOR", "align_corners and half_pixel_centers together",
          "one of them, or none",
          [](FileNetwork& n) { options(n).number(0, std::uint8_t{1}).number(1, std::uint8_t{1}); }},
         {kBilinear, "RESIZE_BILINEAR", "align_corners and half_pixel_centers together",
          "one of them, or none",
          [](FileNetwork& n) { options(n).number(2, std::uint8_t{1}).number(3, std::uint8_t{1}); }},
         {kConcat, "CONCATENATION", "its axis is none of its dimensions", "an existing axis",
          [](FileNetwork& n) { options(n).number(0, std::int32_t{4}); }},
         {kConcat, "CONCATENATION", "its axis is none of its dimensions", "an existing axis",
          [](FileNetwork& n) { options(n).number(0, std::int32_t{-5}); }},
         {kConcat, "CONCATENATION", "another dimension differs", "one axis that differs",
          [](FileNetwork& n) {
              input(n).shape = {1, 4, 4, 1};
          }},
         {kConcat, "CONCATENATION", "its ranks differ", "equal ranks",
          [](FileNetwork& n) {
              input(n, 1).shape = {3, 4, 1};
          }},
         {kConcat, "CONCATENATION", "its inputs have 2 along its axis, its output 3", kFile,
          [](FileNetwork& n) { output(n).shape[3] = 3; }},
         {kConcat, "CONCATENATION", "a fused activation", "a separate RELU",
          [](FileNetwork& n) { options(n).number(1, std::int8_t{1}); }},
         {kMul, "MUL", "its inputs have shapes that do not match", "equal shapes, or lengths of 1",
          [](FileNetwork& n) {
              input(n).shape = {1, 2, 3, 2};
          }},
         {kMul, "MUL", "5 dimensions", "up to 4 dimensions",
          [](FileNetwork& n) {
              input(n).shape = {1, 1, 2, 2, 2};
          }},
         {kMul, "MUL", "fused activation 4", "NONE, RELU, RELU_N1_TO_1, RELU6",
          [](FileNetwork& n) { options(n).number(0, std::int8_t{4}); }},
         {kNeg, "NEG", "input and output have different scales", "the same scale on both sides",
          [](FileNetwork& n) { output(n).scale = {0.125F}; }},
         {kSoftmax, "SOFTMAX", "its output has not scale 1/256 and zero point -128",
          "the output quantisation that the converter gives it",
          [](FileNetwork& n) { output(n).scale = {1.0F / 128}; }},
         {kLogistic, "LOGISTIC", "its output has not scale 1/256 and zero point -128",
          "the output quantisation that the converter gives it",
          [](FileNetwork& n) { output(n).zero_point = {-127}; }},
         {kSoftmax, "SOFTMAX", "beta is not above 0", "beta = 1",
          [](FileNetwork& n) { options(n).number(0, 0.0F); }},
         {kAverage, "AVERAGE_POOL_2D", "window, stride or dilation 0", "1 to 4096",
          [](FileNetwork& n) { options(n).number(4, std::int32_t{0}); }},
         {kAverage, "AVERAGE_POOL_2D", "window, stride or dilation 4097", "1 to 4096",
          [](FileNetwork& n) { options(n).number(1, std::int32_t{4097}); }},
         {kMax, "MAX_POOL_2D", "a window of 5 on an image of 4 without padding",
          "a window that fits, or SAME padding",
          [](FileNetwork& n) { options(n).number(3, std::int32_t{5}); }},
         {kMax, "MAX_POOL_2D", "padding 2", "SAME or VALID",
          [](FileNetwork& n) { options(n).number(0, std::int8_t{2}); }}});
}

TEST_CASE("lowering: what the units do not do is refused by the layer's name") {
    struct Case {
        std::int32_t code;
        const char* text;
        std::function<void(FileNetwork&)> change;
    };
    const std::vector<Case> cases = {
        {kBilinear, "RESIZE_BILINEAR (layer 0, 't'): interpolation | RESIZE_NEAREST_NEIGHBOR",
         [](FileNetwork&) {}},
        {kAverage,
         "AVERAGE_POOL_2D (layer 0, 't'): padding | the units pool windows of up to 7 x 7 without "
         "padding, or a whole feature map",
         [](FileNetwork&) {}},
        {kMax,
         "MAX_POOL_2D (layer 0, 't'): an activation | the units pool windows of up to 7 x 7 "
         "without "
         "padding, or a whole feature map",
         [](FileNetwork& n) { options(n).number(5, std::int8_t{3}); }},
        {kMean,
         "MEAN (layer 0, 't'): a mean along other axes than height and width | take the mean over "
         "whole feature maps",
         [](FileNetwork& n) {
             input(n, 1).data = int32_data({1, 1});
             output(n).shape = {1, 2, 2};
         }},
        {kConv,
         "CONV_2D (layer 0, 't'): dilation 2x1 | use dilation 1: the units do not support dilation",
         [](FileNetwork& n) { options(n).number(5, std::int32_t{2}); }},
        {kSoftmax,
         "SOFTMAX (layer 0, 't'): more than 512 classes, or another output than 1/256 from -128 | "
         "use the converter's int8 softmax",
         [](FileNetwork& n) {
             input(n).shape = output(n).shape = {1, 513};
         }},
    };
    for (const Case& one : cases) {
        FileNetwork network = single(one.code);
        one.change(network);
        std::string found = "lowered";
        try {
            LoweringOptions lowering;
            lowering.activations = default_activation_pools();
            static_cast<void>(lower_graph(import_tflite(network.file(), "test"), lowering));
        } catch (const n6vp::sim::UserError& error) {
            found = std::string(error.what()) + " | " + error.remedy();
        }
        CHECK(found == one.text);
    }
}

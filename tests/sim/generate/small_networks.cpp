// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "tests/sim/generate/tflite_builder.h"

namespace n6vp::test {

namespace {

using Shape = std::vector<std::int32_t>;

// Operator codes of the schema.
enum Code : std::int32_t {
    kAdd = 0,
    kAveragePool = 1,
    kConcatenation = 2,
    kConvolution = 3,
    kDepthwise = 4,
    kFullyConnected = 9,
    kLogistic = 14,
    kMaxPool = 17,
    kMul = 18,
    kRelu = 19,
    kReluN1To1 = 20,
    kRelu6 = 21,
    kReshape = 22,
    kResizeBilinear = 23,
    kSoftmax = 25,
    kPad = 34,
    kMean = 40,
    kSub = 41,
    kSqueeze = 43,
    kNeg = 59,
    kPadV2 = 60,
    kExpandDims = 70,
    kResizeNearest = 97,
    kQuantize = 114,
};

/// A chain of layers, each fed by the one before.
class Chain {
  public:
    explicit Chain(const Shape& shape, float scale = 0.5F, std::int64_t zero_point = 3) {
        network_.tensors = {{.shape = shape, .scale = {scale}, .zero_point = {zero_point}}};
        network_.inputs = {0};
        network_.outputs = {0};
    }
    Chain& constant(const Shape& shape, const std::vector<std::uint8_t>& data,
                    std::int8_t type = 9) {
        FileTensor tensor{.shape = shape, .type = type, .data = data};
        extra_.push_back(static_cast<std::int32_t>(network_.tensors.size()));
        network_.tensors.push_back(tensor);
        return *this;
    }
    /// Adds an operator on the last tensor, the constants given since the last one, and `more`.
    Chain& layer(std::int32_t code, const Shape& shape, const FlatObject& options = {},
                 float scale = 0.5F, std::int64_t zero_point = 3, const Shape& more = {}) {
        FileOperator op;
        op.code = code;
        op.inputs = {network_.outputs[0]};
        op.inputs.insert(op.inputs.end(), extra_.begin(), extra_.end());
        op.inputs.insert(op.inputs.end(), more.begin(), more.end());
        op.outputs = {static_cast<std::int32_t>(network_.tensors.size())};
        op.options = options;
        network_.tensors.push_back({.shape = shape, .scale = {scale}, .zero_point = {zero_point}});
        network_.operators.push_back(op);
        network_.outputs = op.outputs;
        extra_.clear();
        return *this;
    }
    [[nodiscard]] FileNetwork network() const { return network_; }

  private:
    FileNetwork network_;
    Shape extra_;
};

FlatObject pool_options(std::int32_t height, std::int32_t width, std::int8_t padding) {
    FlatObject options;
    options.number(0, padding).number(1, std::int32_t{1}).number(2, std::int32_t{1});
    options.number(3, width).number(4, height);
    return options;
}

FileNetwork depthwise() {
    FlatObject options;  // VALID, strides 1 and 2, multiplier 2, RELU6
    options.number(0, std::int8_t{1}).number(1, std::int32_t{1}).number(2, std::int32_t{2});
    options.number(3, std::int32_t{2}).number(4, std::int8_t{3});
    Chain chain({1, 5, 3, 2});
    chain.constant({1, 3, 2, 4}, std::vector<std::uint8_t>(24, 5));
    chain.layer(kDepthwise, {1, 2, 2, 4}, options);
    FlatObject plain;  // VALID, strides 1
    plain.number(0, std::int8_t{1}).number(1, std::int32_t{1}).number(2, std::int32_t{1});
    chain.constant({1, 2, 2, 4}, std::vector<std::uint8_t>(16, 7));
    return chain.layer(kDepthwise, {1, 1, 1, 4}, plain).network();
}

FileNetwork pools() {
    Chain chain({1, 4, 4, 2});
    chain.layer(kAveragePool, {1, 4, 4, 2}, pool_options(3, 3, 0));
    chain.layer(kMaxPool, {1, 3, 3, 2}, pool_options(2, 2, 1));
    return chain.layer(kAveragePool, {1, 2, 2, 2}, pool_options(2, 2, 1)).network();
}

FileNetwork classifier() {
    Chain chain({1, 2, 2, 2});
    chain.constant({2}, int32_data({1, 2}), 2);
    chain.layer(kMean, {1, 2}, {}, 0.25F, 0);
    chain.constant({3, 2}, int8_data({1, 2, 3, -4, 5, -6}));
    chain.layer(kFullyConnected, {1, 3}, {}, 0.5F, 1);
    FlatObject beta;
    beta.number(0, 1.0F);
    return chain.layer(kSoftmax, {1, 3}, beta, 1.0F / 256, -128).network();
}

FileNetwork arithmetic() {
    Chain chain({1, 2, 2, 2});
    chain.constant({2}, int8_data({3, -4}));
    chain.layer(kAdd, {1, 2, 2, 2});
    chain.constant({1, 2, 2, 1}, int8_data({1, 2, 3, 4}));
    chain.layer(kSub, {1, 2, 2, 2});
    chain.layer(kAdd, {1, 2, 2, 2}, {}, 1.0F, 0, {0});
    chain.layer(kSub, {1, 2, 2, 2}, {}, 1.0F, 0, {0});
    chain.layer(kMul, {1, 2, 2, 2}, {}, 2.0F, 0, {0});
    chain.layer(kNeg, {1, 2, 2, 2}, {}, 2.0F, 7);
    chain.layer(kRelu, {1, 2, 2, 2}, {}, 1.0F, -5);
    chain.layer(kRelu6, {1, 2, 2, 2}, {}, 1.0F, -5);
    chain.layer(kReluN1To1, {1, 2, 2, 2}, {}, 0.01F, 0);
    return chain.layer(kLogistic, {1, 2, 2, 2}, {}, 1.0F / 256, -128).network();
}

FileNetwork shapes() {
    Chain chain({1, 2, 2, 1});
    chain.constant({4, 2}, int32_data({0, 0, 1, 0, 0, 1, 0, 0}), 2);
    chain.layer(kPad, {1, 3, 3, 1});
    chain.constant({4, 2}, int32_data({0, 0, 0, 0, 0, 1, 0, 0}), 2);
    chain.constant({1}, int8_data({9}));
    chain.layer(kPadV2, {1, 3, 4, 1});
    chain.constant({2}, int32_data({6, 2}), 2);
    chain.layer(kResizeBilinear, {1, 6, 2, 1});
    chain.constant({2}, int32_data({3, 4}), 2);
    chain.layer(kResizeNearest, {1, 3, 4, 1});
    FlatObject axis;
    axis.number(0, std::int32_t{-1});
    chain.constant({1, 3, 4, 1}, std::vector<std::uint8_t>(12, 1));
    FileNetwork network = chain.layer(kConcatenation, {1, 3, 4, 2}, axis).network();
    // The constant has the quantisation of what it is joined to.
    FileTensor& joined = network.tensors[network.tensors.size() - 2];
    joined.scale = {0.5F};
    joined.zero_point = {3};
    return network;
}

FileNetwork reshapes() {
    Chain chain({1, 6});
    chain.constant({2}, int32_data({2, 3}), 2);
    chain.layer(kReshape, {1, 2, 3});
    chain.layer(kSqueeze, {2, 3});
    chain.constant({1}, int32_data({0}), 2);
    chain.layer(kExpandDims, {1, 2, 3});
    return chain.layer(kQuantize, {1, 2, 3}, {}, 0.25F, -7).network();
}

}  // namespace

std::vector<NamedNetwork> small_networks() {
    return {{"convolution", small_convolution()},
            {"depthwise", depthwise()},
            {"pools", pools()},
            {"classifier", classifier()},
            {"arithmetic", arithmetic()},
            {"shapes", shapes()},
            {"reshapes", reshapes()}};
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// A quantised network as a list of typed operators: what the importer makes of a file, what
/// lowering, evaluation and reports start from. Shapes are those of the file: pictures are NHWC.
namespace n6vp::sim::generate {

enum class ElementType : std::uint8_t { Int8, Uint8, Int16, Int32, Int64, Float32 };

/// Returns the size of one element.
[[nodiscard]] std::uint32_t element_bytes(ElementType type);
/// Returns "int8", "float32"...
[[nodiscard]] const char* type_name(ElementType type);

/// real = scale * (stored - zero_point). One entry, or one per index of dimension `axis`.
struct Quantisation {
    std::vector<float> scale;
    std::vector<std::int32_t> zero_point;  ///< as many as scales
    std::uint32_t axis = 0;                ///< only with more than one scale

    [[nodiscard]] bool present() const { return !scale.empty(); }
    [[nodiscard]] bool per_channel() const { return scale.size() > 1; }
};

/// Index in Graph::tensors.
using TensorId = std::uint32_t;
/// Stands where an operator has no bias.
inline constexpr TensorId kNoTensor = std::numeric_limits<TensorId>::max();

struct Tensor {
    std::string name;  ///< as in the file: hostile text
    std::vector<std::uint32_t> shape;
    ElementType type = ElementType::Int8;
    Quantisation quantisation;
    std::vector<std::uint8_t> constant;  ///< little endian, element_count() elements; or empty

    [[nodiscard]] bool is_constant() const { return !constant.empty(); }
    /// Returns the product of the shape; a scalar has one. The importer has checked that it fits.
    [[nodiscard]] std::uint32_t element_count() const;
    [[nodiscard]] std::uint32_t bytes() const { return element_count() * element_bytes(type); }
    /// Returns entry `channel`, or the only one.
    [[nodiscard]] float scale_of(std::size_t channel) const;
    [[nodiscard]] std::int32_t zero_point_of(std::size_t channel) const;
};

/// Reads constants; the tensor has that element type.
[[nodiscard]] std::int32_t int8_at(const Tensor& tensor, std::size_t index);
[[nodiscard]] std::int32_t int32_at(const Tensor& tensor, std::size_t index);

/// What follows an operator inside it.
enum class Activation : std::uint8_t { None, Relu, ReluN1To1, Relu6 };
[[nodiscard]] const char* activation_name(Activation activation);

/// Returns the stored values that an int8 or uint8 output may take: those of its type, cut by the
/// activation.
struct StoredRange {
    std::int32_t low = 0, high = 0;
};
[[nodiscard]] StoredRange stored_range(Activation activation, const Tensor& output);

/// Lines and columns of zero (the tensor's zero point) around a feature map. SAME padding of the
/// file is resolved to these: the odd one is at the bottom and at the right.
struct Pads {
    std::uint32_t top = 0, bottom = 0, left = 0, right = 0;
    [[nodiscard]] bool any() const { return (top | bottom | left | right) != 0; }
};

/// A window that moves over a feature map.
struct Window {
    std::uint32_t height = 1, width = 1;
    std::uint32_t stride_height = 1, stride_width = 1;
    Pads pads;
};

/// Inputs: feature map [1][H][W][C], weights [K][kh][kw][C] (constant), bias [K] int32 (constant)
/// or kNoTensor.
struct Conv2D {
    Window window;
    std::uint32_t dilation_height = 1, dilation_width = 1;
    Activation activation = Activation::None;
    static const char* name() { return "CONV_2D"; }
};
/// Inputs as Conv2D with weights [1][kh][kw][C * multiplier]: output channel k is of input channel
/// k / multiplier.
struct DepthwiseConv2D {
    Window window;
    std::uint32_t dilation_height = 1, dilation_width = 1;
    std::uint32_t depth_multiplier = 1;
    Activation activation = Activation::None;
    static const char* name() { return "DEPTHWISE_CONV_2D"; }
};
/// Inputs: [N...][C] read as rows of C, weights [K][C] (constant), bias [K] int32 or kNoTensor.
struct FullyConnected {
    Activation activation = Activation::None;
    static const char* name() { return "FULLY_CONNECTED"; }
};
/// Two inputs. Their shapes are equal, or one is smaller and repeats along leading or unit
/// dimensions.
struct Add {
    Activation activation = Activation::None;
    static const char* name() { return "ADD"; }
};
struct Sub {
    Activation activation = Activation::None;
    static const char* name() { return "SUB"; }
};
struct Mul {
    Activation activation = Activation::None;
    static const char* name() { return "MUL"; }
};
/// The same number with the other sign; input and output have one scale.
struct Neg {
    static const char* name() { return "NEG"; }
};
/// Padded elements do not count in an average.
struct AveragePool {
    Window window;
    Activation activation = Activation::None;
    static const char* name() { return "AVERAGE_POOL_2D"; }
};
struct MaxPool {
    Window window;
    Activation activation = Activation::None;
    static const char* name() { return "MAX_POOL_2D"; }
};
/// One input; `axes` ascending, each at most once.
struct Mean {
    std::vector<std::uint32_t> axes;
    bool keep_dimensions = false;
    static const char* name() { return "MEAN"; }
};
/// All inputs have the quantisation of the output.
struct Concat {
    std::uint32_t axis = 0;
    static const char* name() { return "CONCATENATION"; }
};
/// Same elements in the same order, another shape. Also what the file calls SQUEEZE and
/// EXPAND_DIMS.
struct Reshape {
    static const char* name() { return "RESHAPE"; }
};
/// Elements before and after, one pair per dimension; `value` is the stored value of what is added.
struct Pad {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> amounts;
    std::int32_t value = 0;
    static const char* name() { return "PAD"; }
};
/// From one quantised tensor to another scale, zero point or type.
struct Quantize {
    static const char* name() { return "QUANTIZE"; }
};
/// An activation that stands alone.
struct Relu {
    Activation activation = Activation::Relu;
    [[nodiscard]] const char* name() const { return activation_name(activation); }
};
/// Along the last dimension.
struct Softmax {
    float beta = 1.0F;
    static const char* name() { return "SOFTMAX"; }
};
struct Logistic {
    static const char* name() { return "LOGISTIC"; }
};
enum class ResizeMode : std::uint8_t { Nearest, Bilinear };
/// Picture to another height and width: those of the output.
struct Resize {
    ResizeMode mode = ResizeMode::Nearest;
    bool align_corners = false;
    bool half_pixel_centers = false;
    [[nodiscard]] const char* name() const {
        return mode == ResizeMode::Nearest ? "RESIZE_NEAREST_NEIGHBOR" : "RESIZE_BILINEAR";
    }
};

/// Returns the place in a line of `from` that each of `to` places comes from, without
/// interpolation.
[[nodiscard]] std::vector<std::uint32_t> nearest_places(std::uint32_t from, std::uint32_t to,
                                                        const Resize& op);

using Operator =
    std::variant<Conv2D, DepthwiseConv2D, FullyConnected, Add, Sub, Mul, Neg, AveragePool, MaxPool,
                 Mean, Concat, Reshape, Pad, Quantize, Relu, Softmax, Logistic, Resize>;

/// Returns "CONV_2D": the name that users know from the file. Each operator has it as `name()`.
[[nodiscard]] const char* operator_name(const Operator& op);

/// Attributes that the file gives as constant inputs (shape of a reshape, axes of a mean, amounts
/// of a pad) are in the operator; `inputs` has data, weights and bias only.
struct Node {
    Operator op;
    std::vector<TensorId> inputs, outputs;
    std::uint32_t layer = 0;  ///< number of the operator in the file, for messages

    [[nodiscard]] bool has_bias() const { return inputs.size() > 2 && inputs[2] != kNoTensor; }
};

struct Graph {
    std::string name;  ///< of the file, without folder and suffix
    std::string description;
    std::vector<Tensor> tensors;
    std::vector<Node> nodes;  ///< in an order in which they can be computed
    std::vector<TensorId> inputs, outputs;

    [[nodiscard]] const Tensor& input(const Node& node, std::size_t index = 0) const {
        return tensors[node.inputs[index]];
    }
    [[nodiscard]] const Tensor& output(const Node& node, std::size_t index = 0) const {
        return tensors[node.outputs[index]];
    }
    /// Returns the weights of a convolution or fully connected layer.
    [[nodiscard]] const Tensor& weights(const Node& node) const { return input(node, 1); }
};

/// A feature map [1][H][W][C]; shorter shapes fill it from the right.
struct PictureShape {
    std::uint32_t height = 1, width = 1, channels = 1;
    [[nodiscard]] std::uint32_t elements() const { return height * width * channels; }
};
/// Returns nothing for more than four dimensions or a batch of more than one.
[[nodiscard]] std::optional<PictureShape> picture_shape(const Tensor& tensor);

/// Returns the multiply-accumulates of one inference of a node: 0 for operators without products
/// of weights.
[[nodiscard]] std::uint64_t multiply_accumulates(const Graph& graph, const Node& node);

/// m = significand * 2^(exponent - 31): the form in which TFLite's integer kernels multiply.
struct FixedMultiplier {
    std::int32_t significand = 0;  ///< 2^30...2^31 - 1, or 0
    std::int32_t exponent = 0;     ///< -31...30; positive: left shift
};
/// Returns the nearest multiplier of a real number that is not negative: 0 below 2^-32, never above
/// 2^30.
[[nodiscard]] FixedMultiplier fixed_multiplier(double real);

}  // namespace n6vp::sim::generate

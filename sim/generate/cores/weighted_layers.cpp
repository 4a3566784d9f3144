// SPDX-License-Identifier: Apache-2.0
// Convolutions, depthwise convolutions and fully connected layers as calls of kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "sim/generate/cores/layer_parts.h"
#include "sim/generate/cores/packed_weights.h"
#include "sim/generate/lower/node_layers.h"
#include "sim/generate/operators/windows.h"

namespace n6vp::sim::generate {

namespace {

/// Kernels with what becomes of their sums.
struct Weighted {
    KernelRows rows;
    std::vector<std::int64_t> biases;  ///< of the network
    std::vector<FixedMultiplier> multipliers;
    std::int32_t input_zero = 0, output_zero = 0;
    StoredRange range;
    std::int64_t largest_sum = 0;  ///< of a channel, without sign

    [[nodiscard]] std::int64_t weight_sum(std::uint32_t channel) const {
        std::int64_t sum = 0;
        for (std::uint32_t tap = 0; tap < rows.taps; ++tap) sum += rows.at(channel, tap);
        return sum;
    }
    /// What sums of stored inputs have too much.
    [[nodiscard]] std::vector<std::int64_t> stored_biases(bool odd) const {
        std::vector<std::int64_t> result = biases;
        for (std::uint32_t k = 0; k < rows.channels; ++k) {
            result[k] -= input_zero * weight_sum(k);
            if (odd) result[k] += odd_offset(rows, k);
        }
        return result;
    }
};

/// Returns the largest sum of stored inputs, less their zero point, times weights, with its bias.
std::int64_t largest_sum(const Weighted& layer, std::uint32_t channel) {
    constexpr std::int64_t kMostInput = 255;
    std::int64_t sum = std::abs(layer.biases[channel]);
    for (std::uint32_t tap = 0; tap < layer.rows.taps; ++tap)
        sum += kMostInput * std::abs(layer.rows.at(channel, tap));
    return sum;
}

/// Returns what a sum becomes.
std::int64_t stored_result(const Weighted& layer, std::uint32_t channel, std::int64_t sum) {
    const FixedMultiplier& factor = layer.multipliers[channel];
    const int shift = 31 - factor.exponent;
    const std::int64_t half = std::int64_t{1} << (shift - 1);
    const std::int64_t scaled = ((sum * factor.significand + half) >> shift) + layer.output_zero;
    return std::clamp<std::int64_t>(scaled, layer.range.low, layer.range.high);
}

/// Channels without effect get weights of 0 and a multiplier of 1: their scales, and biases in
/// steps of them, would need more bits than all others.
void settle_constants(Weighted& layer) {
    for (std::uint32_t k = 0; k < layer.rows.channels; ++k) {
        const std::int64_t around = largest_sum(layer, k) - std::abs(layer.biases[k]);
        const std::int64_t low = stored_result(layer, k, layer.biases[k] - around);
        if (low != stored_result(layer, k, layer.biases[k] + around)) continue;
        layer.biases[k] = low - layer.output_zero;
        layer.multipliers[k] = {1 << 30, 1};
        for (std::uint32_t tap = 0; tap < layer.rows.taps; ++tap)
            layer.rows.weights[std::size_t{k} * layer.rows.taps + tap] = 0;
    }
}

/// Refuses sums that 32 bits do not hold. Inputs are not less their zero point, but odd ones may be
/// less another number, and biases hold the difference: both at most twice a sum.
void check_sums(const Graph& graph, const Node& node, const Weighted& layer) {
    if (2 * layer.largest_sum <= std::numeric_limits<std::int32_t>::max()) return;
    refuse_node(graph, node, "sums of more than 31 bits", "smaller biases: those of the converter");
}

Weighted weighted(const Graph& graph, const Node& node, Activation activation, KernelRows rows) {
    Weighted layer;
    layer.rows = std::move(rows);
    layer.input_zero = graph.input(node).zero_point_of(0);
    layer.output_zero = graph.output(node).zero_point_of(0);
    layer.range = stored_range(activation, graph.output(node));
    layer.biases.resize(layer.rows.channels);
    if (node.has_bias()) {
        for (std::uint32_t k = 0; k < layer.rows.channels; ++k)
            layer.biases[k] = int32_at(graph.input(node, 2), k);
    }
    layer.multipliers = channel_multipliers(graph, node);
    layer.multipliers.resize(layer.rows.channels, layer.multipliers[0]);
    settle_constants(layer);
    for (std::uint32_t k = 0; k < layer.rows.channels; ++k)
        layer.largest_sum = std::max(layer.largest_sum, largest_sum(layer, k));
    check_sums(graph, node, layer);
    return layer;
}

/// Rows as the file has them: [channels][taps].
KernelRows rows_of(const Tensor& weights, std::uint32_t channels) {
    KernelRows rows;
    rows.channels = channels;
    rows.taps = weights.element_count() / channels;
    rows.weights.reserve(weights.element_count());
    for (std::size_t i = 0; i < weights.element_count(); ++i)
        rows.weights.push_back(static_cast<std::int8_t>(int8_at(weights, i)));
    return rows;
}

std::vector<std::uint8_t> bytes_of(const std::vector<std::int8_t>& weights) {
    return {weights.begin(), weights.end()};
}

/// Appends the table of scales; returns the initialiser of a kernel_finish.
std::string add_scales(CoreLayer& to, const Weighted& layer, std::span<const std::int64_t> biases,
                       std::uint32_t padded) {
    constexpr std::uint32_t kExact = 1, kNarrow = 2;
    const bool exact = needs_exact(layer.multipliers, 2 * layer.largest_sum);
    const bool narrow = layer.range.low != -128 || layer.range.high != 127;
    constexpr std::size_t kAlignment = 8;
    align_bytes(to.weights, kAlignment);
    const std::size_t offset = to.weights.size();
    const std::vector<std::uint8_t> table =
        scale_table(biases, layer.multipliers, layer.output_zero, padded, exact);
    to.weights.insert(to.weights.end(), table.begin(), table.end());
    return fmt::format("{{.scales = {}, .flags = {}, .zero = {}, .low = {}, .high = {}}}", offset,
                       (exact ? kExact : 0) | (narrow ? kNarrow : 0), layer.output_zero,
                       layer.range.low, layer.range.high);
}

constexpr std::uint32_t kPair = 2, kQuad = 4;
constexpr std::uint32_t kVectorBytes = 16;

/// Returns the rows one after the other, each a multiple of a vector long.
PairedWeights vector_rows(const KernelRows& rows, std::uint32_t block) {
    PairedWeights packed;
    packed.taps = packed.segment = rounded(rows.taps, kVectorBytes);
    for (std::uint32_t k = 0; k < rounded(rows.channels, block); ++k) {
        for (std::uint32_t tap = 0; tap < packed.taps; ++tap)
            packed.bytes.push_back(static_cast<std::uint8_t>(rows.at(k, tap) & 0xFF));
    }
    return packed;
}

/// Flash of the chips with a Cortex-M4 has a cache of 256 bytes for data: is it worth while to copy
/// the weights of a pair of kernels?
bool keeps_weights(const CoreTarget& target, std::uint32_t bytes, std::uint32_t tile) {
    constexpr std::uint32_t kCached = 224, kLeastPixels = 8;
    return target.flash_cache_is_small && bytes > kCached && tile >= kLeastPixels;
}

/// Returns the pixels that are expanded at a time: up to 128 in 8 KiB, or 16 in 16 KiB.
std::uint32_t tile_of(std::uint32_t pixel_bytes, std::uint32_t pixels) {
    constexpr std::uint32_t kMany = 128, kManyBytes = 8192, kFew = 16, kFewBytes = 16384;
    const std::uint32_t bytes = std::max(1U, pixel_bytes);
    const std::uint32_t fitting =
        std::max(std::min(kMany, kManyBytes / bytes), std::min(kFew, kFewBytes / bytes));
    return std::clamp(fitting / 2 * 2, 2U, rounded(pixels, 2));
}

struct Convolution {
    PictureShape in, out;
    Window window;
    std::uint32_t dilation_height = 1, dilation_width = 1;
};

CoreLayer plain_convolution(const Convolution& shape, const Weighted& layer) {
    CoreLayer result;
    result.choice = "plain";
    result.type = "kernel_convolution";
    result.weights = bytes_of(layer.rows.weights);
    const std::string finish = add_scales(result, layer, layer.biases, layer.rows.channels);
    result.structure = fmt::format(
        "{{.window = {}, .out_channels = {}, .input_zero = {}, .finish = {}}}",
        window_text(shape.in, shape.out, shape.window, shape.dilation_height, shape.dilation_width),
        shape.out.channels, layer.input_zero, finish);
    result.calls = {
        {"kernel_convolution_plain",
         {kDescriptionArgument, input_argument(0), output_argument(), weights_argument()}}};
    return result;
}

CoreLayer tiled_convolution(const Convolution& shape, const Weighted& layer,
                            const CoreTarget& target) {
    if (shape.dilation_height != 1 || shape.dilation_width != 1)
        return plain_convolution(shape, layer);
    bool possible = true;
    const PairedWeights packed =
        target.helium ? vector_rows(layer.rows, kPair) : pair_weights(layer.rows, kPair, possible);
    if (!possible) return plain_convolution(shape, layer);
    CoreLayer result;
    result.choice = "two channels by two pixels";
    result.type = "kernel_convolution";
    result.weights = packed.bytes;
    const std::vector<std::int64_t> biases = layer.stored_biases(!target.helium);
    const std::string finish =
        add_scales(result, layer, biases, rounded(layer.rows.channels, kPair));
    const std::uint32_t pixel_bytes = packed.taps * (target.helium ? 1 : 2);
    const std::uint32_t tile = tile_of(pixel_bytes, shape.out.height * shape.out.width);
    // Inner loops read one group ahead.
    constexpr std::uint32_t kAhead = 16;
    const std::uint32_t in_a_row = shape.in.channels % kQuad == 0 ? 0 : layer.rows.taps;
    result.scratch = rounded(tile * pixel_bytes + in_a_row + kAhead, kVectorBytes);
    const std::uint32_t kept =
        keeps_weights(target, kPair * packed.taps, tile) ? result.scratch : 0;
    if (kept != 0) result.scratch += kPair * packed.taps;
    result.structure = fmt::format(
        "{{.window = {}, .out_channels = {}, .input_zero = {}, .taps = {}, .segment = {}, "
        ".tile = {}, .kept = {}, .finish = {}}}",
        window_text(shape.in, shape.out, shape.window), shape.out.channels, layer.input_zero,
        packed.taps, packed.segment, tile, kept, finish);
    result.calls = {{"kernel_convolution",
                     {kDescriptionArgument, input_argument(0), output_argument(),
                      weights_argument(), scratch_argument()}}};
    return result;
}

/// Tap by tap, all channels of each, as the file has them.
std::vector<std::uint8_t> tap_weights(const KernelRows& rows) {
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t tap = 0; tap < rows.taps; ++tap) {
        for (std::uint32_t k = 0; k < rows.channels; ++k)
            bytes.push_back(static_cast<std::uint8_t>(rows.at(k, tap)));
    }
    return bytes;
}

CoreLayer plain_depthwise(const DepthwiseConv2D& op, const PictureShape& in,
                          const PictureShape& out, const Weighted& layer) {
    CoreLayer result;
    result.choice = "plain";
    result.type = "kernel_depthwise_plain";
    result.weights = tap_weights(layer.rows);
    const std::string finish = add_scales(result, layer, layer.biases, layer.rows.channels);
    result.structure =
        fmt::format("{{.window = {}, .multiplier = {}, .input_zero = {}, .finish = {}}}",
                    window_text(in, out, op.window, op.dilation_height, op.dilation_width),
                    op.depth_multiplier, layer.input_zero, finish);
    result.calls = {
        {"kernel_depthwise_plain",
         {kDescriptionArgument, input_argument(0), output_argument(), weights_argument()}}};
    return result;
}

/// A feature map as lines, in one of two directions.
struct Lines {
    std::uint32_t in_along, in_across, out_along, out_across;
    std::uint32_t kernel_along, kernel_across, stride_along, stride_across, pad_along, pad_across;
    bool upright;  ///< lines run downwards

    /// Outputs of the blocks that the kernel computes at a time.
    [[nodiscard]] std::uint32_t block() const { return stride_along == 1 ? 4 : 2; }
    [[nodiscard]] bool possible() const {
        constexpr std::uint32_t kMostLines = 8;
        return kernel_along == 3 && (stride_along == 1 || stride_along == 2) &&
               kernel_across <= kMostLines;
    }
    /// Outputs that are computed, those beyond the line included.
    [[nodiscard]] std::uint64_t work() const {
        return std::uint64_t{rounded(out_along, block())} * out_across;
    }
};

std::optional<Lines> lines_of(const DepthwiseConv2D& op, const PictureShape& in,
                              const PictureShape& out) {
    if (op.depth_multiplier != 1 || op.dilation_height != 1 || op.dilation_width != 1)
        return std::nullopt;
    const Window& window = op.window;
    const Lines level = {in.width,
                         in.height,
                         out.width,
                         out.height,
                         window.width,
                         window.height,
                         window.stride_width,
                         window.stride_height,
                         window.pads.left,
                         window.pads.top,
                         false};
    const Lines upright = {in.height,
                           in.width,
                           out.height,
                           out.width,
                           window.height,
                           window.width,
                           window.stride_height,
                           window.stride_width,
                           window.pads.top,
                           window.pads.left,
                           true};
    if (level.possible() && (!upright.possible() || level.work() <= upright.work())) return level;
    if (upright.possible()) return upright;
    return std::nullopt;
}

/// Each channel's kernel line by line, four bytes per line.
std::vector<std::uint8_t> line_weights(const KernelRows& rows, const Lines& lines) {
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t k = 0; k < rows.channels; ++k) {
        for (std::uint32_t line = 0; line < lines.kernel_across; ++line) {
            for (std::uint32_t tap = 0; tap < lines.kernel_along; ++tap) {
                const std::uint32_t place = lines.upright ? tap * lines.kernel_across + line
                                                          : line * lines.kernel_along + tap;
                bytes.push_back(static_cast<std::uint8_t>(rows.at(k, place)));
            }
            bytes.push_back(0);
        }
    }
    return bytes;
}

CoreLayer line_depthwise(const Lines& lines, const PictureShape& in, const PictureShape& out,
                         const Weighted& layer) {
    CoreLayer result;
    result.choice = lines.upright ? "columns of four channels" : "lines of four channels";
    result.type = "kernel_depthwise";
    result.weights = line_weights(layer.rows, lines);
    const std::string finish =
        add_scales(result, layer, layer.stored_biases(false), layer.rows.channels);
    const std::uint32_t blocks = (lines.out_along + lines.block() - 1) / lines.block();
    const std::uint32_t pitch =
        rounded(std::max(4 * blocks + 2, lines.pad_along + lines.in_along), 2);
    // Lines of 16-bit numbers of four channels, then their weights in two words per line.
    result.scratch = 4 * lines.kernel_across * (2 * pitch + 8);
    const std::uint32_t in_line = in.width * in.channels, out_line = out.width * out.channels;
    result.structure = fmt::format(
        "{{.in_along = {}, .in_across = {}, .out_along = {}, .out_across = {}, .in_step = {}, "
        ".in_pitch = {}, .out_step = {}, .out_pitch = {}, .lines = {}, .stride_along = {}, "
        ".stride_across = {}, .pad_along = {}, .pad_across = {}, .channels = {}, .input_zero = {}, "
        ".pitch = {}, .finish = {}}}",
        lines.in_along, lines.in_across, lines.out_along, lines.out_across,
        lines.upright ? in_line : in.channels, lines.upright ? in.channels : in_line,
        lines.upright ? out_line : out.channels, lines.upright ? out.channels : out_line,
        lines.kernel_across, lines.stride_along, lines.stride_across, lines.pad_along,
        lines.pad_across, in.channels, layer.input_zero, pitch, finish);
    result.calls = {{"kernel_depthwise",
                     {kDescriptionArgument, input_argument(0), output_argument(),
                      weights_argument(), scratch_argument()}}};
    return result;
}

CoreLayer dense_layer(const Weighted& layer, const CoreTarget& target,
                      const PairedWeights& packed) {
    CoreLayer result;
    result.choice = "four channels";
    result.type = "kernel_dense";
    result.weights = packed.bytes;
    const std::vector<std::int64_t> biases = layer.stored_biases(!target.helium);
    const std::string finish =
        add_scales(result, layer, biases, rounded(layer.rows.channels, kQuad));
    result.scratch = packed.taps * 2;
    result.structure =
        fmt::format("{{.inputs = {}, .taps = {}, .segment = {}, .outputs = {}, .finish = {}}}",
                    layer.rows.taps, packed.taps, packed.segment, layer.rows.channels, finish);
    result.calls = {{"kernel_dense",
                     {kDescriptionArgument, input_argument(0), output_argument(),
                      weights_argument(), scratch_argument()}}};
    return result;
}

}  // namespace

CoreLayer core_convolution(const Graph& graph, const Node& node, const Conv2D& op,
                           const CoreTarget& target) {
    const Convolution shape = {core_picture(graph, node, graph.input(node)),
                               core_picture(graph, node, graph.output(node)), op.window,
                               op.dilation_height, op.dilation_width};
    return tiled_convolution(
        shape,
        weighted(graph, node, op.activation, rows_of(graph.weights(node), shape.out.channels)),
        target);
}

CoreLayer core_depthwise(const Graph& graph, const Node& node, const DepthwiseConv2D& op,
                         const CoreTarget& target) {
    static_cast<void>(target);
    const PictureShape in = core_picture(graph, node, graph.input(node));
    const PictureShape out = core_picture(graph, node, graph.output(node));
    const Tensor& weights = graph.weights(node);
    KernelRows rows;
    rows.channels = out.channels;
    rows.taps = weights.element_count() / out.channels;
    for (std::uint32_t k = 0; k < rows.channels; ++k) {
        for (std::uint32_t tap = 0; tap < rows.taps; ++tap) {
            rows.weights.push_back(
                static_cast<std::int8_t>(int8_at(weights, std::size_t{tap} * out.channels + k)));
        }
    }
    const Weighted layer = weighted(graph, node, op.activation, std::move(rows));
    const std::optional<Lines> lines = lines_of(op, in, out);
    return lines ? line_depthwise(*lines, in, out, layer) : plain_depthwise(op, in, out, layer);
}

CoreLayer core_fully_connected(const Graph& graph, const Node& node, const FullyConnected& op,
                               const CoreTarget& target) {
    const Tensor& weights = graph.weights(node);
    const std::uint32_t channels = weights.shape[0];
    const Weighted layer = weighted(graph, node, op.activation, rows_of(weights, channels));
    const std::uint32_t inputs = graph.input(node).element_count() / layer.rows.taps;
    if (inputs == 1) {
        bool possible = true;
        const PairedWeights packed = target.helium ? vector_rows(layer.rows, kQuad)
                                                   : pair_weights(layer.rows, kQuad, possible);
        if (possible) return dense_layer(layer, target, packed);
    }
    return tiled_convolution({{1, inputs, layer.rows.taps}, {1, inputs, channels}, {}, 1, 1}, layer,
                             target);
}

}  // namespace n6vp::sim::generate

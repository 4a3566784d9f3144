// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D and MEAN.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/generate/evaluate/fixed_point.h"
#include "sim/generate/lower/node_layers.h"
#include "sim/generate/lower/simple_layers.h"
#include "sim/generate/operators/operator.h"
#include "sim/generate/operators/windows.h"

namespace n6vp::sim::generate {

namespace {

using Shape = std::vector<std::uint32_t>;

Operator read_mean(const LayerReader& layer) {
    layer.expect_inputs(2, 2);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    const Shape& from = layer.input(0).shape;
    const auto rank = static_cast<std::int64_t>(from.size());
    Mean mean;
    mean.keep_dimensions =
        layer.option<std::uint8_t>(tflite::reducer_options::kKeepDimensions, 0) != 0;
    for (const std::int64_t axis : layer.constant_integers(1)) {
        if (axis < -rank || axis >= rank) {
            layer.refuse("an axis is none of its dimensions", "existing axes");
        }
        mean.axes.push_back(static_cast<std::uint32_t>(axis < 0 ? axis + rank : axis));
    }
    std::sort(mean.axes.begin(), mean.axes.end());
    mean.axes.erase(std::unique(mean.axes.begin(), mean.axes.end()), mean.axes.end());
    Shape shape;
    for (std::uint32_t i = 0; i < from.size(); ++i) {
        const bool reduced = std::binary_search(mean.axes.begin(), mean.axes.end(), i);
        if (!reduced) shape.push_back(from[i]);
        if (reduced && mean.keep_dimensions) shape.push_back(1);
    }
    layer.expect_output_shape(shape);
    return mean;
}

void evaluate_mean(const Mean& op, NodeEvaluation& at) {
    const Operand from = at.operand(0);
    const Tensor& result = at.result();
    Bytes& to = at.to;
    const std::vector<std::uint32_t>& shape = from.tensor->shape;
    std::vector<std::int64_t> sums(to.size());
    Places places(shape);
    for (std::size_t i = 0; i < from.bytes->size(); ++i, places.next()) {
        std::size_t output = 0;
        for (std::uint32_t d = 0; d < shape.size(); ++d) {
            if (std::binary_search(op.axes.begin(), op.axes.end(), d)) continue;
            output = output * shape[d] + places.at()[d];
        }
        sums[output] += from.centred(i);
    }
    const auto count = static_cast<std::int64_t>(from.bytes->size() / to.size());
    const FixedMultiplier multiplier =
        fixed_multiplier(from.scale() / static_cast<double>(result.scale_of(0)));
    const StoredRange range = stored_range(Activation::None, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::int64_t scaled = multiply(saturate_word(sums[i]), multiplier);
        const std::int64_t mean = (scaled + (scaled > 0 ? count / 2 : -(count / 2))) / count;
        to[i] = as_byte(static_cast<std::int32_t>(
            std::clamp<std::int64_t>(mean + result.zero_point_of(0), range.low, range.high)));
    }
}

template <class Pool>
Operator read_pool(const LayerReader& layer) {
    namespace options = tflite::pool_options;
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_same_quantisation(0);
    const PictureShape from = layer.expect_picture(layer.input(0));
    const WindowAxis vertical = {layer.option<std::int32_t>(options::kHeight, 0),
                                 layer.option<std::int32_t>(options::kStrideH, 0), 1};
    const WindowAxis horizontal = {layer.option<std::int32_t>(options::kWidth, 0),
                                   layer.option<std::int32_t>(options::kStrideW, 0), 1};
    const PlacedWindow placed =
        place_window(layer, from, vertical, horizontal,
                     layer.option<std::int8_t>(options::kPadding, tflite::kSame));
    layer.expect_output_shape({1, placed.output.height, placed.output.width, from.channels});
    return Pool{placed.window, layer.activation(options::kActivation)};
}

void evaluate_average(const AveragePool& op, NodeEvaluation& at) {
    const Operand from = at.operand(0);
    const Tensor& result = at.result();
    const PictureShape input = *picture_shape(*from.tensor);
    const StoredRange range = stored_range(op.activation, result);
    for_each_pixel(
        op.window, 1, 1, input, *picture_shape(result),
        [&](std::size_t pixel, const Reach& lines, const Reach& columns) {
            const std::int64_t count =
                std::int64_t{lines.last - lines.first} * (columns.last - columns.first);
            for (std::size_t c = 0; c < input.channels; ++c) {
                std::int64_t sum = 0;
                for (std::uint32_t dy = lines.first; dy < lines.last; ++dy) {
                    for (std::uint32_t dx = columns.first; dx < columns.last; ++dx) {
                        sum += from.stored(pixel_at(input, lines.origin + dy, columns.origin + dx) *
                                               input.channels +
                                           c);
                    }
                }
                const std::int64_t mean =
                    count == 0 ? 0 : (sum + (sum > 0 ? count / 2 : -(count / 2))) / count;
                at.to[pixel * input.channels + c] = as_byte(static_cast<std::int32_t>(
                    std::clamp<std::int64_t>(mean, range.low, range.high)));
            }
        });
}

void evaluate_most(const MaxPool& op, NodeEvaluation& at) {
    const Operand from = at.operand(0);
    const Tensor& result = at.result();
    const PictureShape input = *picture_shape(*from.tensor);
    const StoredRange range = stored_range(op.activation, result);
    for_each_pixel(op.window, 1, 1, input, *picture_shape(result),
                   [&](std::size_t pixel, const Reach& lines, const Reach& columns) {
                       for (std::size_t c = 0; c < input.channels; ++c) {
                           std::int32_t most = range.low;
                           for (std::uint32_t dy = lines.first; dy < lines.last; ++dy) {
                               for (std::uint32_t dx = columns.first; dx < columns.last; ++dx) {
                                   most =
                                       std::max(most, from.stored(pixel_at(input, lines.origin + dy,
                                                                           columns.origin + dx) *
                                                                      input.channels +
                                                                  c));
                               }
                           }
                           at.to[pixel * input.channels + c] = as_byte(std::min(most, range.high));
                       }
                   });
}

void lower_pool_layer(NodeLowering& at, PoolLayer layer, Activation activation) {
    const Tensor& in = at.tensor(0);
    const Tensor& out = at.result();
    layer.name = at.name();
    layer.in = at.picture(in);
    layer.scale = at.scale_ratio(in);
    layer.input_zero = in.zero_point_of(0);
    layer.range = range_of(activation, out);
    const bool same = layer.scale == 1 && layer.input_zero == layer.range.zero_point;
    std::string reason = pool_refusal(layer);
    if (!same && layer.kind != PoolKind::GlobalAverage) reason = "a change of scale";
    if (layer.range.low > -128 || layer.range.high < 127) reason = "an activation";
    if (!reason.empty()) {
        at.refuse(reason,
                  "the units pool windows of up to 7 x 7 without padding, or a whole feature map");
    }
    at.add(lower_pool(layer, at.input(0), at.output()));
}

void lower_average_pool(const AveragePool& op, NodeLowering& at) {
    PoolLayer layer;
    layer.out = at.picture(at.result());
    layer.window = op.window;
    const PictureShape in = at.picture(at.tensor(0));
    const bool whole =
        op.window.height == in.height && op.window.width == in.width && !op.window.pads.any();
    layer.kind = whole ? PoolKind::GlobalAverage : PoolKind::Average;
    lower_pool_layer(at, layer, op.activation);
}
void lower_max_pool(const MaxPool& op, NodeLowering& at) {
    PoolLayer layer;
    layer.out = at.picture(at.result());
    layer.window = op.window;
    lower_pool_layer(at, layer, op.activation);
}
void lower_mean(const Mean& op, NodeLowering& at) {
    const Tensor& in = at.tensor(0);
    if (in.shape.size() != 4 || op.axes != std::vector<std::uint32_t>{1, 2}) {
        at.refuse("a mean along other axes than height and width",
                  "take the mean over whole feature maps");
    }
    PoolLayer layer;
    layer.out = {1, 1, in.shape.back()};
    layer.kind = PoolKind::GlobalAverage;
    lower_pool_layer(at, layer, Activation::None);
}

}  // namespace

OperatorRule average_pool_rule() {
    OperatorRule rule = operator_rule<AveragePool, evaluate_average, lower_average_pool>(
        "AVERAGE_POOL_2D", read_pool<AveragePool>);
    rule.forms = "int8, equal scales, any window, stride and padding";
    rule.generated = "NPU: windows to 7x7 or the whole feature map, no padding";
    return rule;
}

OperatorRule max_pool_rule() {
    OperatorRule rule =
        operator_rule<MaxPool, evaluate_most, lower_max_pool>("MAX_POOL_2D", read_pool<MaxPool>);
    rule.forms = "int8, equal scales, any window, stride and padding";
    rule.generated = "NPU: windows to 7x7, no padding";
    return rule;
}

OperatorRule mean_rule() {
    OperatorRule rule = operator_rule<Mean, evaluate_mean, lower_mean>("MEAN", read_mean);
    rule.forms = "int8, constant axes";
    rule.generated = "NPU: over height and width";
    return rule;
}

}  // namespace n6vp::sim::generate

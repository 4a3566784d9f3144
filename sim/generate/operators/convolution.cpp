// SPDX-License-Identifier: Apache-2.0
// CONV_2D.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/generate/operators/convolutions.h"
#include "sim/generate/operators/windows.h"

namespace n6vp::sim::generate {

namespace {

Operator read_convolution(const LayerReader& layer) {
    namespace options = tflite::conv_options;
    expect_weights(layer, 0);
    const PictureShape from = layer.expect_picture(layer.input(0));
    const std::vector<std::uint32_t>& kernel = layer.input(1).shape;
    if (kernel.size() != 4 || kernel[3] != from.channels) {
        layer.refuse("its weights are not [outputs, height, width, channels of the input]",
                     "convolutions without groups");
    }
    expect_bias(layer, kernel[0]);
    const WindowAxis vertical = axis_of(layer, kernel[1], options::kStrideH, options::kDilationH);
    const WindowAxis horizontal = axis_of(layer, kernel[2], options::kStrideW, options::kDilationW);
    const PlacedWindow placed =
        place_window(layer, from, vertical, horizontal,
                     layer.option<std::int8_t>(options::kPadding, tflite::kSame));
    layer.expect_output_shape({1, placed.output.height, placed.output.width, kernel[0]});
    return Conv2D{placed.window, static_cast<std::uint32_t>(vertical.dilation),
                  static_cast<std::uint32_t>(horizontal.dilation),
                  layer.activation(options::kActivation)};
}

void evaluate_conv(const Conv2D& op, NodeEvaluation& at) {
    const Operand from = at.operand(0);
    const Tensor& weights = at.graph.weights(at.node);
    const PictureShape input = *picture_shape(*from.tensor);
    const PictureShape output = *picture_shape(at.result());
    const ChannelScaler scaler(at.graph, at.node, op.activation);
    for_each_pixel(
        op.window, op.dilation_height, op.dilation_width, input, output,
        [&](std::size_t pixel, const Reach& lines, const Reach& columns) {
            for (std::size_t k = 0; k < output.channels; ++k) {
                std::int64_t sum = 0;
                for (std::uint32_t dy = lines.first; dy < lines.last; ++dy) {
                    for (std::uint32_t dx = columns.first; dx < columns.last; ++dx) {
                        const std::size_t source =
                            pixel_at(input, lines.origin + std::int64_t{dy} * op.dilation_height,
                                     columns.origin + std::int64_t{dx} * op.dilation_width) *
                            input.channels;
                        const std::size_t kernel =
                            ((k * op.window.height + dy) * op.window.width + dx) * input.channels;
                        for (std::size_t c = 0; c < input.channels; ++c) {
                            sum += std::int64_t{from.centred(source + c)} *
                                   int8_at(weights, kernel + c);
                        }
                    }
                }
                at.to[pixel * output.channels + k] = scaler.finish(sum, k);
            }
        });
}

void lower_conv(const Conv2D& op, NodeLowering& at) {
    lower_convolution_layer(at, convolution_of(at.graph(), at.node(), op));
}

}  // namespace

OperatorRule convolution_rule() {
    OperatorRule rule =
        operator_rule<Conv2D, evaluate_conv, lower_conv>("CONV_2D", read_convolution);
    rule.forms = "int8, weights int8 per channel or tensor, bias int32 or none";
    rule.generated = "NPU: no dilation";
    rule.data_inputs = 3;
    return rule;
}

}  // namespace n6vp::sim::generate

// SPDX-License-Identifier: Apache-2.0
// RESIZE_NEAREST_NEIGHBOR and RESIZE_BILINEAR.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/generate/operators/copies.h"
#include "sim/generate/operators/resize.h"

namespace n6vp::sim::generate {

namespace {

// Cycles of the core for one element: assumed.
constexpr std::uint64_t kByteCycles = 4;

template <ResizeMode kMode>
Operator read_resize(const LayerReader& layer) {
    layer.expect_inputs(2, 2);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_same_quantisation(0);
    const PictureShape from = layer.expect_picture(layer.input(0));
    const std::vector<std::int64_t> size = layer.constant_integers(1);
    constexpr std::int64_t kMost = 1 << 16;
    if (size.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > kMost || size[1] > kMost ||
        from.height > kMost || from.width > kMost) {
        layer.refuse("its new size is none", "two constants above 0 and up to 65536");
    }
    layer.expect_output_shape({1, static_cast<std::uint32_t>(size[0]),
                               static_cast<std::uint32_t>(size[1]), from.channels});
    constexpr bool kNearest = kMode == ResizeMode::Nearest;
    constexpr unsigned kAlign = kNearest ? unsigned{tflite::nearest_options::kAlignCorners}
                                         : unsigned{tflite::bilinear_options::kAlignCorners};
    constexpr unsigned kHalf = kNearest ? unsigned{tflite::nearest_options::kHalfPixelCenters}
                                        : unsigned{tflite::bilinear_options::kHalfPixelCenters};
    Resize resize;
    resize.mode = kMode;
    resize.align_corners = layer.option<std::uint8_t>(kAlign, 0) != 0;
    resize.half_pixel_centers = layer.option<std::uint8_t>(kHalf, 0) != 0;
    if (resize.align_corners && resize.half_pixel_centers) {
        layer.refuse("align_corners and half_pixel_centers together", "one of them, or none");
    }
    return resize;
}

constexpr std::int64_t kWholeStep = 1 << 10;

void evaluate_resize(const Resize& op, NodeEvaluation& evaluation) {
    const Operand from = evaluation.operand(0);
    const Tensor& result = evaluation.result();
    const PictureShape input = *picture_shape(*from.tensor);
    const PictureShape output = *picture_shape(result);
    const StoredRange range = stored_range(Activation::None, result);
    const std::vector<std::uint32_t> near_lines = nearest_places(input.height, output.height, op);
    const std::vector<std::uint32_t> near_columns = nearest_places(input.width, output.width, op);
    for (std::uint32_t y = 0; y < output.height; ++y) {
        for (std::uint32_t x = 0; x < output.width; ++x) {
            const Between lines = between_places(y, input.height, output.height, op);
            const Between columns = between_places(x, input.width, output.width, op);
            for (std::uint32_t c = 0; c < output.channels; ++c) {
                const auto at = [&](std::uint32_t source_y, std::uint32_t source_x) {
                    return std::int64_t{from.stored(
                        (std::size_t{source_y} * input.width + source_x) * input.channels + c)};
                };
                std::int64_t value = at(near_lines[y], near_columns[x]);
                if (op.mode == ResizeMode::Bilinear) {
                    const std::int64_t sum =
                        (at(lines.first, columns.first) * (kWholeStep - columns.weight) +
                         at(lines.first, columns.second) * columns.weight) *
                            (kWholeStep - lines.weight) +
                        (at(lines.second, columns.first) * (kWholeStep - columns.weight) +
                         at(lines.second, columns.second) * columns.weight) *
                            lines.weight;
                    constexpr std::int64_t kHalf = kWholeStep * kWholeStep / 2;
                    value = (sum + (sum > 0 ? kHalf : -kHalf)) / (kWholeStep * kWholeStep);
                }
                evaluation.to[(std::size_t{y} * output.width + x) * output.channels + c] =
                    as_byte(static_cast<std::int32_t>(
                        std::clamp<std::int64_t>(value, range.low, range.high)));
            }
        }
    }
}

CoreEpoch nearest_epoch(const NodeLowering& at, const Resize& op) {
    const PictureShape from = picture_shape(at.tensor(0)).value();
    const PictureShape to = picture_shape(at.result()).value();
    CoreEpoch epoch = at.core_epoch(kByteCycles);
    epoch.choice = "pixels on the core";
    PixelWork work;
    work.pixel_bytes = from.channels;
    work.lines = nearest_places(from.height, to.height, op);
    work.columns = nearest_places(from.width, to.width, op);
    for (std::uint32_t& line : work.lines) line *= from.width * from.channels;
    for (std::uint32_t& column : work.columns) column *= from.channels;
    epoch.work = work;
    return epoch;
}

void lower_resize(const Resize& op, NodeLowering& at) {
    if (op.mode != ResizeMode::Nearest) {
        at.refuse("interpolation", "RESIZE_NEAREST_NEIGHBOR");
    }
    CopyLayer copies = enlargement_copies(at.graph(), at.node(), op);
    if (!copies.sources.empty() && !copy_refusal(copies)) {
        return lower_copy_layer(at, std::move(copies));
    }
    at.add_core(nearest_epoch(at, op));
}

}  // namespace

Between between_places(std::uint32_t place, std::uint32_t from, std::uint32_t to,
                       const Resize& op) {
    const bool corners = op.align_corners && to > 1;
    const std::int64_t scale = corners ? (kWholeStep * (from - 1) + (to - 1) / 2) / (to - 1)
                                       : (kWholeStep * from + to / 2) / to;
    const std::int64_t position =
        op.half_pixel_centers ? place * scale + scale / 2 - kWholeStep / 2 : place * scale;
    const std::int64_t last = from - 1;
    Between result;
    result.first = static_cast<std::uint32_t>(
        std::min(std::max<std::int64_t>(position / kWholeStep, 0), last));
    result.second = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((position + kWholeStep - 1) / kWholeStep, 0, last));
    result.weight = position - kWholeStep * result.first;
    return result;
}

OperatorRule resize_nearest_rule() {
    OperatorRule rule = operator_rule<Resize, evaluate_resize, lower_resize>(
        "RESIZE_NEAREST_NEIGHBOR", read_resize<ResizeMode::Nearest>);
    rule.forms = "int8, equal scales, constant size";
    rule.generated = "NPU: pixels repeated up to 9 times; others: core";
    return rule;
}

OperatorRule resize_bilinear_rule() {
    OperatorRule rule = operator_rule<Resize, evaluate_resize, lower_resize>(
        "RESIZE_BILINEAR", read_resize<ResizeMode::Bilinear>);
    rule.forms = "int8, equal scales, constant size";
    rule.generated = "";
    return rule;
}

}  // namespace n6vp::sim::generate

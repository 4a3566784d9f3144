// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/convolution_shape.h"

#include <algorithm>

namespace n6vp::models::npu {
namespace {

FeaturePacking packing_of(const ConvolutionConfig& config) {
    if (config.ctrl.dss2mode) return FeaturePacking::Pairs;
    if (!config.ctrl.deepmode) return FeaturePacking::Elements;
    return config.dformat.fbytes == 3 ? FeaturePacking::Contiguous : FeaturePacking::Pixels;
}

/// Returns the positions of a window that moves by `stride`; 0 if it does not fit.
std::size_t positions(std::size_t size, std::size_t window, std::size_t stride) {
    return size < window || stride == 0 ? 0 : (size - window) / stride + 1;
}

/// Returns how much of `first` to `last` lies in a picture of `size`; the reset value of `last`,
/// 0xFFFF, is its end.
std::size_t extent(std::size_t first, std::size_t last, std::size_t size) {
    const std::size_t end = std::min(last + 1, size);
    return end > first ? end - first : 0;
}

}  // namespace

ConvolutionShape::ConvolutionShape(const ConvolutionConfig& config)
    : depth(std::max(config.kformat.btcdepth, 1u)),
      kernels(config.kformat.nr),
      kernel_width(config.kformat.width),
      kernel_height(config.kformat.height),
      width(config.fformat.width / depth),
      height(config.fformat.height),
      crop_left(config.fhcrop.left / depth),
      crop_top(config.fvcrop.top),
      crop_width(extent(config.fhcrop.left, config.fhcrop.right, config.fformat.width) / depth),
      crop_height(extent(crop_top, config.fvcrop.bottom, height)),
      pad_left(config.sample.lpad),
      pad_right(config.sample.rpad),
      pad_top(config.sample.tpad),
      pad_bottom(config.sample.bpad),
      frame_left(config.zframe.left / depth),
      frame_right(config.zframe.right / depth),
      frame_top(config.zframe.top),
      frame_bottom(config.zframe.bottom),
      horizontal_stride(config.sample.hstrd),
      vertical_stride(config.sample.vstrd),
      plane_width(left() + crop_width + frame_right + pad_right),
      plane_height(top() + crop_height + frame_bottom + pad_bottom),
      out_width(positions(plane_width, kernel_width, horizontal_stride)),
      out_height(positions(plane_height, kernel_height, vertical_stride)),
      packing(packing_of(config)) {}

std::size_t ConvolutionShape::feature_words() const {
    return words_of(width * height);
}

std::size_t ConvolutionShape::words_of(std::size_t pixels) const {
    switch (packing) {
        case FeaturePacking::Elements:
            return pixels * depth;
        case FeaturePacking::Pairs:
            return pixels * (depth / 2);
        case FeaturePacking::Contiguous:
            return (pixels * depth + 2) / 3;
        case FeaturePacking::Pixels:
            return pixels * ((depth + 2) / 3);
    }
    return 0;
}

std::size_t ConvolutionShape::whole_pixels(std::size_t words) const {
    switch (packing) {
        case FeaturePacking::Elements:
            return words / depth;
        case FeaturePacking::Pairs:
            return words / (depth / 2);
        case FeaturePacking::Contiguous:
            return std::min(words * 3 / depth, width * height);
        case FeaturePacking::Pixels:
            return words / ((depth + 2) / 3);
    }
    return 0;
}

std::size_t ConvolutionShape::features_needed(std::size_t x, std::size_t y) const {
    const std::size_t window_left = x * horizontal_stride, window_top = y * vertical_stride;
    const std::size_t right = std::min(window_left + kernel_width, left() + crop_width);
    const std::size_t bottom = std::min(window_top + kernel_height, top() + crop_height);
    // A window beside the picture sees pads only.
    if (right <= std::max(window_left, left()) || bottom <= std::max(window_top, top())) return 0;
    const std::size_t line = bottom - 1 - top() + crop_top;
    return words_of(line * width + right - 1 - left() + crop_left + 1);
}

}  // namespace n6vp::models::npu

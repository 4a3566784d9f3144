// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/npu/units/convolution_config.h"
#include "models/npu/units/convolution_shape.h"
#include "models/npu/units/output_stage.h"
#include "models/npu/units/word.h"

namespace n6vp::models::npu::plain {

// Convolution with sums of 64 bits for what the host's vector unit does not hold: wide features,
// wide weights, large shifts.

/// Smallest and largest feature, less FSUB.
struct Reach {
    std::int32_t low = 0, high = 0;
};

/// Fills a plane with the pixels `first` to `end` - 1 of the link, in elements
/// [line][pixel][channel]. `words` are those of the frame from its beginning.
Reach load_features(const ConvolutionShape& shape, const ConvolutionConfig& config,
                    std::span<const Word> words, std::size_t first, std::size_t end,
                    std::vector<std::int32_t>& plane);

/// Which outputs to compute: from a pixel on, as many as there is room for.
struct Portion {
    std::size_t first_pixel = 0;
    std::span<const Word> sums;  ///< of these outputs; empty if there is no accumulator frame
    std::span<Word> out;
};

/// Computes outputs from a plane of `Element`: std::int16_t or std::int32_t. Returns whether a sum
/// needed more than 32 bits.
template <class Element>
bool convolve(const ConvolutionShape& shape, std::span<const Element> plane,
              std::span<const std::int32_t> weights, const Portion& portion, unsigned in_shift,
              const OutputStage& stage);

}  // namespace n6vp::models::npu::plain

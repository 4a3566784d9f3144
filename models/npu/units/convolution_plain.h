// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Fills the part of a plane that comes from the link, in elements [line][pixel][channel].
Reach load_features(const ConvolutionShape& shape, const ConvolutionConfig& config,
                    std::span<const Word> words, std::vector<std::int32_t>& plane);

/// Writes the output words of a frame; `sums` is empty if there is no accumulator frame. Returns
/// whether a sum needed more than 32 bits.
bool convolve(const ConvolutionShape& shape, std::span<const std::int32_t> plane,
              std::span<const std::int32_t> weights, std::span<const Word> sums, unsigned in_shift,
              const OutputStage& stage, std::span<Word> out);

}  // namespace n6vp::models::npu::plain

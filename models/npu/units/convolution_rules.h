// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/npu/base/verdict.h"
#include "models/npu/units/convolution_config.h"

namespace n6vp::models::npu {

/// Rules of the unit's description that a configuration may break. Which of them the hardware
/// itself notices (CTRL.ILL) is not known.
enum class ConvolutionRule : std::uint8_t {
    EmptyKernel,
    TooManyKernels,
    NoStride,
    NoBytes,
    DeepAndPairs,
    StoredPacked,
    StoredCount,
    DeepKernel,
    OddPairs,
    LineNotPixels,
    Crop,
    FrameNotPixels,
    WindowTooLarge,
    Multipliers,
    KernelFilter,
    AccumulatorFilter,
};

/// Returns the rule as a sentence with the names of the fields.
[[nodiscard]] const char* rule_text(ConvolutionRule rule);

inline constexpr std::uint32_t kMaxKernels = 24;         ///< per frame; a constant of compilers
inline constexpr std::uint32_t kMaxLineElements = 1024;  ///< kept for kernels above 1x1, it is said
inline constexpr std::uint32_t kMultipliers8x8 = 72;     ///< 6 clusters of 12; 16x8: half
/// Largest feature map, plane and output of one frame: the model's own bound, the size of the
/// board's PSRAM.
inline constexpr std::uint64_t kMaxPlaneElements = std::uint64_t{1} << 25;

struct ConvolutionVerdict : Verdict {
    std::optional<ConvolutionRule> broken;  ///< the first one, of which `illegal` is the text
};

[[nodiscard]] ConvolutionVerdict judge(const ConvolutionConfig& config);

}  // namespace n6vp::models::npu

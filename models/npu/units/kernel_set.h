// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/npu/units/convolution_config.h"
#include "models/npu/units/word.h"

namespace n6vp::models::npu {

/// Picks the kernels of one frame from the kernel link.
class KernelSet {
  public:
    explicit KernelSet(const ConvolutionConfig& config);

    /// Returns how many words of the link one frame takes, those of other units included.
    [[nodiscard]] std::size_t words() const;

    /// Fills `weights` in the order [kernel][line][column][channel] from the words of one frame.
    void unpack(std::span<const Word> words, std::vector<std::int32_t>& weights) const;

  private:
    [[nodiscard]] std::size_t deep_words() const { return (kernels_ * size_ + 2) / 3; }
    void unpack_deep(std::span<const Word> words, std::vector<std::int32_t>& weights) const;

    std::size_t kernels_, size_;  ///< of this unit; weights of one
    std::size_t total_, first_, taken_;
    unsigned bytes_;
    bool unsigned_, deep_;
};

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/kernel_set.h"

#include <algorithm>

namespace n6vp::models::npu {

constexpr std::size_t kDeepGroup = 8;  // kernels whose weights alternate, deep mode

KernelSet::KernelSet(const ConvolutionConfig& config)
    : kernels_(config.kformat.nr),
      size_(std::size_t{config.kformat.width} * config.kformat.height * config.kformat.btcdepth),
      total_(config.kfilt.tot),
      first_(config.kfilt.first),
      taken_(config.kfilt.last - config.kfilt.first + 1),
      bytes_(config.ctrl.simd == 0 ? 2 : 1),
      unsigned_(config.ctrl.kunsigned),
      deep_(config.ctrl.deepmode) {}

std::size_t KernelSet::words() const {
    // Deep sets fill whole words, one per unit: engines bring each as a frame of its own.
    if (deep_) return total_ == 1 ? deep_words() : total_ / taken_ * deep_words();
    return kernels_ / taken_ * total_ * size_;
}

void KernelSet::unpack(std::span<const Word> words, std::vector<std::int32_t>& weights) const {
    weights.resize(kernels_ * size_);
    if (deep_) return unpack_deep(words, weights);
    for (std::size_t k = 0; k < kernels_; ++k) {
        const std::size_t on_link = k / taken_ * total_ + first_ + k % taken_;
        for (std::size_t i = 0; i < size_; ++i)
            weights[k * size_ + i] = low_bytes(words[on_link * size_ + i], bytes_, unsigned_);
    }
}

void KernelSet::unpack_deep(std::span<const Word> words, std::vector<std::int32_t>& weights) const {
    const std::size_t set = total_ == 1 ? 0 : first_ / taken_;
    const Word* word = words.data() + set * deep_words();
    unsigned lane = 0;
    for (std::size_t group = 0; group < kernels_; group += kDeepGroup) {
        const std::size_t end = std::min(group + kDeepGroup, kernels_);
        for (std::size_t channel = 0; channel < size_; ++channel) {
            for (std::size_t k = group; k < end; ++k) {
                weights[k * size_ + channel] = low_bytes(*word >> (8 * lane), 1, unsigned_);
                if (++lane < 3) continue;
                lane = 0;
                ++word;
            }
        }
    }
}

}  // namespace n6vp::models::npu

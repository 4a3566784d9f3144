// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/npu/units/convolution.h"
#include "tests/models/npu/reference/convolution.h"

namespace n6vp::test {

/// Deterministic on every host, unlike the distributions of the standard library.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits();
    /// Returns a number from `low` to `high`, both included.
    int roll(int low, int high);
    bool once_in(int times) { return roll(1, times) == 1; }

  private:
    std::uint64_t state_;
};

/// How numbers travel on the links, as opposed to what they are.
enum class Link : std::uint8_t { Elements, Pairs, DeepContiguous, DeepPixels };

/// A convolution of several frames with all that the unit is told about it.
struct ConvolutionCase {
    reference::Layer layer;
    Link link = Link::Elements;
    unsigned simd = 1, feature_bytes = 1;
    bool pairs_of_two_bytes = false;  ///< Link::Pairs: FBYTES 2, which changes no number
    bool features_unsigned = false, kernels_unsigned = false;
    bool diagonal = false;  ///< kernel k has weights for channel k + first_channel only
    int first_channel = 0;
    int units = 1, unit = 0;  ///< of a pipe that shares the kernel link; which one this is
    int picked = 0, period = 0, first = 0;  ///< KFILT other than a pipe's: `picked` of `period`
    bool port = false;                      ///< accumulator port in use
    int filter_period = 0, filter_first = 0, filter_last = 0;  ///< AFILT; period 0: off
    bool skip_first = false, generated = false;                ///< NO1SUM, GEN1SUM
    int sets_per_frame = 0;                                    ///< FSTAT; 0: off
    int frames = 2;

    [[nodiscard]] models::npu::ConvolutionConfig config() const;
    [[nodiscard]] models::npu::Rounding rounding() const;

    /// Random tensors within the formats.
    [[nodiscard]] reference::Tensor features(Dice& dice) const;
    [[nodiscard]] reference::Tensor weights(Dice& dice) const;

    /// Words of the links; what no one may read is random.
    using Words = std::vector<models::npu::Word>;
    [[nodiscard]] Words feature_words(const reference::Tensor& features, Dice& dice) const;
    [[nodiscard]] Words kernel_words(const reference::Tensor& weights, Dice& dice) const;

    /// Whether frame `frame` is added to what the port brings.
    [[nodiscard]] bool adds(int frame) const;
};

/// A small random picture, kernel and output stage within the unit's rules for `simd`.
ConvolutionCase draw_case(Dice& dice, unsigned simd);
/// The same for 1x1 kernels on packed channels.
ConvolutionCase draw_deep_case(Dice& dice, Link link);

/// Runs every frame on the model, whole and in random portions, and on the reference; returns true
/// if all words are equal.
/// `computable` turns false if the model refuses.
bool agrees(const ConvolutionCase& which, Dice& dice, bool& computable);

}  // namespace n6vp::test

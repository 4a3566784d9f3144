// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/npu/units/convolution_config.h"
#include "models/npu/units/convolution_rules.h"
#include "models/npu/units/convolution_shape.h"
#include "models/npu/units/kernel_set.h"
#include "models/npu/units/output_stage.h"
#include "models/npu/units/word.h"

namespace n6vp::models::npu {
namespace fast {
struct HostUnit;
}

/// What a frame used that the description leaves open; results are exact without bounds.
struct ConvolutionOutcome {
    bool wide_features = false;  ///< a feature less FSUB, or ZFBIAS, is wider than the operand
    bool wide_sums = false;      ///< a sum needed more than 32 bits
};

/// The arithmetic of CONVACC: features, kernels and partial sums in, sums out, a frame at a time or
/// in portions as they come.
///
/// Modelled: normal, deep and DSS2 modes, stored feature frames, crop, ZFRAME, pads, strides, all
/// operand widths, selection of kernels, accumulation by frames, output stage.
/// Not modelled: time; what `judge` lists as limits.
///
///     if (judge(config).computable()) {
///         Convolution unit(config);
///         unit.compute(0, features, kernels, {}, out);
///     }
class Convolution {
  public:
    /// `config` is computable; `ties` is used where the ROUND field is set.
    explicit Convolution(const ConvolutionConfig& config, Rounding ties = Rounding::HalfUp);

    [[nodiscard]] const ConvolutionShape& shape() const { return shape_; }

    /// Words that frame `frame` takes from each port. Features: none while a stored frame serves.
    [[nodiscard]] std::size_t feature_words(std::uint64_t frame) const {
        return loads_features(frame) ? shape_.feature_words() : 0;
    }
    [[nodiscard]] std::size_t kernel_words() const { return kernels_.words(); }
    [[nodiscard]] std::size_t accumulator_words(std::uint64_t frame) const;
    /// Words that every frame gives: lines, pixels, kernels.
    [[nodiscard]] std::size_t output_words() const { return shape_.output_words(); }
    /// Multiplications of a frame, those with zeros included.
    [[nodiscard]] std::uint64_t products() const {
        return std::uint64_t{output_words()} * shape_.kernel_size();
    }

    /// Returns whether the words of the accumulator port count in frame `frame`.
    [[nodiscard]] bool accumulates(std::uint64_t frame) const;

    /// Computes one frame. The spans have the lengths above; accumulator words of frames that do
    /// not accumulate may be left out. With FSTAT, frames come in order.
    ConvolutionOutcome compute(std::uint64_t frame, std::span<const Word> features,
                               std::span<const Word> kernels, std::span<const Word> accumulator,
                               std::span<Word> out);

    // The same in portions, which give the same words however they are cut.

    /// Words that one pixel of the output gives.
    [[nodiscard]] std::size_t pixel_words() const { return shape_.kernels; }
    /// Begins a frame with the words of its kernels; features and outputs of the last one are over.
    void begin(std::uint64_t frame, std::span<const Word> kernels);
    /// Brings the next features of the frame, any number of those that are still to come.
    void add_features(std::span<const Word> words);
    /// Returns how many words of this frame the features determine that have come so far; a stored
    /// frame is there from the beginning.
    [[nodiscard]] std::size_t computable() const;
    /// Returns how many features must have come for output `word` and all before it.
    [[nodiscard]] std::size_t features_needed(std::size_t word) const {
        return needed_[word / pixel_words()];
    }
    /// Computes the next words of the frame. `out` has whole pixels that are computable,
    /// `accumulator` as many words; they may be left out if the frame does not accumulate. What is
    /// returned speaks of these words and of the features that have come.
    ConvolutionOutcome compute(std::span<const Word> accumulator, std::span<Word> out);

  private:
    /// Which feature map is up to date, and the range of its features.
    enum class Plane : std::uint8_t { Narrow, Wide };
    /// What has been made of the frame's weights for the host's vector unit.
    enum class Packed : std::uint8_t { No, Dense, Diagonal };

    [[nodiscard]] bool loads_features(std::uint64_t frame) const;
    [[nodiscard]] bool is_deep() const;
    void prepare();
    void begin_picture();
    void forget_reach();
    void see(std::int32_t low, std::int32_t high);
    void load(std::span<const Word> features);
    void load_narrow(std::span<const Word> features, std::size_t pixels);
    void load_wide(std::span<const Word> features, std::size_t pixels);
    void pack_bytes(std::span<const Word> features, std::size_t pixels);
    void weigh();
    [[nodiscard]] bool fits(std::span<const Word> accumulator) const;
    void pack_weights();
    [[nodiscard]] bool pack_diagonal();
    void compute_narrow(std::span<const Word> accumulator, std::span<Word> out);
    void compute_lines(std::span<const Word> accumulator, std::span<Word> out);

    ConvolutionConfig config_;
    ConvolutionShape shape_;
    KernelSet kernels_;
    OutputStage stage_;
    const fast::HostUnit* host_;  ///< nullptr: none

    std::vector<std::uint32_t> needed_;  ///< feature words by output pixel, never falling
    Plane loaded_ = Plane::Wide;
    std::int32_t low_ = 0, high_ = 0;   ///< of what has come and of ZFBIAS, pads aside
    std::vector<std::int16_t> narrow_;  ///< plane for the host's vector unit
    std::vector<std::int32_t> wide_;    ///< plane for everything else
    std::vector<Word> features_;        ///< of this frame, if they come in portions
    std::vector<std::uint8_t> bytes_;   ///< deep mode: the link's bytes in a row
    std::size_t features_came_ = 0;     ///< words
    std::size_t words_packed_ = 0;      ///< of them in `bytes_`
    std::size_t pixels_loaded_ = 0;     ///< of the link's feature map in the plane
    std::size_t pixels_given_ = 0;      ///< of the output
    bool accumulates_ = false;          ///< this frame
    std::vector<std::uint32_t> pixel_starts_, line_starts_;

    std::vector<std::int32_t> weights_;
    std::int64_t heaviest_ = 0;  ///< largest sum of magnitudes of a kernel
    bool narrow_kernels_ = false;
    Packed packed_ = Packed::No;
    std::vector<std::int16_t> narrow_weights_, dense_weights_;
    std::vector<std::int32_t> diagonal_weights_;
    std::size_t diagonal_channel_ = 0;  ///< of the first kernel
};

}  // namespace n6vp::models::npu

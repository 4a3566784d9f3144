// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/npu/units/stage_loop.h"
#include "models/npu/units/unit_fields.h"

namespace n6vp::models::npu {

/// CTRL.TYPE.
enum class PoolType : std::uint8_t {
    Max = 0,
    Min = 1,
    Average = 2,
    GlobalMax = 8,
    GlobalMin = 9,
    GlobalAverage = 10,
    GlobalMaxIndex = 12,
    GlobalMinIndex = 13,
};

/// The registers of a POOL unit by field name. The defaults are the reset values.
struct PoolConfig {
    PoolType type = PoolType::Max;
    InputFields input;
    OutputFields output;
    std::uint8_t outshift = 0;
    bool dualline = false;
    bool cropen = false;
    std::uint8_t winx = 0, winy = 0;    ///< window, pixels
    std::uint8_t strdx = 0, strdy = 0;  ///< stride, pixels
    std::uint8_t tpad = 0, bpad = 0, lpad = 0, rpad = 0;
    std::uint8_t bsize = 0;                ///< channels of a pixel
    std::uint16_t feat_x = 0, feat_y = 0;  ///< elements of a line, lines
    std::uint16_t out_x = 0, out_y = 0;    ///< pixels; without meaning for global types
    std::uint16_t mulval = 0;              ///< averages: sum * MULVAL >> OUTSHIFT
    std::uint16_t lcrop = 0, rcrop = 0;    ///< first and last element of a line
    std::uint16_t tcrop = 0, bcrop = 0;    ///< first and last line

    [[nodiscard]] constexpr bool global() const { return type >= PoolType::GlobalMax; }
    [[nodiscard]] constexpr bool averages() const {
        return type == PoolType::Average || type == PoolType::GlobalAverage;
    }

    friend bool operator==(const PoolConfig&, const PoolConfig&) = default;
};

[[nodiscard]] Verdict judge(const PoolConfig& config);

/// One POOL unit, frame after frame, whole or in portions as features come: pixels of BSIZE
/// channels, cropped, surrounded by zeros, reduced by windows or, by the global types, to one
/// pixel; then the common output stage.
class Pool {
  public:
    /// Requires a configuration that computes (`judge`).
    explicit Pool(const PoolConfig& config, Rounding ties = Rounding::HalfUp);

    /// Return the words of one frame at the input and at the output.
    [[nodiscard]] std::size_t words_in() const {
        return std::size_t{config_.feat_x} * config_.feat_y;
    }
    [[nodiscard]] std::size_t words_out() const { return words_out_; }

    /// Computes one frame. Requires `words_in()` words and room for `words_out()`.
    void compute(std::span<const Word> frame, std::span<Word> out);

    // The same in portions, which give the same words however they are cut.

    /// Words that one pixel of the output gives.
    [[nodiscard]] std::size_t pixel_words() const { return config_.bsize; }
    /// Begins a frame.
    void begin();
    /// Brings the next words of the frame, any number of those that are still to come.
    void add_features(std::span<const Word> words);
    /// Returns how many words of the output the words determine that have come so far.
    [[nodiscard]] std::size_t computable() const;
    /// Returns how many words must have come for output `word` and all before it.
    [[nodiscard]] std::size_t features_needed(std::size_t word) const {
        return needed_[word / pixel_words()];
    }
    /// Computes the next words of the frame: whole pixels that are computable.
    void compute(std::span<Word> out);

  private:
    /// Neighbouring pixels of one line of the output.
    struct Part {
        std::size_t line = 0, first = 0, pixels = 0;
    };

    [[nodiscard]] std::size_t needed(std::size_t ox, std::size_t oy) const;
    template <typename Rule>
    void global(Rule rule, std::int64_t start, std::span<Word> out) const;
    template <typename Rule>
    void reduce(Rule rule, const Part& part);
    template <typename Rule>
    void windows(Rule rule, std::span<Word> out);
    void finish(Word* out, std::size_t words) const;

    PoolConfig config_;
    StageLoop stage_;
    std::size_t first_x_, first_y_;  ///< of the crop window, elements and lines
    std::size_t width_, height_;     ///< of the crop window, elements and lines
    std::size_t line_;               ///< elements of a line with its pads
    std::size_t words_out_;
    std::vector<std::uint32_t> needed_;  ///< words by output pixel, never falling
    std::size_t came_ = 0;               ///< words of this frame
    std::size_t pixels_given_ = 0;       ///< of the output
    std::vector<std::int32_t> picture_;  ///< cropped and padded
    std::vector<std::int32_t> column_;   ///< a line of reduced columns
    std::vector<std::int32_t> reduced_;  ///< a line of reduced windows
};

}  // namespace n6vp::models::npu

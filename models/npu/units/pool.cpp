// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/pool.h"

#include <algorithm>
#include <limits>

namespace n6vp::models::npu {

namespace {

constexpr std::uint32_t kLineBuffer = 1024;  // elements: the vendor's machine description

/// First and last element or line that is left by a crop, or the whole.
struct Span {
    std::uint32_t first, last;
    [[nodiscard]] std::uint32_t size() const { return last - first + 1; }
};
Span columns(const PoolConfig& c) {
    return c.cropen ? Span{c.lcrop, c.rcrop} : Span{0, c.feat_x - 1u};
}
Span lines(const PoolConfig& c) {
    return c.cropen ? Span{c.tcrop, c.bcrop} : Span{0, c.feat_y - 1u};
}

bool known(PoolType type) {
    switch (type) {
        case PoolType::Max:
        case PoolType::Min:
        case PoolType::Average:
        case PoolType::GlobalMax:
        case PoolType::GlobalMin:
        case PoolType::GlobalAverage:
        case PoolType::GlobalMaxIndex:
        case PoolType::GlobalMinIndex:
            return true;
    }
    return false;
}

/// Tells whether the crop window is pixels of the frame.
bool crops_pixels(const PoolConfig& c) {
    const Span x = columns(c), y = lines(c);
    return x.first <= x.last && x.last < c.feat_x && y.first <= y.last && y.last < c.feat_y &&
           x.first % c.bsize == 0 && (x.last + 1) % c.bsize == 0;
}

void judge_windows(const PoolConfig& c, VerdictBuilder& builder) {
    builder.illegal_if(c.winx == 0 || c.winy == 0, "a window without pixels");
    builder.illegal_if(c.strdx == 0 || c.strdy == 0, "a stride of 0");
    builder.assume_if(c.tpad != 0 || c.bpad != 0 || c.lpad != 0 || c.rpad != 0, "PDIMS pads",
                      "what the border counts for; zeros under the same MULVAL here");
    builder.assume_if(c.feat_x > kLineBuffer, "FDIMS.FEATX",
                      "lines of more than 1024 elements; computed all the same");
    if (c.winx == 0 || c.winy == 0 || c.strdx == 0 || c.strdy == 0) return;
    const std::uint32_t width = columns(c).size() / c.bsize + c.lpad + c.rpad;
    const std::uint32_t height = lines(c).size() + c.tpad + c.bpad;
    const bool fits = c.winx <= width && c.winy <= height;
    builder.illegal_if(!fits, "a window larger than the feature map");
    builder.refuse_if(fits && (c.out_x != (width - c.winx) / c.strdx + 1u ||
                               c.out_y != (height - c.winy) / c.strdy + 1u),
                      "OUTDIMS", "other dimensions than those of the windows that fit");
}

void judge_average(const PoolConfig& c, VerdictBuilder& builder) {
    builder.assume_if(c.mulval >= 0x8000, "MULVAL", "its sign; none here");
    const std::uint64_t elements =
        c.global() ? std::uint64_t{c.feat_x} * c.feat_y / c.bsize : std::uint64_t{c.winx} * c.winy;
    const std::uint64_t largest = elements << (8 * c.input.fbytes - 1);
    builder.refuse_if(c.mulval != 0 && largest >= (std::uint64_t{1} << 62) / c.mulval, "MULVAL",
                      "the width of the product; 62 bits here");
}

}  // namespace

Verdict judge(const PoolConfig& config) {
    VerdictBuilder builder("POOL");
    judge_input(config.input, builder);
    judge_output(config.output, config.outshift, builder);
    builder.illegal_if(!known(config.type), "TYPE names no pooling");
    builder.refuse_if(
        config.type == PoolType::GlobalMaxIndex || config.type == PoolType::GlobalMinIndex,
        "CTRL.TYPE", "what an index counts and which of equal elements it names");
    builder.assume_if(!config.dualline, "CTRL.DUALLINE", "its effect; none here");
    builder.assume_if(!config.cropen, "CTRL.CROPEN", "its effect; no crop here");
    builder.illegal_if(config.bsize == 0, "a pixel without channels");
    if (config.bsize == 0 || config.input.fbytes == 0) return builder.take();
    builder.illegal_if(!crops_pixels(config), "the crop window is not pixels of the frame");
    if (!crops_pixels(config)) return builder.take();
    if (config.averages()) judge_average(config, builder);
    if (!config.global()) {
        judge_windows(config, builder);
    } else {
        builder.refuse_if(
            config.tpad != 0 || config.bpad != 0 || config.lpad != 0 || config.rpad != 0,
            "PDIMS pads", "pads of a global pool");
    }
    return builder.take();
}

Pool::Pool(const PoolConfig& config, Rounding ties)
    : config_(config),
      stage_(output_stage(config.output, config.outshift, ties)),
      first_x_(columns(config).first),
      first_y_(lines(config).first),
      width_(columns(config).size()),
      height_(lines(config).size()),
      line_(width_ + (std::size_t{config.lpad} + config.rpad) * config.bsize),
      words_out_(config.global() ? config.bsize
                                 : std::size_t{config.out_x} * config.out_y * config.bsize) {
    // The pads stay 0; `add_features` fills what is between them.
    picture_.resize(line_ * (height_ + config.tpad + config.bpad));
    column_.resize(line_);
    needed_.reserve(words_out_ / config.bsize);
    if (config.global()) {
        needed_.push_back(static_cast<std::uint32_t>((first_y_ + height_ - 1) * config.feat_x +
                                                     first_x_ + width_));
        return;
    }
    reduced_.resize(std::size_t{config.out_x} * config.bsize);
    std::size_t most = 0;
    for (std::size_t oy = 0; oy < config.out_y; ++oy) {
        for (std::size_t ox = 0; ox < config.out_x; ++ox) {
            most = std::max(most, needed(ox, oy));
            needed_.push_back(static_cast<std::uint32_t>(most));
        }
    }
}

/// Returns how many words there are up to the last pixel of the picture in a window, 0 if it sees
/// pads only.
std::size_t Pool::needed(std::size_t ox, std::size_t oy) const {
    const std::size_t width = width_ / config_.bsize;
    const std::size_t left = ox * config_.strdx, top = oy * config_.strdy;
    const std::size_t right = std::min(left + config_.winx, config_.lpad + width);
    const std::size_t bottom = std::min(top + config_.winy, config_.tpad + height_);
    if (right <= std::max<std::size_t>(left, config_.lpad)) return 0;
    if (bottom <= std::max<std::size_t>(top, config_.tpad)) return 0;
    return (first_y_ + bottom - 1 - config_.tpad) * config_.feat_x + first_x_ +
           (right - config_.lpad) * config_.bsize;
}

void Pool::begin() {
    came_ = pixels_given_ = 0;
}

void Pool::add_features(std::span<const Word> words) {
    const unsigned bytes = config_.input.fbytes;
    const std::size_t end = came_ + words.size();
    for (std::size_t y = came_ / config_.feat_x; y * config_.feat_x < end; ++y) {
        if (y < first_y_ || y >= first_y_ + height_) continue;
        const std::size_t start = y * config_.feat_x + first_x_;
        const std::size_t from = std::max(came_, start), to = std::min(end, start + width_);
        if (from >= to) continue;
        const Word* word = &words[from - came_];
        std::int32_t* const row =
            &picture_[(config_.tpad + y - first_y_) * line_ +
                      std::size_t{config_.lpad} * config_.bsize + from - start];
        for (std::size_t i = 0; i < to - from; ++i) row[i] = input_value(word[i], bytes);
    }
    came_ = end;
}

std::size_t Pool::computable() const {
    const auto end = std::ranges::upper_bound(needed_, came_);
    return static_cast<std::size_t>(end - needed_.begin()) * pixel_words();
}

template <typename Rule>
void Pool::global(Rule rule, std::int64_t start, std::span<Word> out) const {
    const std::int64_t factor = config_.averages() ? config_.mulval : 1;
    for (std::size_t b = 0; b < config_.bsize; ++b) {
        std::int64_t reduced = start;
        for (std::size_t i = b; i < picture_.size(); i += config_.bsize) {
            reduced = rule(reduced, std::int64_t{picture_[i]});
        }
        stage_.store(&out[b], 1, [=](std::size_t) { return reduced * factor; });
    }
}

template <typename Rule>
void Pool::reduce(Rule rule, const Part& part) {
    // 49 elements of 24 bits stay below 32 bits.
    const std::size_t channels = config_.bsize, stride = config_.strdx * channels;
    const std::size_t words = part.pixels * channels;
    const std::size_t columns = (part.pixels - 1) * stride + config_.winx * channels;
    const std::int32_t* top = &picture_[part.line * config_.strdy * line_ + part.first * stride];
    std::int32_t* column = column_.data();
    std::copy_n(top, columns, column);
    for (std::size_t dy = 1; dy < config_.winy; ++dy) {
        const std::int32_t* from = top + dy * line_;
        for (std::size_t i = 0; i < columns; ++i) column[i] = rule(column[i], from[i]);
    }
    std::int32_t* reduced = reduced_.data();
    if (config_.strdx == 1) {  // pixels follow each other on both sides
        std::copy_n(column, words, reduced);
        for (std::size_t dx = 1; dx < config_.winx; ++dx) {
            const std::int32_t* from = column + dx * channels;
            for (std::size_t i = 0; i < words; ++i) reduced[i] = rule(reduced[i], from[i]);
        }
        return;
    }
    for (std::size_t ox = 0; ox < part.pixels; ++ox) {
        const std::int32_t* from = column + ox * stride;
        for (std::size_t b = 0; b < channels; ++b) {
            std::int32_t value = from[b];
            for (std::size_t dx = 1; dx < config_.winx; ++dx) {
                value = rule(value, from[dx * channels + b]);
            }
            reduced[ox * channels + b] = value;
        }
    }
}

void Pool::finish(Word* out, std::size_t words) const {
    const std::int32_t* reduced = reduced_.data();
    if (config_.averages()) {
        const std::int64_t factor = config_.mulval;
        stage_.store(out, words, [=](std::size_t i) { return reduced[i] * factor; });
    } else if (stage_.shifts()) {
        stage_.store(out, words, [=](std::size_t i) { return std::int64_t{reduced[i]}; });
    } else {
        stage_.store_unshifted(out, words, [=](std::size_t i) { return reduced[i]; });
    }
}

template <typename Rule>
void Pool::windows(Rule rule, std::span<Word> out) {
    const std::size_t pixels = out.size() / config_.bsize;
    for (std::size_t done = 0; done < pixels;) {
        Part part;
        part.line = (pixels_given_ + done) / config_.out_x;
        part.first = (pixels_given_ + done) % config_.out_x;
        part.pixels = std::min(pixels - done, config_.out_x - part.first);
        reduce(rule, part);
        finish(&out[done * config_.bsize], part.pixels * config_.bsize);
        done += part.pixels;
    }
    pixels_given_ += pixels;
}

void Pool::compute(std::span<const Word> frame, std::span<Word> out) {
    begin();
    add_features(frame);
    compute(out.first(words_out_));
}

void Pool::compute(std::span<Word> out) {
    if (out.empty()) return;
    const auto largest = [](auto p, auto q) { return std::max(p, q); };
    const auto smallest = [](auto p, auto q) { return std::min(p, q); };
    const auto sum = [](auto p, auto q) { return p + q; };
    using Range = std::numeric_limits<std::int64_t>;
    switch (config_.type) {
        case PoolType::Max:
            return windows(largest, out);
        case PoolType::Min:
            return windows(smallest, out);
        case PoolType::Average:
            return windows(sum, out);
        case PoolType::GlobalMax:
        case PoolType::GlobalMaxIndex:
            return global(largest, Range::min(), out);
        case PoolType::GlobalMin:
        case PoolType::GlobalMinIndex:
            return global(smallest, Range::max(), out);
        case PoolType::GlobalAverage:
            return global(sum, 0, out);
    }
}

}  // namespace n6vp::models::npu

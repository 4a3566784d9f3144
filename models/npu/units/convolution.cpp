// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/convolution.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "models/npu/units/convolution_fast.h"
#include "models/npu/units/convolution_plain.h"

namespace n6vp::models::npu {
namespace {

constexpr std::size_t kLanes = 3;  ///< channels of a word, deep mode

static_assert(std::endian::native == std::endian::little, "link bytes are copied as they lie");

OutputStage output_stage_of(const ConvolutionConfig::Dformat& format, Rounding ties) {
    return {.shift = format.outshift,
            .rounding = format.round ? ties : Rounding::Floor,
            .relu = (format.orndmode & 2) != 0,
            .saturate = format.sat,
            .bytes = format.obytes};
}

bool is_narrow(std::int32_t low, std::int32_t high) {
    using Narrow = std::numeric_limits<std::int16_t>;
    return low >= Narrow::min() && high <= Narrow::max();
}

/// Returns the largest magnitude of the words.
std::int64_t magnitude(std::span<const Word> words) {
    if (words.empty()) return 0;
    Word low = words[0], high = words[0];
    for (const Word word : words) {
        low = std::min(low, word);
        high = std::max(high, word);
    }
    return std::max(std::abs(std::int64_t{low}), std::abs(std::int64_t{high}));
}

/// Fills a plane with what surrounds the picture; the picture is written by each frame. Pads are
/// zeros and do not stand beside a ZFBIAS (a limit), so that one value serves.
template <class T>
void surround(const ConvolutionShape& shape, std::int32_t bias, std::size_t slack,
              std::vector<T>& plane) {
    const std::size_t size = shape.plane_width * shape.plane_height * shape.depth;
    plane.assign(size + slack, static_cast<T>(bias));
}

}  // namespace

Convolution::Convolution(const ConvolutionConfig& config, Rounding ties)
    : config_(config),
      shape_(config),
      kernels_(config),
      stage_(output_stage_of(config.dformat, ties)),
      host_(fast::host_unit()) {
    prepare();
}

bool Convolution::loads_features(std::uint64_t frame) const {
    return !config_.ctrl.fstat || frame % config_.sample.fstatcnt == 0;
}

std::size_t Convolution::accumulator_words(std::uint64_t frame) const {
    if (config_.ctrl.nosum || (config_.ctrl.gen1sum && frame == 0)) return 0;
    return output_words();
}

bool Convolution::accumulates(std::uint64_t frame) const {
    const auto& ctrl = config_.ctrl;
    if (ctrl.nosum || (frame == 0 && (ctrl.no1sum || ctrl.gen1sum))) return false;
    if (ctrl.afiltmode == 0) return true;
    const std::uint64_t turn = frame % config_.afilt.tot;
    return turn >= config_.afilt.first && turn <= config_.afilt.last;
}

ConvolutionOutcome Convolution::compute(std::uint64_t frame, std::span<const Word> features,
                                        std::span<const Word> kernels,
                                        std::span<const Word> accumulator, std::span<Word> out) {
    begin(frame, kernels);
    add_features(features);
    return compute(accumulator, out.first(output_words()));
}

void Convolution::begin(std::uint64_t frame, std::span<const Word> kernels) {
    kernels_.unpack(kernels, weights_);
    packed_ = Packed::No;
    if (host_ != nullptr) weigh();
    accumulates_ = accumulates(frame);
    pixels_given_ = 0;
    if (loads_features(frame)) begin_picture();
}

void Convolution::add_features(std::span<const Word> words) {
    if (words.empty()) return;
    features_came_ += words.size();
    if (words.size() == shape_.feature_words()) {
        load(words);
        return;
    }
    features_.insert(features_.end(), words.begin(), words.end());
    load(features_);
}

std::size_t Convolution::computable() const {
    const auto end = std::ranges::upper_bound(needed_, features_came_);
    return static_cast<std::size_t>(end - needed_.begin()) * pixel_words();
}

ConvolutionOutcome Convolution::compute(std::span<const Word> accumulator, std::span<Word> out) {
    const auto sums = accumulates_ ? accumulator : std::span<const Word>();
    ConvolutionOutcome outcome;
    const std::int32_t bits = config_.ctrl.simd == 1 ? 8 : 16;
    const std::int32_t operand_high = (1 << (config_.ctrl.funsigned ? bits : bits - 1)) - 1;
    const std::int32_t operand_low = config_.ctrl.funsigned ? 0 : -operand_high - 1;
    outcome.wide_features = low_ < operand_low || high_ > operand_high;
    const plain::Portion portion{pixels_given_, sums, out};
    const unsigned in_shift = config_.dformat.inshift;
    if (loaded_ == Plane::Wide) {
        outcome.wide_sums =
            plain::convolve<std::int32_t>(shape_, wide_, weights_, portion, in_shift, stage_);
    } else if (fits(sums)) {
        compute_narrow(sums, out);
    } else {
        outcome.wide_sums =
            plain::convolve<std::int16_t>(shape_, narrow_, weights_, portion, in_shift, stage_);
    }
    pixels_given_ += out.size() / pixel_words();
    return outcome;
}

// Features.

bool Convolution::is_deep() const {
    return shape_.packing == FeaturePacking::Contiguous || shape_.packing == FeaturePacking::Pixels;
}

/// What follows from the shape alone.
void Convolution::prepare() {
    const std::size_t pixels = shape_.out_width * shape_.out_height;
    needed_.reserve(pixels);
    std::size_t needed = 0;
    for (std::size_t y = 0; y < shape_.out_height; ++y) {
        for (std::size_t x = 0; x < shape_.out_width; ++x) {
            needed = std::max(needed, shape_.features_needed(x, y));
            needed_.push_back(static_cast<std::uint32_t>(needed));
        }
    }
    if (host_ == nullptr) return;
    surround(shape_, config_.zfbias, fast::kSlack, narrow_);
    const std::size_t line = shape_.plane_width * shape_.depth;
    line_starts_.reserve(shape_.out_height);
    pixel_starts_.reserve(pixels);
    for (std::size_t y = 0; y < shape_.out_height; ++y) {
        const std::size_t start = y * shape_.vertical_stride * line;
        line_starts_.push_back(static_cast<std::uint32_t>(start));
        for (std::size_t x = 0; x < shape_.out_width; ++x)
            pixel_starts_.push_back(
                static_cast<std::uint32_t>(start + x * shape_.horizontal_stride * shape_.depth));
    }
}

void Convolution::begin_picture() {
    features_.clear();
    features_came_ = words_packed_ = pixels_loaded_ = 0;
    forget_reach();
    loaded_ = host_ == nullptr ? Plane::Wide : Plane::Narrow;
    if (loaded_ == Plane::Wide) surround(shape_, config_.zfbias, 0, wide_);
    // Room for what is written past the last word.
    if (is_deep()) bytes_.resize(shape_.feature_words() * kLanes + sizeof(Word));
}

void Convolution::forget_reach() {
    using Limits = std::numeric_limits<std::int32_t>;
    const bool framed =
        shape_.frame_left + shape_.frame_right + shape_.frame_top + shape_.frame_bottom > 0;
    low_ = framed ? config_.zfbias : Limits::max();
    high_ = framed ? config_.zfbias : Limits::min();
}

void Convolution::see(std::int32_t low, std::int32_t high) {
    low_ = std::min(low_, low);
    high_ = std::max(high_, high);
}

/// Brings into the plane the pixels that are whole by now. `features` are all that have come.
void Convolution::load(std::span<const Word> features) {
    const std::size_t pixels = shape_.whole_pixels(features.size());
    if (loaded_ == Plane::Narrow) {
        load_narrow(features, pixels);
        if (!is_narrow(low_, high_)) {
            // From the beginning again: numbers were cut.
            loaded_ = Plane::Wide;
            pixels_loaded_ = 0;
            forget_reach();
            surround(shape_, config_.zfbias, 0, wide_);
        }
    }
    if (loaded_ == Plane::Wide) load_wide(features, pixels);
    pixels_loaded_ = pixels;
}

/// Puts the bytes of the pixels before `pixels` in a row without gaps, as far as they are not yet.
void Convolution::pack_bytes(std::span<const Word> features, std::size_t pixels) {
    const bool contiguous =
        shape_.packing == FeaturePacking::Contiguous || shape_.depth % kLanes == 0;
    if (contiguous) {
        host_->bytes_of_words(&features[words_packed_], features.size() - words_packed_,
                              bytes_.data() + words_packed_ * kLanes);
        words_packed_ = features.size();
        return;
    }
    // What is written past a pixel is overwritten by the next.
    const std::size_t run = (shape_.depth + kLanes - 1) / kLanes;
    for (std::size_t pixel = pixels_loaded_; pixel < pixels; ++pixel)
        host_->bytes_of_words(&features[pixel * run], run, bytes_.data() + pixel * shape_.depth);
}

void Convolution::load_narrow(std::span<const Word> features, std::size_t pixels) {
    const bool deep = is_deep(), packed = shape_.packing != FeaturePacking::Elements;
    const fast::ElementFormat format{packed ? 1 : config_.dformat.fbytes, config_.ctrl.funsigned,
                                     config_.fsub};
    if (deep) pack_bytes(features, pixels);
    shape_.for_each_segment(pixels_loaded_, pixels, [&](const ConvolutionShape::Segment& segment) {
        const std::size_t from = segment.pixel * shape_.depth;
        const std::size_t count = segment.pixels * shape_.depth;
        std::int16_t* row = narrow_.data() + segment.plane_pixel * shape_.depth;
        const fast::Range range =
            deep     ? host_->row_of_bytes(bytes_.data() + from, count, format, row)
            : packed ? host_->row_of_pairs(&features[from / 2], count, format, row)
                     : host_->row_of_words(&features[from], count, format, row);
        see(range.low, range.high);
    });
}

void Convolution::load_wide(std::span<const Word> features, std::size_t pixels) {
    const plain::Reach reach =
        plain::load_features(shape_, config_, features, pixels_loaded_, pixels, wide_);
    see(reach.low, reach.high);
}

// The host's vector unit.

/// Looks at the kernels of this frame.
void Convolution::weigh() {
    const std::size_t size = shape_.kernel_size();
    heaviest_ = 0;
    narrow_kernels_ = true;
    for (std::size_t k = 0; k < shape_.kernels; ++k) {
        std::int64_t weight = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::int32_t one = weights_[k * size + i];
            narrow_kernels_ = narrow_kernels_ && is_narrow(one, one);
            weight += std::abs(one);
        }
        heaviest_ = std::max(heaviest_, weight);
    }
}

/// Returns whether all operands have 16 bits and no sum can leave 32, whatever the order.
bool Convolution::fits(std::span<const Word> accumulator) const {
    if (!narrow_kernels_ || stage_.shift > fast::kMaxShift) return false;
    const unsigned in_shift = accumulator.empty() ? 0 : config_.dformat.inshift;
    if (in_shift > fast::kMaxShift) return false;
    const std::int64_t feature =
        std::max(std::abs(std::int64_t{low_}), std::abs(std::int64_t{high_}));
    const std::int64_t bound = feature * heaviest_ + (magnitude(accumulator) << in_shift) +
                               (std::int64_t{1} << stage_.shift);
    return bound < std::numeric_limits<std::int32_t>::max();
}

void Convolution::pack_weights() {
    if (pack_diagonal()) {
        packed_ = Packed::Diagonal;
        return;
    }
    narrow_weights_.assign(weights_.begin(), weights_.end());
    host_->pack_dense(narrow_weights_.data(), shape_.kernels, shape_.kernel_height,
                      shape_.kernel_width * shape_.depth, dense_weights_);
    packed_ = Packed::Dense;
}

/// Kernels of which each has weights for one channel only, kernel after kernel channel after
/// channel, as compilers emit depthwise layers; returns false if these are not. Fills
/// `diagonal_weights_` and `diagonal_channel_`.
bool Convolution::pack_diagonal() {
    constexpr std::size_t kWorthwhile = 4;  // kernels; with fewer, most lanes would idle
    const std::size_t kernels = shape_.kernels, depth = shape_.depth;
    const std::size_t taps = shape_.kernel_width * shape_.kernel_height;
    if (kernels > depth || (kernels < kWorthwhile && kernels != depth)) return false;
    std::size_t offset = depth;  // channel of kernel 0
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        if (weights_[i] == 0) continue;
        const std::size_t kernel = i / (taps * depth), channel = i % depth;
        if (offset == depth && channel >= kernel) offset = channel - kernel;
        if (channel != kernel + offset) return false;
    }
    if (offset == depth) offset = 0;  // all weights are 0
    // The last kernels may be empty and have no channel left.
    if (offset + kernels > depth) return false;
    diagonal_channel_ = offset;
    const std::size_t stride = kernels + fast::kSlack;
    diagonal_weights_.resize(taps * stride);
    for (std::size_t tap = 0; tap < taps; ++tap) {
        for (std::size_t i = 0; i < stride; ++i) {
            const std::size_t kernel = i % kernels;
            const auto weight = weights_[(kernel * taps + tap) * depth + offset + kernel];
            diagonal_weights_[tap * stride + i] =
                static_cast<std::int32_t>(static_cast<std::uint16_t>(weight));
        }
    }
    return true;
}

void Convolution::compute_narrow(std::span<const Word> accumulator, std::span<Word> out) {
    if (packed_ == Packed::No) pack_weights();
    const bool lines = shape_.kernels == shape_.depth && shape_.horizontal_stride == 1;
    if (packed_ == Packed::Diagonal && lines) {
        compute_lines(accumulator, out);
        return;
    }
    const fast::Job job{.plane = narrow_.data(),
                        .starts = pixel_starts_.data() + pixels_given_,
                        .count = out.size() / pixel_words(),
                        .rows = shape_.kernel_height,
                        .row_stride = shape_.plane_width * shape_.depth,
                        .sums = accumulator.empty() ? nullptr : accumulator.data(),
                        .in_shift = config_.dformat.inshift,
                        .stage = stage_,
                        .out = out.data()};
    if (packed_ == Packed::Dense) {
        const std::size_t row = shape_.kernel_width * shape_.depth;
        host_->dense({job, shape_.kernels, (row + 1) / 2, dense_weights_.data()});
        return;
    }
    fast::DiagonalJob diagonal{
        job,          shape_.kernels,          shape_.kernels, shape_.kernel_width,
        shape_.depth, diagonal_weights_.data()};
    diagonal.plane += diagonal_channel_;
    host_->diagonal(diagonal);
}

/// Kernels and channels belong to each other one by one: outputs of a line lie side by side as
/// their features do. A portion is the rest of a line, whole lines, and the beginning of one.
void Convolution::compute_lines(std::span<const Word> accumulator, std::span<Word> out) {
    const std::size_t pixels = out.size() / pixel_words();
    for (std::size_t done = 0; done < pixels;) {
        const std::size_t at = pixels_given_ + done;
        const std::size_t line = at / shape_.out_width, x = at % shape_.out_width;
        const std::size_t left = pixels - done;
        const bool whole = x == 0 && left >= shape_.out_width;
        const std::size_t run = whole ? shape_.out_width : std::min(left, shape_.out_width - x);
        const std::size_t runs = whole ? left / shape_.out_width : 1;
        fast::DiagonalJob job{};
        job.plane = narrow_.data();
        job.starts = whole ? line_starts_.data() + line : pixel_starts_.data() + at;
        job.count = runs;
        job.rows = shape_.kernel_height;
        job.row_stride = shape_.plane_width * shape_.depth;
        job.sums = accumulator.empty() ? nullptr : accumulator.data() + done * pixel_words();
        job.in_shift = config_.dformat.inshift;
        job.stage = stage_;
        job.out = out.data() + done * pixel_words();
        job.length = run * shape_.depth;
        job.period = shape_.kernels;
        job.taps = shape_.kernel_width;
        job.tap_stride = shape_.depth;
        job.weights = diagonal_weights_.data();
        host_->diagonal(job);
        done += run * runs;
    }
}

}  // namespace n6vp::models::npu

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
      host_(fast::host_unit()) {}

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
    if (loads_features(frame)) load_features(features);
    kernels_.unpack(kernels, weights_);
    const auto sums = accumulates(frame) ? accumulator : std::span<const Word>();
    ConvolutionOutcome outcome;
    const std::int32_t bits = config_.ctrl.simd == 1 ? 8 : 16;
    const std::int32_t operand_high = (1 << (config_.ctrl.funsigned ? bits : bits - 1)) - 1;
    const std::int32_t operand_low = config_.ctrl.funsigned ? 0 : -operand_high - 1;
    outcome.wide_features = low_ < operand_low || high_ > operand_high;
    if (loaded_ == Plane::Narrow && fits(sums)) {
        compute_narrow(sums, out);
        return outcome;
    }
    if (loaded_ == Plane::Narrow) wide_.assign(narrow_.begin(), narrow_.end());
    outcome.wide_sums =
        plain::convolve(shape_, wide_, weights_, sums, config_.dformat.inshift, stage_, out);
    return outcome;
}

// Features.

void Convolution::load_features(std::span<const Word> features) {
    if (load_narrow(features)) {
        loaded_ = Plane::Narrow;
    } else {
        load_wide(features);
        loaded_ = Plane::Wide;
    }
    const bool framed =
        shape_.frame_left + shape_.frame_right + shape_.frame_top + shape_.frame_bottom > 0;
    if (!framed) return;
    low_ = std::min(low_, config_.zfbias);
    high_ = std::max(high_, config_.zfbias);
}

void Convolution::prepare_narrow() {
    surround(shape_, config_.zfbias, fast::kSlack, narrow_);
    const std::size_t line = shape_.plane_width * shape_.depth;
    for (std::size_t y = 0; y < shape_.out_height; ++y) {
        const std::size_t start = y * shape_.vertical_stride * line;
        line_starts_.push_back(static_cast<std::uint32_t>(start));
        for (std::size_t x = 0; x < shape_.out_width; ++x)
            pixel_starts_.push_back(
                static_cast<std::uint32_t>(start + x * shape_.horizontal_stride * shape_.depth));
    }
}

/// Returns the bytes of a deep frame without gaps.
const std::uint8_t* Convolution::packed_bytes(std::span<const Word> features) {
    constexpr std::size_t kLanes = 3;
    bytes_.resize(features.size() * kLanes + sizeof(Word));
    const bool contiguous =
        shape_.packing == FeaturePacking::Contiguous || shape_.depth % kLanes == 0;
    const std::size_t run = contiguous ? features.size() : (shape_.depth + kLanes - 1) / kLanes;
    const std::size_t run_bytes = contiguous ? features.size() * kLanes : shape_.depth;
    // What is written past a pixel is overwritten by the next.
    std::uint8_t* to = bytes_.data();
    for (std::size_t i = 0; i < features.size(); i += run, to += run_bytes)
        host_->bytes_of_words(&features[i], run, to);
    return bytes_.data();
}

/// Returns false if the host has no vector unit or a feature does not fit into 16 bits; the plane
/// is then not valid.
bool Convolution::load_narrow(std::span<const Word> features) {
    if (host_ == nullptr) return false;
    if (narrow_.empty()) prepare_narrow();
    const bool packed = shape_.packing != FeaturePacking::Elements;
    const fast::ElementFormat format{packed ? 1 : config_.dformat.fbytes, config_.ctrl.funsigned,
                                     config_.fsub};
    const bool deep = packed && shape_.packing != FeaturePacking::Pairs;
    const std::uint8_t* bytes = deep ? packed_bytes(features) : nullptr;
    const std::size_t count = shape_.crop_width * shape_.depth;
    for (std::size_t y = 0; y < shape_.crop_height; ++y) {
        const std::size_t from =
            ((y + shape_.crop_top) * shape_.width + shape_.crop_left) * shape_.depth;
        std::int16_t* row =
            narrow_.data() +
            ((y + shape_.top()) * shape_.plane_width + shape_.left()) * shape_.depth;
        const fast::Range range = deep ? host_->row_of_bytes(bytes + from, count, format, row)
                                  : packed
                                      ? host_->row_of_pairs(&features[from / 2], count, format, row)
                                      : host_->row_of_words(&features[from], count, format, row);
        low_ = y == 0 ? range.low : std::min(low_, range.low);
        high_ = y == 0 ? range.high : std::max(high_, range.high);
    }
    return is_narrow(low_, high_);
}

void Convolution::load_wide(std::span<const Word> features) {
    surround(shape_, config_.zfbias, 0, wide_);
    const plain::Reach reach = plain::load_features(shape_, config_, features, wide_);
    low_ = reach.low;
    high_ = reach.high;
}

// The host's vector unit.

/// Returns whether all operands have 16 bits and no sum can leave 32, whatever the order.
bool Convolution::fits(std::span<const Word> accumulator) const {
    const std::size_t size = shape_.kernel_size();
    std::int64_t heaviest = 0;
    for (std::size_t k = 0; k < shape_.kernels; ++k) {
        std::int64_t weight = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::int32_t one = weights_[k * size + i];
            if (!is_narrow(one, one)) return false;
            weight += std::abs(one);
        }
        heaviest = std::max(heaviest, weight);
    }
    if (stage_.shift > fast::kMaxShift) return false;
    const unsigned in_shift = accumulator.empty() ? 0 : config_.dformat.inshift;
    if (in_shift > fast::kMaxShift) return false;
    const std::int64_t feature =
        std::max(std::abs(std::int64_t{low_}), std::abs(std::int64_t{high_}));
    const std::int64_t bound = feature * heaviest + (magnitude(accumulator) << in_shift) +
                               (std::int64_t{1} << stage_.shift);
    return bound < std::numeric_limits<std::int32_t>::max();
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
    if (offset + kernels > depth) offset = 0;  // all weights are 0
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
    const fast::Job job{.plane = narrow_.data(),
                        .starts = pixel_starts_.data(),
                        .count = pixel_starts_.size(),
                        .rows = shape_.kernel_height,
                        .row_stride = shape_.plane_width * shape_.depth,
                        .sums = accumulator.empty() ? nullptr : accumulator.data(),
                        .in_shift = config_.dformat.inshift,
                        .stage = stage_,
                        .out = out.data()};
    if (pack_diagonal()) {
        fast::DiagonalJob diagonal{
            job,          shape_.kernels,          shape_.kernels, shape_.kernel_width,
            shape_.depth, diagonal_weights_.data()};
        diagonal.plane += diagonal_channel_;
        if (shape_.kernels == shape_.depth && shape_.horizontal_stride == 1) {
            diagonal.starts = line_starts_.data();
            diagonal.count = line_starts_.size();
            diagonal.length = shape_.out_width * shape_.depth;
        }
        host_->diagonal(diagonal);
        return;
    }
    const std::size_t row = shape_.kernel_width * shape_.depth;
    narrow_weights_.assign(weights_.begin(), weights_.end());
    host_->pack_dense(narrow_weights_.data(), shape_.kernels, shape_.kernel_height, row,
                      dense_weights_);
    host_->dense({job, shape_.kernels, (row + 1) / 2, dense_weights_.data()});
}

}  // namespace n6vp::models::npu

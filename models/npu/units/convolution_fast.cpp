// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/convolution_fast.h"

#include <algorithm>
#include <cstring>

// This file is compiled once for every kind of vector unit that the host may have, but those whose
// vectors have no size that the compiler knows: they cannot be kept in arrays.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/npu/units/convolution_fast.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace n6vp::models::npu::fast {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

const HostUnit* host_unit() {
    return nullptr;  // no vector unit
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Lanes4 = hn::CappedTag<std::int32_t, 4>;
using Lanes8 = hn::CappedTag<std::int32_t, 8>;
using Lanes16 = hn::CappedTag<std::int32_t, 16>;
using LanesAll = hn::ScalableTag<std::int32_t>;

/// Kernels take vectors of such length that few lanes are idle; three of 8 lanes serve 24.
constexpr std::size_t kShort = 4, kMiddle = 8, kLong = 16;

// Rows of a plane.

template <class D>
struct RangeLanes {
    hn::VFromD<D> low, high;
    HWY_INLINE void see(hn::VFromD<D> value) {
        low = hn::Min(low, value);
        high = hn::Max(high, value);
    }
    HWY_INLINE Range total(D d) const {
        return {hn::GetLane(hn::MinOfLanes(d, low)), hn::GetLane(hn::MaxOfLanes(d, high))};
    }
};

/// Returns the low bytes of every lane as numbers, less the zero point.
template <class D>
HWY_INLINE hn::VFromD<D> element(D d, hn::VFromD<D> word, const ElementFormat& format) {
    const int spare = static_cast<int>(32 - 8 * format.bytes);
    if (format.is_unsigned)
        word = hn::And(word, hn::Set(d, static_cast<std::int32_t>((1u << (8 * format.bytes)) - 1)));
    else
        word = hn::ShiftRightSame(hn::ShiftLeftSame(word, spare), spare);
    return hn::Sub(word, hn::Set(d, format.subtract));
}

/// Fills a row from a source that gives a vector of elements from any index; its lanes past `count`
/// are not elements of the row.
template <class Load>
HWY_INLINE Range fill_row(std::size_t count, std::int16_t* row, const Load& load) {
    const LanesAll d;
    const hn::Rebind<std::int16_t, LanesAll> half;
    const std::size_t lanes = hn::Lanes(d);
    const auto first = hn::Set(d, hn::GetLane(load(0)));
    RangeLanes<LanesAll> range{first, first};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto value = load(i);
        range.see(value);
        hn::StoreU(hn::DemoteTo(half, value), half, row + i);
    }
    if (i < count) {
        const auto value = load(i);
        // Lanes past the end repeat the first element, so that they do not widen the range.
        const auto mine = hn::FirstN(d, count - i);
        range.see(hn::IfThenElse(mine, value, first));
        HWY_ALIGN std::int16_t rest[hn::MaxLanes(LanesAll())];
        hn::Store(hn::DemoteTo(half, value), half, rest);
        std::memcpy(row + i, rest, (count - i) * sizeof(std::int16_t));
    }
    return range.total(d);
}

/// Returns a vector from `from`, of which only `count` elements exist.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> load_some(D d, const T* from, std::size_t count) {
    if (count >= hn::Lanes(d)) return hn::LoadU(d, from);
    HWY_ALIGN T some[hn::MaxLanes(D())] = {};
    std::memcpy(some, from, count * sizeof(T));
    return hn::Load(d, some);
}

Range row_of_words(const Word* words, std::size_t count, const ElementFormat& format,
                   std::int16_t* row) {
    const LanesAll d;
    return fill_row(count, row, [&](std::size_t i) HWY_ATTR {
        return element(d, load_some(d, words + i, count - i), format);
    });
}

Range row_of_bytes(const std::uint8_t* bytes, std::size_t count, const ElementFormat& format,
                   std::int16_t* row) {
    const LanesAll d;
    const hn::Rebind<std::uint8_t, LanesAll> quarter;
    return fill_row(count, row, [&](std::size_t i) HWY_ATTR {
        const auto some = load_some(quarter, bytes + i, count - i);
        return element(d, hn::PromoteTo(d, some), format);
    });
}

Range row_of_pairs(const Word* words, std::size_t count, const ElementFormat& format,
                   std::int16_t* row) {
    const LanesAll d;
    const std::size_t lanes = hn::Lanes(d);
    const hn::Repartition<std::int16_t, LanesAll> d16;
    const auto low_half = hn::Set(d, 0xFFFF);
    const auto first = element(d, hn::Set(d, words[0]), format);
    RangeLanes<LanesAll> range{first, first};
    for (std::size_t i = 0; 2 * i < count; i += lanes) {
        const std::size_t left = count / 2 - i;
        const auto word = load_some(d, words + i, left);
        const auto mine = hn::FirstN(d, left);
        const auto even = hn::IfThenElse(mine, element(d, word, format), first);
        const auto odd = hn::IfThenElse(mine, element(d, hn::ShiftRight<8>(word), format), first);
        range.see(even);
        range.see(odd);
        HWY_ALIGN std::int16_t both[2 * hn::MaxLanes(LanesAll())];
        hn::Store(hn::BitCast(d16, hn::Or(hn::And(even, low_half), hn::ShiftLeft<16>(odd))), d16,
                  both);
        std::memcpy(row + 2 * i, both, 2 * std::min(left, lanes) * sizeof(std::int16_t));
    }
    return range.total(d);
}

void bytes_of_words(const Word* words, std::size_t count, std::uint8_t* bytes) {
    const hn::FixedTag<std::uint8_t, 16> d;
    HWY_ALIGN static constexpr std::uint8_t kLowThree[16] = {0,  1,  2,  4,  5,  6,  8,  9,
                                                             10, 12, 13, 14, 12, 12, 12, 12};
    const auto low_three = hn::Load(d, kLowThree);
    constexpr std::size_t kWords = 16 / sizeof(Word);
    std::size_t i = 0;
    for (; i + kWords <= count; i += kWords) {
        const auto four = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(words + i));
        hn::StoreU(hn::TableLookupBytes(four, low_three), d, bytes + 3 * i);
    }
    for (; i < count; ++i) std::memcpy(bytes + 3 * i, words + i, sizeof(Word));
}

// From sums to words.

/// The output stage on 32-bit lanes; its shift is at most kMaxShift.
template <class D>
HWY_INLINE hn::VFromD<D> finish(D d, hn::VFromD<D> sum, const OutputStage& stage) {
    const int shift = static_cast<int>(stage.shift);
    if (shift > 0) {
        const std::int32_t half = std::int32_t{1} << (shift - 1);
        if (stage.rounding == Rounding::HalfUp)
            sum = hn::Add(sum, hn::Set(d, half));
        else if (stage.rounding == Rounding::HalfAway)
            sum = hn::Add(hn::Add(sum, hn::Set(d, half)), hn::BroadcastSignBit(sum));
        else if (stage.rounding == Rounding::HalfEven)
            sum = hn::Add(hn::Add(sum, hn::Set(d, half - 1)),
                          hn::And(hn::ShiftRightSame(sum, shift), hn::Set(d, 1)));
        sum = hn::ShiftRightSame(sum, shift);
    }
    if (stage.relu) sum = hn::Max(sum, hn::Zero(d));
    const int bits = static_cast<int>(8 * stage.bytes);
    if (!stage.saturate) return hn::ShiftRightSame(hn::ShiftLeftSame(sum, 32 - bits), 32 - bits);
    const std::int32_t high = (std::int32_t{1} << (bits - 1)) - 1;
    return hn::Min(hn::Max(sum, hn::Set(d, -high - 1)), hn::Set(d, high));
}

/// Adds the accumulator port, finishes and stores the first `count` lanes at output `at`.
template <class D>
HWY_INLINE void put(D d, hn::VFromD<D> sum, const Job& job, std::size_t at, std::size_t count) {
    if (job.sums != nullptr) {
        const auto word = load_some(d, job.sums + at, count);
        sum = hn::Add(sum, hn::ShiftLeftSame(word, static_cast<int>(job.in_shift)));
    }
    const auto words = finish(d, sum, job.stage);
    if (count >= hn::Lanes(d)) {
        hn::StoreU(words, d, job.out + at);
        return;
    }
    HWY_ALIGN Word some[hn::MaxLanes(D())];
    hn::Store(words, d, some);
    std::memcpy(job.out + at, some, count * sizeof(Word));
}

// Dense: lanes are kernels, a pair of features is broadcast to them.

HWY_INLINE std::size_t dense_lanes(std::size_t kernels) {
    if (kernels <= kShort) return hn::Lanes(Lanes4());
    return kernels > kMiddle && kernels <= kLong ? hn::Lanes(Lanes16()) : hn::Lanes(Lanes8());
}

void pack_dense(const std::int16_t* weights, std::size_t kernels, std::size_t rows,
                std::size_t row_size, std::vector<std::int16_t>& packed) {
    const std::size_t lanes = dense_lanes(kernels);
    const std::size_t vectors = (kernels + lanes - 1) / lanes;
    const std::size_t pairs = (row_size + 1) / 2;
    packed.assign(vectors * rows * pairs * lanes * 2 + kSlack, 0);
    for (std::size_t k = 0; k < kernels; ++k) {
        for (std::size_t row = 0; row < rows; ++row) {
            const std::int16_t* from = weights + (k * rows + row) * row_size;
            std::int16_t* to =
                packed.data() + ((k / lanes * rows + row) * pairs * lanes + k % lanes) * 2;
            for (std::size_t i = 0; i < row_size; ++i) to[i / 2 * lanes * 2 + i % 2] = from[i];
        }
    }
}

/// Computes `kPixels` outputs of `kVectors` vectors of kernels; as many sums as fit into registers.
template <class D, std::size_t kVectors, std::size_t kPixels>
HWY_INLINE void dense_block(const DenseJob& job, std::size_t vector, std::size_t pixel) {
    const D d;
    const hn::Repartition<std::int16_t, D> d16;
    using Sum = hn::VFromD<D>;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t set = job.rows * job.pairs * lanes * 2;  // weights of one vector of kernels
    Sum sum[kVectors][kPixels], other[kVectors][kPixels];
    const std::int16_t* feature[kPixels];
    for (std::size_t p = 0; p < kPixels; ++p) {
        // Past the last output the last one is computed again, and not stored.
        feature[p] = job.plane + job.starts[std::min(pixel + p, job.count - 1)];
        for (std::size_t v = 0; v < kVectors; ++v) sum[v][p] = other[v][p] = hn::Zero(d);
    }
    const std::int16_t* weight = job.weights + vector * set;
    for (std::size_t row = 0; row < job.rows; ++row) {
        const std::size_t shift = row * job.row_stride;
        for (std::size_t j = 0; j < job.pairs; ++j, weight += 2 * lanes) {
            hn::VFromD<decltype(d16)> kernel[kVectors];
            for (std::size_t v = 0; v < kVectors; ++v) kernel[v] = hn::LoadU(d16, weight + v * set);
            for (std::size_t p = 0; p < kPixels; ++p) {
                std::int32_t pair;
                std::memcpy(&pair, feature[p] + shift + 2 * j, sizeof(pair));
                const auto both = hn::BitCast(d16, hn::Set(d, pair));
                for (std::size_t v = 0; v < kVectors; ++v)
                    sum[v][p] =
                        hn::ReorderWidenMulAccumulate(d, both, kernel[v], sum[v][p], other[v][p]);
            }
        }
    }
    const std::size_t stored = std::min(kPixels, job.count - pixel);
    for (std::size_t p = 0; p < stored; ++p) {
        for (std::size_t v = 0; v < kVectors; ++v) {
            const std::size_t kernel = (vector + v) * lanes;
            put(d, hn::RearrangeToOddPlusEven(sum[v][p], other[v][p]), job,
                (pixel + p) * job.kernels + kernel, job.kernels - kernel);
        }
    }
}

/// Sums that a block keeps in registers, with room for weights and features.
constexpr std::size_t kSums = HWY_TARGET <= HWY_AVX3 ? 24 : 8;

template <class D>
void dense_with(const DenseJob& job) {
    const D d;
    const std::size_t vectors = (job.kernels + hn::Lanes(d) - 1) / hn::Lanes(d);
    constexpr std::size_t kOne = std::min<std::size_t>(kSums, 12), kTwo = kSums / 2,
                          kThree = HWY_TARGET <= HWY_AVX3 ? 8 : 3;
    for (std::size_t vector = 0; vector < vectors;) {
        const std::size_t left = vectors - vector;
        if (left >= 3) {
            for (std::size_t p = 0; p < job.count; p += kThree)
                dense_block<D, 3, kThree>(job, vector, p);
            vector += 3;
        } else if (left == 2) {
            for (std::size_t p = 0; p < job.count; p += kTwo)
                dense_block<D, 2, kTwo>(job, vector, p);
            vector += 2;
        } else {
            for (std::size_t p = 0; p < job.count; p += kOne)
                dense_block<D, 1, kOne>(job, vector, p);
            vector += 1;
        }
    }
}

void dense(const DenseJob& job) {
    if (job.kernels <= kShort)
        dense_with<Lanes4>(job);
    else if (job.kernels > kMiddle && job.kernels <= kLong)
        dense_with<Lanes16>(job);
    else
        dense_with<Lanes8>(job);
}

// Diagonal: lanes are neighbouring elements of the plane.

template <class D>
HWY_INLINE void diagonal_vector(const DiagonalJob& job, std::size_t run, std::size_t i) {
    const D d;
    const hn::Repartition<std::int16_t, D> d16;
    const hn::Rebind<std::int16_t, D> half;
    const std::size_t weights_stride = job.period + kSlack;
    const std::int16_t* features = job.plane + job.starts[run] + i;
    const std::int32_t* weight = job.weights + i % job.period;
    auto sum = hn::Zero(d), other = hn::Zero(d);
    for (std::size_t row = 0; row < job.rows; ++row, features += job.row_stride) {
        for (std::size_t tap = 0; tap < job.taps; ++tap, weight += weights_stride) {
            // The low half of a lane is the feature, of a weight the factor; the upper half of a
            // weight is 0, and what the feature has there counts for nothing.
            const auto feature = hn::PromoteTo(d, hn::LoadU(half, features + tap * job.tap_stride));
            sum = hn::ReorderWidenMulAccumulate(d, hn::BitCast(d16, feature),
                                                hn::BitCast(d16, hn::LoadU(d, weight)), sum, other);
        }
    }
    put(d, hn::RearrangeToOddPlusEven(sum, other), job, run * job.length + i, job.length - i);
}

template <class D>
void diagonal_with(const DiagonalJob& job) {
    for (std::size_t run = 0; run < job.count; ++run)
        for (std::size_t i = 0; i < job.length; i += hn::Lanes(D()))
            diagonal_vector<D>(job, run, i);
}

void diagonal(const DiagonalJob& job) {
    if (job.length <= kShort)
        diagonal_with<Lanes4>(job);
    else if (job.length < hn::Lanes(LanesAll()))
        diagonal_with<Lanes8>(job);
    else
        diagonal_with<LanesAll>(job);
}

constexpr HostUnit kUnit = {row_of_words, row_of_pairs, row_of_bytes, bytes_of_words,
                            pack_dense,   dense,        diagonal};

const HostUnit* host_unit() {
    return &kUnit;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace n6vp::models::npu::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace n6vp::models::npu::fast {

HWY_EXPORT(host_unit);

const HostUnit* host_unit() {
    return HWY_DYNAMIC_DISPATCH(host_unit)();
}

}  // namespace n6vp::models::npu::fast
#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/npu/units/output_stage.h"
#include "models/npu/units/word.h"

namespace n6vp::models::npu::fast {

// Convolution with the host's vector unit: 16-bit operands, 32-bit sums. The caller has made sure
// that no sum, with what is added for rounding, leaves 32 bits; results are then the same on every
// host. Planes and weights are read up to `kSlack` elements past their end.

inline constexpr std::size_t kSlack = 64;
inline constexpr unsigned kMaxShift = 30;  ///< of the output stage

/// Smallest and largest value seen.
struct Range {
    std::int32_t low = 0, high = 0;
};

/// How one element is made of the bytes on a link.
struct ElementFormat {
    unsigned bytes = 1;
    bool is_unsigned = false;
    std::int32_t subtract = 0;
};

/// What is common to both ways of convolving.
struct Job {
    const std::int16_t* plane = nullptr;
    const std::uint32_t* starts = nullptr;  ///< element of the plane where each output begins
    std::size_t count = 0;                  ///< of `starts`
    std::size_t rows = 0, row_stride = 0;   ///< of a kernel; distance in elements of the plane
    const Word* sums = nullptr;             ///< accumulator port, nullptr: none
    unsigned in_shift = 0;
    OutputStage stage;
    Word* out = nullptr;
};

/// Every kernel over everything: one start per pixel.
struct DenseJob : Job {
    std::size_t kernels = 0;
    std::size_t pairs = 0;                  ///< of elements in one row of a kernel
    const std::int16_t* weights = nullptr;  ///< as `HostUnit::pack_dense` leaves them
};

/// Output element i of a run is the sum over taps of plane[start + tap + i] times the tap's weight
/// for i mod `period`; one start per run.
struct DiagonalJob : Job {
    std::size_t length = 0;  ///< outputs of a run
    std::size_t period = 0;
    std::size_t taps = 0, tap_stride = 0;   ///< of one row; distance in elements
    const std::int32_t* weights = nullptr;  ///< [row][tap][period + kSlack], repeating
};

/// What one kind of vector unit offers.
struct HostUnit {
    /// Fills `count` elements of a plane, cut to 16 bits, and returns the range they had before.
    using RowOfWords = Range (*)(const Word* words, std::size_t count, const ElementFormat& format,
                                 std::int16_t* row);
    RowOfWords row_of_words;  ///< one element a word
    RowOfWords row_of_pairs;  ///< two a word; `count` is even
    Range (*row_of_bytes)(const std::uint8_t* bytes, std::size_t count, const ElementFormat& format,
                          std::int16_t* row);
    /// Puts the low three bytes of each word in a row; up to four more are overwritten.
    void (*bytes_of_words)(const Word* words, std::size_t count, std::uint8_t* bytes);

    /// Orders weights [kernel][row][row_size] for `dense`.
    void (*pack_dense)(const std::int16_t* weights, std::size_t kernels, std::size_t rows,
                       std::size_t row_size, std::vector<std::int16_t>& packed);
    void (*dense)(const DenseJob& job);
    void (*diagonal)(const DiagonalJob& job);
};

/// Returns the best unit of this host, nullptr if it has none.
[[nodiscard]] const HostUnit* host_unit();

}  // namespace n6vp::models::npu::fast

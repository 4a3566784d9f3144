// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/inference/firmware_lines.h"

namespace n6vp::sim::model_run {

/// What an output is against what it must be.
struct Comparison {
    std::string file;              ///< with what it must be
    std::uint64_t numbers = 0;     ///< of the tensor; its bytes if its type is unknown
    std::uint64_t unequal = 0;     ///< of them
    std::uint64_t too_far = 0;     ///< of them, by more than the tolerance
    std::uint64_t first = 0;       ///< index of the first of those
    double found = 0, wanted = 0;  ///< there
    double largest = 0;            ///< difference of all

    [[nodiscard]] bool holds() const { return too_far == 0; }
};

/// Fails with UserError if there is a tolerance and the tensor's numbers cannot be read.
void require_comparable(const Tensor& tensor, double tolerance);

/// Compares two arrays of the tensor's type; what one of them has more is too far. A number that is
/// none (NaN) equals only the same bits.
[[nodiscard]] Comparison compare(const Tensor& tensor, std::span<const std::uint8_t> found,
                                 std::span<const std::uint8_t> wanted, double tolerance);

}  // namespace n6vp::sim::model_run

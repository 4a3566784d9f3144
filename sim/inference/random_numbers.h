// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "sim/inference/firmware_lines.h"

namespace n6vp::sim::model_run {

/// Both ends are in it.
struct NumberRange {
    double low = 0, high = 0;
};
/// Parses LOW:HIGH. Fails with UserError that names `option`.
[[nodiscard]] NumberRange parse_number_range(std::string_view text, std::string_view option);

/// Contents for inputs: the same numbers for the same seed on every host.
class RandomNumbers {
  public:
    RandomNumbers(std::uint32_t seed, std::optional<NumberRange> range)
        : generator_(seed), range_(range) {}

    /// Integers are spread over the range, or all of their type; floating point over the range, or
    /// 0 to 1. Fails with UserError if the tensor's type does not hold the range, or is unknown and
    /// there is a range.
    [[nodiscard]] std::vector<std::uint8_t> make(const Tensor& tensor);

  private:
    std::mt19937 generator_;
    std::optional<NumberRange> range_;
};

}  // namespace n6vp::sim::model_run

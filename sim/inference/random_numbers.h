// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sim/inference/firmware_lines.h"

namespace n6vp::sim::model_run {

/// Both ends are in it. Real numbers, or stored integers.
struct NumberRange {
    double low = 0, high = 0;
    bool stored = false;
};
/// What the help of an option says of its text.
inline constexpr const char* kNumberRangeHelp =
    "range of the random inputs as real numbers, bounds included; stored:LOW:HIGH for stored "
    "integers (default: full range of an integer type, 0:1 for floating point)";
/// Parses LOW:HIGH or stored:LOW:HIGH. Fails with UserError that names `option`.
[[nodiscard]] NumberRange parse_number_range(std::string_view text, std::string_view option);

/// A tensor that random numbers are made for.
struct NumberForm {
    std::string title;  ///< for messages: "input 0 (name)"; printable
    std::string_view type;
    std::size_t bytes = 0;
    double scale = 0;  ///< 0: it has none
    std::int64_t zero_point = 0;
};
[[nodiscard]] NumberForm number_form(const Tensor& tensor);

/// Contents for inputs: the same numbers for the same seed on every host.
class RandomNumbers {
  public:
    RandomNumbers(std::uint32_t seed, std::optional<NumberRange> range)
        : generator_(seed), range_(range) {}

    /// Stored integers are spread over their range, or all of their type; real numbers over the
    /// range, or 0 to 1. In a tensor of integers a real number is the nearest stored one, cut to
    /// the type. Fails with UserError if the type holds none of the range, or does not hold all of
    /// a stored one; if the tensor has no scale for real numbers; and for a range with an unknown
    /// type.
    [[nodiscard]] std::vector<std::uint8_t> make(const NumberForm& form);
    [[nodiscard]] std::vector<std::uint8_t> make(const Tensor& tensor) {
        return make(number_form(tensor));
    }

  private:
    [[nodiscard]] double real(const NumberRange& range);
    [[nodiscard]] std::vector<std::uint8_t> floats(const NumberForm& form);
    [[nodiscard]] std::vector<std::uint8_t> integers(const NumberForm& form);

    std::mt19937 generator_;
    std::optional<NumberRange> range_;
};

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_outputs.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace n6vp::sim {

namespace {

template <typename T>
[[nodiscard]] double value_at(std::span<const std::uint8_t> bytes, std::size_t index) {
    T value{};
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return static_cast<double>(value);
}

using Value = double (*)(std::span<const std::uint8_t>, std::size_t);
struct Element {
    std::string_view name;
    std::size_t bytes;
    Value value;
};
constexpr Element kElements[] = {
    {"bytes", 1, value_at<std::uint8_t>},   {"int8", 1, value_at<std::int8_t>},
    {"uint8", 1, value_at<std::uint8_t>},   {"int16", 2, value_at<std::int16_t>},
    {"uint16", 2, value_at<std::uint16_t>}, {"int32", 4, value_at<std::int32_t>},
    {"uint32", 4, value_at<std::uint32_t>}, {"float32", 4, value_at<float>},
};

[[nodiscard]] const Element& element_of(std::string_view type) {
    for (const Element& one : kElements) {
        if (one.name == type) return one;
    }
    return kElements[0];
}

}  // namespace

std::size_t element_bytes(std::string_view type) {
    return element_of(type).bytes;
}

OutputDifference compare_outputs(std::span<const std::uint8_t> expected,
                                 std::span<const std::uint8_t> found, std::string_view type,
                                 double tolerance) {
    const Element& element = element_of(type);
    OutputDifference result;
    result.same_size = expected.size() == found.size();
    if (!result.same_size) return result;
    result.elements = expected.size() / element.bytes;
    for (std::size_t i = 0; i < result.elements; ++i) {
        const std::size_t at = i * element.bytes;
        if (std::memcmp(&expected[at], &found[at], element.bytes) == 0) continue;
        const double one = element.value(expected, i), other = element.value(found, i);
        double apart = std::fabs(one - other);
        if (std::isnan(apart)) apart = std::numeric_limits<double>::infinity();
        result.largest = std::max(result.largest, apart);
        if (apart <= tolerance) continue;
        if (result.beyond++ != 0) continue;
        result.first = i;
        result.first_expected = one;
        result.first_found = other;
    }
    return result;
}

std::string difference_text(const OutputDifference& difference, double tolerance) {
    const std::string limit = tolerance == 0 ? "equal" : fmt::format("within {}", tolerance);
    if (difference.beyond == 0) return fmt::format("all {} {}", difference.elements, limit);
    return fmt::format("{} of {} not {}, at most {} apart; element {}: {} in place of {}",
                       difference.beyond, difference.elements, limit, difference.largest,
                       difference.first, difference.first_found, difference.first_expected);
}

}  // namespace n6vp::sim

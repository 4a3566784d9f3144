// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

template <typename Number>
[[nodiscard]] double read_as(const std::uint8_t* bytes) {
    Number number{};
    std::memcpy(&number, bytes, sizeof number);
    return static_cast<double>(number);
}

using Reader = double (*)(const std::uint8_t*);

struct Type {
    std::string_view name;
    std::size_t bytes;
    Reader read;
};
/// Integers of 8 bytes are left out: a double does not hold them.
constexpr Type kTypes[] = {
    {"i1", 1, read_as<std::int8_t>},   {"u1", 1, read_as<std::uint8_t>},
    {"b1", 1, read_as<std::uint8_t>},  {"i2", 2, read_as<std::int16_t>},
    {"u2", 2, read_as<std::uint16_t>}, {"i4", 4, read_as<std::int32_t>},
    {"u4", 4, read_as<std::uint32_t>}, {"f4", 4, read_as<float>},
    {"f8", 8, read_as<double>},
};

[[nodiscard]] const Type* find(std::string_view name) {
    for (const Type& type : kTypes) {
        if (type.name == name) return &type;
    }
    return nullptr;
}

}  // namespace

void require_comparable(const Tensor& tensor, double tolerance) {
    if (tolerance == 0 || find(tensor.type) != nullptr) return;
    throw UserError(fmt::format("--tolerance and output {} ({}): its type is {}", tensor.number,
                                traces::terminal_text(tensor.name),
                                tensor.type.empty() ? "not known" : "not supported"),
                    "without a tolerance its bytes are compared");
}

Comparison compare(const Tensor& tensor, std::span<const std::uint8_t> found,
                   std::span<const std::uint8_t> wanted, double tolerance) {
    static constexpr Type kBytes{"", 1, read_as<std::uint8_t>};
    const Type* const known = find(tensor.type);
    const Type& type = known == nullptr ? kBytes : *known;
    Comparison result;
    const std::size_t least = std::min(found.size(), wanted.size()) / type.bytes;
    result.numbers = std::max(found.size(), wanted.size()) / type.bytes;
    result.too_far = result.unequal = result.numbers - least;
    result.first = least;
    for (std::size_t i = least; i-- != 0;) {
        const std::uint8_t* const one = found.data() + i * type.bytes;
        const std::uint8_t* const two = wanted.data() + i * type.bytes;
        if (std::memcmp(one, two, type.bytes) == 0) continue;
        const double is = type.read(one), should = type.read(two);
        double apart = std::fabs(is - should);
        if (std::isnan(apart)) apart = std::numeric_limits<double>::infinity();
        result.largest = std::max(result.largest, apart);
        ++result.unequal;
        if (apart <= tolerance) continue;
        ++result.too_far;
        result.first = i;
        result.found = is;
        result.wanted = should;
    }
    return result;
}

}  // namespace n6vp::sim::model_run

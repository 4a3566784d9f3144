// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/random_numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

[[nodiscard]] bool parse(std::string_view text, double& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

/// Returns all values of an integer type of up to 4 bytes, by its name.
[[nodiscard]] NumberRange all_of(std::string_view type) {
    const int bits = 8 * (type[1] - '0');
    if (type[0] == 'u') return {0, std::ldexp(1.0, bits) - 1};
    return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
}

[[nodiscard]] bool is_integer(std::string_view type) {
    return type == "i1" || type == "u1" || type == "i2" || type == "u2" || type == "i4" ||
           type == "u4";
}

[[noreturn]] void refuse(const Tensor& tensor, const char* why) {
    throw UserError(fmt::format("--range and input {} ({}): {}", tensor.number,
                                traces::terminal_text(tensor.name), why),
                    "give the input as a file, or leave --range out");
}

}  // namespace

NumberRange parse_number_range(std::string_view text, std::string_view option) {
    NumberRange range;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || !parse(text.substr(0, colon), range.low) ||
        !parse(text.substr(colon + 1), range.high) || range.low > range.high) {
        throw UserError(fmt::format("{} '{}'", option, traces::terminal_text(text)),
                        "write LOW:HIGH, for instance -1:1 or 0:255");
    }
    return range;
}

std::vector<std::uint8_t> RandomNumbers::make(const Tensor& tensor) {
    std::vector<std::uint8_t> bytes(tensor.bytes);
    const auto put = [&bytes](std::size_t at, const auto& value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    if (tensor.type == "f4") {
        const NumberRange range = range_.value_or(NumberRange{0, 1});
        constexpr double kStep = 0x1p-24;
        for (std::size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
            const double part = static_cast<double>(generator_() >> 8) * kStep;
            put(at, static_cast<float>(range.low + (range.high - range.low) * part));
        }
        return bytes;
    }
    if (!is_integer(tensor.type)) {
        if (range_) refuse(tensor, "its type is not known, or none of 8 to 32 bits");
        constexpr unsigned kTop = 24;  // the best bits of a number of 32
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(generator_() >> kTop);
        return bytes;
    }
    const NumberRange all = all_of(tensor.type), range = range_.value_or(all);
    const double low = std::ceil(range.low), high = std::floor(range.high);
    if (low < all.low || high > all.high || low > high) {
        refuse(tensor, "its type has no such numbers");
    }
    const auto count = static_cast<std::uint64_t>(high - low) + 1;
    const auto size = static_cast<std::size_t>(tensor.type[1] - '0');
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        const std::uint64_t drawn = generator_() * count >> 32;
        const auto number = static_cast<std::int64_t>(low) + static_cast<std::int64_t>(drawn);
        // Hosts are little-endian: the low bytes come first.
        std::memcpy(bytes.data() + at, &number, size);
    }
    return bytes;
}

}  // namespace n6vp::sim::model_run

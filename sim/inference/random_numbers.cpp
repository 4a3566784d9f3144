// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/random_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

[[nodiscard]] bool parse(std::string_view text, double& value) {
    const auto number = parse_digits<double>(text);
    value = number.value_or(0);
    return number.has_value();
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

[[noreturn]] void refuse(const NumberForm& form, const std::string& why) {
    throw UserError(fmt::format("--range and {}: {}", form.title, why),
                    "give the input as a file, or leave --range out");
}

/// Stored integers that a tensor may get; real ones as the nearest, cut to the type.
NumberRange stored_range(const NumberForm& form, const NumberRange& range) {
    const NumberRange all = all_of(form.type);
    if (range.stored) {
        const NumberRange inner{std::ceil(range.low), std::floor(range.high), true};
        if (inner.low >= all.low && inner.high <= all.high && inner.low <= inner.high) return inner;
        refuse(form, fmt::format("its type holds {} to {}", all.low, all.high));
    }
    if (form.scale <= 0) {
        refuse(form, "it has no scale: write stored integers, stored:LOW:HIGH");
    }
    const auto nearest = [&](double value) {
        return std::round(value / form.scale) + static_cast<double>(form.zero_point);
    };
    const NumberRange wanted{nearest(range.low), nearest(range.high), true};
    if (wanted.low <= all.high && wanted.high >= all.low) return wanted;
    const auto value = [&](double number) {
        return (number - static_cast<double>(form.zero_point)) * form.scale;
    };
    refuse(form, fmt::format("as real numbers it holds {:.6g} to {:.6g}", value(all.low),
                             value(all.high)));
}

}  // namespace

NumberRange parse_number_range(std::string_view text, std::string_view option) {
    constexpr std::string_view kStored = "stored:";
    NumberRange range;
    range.stored = text.starts_with(kStored);
    const std::string_view numbers = range.stored ? text.substr(kStored.size()) : text;
    const std::size_t colon = numbers.find(':');
    if (colon == std::string_view::npos || !parse(numbers.substr(0, colon), range.low) ||
        !parse(numbers.substr(colon + 1), range.high) || range.low > range.high) {
        throw UserError(fmt::format("{} '{}'", option, traces::terminal_text(text)),
                        "write LOW:HIGH, for instance -1:1, or stored:LOW:HIGH as stored:0:255");
    }
    return range;
}

NumberForm number_form(const Tensor& tensor) {
    return {fmt::format("input {} ({})", tensor.number, traces::terminal_text(tensor.name)),
            tensor.type, tensor.bytes, tensor.quantised ? double{tensor.scale} : 0, tensor.zero};
}

double RandomNumbers::real(const NumberRange& range) {
    constexpr double kStep = 0x1p-24;
    return range.low + (range.high - range.low) * static_cast<double>(generator_() >> 8) * kStep;
}

std::vector<std::uint8_t> RandomNumbers::floats(const NumberForm& form) {
    if (range_ && range_->stored) refuse(form, "it has no stored integers");
    std::vector<std::uint8_t> bytes(form.bytes);
    const NumberRange range = range_.value_or(NumberRange{0, 1});
    for (std::size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
        const auto value = static_cast<float>(real(range));
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    return bytes;
}

std::vector<std::uint8_t> RandomNumbers::integers(const NumberForm& form) {
    std::vector<std::uint8_t> bytes(form.bytes);
    const NumberRange all = all_of(form.type);
    const NumberRange stored = range_ ? stored_range(form, *range_) : all;
    const auto size = static_cast<std::size_t>(form.type[1] - '0');
    const auto count = static_cast<std::uint64_t>(stored.high - stored.low) + 1;
    const bool reals = range_ && !range_->stored;
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        double drawn = 0;
        if (reals) {
            drawn = std::round(real(*range_) / form.scale) + static_cast<double>(form.zero_point);
            drawn = std::clamp(drawn, all.low, all.high);
        } else {
            drawn = stored.low + static_cast<double>(generator_() * count >> 32);
        }
        // Hosts are little-endian: the low bytes come first.
        const auto number = static_cast<std::int64_t>(drawn);
        std::memcpy(bytes.data() + at, &number, size);
    }
    return bytes;
}

std::vector<std::uint8_t> RandomNumbers::make(const NumberForm& form) {
    if (form.type == "f4") return floats(form);
    if (is_integer(form.type)) return integers(form);
    if (range_) refuse(form, "its type is unknown or not of 8 to 32 bits");
    std::vector<std::uint8_t> bytes(form.bytes);
    constexpr unsigned kTop = 24;  // the best bits of a number of 32
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(generator_() >> kTop);
    return bytes;
}

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#include "sim/host/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  ///< of the numbers, as NumPy writes them

/// Returns what follows `'key':` in the head's dictionary, without blanks before it.
[[nodiscard]] std::string_view value_of(std::string_view head, std::string_view key) {
    const std::size_t at = head.find(fmt::format("'{}'", key));
    if (at == std::string_view::npos) return {};
    std::string_view rest = head.substr(at + key.size() + 2);
    rest.remove_prefix(std::min(rest.find_first_not_of(" :"), rest.size()));
    return rest;
}

[[nodiscard]] std::optional<std::vector<std::uint64_t>> parse_shape(std::string_view text) {
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) return std::nullopt;
    text = text.substr(1, end - 1);
    std::vector<std::uint64_t> shape;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
        if (text.empty()) return shape;
        const auto number = take_digits<std::uint64_t>(text);
        if (!number) return std::nullopt;
        shape.push_back(*number);
    }
}

/// Returns how many bytes the array has; none if they are more than any file.
[[nodiscard]] std::optional<std::uint64_t> bytes_of(const NpyArray& array) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    std::uint64_t bytes = static_cast<std::uint64_t>(array.type[1] - '0');
    for (const std::uint64_t size : array.shape) {
        if (size > kMost || bytes * size > kMost) return std::nullopt;
        bytes *= size;
    }
    return bytes;
}

}  // namespace

bool is_npy(std::span<const std::uint8_t> file) {
    return file.size() >= kMagic.size() &&
           std::equal(kMagic.begin(), kMagic.end(), file.begin(), [](char one, std::uint8_t two) {
               return static_cast<std::uint8_t>(one) == two;
           });
}

NpyArray parse_npy(std::span<const std::uint8_t> file, std::string_view shown_name) {
    const auto fail = [shown_name](const std::string& why) -> UserError {
        return {fmt::format("{}: {}", shown_name, why),
                "save it with numpy.save(name, numpy.ascontiguousarray(array))"};
    };
    if (!is_npy(file)) throw fail("no .npy file");
    const bool short_head = file.size() > 6 && file[6] == 1;
    const std::size_t start = short_head ? 10 : 12;
    if (file.size() < start || (!short_head && file[6] != 2)) {
        throw fail("a version of .npy that is not read");
    }
    std::size_t length = file[8] + (std::size_t{file[9]} << 8);
    if (!short_head) length += (std::size_t{file[10]} << 16) + (std::size_t{file[11]} << 24);
    if (length > file.size() - start) throw fail("the file is cut off in its head");
    const std::string_view head(reinterpret_cast<const char*>(file.data()) + start, length);
    const std::string_view type = value_of(head, "descr");
    // 'x<digit>' behind the byte order, then the closing quote.
    if (type.size() < 5 || type[0] != '\'' || type[4] != '\'' || type[3] < '1' || type[3] > '8') {
        throw fail("an array of something else than plain numbers");
    }
    if (type[1] == '>') throw fail("big-endian numbers");
    if (!value_of(head, "fortran_order").starts_with("False")) throw fail("Fortran order");
    NpyArray array;
    array.type = std::string(type.substr(2, 2));
    const auto shape = parse_shape(value_of(head, "shape"));
    if (!shape) throw fail("a shape that cannot be read");
    array.shape = *shape;
    const std::span<const std::uint8_t> numbers = file.subspan(start + length);
    if (bytes_of(array) != numbers.size()) {
        throw fail(fmt::format("{} bytes of numbers do not make {} of type {}", numbers.size(),
                               shape_text(array.shape), traces::terminal_text(array.type)));
    }
    array.bytes.assign(numbers.begin(), numbers.end());
    return array;
}

std::string npy_head(std::string_view type, std::span<const std::uint64_t> shape) {
    std::string dimensions;
    for (const std::uint64_t size : shape) dimensions += fmt::format("{}, ", size);
    if (shape.size() > 1) dimensions.resize(dimensions.size() - 2);
    if (shape.size() == 1) dimensions.resize(dimensions.size() - 1);
    std::string words = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                    type.ends_with('1') ? '|' : '<', type, dimensions);
    constexpr std::size_t kBefore = 10;
    while ((kBefore + words.size() + 1) % kAlignment != 0) words += ' ';
    words += '\n';
    std::string head(kMagic);
    head += '\x01';
    head += '\0';
    head += static_cast<char>(words.size() & 0xFF);
    head += static_cast<char>(words.size() >> 8);
    return head + words;
}

std::string shape_text(std::span<const std::uint64_t> shape) {
    std::string text;
    for (const std::uint64_t size : shape)
        text += fmt::format("{}{}", text.empty() ? "" : "x", size);
    return text.empty() ? "scalar" : text;
}

}  // namespace n6vp::sim::model_run

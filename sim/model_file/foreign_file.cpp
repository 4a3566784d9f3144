// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// The kind of image that starts with `first`, by its first record or word; nullptr for others.
/// `:` and `S0` to `S3` with a digit behind begin no model and no line of TOML.
const char* image_kind(std::string_view first) {
    const auto digit = [first](std::size_t at) {
        return at < first.size() && std::isxdigit(static_cast<unsigned char>(first[at])) != 0;
    };
    if (first.starts_with("STM2")) return "an image with boot header";
    if (!digit(2) || !digit(3) || !digit(4)) return nullptr;
    if (first[0] == ':' && digit(1)) return "an Intel HEX file";
    return first[0] == 'S' && first[1] >= '0' && first[1] <= '3' ? "a file of S-records" : nullptr;
}

}  // namespace

void require_not_foreign(const std::string& path, std::span<const std::uint8_t> content,
                         std::string_view wanted) {
    const std::string first(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                   content.size(), kForeignBytes)));
    const std::string shown = traces::terminal_text(path);
    if (first.size() > 4 && first.substr(4) == "TFL3") {
        throw UserError(fmt::format("{} is a TensorFlow Lite network, {}", shown, wanted),
                        "n6vp generate makes a model of it: n6vp generate " + shown + " -o DIR");
    }
    if (first.starts_with("\x7F"
                          "ELF")) {
        throw UserError(fmt::format("{} is a program, {}", shown, wanted),
                        "run it with --elf: n6vp run --elf " + shown);
    }
    const char* const image = image_kind(first);
    if (image == nullptr) return;
    throw UserError(fmt::format("{} looks like {}, {}", shown, image, wanted),
                    "run it with --image: n6vp run --image " + shown);
}

}  // namespace n6vp::sim

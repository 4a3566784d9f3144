// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// Keys keep the order in which they were written: the same input gives the same bytes.
using Json = nlohmann::ordered_json;

/// One document format. The version goes up when a key changes its meaning or disappears, not when
/// one is added.
struct Schema {
    std::string_view verb;
    int version;
};

/// Returns every format that some verb writes, in alphabetical order.
[[nodiscard]] std::span<const Schema> schemas();

/// Returns "n6vp.<verb>/<version>". Fails (internal error) if the verb has no entry in `schemas`.
[[nodiscard]] std::string schema_name(std::string_view verb);

/// Returns {"schema": "n6vp.<verb>/<version>"}, the first key of every document.
[[nodiscard]] Json json_document(std::string_view verb);

/// Writes the document, two blanks per level and a final newline. Pure ASCII: text from a file
/// cannot reach the terminal raw, and bytes that are not UTF-8 become U+FFFD.
void write_json(std::ostream& out, const Json& document);

/// Returns "0x" and eight digits: how documents and reports write an address or a raw word.
[[nodiscard]] std::string hex_word(std::uint32_t value);

}  // namespace n6vp::sim

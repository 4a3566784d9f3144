// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace n6vp::sim::pack {

/// Returns text that may stand in a C string or comment: printable ASCII without `"`, `\` and `*`.
[[nodiscard]] std::string c_text(const std::string& text);
/// Returns an identifier made of the letters and digits of a name.
[[nodiscard]] std::string identifier(const std::string& name, bool upper);
/// Returns the rows of an array initialiser.
[[nodiscard]] std::string byte_lines(const std::vector<std::uint8_t>& bytes);

}  // namespace n6vp::sim::pack

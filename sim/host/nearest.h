// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace n6vp::sim {

/// Returns the entry with the fewest edits to `word`, or an empty view if each needs more than a
/// third of its length, and more than one. Two swapped letters are one edit.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       const std::vector<std::string>& candidates);
/// The result would refer to entries that are gone.
std::string_view nearest(std::string_view word, std::vector<std::string>&& candidates) = delete;

}  // namespace n6vp::sim

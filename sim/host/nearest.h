// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace n6vp::sim {

/// Returns the entry nearest to `word` that is at most a third of its length (and at least one, two
/// swapped letters count one) edits away, or an empty view.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       const std::vector<std::string>& candidates);
/// The result would refer to entries that are gone.
std::string_view nearest(std::string_view word, std::vector<std::string>&& candidates) = delete;

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace n6vp::sim {

/// Rows of one table in a text report. Documents and CSV have all rows.
inline constexpr std::size_t kMaxTableRows = 200;

/// Returns the rows of a table that are shown.
template <class Row>
[[nodiscard]] std::span<const Row> shown_rows(const std::vector<Row>& rows) {
    return std::span(rows).first(std::min(rows.size(), kMaxTableRows));
}

/// Returns the line below a table of `rows` rows: how many are not shown, and where they are; ""
/// if all are.
[[nodiscard]] inline std::string hidden_rows(std::size_t rows) {
    if (rows <= kMaxTableRows) return {};
    return fmt::format("and {} more rows: the JSON report has all (--json)\n",
                       rows - kMaxTableRows);
}

}  // namespace n6vp::sim

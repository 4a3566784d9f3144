// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace n6vp::sim {

/// Rows of one table in a text report. Documents and CSV have all rows.
inline constexpr std::size_t kMaxTableRows = 200;

/// Returns the line below a table of `rows` rows: how many are not shown, and where they are; ""
/// if all are.
[[nodiscard]] inline std::string hidden_rows(std::size_t rows) {
    if (rows <= kMaxTableRows) return {};
    return fmt::format("and {} more rows: the JSON report has all (--json)\n",
                       rows - kMaxTableRows);
}

}  // namespace n6vp::sim

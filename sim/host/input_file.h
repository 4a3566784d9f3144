// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace n6vp::sim {

/// Returns what is in a file of at most `most` bytes. Fails with UserError if it is none, or larger
/// (then with that remedy).
[[nodiscard]] std::vector<std::uint8_t> read_input(const std::string& path, std::uintmax_t most,
                                                   const std::string& remedy_if_larger);

}  // namespace n6vp::sim

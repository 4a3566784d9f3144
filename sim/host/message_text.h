// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// Cuts words of more than 256 characters, and a message of more than 1000, and says how long they
/// were: messages quote what the user gave.
[[nodiscard]] std::string shortened(std::string_view message);

/// Returns the first `most` bytes of what another program said as one line, safe for a terminal.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t most);

/// Returns "1 error", "2 errors".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view what);

}  // namespace n6vp::sim

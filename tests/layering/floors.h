// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace n6vp::tests {

/// Rooms of a folder, lowest floor first. A room may use lower floors, never its own or a higher
/// one.
using Floors = std::vector<std::vector<std::string_view>>;

/// The chain of the project, lowest first.
inline constexpr std::array<std::string_view, 6> kChain = {"memmap", "loader", "traces",
                                                           "models", "sim",    "tests"};

/// Folders whose rooms have floors. The empty name is the project itself.
extern const std::map<std::string, Floors> kHouses;

/// Something in one file that needs another file: an #include, or a link of two libraries.
struct Edge {
    std::string file;  ///< path from the source root
    int line = 0;
    std::string target;  ///< path from the source root
};

/// Returns the floor of a room, or -1 if the folder has no such room.
[[nodiscard]] int floor_of(const Floors& floors, std::string_view room);

/// Returns "" if the edge points down or stays in its room, else one line that names it.
[[nodiscard]] std::string violation(const Edge& edge);

}  // namespace n6vp::tests

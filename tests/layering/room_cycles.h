// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/layering/floors.h"

namespace n6vp::tests {

/// Returns a line for each include that is part of a cycle between two or more rooms of one folder.
/// Every folder with subfolders counts, on a list of floors or not; its root is a room, ".".
[[nodiscard]] std::vector<std::string> room_cycles(const std::vector<Edge>& includes);

}  // namespace n6vp::tests

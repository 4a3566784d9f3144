// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace n6vp::sim {

/// Returns the C++ declaration that a symbol's name stands for, or the name itself if it is none,
/// or one that unfolds to far more than it says.
[[nodiscard]] std::string demangled(const std::string& name);

}  // namespace n6vp::sim

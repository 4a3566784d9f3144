// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace n6vp::sim {

/// Returns the version of this build, such as "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace n6vp::sim

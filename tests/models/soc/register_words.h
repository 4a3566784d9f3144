// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/duration.h"

namespace n6vp::test {

inline constexpr std::uint32_t kWord = 0xFFFFFFFF;  ///< mask of a whole word
inline constexpr models::Picoseconds kMicrosecond = 1'000'000;

}  // namespace n6vp::test

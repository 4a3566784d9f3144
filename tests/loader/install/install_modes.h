// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::test {

/// Bits of an install's mode.
inline constexpr std::uint32_t kXip = 1, kCopy = 2, kClear = 4;

}  // namespace n6vp::test

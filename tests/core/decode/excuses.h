// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::test {

/// Encodings on which our table and LLVM 14's differ for a reason.
struct Excuse {
    std::uint32_t mask = 0, value = 0;  ///< of 32-bit encodings, or of 16-bit ones below 0x10000
    const char* reason = nullptr;
};

inline constexpr Excuse kExcuses[] = {
    {0xFFFFFFFF, 0xFFFFFFFF, "none yet"},
};

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Memory behind the inputs and outputs of a model that has no other place for them, and the heap
/// of the loader: blocks of 32 bytes, taken in ascending order and given back all at once.
namespace n6vp::firmware::mcu::heap {

void open(std::uint32_t start, std::uint32_t bytes);
/// Returns 0 if there is no room.
[[nodiscard]] std::uint32_t take(std::uint32_t bytes);
/// Bytes that blocks of the loader took, at most, since `open`.
[[nodiscard]] std::uint32_t most_used();

}  // namespace n6vp::firmware::mcu::heap

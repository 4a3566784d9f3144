// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// USART1 as the vendor's validation firmware drives it: 8N1, one blocking call per character.
namespace n6vp::firmware::console {

/// Divider for a request of 921,600 Bd from a kernel clock of 100 MHz: 917,431 Bd.
inline constexpr std::uint32_t kDivider = 109;

/// Switches the port on. Its clock (RCC APB2ENR) must run.
void initialise(std::uint32_t divider = kDivider);
/// Sends the character and waits for the end of its frame.
void put(char character);
void print(const char* text);
/// Returns the next character received, or -1 if there is none.
[[nodiscard]] std::int32_t get();

}  // namespace n6vp::firmware::console

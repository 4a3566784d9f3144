// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace n6vp::models::core {

/// Accesses to one address of the private peripheral bus.
struct PrivateAccesses {
    std::uint64_t reads = 0, writes = 0;
    std::uint32_t first_pc = 0;  ///< of the instruction that came first
};
using PrivateAccessMap = std::map<std::uint32_t, PrivateAccesses>;

/// Returns true if the register at `address` does here what it does on the chip as far as a program
/// without a debugger can tell. What keeps its value but lacks its effect is not modelled.
[[nodiscard]] bool is_modelled_register(std::uint32_t address);

/// Returns the name that CMSIS gives to the register at `address`, such as "SCB->VTOR",
/// "NVIC_NS->ISER[2]" or "DWT->COMP0"; empty if none is known.
[[nodiscard]] std::string private_register_name(std::uint32_t address);

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Which registers the NPU's units have: what an instruction stream may touch, taken from the
/// tables in `memmap/npu` while compiling.
namespace n6vp::loader::ec {

inline constexpr std::uint32_t kUnits = 32;  ///< one 4 KiB page each

/// Returns true if the unit (IP number) has a register at this byte offset of its 4 KiB page.
[[nodiscard]] bool register_exists(std::uint32_t ip, std::uint32_t byte_offset);

/// Returns true if that register has no field that software can write.
[[nodiscard]] bool register_is_read_only(std::uint32_t ip, std::uint32_t byte_offset);

/// Returns the CLKCTRL.BGATES bits that must be on for an access to the unit: one bit, or 0 for an
/// ungated unit.
[[nodiscard]] std::uint32_t clock_gate(std::uint32_t ip);

/// Returns the unit's name, with its index where there are several ("STRENG3"), or nullptr.
[[nodiscard]] const char* unit_name(std::uint32_t ip);

}  // namespace n6vp::loader::ec

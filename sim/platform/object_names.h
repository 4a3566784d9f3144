// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Hierarchical names of SystemC, for log and traces. Parts that are no SystemC objects, such as
/// the units of the NPU and the peripherals, have names below the object that holds them.
namespace n6vp::sim {

inline constexpr const char* kChipName = "chip";

/// Returns the name of a master's socket: "chip.npu.to_0".
[[nodiscard]] std::string port_object(unsigned initiator);
/// Returns the name of a memory or peripheral: "chip.axisram3" for "AXISRAM3".
[[nodiscard]] std::string chip_object(std::string_view part);
/// Returns the name of a unit: "chip.npu.streng4" for "STRENG4", "chip.npu" for "".
[[nodiscard]] std::string npu_object(std::string_view unit);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/soc/base/register_block.h"
#include "sim/registers/register_names.h"

/// Texts of `monitor` that runs on all chips share.
namespace n6vp::sim::debugger {

/// Lines of one answer.
inline constexpr std::size_t kMostLines = 200;

/// Reads a register if that changes nothing.
using Peek = std::function<std::optional<models::RegisterBlock::Answer>(std::uint32_t address)>;

[[nodiscard]] std::string upper_case(std::string text);

/// Returns a line for each register with a name in the words from `first` on: value and name.
/// `known` has names of the user's, or is null.
[[nodiscard]] std::string register_lines(std::uint32_t first, std::uint32_t bytes, const Peek& peek,
                                         const RegisterNames* known);

/// Returns a line of the pins of a port at `base`: of those that are not in analog mode, mode and
/// level, by the registers of every STM32 (MODER, IDR, ODR, AFRL, AFRH). `letter` is the port's.
[[nodiscard]] std::string gpio_line(std::string_view letter, std::uint32_t base, const Peek& peek);

/// Returns "did you mean NAME?", for a name that no peripheral has.
[[nodiscard]] std::string no_peripheral(const std::string& name,
                                        const std::vector<std::string>& names);

}  // namespace n6vp::sim::debugger

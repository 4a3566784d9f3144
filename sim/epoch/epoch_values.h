// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/npu/links.h"
#include "sim/epoch/epoch_file.h"
#include "sim/host/toml_file.h"

/// Names and values of register tables, with error messages.
namespace n6vp::sim {

/// Returns the unit called "STRENG3" in any case; `node` is where the name stands.
[[nodiscard]] memmap::npu::Unit find_unit(const ScenarioNodes& nodes, const toml::node& node,
                                          std::string_view name);

/// Returns a whole number of -2^(bits - 1) to 2^bits - 1 as its low bits.
[[nodiscard]] std::uint32_t field_value(const ScenarioNodes& nodes, const toml::node& node,
                                        std::string_view what, unsigned bits);

/// Returns an address: a number, "buffer", "buffer+64", "buffer.end+0x3f".
[[nodiscard]] std::uint32_t address_value(const ScenarioNodes& nodes, const toml::node& node,
                                          std::string_view what,
                                          const std::vector<BenchBuffer>& buffers);

/// Takes over the registers of one unit: `REGISTER = word`, `REGISTER.FIELD = value`, arrays of
/// registers by their index, `coefficients` of ARITH. Later settings add to earlier ones.
void read_unit(const ScenarioNodes& nodes, const toml::table& table,
               const std::vector<BenchBuffer>& buffers, UnitSettings& unit);

/// One destination of the stream switch with its DST word.
struct LinkSetting {
    std::uint32_t destination = 0, word = 0;
};
/// Returns the link "CONVACC0 -> ARITH3.x"; "CONVACC0 [off 1, on 1] -> ARITH3.x" is two
/// contexts with their frames.
[[nodiscard]] LinkSetting read_link(const ScenarioNodes& nodes, const toml::node& node);

/// Returns the value of a text of hexadecimal bytes.
[[nodiscard]] std::vector<std::uint8_t> byte_list(const ScenarioNodes& nodes,
                                                  const toml::node& node, std::string_view what);

}  // namespace n6vp::sim

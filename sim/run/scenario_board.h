// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <cstdint>
#include <string>

#include "sim/host/toml_file.h"
#include "sim/run/board_setup.h"

namespace n6vp::sim {

struct PinName {
    std::string port;  ///< "GPIOC"
    unsigned number = 0;
};
/// Reads "PC13". Fails with UserError for what is no pin of the STM32N6.
[[nodiscard]] PinName read_pin_name(const ScenarioNodes& nodes, const toml::node& node);
/// Reads "I2C1" to "I2C4". Fails with UserError.
[[nodiscard]] std::string read_i2c_bus(const ScenarioNodes& nodes, const toml::node& node);
/// Reads 7 or 10. Fails with UserError.
[[nodiscard]] unsigned read_address_bits(const ScenarioNodes& nodes, const toml::node& node);
/// Fails with UserError at `node` for an address of 7 bits that no device may have.
void require_i2c_address(const ScenarioNodes& nodes, const toml::node& node, std::uint16_t address,
                         bool ten_bits);
/// Adds the device of a table [[i2c]], for a chip with any I2C controllers. Fails with UserError.
void read_i2c_device(const ScenarioNodes& nodes, const toml::table& table, BoardSetup& board);
/// Adds the device of a table [[spi]], for a chip with any SPI controllers. Fails with UserError.
void read_spi_device(const ScenarioNodes& nodes, const toml::table& table, BoardSetup& board);
/// Adds the pin of a table [[pin]]. Fails with UserError.
void read_pin(const ScenarioNodes& nodes, const toml::table& table, BoardSetup& board);

}  // namespace n6vp::sim

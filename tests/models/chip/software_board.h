// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

#include "models/chip/stm32n6.h"
#include "tests/models/probe.h"

namespace n6vp::test {

/// The chip with its board, and software in place of the core: its accesses come from the port
/// `host`. By default the state after the set-up of the validation firmware.
struct SoftwareBoard : sc_core::sc_module {
    models::Stm32n6 chip;
    Probe master;

    explicit SoftwareBoard(const sc_core::sc_module_name& name,
                           const models::ChipOptions& options = {},
                           const models::ChipParameters& parameters = {})
        : sc_module(name), chip("chip", parameters, options), master("master") {
        master.port.bind(chip.host);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// Both take the word at an address that answers.
    void set(std::uint32_t address, std::uint32_t value) {
        master.data.resize(sizeof value);
        std::memcpy(master.data.data(), &value, sizeof value);
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.write(address, sizeof value, now).ok());
        pass_us(1);
    }
    std::uint32_t get(std::uint32_t address) {
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.read(address, 4, now).ok());
        std::uint32_t value = 0;
        std::memcpy(&value, master.data.data(), sizeof value);
        return value;
    }
    static void pass_us(double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }
    /// Returns true if the interrupt line is pending in the core.
    bool pending(unsigned line) {
        models::core::Core& core = chip.core().core();
        std::uint32_t word = 0;
        REQUIRE(core.system().read_ppb(core.state(), 0xE000E200 + line / 32 * 4, 4, core.cycles(),
                                       word));
        return (word >> line % 32 & 1) != 0;
    }
};

}  // namespace n6vp::test

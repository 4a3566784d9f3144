// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/soc/base/peripheral_bus.h"
#include "models/soc/base/register_block.h"
#include "models/time_resolution.h"

namespace n6vp::models {

/// One peripheral as a module with a target socket, for platforms with a bus of their own.
///
/// Modelled: what the peripheral bus does for a block: bytes and halfwords, posted writes, the time
/// of reads and writes. An offset beyond the block is a bus error.
/// Not modelled: debug accesses (reading a register has side effects).
class RegisterBlockModule : public sc_core::sc_module, private RegisterLog {
  public:
    tlm::tlm_target_socket<> port;  ///< addresses are offsets in the block

    /// The block must outlive the module.
    RegisterBlockModule(const sc_core::sc_module_name& name, RegisterBlock& block,
                        std::uint32_t bytes, const PeripheralBusParameters& parameters = {})
        : sc_module(name), port("port"), bus_("bus", parameters, *this) {
        require_picoseconds();
        bus_.add(block, GuestAddr{0}, bytes, true);
        port.bind(bus_.port);
    }

    /// Clock of the bus in front of the registers, 100 MHz until then.
    void set_clock_hz(double hz) { bus_.set_clock_hz(hz); }

  private:
    [[nodiscard]] bool accessed(const RegisterAccess& access) override {
        return access.block[0] != '\0';
    }

    PeripheralBus bus_;
};

}  // namespace n6vp::models

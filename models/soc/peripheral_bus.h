// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "memmap/guest_addr.h"
#include "models/fabric/guard.h"
#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/register_block.h"

namespace n6vp::models {

struct PeripheralBusParameters {
    Parameter read_time{"read_time", 70, "ns", Confidence::Assumed,
                        "40 to 60 CPU cycles at 800 MHz per read: 56"};
    Parameter write_time{"write_time", 50, "ns", Confidence::Assumed,
                         "40 CPU cycles at 800 MHz per write while the buffer is full"};
    Parameter write_buffer{"write_buffer", 2, "entries", Confidence::Assumed,
                           "register writes are posted through 1 or 2 entries"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.read_time);
        function(self.write_time);
        function(self.write_buffer);
    }
};

/// The AHB and APB buses behind the NOC: decodes 0x40000000 to 0x5FFFFFFF into register blocks.
///
/// Modelled: both aliases of each block, bytes and halfwords by read and masked write, posted
/// writes through a small buffer, reads that wait for it to drain, guards per block, a log of every
/// access. An address in no block answers zero, is logged as not modelled, and is a bus error where
/// the log says so. Not modelled: the buses one by one, their clocks.
class PeripheralBus : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<PeripheralBus> port;  ///< addresses are absolute

    PeripheralBus(const sc_core::sc_module_name& name, const PeripheralBusParameters& parameters,
                  RegisterLog& log);

    /// `start` is the secure base unless `one_alias`; the block must outlive the bus.
    void add(RegisterBlock& block, GuestAddr start, std::uint32_t bytes, bool one_alias = false);
    /// Asked before the block is; the first guard that does not pass decides.
    void add_guard(RegisterBlock& block, Guard& guard);
    void reset();

  private:
    struct Slot {
        AddressRange range;
        RegisterBlock* block = nullptr;
        std::vector<Guard*> guards;
    };

    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);

    RegisterLog& log_;
    Picoseconds read_ps_, write_ps_;
    std::vector<Picoseconds> buffer_free_;  ///< absolute time at which each entry is free again
    std::vector<Slot> slots_;               ///< by ascending address
};

}  // namespace n6vp::models

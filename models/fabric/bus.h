// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "memmap/guest_addr.h"
#include "models/parameter.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// Way of one initiator to one memory.
struct Route {
    Picoseconds request = 0;   ///< from the initiator's port to the memory's
    Picoseconds response = 0;  ///< back
    Picoseconds beat = 0;      ///< shortest distance between two beats on this way
    std::uint32_t beat_bytes = 8;
};

/// Latencies per initiator and kind of memory.
struct BusParameters {
    Parameter beat_bytes{"beat_bytes", 8, "B", Confidence::Documented, "64-bit NOC and NIC"};
    Parameter cpu_noc_ram_request{"cpu_noc_ram_request", 4, "NOC cycles", Confidence::Assumed,
                                  "with one bank cycle and the response: 8 to the first beat"};
    Parameter cpu_noc_ram_response{"cpu_noc_ram_response", 3, "NOC cycles", Confidence::Assumed,
                                   "see cpu_noc_ram_request"};
    Parameter cpu_bridge{"cpu_bridge", 6, "NOC cycles", Confidence::Assumed,
                         "NOC to NIC bridge, both directions together, on top of the above"};
    Parameter cpu_xspi_control{"cpu_xspi_control", 50, "ns", Confidence::Assumed,
                               "FIFO, bus interface and bridge, half each way (NPU: 40)"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.beat_bytes);
        function(self.cpu_noc_ram_request);
        function(self.cpu_noc_ram_response);
        function(self.cpu_bridge);
        function(self.cpu_xspi_control);
    }
};

/// Address decoder between the bus masters and the memories.
///
/// Modelled: one port per initiator and per memory, address windows (several per memory: secure and
/// non-secure alias), latency of each way, bus beats as a lower bound of a burst's length, direct
/// memory pages and debug transport across window borders. An address in no window, or a burst that
/// leaves its window, ends in an address error without reaching a memory. Contention happens in the
/// memories, which book their ports.
/// Not modelled: round-robin order between masters whose bursts meet (bursts are served in the
/// order of the calls), bus-matrix width limits shared by several memories, security filters.
class Bus : public sc_core::sc_module {
  public:
    sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Bus>> from;
    sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Bus>> to;

    Bus(const sc_core::sc_module_name& name, unsigned initiators, unsigned memories);

    /// Maps `range` to memory `memory` from its offset 0 on. Ranges must not overlap (checked by
    /// the address map that they come from). Only before the simulation starts.
    void map(unsigned memory, AddressRange range);
    void set_route(unsigned initiator, unsigned memory, const Route& way);

  private:
    struct Window {
        AddressRange range;
        unsigned memory = 0;
    };

    void b_transport(int initiator, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    void invalidate_direct_mem_ptr(int memory, sc_dt::uint64 start, sc_dt::uint64 end);
    [[nodiscard]] const Window* find(std::uint64_t address);
    [[nodiscard]] Route& route(unsigned initiator, unsigned memory) {
        return routes_[initiator * to.size() + memory];
    }

    std::vector<Window> windows_;  ///< ascending
    std::vector<Route> routes_;
    std::size_t last_ = 0;  ///< window of the last access, a guess for the next
};

}  // namespace n6vp::models

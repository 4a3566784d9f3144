// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include "models/fabric/transfer.h"
#include "models/soc/rif/rifsc.h"

namespace n6vp::models {

/// A bus master's port under the resource isolation framework: its transactions carry
/// the attributes that RIFSC holds for it, not those of the master.
/// Not modelled: arbitration between the NPU and a test-bench master on the same port.
class MasterPort : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<MasterPort> from;
    /// For a master of a test bench beside the NPU; may stay unbound.
    tlm_utils::simple_target_socket_optional<MasterPort> beside;
    tlm_utils::simple_initiator_socket<MasterPort> to;

    explicit MasterPort(const sc_core::sc_module_name& name)
        : sc_module(name), from("from"), beside("beside"), to("to") {
        listen(from);
        listen(beside);
        to.register_invalidate_direct_mem_ptr(this, &MasterPort::invalidate_direct_mem_ptr);
    }

    MasterAttributes attributes;

  private:
    template <typename Socket>
    void listen(Socket& socket) {
        socket.register_b_transport(this, &MasterPort::b_transport);
        socket.register_transport_dbg(this, &MasterPort::transport_dbg);
        socket.register_get_direct_mem_ptr(this, &MasterPort::get_direct_mem_ptr);
    }
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        auto* const brought = trans.get_extension<Transfer>();
        Transfer& transfer = brought != nullptr ? *brought : own_;
        if (brought == nullptr) own_.clear_answer();
        stamp(transfer);
        if (brought == nullptr) trans.set_extension(&own_);
        to->b_transport(trans, delay);
        if (brought == nullptr) trans.clear_extension(&own_);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) { return to->transport_dbg(trans); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
        auto* const brought = trans.get_extension<Transfer>();
        if (brought == nullptr) return false;
        stamp(*brought);
        return to->get_direct_mem_ptr(trans, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
        from->invalidate_direct_mem_ptr(start, end);
        if (beside.get_base_port().size() != 0) beside->invalidate_direct_mem_ptr(start, end);
    }
    void stamp(Transfer& transfer) const {
        transfer.secure = attributes.secure;
        transfer.privileged = attributes.privileged;
        transfer.compartment = attributes.compartment;
    }

    Transfer own_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/fabric/transfer.h"

namespace n6vp::test {

/// A bus master that does what a test says, one transaction at a time.
class Probe : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<Probe> port;

    explicit Probe(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
        port.register_invalidate_direct_mem_ptr(this, &Probe::count_invalidation);
    }

    struct Answer {
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        models::Picoseconds first = 0, last = 0, effect = 0;
        [[nodiscard]] bool ok() const { return status == tlm::TLM_OK_RESPONSE; }
    };

    Answer read(std::uint64_t at, std::uint32_t bytes, models::Picoseconds start) {
        return transact(tlm::TLM_READ_COMMAND, at, bytes, start);
    }
    Answer write(std::uint64_t at, std::uint32_t bytes, models::Picoseconds start) {
        return transact(tlm::TLM_WRITE_COMMAND, at, bytes, start);
    }

    unsigned debug(tlm::tlm_command command, std::uint64_t at, std::uint32_t bytes) {
        tlm::tlm_generic_payload trans;
        data.resize(bytes);
        trans.set_command(command);
        trans.set_address(at);
        trans.set_data_ptr(data.data());
        trans.set_data_length(bytes);
        return port->transport_dbg(trans);
    }

    std::vector<std::uint8_t> data;  ///< of the last read, or for the next write
    std::vector<std::uint8_t> enables;
    unsigned invalidations = 0;
    bool direct_allowed = false;  ///< the last answer says that direct memory may be asked for
    bool secure = true, single_beats = false, for_store = false, untimed = false;
    models::RunsAhead* runs_ahead = nullptr;

  private:
    Answer transact(tlm::tlm_command command, std::uint64_t at, std::uint32_t bytes,
                    models::Picoseconds start) {
        tlm::tlm_generic_payload trans;
        models::Transfer transfer;
        data.resize(bytes);
        trans.set_command(command);
        trans.set_address(at);
        trans.set_data_ptr(data.data());
        trans.set_data_length(bytes);
        trans.set_streaming_width(bytes);
        if (!enables.empty()) {
            trans.set_byte_enable_ptr(enables.data());
            trans.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        }
        transfer.secure = secure;
        transfer.untimed = untimed;
        transfer.single_beats = single_beats;
        transfer.for_store = for_store;
        transfer.runs_ahead = runs_ahead;
        trans.set_extension(&transfer);
        sc_core::sc_time delay = models::delay_until(start);
        port->b_transport(trans, delay);
        trans.clear_extension(&transfer);
        direct_allowed = trans.is_dmi_allowed();
        return {trans.get_response_status(), transfer.first_beat, models::absolute_ps(delay),
                transfer.effect};
    }
    void count_invalidation(sc_dt::uint64, sc_dt::uint64) { ++invalidations; }
};

}  // namespace n6vp::test

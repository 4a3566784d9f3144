// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <systemc>
#include <tlm>

#include "models/duration.h"
#include "models/fabric/transfer.h"
#include "models/soc/rif/rifsc.h"

namespace n6vp::models {

/// The bus port of a unit that reads and writes memory by itself, in bursts.
class BurstPort {
  public:
    struct Outcome {
        bool ok = true;
        Picoseconds end = 0;  ///< absolute
    };

    tlm_utils::simple_initiator_socket<BurstPort> to;

    explicit BurstPort(const char* name) : to(name) { payload_.set_byte_enable_ptr(nullptr); }
    BurstPort(const BurstPort&) = delete;
    BurstPort& operator=(const BurstPort&) = delete;
    ~BurstPort() { payload_.clear_extension(&transfer_); }

    /// Bursts from now on take no time of way and memory if `untimed`; their data are the same.
    void set_untimed(bool untimed) { transfer_.untimed = untimed; }

    /// Reads or writes `data` in one burst, or several one after the other, that leaves at the
    /// absolute time `at`.
    Outcome read(const MasterAttributes& as, std::uint32_t address, std::span<std::uint8_t> data,
                 Picoseconds at) {
        return transport(as, tlm::TLM_READ_COMMAND, address, data, at);
    }
    Outcome write(const MasterAttributes& as, std::uint32_t address, std::span<std::uint8_t> data,
                  Picoseconds at) {
        return transport(as, tlm::TLM_WRITE_COMMAND, address, data, at);
    }

  private:
    Outcome transport(const MasterAttributes& as, tlm::tlm_command command, std::uint32_t address,
                      std::span<std::uint8_t> data, Picoseconds at) {
        sc_core::sc_time delay = delay_until(at);
        if (data.empty()) return {true, absolute_ps(delay)};
        transfer_.secure = as.secure;
        transfer_.privileged = as.privileged;
        transfer_.compartment = as.compartment;
        payload_.set_extension(&transfer_);
        bool ok = true;
        for (std::size_t done = 0; done < data.size() && ok;) {
            const std::uint32_t to_border = kBorder - address % kBorder;
            const auto piece =
                data.subspan(done, std::min<std::size_t>(to_border, data.size() - done));
            ok = transport(command, address, piece, delay);
            done += piece.size();
            address += to_border;
        }
        payload_.clear_extension(&transfer_);
        return {ok, absolute_ps(delay)};
    }
    bool transport(tlm::tlm_command command, std::uint32_t address, std::span<std::uint8_t> data,
                   sc_core::sc_time& delay) {
        const auto length = static_cast<unsigned>(data.size());
        transfer_.clear_answer();
        payload_.set_command(command);
        payload_.set_address(address);
        payload_.set_data_ptr(data.data());
        payload_.set_data_length(length);
        payload_.set_streaming_width(length);
        payload_.set_dmi_allowed(false);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        to->b_transport(payload_, delay);
        return payload_.is_response_ok();
    }

    static constexpr std::uint32_t kBorder = 4096;  ///< which a burst of AXI does not cross
    tlm::tlm_generic_payload payload_;
    Transfer transfer_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
// The chip in a platform of your own: a traffic generator on its port `host` copies a buffer from
// one RAM to another and prints the bandwidth. Memories, contention and register accesses take
// their time; the core stands still, since `nrst` stays unbound.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "models/chip/stm32n6.h"

namespace {

constexpr std::uint32_t kFrom = 0x34200000, kTo = 0x34100000;  // AXISRAM3, AXISRAM2
constexpr unsigned kBurst = 64, kBytes = 16384;

class Traffic : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<Traffic> port;

    explicit Traffic(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
        SC_HAS_PROCESS(Traffic);
        SC_THREAD(copy);
    }
    bool done = false;

  private:
    void transfer(tlm::tlm_command command, std::uint32_t address, std::uint8_t* data) {
        tlm::tlm_generic_payload access;
        access.set_command(command);
        access.set_address(address);
        access.set_data_ptr(data);
        access.set_data_length(kBurst);
        access.set_streaming_width(kBurst);
        sc_core::sc_time delay;
        port->b_transport(access, delay);
        sc_core::wait(delay);
        if (access.is_response_error()) SC_REPORT_ERROR("example", "bus error");
    }
    void copy() {
        std::vector<std::uint8_t> data(kBurst);
        for (unsigned i = 0; i < kBytes; i += kBurst) {
            for (unsigned byte = 0; byte < kBurst; ++byte) data[byte] = std::uint8_t(i + byte);
            transfer(tlm::TLM_WRITE_COMMAND, kFrom + i, data.data());
        }
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        for (unsigned i = 0; i < kBytes; i += kBurst) {
            transfer(tlm::TLM_READ_COMMAND, kFrom + i, data.data());
            transfer(tlm::TLM_WRITE_COMMAND, kTo + i, data.data());
        }
        const double us = (sc_core::sc_time_stamp() - start).to_seconds() * 1e6;
        std::cout << name() << ": " << kBytes << " bytes in " << us << " us, " << kBytes / us
                  << " MB/s\n";
        done = true;
    }
};

}  // namespace

int sc_main(int, char**) {
    n6vp::models::Stm32n6 chip("chip");
    Traffic traffic("traffic");
    traffic.port.bind(chip.host);
    sc_core::sc_start(10, sc_core::SC_MS);
    std::vector<std::uint8_t> copy(kBytes);
    const bool same = chip.fetch(n6vp::GuestAddr{kTo}, copy) && copy[300] == std::uint8_t(300);
    std::cout << chip.core().name() << " stands still; the copy is " << (same ? "right" : "wrong")
              << '\n';
    return traffic.done && same ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
#include "models/memory/tcm.h"

namespace n6vp::models {

Tcm::Tcm(const sc_core::sc_module_name& name, std::uint32_t bytes, double core_hz,
         const TcmParameters& parameters)
    : TimedMemory(name, bytes, static_cast<std::uint8_t>(parameters.power_up_byte.value), true),
      beat_bytes_(static_cast<std::uint32_t>(parameters.beat_bytes.value)),
      core_hz_(core_hz) {}

void Tcm::set_clock_hz(double hz) {
    core_hz_ = hz;
}

Picoseconds Tcm::schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival) {
    const std::uint32_t more = (burst.bytes - 1) / beat_bytes_;
    transfer.first_beat = arrival;
    transfer.waited = 0;
    return more == 0 ? arrival : arrival + cycles_to_ps(more, core_hz_);
}

Picoseconds Tcm::serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                       Picoseconds arrival) {
    return serve_as(*this, trans, offset, transfer, arrival);
}

Picoseconds Tcm::read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                            Transfer& transfer, const RepeatTime& when) {
    return serve_again_as(*this, trans, offset, transfer, when);
}

}  // namespace n6vp::models

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

void Tcm::schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival) {
    const std::uint32_t more = (burst.bytes - 1) / beat_bytes_;
    transfer.first_beat = transfer.last_beat = arrival;
    if (more != 0) transfer.last_beat += cycles_to_ps(more, core_hz_);
    transfer.waited = 0;
}

}  // namespace n6vp::models

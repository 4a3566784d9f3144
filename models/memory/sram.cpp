// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sram.h"

#include <algorithm>

namespace n6vp::models {

Sram::Sram(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
           const SramParameters& parameters)
    : TimedMemory(name, bytes, static_cast<std::uint8_t>(parameters.power_up_byte.value), true),
      beat_bytes_(static_cast<std::uint32_t>(parameters.beat_bytes.value)),
      beat_ps_(cycles_to_ps(parameters.beat_cycles.value, clock_hz)),
      separate_write_port_(parameters.separate_write_port.value != 0) {}

void Sram::reset() {
    TimedMemory::reset();
    read_free_ = write_free_ = 0;
}

TimedMemory::BurstTimes Sram::schedule(const Burst& burst) {
    Picoseconds& free = burst.write && separate_write_port_ ? write_free_ : read_free_;
    const Picoseconds start = std::max(burst.arrival, free);
    count_wait(start - burst.arrival);
    // Beats are counted by the aligned beats that the range touches, as the bus transfers them.
    const std::uint32_t first = burst.offset / beat_bytes_;
    const std::uint32_t last = (burst.offset + burst.bytes - 1) / beat_bytes_;
    free = start + (last - first + 1) * beat_ps_;
    return {start + beat_ps_, free};
}

}  // namespace n6vp::models

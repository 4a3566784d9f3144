// SPDX-License-Identifier: Apache-2.0
#include "models/memory/external_memory.h"

#include <algorithm>

namespace n6vp::models {

ExternalMemory::ExternalMemory(const sc_core::sc_module_name& name, std::uint32_t bytes,
                               double clock_hz, const ExternalMemoryParameters& parameters)
    : TimedMemory(name, bytes, static_cast<std::uint8_t>(parameters.power_up_byte.value), true),
      parameters_(parameters),
      hz_(clock_hz) {}

void ExternalMemory::reset() {
    TimedMemory::reset();
    free_at_ = 0;
    next_ = kNowhere;
    wrote_ = false;
}

Picoseconds ExternalMemory::schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival) {
    const bool follows = burst.offset == next_ && burst.write == wrote_;
    next_ = std::uint64_t{burst.offset} + burst.bytes;
    wrote_ = burst.write;
    const auto taken = [this](double cycles) {
        return cycles == 0 ? Picoseconds{1} : cycles_to_ps(cycles, hz_);
    };
    constexpr std::uint32_t kWord = 4;
    const double start = follows ? 0 : parameters_.access_cycles.value;
    const double byte = parameters_.byte_cycles.value;
    const Picoseconds duration = taken(start + byte * burst.bytes);
    const Picoseconds begin = std::max(arrival, free_at_);
    free_at_ = begin + duration;
    transfer.first_beat = begin + taken(start + byte * std::min(burst.bytes, kWord));
    transfer.waited = begin - arrival;
    transfer.holder = transfer.initiator;
    transfer.service = duration;
    return free_at_;
}

Picoseconds ExternalMemory::serve(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                                  Transfer& transfer, Picoseconds arrival) {
    return serve_as(*this, trans, offset, transfer, arrival);
}

Picoseconds ExternalMemory::read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                                       Transfer& transfer, const RepeatTime& when) {
    return serve_again_as(*this, trans, offset, transfer, when);
}

}  // namespace n6vp::models

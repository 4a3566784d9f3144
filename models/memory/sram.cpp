// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sram.h"

#include <algorithm>
#include <cmath>

namespace n6vp::models {

namespace {

constexpr unsigned kFineBits = 20;

[[nodiscard]] std::uint64_t fine_ps(double cycles, double hz) {
    return static_cast<std::uint64_t>(std::llround(std::ldexp(cycles * 1e12 / hz, kFineBits)));
}

/// Rounds to the nearest picosecond; a burst takes at least one.
[[nodiscard]] Picoseconds whole_ps(std::uint64_t fine) {
    return std::max<Picoseconds>(1, (fine + (1u << (kFineBits - 1))) >> kFineBits);
}

}  // namespace

SramParameters nic_sram_parameters() {
    SramParameters parameters;
    parameters.single_read_cycles = {"single_read_cycles", 1.27, "cycles", Confidence::Measured,
                                     "published profile of an 8-class audio network, epochs 64, "
                                     "21, 168: 1.41 NPU cycles per beat (1000 and 900 MHz)"};
    parameters.single_write_cycles = {"single_write_cycles", 1.05, "cycles", Confidence::Measured,
                                      "the same, epochs 1, 4, 5, 59, 62: 1.15 to 1.22 NPU cycles "
                                      "per beat"};
    parameters.separate_write_port = {
        "separate_write_port", 1, "", Confidence::Measured,
        "published profile of an 8-class audio network, epoch 62: 0.72 NPU cycles per access"};
    return parameters;
}

Sram::Sram(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
           const SramParameters& parameters)
    : TimedMemory(name, bytes, static_cast<std::uint8_t>(parameters.power_up_byte.value), true),
      parameters_(parameters),
      beat_bytes_(static_cast<std::uint32_t>(parameters.beat_bytes.value)),
      separate_write_port_(parameters.separate_write_port.value != 0) {
    Sram::set_clock_hz(clock_hz);
}

void Sram::set_clock_hz(double hz) {
    const auto beat = [hz](const Parameter& cycles) {
        const std::uint64_t fine = fine_ps(cycles.value, hz);
        return Beat{fine, whole_ps(fine)};
    };
    beat_ = beat(parameters_.beat_cycles);
    single_read_ = beat(parameters_.single_read_cycles);
    single_write_ = beat(parameters_.single_write_cycles);
}

void Sram::reset() {
    TimedMemory::reset();
    reads_.clear();
    writes_.clear();
}

N6VP_ALWAYS_INLINE std::uint32_t Sram::further_beats(const Burst& burst) const {
    // Beats are counted by the aligned beats that the range touches, as the bus transfers them.
    if (beat_bytes_ == 8) [[likely]] {
        return (burst.offset % 8 + burst.bytes - 1) / 8;
    }
    return (burst.offset % beat_bytes_ + burst.bytes - 1) / beat_bytes_;
}

N6VP_ALWAYS_INLINE Picoseconds Sram::schedule(Transfer& transfer, const Burst& burst,
                                              Picoseconds arrival) {
    const Beat* beat = &beat_;
    if (transfer.single_beats) beat = burst.write ? &single_write_ : &single_read_;
    PortSchedule& way = burst.write && separate_write_port_ ? writes_ : reads_;
    const std::uint32_t more = further_beats(burst);
    const Picoseconds duration = more == 0 ? beat->whole : whole_ps((more + 1) * beat->fine);
    transfer.first_beat = arrival + beat->whole;
    transfer.waited = 0;
    transfer.service = duration;
    if (way.book_if_idle(arrival, duration, transfer.initiator)) [[likely]] {
        return arrival + duration;
    }
    const PortSchedule::Grant grant = way.book(arrival, duration, transfer.initiator);
    transfer.first_beat += grant.waited;
    transfer.waited = grant.waited;
    transfer.holder = grant.holder;
    return grant.start + duration;
}

Picoseconds Sram::serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                        Picoseconds arrival) {
    return serve_as(*this, trans, offset, transfer, arrival);
}

Picoseconds Sram::read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                             Transfer& transfer, const RepeatTime& when) {
    return serve_again_as(*this, trans, offset, transfer, when);
}

}  // namespace n6vp::models

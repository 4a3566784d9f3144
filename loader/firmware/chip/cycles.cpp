// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/cycles.h"

#include "loader/firmware/base/host.h"
#include "loader/firmware/core.h"

namespace n6vp::firmware::chip {

namespace {

// Armv8.1-M Architecture Reference Manual.
constexpr std::uint32_t kDemcr = 0xE000EDFC, kTraceEnable = 1u << 24;
constexpr std::uint32_t kDwtControl = 0xE0001000, kDwtCycles = 0xE0001004, kCountCycles = 1u << 0;

}  // namespace

void start_counting() {
    write_register(kDemcr, read_register(kDemcr) | kTraceEnable);
    write_register(kDwtCycles, 0);
    write_register(kDwtControl, read_register(kDwtControl) | kCountCycles);
    barrier();
}

std::uint32_t cycles() {
    return read_register(kDwtCycles);
}

Phase::Phase(PhaseId id, const char* name, std::uint32_t& cycles_of_phase)
    : id_(id), out_(cycles_of_phase), start_(0) {
    host::begin_phase(id, name);
    barrier();
    start_ = cycles();
}

Phase::~Phase() {
    barrier();
    out_ = cycles() - start_;
    host::end_phase(id_);
}

}  // namespace n6vp::firmware::chip

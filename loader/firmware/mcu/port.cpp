// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/port.h"

#include "loader/firmware/core.h"
#include "loader/firmware/mcu/host.h"
#include "loader/firmware/semihosting.h"
#include "loader/firmware/vectors.h"

/// The older chips: what start-up needs of them, and the way to the host.

N6VP_SECTION(".job")
n6vp::firmware::mcu::Job n6vp_mcu_job;

namespace n6vp::firmware {

namespace port {

void initialise() {
    use_vectors();
}

void finish(std::uint32_t code) {
    semihosting::exit(code);
}

/// The host has seen the registers at the fault.
void report(const Fault&) {
    semihosting::exit(mcu::kExitFault);
}

}  // namespace port

namespace mcu {

std::uint32_t tell(Event event, std::initializer_list<std::uint32_t> words) {
    std::uint32_t block[kEventWords] = {static_cast<std::uint32_t>(event)};
    std::uint32_t count = 1;
    for (const std::uint32_t word : words) block[count++] = word;
    return semihosting_call(kEventOperation,
                            static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(block)));
}

const Job& job() {
    return n6vp_mcu_job;
}

}  // namespace mcu

}  // namespace n6vp::firmware

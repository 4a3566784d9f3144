// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "loader/firmware/core.h"
#include "loader/firmware/port.h"
#include "loader/firmware/vectors.h"

/// Reset and fault handlers; the vector table is the port's. Faults are reported through the port
/// and end the run: nothing here returns to a program that crashed.

extern "C" {
// Limits that the linker script sets; only their addresses mean anything.
extern std::uint32_t n6vp_data_load, n6vp_data_start, n6vp_data_end;
extern std::uint32_t n6vp_bss_start, n6vp_bss_end;

int n6vp_firmware_main();
[[noreturn]] void n6vp_fault_report(const std::uint32_t* frame, std::uint32_t exception);
}

namespace {

N6VP_OWN_LINES void clear(volatile std::uint32_t* to, const volatile std::uint32_t* end) {
    // Four at a time: caches are off here, and the loop costs more than its stores.
    for (; end - to >= 4; to += 4) {
        to[0] = 0;
        to[1] = 0;
        to[2] = 0;
        to[3] = 0;
    }
    while (to < end) *to++ = 0;
}

void initialise_memory() {
    const volatile std::uint32_t* from = &n6vp_data_load;
    // A program that is loaded into RAM has its data in place.
    if (from != &n6vp_data_start) {
        for (volatile std::uint32_t* to = &n6vp_data_start; to < &n6vp_data_end;) *to++ = *from++;
    }
    clear(&n6vp_bss_start, &n6vp_bss_end);
}

}  // namespace

void n6vp_reset() {
    namespace fw = n6vp::firmware;
    // First of all: compiled code may use Helium registers anywhere.
    fw::write_register(fw::kRegisterCpacr,
                       fw::read_register(fw::kRegisterCpacr) | fw::kCpacrFullFpu);
    fw::barrier();
    initialise_memory();
    fw::port::initialise();
    fw::port::finish(static_cast<std::uint32_t>(n6vp_firmware_main()));
}

/// Hands the stacked registers to the report, from whichever stack was in use.
N6VP_NAKED void n6vp_fault() {
    __asm volatile(
        "tst lr, #4\n\t"
        "ite eq\n\t"
        "mrseq r0, msp\n\t"
        "mrsne r0, psp\n\t"
        "mrs r1, ipsr\n\t"
        "b n6vp_fault_report");
}

void n6vp_fault_report(const std::uint32_t* frame, std::uint32_t exception) {
    namespace fw = n6vp::firmware;
    constexpr std::uint32_t kStackedPc = 6;
    constexpr std::uint32_t kStackedLr = 5;
    const fw::port::Fault fault{exception, frame[kStackedPc], frame[kStackedLr],
                                fw::read_register(fw::kRegisterCfsr),
                                fw::read_register(fw::kRegisterBfar)};
    fw::port::report(fault);
}

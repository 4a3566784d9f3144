// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/port.h"

#include "loader/firmware/ports/stm32n6_sim/caches.h"
#include "loader/firmware/ports/stm32n6_sim/mailbox.h"
#include "loader/firmware/text.h"
#include "memmap/regions.h"

/// The simulated STM32N6: its memories, its caches, and the mailbox for everything that a program
/// tells the host.
namespace n6vp::firmware::port {

namespace {

constexpr std::uint32_t kFaultExitCode = 3;

constexpr AddressRange present(const char* name) {
    const memmap::Region* const region = memmap::region_named(name);
    return {region->secure, region->fitted_bytes};
}

/// FLEXMEM to AXISRAM6 is one run of adjacent banks.
constexpr AddressRange banks() {
    const AddressRange first = present("FLEXMEM"), last = present("AXISRAM6");
    return {first.start, static_cast<std::uint32_t>(last.end() - to_word(first.start))};
}

constexpr AddressRange kMapped[] = {banks(), present("XSPI2"), present("XSPI1"), present("DTCM"),
                                    present("ITCM")};
static_assert(kMapped[0].bytes == 0x3C0000);

}  // namespace

void initialise() {
    caches::enable();
}

const AddressRange* mapped(std::uint32_t& count) {
    count = sizeof kMapped / sizeof kMapped[0];
    return kMapped;
}

void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes) {
    caches::maintain(op, start, bytes);
}

void finish(std::uint32_t code) {
    mailbox::exit(code);
}

void report(const Fault& fault) {
    Text line;
    line.put("fault exception=").decimal(fault.exception).put(" pc=").hex(fault.pc);
    line.put(" lr=").hex(fault.lr).put(" cfsr=").hex(fault.cfsr);
    line.put(" bfar=").hex(fault.bfar).put("\n");
    mailbox::print(line.text());
    mailbox::exit(kFaultExitCode);
}

}  // namespace n6vp::firmware::port

// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/port.h"

#include "loader/firmware/core.h"
#include "loader/firmware/semihosting.h"
#include "loader/firmware/text.h"
#include "loader/firmware/vectors.h"

/// QEMU's `mps3-an547`: a Cortex-M55 with DDR at 0x60000000 to 0xDFFFFFFF and nothing at the
/// addresses of the STM32N6's own RAM. Its caches are not modelled, so cache maintenance does
/// nothing here.
namespace n6vp::firmware::port {

namespace {

constexpr std::uint32_t kFaultExitCode = 3;
constexpr AddressRange kMapped[] = {
    {GuestAddr{0x60000000}, 0x80000000},
    {GuestAddr{0x30000000}, 0x00080000},  // DTCM: structures of a caller on this machine
    {GuestAddr{0x10000000}, 0x00080000},  // ITCM: tables in the image itself
};

}  // namespace

void initialise() {
    use_vectors();
    write_register(kRegisterCcr, read_register(kRegisterCcr) & ~kCcrCaches);
    barrier();
}

const AddressRange* mapped(std::uint32_t& count) {
    count = sizeof kMapped / sizeof kMapped[0];
    return kMapped;
}

void maintain(loader::CacheOp, GuestAddr, std::uint32_t) {}

void finish(std::uint32_t code) {
    semihosting::exit(code);
}

void report(const Fault& fault) {
    Text line;
    line.put("fault exception=").decimal(fault.exception).put(" pc=").hex(fault.pc);
    line.put(" lr=")
        .hex(fault.lr)
        .put(" cfsr=")
        .hex(fault.cfsr)
        .put(" bfar=")
        .hex(fault.bfar)
        .put("\n");
    semihosting::print(line.text());
    semihosting::exit(kFaultExitCode);
}

}  // namespace n6vp::firmware::port

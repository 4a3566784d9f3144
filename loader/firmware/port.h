// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/memory_port.h"

/// What the firmware needs from the machine it runs on. One folder under `ports/` implements it,
/// together with a linker script; start-up and jobs are the same everywhere.
namespace n6vp::firmware::port {

struct Fault {
    std::uint32_t exception =
        0;  ///< exception number: 3 HardFault, 4 MemManage, 5 BusFault, 6 UsageFault, 7 SecureFault
    std::uint32_t pc = 0, lr = 0, cfsr = 0, bfar = 0;
};

/// Sets up vectors, caches and whatever the console needs. Called once, after .data and .bss are
/// ready.
void initialise();

/// Ranges of memory that a job may name.
[[nodiscard]] const AddressRange* mapped(std::uint32_t& count);

/// Performs cache maintenance, if the machine has the cache.
void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes);

/// Ends the run.
[[noreturn]] void finish(std::uint32_t code);
/// Reports a fault of the firmware itself and ends the run.
[[noreturn]] void report(const Fault& fault);

}  // namespace n6vp::firmware::port

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "loader/memory_port.h"
#include "loader/profile.h"
#include "loader/runtime/failure.h"

/// What the runtime needs from the machine it runs on. `cortex_m.cpp` implements it for the chip
/// and its simulator; the tests bring their own. Guest addresses are words: on the chip they are
/// pointers, and a host that runs the runtime has memory at the same 32-bit addresses.
namespace n6vp::runtime::machine {

/// How the firmware was built: decides layouts and what a generation does differently.
[[nodiscard]] const loader::RuntimeProfile& profile();

/// One register of the NPU, by its address.
[[nodiscard]] std::uint32_t read_register(std::uint32_t address);
void write_register(std::uint32_t address, std::uint32_t value);
/// Everything before is done before anything behind.
void barrier();
/// Switches the NPU's line 0 in the core's interrupt controller; `disable_lines` all four.
void enable_line();
void disable_line();
void disable_lines();

void maintain(loader::CacheOp op, std::uint32_t start, std::uint32_t bytes);

/// Services of an operating system (capi/ll_aton_osal.h): called only in a build for one.
#ifdef N6VP_RUNTIME_OSAL
inline constexpr bool kHasSystem = true;
#else
inline constexpr bool kHasSystem = false;
#endif
void open_system();
void close_system();
void signal_event();
void lock_npu();
void unlock_npu();

/// Calls a function with r9 = `static_base`, which models use as their data pointer. Returns r0.
std::uint32_t call(std::uint32_t function, std::uint32_t argument0, std::uint32_t argument1,
                   std::uint32_t argument2, std::uint32_t static_base);

/// Entries of an installed model by its handle, as in loader/capi.
[[nodiscard]] bool network_init(std::uint32_t handle);
[[nodiscard]] bool inference_init(std::uint32_t handle);
/// Returns the address of the epoch items, 0 if the handle is not good.
[[nodiscard]] std::uint32_t epoch_items(std::uint32_t handle);

/// Says that an operator refuses its arguments. Debug builds of the vendor's stop there; may
/// return.
void library_error(LibraryError error, int line, const char* function);
/// The runtime cannot go on. Never returns.
[[noreturn]] void stop(Failure failure, std::uint32_t first, std::uint32_t second);

}  // namespace n6vp::runtime::machine

namespace n6vp::runtime {

/// Memory at a guest address. Reads and writes of words that an interrupt shares are not split.
[[nodiscard]] inline std::uint8_t* bytes_at(std::uint32_t address) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the chip has
    return reinterpret_cast<std::uint8_t*>(static_cast<std::uintptr_t>(address));
}
template <typename T>
[[nodiscard]] T load(std::uint32_t address) {
    T value;
    std::memcpy(&value, bytes_at(address), sizeof value);
    return value;
}
template <typename T>
void store(std::uint32_t address, T value) {
    std::memcpy(bytes_at(address), &value, sizeof value);
}
[[nodiscard]] inline std::uint32_t load_shared(std::uint32_t address) {
    return *reinterpret_cast<volatile const std::uint32_t*>(bytes_at(address));
}
inline void store_shared(std::uint32_t address, std::uint32_t value) {
    *reinterpret_cast<volatile std::uint32_t*>(bytes_at(address)) = value;
}
[[nodiscard]] inline std::uint32_t address_of(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

/// Stops unless `condition` holds: what the vendor's runtime asserts.
inline void require(bool condition, Failure failure, std::uint32_t first = 0,
                    std::uint32_t second = 0) {
    if (!condition) machine::stop(failure, first, second);
}

}  // namespace n6vp::runtime

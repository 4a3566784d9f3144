// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The compiler extensions of the firmware and the registers of the Cortex-M55 that it touches.
/// Beside this header only the fault entry in startup.cpp uses assembly.
namespace n6vp::firmware {

#define N6VP_SECTION(name) __attribute__((section(name), used))
#define N6VP_NAKED __attribute__((naked))
#define N6VP_WEAK __attribute__((weak))
/// For a function whose loop runs before the caches do: where it lies would tell in its time.
#define N6VP_OWN_LINES __attribute__((aligned(32), noinline))

/// System control block, Armv8.1-M Architecture Reference Manual.
inline constexpr std::uint32_t kRegisterVtor = 0xE000ED08;
inline constexpr std::uint32_t kRegisterCcr = 0xE000ED14;
inline constexpr std::uint32_t kRegisterCfsr = 0xE000ED28;
inline constexpr std::uint32_t kRegisterMmfar = 0xE000ED34;
inline constexpr std::uint32_t kRegisterBfar = 0xE000ED38;
inline constexpr std::uint32_t kRegisterCpacr = 0xE000ED88;
inline constexpr std::uint32_t kCpacrFullFpu = 0xFu
                                               << 20;  ///< CP10 and CP11, which also enable Helium
inline constexpr std::uint32_t kCcrCaches = 3u << 16;  ///< DC and IC

[[nodiscard]] inline std::uint32_t read_register(std::uint32_t address) {
    return *reinterpret_cast<volatile const std::uint32_t*>(address);
}
inline void write_register(std::uint32_t address, std::uint32_t value) {
    *reinterpret_cast<volatile std::uint32_t*>(address) = value;
}

inline void barrier() {
    __asm volatile("dsb 0xF\n\tisb 0xF" ::: "memory");
}

/// Sleeps until an event or an interrupt; may return for no reason.
inline void wait_for_event() {
    __asm volatile("wfe" ::: "memory");
}

/// Inside a loop, keeps the compiler from making a library call of it.
inline void keep_loop() {
    __asm volatile("" ::: "memory");
}

inline std::uint32_t semihosting_call(std::uint32_t operation, std::uint32_t argument) {
    register std::uint32_t r0 __asm("r0") = operation;
    register std::uint32_t r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

}  // namespace n6vp::firmware

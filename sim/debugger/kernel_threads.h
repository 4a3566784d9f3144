// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sim/debugger/kernel_memory.h"
#include "sim/debugger/machine.h"

/// Threads of operating systems in memory. Each function returns them, the one that runs first;
/// none if the program has no such kernel, or it has not started. Where the kernel itself idles
/// without a thread, the core comes first. Memory is not trusted: lists end after kMostThreads.
namespace n6vp::sim::debugger {

inline constexpr std::size_t kMostThreads = 512;

/// FreeRTOS. Assumed, as the kernel's configuration does not say it in memory: ticks of 32 bits,
/// lists without integrity checks (a list has 20 bytes, which the size of its symbol confirms), no
/// MPU wrappers, names of 16 characters behind a control block of 52 bytes. A kernel that was built
/// differently shows no tasks, or no names. Stacks are those of the ports for Cortex-M3, M4F and
/// M7, and for Cortex-M33 and M55 with and without secure contexts; the value of EXC_RETURN on the
/// stack tells them apart.
[[nodiscard]] std::vector<ThreadInfo> free_rtos_threads(const KernelMemory& memory);

/// ThreadX of version 6 and later. A thread has its identifier in memory, and the list of those
/// that were created is found by its links, wherever extensions of the control block put them.
/// Stacks are those of the ports for Cortex-M4, M7, M33 and M55.
[[nodiscard]] std::vector<ThreadInfo> thread_x_threads(const KernelMemory& memory);

/// Zephyr, built with CONFIG_DEBUG_THREAD_INFO: without it, the program says nowhere which threads
/// it has. Not for kernels with CONFIG_USE_SWITCH, whose stacks differ.
[[nodiscard]] std::vector<ThreadInfo> zephyr_threads(const KernelMemory& memory);

/// Those of whichever kernel the program has.
[[nodiscard]] std::vector<ThreadInfo> kernel_threads(const KernelMemory& memory);

}  // namespace n6vp::sim::debugger

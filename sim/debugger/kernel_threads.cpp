// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/kernel_threads.h"

#include <utility>

namespace n6vp::sim::debugger {

std::vector<ThreadInfo> kernel_threads(const KernelMemory& memory) {
    for (const auto& threads_of : {free_rtos_threads, thread_x_threads, zephyr_threads}) {
        std::vector<ThreadInfo> threads = threads_of(memory);
        if (!threads.empty()) return threads;
    }
    return {};
}

std::vector<ThreadInfo> Machine::threads_by(const ElfFile* symbols) {
    std::vector<ThreadInfo> threads;
    if (symbols != nullptr) {
        const auto look = [this](std::uint32_t address, std::span<std::uint8_t> bytes) {
            return read(address, bytes);
        };
        threads = kernel_threads({*symbols, look, profile().v8()});
    }
    if (threads.empty()) threads.push_back({1, "core", {}});
    return threads;
}

}  // namespace n6vp::sim::debugger

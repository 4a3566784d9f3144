// SPDX-License-Identifier: Apache-2.0
// A copy by two engines, as software programs it, on the bench of the whole NPU.
#pragma once

#include <cstdint>
#include <string>

#include "tests/models/npu/machine_bench.h"

namespace n6vp::test {

inline constexpr std::uint32_t kFrom = 0x34200000, kTo = 0x34300000, kIn = 0x05000, kOut = 0x06000;
inline constexpr std::uint32_t kInput = 0x00080100, kOutput = 0x00080108;  // CTRL: RAW, 8 bits, DIR

inline bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

inline void engine(MachineBench& bench, std::uint32_t page, std::uint32_t control,
                   std::uint32_t address, std::uint32_t elements, std::uint32_t frames = 1) {
    bench.write(page, control);
    bench.write(page + 0x08, address);
    bench.write(page + 0x0C, elements);
    bench.write(page + 0x18, elements);
    bench.write(page + 0x24, 0x24);
    bench.write(page + 0x28, 0x00180000);
    bench.write(page + 0x30, 6);
    bench.write(page + 0x34, frames);
}

/// STRENG0 to STRENG1 over the switch, nothing on yet.
inline void configure_copy(MachineBench& bench, std::uint32_t elements, std::uint32_t frames = 1) {
    engine(bench, kIn, kInput, kFrom, elements, frames);
    engine(bench, kOut, kOutput, kTo, elements, frames);
    bench.write(0x04000, 1);
    bench.write(0x0400C, 0x01);
}

inline bool copied(MachineBench& bench, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i) {
        if (bench.bus.memory.at_address(kTo, i) != bench.bus.memory.at_address(kFrom, i))
            return false;
    }
    return true;
}

}  // namespace n6vp::test

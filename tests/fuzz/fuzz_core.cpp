// SPDX-License-Identifier: Apache-2.0
// Random bytes as code and registers of the core: whatever they mean, it ends without a memory
// error and in a state that the architecture knows.
#include <algorithm>
#include <cstring>
#include <memory>

#include "models/core/core.h"
#include "models/core/system/system.h"
#include "tests/core/diff/flat_bus.h"
#include "tests/fuzz/fuzz_check.h"

namespace {

using n6vp::models::core::Core;
using n6vp::models::core::CoreConfig;
using n6vp::models::core::CpuState;
using n6vp::models::core::Stop;

constexpr std::uint32_t kCode = 0x10000000, kData = 0x30000000, kBytes = 0x10000;
constexpr std::uint32_t kEntry = kCode + 0x400, kHandler = kCode + 0x200;
constexpr std::uint32_t kCpacr = 0xE000ED88, kShcsr = 0xE000ED24;
constexpr std::size_t kStateBytes = 64;

struct Machine {
    Machine() {
        bus.add(kCode, kBytes);
        bus.add(kData, kBytes);
        CoreConfig config;
        config.system.vector_table = kCode;
        core = std::make_unique<Core>(config, bus);
    }

    n6vp::test::FlatBus bus;
    std::unique_ptr<Core> core;
};

void load_code(Machine& machine, const std::uint8_t* data, std::size_t size) {
    std::uint8_t* code = machine.bus.find(kCode, kBytes);
    std::memset(code, 0, kBytes);
    std::memset(machine.bus.find(kData, kBytes), 0, kBytes);
    std::uint32_t vectors[64];
    std::fill_n(vectors, 64, kHandler | 1);
    vectors[0] = kData + kBytes - 0x1000;
    vectors[1] = kEntry | 1;
    std::memcpy(code, vectors, sizeof vectors);
    // The handler returns, so that the code goes on behind what faulted: never, if it cannot.
    constexpr std::uint16_t kReturn[] = {0x4770};
    std::memcpy(code + (kHandler - kCode), kReturn, sizeof kReturn);
    std::memcpy(code + (kEntry - kCode), data, std::min<std::size_t>(size, kBytes - 0x400));
    machine.core->invalidate(kCode, kCode + kBytes - 1);
    machine.core->invalidate(kData, kData + kBytes - 1);
}

void load_state(Machine& machine, const std::uint8_t* data) {
    CpuState& cpu = machine.core->state();
    std::uint32_t words[kStateBytes / 4];
    std::memcpy(words, data, sizeof words);
    for (unsigned i = 0; i < 13; ++i) {
        // Half of the registers point to memory.
        cpu.r[i] = (words[13] >> i & 1) != 0 ? kData + (words[i] & (kBytes - 1)) : words[i];
    }
    cpu.r[14] = words[14] & 0xFF;
    std::uint32_t seed = words[15] | 1;
    for (std::uint8_t& byte : cpu.vector) {
        seed = seed * 1664525 + 1013904223;
        byte = static_cast<std::uint8_t>(seed >> 24);
    }
    cpu.fpscr = words[15] & 0xF7C8009F;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < kStateBytes + 2) return 0;
    static Machine machine;
    load_code(machine, data + kStateBytes, size - kStateBytes);
    Core& core = *machine.core;
    core.reset();
    CpuState& cpu = core.state();
    (void)core.system().write_ppb(cpu, kCpacr, 4, core.cycles(), 0xF << 20);
    (void)core.system().write_ppb(cpu, kShcsr, 4, core.cycles(), 0xF << 16);
    load_state(machine, data);
    for (unsigned stops = 0; stops < 16; ++stops) {
        const Stop stop = core.run(4000);
        if (stop != Stop::Semihosting && stop != Stop::Breakpoint) break;
        core.skip_breakpoint();
    }
    N6VP_FUZZ_CHECK((cpu.r[13] & 3) == 0);
    N6VP_FUZZ_CHECK((core.pc() & 1) == 0 || core.pc() >= 0xFE000000);
    N6VP_FUZZ_CHECK(cpu.ltpsize <= 7 && cpu.ge <= 15 && cpu.c <= 1 && cpu.q <= 1);
    N6VP_FUZZ_CHECK((cpu.fpscr & n6vp::models::core::fpscr::kLtpsize) == 0);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Random bytes as code and registers of the core: whatever they mean, it ends without a memory
// error and in a state that the architecture knows.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "models/core/core.h"
#include "models/core/ir/system.h"
#include "tests/core/diff/flat_bus.h"
#include "tests/fuzz/fuzz_check.h"

namespace {

using n6vp::models::core::Coherence;
using n6vp::models::core::Core;
using n6vp::models::core::CoreConfig;
using n6vp::models::core::CpuState;
using n6vp::models::core::Stop;
using n6vp::models::core::Timing;

constexpr std::uint32_t kCode = 0x10000000, kData = 0x30000000, kBytes = 0x10000;
constexpr std::uint32_t kEntry = kCode + 0x400, kHandler = kCode + 0x200;
constexpr std::uint32_t kSystemSpace = 0xE000E000;
constexpr std::uint32_t kCpacr = 0xE000ED88, kShcsr = 0xE000ED24, kCcr = 0xE000ED14;
constexpr std::uint32_t kCachesOn = 3u << 16 | 1u << 9;  // CCR.IC, DC, STKALIGN
/// Registers; the word at kChoiceOffset also chooses pointers (bits 12:0 and 16), caches on (bit
/// 23) and what the core is built for (bits 31:24, modulo Kind).
constexpr std::size_t kStateBytes = 64, kChoiceOffset = 52;
constexpr std::uint64_t kCycles = 4000;

/// What a core is built for, by an input's choice.
enum Kind : unsigned { kFunctional, kApproxIdeal, kApproxReal, kKinds };

struct Machine {
    explicit Machine(Kind kind) {
        bus.add(kCode, kBytes);
        bus.add(kData, kBytes);
        CoreConfig config;
        config.system.vector_table = kCode;
        if (kind != kFunctional) config.timing = Timing::Approx;
        if (kind == kApproxReal) config.coherence = Coherence::Real;
        core = std::make_unique<Core>(config, bus);
    }

    n6vp::test::FlatBus bus;
    std::unique_ptr<Core> core;
};

Machine& machine_for(unsigned choice) {
    static std::array<std::unique_ptr<Machine>, kKinds> machines;
    const auto kind = static_cast<Kind>(choice % kKinds);
    if (machines[kind] == nullptr) machines[kind] = std::make_unique<Machine>(kind);
    return *machines[kind];
}

void load_code(Machine& machine, const std::uint8_t* data, std::size_t size) {
    std::uint8_t* code = machine.bus.find(kCode, kBytes);
    // What runs past its code stops there, and does not spend its time on decoding nothing.
    constexpr std::uint16_t kStop = 0xBEAB;
    for (std::uint32_t at = 0; at < kBytes; at += 2) std::memcpy(code + at, &kStop, 2);
    std::memset(machine.bus.find(kData, kBytes), 0, kBytes);
    std::uint32_t vectors[64];
    std::fill_n(vectors, 64, kHandler | 1);
    vectors[0] = kData + kBytes - 0x1000;
    vectors[1] = kEntry | 1;
    std::memcpy(code, vectors, sizeof vectors);
    // Passes a halfword of what was interrupted, so that one fault is not all that an input does:
    // mrs r0,psp; tst lr,#4; it eq; moveq r0,sp; ldr r1,[r0,#24]; adds r1,#2; str r1,[r0,#24];
    // bx lr
    constexpr std::uint16_t kPass[] = {0xF3EF, 0x8009, 0xF01E, 0x0F04, 0xBF08,
                                       0x4668, 0x6981, 0x3102, 0x6181, 0x4770};
    std::memcpy(code + (kHandler - kCode), kPass, sizeof kPass);
    std::memcpy(code + (kEntry - kCode), data, std::min<std::size_t>(size, kBytes - 0x400));
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
    // Some inputs have a register for system registers.
    if ((words[13] >> 16 & 1) != 0) cpu.r[7] = kSystemSpace + (words[7] & 0xFFC);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < kStateBytes + 2) return 0;
    std::uint32_t choice = 0;
    std::memcpy(&choice, data + kChoiceOffset, sizeof choice);
    Machine& machine = machine_for(choice >> 24);
    load_code(machine, data + kStateBytes, size - kStateBytes);
    Core& core = *machine.core;
    core.reset();
    CpuState& cpu = core.state();
    (void)core.system().write_ppb(cpu, kCpacr, 4, core.cycles(), 0xF << 20);
    (void)core.system().write_ppb(cpu, kShcsr, 4, core.cycles(), 0xF << 16);
    if ((choice >> 23 & 1) != 0)
        (void)core.system().write_ppb(cpu, kCcr, 4, core.cycles(), kCachesOn);
    load_state(machine, data);
    const std::uint64_t end = core.cycles() + kCycles;
    for (unsigned stops = 0; stops < 16 && core.cycles() < end; ++stops) {
        const Stop stop = core.run(end - core.cycles());
        if (stop != Stop::Semihosting && stop != Stop::Breakpoint) break;
        core.skip_breakpoint();
    }
    N6VP_FUZZ_CHECK((cpu.r[13] & 3) == 0);
    N6VP_FUZZ_CHECK((core.pc() & 1) == 0 || core.pc() >= 0xFE000000);
    N6VP_FUZZ_CHECK(cpu.ltpsize <= 7 && cpu.ge <= 15 && cpu.c <= 1 && cpu.q <= 1);
    N6VP_FUZZ_CHECK((cpu.fpscr & n6vp::models::core::fpscr::kLtpsize) == 0);
    return 0;
}

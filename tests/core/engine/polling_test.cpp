// SPDX-License-Identifier: Apache-2.0
// Loops that wait, with and without skipping their rounds: same accesses at the same cycles.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BareSystem;
using n6vp::tests::BenchBus;

namespace {

constexpr std::uint32_t kCode = BenchBus::kCode, kData = BenchBus::kData,
                        kDevice = BenchBus::kDevice;

/// A device whose registers depend on time alone, and can be read again.
class ClockedBus : public BenchBus {
  public:
    ClockedBus() {
        cycles = 7;
        on_device = [this](const DeviceAccess& access) { return value(access.address, access.at); };
    }
    /// Word 0 becomes 1 at `ready`, word 4 at `ready_too`, word 8 is the time.
    [[nodiscard]] std::uint32_t value(std::uint32_t address, std::uint64_t at) const {
        if (address == kDevice) return at >= ready ? 1 : 0;
        if (address == kDevice + 4) return at >= ready_too ? 1 : 0;
        return static_cast<std::uint32_t>(at);
    }
    bool read_again(std::uint32_t address, std::span<std::uint8_t> last,
                    const BusAttributes& /*attributes*/, std::uint64_t at,
                    std::uint64_t& taken) override {
        const std::uint32_t now = value(address, at);
        if (std::memcmp(&now, last.data(), last.size()) != 0) return false;
        accesses.push_back({address, false, at});
        taken = cycles;
        return true;
    }

    std::uint64_t ready = 123'456, ready_too = 123'456;
};

struct Outcome {
    std::uint64_t skipped = 0;
    std::uint64_t cycles = 0, instructions = 0;
    std::vector<std::uint32_t> registers;
    std::vector<BenchBus::DeviceAccess> accesses;
    std::vector<std::uint8_t> data;
};

bool same(const Outcome& one, const Outcome& other) {
    if (one.accesses.size() != other.accesses.size()) return false;
    for (std::size_t i = 0; i < one.accesses.size(); ++i) {
        if (one.accesses[i].address != other.accesses[i].address ||
            one.accesses[i].at != other.accesses[i].at)
            return false;
    }
    return one.cycles == other.cycles && one.instructions == other.instructions &&
           one.registers == other.registers && one.data == other.data;
}

struct Bench {
    explicit Bench(std::initializer_list<std::uint16_t> program)
        : core(CoreConfig{}, bus, std::make_unique<BareSystem>()) {
        bus.program(kCode, program);
        core.reset();
        core.set_pc(kCode);
        core.set_reg(1, kDevice);
        core.set_reg(2, kData + 0x100);
        core.set_reg(13, kData + 0x10000);
    }
    Outcome run(std::uint64_t cycles) {
        while (core.cycles() < cycles) CHECK(core.run(5000) == Stop::Budget);
        Outcome outcome;
        outcome.skipped = core.skipped_rounds();
        outcome.cycles = core.cycles();
        outcome.instructions = core.instructions();
        outcome.accesses = bus.accesses;
        outcome.data = bus.data;
        for (unsigned i = 0; i < 16; ++i) outcome.registers.push_back(core.reg(i));
        return outcome;
    }

    ClockedBus bus;
    Core core;
};

/// Runs the program both ways; returns how many rounds were skipped.
std::uint64_t skipped(std::initializer_list<std::uint16_t> program) {
    Bench executing(program), skipping(program);
    executing.core.set_skips_polling(false);
    const Outcome executed = executing.run(200'000), shortened = skipping.run(200'000);
    CHECK(executed.skipped == 0);
    CHECK(same(executed, shortened));
    return shortened.skipped;
}

}  // namespace

TEST_CASE("polling: a flag of a device is seen at the same read") {
    // ldr r0,[r1]; cmp r0,#0; beq .-4; adds r3,#1; b .
    CHECK(skipped({0x6808, 0x2800, 0xD0FC, 0x3301, 0xE7FE}) > 10'000);
}

TEST_CASE("polling: the second of two reads changes first") {
    // ldr r0,[r1]; ldr r3,[r1,#4]; orrs r0,r3; beq .-6; str r3,[r2]; b .
    const std::initializer_list<std::uint16_t> program{0x6808, 0x684B, 0x4318,
                                                       0xD0FB, 0x6013, 0xE7FE};
    for (const std::uint64_t ready_too : {123'450u, 123'456u, 123'460u, 123'465u, 123'470u}) {
        Bench executing(program), skipping(program);
        executing.core.set_skips_polling(false);
        executing.bus.ready_too = skipping.bus.ready_too = ready_too;
        const Outcome executed = executing.run(200'000), shortened = skipping.run(200'000);
        CHECK(same(executed, shortened));
        CHECK(shortened.skipped > 5'000);
    }
}

TEST_CASE("polling: a word in memory, and a loop that goes nowhere") {
    // ldr r0,[r2]; cmp r0,#0; beq .-4
    CHECK(skipped({0x6810, 0x2800, 0xD0FC}) > 60'000);
    CHECK(skipped({0xE7FE}) > 190'000);  // b .
}

TEST_CASE("polling: a stack frame that is built anew in each round") {
    // push {r2,lr}; ldr r0,[r1]; pop {r2,r3}; cmp r0,#0; beq .-8; b .
    CHECK(skipped({0xB504, 0x6808, 0xBC0C, 0x2800, 0xD0FA, 0xE7FE}) > 5'000);
}

TEST_CASE("polling: rounds that change something are executed") {
    // adds r3,#1; ldr r0,[r1]; cmp r0,#0; beq .-6; b .-8 counts in a register
    CHECK(skipped({0x3301, 0x6808, 0x2800, 0xD0FB, 0xE7FA}) == 0);
    // ldr r3,[r2]; adds r3,#1; str r3,[r2]; movs r3,#0; b .-8 in memory
    CHECK(skipped({0x6813, 0x3301, 0x6013, 0x2300, 0xE7FA}) == 0);
    // ldr r0,[r1,#8]; b .-2 reads the time
    CHECK(skipped({0x6888, 0xE7FD}) == 0);
    // str r3,[r1]; b .-2 writes a device
    CHECK(skipped({0x600B, 0xE7FD}) == 0);
}

TEST_CASE("polling: two turns of a counter are one round") {
    // movs r3,#1; b .+2; eors r0,r3; b .-2 turns r0 over
    CHECK(skipped({0x2301, 0xE7FF, 0x4058, 0xE7FD}) > 40'000);
}

TEST_CASE("polling: a debugger or a hook sees every round") {
    const std::initializer_list<std::uint16_t> program{0x6810, 0x2800, 0xD0FC, 0xE7FE};
    Bench hooked(program);
    std::uint64_t seen = 0;
    hooked.core.set_trace([&](const CpuState&, std::uint32_t, std::uint32_t) { ++seen; });
    const Outcome outcome = hooked.run(50'000);
    CHECK(seen == outcome.instructions);
    Bench stopped(program);
    stopped.core.add_breakpoint(kCode + 6);
    CHECK(stopped.run(50'000).skipped == 0);
    Bench watched(program);
    Watchpoint point;
    point.address = kData + 0x200;
    watched.core.add_watchpoint(point);
    CHECK(watched.run(50'000).skipped == 0);
    Bench debugged(program);
    debugged.core.set_halting_debug(true);
    CHECK(debugged.run(50'000).skipped == 0);
}

TEST_CASE("polling: a word that another master changes is seen at the same cycle") {
    // ldr r0,[r2]; cmp r0,#0; beq .-4; b .  the word changes between two runs
    const std::initializer_list<std::uint16_t> program{0x6810, 0x2800, 0xD0FC, 0xE7FE};
    Bench executing(program), skipping(program);
    executing.core.set_skips_polling(false);
    for (Bench* bench : {&executing, &skipping}) {
        static_cast<void>(bench->run(70'001));
        bench->bus.set_word(kData + 0x100, 1);
    }
    const Outcome executed = executing.run(100'003), shortened = skipping.run(100'003);
    CHECK(same(executed, shortened));
    CHECK(shortened.skipped > 20'000);
}

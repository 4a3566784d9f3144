// SPDX-License-Identifier: Apache-2.0
// What hooks and bus accesses may do to the core that is running them.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>

#include "models/core/core.h"
#include "tests/core/diff/flat_bus.h"
#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::test::FlatBus;
using n6vp::tests::BenchBus;
using n6vp::tests::BenchCore;

namespace {

constexpr std::uint32_t kCode = BenchBus::kCode, kDevice = BenchBus::kDevice;

/// ldr r1,[r0]; adds r2,#1; b .-2
void put_device_read(BenchCore& bench) {
    bench.bus.program(kCode, {0x6801, 0x3201, 0xE7FD});
    bench.core.set_reg(0, kDevice);
    bench.core.set_pc(kCode);
}

}  // namespace

TEST_CASE("a reset from inside a bus access frees no code that runs, and ends the run") {
    BenchCore bench;
    for (unsigned round = 1; round <= 3; ++round) {
        put_device_read(bench);
        bench.bus.on_device = [&bench](const BenchBus::DeviceAccess&) {
            bench.core.reset();
            return 0u;
        };
        CHECK(bench.core.run(1'000'000) == Stop::Requested);
        CHECK(bench.bus.accesses.size() == round);
        CHECK(bench.core.cycles() == 0);
        CHECK(bench.core.instructions() == 0);
        CHECK(bench.core.reg(2) == 0);
        CHECK(bench.core.reg(0) == 0);
    }
    bench.bus.on_device = nullptr;
    put_device_read(bench);
    CHECK(bench.core.run(1000) == Stop::Budget);  // nothing of the reset is left to do
    CHECK(bench.core.cycles() >= 1000);
}

TEST_CASE("a step that resets the core ends with the reset") {
    BenchCore bench;
    put_device_read(bench);
    bench.bus.on_device = [&bench](const BenchBus::DeviceAccess&) {
        bench.core.reset(Reset::Warm);
        bench.core.reset();
        return 0u;
    };
    CHECK(bench.core.step() == Stop::Requested);
    CHECK(bench.core.cycles() == 0);
    CHECK(bench.core.reg(0) == 0);
}

TEST_CASE("a program that asks for its own reset starts at its vector table again") {
    struct Memory : FlatBus {
        Memory() { add(kCode, 0x1000); }
    } bus;
    const std::initializer_list<std::uint16_t> halfwords{
        0x0800, 0x1000, 0x0101, 0x1000,  // stack pointer and entry
    };
    std::uint32_t at = kCode;
    const auto put = [&](std::uint16_t halfword) {
        std::memcpy(bus.find(at, 2), &halfword, 2);
        at += 2;
    };
    for (const std::uint16_t halfword : halfwords) put(halfword);
    at = kCode + 0x100;
    // str r1,[r0]; movs r2,#7; b .
    for (const std::uint16_t halfword :
         std::initializer_list<std::uint16_t>{0x6001, 0x2207, 0xE7FE})
        put(halfword);
    CoreConfig config;
    config.system.vector_table = kCode;
    Core* running = nullptr;
    unsigned requests = 0;
    config.system.reset_request = [&] {
        ++requests;
        running->reset();
    };
    Core core(config, bus);
    running = &core;
    core.reset();
    for (unsigned round = 1; round <= 2; ++round) {
        CHECK(core.pc() == kCode + 0x100);
        core.set_reg(0, 0xE000ED0C);  // AIRCR
        core.set_reg(1, 0x05FA0004);  // key and SYSRESETREQ
        CHECK(core.run(1000) == Stop::Requested);
        CHECK(requests == round);
        CHECK(core.cycles() == 0);
        CHECK(core.reg(13) == kCode + 0x800);
        CHECK(core.reg(2) == 0);
    }
}

TEST_CASE("a run from inside a run is refused") {
    BenchCore bench;
    put_device_read(bench);
    unsigned refused = 0;
    bench.bus.on_device = [&](const BenchBus::DeviceAccess&) {
        refused += bench.core.run(100) == Stop::Requested ? 1 : 0;
        refused += bench.core.run_awake(100) == Stop::Requested ? 1 : 0;
        refused += bench.core.step() == Stop::Requested ? 1 : 0;
        refused += bench.core.call(kCode, {}, 100) == Stop::Requested ? 1 : 0;
        return 5u;
    };
    CHECK(bench.core.run(101) == Stop::Budget);
    CHECK(refused == 4);
    CHECK(bench.bus.accesses.size() == 1);
    CHECK(bench.core.reg(1) == 5);
    CHECK(bench.core.reg(2) == bench.core.instructions() / 2);
}

TEST_CASE("a trace hook may take itself away") {
    BenchCore bench;
    bench.bus.program(kCode, {0x3001, 0xE7FD});  // adds r0,#1; b .-2
    bench.core.set_pc(kCode);
    unsigned calls = 0;
    const auto once = [&](const CpuState&, std::uint32_t, std::uint32_t) {
        ++calls;
        bench.core.set_trace({});
    };
    bench.core.set_trace(once);
    CHECK(bench.core.run(1000) == Stop::Budget);
    CHECK(calls >= 1);
    CHECK(calls <= 2);  // what is left of the block may see it still
    CHECK(bench.core.reg(0) == bench.core.instructions() / 2);
    calls = 0;
    bench.core.set_trace(once);
    CHECK(bench.core.step() == Stop::Budget);
    CHECK(bench.core.step() == Stop::Budget);
    CHECK(calls == 1);
}

TEST_CASE("a trace hook may put another in its place") {
    BenchCore bench;
    bench.bus.program(kCode, {0x3001, 0xE7FD});
    bench.core.set_pc(kCode);
    auto first_calls = std::make_shared<unsigned>(0);
    unsigned second_calls = 0;
    bench.core.set_trace([&, first_calls](const CpuState&, std::uint32_t, std::uint32_t) {
        bench.core.set_trace(
            [&](const CpuState&, std::uint32_t, std::uint32_t) { ++second_calls; });
        ++*first_calls;  // what the hook owns is still there
    });
    CHECK(bench.core.run(1000) == Stop::Budget);
    CHECK(*first_calls >= 1);
    CHECK(*first_calls + second_calls == bench.core.instructions());
    CHECK(first_calls.use_count() == 1);
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <span>
#include <tuple>
#include <utility>

#include "models/core/core.h"
#include "models/core/ir/system.h"
#include "tests/core/diff/flat_bus.h"

using namespace n6vp::models::core;
using n6vp::test::FlatBus;

namespace {

constexpr std::uint32_t kCode = 0x10000000, kData = 0x30000000, kBytes = 0x20000;
constexpr std::uint32_t kEntry = kCode + 0x400, kFunction = kEntry + 0x20;
constexpr std::uint32_t kCcr = 0xE000ED14, kCachesOn = 3u << 16;

struct Outcome {
    std::uint64_t cycles = 0, instructions = 0, fills = 0, write_backs = 0, code_fills = 0;
    std::uint32_t sum = 0;

    auto operator<=>(const Outcome&) const = default;
};

struct Bench {
    explicit Bench(const CoreConfig& config) : core(config, bus) {}

    void put(std::uint32_t address, std::initializer_list<std::uint16_t> halfwords) {
        for (const std::uint16_t halfword : halfwords) {
            std::memcpy(bus.find(address, 2), &halfword, 2);
            address += 2;
        }
    }
    /// Resets and walks over more memory than the cache holds, with a call in every step.
    Outcome run() {
        std::memset(bus.find(kCode, kBytes), 0, kBytes);
        std::memset(bus.find(kData, kBytes), 0, kBytes);
        const std::array<std::uint32_t, 2> vectors{kData + kBytes - 64, kEntry | 1};
        std::memcpy(bus.find(kCode, sizeof vectors), vectors.data(), sizeof vectors);
        // str r1,[r0]; ldr r2,[r0]; adds r0,#36; blx r3; subs r4,#1; bne .-10; b .
        put(kEntry, {0x6001, 0x6802, 0x3024, 0x4798, 0x3C01, 0xD1F9, 0xE7FE});
        put(kFunction, {0x1811, 0x41E1, 0x4770});  // adds r1,r2,r0; rors r1,r4; bx lr
        core.reset();
        (void)core.system().write_ppb(core.state(), kCcr, 4, core.cycles(), kCachesOn);
        core.set_reg(0, kData);
        core.set_reg(1, 1);
        core.set_reg(3, kFunction | 1);
        core.set_reg(4, 3000);
        core.add_breakpoint(kEntry + 12);
        CHECK(core.run(1'000'000) == Stop::Breakpoint);
        core.remove_breakpoint(kEntry + 12);
        Outcome outcome{core.cycles(), core.instructions(), 0, 0, 0, core.reg(1)};
        if (core.caches() != nullptr) {
            outcome.fills = core.caches()->data.counters().fills;
            outcome.write_backs = core.caches()->data.counters().write_backs;
            outcome.code_fills = core.caches()->instructions.counters().fills;
        }
        return outcome;
    }

    struct Memory : FlatBus {
        Memory() {
            add(kCode, kBytes);
            add(kData, kBytes);
        }
    } bus;
    Core core;
};

}  // namespace

TEST_CASE("after a reset a program takes as long and does the same as on a new core") {
    CoreConfig config;
    config.system.vector_table = kCode;
    for (const auto& [timing, coherence] : {std::tuple{Timing::Functional, Coherence::Ideal},
                                            std::tuple{Timing::Approx, Coherence::Ideal},
                                            std::tuple{Timing::Approx, Coherence::Real}}) {
        config.timing = timing;
        config.coherence = coherence;
        Bench bench(config);
        const Outcome first = bench.run();
        CHECK(first.instructions == 3000 * 9);
        std::uint32_t sum = 1, address = kData;
        for (std::uint32_t left = 3000; left != 0; --left) {
            address += 36;
            sum = std::rotr(sum + address, static_cast<int>(left % 32));
        }
        CHECK(first.sum == sum);
        if (timing != Timing::Functional) {
            // A step of 36 bytes never stays in its line; what is left in the cache is not written.
            CHECK(first.fills == 3000);
            CHECK(first.write_backs == 3000 - 32768 / 32);
            CHECK(first.code_fills >= 2);
        }
        for (unsigned again = 0; again < 3; ++again) CHECK(bench.run() == first);
        CHECK(Bench(config).run() == first);
    }
}

TEST_CASE("a reset asked for while the vector table is read begins anew") {
    struct Memory : FlatBus {
        BusAnswer read(std::uint32_t address, std::span<std::uint8_t> to, const BusAttributes& with,
                       std::uint64_t at) override {
            const BusAnswer answer = FlatBus::read(address, to, with, at);
            if (address == kCode) ++tables;
            if (address == kCode && on_table) std::exchange(on_table, {})();
            return answer;
        }
        DirectMemory direct(std::uint32_t /*address*/, const BusAttributes& /*with*/) override {
            return {};
        }
        unsigned tables = 0;
        std::function<void()> on_table;
    } bus;
    bus.add(kCode, 0x1000);
    const auto put = [&bus](std::uint32_t sp, std::uint32_t pc) {
        const std::array<std::uint32_t, 2> vectors{sp, pc | 1};
        std::memcpy(bus.find(kCode, sizeof vectors), vectors.data(), sizeof vectors);
    };
    CoreConfig config;
    config.system.vector_table = kCode;
    Core core(config, bus);
    for (const Reset kind : {Reset::PowerOn, Reset::Warm}) {
        put(kData + 0x100, kEntry);
        bus.tables = 0;
        Stop inside = Stop::Budget;
        bus.on_table = [&] {
            // Half of the old table has been read when another takes its place.
            put(kData + 0x200, kFunction);
            inside = core.run(100);
            core.reset(kind);
        };
        core.reset();
        CHECK(inside == Stop::Requested);
        CHECK(bus.tables == 2);
        CHECK(core.reg(13) == kData + 0x200);
        CHECK(core.pc() == kFunction);
        CHECK(core.cycles() == 0);
        CHECK(core.instructions() == 0);
        // Nothing is left to do.
        put(kData + 0x300, kEntry);
        core.reset();
        CHECK(bus.tables == 3);
        CHECK(core.pc() == kEntry);
    }
}

TEST_CASE("a reset forgets decoded code") {
    CoreConfig config;
    config.system.vector_table = kCode;
    Bench bench(config);
    (void)bench.run();
    bench.put(kFunction, {0x2107, 0x4770});  // movs r1,#7; bx lr
    bench.core.reset();
    bench.core.set_reg(0, kData);
    bench.core.set_reg(3, kFunction | 1);
    bench.core.set_reg(4, 2);
    bench.core.add_breakpoint(kEntry + 12);
    CHECK(bench.core.run(1000) == Stop::Breakpoint);
    CHECK(bench.core.reg(1) == 7);
}

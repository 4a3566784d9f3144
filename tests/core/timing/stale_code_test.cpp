// SPDX-License-Identifier: Apache-2.0
// Code that changes in memory while the instruction cache holds it.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "models/core/core.h"
#include "models/core/ir/system.h"
#include "tests/core/diff/flat_bus.h"

using namespace n6vp::models::core;
using n6vp::test::FlatBus;

namespace {

constexpr std::uint32_t kCode = 0x10000000, kData = 0x30000000, kBytes = 0x20000;
constexpr std::uint32_t kFunction = kCode + 0x1000;
constexpr std::uint32_t kCcr = 0xE000ED14, kCachesOn = 3u << 16, kDataCacheOn = 1u << 16;
constexpr std::uint32_t kAllCode = 0xE000EF50, kCodeLine = 0xE000EF58;  // ICIALLU, ICIMVAU

/// A function of two lines: returns r0 + `first` + `second`.
struct Bench {
    explicit Bench(Coherence coherence, std::vector<TcmRange> tcm = {})
        : core(with(coherence, std::move(tcm)), bus) {
        const std::array<std::uint32_t, 2> vectors{kData + kBytes - 64, kCode + 0x101};
        std::memcpy(bus.find(kCode, sizeof vectors), vectors.data(), sizeof vectors);
        core.set_coherence_hook([this](const CoherenceEvent& event) { events.push_back(event); });
        core.reset();
        write(kCcr, kCachesOn);
        put(kFunction, 1, 10);
        CHECK(call() == 11);
    }
    static CoreConfig with(Coherence coherence, std::vector<TcmRange> tcm) {
        CoreConfig config;
        config.system.vector_table = kCode;
        config.timing = Timing::Approx;
        config.coherence = coherence;
        config.tcm = std::move(tcm);
        return config;
    }
    void write(std::uint32_t address, std::uint32_t value) {
        CHECK(core.system().write_ppb(core.state(), address, 4, core.cycles(), value));
    }
    void put_halfword(std::uint32_t address, std::uint32_t halfword) {
        std::memcpy(bus.find(address, 2), &halfword, 2);
    }
    /// adds r0, #first; 15 times nop; adds r0, #second; bx lr
    void put(std::uint32_t address, std::uint32_t first, std::uint32_t second) {
        put_halfword(address, 0x3000 | first);
        for (std::uint32_t i = 1; i < 16; ++i) put_halfword(address + 2 * i, 0xBF00);
        put_halfword(address + 32, 0x3000 | second);
        put_halfword(address + 34, 0x4770);
    }
    /// Another master writes the number of the function's first or second line.
    void change(std::uint32_t line, std::uint32_t number) {
        const std::uint32_t address = kFunction + line * 32;
        core.other_writes(address, address + 1, "dma");
        put_halfword(address, 0x3000 | number);
    }
    std::uint32_t call(std::uint32_t address = kFunction) {
        const std::array<std::uint32_t, 1> zero{0};
        CHECK(core.call(address, zero, 10'000) == Stop::Returned);
        return core.reg(0);
    }

    struct Memory : FlatBus {
        Memory() {
            add(kCode, kBytes);
            add(kData, kBytes);
        }
    } bus;
    Core core;
    std::vector<CoherenceEvent> events;
};

}  // namespace

TEST_CASE("ideal: new code runs, and is reported with the block that runs") {
    Bench bench(Coherence::Ideal);
    bench.change(1, 20);
    CHECK(bench.call() == 21);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == CoherenceEvent::Kind::StaleCode);
    CHECK(bench.events[0].address == kFunction + 32);
    CHECK(bench.events[0].bytes == 1);
    CHECK(bench.events[0].pc == kFunction);
    bench.write(kAllCode, 0);
    CHECK(bench.call() == 21);
    CHECK(bench.events.size() == 1);
}

TEST_CASE("real: old code runs until all is invalidated") {
    Bench bench(Coherence::Real);
    bench.change(0, 2);
    bench.change(1, 20);
    CHECK(bench.call() == 11);
    bench.change(0, 3);  // a stale line keeps what it held at first
    CHECK(bench.call() == 11);
    CHECK(bench.events.size() == 4);  // two lines, two calls
    bench.write(kAllCode, 0);
    CHECK(bench.call() == 23);
    CHECK(bench.events.size() == 4);
}

TEST_CASE("real: of a block over two lines each is old or new") {
    Bench bench(Coherence::Real);
    bench.change(1, 20);
    CHECK(bench.call() == 11);
    bench.change(0, 2);
    CHECK(bench.call() == 11);
    bench.write(kCodeLine, kFunction + 8);
    CHECK(bench.call() == 12);
    bench.change(0, 3);  // the fresh line becomes stale in turn
    CHECK(bench.call() == 12);
    bench.write(kCodeLine, kFunction + 32);
    CHECK(bench.call() == 22);
    bench.write(kCodeLine, kFunction);
    CHECK(bench.call() == 23);
}

TEST_CASE("real: an evicted line is fetched anew") {
    Bench bench(Coherence::Real);
    bench.change(0, 2);
    bench.change(1, 20);
    CHECK(bench.call() == 11);
    // Two ways of 16 KiB: two others of its set push a line out. These have one line each.
    for (const std::uint32_t way : {1u, 2u}) {
        bench.put_halfword(kFunction + way * 0x4000, 0x4770);
        bench.call(kFunction + way * 0x4000);
    }
    CHECK(bench.call() == 12);
}

TEST_CASE("real: a disabled instruction cache holds nobody up, and keeps its lines") {
    Bench bench(Coherence::Real);
    bench.change(0, 2);
    CHECK(bench.call() == 11);
    bench.write(kCcr, kDataCacheOn);
    CHECK(bench.call() == 12);
    bench.write(kCcr, kCachesOn);
    CHECK(bench.call() == 11);
}

TEST_CASE("real: after a reset new code runs") {
    Bench bench(Coherence::Real);
    bench.change(0, 2);
    CHECK(bench.call() == 11);
    bench.core.reset(Reset::Warm);
    bench.write(kCcr, kCachesOn);
    CHECK(bench.call() == 12);
}

TEST_CASE("real: code in a TCM is new at once") {
    Bench bench(Coherence::Real, {{kCode, kCode + kBytes - 1}});
    bench.change(0, 2);
    CHECK(bench.call() == 12);
    CHECK(bench.events.empty());
}

TEST_CASE("real: a line that is not cacheable any more is fetched from memory") {
    Bench bench(Coherence::Real);
    bench.change(0, 2);
    CHECK(bench.call() == 11);
    constexpr std::uint32_t kControl = 0xE000ED94, kNumber = 0xE000ED98, kBase = 0xE000ED9C,
                            kLimit = 0xE000EDA0, kAttributes = 0xE000EDC0;
    bench.write(kAttributes, 0x44);  // Normal, not cacheable
    bench.write(kNumber, 0);
    bench.write(kBase, kCode | 1u << 1);  // read and write, privileged
    bench.write(kLimit, ((kCode + kBytes - 1) & ~31u) | 1);
    bench.write(kControl, 5);
    CHECK(bench.call() == 12);
    bench.write(kControl, 4);
    CHECK(bench.call() == 11);
}

TEST_CASE("real: a debugger's changes run at once") {
    Bench bench(Coherence::Real);
    bench.change(0, 2);
    CHECK(bench.call() == 11);
    const std::array<std::uint8_t, 1> five{5};
    bench.put_halfword(kFunction, 0x3005);
    bench.core.change_through_cache(kFunction, five);
    bench.core.invalidate(kFunction, kFunction);
    CHECK(bench.call() == 15);
}

TEST_CASE("a line whose decoded code was dropped still becomes stale by the core's stores") {
    for (const Coherence coherence : {Coherence::Ideal, Coherence::Real}) {
        Bench bench(coherence);
        constexpr std::uint32_t kStore = kCode + 0x2000, kClean = 0xE000EF68;  // DCCMVAC
        // strh r1, [r0]; str r0, [r2]; dsb sy; bx lr
        std::uint32_t at = kStore;
        for (const std::uint32_t halfword : {0x8001u, 0x6010u, 0xF3BFu, 0x8F4Fu, 0x4770u}) {
            bench.put_halfword(at, halfword);
            at += 2;
        }
        bench.core.set_trace({});  // drops what was decoded
        const auto store = [&](std::uint32_t address, std::uint32_t halfword) {
            const std::array<std::uint32_t, 3> arguments{address, halfword, kClean};
            CHECK(bench.core.call(kStore, arguments, 10'000) == Stop::Returned);
        };
        // The first stores may find out about the page: the last must be looked at all the same.
        store(kFunction + 0x100, 0);
        store(kFunction + 0x102, 0);
        store(kFunction, 0x3002);
        CHECK(bench.call() == (coherence == Coherence::Ideal ? 12 : 11));
        CHECK(bench.events.size() == 1);
        bench.write(kAllCode, 0);
        CHECK(bench.call() == 12);
    }
}

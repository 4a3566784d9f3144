// SPDX-License-Identifier: Apache-2.0
// Every master with every memory, nobody else on the fabric.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/shape/chip.h"
#include "tests/shape/expected.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;

namespace {

constexpr double kRoundingNs = 0.003;  ///< of each part of a way to a picosecond

[[nodiscard]] double ns(Picoseconds from, Picoseconds to) {
    return (static_cast<double>(to) - static_cast<double>(from)) / 1e3;
}

[[nodiscard]] TrafficPlan one_burst(const memmap::Region& region, std::uint32_t beats, bool write) {
    TrafficPlan plan;
    plan.base = base_of(region);
    plan.span = 4096;
    plan.beats = beats;
    plan.mix = write ? TrafficPlan::Mix::Writes : TrafficPlan::Mix::Reads;
    return plan;
}

}  // namespace

namespace {

/// Returns the number of ways.
unsigned check_all_latencies(const Clocks& clocks) {
    Chip chip(clocks);
    const expected::Periods periods(clocks);
    unsigned ways = 0;
    for (const Master master : kMasters) {
        for (const memmap::Region* region : chip.regions()) {
            if (!expected::has_route(master, *region)) continue;
            ++ways;
            for (const bool write : {false, true}) {
                if (write && region->kind == memmap::RegionKind::Nor) continue;
                for (const std::uint32_t beats : {1u, 2u, 4u, 8u}) {
                    chip.settle();
                    const TrafficResult& result =
                        chip.run(master, one_burst(*region, beats, write));
                    CAPTURE(std::string(name_of(master)));
                    CAPTURE(std::string(region->name));
                    CAPTURE(write);
                    CAPTURE(beats);
                    REQUIRE(result.failed == 0);
                    const BurstRecord& burst = result.records.at(0);
                    CHECK(burst.waited == 0);
                    const double last = expected::last_ns(master, *region, write, beats, periods);
                    CHECK(std::abs(ns(burst.issued, burst.last) - last) < kRoundingNs);
                    if (master == Master::CoreTcm) continue;  // the burst is the core's beats
                    const double first = expected::first_ns(master, *region, write, periods);
                    CHECK(std::abs(ns(burst.issued, burst.first) - first) < kRoundingNs);
                }
            }
        }
    }
    return ways;
}

}  // namespace

TEST_CASE("shape: latency of an idle fabric equals the closed formula") {
    // Three core-like masters with 14 RAM and serial memories, three of the NPU with all but those
    // on the AHB, two TCMs.
    CHECK(check_all_latencies({}) == 3 * 14 + 3 * 11 + 2);
}

TEST_CASE("shape: latency equals the closed formula without overdrive") {
    CHECK(check_all_latencies({600, 400, 800, 800, 200, 200}) == 3 * 14 + 3 * 11 + 2);
}

TEST_CASE("shape: who has no way to a memory is refused") {
    Chip chip;
    for (const Master master : kMasters) {
        for (const memmap::Region* region : chip.regions()) {
            if (expected::has_route(master, *region)) continue;
            CAPTURE(std::string(name_of(master)));
            CAPTURE(std::string(region->name));
            CHECK(chip.run(master, one_burst(*region, 1, false)).failed == 1);
        }
    }
}

TEST_CASE("shape: a serial memory pays for every new transaction and not for a continued one") {
    Chip chip;
    for (const char* const name : {"XSPI2", "XSPI1"}) {
        const memmap::Region& region = *memmap::region_named(name);
        const expected::Serial& memory = *expected::serial(region);
        chip.settle();
        // A walk in steps of 1 KiB: none continues the one before. Blocking, so that the next
        // arrives 40 ns after the data have left the device.
        TrafficPlan jumps = one_burst(region, 8, false);
        jumps.pattern = TrafficPlan::Pattern::Random;
        jumps.span = 16 * 1024;
        jumps.bursts = 8;
        const TrafficResult jumping = chip.run(Master::Npu0, jumps);
        for (std::size_t i = 1; i < jumping.records.size(); ++i) {
            const BurstRecord& burst = jumping.records[i];
            if (burst.address == jumping.records[i - 1].address + 64) continue;
            CAPTURE(std::string(name));
            CHECK(std::abs(ns(burst.issued, burst.last) - memory.break_ns() -
                           expected::last_ns(Master::Npu0, region, false, 8)) < kRoundingNs);
        }
        chip.settle();
        TrafficPlan line = one_burst(region, 8, false);
        line.bursts = 4;
        const TrafficResult linear = chip.run(Master::Npu0, line);
        // What the device moved ahead while the next request was under way is there already.
        for (std::size_t i = 1; i < linear.records.size(); ++i) {
            const BurstRecord& burst = linear.records[i];
            CHECK(ns(burst.issued, burst.last) <=
                  expected::kNpuControlNs + memory.data_ns(64) + kRoundingNs);
            CHECK(ns(linear.records[i - 1].last, burst.last) >= memory.data_ns(64) - kRoundingNs);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Rates of one master with each memory, several bursts on their way.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/shape/chip.h"
#include "tests/shape/expected.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;

namespace {

constexpr double kTolerance = 0.02;

[[nodiscard]] TrafficPlan stream(Master master, const memmap::Region& region, bool write) {
    TrafficPlan plan;
    plan.base = base_of(region);
    plan.span = std::min<std::uint32_t>(region.fitted_bytes, 64 * 1024);
    plan.beats = 8;
    plan.bursts = 4096;
    plan.outstanding = 16;
    plan.mix = write ? TrafficPlan::Mix::Writes : TrafficPlan::Mix::Reads;
    plan.port_beat = static_cast<Picoseconds>(expected::port_beat_ns(master) * 1e3);
    plan.keep_records = false;
    if (master == Master::CoreTcm) {
        // Every access of the core takes the cycle of its instruction beside what the memory adds.
        plan.outstanding = 1;
        plan.beats = 1;
        plan.port_beat = 0;
        plan.turnaround = static_cast<Picoseconds>(expected::Periods{}.cpu * 1e3);
    }
    if (expected::serial(region) != nullptr) plan.span = 1024 * 1024;
    return plan;
}

}  // namespace

TEST_CASE("shape: linear bandwidth is within 2 % of the theoretical one") {
    Chip chip;
    unsigned ways = 0;
    for (const Master master : kMasters) {
        for (const memmap::Region* region : chip.regions()) {
            if (!expected::has_route(master, *region)) continue;
            ++ways;
            for (const bool write : {false, true}) {
                if (write && region->kind == memmap::RegionKind::Nor) continue;
                chip.settle();
                const TrafficResult& result = chip.run(master, stream(master, *region, write));
                CAPTURE(std::string(name_of(master)));
                CAPTURE(std::string(region->name));
                CAPTURE(write);
                CAPTURE(result.mb_per_s());
                CHECK(result.failed == 0);
                CHECK(result.mb_per_s() ==
                      doctest::Approx(expected::linear_mb_s(master, *region, write))
                          .epsilon(kTolerance));
            }
        }
    }
    CHECK(ways == 3 * 14 + 3 * 11 + 2);
}

TEST_CASE("shape: one burst at a time moves its bytes per latency") {
    Chip chip;
    for (const Master master : {Master::CoreData, Master::Npu0}) {
        for (const char* const name : {"AXISRAM1", "AXISRAM3"}) {
            const memmap::Region& region = *memmap::region_named(name);
            for (const std::uint32_t beats : {1u, 2u, 4u, 8u}) {
                chip.settle();
                TrafficPlan plan = stream(master, region, false);
                plan.outstanding = 1;
                plan.beats = beats;
                CAPTURE(std::string(name_of(master)));
                CAPTURE(std::string(name));
                CAPTURE(beats);
                CHECK(chip.run(master, plan).mb_per_s() ==
                      doctest::Approx(beats * 8 * 1000 /
                                      expected::last_ns(master, region, false, beats))
                          .epsilon(0.001));
            }
        }
    }
}

TEST_CASE("shape: the quantum does not change the rate of a lone core") {
    Chip chip;
    const memmap::Region& region = *memmap::region_named("AXISRAM5");
    Picoseconds lengths[4] = {};
    unsigned i = 0;
    for (const Picoseconds quantum : {0u, 100'000u, 1'000'000u, 10'000'000u}) {
        chip.settle();
        chip.set_core_quantum(quantum);
        const TrafficResult& result =
            chip.run(Master::CoreData, stream(Master::CoreData, region, false));
        lengths[i++] = result.end - result.begin;
    }
    for (const Picoseconds length : lengths) CHECK(length == lengths[0]);
}

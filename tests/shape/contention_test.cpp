// SPDX-License-Identifier: Apache-2.0
// Two and three masters at one memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "tests/shape/chip.h"
#include "tests/shape/expected.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;

namespace {

constexpr std::uint32_t kBeats = 8;
constexpr std::uint64_t kBursts = 2048;
constexpr unsigned kOutstanding = 4;
constexpr Master kContenders[] = {Master::Npu0, Master::Npu1, Master::CoreData};
/// Of these the core runs ahead; the longest quantum is the platform's.
constexpr Master kWithCore[] = {Master::CoreData, Master::Npu0, Master::Npu1};
constexpr Picoseconds kQuanta[] = {100'000, 1'000'000};

[[nodiscard]] TrafficPlan load(Master master, const memmap::Region& region) {
    TrafficPlan plan;
    plan.base = base_of(region) + static_cast<std::uint32_t>(master) * 64 * 1024;
    plan.span = 64 * 1024;
    plan.beats = kBeats;
    plan.bursts = kBursts;
    plan.outstanding = kOutstanding;
    plan.port_beat = static_cast<Picoseconds>(expected::port_beat_ns(master) * 1e3);
    return plan;
}

/// Time that a bank needs for one burst, in ps.
[[nodiscard]] double service_ps(const memmap::Region& region) {
    const bool nic = region.clock == memmap::ClockDomain::Nic;
    const expected::Periods ns;
    return kBeats * (nic ? ns.nic : ns.noc) * 1e3;
}

/// What several masters did together.
struct Contest {
    Picoseconds begin = ~Picoseconds{0}, end = 0;
    Picoseconds first_end = ~Picoseconds{0};  ///< of the first that had done
    std::vector<double> progress;             ///< at that time, by master
    double served = 0;                        ///< bursts of all at that time
};

Contest play(Chip& chip, std::span<const Master> masters, const memmap::Region& region) {
    for (const Master master : masters) chip.master(master).begin(load(master, region));
    chip.run();
    Contest contest;
    for (const Master master : masters) {
        const TrafficResult& result = chip.master(master).result();
        REQUIRE(result.failed == 0);
        contest.begin = std::min(contest.begin, result.begin);
        contest.end = std::max(contest.end, result.end);
        contest.first_end = std::min(contest.first_end, result.end);
    }
    for (const Master master : masters) {
        const auto& records = chip.master(master).result().records;
        const auto done =
            std::count_if(records.begin(), records.end(),
                          [&](const BurstRecord& each) { return each.last <= contest.first_end; });
        contest.served += static_cast<double>(done);
        contest.progress.push_back(static_cast<double>(done) / static_cast<double>(kBursts));
    }
    return contest;
}

/// Every burst took what it takes alone and what it waited, and waited only for those who were
/// there.
void check_each_burst(Chip& chip, std::span<const Master> masters, const memmap::Region& region) {
    for (const Master master : masters) {
        const TrafficResult& result = chip.master(master).result();
        const double alone = expected::last_ns(master, region, false, kBeats) * 1e3;
        double worst = 0;
        for (const BurstRecord& burst : result.records) {
            const auto took = static_cast<double>(burst.last - burst.issued - burst.waited);
            worst = std::max(worst, std::abs(took - alone));
        }
        CAPTURE(std::string(name_of(master)));
        CHECK(worst <= 3);
        Picoseconds blamed = 0;
        for (const Master other : masters)
            blamed += result.waited_for[static_cast<std::size_t>(other)];
        CHECK(blamed == result.waited);
    }
}

}  // namespace

TEST_CASE("order: a bank that several masters load is never idle, and serves all of them") {
    Chip chip;
    for (const char* const name : {"FLEXMEM", "AXISRAM1", "AXISRAM2", "AXISRAM3", "AXISRAM6"}) {
        for (const std::size_t count : {2u, 3u}) {
            const memmap::Region& region = *memmap::region_named(name);
            const std::span<const Master> masters(kContenders, count);
            chip.settle();
            const Contest contest = play(chip, masters, region);
            CAPTURE(std::string(name));
            CAPTURE(count);
            const double service = service_ps(region);
            const auto time = static_cast<double>(contest.first_end - contest.begin);
            CHECK(contest.served * service <= time);
            CHECK(contest.served * service >= 0.98 * time);
            CHECK(static_cast<double>(contest.end - contest.begin) >=
                  static_cast<double>(count * kBursts) * service);
            // The core's port is slower than a NIC bank: it asks for less than an equal share.
            for (const double progress : contest.progress) CHECK(progress > 0.75);
            for (const Master master : masters) {
                // Everything that can be on its way before a burst, and one that is called later
                // but has a shorter way.
                CHECK(static_cast<double>(chip.master(master).result().longest_wait) <=
                      static_cast<double>(count * kOutstanding + 1) * service);
            }
            check_each_burst(chip, masters, region);
        }
    }
}

TEST_CASE("order: a core that runs ahead by a quantum conserves service within it") {
    Chip chip;
    for (const Picoseconds quantum : kQuanta) {
        for (const char* const name : {"AXISRAM1", "AXISRAM3"}) {
            for (const std::size_t count : {2u, 3u}) {
                const memmap::Region& region = *memmap::region_named(name);
                const std::span<const Master> masters(kWithCore, count);
                chip.settle();
                chip.set_core_quantum(quantum);
                const Contest contest = play(chip, masters, region);
                CAPTURE(quantum);
                CAPTURE(std::string(name));
                CAPTURE(count);
                const double service = service_ps(region);
                const auto ahead = static_cast<double>(quantum);
                const auto time = static_cast<double>(contest.end - contest.begin);
                CHECK(time + ahead >= static_cast<double>(count * kBursts) * service);
                // Nobody waits for longer than it has been ahead, than others may be ahead of it,
                // and for what is on its way.
                for (const Master master : masters) {
                    CHECK(static_cast<double>(chip.master(master).result().longest_wait) <=
                          2 * ahead + static_cast<double>(count * kOutstanding) * service);
                }
                check_each_burst(chip, masters, region);
            }
        }
    }
}

TEST_CASE("order: a stream beside line fills takes at every quantum what it takes without") {
    constexpr std::uint64_t kMany = 16'384;
    Chip chip;
    const memmap::Region& region = *memmap::region_named("AXISRAM1");
    double exact = 0;
    for (const Picoseconds quantum : {0u, 100'000u, 1'000'000u}) {
        chip.settle();
        chip.set_core_quantum(quantum);
        TrafficPlan fills = load(Master::CoreData, region);
        fills.beats = 4;
        fills.outstanding = 1;
        fills.bursts = kMany / 2;
        chip.master(Master::CoreData).begin(fills);
        TrafficPlan stream = load(Master::Npu0, region);
        stream.bursts = kMany;
        const TrafficResult result = chip.run(Master::Npu0, stream);
        const auto time = static_cast<double>(result.end - result.begin);
        if (quantum == 0) exact = time;
        CAPTURE(quantum);
        CHECK(time > static_cast<double>(kMany) * service_ps(region));
        CHECK(time == doctest::Approx(exact).epsilon(0.02));
    }
}

TEST_CASE("order: the core's stream and another from a serial memory go on at every quantum") {
    Chip chip;
    const std::span<const Master> masters(kWithCore, 2);
    for (const char* const name : {"XSPI2", "XSPI1"}) {
        const memmap::Region& region = *memmap::region_named(name);
        double exact = 0;
        for (const Picoseconds quantum : {0u, 100'000u, 1'000'000u}) {
            chip.settle();
            chip.set_core_quantum(quantum);
            const Contest contest = play(chip, masters, region);
            const auto time = static_cast<double>(contest.end - contest.begin);
            if (quantum == 0) exact = time;
            CAPTURE(std::string(name));
            CAPTURE(quantum);
            // Who runs ahead opens fewer transactions.
            CHECK(time < 1.05 * exact);
            CHECK(time > expected::serial(region)->data_ns(2.0 * kBursts * kBeats * 8) * 1e3);
            for (const double progress : contest.progress) CHECK(progress > 0.7);
        }
    }
}

TEST_CASE("order: a core that loads a bank little takes little from the NPU") {
    Chip chip;
    const memmap::Region& region = *memmap::region_named("AXISRAM1");
    const TrafficResult alone = chip.run(Master::Npu0, load(Master::Npu0, region));
    chip.settle();
    TrafficPlan fills = load(Master::CoreData, region);
    fills.beats = 4;
    fills.outstanding = 1;
    fills.issue = 200'000;  // a line fill of 10 ns every 200 ns: 5 % of the bank
    fills.bursts = 64;
    chip.master(Master::CoreData).begin(fills);
    const TrafficResult beside = chip.run(Master::Npu0, load(Master::Npu0, region));
    const Picoseconds taken = chip.master(Master::CoreData).result().bursts * Picoseconds{10'000};
    // The bank is never idle: what the core takes is what the NPU's end comes later, give or take
    // the burst that is under way then.
    const double later = static_cast<double>(beside.end - beside.begin) -
                         static_cast<double>(alone.end - alone.begin);
    CHECK(later <= static_cast<double>(taken));
    CHECK(later >= static_cast<double>(taken) - service_ps(region));
}

TEST_CASE("order: two streams from a serial memory both go on, and pay for each other") {
    Chip chip;
    for (const char* const name : {"XSPI2", "XSPI1"}) {
        const memmap::Region& region = *memmap::region_named(name);
        chip.settle();
        const std::span<const Master> masters(kContenders, 2);
        const Contest contest = play(chip, masters, region);
        const double bytes = 2.0 * kBursts * kBeats * 8;
        const auto time = static_cast<double>(contest.end - contest.begin);
        CAPTURE(std::string(name));
        CHECK(contest.progress[0] > 0.5);
        CHECK(contest.progress[1] > 0.5);
        const expected::Serial& memory = *expected::serial(region);
        const double data = memory.data_ns(bytes) * 1e3;
        const double opening = (memory.first_ns(false) + memory.break_ns()) * 1e3;
        CHECK(time > data);
        // At worst every burst is a transaction of its own; the counter adds an eighth at most.
        CHECK(time < 1.15 * (data + 2.0 * kBursts * opening));
    }
}

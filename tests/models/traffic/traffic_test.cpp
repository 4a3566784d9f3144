// SPDX-License-Identifier: Apache-2.0
// The bus masters of test benches, against a target that writes down what comes.
#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/models/traffic/traffic_generator.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;

namespace {

constexpr Picoseconds kLatency = 10'000;

/// Answers every burst 10 ns after its arrival.
class Spy : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<Spy> port;
    struct Seen {
        std::uint64_t address;
        std::uint32_t bytes;
        bool write, single, cacheable;
        Picoseconds at, kernel;
    };
    std::vector<Seen> seen;
    std::array<std::uint8_t, 4096> memory{};

    explicit Spy(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
        port.register_b_transport(this, &Spy::b_transport);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto* const transfer = trans.get_extension<models::Transfer>();
        seen.push_back({trans.get_address(), trans.get_data_length(), trans.is_write(),
                        transfer->single_beats, transfer->cacheable, models::absolute_ps(delay),
                        sc_core::sc_time_stamp().value()});
        std::uint8_t* const place = memory.data() + trans.get_address() % memory.size();
        if (trans.is_write()) {
            std::memcpy(place, trans.get_data_ptr(), trans.get_data_length());
        } else {
            std::memcpy(trans.get_data_ptr(), place, trans.get_data_length());
        }
        delay += models::to_sc_time(kLatency);
        auto* const answer = trans.get_extension<models::Transfer>();
        answer->first_beat = answer->last_beat = models::absolute_ps(delay);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// Has something to do at every step of time, if it has a step.
class Neighbour : public sc_core::sc_module {
  public:
    Picoseconds step = 0;

    explicit Neighbour(const sc_core::sc_module_name& name) : sc_module(name) {
        SC_HAS_PROCESS(Neighbour);
        SC_THREAD(work);
    }

  private:
    void work() {
        while (true)
            wait(step == 0 ? sc_core::sc_time(1, sc_core::SC_MS) : models::to_sc_time(step));
    }
};

struct Bench {
    explicit Bench(Picoseconds quantum = 0) : master("master", quantum) {
        master.port.bind(spy.port);
    }
    Spy spy{"spy"};
    Neighbour neighbour{"neighbour"};
    TrafficGenerator master;

    const std::vector<Spy::Seen>& play(const TrafficPlan& plan) {
        spy.seen.clear();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        master.begin(plan);
        while (master.busy()) sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
        return spy.seen;
    }
};

[[nodiscard]] TrafficPlan plan_of(TrafficPlan::Pattern pattern, std::uint64_t bursts) {
    TrafficPlan plan;
    plan.pattern = pattern;
    plan.base = 0x1000;
    plan.span = 256;
    plan.bursts = bursts;
    return plan;
}

[[nodiscard]] std::vector<std::uint64_t> addresses(const std::vector<Spy::Seen>& seen) {
    std::vector<std::uint64_t> list;
    list.reserve(seen.size());
    for (const Spy::Seen& each : seen) list.push_back(each.address);
    return list;
}

}  // namespace

TEST_CASE("a linear walk returns to the base at the end of its span") {
    Bench bench;
    CHECK(addresses(bench.play(plan_of(TrafficPlan::Pattern::Linear, 6))) ==
          std::vector<std::uint64_t>{0x1000, 0x1040, 0x1080, 0x10C0, 0x1000, 0x1040});
    CHECK(bench.spy.seen[0].bytes == 64);
    CHECK_FALSE(bench.spy.seen[0].single);
}

TEST_CASE("a strided walk moves one element per beat and then those beside them") {
    Bench bench;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Strided, 6);
    plan.stride = 128;
    plan.element_bytes = 4;
    CHECK(addresses(bench.play(plan)) ==
          std::vector<std::uint64_t>{0x1000, 0x1080, 0x1004, 0x1084, 0x1008, 0x1088});
    for (const Spy::Seen& each : bench.spy.seen) {
        CHECK(each.bytes == 4);
        CHECK(each.single);
    }
}

TEST_CASE("a random walk stays in its span and comes again with its seed") {
    Bench bench;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Random, 200);
    plan.beats = 2;
    const std::vector<std::uint64_t> once = addresses(bench.play(plan));
    for (const std::uint64_t address : once) {
        CHECK(address % 16 == 0);
        CHECK(address >= 0x1000);
        CHECK(address <= 0x10F0);
    }
    std::vector<std::uint64_t> places = once;
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    CHECK(places.size() == 16);  // of 16; 200 draws miss one with a chance of 4e-5
    CHECK(addresses(bench.play(plan)) == once);
    plan.seed = 2;
    CHECK(addresses(bench.play(plan)) != once);
}

TEST_CASE("reads and writes take turns if asked to") {
    Bench bench;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Linear, 4);
    plan.mix = TrafficPlan::Mix::Alternating;
    bench.play(plan);
    for (std::size_t i = 0; i < 4; ++i) CHECK(bench.spy.seen[i].write == (i % 2 != 0));
}

TEST_CASE("no more bursts are on their way than the plan allows") {
    Bench bench;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Linear, 8);
    for (const unsigned outstanding : {1u, 2u, 4u}) {
        plan.outstanding = outstanding;
        const auto& seen = bench.play(plan);
        for (std::size_t i = outstanding; i < seen.size(); ++i)
            CHECK(seen[i].at == seen[i - outstanding].at + kLatency);
        CHECK(bench.master.result().end - bench.master.result().begin ==
              kLatency * (8 / outstanding) + (outstanding - 1));
    }
}

TEST_CASE("the master's port moves one beat after the other") {
    Bench bench;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Linear, 100);
    plan.outstanding = 16;
    plan.port_beat = 2'500;
    // Also when time does not start at 0; the target alone would take 10 ns per burst or less.
    for (int i = 0; i < 2; ++i) {
        bench.play(plan);
        CHECK(bench.master.result().end - bench.master.result().begin == 100 * 8 * 2'500);
    }
}

TEST_CASE("the next burst waits for the turnaround of the one whose place it takes") {
    Bench bench;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Linear, 10);
    plan.turnaround = 1'250;
    bench.play(plan);
    CHECK(bench.master.result().end - bench.master.result().begin ==
          10 * kLatency + Picoseconds{9} * 1'250);
}

TEST_CASE("an even load comes at its mean pace") {
    Bench bench;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Linear, 4000);
    plan.outstanding = 64;
    plan.gap = 50'000;
    const auto& seen = bench.play(plan);
    const double mean =
        static_cast<double>(seen.back().at - seen.front().at) / static_cast<double>(3999);
    // The mean of 3,999 even draws has a deviation of 50,000 / sqrt(3 * 3999) = 457 ps.
    CHECK(mean > 48'000);
    CHECK(mean < 52'000);
}

TEST_CASE("a master runs ahead of kernel time by at most its quantum while others have work") {
    Bench bench;
    bench.neighbour.step = kLatency / 4;
    TrafficPlan plan = plan_of(TrafficPlan::Pattern::Linear, 200);
    for (const Picoseconds quantum : {Picoseconds{0}, Picoseconds{100'000}}) {
        bench.master.set_quantum(quantum);
        Picoseconds most = 0;
        for (const Spy::Seen& each : bench.play(plan)) most = std::max(most, each.at - each.kernel);
        CHECK(most == quantum / kLatency * kLatency);
        CHECK(sc_core::sc_time_stamp().value() >= bench.master.result().end);
    }
}

TEST_CASE("a master alone makes bursts up to a microsecond before their time") {
    Bench bench;
    Picoseconds most = 0;
    for (const Spy::Seen& each : bench.play(plan_of(TrafficPlan::Pattern::Linear, 200)))
        most = std::max(most, each.at - each.kernel);
    CHECK(most > 0);
    CHECK(most <= 1'000'000);
}

TEST_CASE("given bytes go as aligned bursts and come back") {
    Bench bench;
    std::vector<std::uint8_t> bytes(150);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    bench.master.says.cacheable = true;
    const BusMaster::Answer answer = bench.master.write(0x1030, bytes, 5'000);
    CHECK(answer.ok());
    CHECK(answer.issued == 5'000);
    CHECK(answer.last == 5'000 + 4 * kLatency);
    CHECK(addresses(bench.spy.seen) == std::vector<std::uint64_t>{0x1030, 0x1040, 0x1080, 0x10C0});
    CHECK(bench.spy.seen[0].bytes == 16);
    CHECK(bench.spy.seen[3].bytes == 6);
    CHECK(bench.spy.seen[0].cacheable);
    CHECK(bench.master.read(0x1030, 150) == bytes);
    CHECK(bench.spy.memory[0x2F] == 0);
}

TEST_CASE("jobs are done at their time, in the order of the calls at one time") {
    Bench bench;
    const std::size_t late = bench.master.read_at(2'000'000, 0x1000, 2);
    bench.master.write_at(1'000'000, 0x1000, {1, 2});
    bench.master.write_at(1'000'000, 0x1001, {3});
    sc_core::sc_start(sc_core::sc_time(3, sc_core::SC_US));
    REQUIRE(bench.spy.seen.size() == 3);
    CHECK(bench.spy.seen[0].kernel == 1'000'000);
    CHECK(bench.spy.seen[2].kernel == 2'000'000);
    CHECK(bench.master.job(late).done);
    CHECK(bench.master.job(late).bytes == std::vector<std::uint8_t>{1, 3});
    CHECK(bench.master.job(late).answer.last == 2'000'000 + kLatency);
}

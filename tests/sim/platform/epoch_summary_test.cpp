// SPDX-License-Identifier: Apache-2.0
// Sums and shares of what an epoch of the NPU took and moved.
#include "sim/platform/epoch_summary.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/platform/stall_causes.h"

using namespace n6vp;
using namespace n6vp::sim;
using models::npu::StallCause;

namespace {

models::Picoseconds& of(models::npu::TimeByCause& times, StallCause cause) {
    return times[static_cast<std::size_t>(cause)];
}

/// Flows of both ports and of the epoch controller, each number of its own.
EpochFlows some_flows() {
    EpochFlows flows;
    flows.list = {{Initiator::Npu0, 4, 1000, 200, 30},
                  {Initiator::Npu1, 4, 40'000, 5000, 600},
                  {Initiator::Npu1, 2, 7, 8, 9},
                  {Initiator::EpochController, 2, 70'000, 80'000, 90'000}};
    flows.read_hits = 1;
    flows.read_misses = 20;
    flows.read_allocates = 300;
    flows.write_hits = 4000;
    flows.write_misses = 50'000;
    return flows;
}

}  // namespace

TEST_CASE("epoch flows: a sum keeps master and memory apart, and adds each number") {
    EpochFlows sum = some_flows();
    EpochFlows more = some_flows();
    more.list[2].target = 3;  // not known yet
    sum += more;
    REQUIRE(sum.list.size() == 5);
    const EpochFlow wanted[] = {{Initiator::Npu0, 4, 2000, 400, 60},
                                {Initiator::Npu1, 4, 80'000, 10'000, 1200},
                                {Initiator::Npu1, 2, 7, 8, 9},
                                {Initiator::EpochController, 2, 140'000, 160'000, 180'000},
                                {Initiator::Npu1, 3, 7, 8, 9}};
    for (std::size_t i = 0; i < sum.list.size(); ++i) {
        CAPTURE(i);
        CHECK(sum.list[i].master == wanted[i].master);
        CHECK(sum.list[i].target == wanted[i].target);
        CHECK(sum.list[i].read == wanted[i].read);
        CHECK(sum.list[i].written == wanted[i].written);
        CHECK(sum.list[i].waited == wanted[i].waited);
    }
    CHECK(sum.read_hits == 2);
    CHECK(sum.read_misses == 40);
    CHECK(sum.read_allocates == 600);
    CHECK(sum.write_hits == 8000);
    CHECK(sum.write_misses == 100'000);
}

TEST_CASE("epoch summary: fetches of the epoch controller are no traffic of engines") {
    EpochSummary summary;
    summary.flows = some_flows();
    const EpochFlow engines = summary.engines();
    CHECK(engines.read == 41'007);
    CHECK(engines.written == 5208);
    CHECK(engines.waited == 639);
    CHECK(summary.controller_bytes() == 70'000);
    CHECK(summary.cache_hits() == 4001);
    CHECK(summary.cache_misses() == 50'020);
    const std::vector<EpochFlow> memories = summary.memories();
    REQUIRE(memories.size() == 2);
    CHECK(memories[0].target == 2);
    CHECK(memories[0].read == 7);
    CHECK(memories[0].written == 8);
    CHECK(memories[0].waited == 9);
    CHECK(memories[1].target == 4);
    CHECK(memories[1].read == 41'000);
    CHECK(memories[1].written == 5200);
    CHECK(memories[1].waited == 630);
}

TEST_CASE("epoch summary: every member of two epochs adds up") {
    EpochSummary one, two;
    one.time = 1000;
    one.npu_cycles = 10;
    one.waited_cycles = 3;
    one.macs = 500;
    one.mac_slots = 1000;
    one.flows = some_flows();
    two.time = 200;
    two.npu_cycles = 5;
    two.waited_cycles = 0.5;
    two.macs = 250;
    two.mac_slots = 2000;
    two.flows = some_flows();
    for (std::size_t i = 0; i < one.spent.size(); ++i) {
        one.spent[i] = i + 1;
        two.spent[i] = 10 * (i + 1);
    }
    one.add(two);
    CHECK(one.time == 1200);
    for (std::size_t i = 0; i < one.spent.size(); ++i) CHECK(one.spent[i] == 11 * (i + 1));
    CHECK(one.npu_cycles == 15);
    CHECK(one.waited_cycles == 3.5);
    CHECK(one.macs == 750);
    CHECK(one.mac_slots == 3000);
    CHECK(one.mac_utilisation() == 0.25);
    CHECK(one.flows.read_hits == 2);
    CHECK(one.flows.list[0].read == 2000);
    CHECK(EpochSummary().mac_utilisation() == 0);
}

TEST_CASE("epoch summary: shares of the time, largest first, with what no path explains") {
    EpochSummary summary;
    CHECK(summary.bound().empty());
    summary.time = 1000;
    CHECK(summary.bound().empty());  // no output engine has ended
    CHECK(summary.configuration() == 1000);
    of(summary.spent, StallCause::Compute) = 100;
    of(summary.spent, StallCause::Flash) = 600;
    CHECK(summary.configuration() == 300);
    const std::vector<BoundShare> shares = summary.bound();
    REQUIRE(shares.size() == 3);
    CHECK(std::string(shares[0].cause) == "flash");
    CHECK(shares[0].share == 0.6);
    CHECK(std::string(shares[1].cause) == "configuration");
    CHECK(shares[1].share == 0.3);
    CHECK(std::string(shares[2].cause) == "compute");
    CHECK(shares[2].share == 0.1);
    of(summary.spent, StallCause::Link) = 300;
    CHECK(summary.configuration() == 0);
    of(summary.spent, StallCause::Link) = 301;
    CHECK(summary.configuration() == 0);
    CHECK(share_of(1, 0) == 0);
    CHECK(share_of(0, 1) == 0);
    CHECK(share_of(3, 4) == 0.75);
    // Equal ones stay in the order of the causes.
    std::vector<BoundShare> equal = {{"a", 0.25}, {"b", 0.5}, {"c", 0.25}};
    sort_shares(equal);
    CHECK(std::string(equal[0].cause) == "b");
    CHECK(std::string(equal[1].cause) == "a");
    CHECK(std::string(equal[2].cause) == "c");
}

TEST_CASE("epoch summary: times of an epoch in cycles of its clock, and all of its paths") {
    PlatformParameters parameters;
    parameters.npu.convolution.mac_slots.value = 100;
    LoggedEpoch epoch;
    epoch.hz = 1e9;  // a cycle is 1000 ps
    epoch.start = 50'000;
    epoch.begun = 60'000;
    epoch.done = 90'000;
    epoch.end = 100'000;
    epoch.products = 6000;
    epoch.flows = some_flows();
    for (std::size_t i = 0; i < epoch.last_path.size(); ++i) {
        epoch.earlier_paths[i] = i + 1;
        epoch.last_path[i] = 100 * (i + 1);
    }
    // Only these are waits for others.
    of(epoch.earlier_paths, StallCause::Conflict) = 1000;
    of(epoch.last_path, StallCause::Conflict) = 2500;
    of(epoch.earlier_paths, StallCause::PortConflict) = 500;
    of(epoch.last_path, StallCause::PortConflict) = 6000;
    EpochSummary summary = summarise(epoch, parameters);
    CHECK(summary.time == 50'000);
    CHECK(summary.npu_cycles == 30);
    CHECK(summary.waited_cycles == 10);
    CHECK(summary.macs == 6000);
    CHECK(summary.mac_slots == 30 * 100 * 4);  // four CONVACC
    CHECK(summary.mac_utilisation() == 0.5);
    CHECK(of(summary.spent, StallCause::Compute) == 101);
    CHECK(of(summary.spent, StallCause::Psram) == 808);
    CHECK(of(summary.spent, StallCause::Conflict) == 3500);
    CHECK(summary.flows.list.size() == 4);
    CHECK(summary.flows.write_misses == 50'000);
}

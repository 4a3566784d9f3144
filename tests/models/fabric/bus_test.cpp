// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "tests/models/probe.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::Probe;

namespace {

/// Two initiators, two RAMs of 64 KB: one at 0x1000_0000 and its alias 0x2000_0000, the other right
/// behind the first.
struct Bench {
    Bench() {
        first.port.bind(bus.from[0]);
        second.port.bind(bus.from[1]);
        bus.to[0].bind(low.port);
        bus.to[1].bind(high.port);
        bus.map(1, {GuestAddr{0x10010000}, 0x10000});
        bus.map(0, {GuestAddr{0x20000000}, 0x10000});
        bus.map(0, {GuestAddr{0x10000000}, 0x10000});
        bus.set_route(0, 0, {7000, 5000, 2500, 8});
        bus.set_route(0, 1, {9000, 6000, 5000, 8});
        bus.set_route(1, 0, {1000, 2000, 2500, 8});
        bus.set_route(1, 1, {1000, 2000, 2500, 8});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Bus bus{"bus", 2, 2};
    Sram low{"low", 0x10000, 400e6, {}};
    Sram high{"high", 0x10000, 400e6, {}};
    Probe first{"first"}, second{"second"};
};

}  // namespace

TEST_CASE("shape: latency = request + memory + response of the initiator's route") {
    Bench bench;
    const Probe::Answer near = bench.first.read(0x10000000, 32, 0);
    CHECK(near.first == 7000 + 2500 + 5000);
    CHECK(near.last == 7000 + 10'000 + 5000);
    CHECK(bench.second.read(0x10000000, 32, 1'000'000).last == 1'000'000 + 1000 + 10'000 + 2000);
}

TEST_CASE("shape: bus beats stretch a burst that the memory delivers faster") {
    Bench bench;
    const Probe::Answer answer = bench.first.read(0x10010000, 32, 0);
    CHECK(answer.first == 9000 + 2500 + 6000);
    CHECK(answer.last == answer.first + 15'000);
}

TEST_CASE("order: who reaches a memory's port first is served first, whoever calls first") {
    Bench bench;
    CHECK(bench.first.read(0x10000000, 64, 0).last == 7000 + 20'000 + 5000);
    // Reaches the bank at 1 ns; the first initiator's burst was told to have it from 7 to 27 ns.
    CHECK(bench.second.read(0x10000000, 8, 0).last == 1000 + 2500 + 2000);
    CHECK(bench.low.statistics().waited == 0);
    // Waits for the burst before it and ends at 11 ns, 4 ns of which the first initiator owes.
    CHECK(bench.second.read(0x10000000, 24, 0).last == 3500 + 7500 + 2000);
    CHECK(bench.low.statistics().waited == 2500);
    CHECK(bench.first.read(0x10000000, 8, 20'000).last == 27'000 + 4000 + 2500 + 5000);
    CHECK(bench.low.statistics().waited == 2500 + 4000);
}

TEST_CASE("both aliases reach the same bytes") {
    Bench bench;
    bench.first.data = {1, 2, 3, 4};
    CHECK(bench.first.write(0x10000100, 4, 0).ok());
    CHECK(bench.first.read(0x20000100, 4, 0).ok());
    CHECK(bench.first.data == std::vector<std::uint8_t>{1, 2, 3, 4});
}

TEST_CASE("an address in no window is an address error") {
    Bench bench;
    for (const std::uint64_t at : {0x0ull, 0xFFFFFFFull, 0x10020000ull, 0x1FFFFFFFull,
                                   0x20010000ull, 0xFFFFFFFCull, 0x110000000ull}) {
        CHECK(bench.first.read(at, 4, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    CHECK(bench.low.statistics().reads == 0);
    CHECK(bench.high.statistics().reads == 0);
}

TEST_CASE("a burst may not leave its window, debug accesses may") {
    Bench bench;
    CHECK(bench.first.read(0x1000FFFC, 8, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    bench.first.data = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(bench.first.debug(tlm::TLM_WRITE_COMMAND, 0x1000FFFC, 8) == 8);
    CHECK(bench.first.debug(tlm::TLM_READ_COMMAND, 0x1000FFFC, 8) == 8);
    CHECK(bench.first.data == std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(bench.first.read(0x10010000, 4, 0).ok());
    CHECK(bench.first.data == std::vector<std::uint8_t>{5, 6, 7, 8});
    CHECK(bench.first.debug(tlm::TLM_READ_COMMAND, 0x1001FFFC, 8) == 4);
}

TEST_CASE("a burst may not leave the window of the access before it") {
    // The window is the first half of the memory: what is behind it is there.
    Bus bus{"bus", 1, 1};
    Sram memory{"memory", 0x10000, 400e6, {}};
    Probe probe{"probe"};
    probe.port.bind(bus.from[0]);
    bus.to[0].bind(memory.port);
    bus.map(0, {GuestAddr{0x10000000}, 0x8000});
    bus.set_route(0, 0, {7000, 5000, 2500, 8});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(probe.read(0x10007FF8, 8, 0).ok());
    CHECK(probe.read(0x10007FFC, 8, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(probe.read(0x10007FFC, 4, 0).ok());
    CHECK(probe.read(0x10008000, 4, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(memory.statistics().reads == 2);
}

TEST_CASE("a direct page is reported at the address it was asked for, and withdrawn at both") {
    Bench bench;
    tlm::tlm_generic_payload query;
    tlm::tlm_dmi dmi;
    query.set_command(tlm::TLM_WRITE_COMMAND);
    query.set_address(0x20000010);
    CHECK(bench.first.port->get_direct_mem_ptr(query, dmi));
    CHECK(dmi.get_start_address() == 0x20000000);
    CHECK(dmi.get_end_address() == 0x20000FFF);
    dmi.get_dmi_ptr()[0x10] = 0x77;
    CHECK(bench.first.read(0x10000010, 1, 0).ok());
    CHECK(bench.first.data[0] == 0x77);
    query.set_address(0x30000000);
    CHECK_FALSE(bench.first.port->get_direct_mem_ptr(query, dmi));
    bench.low.reset();
    CHECK(bench.first.invalidations == 2);
    CHECK(bench.second.invalidations == 2);
}

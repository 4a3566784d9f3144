// SPDX-License-Identifier: Apache-2.0
// What the bus says about accesses: faults, traffic, waiting, observers, addresses.
#include <doctest/doctest.h>

#include "tests/models/fabric/fabric_bench.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::FabricBench;
using Kind = AccessFault::Kind;

TEST_CASE("an access that reaches nothing is an address error with its cause") {
    FabricBench bench;
    CHECK(bench.first.read(0x30000000, 4, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(bench.second.write(FabricBench::kHigh, 4, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(bench.first.read(0x1001EFFC, 8, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    REQUIRE(bench.faults.size() == 3);
    CHECK(bench.faults[0].kind == Kind::Unmapped);
    CHECK(bench.faults[0].address == 0x30000000);
    CHECK(bench.faults[0].target == -1);
    CHECK_FALSE(bench.faults[0].write);
    CHECK(bench.faults[1].kind == Kind::Unreachable);
    CHECK(bench.faults[1].initiator == 1);
    CHECK(bench.faults[1].target == 1);
    CHECK(bench.faults[1].write);
    CHECK(bench.faults[2].kind == Kind::CrossesWindow);
    CHECK(bench.faults[2].bytes == 8);
    CHECK(bench.high.statistics().reads + bench.high.statistics().writes == 0);
}

TEST_CASE("a window may begin inside its target") {
    FabricBench bench;
    bench.first.data = {1, 2, 3, 4};
    CHECK(bench.first.write(FabricBench::kHigh + 8, 4, 0).ok());
    std::uint8_t seen[4] = {};
    bench.high.contents().read(0x1008, seen, 4);
    CHECK(seen[0] == 1);
    CHECK(seen[3] == 4);
    CHECK(bench.bus.addresses_of(1, 0x1008) == std::vector<std::uint32_t>{FabricBench::kHigh + 8});
    CHECK(bench.bus.addresses_of(1, 0xFFF).empty());
    CHECK(bench.bus.addresses_of(0, 0x20) == std::vector<std::uint32_t>{0x10000020, 0x20000020});
}

TEST_CASE("traffic and waiting are counted per initiator and target, by who held the port") {
    FabricBench bench;
    bench.first.read(FabricBench::kLow, 64, 0);         // bank busy from 7 to 27 ns
    bench.second.write(FabricBench::kAlias, 8, 9'000);  // arrives at 10 ns
    bench.second.read(FabricBench::kLow, 24, 9'000);    // arrives at 10 ns, bank free at 29.5
    const Flow& one = bench.bus.flow(0, 0);
    CHECK(one.reads == 1);
    CHECK(one.bytes_read == 64);
    CHECK(one.waited == 0);
    const Flow& two = bench.bus.flow(1, 0);
    CHECK(two.writes == 1);
    CHECK(two.bytes_written == 8);
    CHECK(two.reads == 1);
    CHECK(two.bytes_read == 24);
    CHECK(two.waited == 17'000 + 19'500);
    CHECK(two.waited_for[0] == 17'000 + 19'500);  // it held the port longest both times
    CHECK(two.waited_for[1] == 0);
    // Beats of 2.5 ns: the time that others held the port is not the initiator's.
    CHECK(one.busy == 8 * 2'500);
    CHECK(two.busy == (1 + 3) * 2'500);
    CHECK(bench.bus.flow(0, 1).reads == 0);
    bench.bus.reset();
    CHECK(bench.bus.flow(1, 0).waited == 0);
    CHECK(bench.bus.flow(1, 0).waited_for[0] == 0);
}

TEST_CASE("observers see the accesses of their initiators before they happen") {
    struct Recorder : BusObserver {
        explicit Recorder(FabricBench& watched) : bench(watched) {}
        void before_write(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                          std::uint32_t bytes) override {
            std::uint8_t old = 0;
            bench.low.contents().read(offset, &old, 1);
            CHECK(old == 0xA5);
            log.push_back({1, initiator, target, offset, bytes});
        }
        void before_read(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                         std::uint32_t bytes) override {
            log.push_back({0, initiator, target, offset, bytes});
        }
        FabricBench& bench;
        std::vector<std::vector<std::uint32_t>> log;
    };
    FabricBench bench;
    Recorder recorder(bench);
    bench.bus.observe(recorder, {1});
    bench.first.data.assign(8, 1);
    bench.second.data.assign(8, 1);
    bench.first.write(FabricBench::kLow + 64, 8, 0);
    bench.second.write(FabricBench::kAlias + 0x1000, 8, 0);
    bench.second.read(FabricBench::kLow + 0x40, 4, 0);
    bench.second.read(0x30000000, 4, 0);
    CHECK(recorder.log ==
          std::vector<std::vector<std::uint32_t>>{{1, 1, 0, 0x1000, 8}, {0, 1, 0, 0x40, 4}});
}

TEST_CASE("a read made again is told to observers that heed reads when its series begins") {
    struct Counter : BusObserver {
        void before_write(std::uint8_t, unsigned, std::uint32_t, std::uint32_t) override {}
        void before_read(std::uint8_t, unsigned, std::uint32_t, std::uint32_t) override { ++reads; }
        [[nodiscard]] bool heeds_reads() const override { return heeds; }
        bool heeds = false;
        unsigned reads = 0;
    };
    FabricBench bench;
    Counter first, second;
    bench.touch(FabricBench::kLow);  // reads of memory without content are not repeated
    bench.bus.observe(first, {0});
    bench.bus.observe(second, {0});
    tlm::tlm_generic_payload trans;
    std::uint8_t data[4] = {};
    trans.set_command(tlm::TLM_READ_COMMAND);
    trans.set_address(FabricBench::kLow);
    trans.set_data_ptr(data);
    trans.set_data_length(4);
    trans.set_streaming_width(4);
    sc_core::sc_time delay;
    bench.first.port->b_transport(trans, delay);
    CHECK(first.reads == 1);
    auto* const port = dynamic_cast<RepeatableTarget*>(bench.first.port.operator->());
    REQUIRE(port != nullptr);
    Transfer transfer;
    const auto again = [&](Picoseconds at, std::uint64_t series) {
        CHECK(port->read_again(trans, FabricBench::kLow, transfer, {at, 1'000'000'000, series}) ==
              at + 7000 + 2500 + 5000);
    };
    again(100'000, 1);
    again(200'000, 1);
    CHECK(first.reads == 1);
    second.heeds = true;  // one is enough: all are told
    again(300'000, 2);
    again(400'000, 2);
    CHECK(first.reads == 3);
    CHECK(second.reads == 3);
}

TEST_CASE("a transaction without a Transfer takes as long as one with") {
    FabricBench bench;
    tlm::tlm_generic_payload trans;
    std::uint8_t data[16] = {};
    trans.set_command(tlm::TLM_READ_COMMAND);
    trans.set_address(FabricBench::kLow);
    trans.set_data_ptr(data);
    trans.set_data_length(16);
    trans.set_streaming_width(16);
    sc_core::sc_time delay;
    bench.first.port->b_transport(trans, delay);
    CHECK(trans.is_response_ok());
    CHECK(delay.value() == 7000 + 5000 + 5000);
    CHECK(trans.get_extension<Transfer>() == nullptr);
    CHECK(bench.first.read(FabricBench::kLow, 16, 1'000'000).last == 1'000'000 + 17'000);
}

TEST_CASE("routes may change with the clocks") {
    FabricBench bench;
    CHECK(bench.first.read(FabricBench::kLow, 8, 0).last == 7000 + 2500 + 5000);
    bench.bus.set_route(0, 0, {14'000, 10'000, 5000, 8});
    bench.low.set_clock_hz(200e6);
    CHECK(bench.first.read(FabricBench::kLow, 8, 100'000).last == 100'000 + 14'000 + 5000 + 10'000);
}

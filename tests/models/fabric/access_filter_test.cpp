// SPDX-License-Identifier: Apache-2.0
// Guards before a target: answers, time, direct memory.
#include <doctest/doctest.h>

#include "tests/models/fabric/fabric_bench.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::FabricBench;
using n6vp::test::Gate;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::uint32_t kLow = FabricBench::kLow;

struct Guarded : FabricBench {
    Guarded() {
        bus.add_filter(0, gate);
        bus.add_filter(0, behind);
        gate.open_from = 0x2000;
    }
    Gate gate, behind;
};

}  // namespace

TEST_CASE("a closed gate answers zero, lets writes vanish and says why") {
    Guarded bench;
    bench.touch(kLow);
    CHECK(bench.first.read(kLow, 4, 0).ok());
    CHECK(bench.first.data == Bytes{0, 0, 0, 0});
    CHECK(bench.gate.address == kLow);
    bench.first.read(kLow + 0x10, 4, 0);
    CHECK(bench.gate.address == kLow + 0x10);
    bench.faults.pop_back();
    bench.first.data = {9, 9, 9, 9};
    const auto answer = bench.first.write(kLow, 4, 100'000);
    CHECK(answer.ok());
    CHECK(answer.last == 100'000 + 7000 + 5000);  // there and back, no beat of the bank
    REQUIRE(bench.faults.size() == 2);
    CHECK(bench.faults[1].kind == AccessFault::Kind::Refused);
    CHECK(bench.faults[1].answered_zero);
    CHECK(std::string(bench.faults[1].reason) == "GATE_CR.OPEN = 0");
    CHECK(bench.low.statistics().writes == 0);
    CHECK(bench.behind.judged == 0);  // the first that does not pass decides
    CHECK(bench.first.debug(tlm::TLM_READ_COMMAND, kLow, 4) == 4);
    CHECK(bench.first.data == Bytes{0x11, 0x11, 0x11, 0x11});
}

TEST_CASE("a gate may answer an error") {
    Guarded bench;
    bench.gate.otherwise = AccessFilter::Verdict::Error;
    CHECK(bench.first.read(kLow, 4, 0).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    REQUIRE(bench.faults.size() == 1);
    CHECK_FALSE(bench.faults[0].answered_zero);
    CHECK(bench.first.read(kLow + 0x2000, 4, 0).ok());
}

TEST_CASE(
    "every refusal is judged, what passes is asked for once until the filter says otherwise") {
    Guarded bench;
    for (int i = 0; i < 5; ++i) bench.first.read(kLow, 4, 0);
    CHECK(bench.gate.judged == 5);
    bench.gate.judged = 0;
    for (int i = 0; i < 5; ++i) CHECK(bench.first.read(kLow + 0x2000, 4, 0).ok());
    CHECK(bench.gate.judged == 1);
    bench.gate.open_from = 0x3000;
    bench.bus.filter_changed(0);
    bench.first.read(kLow + 0x2000, 4, 0);
    CHECK(bench.gate.judged == 2);
    CHECK(bench.faults.size() == 6);
}

namespace {

/// Lets through what ends below an address.
class Below : public AccessFilter {
  public:
    Verdict judge(const Transfer& transfer, const Access& access) override {
        return passes(transfer, access) ? Verdict::Pass : Verdict::Zero;
    }
    bool passes(const Transfer&, const Access& access) const override {
        return access.offset + access.bytes <= 0x2000;
    }
    const char* reason() const override { return "BELOW"; }
};

}  // namespace

TEST_CASE("an access that begins where others passed is judged to its end") {
    FabricBench bench;
    Below below;
    bench.bus.add_filter(0, below);
    bench.touch(kLow + 0x1FF8);
    CHECK(bench.first.read(kLow + 0x1FF8, 8, 0).ok());  // the whole page passes
    CHECK(bench.faults.empty());
    CHECK(bench.first.read(kLow + 0x1FFC, 8, 0).ok());
    CHECK(bench.first.data == Bytes(8, 0));
    REQUIRE(bench.faults.size() == 1);
    CHECK(bench.faults[0].kind == AccessFault::Kind::Refused);
}

TEST_CASE("what passes for one initiator, attribute or direction does not for another") {
    Guarded bench;
    bench.gate.open_from = 0;
    bench.gate.open_for_writes = false;
    CHECK(bench.first.read(kLow, 4, 0).ok());
    bench.first.write(kLow, 4, 0);
    CHECK(bench.faults.size() == 1);
    bench.gate.only_secure = true;
    bench.bus.filter_changed(0);
    bench.first.read(kLow, 4, 0);
    bench.first.secure = false;
    bench.first.read(kLow, 4, 0);
    CHECK(bench.faults.size() == 2);
    bench.first.secure = true;
    bench.first.read(kLow, 4, 0);
    CHECK(bench.faults.size() == 2);
}

TEST_CASE("direct memory ends where a filter does, and is taken back when it changes its mind") {
    Guarded bench;
    for (std::uint32_t page = 0; page < 4; ++page) bench.touch(kLow + page * 0x1000);
    CHECK_FALSE(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow + 0x1000).granted);
    const auto page = FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow + 0x2010);
    CHECK(page.start == kLow + 0x2000);  // not all of the four: the page that was asked for
    CHECK(page.end == kLow + 0x2FFF);
    CHECK(page.write);
    const unsigned before = bench.first.invalidations;
    bench.gate.open_from = 0;
    bench.gate.open_for_writes = false;
    bench.bus.filter_changed(0);
    CHECK(bench.first.invalidations > before);
    const auto run = FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow + 0x2010);
    CHECK(run.granted);
    CHECK(run.read);
    CHECK_FALSE(run.write);
    CHECK_FALSE(FabricBench::direct(bench.first, tlm::TLM_WRITE_COMMAND, kLow + 0x2010).granted);
    bench.gate.only_secure = true;
    bench.bus.filter_changed(0);
    Transfer open_world;
    open_world.secure = false;
    CHECK_FALSE(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow, &open_world).granted);
}

TEST_CASE("an initiator without a way gets no direct memory") {
    FabricBench bench;
    bench.touch(FabricBench::kHigh);
    CHECK(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, FabricBench::kHigh).granted);
    CHECK_FALSE(
        FabricBench::direct(bench.second, tlm::TLM_READ_COMMAND, FabricBench::kHigh).granted);
}

TEST_CASE("direct memory ends with the window, though the memory behind it goes on") {
    FabricBench bench;
    constexpr std::uint32_t kShort = 0x30000000;
    bench.bus.map(0, {GuestAddr{kShort}, 0x8000});
    for (std::uint32_t page = 0; page < 16; ++page) bench.touch(kLow + page * 0x1000);
    const auto run = FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kShort + 0x7000);
    REQUIRE(run.granted);
    CHECK(run.end == kShort + 0x7FFF);
}

TEST_CASE("direct memory is not for reads where a filter passes writes only") {
    /// Reads pass below 0x2000, writes everywhere.
    class WriteOnly : public AccessFilter {
      public:
        Verdict judge(const Transfer& transfer, const Access& access) override {
            return passes(transfer, access) ? Verdict::Pass : Verdict::Error;
        }
        bool passes(const Transfer&, const Access& access) const override {
            return access.write || access.offset + access.bytes <= 0x2000;
        }
        const char* reason() const override { return "reads end"; }
    };
    FabricBench bench;
    WriteOnly filter;
    bench.bus.add_filter(0, filter);
    for (std::uint32_t page = 0; page < 4; ++page) bench.touch(kLow + page * 0x1000);
    const auto above = FabricBench::direct(bench.first, tlm::TLM_WRITE_COMMAND, kLow + 0x2010);
    REQUIRE(above.granted);
    CHECK(above.write);
    CHECK_FALSE(above.read);
    const auto below = FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow + 0x1010);
    REQUIRE(below.granted);
    CHECK(below.read);
    CHECK(below.end == kLow + 0x1FFF);
}

TEST_CASE("direct memory of a window that begins inside its target is of the right bytes") {
    FabricBench bench;
    bench.touch(FabricBench::kHigh + 0x10);
    tlm::tlm_generic_payload query;
    tlm::tlm_dmi dmi;
    query.set_command(tlm::TLM_READ_COMMAND);
    query.set_address(FabricBench::kHigh);
    REQUIRE(bench.first.port->get_direct_mem_ptr(query, dmi));
    CHECK(dmi.get_start_address() == FabricBench::kHigh);
    CHECK(dmi.get_dmi_ptr()[0x10] == 0x11);
    CHECK(dmi.get_dmi_ptr()[0x0F] == 0xA5);
}

TEST_CASE("a question for direct memory that a filter refuses does not reach the memory") {
    FabricBench bench;
    Gate gate;
    gate.open_from = 0x2000;
    bench.bus.add_filter(0, gate);
    unsigned unwritten = 0;
    bench.low.on_unwritten_read = [&unwritten](std::uint32_t, Picoseconds) { ++unwritten; };
    CHECK_FALSE(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow + 0x1000).granted);
    CHECK(unwritten == 0);
    CHECK(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow + 0x2000).granted);
    CHECK(unwritten == 1);
}

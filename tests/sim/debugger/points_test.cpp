// SPDX-License-Identifier: Apache-2.0
// Lists of breakpoints and watchpoints, on a simulated core.
#include <doctest/doctest.h>

#include <cstdint>

#include "sim/debugger/points.h"
#include "tests/sim/debugger/core_machine.h"

using namespace n6vp::sim::debugger;
using n6vp::test::CoreMachine;

namespace {

constexpr std::uint32_t kPlace = 0x20000100;

struct Bench {
    CoreMachine machine;
    Points points{machine};
};

}  // namespace

TEST_CASE("a range may have a watchpoint of each kind, which come and go alone") {
    Bench bench;
    REQUIRE(bench.points.add(PointKind::Read, kPlace, 4));
    REQUIRE(bench.points.add(PointKind::Write, kPlace, 4));
    REQUIRE(bench.points.add(PointKind::Access, kPlace, 4));
    REQUIRE(bench.machine.watched.size() == 3);
    CHECK(bench.points.watchpoint_of(kPlace, false).kind == PointKind::Read);
    CHECK(bench.points.watchpoint_of(kPlace, true).kind == PointKind::Write);
    bench.points.remove(PointKind::Write, kPlace, 4);
    REQUIRE(bench.machine.watched.size() == 2);
    CHECK(bench.points.watchpoint_of(kPlace, true).kind == PointKind::Access);
    CHECK(bench.points.watchpoint_of(kPlace, false).kind == PointKind::Read);
    // Another kind, address or length is another watchpoint.
    bench.points.remove(PointKind::Write, kPlace, 4);
    bench.points.remove(PointKind::Read, kPlace + 1, 4);
    bench.points.remove(PointKind::Read, kPlace, 5);
    CHECK(bench.machine.watched.size() == 2);
    bench.points.clear();
    CHECK(bench.machine.watched.empty());
    CHECK_FALSE(bench.points.any_watchpoint());
}

TEST_CASE("a watchpoint that is set again is there once") {
    Bench bench;
    for (int i = 0; i < 3; ++i) REQUIRE(bench.points.add(PointKind::Write, kPlace, 4));
    CHECK(bench.machine.watched.size() == 1);
    REQUIRE(bench.points.add(PointKind::Write, kPlace, 8));
    REQUIRE(bench.points.add(PointKind::Write, kPlace + 4, 4));
    REQUIRE(bench.machine.watched.size() == 3);
    CHECK(bench.machine.watched[1].bytes == 8);
    CHECK(bench.machine.watched[2].address == kPlace + 4);
    bench.points.remove(PointKind::Write, kPlace, 4);
    CHECK(bench.machine.watched.size() == 2);
}

TEST_CASE("reads, writes and both are watched as their kind says") {
    Bench bench;
    REQUIRE(bench.points.add(PointKind::Write, kPlace, 1));
    REQUIRE(bench.points.add(PointKind::Read, kPlace, 2));
    REQUIRE(bench.points.add(PointKind::Access, kPlace, 3));
    REQUIRE(bench.machine.watched.size() == 3);
    CHECK_FALSE(bench.machine.watched[0].on_read);
    CHECK(bench.machine.watched[0].on_write);
    CHECK(bench.machine.watched[1].on_read);
    CHECK_FALSE(bench.machine.watched[1].on_write);
    CHECK(bench.machine.watched[2].on_read);
    CHECK(bench.machine.watched[2].on_write);
}

TEST_CASE("a watched range is neither empty nor goes round the end of memory") {
    Bench bench;
    CHECK_FALSE(bench.points.add(PointKind::Write, kPlace, 0));
    CHECK(bench.points.add(PointKind::Write, 0xFFFFFFFC, 4));
    CHECK_FALSE(bench.points.add(PointKind::Write, 0xFFFFFFFC, 5));
    CHECK(bench.points.add(PointKind::Write, 0xFFFFFFFF, 1));
    CHECK(bench.machine.watched.size() == 2);
}

TEST_CASE("4,096 breakpoints, then no more") {
    Bench bench;
    for (std::uint32_t i = 0; i < Points::kMost; ++i) {
        REQUIRE(bench.points.add(PointKind::Software, 0x8000 + 2 * i, 2));
    }
    CHECK_FALSE(bench.points.add(PointKind::Hardware, 0x8000, 2));
    bench.points.remove(PointKind::Software, 0x8000, 2);
    CHECK(bench.points.add(PointKind::Hardware, 0x8002, 2));
}

TEST_CASE("the bit of the Thumb state is no part of a breakpoint's address") {
    Bench bench;
    REQUIRE(bench.points.add(PointKind::Software, 0x8001, 2));
    CHECK(bench.points.has_breakpoint(PointKind::Software, 0x8000));
    CHECK(bench.points.has_breakpoint(PointKind::Software, 0x8001));
    CHECK_FALSE(bench.points.has_breakpoint(PointKind::Hardware, 0x8000));
    CHECK_FALSE(bench.points.has_breakpoint(PointKind::Software, 0x8002));
    bench.points.remove(PointKind::Software, 0x8001, 2);
    CHECK_FALSE(bench.points.has_breakpoint(PointKind::Software, 0x8000));
}

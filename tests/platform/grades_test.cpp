// SPDX-License-Identifier: Apache-2.0
// `approx` against `precise` on loads that mix the core's traffic with the NPU's, and that a run is
// the same wherever and however often it is made. The NPU's bursts are made at their own times, as
// the design has it; only the core runs ahead.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/platform/probe.h"

using n6vp::test::probe;
using n6vp::test::ProbeRun;

namespace {

/// As in target/workload.c.
enum Load { CopyInBank, FromFlash, Compute, Registers, External };

constexpr double kTolerance = 0.03;

void compare(Load load, const char* rounds) {
    const std::string job = " " + std::to_string(load) + " " + rounds;
    const ProbeRun approx = probe("workload approx 1000" + job);
    const ProbeRun precise = probe("workload precise 100" + job);
    REQUIRE(approx.finished);
    REQUIRE(precise.finished);
    const auto exact = static_cast<double>(precise.time);
    const double error = (static_cast<double>(approx.time) - exact) / exact;
    CAPTURE(error);
    MESSAGE("approx differs by ", 100 * error, " %, and is ",
            precise.host_seconds / approx.host_seconds, " times as fast");
    CHECK(std::abs(error) <= kTolerance);
    CHECK(approx.results == precise.results);
    CHECK(approx.instructions == precise.instructions);
}

}  // namespace

TEST_CASE("approx against precise: copy within the bank that the NPU streams through") {
    compare(CopyInBank, "20");
}
TEST_CASE("approx against precise: flash that the NPU reads, too") {
    compare(FromFlash, "10");
}
TEST_CASE("approx against precise: computing beside both NPU ports in one bank") {
    compare(Compute, "20");
}
TEST_CASE("approx against precise: peripherals and another bank") {
    compare(Registers, "20");
}
TEST_CASE("approx against precise: write-through to PSRAM") {
    compare(External, "20");
}

TEST_CASE("two runs have one trace hash") {
    for (const std::string configuration : {"approx 1000", "precise 100", "functional 1000"}) {
        CAPTURE(configuration);
        const ProbeRun one = probe("workload " + configuration + " 2 5");
        const ProbeRun other = probe("workload " + configuration + " 2 5");
        CHECK(one.finished);
        CHECK(one.hash == other.hash);
        CHECK(one.cycles == other.cycles);
    }
}

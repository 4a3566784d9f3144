// SPDX-License-Identifier: Apache-2.0
// Who sees what when: buffers that the core and another master work on at once. What they see
// depends neither on the quantum nor on the grade of time.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/platform/probe.h"

using n6vp::test::probe;
using n6vp::test::ProbeRun;

namespace {

constexpr const char* kConfigurations[] = {"approx 100",  "approx 1000",  "approx 10000",
                                           "precise 100", "precise 1000", "precise 10000"};
constexpr std::uint32_t kMarks = 16;

/// The other master writes 1 to 16, a microsecond (800 cycles) apart, from `first_us` on.
void check_polling(const std::string& job, double first_us) {
    // Request, bank and answer as in the timing tables, a poll before, maintenance with caches.
    constexpr double kLongest = 300;
    for (const char* const configuration : kConfigurations) {
        CAPTURE(configuration);
        const ProbeRun run = probe(std::string("visibility ") + configuration + job);
        REQUIRE(run.finished);
        CHECK(run.in_use > 0);
        // Before it polled, the buffer held what memory holds after power-on.
        REQUIRE(run.results.size() == 2 * (kMarks + 1));
        for (std::uint32_t i = 1; i <= kMarks; ++i) {
            CHECK(run.results[std::size_t{2} * i] == i);
            const double written = (first_us + i - 1) * 800;
            const double seen = run.results[std::size_t{2} * i + 1];
            CHECK(seen >= written - 350);  // the counter starts some cycles after the chip
            CHECK(seen <= written + kLongest);
        }
    }
}

void check_writing(const std::string& job) {
    const ProbeRun first = probe(std::string("visibility ") + kConfigurations[0] + job);
    REQUIRE(first.finished);
    REQUIRE(first.reads.size() == kMarks);
    for (std::uint32_t i = 1; i < kMarks; ++i) {
        CHECK(first.reads[i] > first.reads[i - 1]);
        CHECK(first.reads[i] <= 4000);
    }
    for (const char* const configuration : kConfigurations) {
        CAPTURE(configuration);
        const ProbeRun run = probe(std::string("visibility ") + configuration + job);
        CHECK(run.reads == first.reads);
        CHECK(run.in_use > 0);
    }
}

}  // namespace

TEST_CASE("the core polls what another master fills, without caches") {
    check_polling(" 0 0", 20);
}
TEST_CASE("the core polls what another master fills, with caches") {
    check_polling(" 0 1", 120);
}
TEST_CASE("the core writes what another master reads, without caches") {
    check_writing(" 1 0");
}
TEST_CASE("the core writes what another master reads, with caches") {
    check_writing(" 1 1");
}

TEST_CASE("the quantum does not change when the core sees what others wrote") {
    for (const std::string timing : {"approx", "precise"}) {
        CAPTURE(timing);
        const std::string workload = "visibility " + timing;
        const ProbeRun one = probe(workload + " 100 0 0");
        REQUIRE(one.finished);
        REQUIRE(one.results.size() == 2 * (kMarks + 1));
        for (const std::string quantum : {" 1000", " 10000"}) {
            const ProbeRun other = probe(std::string(workload).append(quantum).append(" 0 0"));
            CHECK(other.results == one.results);
            CHECK(other.hash == one.hash);
        }
    }
}

TEST_CASE("approx sees what others wrote in the cycle in which precise does") {
    for (const std::string job : {" 0 0", " 0 1", " 1 0", " 1 1"}) {
        CAPTURE(job);
        const ProbeRun approx = probe("visibility approx 1000" + job);
        const ProbeRun precise = probe("visibility precise 1000" + job);
        REQUIRE(approx.finished);
        REQUIRE(precise.finished);
        REQUIRE(approx.results.size() + approx.reads.size() >= kMarks);
        CHECK(approx.results == precise.results);
        CHECK(approx.reads == precise.reads);
        CHECK(approx.in_use == precise.in_use);
    }
}

// The core waits, reads the output too early, polls the engine; by core and by blob.
TEST_CASE("the quantum does not change an epoch on the NPU, nor what the core sees of it") {
    for (const std::string job : {" 0 0 0 4096", " 1 1 0 0", " 0 1 1 65536", " 0 0 2 4096"}) {
        CAPTURE(job);
        const ProbeRun one = probe("npu approx 100" + job);
        REQUIRE(one.finished);
        REQUIRE(one.results.size() == 3);
        for (const std::string quantum : {" 1000", " 10000"}) {
            const ProbeRun other = probe(std::string("npu approx").append(quantum).append(job));
            CHECK(other.results == one.results);
            CHECK(other.hash == one.hash);
            CHECK(other.in_use == one.in_use);
        }
        const ProbeRun precise = probe("npu precise 100" + job);
        REQUIRE(precise.results.size() == 3);
        CHECK(precise.results[0] == one.results[0]);
        CHECK(precise.results[2] == one.results[2]);
        // Cycles from the last enable to the interrupt or the last poll.
        const double ratio = double{1} * precise.results[1] / one.results[1];
        CHECK(std::abs(ratio - 1) < 0.001);
    }
}

// Cycles are instructions there, but what is seen when does not depend on the quantum either.
TEST_CASE("functional, too, sees what others wrote whatever the quantum") {
    const ProbeRun one = probe("visibility functional 100 0 0");
    REQUIRE(one.results.size() == 2 * (kMarks + 1));
    for (std::uint32_t i = 1; i <= kMarks; ++i) {
        // Written every 800 cycles; a round of polling is a dozen instructions.
        const double written = (20.0 + i - 1) * 800;
        CHECK(one.results[std::size_t{2} * i + 1] >= written - 50);
        CHECK(one.results[std::size_t{2} * i + 1] <= written + 50);
    }
    CHECK(probe("visibility functional 1000 0 0").results == one.results);
    CHECK(probe("visibility functional 10000 0 0").results == one.results);
}

// SPDX-License-Identifier: Apache-2.0
// How long the platform takes to start, and what it costs the host with large memories in use.
#include <sys/resource.h>

#include <ctime>
#include <fstream>

#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

TEST_CASE("start: the platform is there within 100 ms and the whole within 600 MB") {
    const double start = cpu_seconds();
    Chip chip;
    chip.platform.elaborate();
    const double ready = cpu_seconds() - start;
    MESSAGE("elaborated after " << ready * 1e3 << " ms of CPU time");
    CHECK(ready <= 0.1);
    // 64 MB of flash and 32 MB of PSRAM.
    REQUIRE(chip.platform.load(GuestAddr{0x70000000}, std::vector<std::uint8_t>(64u << 20, 1)));
    REQUIRE(chip.platform.load(GuestAddr{0x90000000}, std::vector<std::uint8_t>(32u << 20, 2)));
    chip.run(Thumb().set(1, 0x90000000).load(0, 1).end());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    MESSAGE("resident: " << usage.ru_maxrss / 1024 << " MiB");
    CHECK(usage.ru_maxrss * 1024 <= 600'000'000);
}

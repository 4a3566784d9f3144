// SPDX-License-Identifier: Apache-2.0
// What the platform costs the host's memory with large simulated memories in use; its start is
// timed in tests/bench.
#include <sys/resource.h>

#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;

TEST_CASE("start: the platform with 96 MB of loaded memory stays within 600 MB of the host") {
    Chip chip;
    chip.platform.elaborate();
    // 64 MB of flash and 32 MB of PSRAM.
    REQUIRE(chip.platform.load(GuestAddr{0x70000000}, std::vector<std::uint8_t>(64u << 20, 1)));
    REQUIRE(chip.platform.load(GuestAddr{0x90000000}, std::vector<std::uint8_t>(32u << 20, 2)));
    chip.run(Thumb().set(1, 0x90000000).load(0, 1).end());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    MESSAGE("resident: " << usage.ru_maxrss / 1024 << " MiB");
    CHECK(usage.ru_maxrss * 1024 <= 600'000'000);
}

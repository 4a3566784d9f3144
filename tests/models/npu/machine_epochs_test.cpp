// SPDX-License-Identifier: Apache-2.0
// Worked epochs from their register words, through software's writes and as blobs of the epoch
// controller: bytes of the reference, status and interrupts.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/models/npu/machine_bench.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;
using Kind = NpuEvent::Kind;

TEST_CASE("worked epochs come to their end") {
    for (const ExampleEpoch& epoch : example_epochs()) {
        CAPTURE(std::string(epoch.name));
        MachineBench bench;
        bench.begin();
        const EpochSteps steps = steps_of(epoch);
        for (const auto& [offset, value] : steps.configure) bench.write(offset, value);
        for (const auto& [offset, value] : steps.enable) bench.write(offset, value);
        for (std::uint32_t i = 0; i < epoch.outputs; ++i)
            CHECK(bench.run_until_idle(epoch.enabled[i]));
        CHECK(bench.count(Kind::Deadlock) == 0);
        CHECK(bench.bus.memory.in_order);
    }
}

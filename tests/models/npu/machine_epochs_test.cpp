// SPDX-License-Identifier: Apache-2.0
// Worked epochs from their register words, through software's writes and as blobs of the epoch
// controller: bytes of the reference, status and interrupts.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/models/npu/machine_bench.h"
#include "tests/models/npu/reference/epoch_reference.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;
using Kind = NpuEvent::Kind;

namespace {

constexpr std::uint32_t kBlob = 0x340F0000;  // no example touches it

/// The memory that the reference makes of the one before an epoch.
std::vector<std::uint8_t> expected_memory(const ExampleEpoch& epoch, const EpochSteps& steps,
                                          const std::vector<std::uint8_t>& before) {
    std::map<std::uint32_t, std::uint32_t> registers;
    for (const auto& [offset, value] : steps.configure) registers[offset] = value;
    for (const auto& [offset, value] : steps.enable) registers[offset] = value;
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t i = 0; i < epoch.outputs; ++i) outputs.push_back(epoch.enabled[i] - 5);
    return ReferenceEpoch(registers, before).run(outputs);
}

std::uint32_t output_engines(const ExampleEpoch& epoch) {
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < epoch.outputs; ++i) mask |= 1u << (epoch.enabled[i] - 5);
    return mask;
}

/// No unit is at work and nothing is left of a configuration.
void check_clean(const MachineBench& bench) {
    for (std::uint32_t page = 5; page < 30; ++page)
        CHECK(bench.npu.window().read(page * 0x1000).word ==
              RegisterWindow().read(page * 0x1000).word);
}

}  // namespace

TEST_CASE("worked epochs store the bytes of the reference") {
    for (const ExampleEpoch& epoch : example_epochs()) {
        CAPTURE(std::string(epoch.name));
        MachineBench bench;
        bench.begin();
        const EpochSteps steps = steps_of(epoch);
        const auto expected = expected_memory(epoch, steps, bench.bus.memory.memory);
        REQUIRE(expected != bench.bus.memory.memory);
        bench.write(0x01024, ~output_engines(epoch));  // INTANDMSK0: all outputs have ended
        for (const auto& [offset, value] : steps.configure) bench.write(offset, value);
        for (const auto& [offset, value] : steps.enable) bench.write(offset, value);
        CHECK(bench.npu.lines() == 0);
        REQUIRE(bench.run_until([&bench] { return bench.npu.lines() != 0; }));
        CHECK(bench.npu.lines() == 1);
        CHECK((bench.read(0x01008) & 0x3FF) == output_engines(epoch));
        for (std::uint32_t i = 0; i < epoch.outputs; ++i) {
            const std::uint32_t page = epoch.enabled[i] * 0x1000;
            CHECK((bench.read(page) & kRunning) == 0);
            CHECK(bench.read(page + 0x3C) == 8);  // IRQ: frame limit
            bench.write(page + 0x3C, 8);
        }
        bench.write(0x01010, output_engines(epoch));  // INTCLR
        CHECK(bench.npu.lines() == 0);
        CHECK(bench.read(0x01008) == 0);
        REQUIRE((bench.bus.memory.memory == expected));
        CHECK(bench.bus.memory.in_order);
        for (const auto& [offset, value] : steps.finish) bench.write(offset, value);
        check_clean(bench);
        CHECK(bench.npu.due() == n6vp::models::kNever);
        CHECK(bench.count(Kind::Assumption) == bench.events.size());
    }
}

TEST_CASE("worked epochs run as blobs, one after the other") {
    MachineBench bench;
    bench.begin();
    bench.write(0x00010, 1u << 25);
    std::vector<std::uint32_t> labels;
    bench.npu.on_label = [&labels](std::uint32_t label, n6vp::models::Picoseconds) {
        labels.push_back(label);
    };
    std::uint32_t label = 10;
    for (const ExampleEpoch& epoch : example_epochs()) {
        CAPTURE(std::string(epoch.name));
        bench.bus.store(kBlob, blob_bytes(program_of(epoch, label).words()));
        const auto expected = expected_memory(epoch, steps_of(epoch), bench.bus.memory.memory);
        bench.write(0x1E000, 0);
        bench.write(0x1E008, kBlob);
        bench.set_bits(0x1E000, 1);
        CHECK(bench.npu.program_running());
        REQUIRE(bench.run_until([&bench] { return bench.npu.lines() != 0; }));
        CHECK(bench.read(0x01008) == 1u << 28);
        CHECK(bench.read(0x1E00C) == 1);
        bench.write(0x1E00C, 1);
        bench.write(0x01010, 1u << 28);
        CHECK(bench.npu.lines() == 0);
        CHECK_FALSE(bench.npu.program_running());
        CHECK(bench.read(0x1E01C) == label + 1);
        REQUIRE((bench.bus.memory.memory == expected));
        check_clean(bench);
        bench.write(0x1E000, 2);
        bench.write(0x1E000, 0x40000000);
        label += 2;
    }
    CHECK(labels.size() == 2 * example_epochs().size());
    CHECK(bench.count(Kind::Assumption) == bench.events.size());
}

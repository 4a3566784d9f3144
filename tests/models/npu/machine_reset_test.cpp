// SPDX-License-Identifier: Apache-2.0
// The whole NPU after a reset in the middle of its work: the same accesses find the same answers
// and reports as on a new one.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/models/npu/machine_copy.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;

namespace {

/// What a user sees: words of registers and reports.
struct Found {
    std::vector<std::uint32_t> words;
    std::vector<std::string> reports;
};

constexpr std::uint32_t kProgram = 0x34000000, kCounterOfBursts = 0x1F084;

void load_program(MachineBench& bench, const EcAssembler& code) {
    bench.bus.store(kProgram, blob_bytes(code.words()));
    bench.write(0x1E008, kProgram);
    bench.write(0x1E000, 1);
}

/// Registers out of reset, a write without a clock, a copy whose source fails once, a key, an
/// engine that names an unknown trigger, counters, a program.
Found use_of(MachineBench& bench) {
    Found found;
    bench.events.clear();
    const auto look = [&](std::initializer_list<std::uint32_t> offsets) {
        for (const std::uint32_t offset : offsets) found.words.push_back(bench.read(offset));
    };
    const std::initializer_list<std::uint32_t> state = {
        0x00000, 0x00008, 0x01000, 0x01004, 0x01008, 0x01014, 0x02000, 0x02010,
        0x03000, 0x03010, 0x04000, 0x0400C, 0x05000, 0x05008, 0x0503C, 0x06000,
        0x0603C, 0x17000, 0x1E000, 0x1E008, 0x1F000, 0x1F040, 0x1F084, 0x1F088};
    look(state);
    bench.write(kIn + 0x08, 4);
    bench.begin();
    look(state);
    for (std::uint32_t word = 0; word < 4; ++word) bench.write(0x02014 + 4 * word, 1);
    look({0x02000});
    for (std::uint32_t i = 0; i < 4; ++i)
        bench.write(0x1F040 + 4 * i, 1u | (276 + 2 * i) << 1 | 2u << 14);
    bench.write(0x1F000, 1);
    bench.bus.bad_from = kFrom + 64;
    bench.bus.bad_to = kFrom + 128;
    configure_copy(bench, 200);
    bench.write(kIn + 0x28, 0x05800000);  // FRMTRG_EN, STRENG5, which is off
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    CHECK(bench.run_until_idle(kOut / 0x1000));
    bench.bus.bad_to = 0;
    look(state);
    EcAssembler code;
    code.write(2, 0x14, 5).label(3);
    load_program(bench, code);
    CHECK(bench.run_until([&bench] { return !bench.npu.program_running(); }));
    look({0x1E000, 0x1E008, 0x02014, 0x01008});
    for (std::uint32_t i = 0; i < 4; ++i) look({kCounterOfBursts + 4 * i});
    for (const NpuEvent& event : bench.events)
        found.reports.push_back(event.unit + ": " + event.text);
    return found;
}

/// Three of four words of a key; a copy that goes on, whose source fails; a reader without a
/// listener; a program that waits; counters that count.
void work_of(MachineBench& bench) {
    bench.begin();
    for (std::uint32_t word = 0; word < 3; ++word) bench.write(0x02014 + 4 * word, 1);
    bench.write(0x1F040, 1u | 1u << 1 | 1u << 14);
    bench.write(0x1F044, 1u | 276u << 1 | 2u << 14);
    bench.write(0x1F000, 1);
    configure_copy(bench, 5000);
    engine(bench, 0x07000, kInput, kFrom, 640);
    bench.write(0x17000, 0x08000000);
    bench.write(0x1700C, 1);
    bench.bus.bad_from = kFrom + 64;
    bench.bus.bad_to = kFrom + 4096;
    for (const std::uint32_t page : {kOut, 0x07000u, kIn, 0x17000u}) bench.set_bits(page, 1);
    EcAssembler code;
    code.poll(6, 0, 31).label(7);
    load_program(bench, code);
    for (unsigned i = 0; i < 40; ++i) (void)bench.read(kOut);
}

}  // namespace

TEST_CASE("after a reset the NPU is as new, whatever was at work") {
    MachineBench fresh;
    const Found expected = use_of(fresh);
    CHECK(expected.reports.size() >= 3);
    MachineBench bench;
    work_of(bench);
    CHECK((bench.read(kOut) & kRunning) != 0);
    CHECK(bench.npu.program_running());
    bench.npu.reset();
    CHECK(bench.npu.lines() == 0);
    CHECK(bench.npu.due() == n6vp::models::kNever);
    const Found found = use_of(bench);
    CHECK(found.words == expected.words);
    CHECK(found.reports == expected.reports);
    // And once more, where all has been used and told.
    bench.npu.reset();
    const Found again = use_of(bench);
    CHECK(again.words == expected.words);
    CHECK(again.reports == expected.reports);
}

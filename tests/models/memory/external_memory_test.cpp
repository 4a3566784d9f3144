// SPDX-License-Identifier: Apache-2.0
// Memory of the board in time: what an access costs, by hand.
#include "models/memory/external_memory.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using namespace n6vp::models;

namespace {

constexpr double kHz = 100e6;
constexpr Picoseconds kCycle = 10'000;

struct Bench {
    struct Answer {
        std::uint64_t first = 0, last = 0;  ///< cycles after time 0
        Picoseconds waited = 0;
    };
    Answer access(bool write, std::uint32_t offset, std::vector<std::uint8_t>& data,
                  Picoseconds at) {
        tlm::tlm_generic_payload trans;
        trans.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        trans.set_data_ptr(data.data());
        trans.set_data_length(static_cast<unsigned>(data.size()));
        trans.set_streaming_width(static_cast<unsigned>(data.size()));
        Transfer with;
        const Picoseconds last = memory.serve(trans, offset, with, at);
        REQUIRE(trans.is_response_ok());
        return {with.first_beat / kCycle, last / kCycle, with.waited};
    }
    Answer read(std::uint32_t offset, unsigned bytes, Picoseconds at) {
        std::vector<std::uint8_t> data(bytes);
        return access(false, offset, data, at);
    }
    ExternalMemory memory{"external", 0x1000, kHz, {}};
};

}  // namespace

TEST_CASE("external memory: an access that follows on the last one needs no new start") {
    Bench bench;
    // Command, address and dummies in 40 cycles, then 4 cycles a byte.
    const auto line = bench.read(0x100, 32, 0);
    CHECK(line.first == 40 + 4 * 4);
    CHECK(line.last == 40 + 32 * 4);
    CHECK(bench.read(0x120, 4, 1000 * kCycle).last == 1000 + 4 * 4);
    CHECK(bench.read(0x120, 4, 2000 * kCycle).last == 2000 + 40 + 4 * 4);
    CHECK(bench.read(0x104, 1, 3000 * kCycle).last == 3000 + 40 + 1 * 4);
}

TEST_CASE("external memory: a write between two reads ends the burst") {
    Bench bench;
    std::vector<std::uint8_t> word{1, 2, 3, 4};
    CHECK(bench.read(0x0, 4, 0).last == 56);
    CHECK(bench.access(true, 0x4, word, 1000 * kCycle).last == 1000 + 56);
    CHECK(bench.access(true, 0x8, word, 2000 * kCycle).last == 2000 + 16);
    CHECK(bench.read(0xC, 4, 3000 * kCycle).last == 3000 + 56);
    std::vector<std::uint8_t> found(4);
    (void)bench.access(false, 0x8, found, 4000 * kCycle);
    CHECK(found == word);
}

TEST_CASE("external memory: one access at a time, at the clock of the bus") {
    Bench bench;
    CHECK(bench.read(0x100, 32, 0).last == 168);
    const auto second = bench.read(0x200, 4, 100 * kCycle);
    CHECK(second.waited == 68 * kCycle);
    CHECK(second.last == 168 + 56);
    bench.memory.set_clock_hz(kHz / 2);
    CHECK(bench.read(0x300, 4, 1000 * kCycle).last == 1000 + 2 * 56);
}
